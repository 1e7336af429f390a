"""Choices of a policy in, a small collection with tied documents out, beside every measure there is."""

from dataclasses import dataclass

import polars as pl
from hypothesis import strategies as st

from rankgold.core.policy import choices_of_fields
from rankgold.scoring.scorer import policy_of
from tests.all_measures import METRICS, variants
from tests.fuzz.cases import Case, in_dialect, parsed_measure, parsed_policy
from tests.fuzz.forms import Form, evaluated, frame, has_no_order, in_rows, spark_frame, tables

FIELDS = {
    **choices_of_fields(),
    "depth": ("all", 1, 2, 3),
    "cutoff": (None, 1, 2, 3),
    "judgements": ("plain", "over subtopics"),
}
"""What a row of the sweep decides: each field of the policy, the cutoff, and the kind of judgements."""


def is_allowed(row):
    """Whether the choices go together: of averaged ties, a depth and condensed lists only two do, and all three are an error."""
    refused = row.get("ties") == "average" and row.get("unjudged") == "condensed"
    return not refused or row.get("depth") in ("all", None)


UNJUDGED = None
GRADES = {
    "whole": st.sampled_from([1, 0, 2, UNJUDGED, -1, 3]),
    "one": st.sampled_from([1, 0, UNJUDGED]),
    "fractional": st.sampled_from([1.5, 0.0, 0.5, UNJUDGED, 1.0]),
}
NOT_RELEVANT = st.sampled_from([0, UNJUDGED, -1])
SUBTOPICS = ("1", "2")
# Scores with so little between them are the same number in 32 bits.
STEP = 1e-9


@dataclass(frozen=True)
class SweptCase(Case):
    """A collection with ties. With subtopics, a judgement is `(document, {subtopic: grade})`."""

    @property
    def has_subtopics(self):
        return any(isinstance(grade, dict) for rows in self.qrels.values() for _, grade in rows)

    @property
    def sides(self):
        """The judgements and the run as dicts; as frames where a document is in a list twice."""
        if self.has_repeats:
            return (subtopic_frame if self.has_subtopics else frame)(self.qrels, "grade"), frame(self.run, "score")
        return tables(self.qrels), tables(self.run)


def subtopic_frame(side, number):
    rows = [(q, d, s, float(grade)) for q, rows in side.items() for d, grades in rows for s, grade in grades.items()]
    return pl.DataFrame(rows, schema=["query", "document", "subtopic", number], orient="row")


def rows():
    """Any choice in every field; ties are averaged in every other row."""
    often = {**FIELDS, "ties": (*FIELDS["ties"], "average", "average")}
    return st.fixed_dictionaries({name: st.sampled_from(choices) for name, choices in often.items()})


def policy_text(row):
    return ", ".join(f"{name}={row[name]}" for name in (*choices_of_fields(), "depth") if row[name] != FIELDS[name][0])


def measures_of(row, number):
    """Every measure as it is, and one of its variants; with the cutoff, if it takes one."""
    wanted = {}
    for metric in METRICS:
        choices = variants(metric)
        for measure in (choices[0], choices[number % len(choices)]):
            is_cut = row["cutoff"] is not None and metric.takes_cutoff
            wanted[str(measure @ row["cutoff"] if is_cut else measure)] = None
    policy = parsed_policy(policy_text(row))
    # Measures that a tool matches with choices of its own are for tests of its interface.
    return tuple(
        text
        for text in in_dialect(tuple(wanted), row["dialect"])
        if policy_of(parsed_measure(text, row["dialect"]), policy) == policy
    )


@st.composite
def swept_cases(draw, row=None, fewest=1, most=3):
    """A case for a row of choices, with so many queries; any row if none is given."""
    row = draw(rows()) if row is None else row
    policy, qrels, run = policy_text(row), {}, {}
    grades = GRADES[draw(st.sampled_from(sorted(GRADES, reverse=True)))]
    repeats = row["duplicates"] != "error" or row["chunks"] == "best"
    for number in range(draw(st.integers(fewest, most))):
        query = f"q{number + 1}"
        kind = draw(st.sampled_from([grades, grades, grades, NOT_RELEVANT]))
        qrels[query], run[query] = draw(_query(kind, repeats))
    if row["judgements"] == "over subtopics":
        qrels = {query: [(d, draw(_by_subtopic(grade))) for d, grade in judged] for query, judged in qrels.items()}
    if draw(st.booleans()):
        qrels["unranked"] = [("a", {"1": 1, "2": 0} if row["judgements"] == "over subtopics" else 1)]
    if row["unjudged_queries"] == "skip" and draw(st.booleans()):
        run["unjudged"] = [("a", 1.0), ("b", 1.0)]
    return SweptCase(qrels, run, measures_of(row, draw(st.integers(0, 11))), policy)


@st.composite
def _query(draw, grades, repeats):
    """The judgements and the ranking of a query with at most six documents in the list and two that are missed."""
    groups = draw(
        st.lists(st.lists(grades, min_size=1, max_size=4), min_size=1, max_size=4).filter(
            lambda groups: sum(map(len, groups)) <= 6
        )
    )
    names = draw(st.permutations("abcdef"[: sum(map(len, groups))]))
    judged, ranked = [], []
    for place, group in enumerate(groups):
        for grade in group:
            name = names[len(ranked)]
            ranked.append((name, 5.0 - place + STEP * draw(st.sampled_from([0, 0, 0, 1]))))
            judged += [] if grade is UNJUDGED else [(name, grade)]
    missed = draw(st.lists(grades, max_size=2))
    judged += [(f"m{i}", grade) for i, grade in enumerate(missed) if grade is not UNJUDGED]
    ranked = draw(st.permutations(ranked))
    if repeats and draw(st.booleans()):
        ranked.append((ranked[0][0], draw(st.sampled_from([5.0, 4.0, 3.0]))))
    return judged or [("n", 0)], ranked


@st.composite
def _by_subtopic(draw, grade):
    """The grade for one subtopic; for another one a lower one, or none."""
    one, other = draw(st.sampled_from([SUBTOPICS, SUBTOPICS[::-1]]))
    return {one: grade, **({other: min(grade, draw(st.sampled_from([0, 1])))} if draw(st.booleans()) else {})}


SUBTOPIC_FORMS = {}
"""Forms that can have judgements over subtopics."""


def _form(engine="local"):
    def add(function):
        name = function.__name__.replace("_", " ")
        can_hold = has_no_order if engine == "spark" else lambda case: True
        SUBTOPIC_FORMS[name] = Form(name, function, in_rows, can_hold, engine)
        return function

    return add


def _frames(case):
    return subtopic_frame(case.qrels, "grade"), frame(case.run, "score")


@_form()
def frames_with_subtopics(case, folder, random):
    return evaluated(case, *_frames(case))


@_form()
def records_with_subtopics(case, folder, random):
    return evaluated(case, *(table.to_dicts() for table in _frames(case)))


@_form("duckdb")
def frames_with_subtopics_by_duckdb(case, folder, random):
    return evaluated(case, *_frames(case), engine="duckdb")


def _trec_files(case, folder):
    qrels, run = folder / "judged.qrels", folder / "system.run"
    judged = [(q, s, d, g) for q, rows in case.qrels.items() for d, grades in rows for s, g in grades.items()]
    qrels.write_text("".join(f"{q} {s} {d} {g}\n" for q, s, d, g in judged))
    run.write_text("".join(f"{q} Q0 {d} 1 {score!r} tag\n" for q, rows in case.run.items() for d, score in rows))
    return str(qrels), str(run)


@_form("spark")
def spark_frames_with_subtopics(case, folder, random):
    return evaluated(case, *map(spark_frame, _frames(case)))


@_form()
def trec_file_with_subtopics(case, folder, random):
    return evaluated(case, *_trec_files(case, folder))


@_form("duckdb")
def trec_file_with_subtopics_by_duckdb(case, folder, random):
    return evaluated(case, *_trec_files(case, folder), engine="duckdb")
