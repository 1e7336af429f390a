"""Scores a changed ranking or changed judgements (what-if)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any

import polars as pl

from rankgold.core.accepted import Measures
from rankgold.core.document import Cell, Document, ResultTable, check_digits
from rankgold.core.errors import ComparisonError, brief, listing, nearest
from rankgold.core.policy import Policy
from rankgold.core.result import Result, frame_table, known_values
from rankgold.data.inputs import read, read_runs
from rankgold.data.matching.ranks import ids_best_first
from rankgold.engines.request import Request, read_here
from rankgold.scoring.evaluation import evaluated
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    import polars


_ALL = "(mean)"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WhatIf(Result):
    """The scores of a ranking if it, or its judgements, were changed."""

    before: Scores
    after: Scores
    edits: Sequence[str]
    """What was changed, a line for each edit."""
    queries: Sequence[str]
    """The queries that were changed."""

    def rows(self) -> Iterator[tuple[str | None, str, float, float]]:
        """Query, measure, and its values before and after; None for the mean of all queries."""
        runs = [scores.run_scores(scores.runs[0]) for scores in (self.before, self.after)]
        values = {label: [run.by_query(label) for run in runs] for label in self.before.measures}
        for query in self.queries:
            for label, sides in values.items():
                before, after = (side.get(query, math.nan) for side in sides)
                yield query, label, before, after
        for label in self.before.measures:
            before, after = (run.means[label] for run in runs)
            yield None, label, before, after

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame: query (null for the mean), measure, before, after, change."""
        import polars as pl

        rows = [(*row, row[3] - row[2]) for row in self.rows()]
        names = {"query": pl.String, "measure": pl.String, "before": pl.Float64, "after": pl.Float64}
        return pl.DataFrame(rows, schema={**names, "change": pl.Float64}, orient="row")

    def full_table(self) -> ResultTable:
        """The rows of `frame`; a null query becomes "(mean)"."""
        import polars as pl

        return frame_table(self.frame.with_columns(pl.col("query").fill_null(_ALL)))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None, and so is the query of the mean."""
        rows = []
        for query, label, before, after in self.rows():
            values = {"before": before, "after": after, "change": after - before}
            rows.append({"query": query, "measure": label, **known_values(values)})
        return {"edits": list(self.edits), "rows": rows, "policy": self.before.policy.to_dict()}

    def document(self, digits: int = 4) -> Document:
        """A row for each changed query and measure, then the means of all queries."""
        rows: list[list[Cell]] = [
            [_ALL if query is None else query, label, before, after, after - before]
            for query, label, before, after in self.rows()
        ]
        header = ["query", "measure", "before", "after", "change"]
        table = ResultTable(header, rows, "llrrr", digits=check_digits(digits), keys=2)
        return Document([table], facts=[("edit", line) for line in self.edits])


def changed(request: Request, measures: Measures | None, changes: Mapping[str, Any]) -> WhatIf:
    """Every measure of a run as it is and with changes: remove, move, add, grade."""
    import polars as pl

    edits = edits_of(changes)
    policy, topics = request.policy, request.topics
    request = read_here(request)
    judged = read(request.qrels, "qrels", request.columns)
    runs = list(read_runs(request.run, request.columns, policy.duplicates))
    if len(runs) != 1:
        raise ComparisonError(f"There are {len(runs)} runs ({listing(name for name, _ in runs)}). Pass one.")
    [(name, ranked)] = runs
    as_text = pl.col("query", "document").cast(pl.String)
    judgements, ranking = (rows.table().frame.with_columns(as_text) for rows in (judged, ranked))
    check_queries(edits, judgements["query"], ranking["query"])
    if topics is not None:
        check_queries(edits, pl.Series(list(topics.ids)), among=" among the topics")
    of_grades = [edit for edit in edits if edit.kind == "grade"]
    of_ranks = [edit for edit in edits if edit.kind != "grade"]
    new_ranking, lines = edited_run(ranking, of_ranks, policy) if of_ranks else (ranking, [])
    new_judgements, more_lines = edited_judgements(judgements, of_grades)
    before, after = (
        evaluated(replace(request, data={"qrels": grades, "run": {name: scores}}, columns=None), measures)
        for grades, scores in ((judgements, ranking), (new_judgements, new_ranking))
    )
    return WhatIf(before, after, [*lines, *more_lines], list(dict.fromkeys(edit.query for edit in edits)))


KINDS = ("remove", "move", "add", "grade")
"""What can be done with a document, in the order in which it is done."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: a document is removed, moved or added at a rank, or gets a grade."""

    kind: str
    query: str
    document: str
    value: float | None = None
    """The rank or the grade; None for a document that is removed, or that is no longer judged."""


def edits_of(given: Mapping[str, Any]) -> list[Edit]:
    """The edits that a user passed: pairs of query and document to remove, and dicts from such a pair to a number."""
    edits = [edit for kind in KINDS for edit in _edits_of_kind(kind, given.get(kind))]
    if not edits:
        raise ComparisonError("Nothing to change. Pass move, add, remove or grade.")
    return edits


def _edits_of_kind(kind: str, given: Any) -> Iterator[Edit]:
    if given is None:
        return
    form = "a list of (query, document)" if kind == "remove" else "a dict from (query, document) to a number"
    is_pairs = (
        isinstance(given, Sequence) and not isinstance(given, str) if kind == "remove" else isinstance(given, Mapping)
    )
    if not is_pairs or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in given):
        raise ComparisonError(f"{kind} must be {form}, not {brief(given)}.")
    for pair in given:
        value: Any = None if kind == "remove" else given[pair]
        query, document = map(str, pair)
        if kind in ("move", "add") and (isinstance(value, bool) or not hasattr(value, "__index__") or value < 1):
            raise ComparisonError(
                f"The rank of {document!r} in query {query!r} must be a whole number from 1, not {value!r}."
            )
        if kind == "grade" and value is not None and not (isinstance(value, Real) and math.isfinite(value)):
            raise ComparisonError(
                f"The grade of {document!r} in query {query!r} must be a number or None, not {value!r}."
            )
        yield Edit(kind, query, document, float(value) if kind == "grade" and value is not None else value)


def check_queries(edits: Sequence[Edit], *known: pl.Series, among: str = "") -> None:
    """Raises an error for a query that is neither judged nor ranked: it is probably mistyped."""
    queries = dict.fromkeys(str(query) for column in known for query in column.unique(maintain_order=True))
    for edit in edits:
        if edit.query not in queries:
            raise ComparisonError(f"There is no query {edit.query!r}{among}.{nearest(edit.query, queries)}")


def edited_run(run: pl.DataFrame, edits: Sequence[Edit], policy: Policy) -> tuple[pl.DataFrame, list[str]]:
    """The run with the documents of edited queries in their new order, and a line for each edit."""
    lines, parts = [], [run.filter(~pl.col("query").is_in([edit.query for edit in edits]))]
    for query in dict.fromkeys(edit.query for edit in edits):
        rows = run.filter(pl.col("query") == query)
        scores = rows["score"].cast(pl.Float64).to_numpy()
        if policy.ties == "average" and rows["score"].n_unique() < rows.height:
            raise ComparisonError(
                f"Query {query!r} has tied documents, which ties=average gives several ranks. Choose another policy,"
                " such as ties=descending."
            )
        order = ids_best_first(rows["document"].to_list(), scores, policy)
        lines += [_apply(edit, order) for edit in edits if edit.query == query]
        new = {"query": [query] * len(order), "document": order, "score": [float(-i) for i in range(len(order))]}
        parts.append(pl.DataFrame(new, schema={"query": pl.String, "document": pl.String, "score": pl.Float64}))
    return pl.concat([part.select("query", "document", pl.col("score").cast(pl.Float64)) for part in parts]), lines


def _apply(edit: Edit, order: list[str]) -> str:
    """Changes the order of a query's documents as one edit says, and says what was done."""
    document, name = edit.document, f"{edit.query}: {edit.document}"
    is_there = document in order
    if edit.kind == "add":
        if is_there:
            raise ComparisonError(f"Query {edit.query!r} ranks {document!r} already. Move it instead.")
        return f"{name} added at {_insert(edit, order)}"
    if not is_there:
        raise ComparisonError(f"Query {edit.query!r} does not rank {document!r}.{nearest(document, order)}")
    before = order.index(document) + 1
    order.remove(document)
    if edit.kind == "remove":
        return f"{name} removed from {before}"
    return f"{name} moved from {before} to {_insert(edit, order)}"


def _insert(edit: Edit, order: list[str]) -> int:
    rank, last = int(edit.value or 0), len(order) + 1
    if rank > last:
        raise ComparisonError(
            f"The rank of {edit.document!r} in query {edit.query!r} must be at most {last}, not {rank}."
        )
    order.insert(rank - 1, edit.document)
    return rank


def edited_judgements(qrels: pl.DataFrame, edits: Sequence[Edit]) -> tuple[pl.DataFrame, list[str]]:
    """The judgements with other grades, and a line for each edit."""
    if edits and "subtopic" in qrels.columns:
        if qrels["subtopic"].n_unique() > 1:
            raise ComparisonError("These judgements have a grade for each subtopic. Such grades cannot be changed.")
        qrels = qrels.select("query", "document", "grade")
    lines = []
    for edit in edits:
        at = (pl.col("query") == edit.query) & (pl.col("document") == edit.document)
        known = qrels.filter(at)["grade"].to_list()
        if edit.value is None and not known:
            raise ComparisonError(f"Query {edit.query!r} has no judgement of {edit.document!r} to take away.")
        qrels = qrels.filter(~at)
        if edit.value is not None:
            row = {"query": [edit.query], "document": [edit.document], "grade": [float(edit.value)]}
            qrels = pl.concat([qrels.with_columns(pl.col("grade").cast(pl.Float64)), pl.DataFrame(row)])
        texts = [_grade_text(known[0] if known else None), _grade_text(edit.value)]
        lines.append(f"{edit.query}: {edit.document} was {texts[0]} and is {texts[1]}")
    return qrels, lines


def _grade_text(grade: float | None) -> str:
    return "not judged" if grade is None else f"grade {grade:g}"
