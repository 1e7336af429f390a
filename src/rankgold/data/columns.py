"""Finds the column of each role: query, document, grade, score, rank, run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rankgold.core.errors import DataError, listing, nearest

if TYPE_CHECKING:
    from rankgold.data.rows import RowFaults


Kind = Literal["qrels", "run", "labelled", "pairs"]
"""What a table holds: judgements, rankings, both, or only pairs of a query and a document, such as what users had."""

ScoreIs = Literal["score", "rank"]
NumberIs = Literal["grade", ScoreIs]

NUMBER: dict[Kind, str] = {"qrels": "grade", "run": "score", "labelled": "grade", "pairs": "grade"}
"""The name of the number in each kind of table."""

WHAT: dict[Kind, str] = {
    "qrels": "the judgements",
    "run": "the run",
    "labelled": "the table",
    "pairs": "the interactions",
}
"""The name of each kind of table in errors."""

NO_RUN = (
    "no run given. Usage: evaluate(qrels, run, measures), QRELS RUN... at the shell. Only a table with columns"
    " of queries, grades and scores needs no run."
)

SWAPPED = "the judgements and the run may be swapped (judgements come first)"
"""The hint when each side looks like the other."""

ALIASES: dict[str, tuple[str, ...]] = {
    "query": ("query", "query_id", "queryid", "qid", "q_id", "topic", "topic_id", "user", "userid", "user_id"),
    "document": (
        "document", "doc", "docid", "doc_id", "docno", "document_id", "item", "itemid", "item_id", "corpus_id",
        "passage_id", "pid", "documents", "docs", "docids", "doc_ids", "items", "item_ids",
    ),
    "grade": ("grade", "relevance", "rel", "label", "relscore", "rating", "judgement", "judgment", "grades", "labels"),
    "score": ("score", "sim", "similarity", "prediction", "predicted", "scores", "predictions"),
    "rank": ("rank", "position"),
    "run": ("run", "run_id", "runid", "tag", "system"),
    "subtopic": ("subtopic", "subtopic_id", "subtopicid", "iteration"),
    "weight": ("subtopic_weight", "weight"),
}  # fmt: skip

# Roles of numbers, and of the run: if the user names a column for one, the table must have it.
_REQUIRED_IF_NAMED: dict[Kind, tuple[str, ...]] = {
    "qrels": ("grade", "subtopic", "weight"),
    "run": ("score", "rank", "run"),
    "labelled": ("document", "grade", "score", "rank", "run", "subtopic", "weight"),
    "pairs": (),
}


_NEEDED: dict[Kind, tuple[str, ...]] = {
    "qrels": ("query", "document", "grade"),
    "run": ("query", "document", "score"),
    "labelled": ("query", "grade", "score"),
    "pairs": ("query", "document"),
}

_PROBABILITY = ("probability", "prob", "grade_probability")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of one table by role."""

    query: str
    document: str
    """Empty in a labelled table in which each row is a document."""
    number: str | None
    """The column of grades, scores or ranks; None if every document has grade 1, or is in a ranked list."""
    number_is: NumberIs
    run: str | None = None
    remarks: tuple[str, ...] = ()
    score: str | None = None
    """The column of scores or ranks beside the grades of a labelled table."""
    score_is: ScoreIs = "score"
    subtopic: str | None = None
    """The column of the subtopics for which documents are judged."""
    weight: str | None = None
    """The column of the weights of subtopics."""
    rank: str | None = None
    """The column of ranks beside the scores of a run, where faults are collected."""

    @property
    def present(self) -> dict[str, str]:
        """Role -> column, for the columns that there are."""
        return {role: column for role, column in self.roles.items() if column is not None}

    @property
    def is_rank(self) -> bool:
        return self.number_is == "rank"

    @property
    def roles(self) -> dict[str, str | None]:
        """Role -> column, the number as a grade or score."""
        number = "grade" if self.number_is == "grade" else "score"
        document = {"document": self.document} if self.document else {}
        names = ("score", "run", "subtopic", "weight", "rank")
        more = {role: column for role in names if (column := getattr(self, role)) is not None}
        return {"query": self.query, **document, number: self.number, **more}


def find_columns(
    found: Sequence[str],
    kind: Kind,
    named: Mapping[str, str],
    place: str,
    *,
    trust_ranks: bool = False,
    lists: Collection[str] = (),
    faults: RowFaults | None = None,
) -> Columns:
    """The columns of a table: those that the user named, else those known by their names.

    With `trust_ranks` a run needs a column of ranks, which is then used even if there is one of scores. `lists` are the
    columns that hold a list in each row: a list of documents needs no numbers. With `faults`, a run keeps its ranks
    beside its scores.
    """
    roles = _roles(found, kind, named, place, lists)
    query, document, run = roles["query"], roles.get("document", ""), roles.get("run")
    # A weight without a subtopic is something else.
    subtopic, weight = roles.get("subtopic"), roles.get("weight") if "subtopic" in roles else None
    if kind == "labelled":
        score_is: ScoreIs = "score" if "score" in roles else "rank"
        scored = (roles[score_is], score_is)
        return Columns(query, document, roles["grade"], "grade", run, (), *scored, subtopic, weight)
    if kind == "pairs":
        return Columns(query, document, None, "grade")
    remarks = [
        f"{place} has no column {named[role]!r}: the {role} was read from {roles[role]!r}"
        for role in ("query", "document")
        if role in named and roles[role] != named[role]
    ]
    if kind == "qrels":
        grade = roles.get("grade")
        remarks += _grade_remarks(grade, roles.get("score"), probability_column(found), place)
        return Columns(query, document, grade, "grade", remarks=tuple(remarks), subtopic=subtopic, weight=weight)
    if trust_ranks and "rank" not in roles:
        raise DataError(f"there is no column of ranks to trust. {_naming_hint('rank')}", place)
    number_is: ScoreIs = "rank" if trust_ranks or "score" not in roles else "score"
    keeps_ranks = faults is not None and number_is == "score" and document not in lists
    rank = roles.get("rank") if keeps_ranks else None
    return Columns(query, document, roles.get(number_is), number_is, run, tuple(remarks), rank=rank)


def _grade_remarks(grade: str | None, score: str | None, probability: str | None, place: str) -> list[str]:
    """Remarks on the columns of numbers in a table of judgements."""
    remarks = []
    if grade is None:
        remarks.append(f"{place} has no column of grades: every document in it counts as relevant, with grade 1")
    elif grade == score:
        remarks.append(f"{place} has no column of grades: they were read from {grade!r}")
    if probability not in (None, grade):
        remarks.append(
            f"{place}: the column {probability!r} was not used, and grades count as certain;"
            " expect computes the expected values"
        )
    return remarks


def probability_column(found: Iterable[str]) -> str | None:
    """The column of the probabilities of grades, if there is one."""
    return first_alias(found, _PROBABILITY)


def check_column_names(columns: Mapping[str, str] | None) -> dict[str, str]:
    """The columns that the user named, role -> name, with the roles checked."""
    if columns is not None and not isinstance(columns, Mapping):
        raise DataError(
            f"columns must be a dict from role to name, such as {{'query': 'user'}}, not {type(columns).__name__}."
        )
    roles = {}
    for given, column in (columns or {}).items():
        role = next((role for role, names in ALIASES.items() if normal_name(str(given)) in names), None)
        if role is None:
            turned = normal_name(str(column)) in {name for names in ALIASES.values() for name in names}
            hint = f" Did you mean {column}={given}?" if turned else nearest(str(given), ALIASES)
            raise DataError(f"No column role is called {given!r}.{hint} Roles: {', '.join(ALIASES)}.")
        # A frame of pandas without a header has the numbers of its columns as names.
        if not isinstance(column, str) and (isinstance(column, bool) or not hasattr(column, "__index__")):
            raise DataError(f"the name of the column of {role} must be text, not {type(column).__name__}.")
        roles[role] = str(column)
    return roles


def names_of_roles(named: Mapping[str, str]) -> set[str]:
    """All names of columns that hold a role: those that the user gave, and those that are known."""
    return {*named.values(), *(alias for aliases in ALIASES.values() for alias in aliases)}


def check_unique(names: Sequence[str], named: Mapping[str, str], place: str) -> None:
    """Raises an error if two columns of a header have the same name, and it is that of a role."""
    known = names_of_roles(named)
    for name in names:
        if names.count(name) > 1 and (name in known or normal_name(name) in known):
            raise DataError(f"two columns are called {name!r}. Rename one of them.", place)


def has_query(names: Iterable[object], named: Mapping[str, str]) -> bool:
    """Whether one of these names is that of a column of queries."""
    return role_name(names, "query", named) is not None


def role_name(names: Iterable[object], role: str, named: Mapping[str, str]) -> str | None:
    """Which of these names is that of a role; None if none is."""
    texts = [name for name in names if isinstance(name, str)]
    return named[role] if named.get(role) in texts else first_alias(texts, ALIASES[role])


def first_alias(names: Iterable[str], aliases: tuple[str, ...]) -> str | None:
    """The name that comes first among the aliases; one with the exact spelling, if any."""
    known = [name for name in names if normal_name(name) in aliases]
    return min(known, key=lambda name: (name not in aliases, aliases.index(normal_name(name))), default=None)


def most_specific(names: Iterable[str], aliases: tuple[str, ...]) -> str | None:
    """The name that comes first among the aliases, in any spelling.

    For aliases that end with general names: of `Item` and `id`, the first is the name of an item.
    """
    known = [name for name in names if normal_name(name) in aliases]
    return min(known, key=lambda name: aliases.index(normal_name(name)), default=None)


def found_and_hint(found: Iterable[str], role: str) -> str:
    """The end of an error after 'Columns': those found, and how to name the column of a role."""
    return f"found: {listing(map(repr, found), 20)}. {_naming_hint(role)}"


def _naming_hint(role: str) -> str:
    return f"Name it: columns={{'{role}': ...}} in Python, --column {role}=NAME at the shell."


def normal_name(column: str) -> str:
    """A column's name for comparison: 'Query-ID' and 'query_id' are the same."""
    return column.strip().lower().replace("-", "_").replace(" ", "_")


def _roles(
    found: Sequence[str], kind: Kind, named: Mapping[str, str], place: str, lists: Collection[str]
) -> dict[str, str]:
    """Role -> column, with every role that a table of this kind needs."""
    roles: dict[str, str] = {}
    if role_name((column for column in found if column not in lists), "document", named) is not None:
        lists = {*lists} - {*named.values()}
        usable = [column for column in found if column not in lists]
    else:
        usable = list(found)
    for role, names in ALIASES.items():
        if named.get(role) in found:
            roles[role] = named[role]
        elif not (role in named and role in _REQUIRED_IF_NAMED[kind]):
            known = first_alias([column for column in usable if column not in named.values()], names)
            if known is not None:
                roles[role] = known
    number = NUMBER[kind]
    if kind == "qrels" and "score" in roles and "grade" not in {**roles, **named}:
        # BEIR calls the column of grades "score".
        roles["grade"] = roles["score"]
    # A table of only queries and documents lists the relevant ones, ranks replace scores, and lists are ranked.
    others = {roles[role] for role in ("subtopic", "weight") if role in roles}
    lacks_grades = len({*found} - others) == 2
    may_lack_numbers = {"qrels": lacks_grades, "run": "rank" in roles, "labelled": False, "pairs": True}
    optional = may_lack_numbers[kind] or (roles.get("document") in lists and kind != "labelled")
    needed = dict.fromkeys((*_NEEDED[kind], *(role for role in named if role in _REQUIRED_IF_NAMED[kind])))
    if optional and number not in named:
        needed.pop(number, None)
    if kind == "labelled" and "rank" in roles and "score" not in named:
        del needed["score"]
    missing = [role for role in needed if role not in roles]
    for role in missing:  # a list in place of a number is reported later, with its type
        roles.update((role, column) for column in found if normal_name(column) in ALIASES[role] and column in lists)
    missing = [role for role in missing if role not in roles]
    if missing:
        raise _unknown_columns(missing, found, kind, named, place)
    return roles


def _unknown_columns(
    missing: list[str], found: Sequence[str], kind: Kind, named: Mapping[str, str], place: str
) -> DataError:
    what = {"qrels": " of judgements", "run": " of a run", "labelled": "", "pairs": ""}[kind]
    alone = "no run given, so the table needs grades and scores: " if kind == "labelled" else ""
    absent = [column for column in named.values() if column not in found]
    also = f" There is no column {listing(map(repr, absent))}." if absent else ""
    number = missing == [NUMBER[kind]]
    others = ALIASES["grade"] if kind == "run" else ALIASES["rank"] + ALIASES["run"]
    swapped = ""
    if number and NUMBER[kind] not in named and first_alias(found, others) is not None:
        swapped = f" Or {SWAPPED}."
    has_both = None not in (first_alias(found, ALIASES["grade"]), first_alias(found, ALIASES["score"]))
    if kind == "qrels" and missing == ["document"] and has_both:
        swapped = " Or leave the run out, since this table has grades and scores: evaluate(table, measures=...)."
    return DataError(
        f"{alone}cannot tell which column holds the {' and the '.join(missing)}{what}.{also}"
        f" Columns {found_and_hint(found, missing[0])}{swapped}",
        place,
    )
