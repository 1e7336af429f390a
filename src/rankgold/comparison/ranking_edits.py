"""Judgements, a run and what is to be changed in them in; changed judgements and a changed run out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import polars as pl

from rankgold.errors import ComparisonError, brief, nearest
from rankgold.matching.best_order import ids_best_first
from rankgold.policy import Policy

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
