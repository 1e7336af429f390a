"""Judgements for subtopics in dicts in, a checked table out.

A dict is `{query: {document: {subtopic: grade}}}`, or `{query: [...]}` with a list of records that have a subtopic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rankgold.data.columns import role_name
from rankgold.data.ids import id_series
from rankgold.data.inspection import RowFaults
from rankgold.data.numbers import described
from rankgold.data.query_lists import record_names
from rankgold.data.records import table_of_values
from rankgold.data.table import Table, TableSource
from rankgold.errors import DataError

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
