"""Reads judgements for subtopics and splits them by document.

A dict is `{query: {document: {subtopic: grade}}}`, or `{query: [...]}` with a list of records that have a subtopic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from rankgold.core.errors import DataError
from rankgold.core.policy import Policy
from rankgold.core.segments import Ints, starts_of
from rankgold.core.subtopics import Subtopics
from rankgold.data.columns import role_name
from rankgold.data.exclusion import drop_repeats
from rankgold.data.ids import id_series, order_as_text, to_polars
from rankgold.data.query_groups import QueryGroups
from rankgold.data.query_lists import record_names
from rankgold.data.records import table_of_values
from rankgold.data.rows import RowFaults
from rankgold.data.table import Table, TableSource
from rankgold.data.value_faults import described


def split_subtopics(rows: QueryGroups, policy: Policy) -> tuple[QueryGroups, Subtopics]:
    """The judgements with one row for each document, of its highest grade; and its grades for subtopics."""
    assert rows.subtopics is not None
    rows = drop_repeats(rows, np.arange(len(rows.numbers)), "judges", policy)
    query = np.repeat(np.arange(len(rows.queries)), np.diff(rows.starts))
    frame = pl.DataFrame(
        {
            "query": query,
            "document": to_polars(rows.documents),
            "subtopic": rows.subtopics,
            "grade": rows.numbers,
            "weight": np.ones(len(query)) if rows.weights is None else rows.weights,
            "at": np.arange(len(query)),
        }
    )
    # In the order of numbers, where subtopics are numbers, whatever their type.
    numbered = frame.select("query", "subtopic").unique()
    numbered = numbered.sort("query", pl.col("subtopic").str.len_bytes(), "subtopic").with_row_index("number")
    frame = frame.join(numbered, on=["query", "subtopic"], how="left", maintain_order="left")
    weight = _weights(frame, rows)
    documents = frame.group_by("query", "document", maintain_order=True).agg(
        pl.col("grade").max(), pl.col("at").first(), pl.len().alias("count")
    )
    documents = documents.sort("query", maintain_order=True).with_row_index("row")
    entries = frame.join(documents.select("query", "document", "row"), on=["query", "document"], how="left")
    entries = entries.sort("row", "number")
    subtopics = Subtopics(
        starts_of(documents["count"].to_numpy().astype(np.int64)),
        entries["number"].to_numpy().astype(np.int64),
        entries["grade"].to_numpy(),
        numbered["subtopic"].to_list(),
        weight,
        _places(documents),
    )
    at = documents["at"].to_numpy()
    one_each = replace(
        rows,
        starts=starts_of(np.bincount(documents["query"].to_numpy(), minlength=len(rows.queries))),
        documents=documents["document"].rechunk(),
        numbers=documents["grade"].to_numpy(),
        row=at if rows.row is None else rows.row[at],
        subtopics=None,
        weights=None,
    )
    return one_each, subtopics


def _weights(frame: pl.DataFrame, rows: QueryGroups) -> np.ndarray:
    """The weight of each subtopic by its number, which is the same in all of its rows."""
    by_number = frame.group_by("number").agg(
        pl.col("weight").first(), (pl.col("weight").n_unique() > 1).alias("differs"), pl.col("at").first()
    )
    by_number = by_number.sort("number")
    if by_number["differs"].any():
        number = by_number.filter("differs")["number"][0]
        same = frame.filter(number=number)
        other = same.filter(same["weight"] != same["weight"][0])
        raise DataError(
            f"query {rows.queries[same['query'][0]]!r} gives subtopic {same['subtopic'][0]!r} the weight"
            f" {other['weight'][0]:g}, and in another row {same['weight'][0]:g}. A subtopic has one weight.",
            rows.place_of(other["at"][0]),
        )
    return by_number["weight"].to_numpy().astype(np.float64)


def _places(documents: pl.DataFrame) -> Ints:
    """The place of each document of a query by its id as text, from the last to the first."""
    order = order_as_text(documents["document"], documents["query"].to_numpy(), descending=True)
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return places


_FORM = "Judgements for subtopics must be {query: {document: {subtopic: grade}}}."


def table_of_subtopics(
    source: Mapping[Any, Any], named: Mapping[str, str], name: str, what: str, faults: RowFaults | None = None
) -> Table:
    """The table of the judgements, with a row for each document and subtopic."""
    rows = [row for query, documents in source.items() for row in _rows(query, documents, named, what)]
    has_weights = any("weight" in row for row in rows)
    roles = ("query", "document", "subtopic", "grade", *(["weight"] if has_weights else []))
    values = {role: [row.get(role) for row in rows] for role in roles}
    table = table_of_values(
        values, TableSource("qrels", {}, what, lambda row: f"{what}, query {values['query'][row]!r}", name, faults)
    )
    nothing = [query for query, documents in source.items() if not len(documents)]
    if not nothing:
        return table
    queries = id_series([*values["query"], *nothing], f"{what}: a query")
    frame = table.frame.with_columns(query=queries[: len(rows)])
    return replace(table, frame=frame, nothing={name: queries[len(rows) :]})


def _rows(query: object, documents: object, named: Mapping[str, str], what: str) -> Iterator[dict[str, Any]]:
    place = f"{what}, query {query!r}"
    if query is None:
        raise DataError("an id cannot be None. Ids must be integers or text.", what)
    if isinstance(documents, list) and all(isinstance(record, Mapping) for record in documents):
        yield from _rows_of_records(query, documents, named, place)
        return
    if not isinstance(documents, Mapping):
        raise DataError(f"there is {described(documents)} in place of documents. {_FORM}", place)
    for document, grades in documents.items():
        if not isinstance(grades, Mapping):
            raise DataError(
                f"document {document!r} has {described(grades)}, and other documents have subtopics. {_FORM}", place
            )
        if not grades:
            raise DataError(
                f"document {document!r} has no subtopic. If it is not relevant, give it grade 0 for one: {{'1': 0}}.",
                place,
            )
        for subtopic, grade in grades.items():
            yield {"query": query, "document": document, "subtopic": subtopic, "grade": grade}


def _rows_of_records(
    query: object, records: list[Mapping[str, Any]], named: Mapping[str, str], place: str
) -> Iterator[dict[str, Any]]:
    for record in records:
        document, number, _ = record_names(record, "qrels", named, place)
        subtopic, weight = (role_name(record, role, named) for role in ("subtopic", "weight"))
        if subtopic is None:
            raise DataError(f"the record of document {record[document]!r} has no subtopic, and others have.", place)
        grade = 1.0 if number is None else record[number]
        row = {"query": query, "document": record[document], "subtopic": record[subtopic], "grade": grade}
        yield row if weight is None else {**row, "weight": record[weight]}
