"""Strategies of hypothesis -> judgements, a run, measures and a policy: whatever a user may have."""

import math
from dataclasses import dataclass, field
from functools import cache

from hypothesis import strategies as st

import rankgold
from rankgold.measures.notation import parse_in_dialect
from tests.all_measures import METRICS, values_to_try

WORDS = (
    "d1", "D1", "d10", "d2", "a", "aa", "aaa", "ab", "A", "é", "e\u0301", "É", "ß", "SS", "İ", "日本", "日", "😀", "\uffff",
    "\U00010000", "-1", "+1", "01", "1", "1.0", "1e3", "1000", "nan", "NaN", "null", "None", "NA", "N/A", "true", "inf", "0x10",
    "2020-1-1", "2020-01-01", "2020-01-01T00:00:00", "12:30", "550E8400-E29B-41D4-A716-446655440000", "1_000", "٣",
    "Q0", "0", "x,y", "x;y", 'x"y', "o'clock", "x\\y", "{", "[1]", "=1+1", "%", "a" * 63, "a" * 64, "a" * 65, "b" * 300,
)  # fmt: skip
# Ids that TREC files cannot hold: with blanks, or that look like a comment.
WITH_BLANKS = ("a b", " a", "a ", "a\tb", "#", "#1", "\u00a0", "\u3000x", "x\u2028y")
LETTERS = st.characters(exclude_categories=("C", "Z"), exclude_characters="\ufeff")

IDS = {
    "words": st.sampled_from(WORDS),
    "words and blanks": st.sampled_from(WORDS + WITH_BLANKS),
    "text": st.text(LETTERS, min_size=1, max_size=5).filter(lambda text: not text.startswith("#")),
    "small integers": st.integers(0, 30),
    "integers": st.integers(-(2**63), 2**63 - 1)
    | st.sampled_from([0, 1, 9, 10, 11, 99, 100, -1, -10, 2**53, 2**53 + 1]),
}

MIXED_IDS = st.sampled_from([0, "00", 1, "01", 7, "a", "A", 10, 9, "-0", -1, "1.0"])
"""Integers and text; no two are the same as text."""
IDS["integers and text"] = MIXED_IDS

SCORES = {
    "tied": st.sampled_from([-1.5, 0.0, -0.0, 0.25, 1.0, 2.0]),
    "close": st.builds(lambda base, step: base + step * 1e-10, st.sampled_from([0.1, 1.0, 2.5]), st.integers(0, 2)),
    "any": st.floats(-1e6, 1e6),
    "wide": st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([1e39, -1e39, 3.4e38, 5e-324, 1e-46]),
    "whole": st.integers(-5, 5),
    "all equal": st.just(1.0),
}

GRADES = {
    "two": st.sampled_from([0, 1]),
    "few": st.sampled_from([-2, -1, 0, 0, 1, 1, 2, 3]),
    "fractional": st.sampled_from([-0.5, 0.0, 0.25, 0.5, 0.999, 1.0, 1.5, 2.75]),
    "poor": st.sampled_from([-1, 0]),
    "huge": st.sampled_from([-1e300, 0, 5e-324, 1e-300, 1, 2**53 + 1, 1e15, 1e300]),
    "large": st.sampled_from([0, 1, 7, 100, 900, 1000]),
}


# A case asks for them again and again.
parsed_policy, parsed_measure = cache(rankgold.Policy.of), cache(parse_in_dialect)


@dataclass(frozen=True)
class Case:
    """A collection with what to evaluate. Each side is `{query: [(document, number), ...]}`, in the order of the input."""

    qrels: dict
    run: dict
    measures: tuple[str, ...] = ()
    policy: str = ""
    draw: object = field(default=None, repr=False, compare=False)
    """Makes further choices, such as how to split a collection."""

    @property
    def parsed_policy(self):
        return parsed_policy(self.policy)

    @property
    def parsed_measures(self):
        """{text: measure}, with the defaults of the policy's dialect."""
        return {text: parsed_measure(text, self.parsed_policy.dialect) for text in self.measures}

    @property
    def has_repeats(self):
        return any(len({d for d, _ in rows}) < len(rows) for side in (self.qrels, self.run) for rows in side.values())

    @property
    def ids(self):
        """Every id of a query or document, as text."""
        return [
            str(id_)
            for side in (self.qrels, self.run)
            for q, rows in side.items()
            for id_ in (q, *(d for d, _ in rows))
        ]


@st.composite
def measures(draw):
    """Some measures, with any choice of any parameter, at any cutoff."""
    return tuple(dict.fromkeys(str(draw(one_measure())) for _ in range(draw(st.integers(1, 6)))))


@st.composite
def one_measure(draw):
    metric = draw(st.sampled_from(METRICS))
    chosen = {
        parameter.name: draw(st.sampled_from(values_to_try(parameter)))
        for parameter in metric.parameters.values()
        if values_to_try(parameter) and draw(st.booleans())
    }
    measure = metric(**chosen)
    return measure @ draw(st.integers(1, 12)) if metric.takes_cutoff and draw(st.booleans()) else measure


@st.composite
def policies(draw):
    """Any choice in any field but `chunks`, which the reference does not know; most fields keep their default."""
    from rankgold.core.policy import choices_of_fields

    fields = {name: choices for name, choices in choices_of_fields().items() if name != "chunks"}
    changed = draw(st.lists(st.sampled_from(sorted(fields)), max_size=3, unique=True))
    return ", ".join(f"{name}={draw(st.sampled_from(fields[name]))}" for name in changed)


@st.composite
def sides(draw, ids, numbers, queries, repeats, longest):
    """One side of a collection: some of the queries, each with some documents, at times none, at times one twice."""
    side = {}
    for query in queries:
        kind = draw(st.sampled_from(["rows", "rows", "rows", "rows", "empty", "absent"]))
        if kind == "absent":
            continue
        documents = draw(
            st.lists(ids, min_size=kind == "rows", max_size=longest if kind == "rows" else 0, unique=not repeats)
        )
        side[query] = [(document, draw(numbers)) for document in documents]
    return side


@st.composite
def cases(draw, longest=10, repeats=None):
    """A collection, measures and a policy that go together as badly as they can."""
    policy = draw(policies())
    if repeats is None:
        repeats = "duplicates" in policy or draw(st.integers(0, 9)) == 0
    documents = draw(st.lists(IDS[draw(st.sampled_from(sorted(IDS)))], min_size=1, max_size=longest + 4, unique=True))
    queries = draw(st.lists(IDS[draw(st.sampled_from(sorted(IDS)))], min_size=1, max_size=4, unique=True))
    ids = st.sampled_from(documents)
    qrels = draw(sides(ids, GRADES[draw(st.sampled_from(sorted(GRADES)))], queries, repeats, longest))
    run = draw(
        sides(ids, SCORES[draw(st.sampled_from(sorted(SCORES)))], draw(st.permutations(queries)), repeats, longest)
    )
    # A file makes text of integers, so one side has integers and the other text of the same.
    as_text = draw(st.sampled_from(["neither", "neither", "neither", "qrels", "run"]))
    qrels, run = (with_text_ids(side) if name == as_text else side for name, side in (("qrels", qrels), ("run", run)))
    return Case(qrels, run, in_dialect(draw(measures()), rankgold.Policy.of(policy).dialect), policy)


def in_dialect(measures, dialect):
    """The measures that can be written in the dialect: `accuracy` of ir_measures is another one, without `documents`."""

    def is_known(text):
        try:
            return parsed_measure(text, dialect)
        except rankgold.MeasureError:
            return False

    return tuple(filter(is_known, measures)) or ("ap",)


def with_text_ids(side):
    return {str(query): [(str(document), number) for document, number in rows] for query, rows in side.items()}


def same(found, expected):
    """Whether two values are the same number, to some rounding."""
    if math.isnan(found) or math.isnan(expected):
        return math.isnan(found) and math.isnan(expected)
    return found == expected or math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)
