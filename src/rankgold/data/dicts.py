"""Checks dicts of dicts and pandas Series.

A dict is `{query: {document: number}}`, or `{query: [...]}` with a list of documents, of pairs or of records.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, islice, repeat
from struct import error as StructError
from struct import pack
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.errors import DataError
from rankgold.core.segments import Floats
from rankgold.data.columns import ALIASES, NUMBER, SWAPPED, WHAT, Kind, normal_name, role_name
from rankgold.data.ids import PLAIN, plain_ids
from rankgold.data.query_lists import FORM, PADDED, ListReader, chosen_rows
from rankgold.data.rows import Nested, RowFaults, Rows, refuse_repeat
from rankgold.data.value_faults import NOT_A_NUMBER, described, number_of

if TYPE_CHECKING:
    import pandas as pd

    from rankgold.data.query_groups import QueryGroups
    from rankgold.data.table import Table


_INTEGERS = ("int", "uint")
_NUMBERS = (*_INTEGERS, "float")


def is_series(documents: object) -> bool:
    return hasattr(documents, "to_dict") and hasattr(getattr(documents, "index", None), "dtype")


def has_numbers(series: pd.Series, query: object, what: str) -> bool:
    """Whether it holds a number for each document in its index, rather than documents.

    An index of integers may hold documents, or may only count the rows of the frame that the documents come from.
    """
    index = series.index
    if not _is(index, _INTEGERS) or index.name is not None:
        return True
    counts_rows = type(index).__name__ == "RangeIndex" or normal_name(str(series.name)) in ALIASES["document"]
    if counts_rows or not _is(series, _NUMBERS):
        return False
    raise DataError(
        f"query {query!r} has a Series that may hold documents, or a number for each document in its index. Pass"
        " series.to_list() for the one, series.to_dict() for the other.",
        what,
    )


def _is(column: pd.Series | pd.Index, kinds: tuple[str, ...]) -> bool:
    return str(column.dtype).lower().startswith(kinds)


_SAME_TEXT = "1 and '1' are the same id. Write each id in one way."


@dataclass(frozen=True, slots=True)
class DictRows(Rows):
    """Rows that are held as dicts."""

    name: str
    kind: Kind
    runs: Mapping[str, Nested]
    """Run -> query -> document -> number; judgements are one run."""
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        source: Mapping[Any, Any],
        kind: Kind,
        repeats: str = "error",
        named: Mapping[str, str] | None = None,
        faults: RowFaults | None = None,
    ) -> DictRows:
        """The rows of a dict of dicts or lists."""
        lists = ListReader(kind, repeats, WHAT[kind], named or {}, faults)
        tables = nested(source, lists)
        return cls("run", kind, {"run": tables}, lists.remarks if lists.padding else ())

    @classmethod
    def of_runs(cls, sources: Mapping[str, Mapping[Any, Any]], lists: ListReader) -> DictRows:
        """The rows of one or more dicts from a file, with their numbers checked."""
        runs = {name: nested(source, lists) for name, source in sources.items()}
        for tables in runs.values():
            numbers(tables, tables, lists.kind, lists.what)
        return cls(next(iter(runs)), lists.kind, runs, lists.remarks)

    def split_runs(self) -> list[DictRows]:
        return [DictRows(name, self.kind, {name: tables}, self.remarks) for name, tables in self.runs.items()]

    def as_dicts(self) -> Nested:
        """The rows of the only run."""
        return self.runs[self.name]

    def table(self) -> Table:
        from rankgold.data.records import table_of_dicts

        return table_of_dicts(self)

    def groups(self) -> QueryGroups:
        """The rows of the only run, with the queries that have none."""
        from rankgold.data.records import groups_of_dicts

        return groups_of_dicts(self.runs[self.name], self.kind, self.remarks)

    def empty_queries(self) -> dict[str, list[Any]]:
        return {name: [query for query, row in tables.items() if not row] for name, tables in self.runs.items()}


def holds_subtopics(source: Mapping[Any, Any], named: Mapping[str, str]) -> bool:
    """Whether judgements are for subtopics: `{query: {document: {subtopic: grade}}}`, or records with a subtopic."""
    for documents in source.values():
        if isinstance(documents, Mapping) and documents:
            return isinstance(next(iter(documents.values())), Mapping)
        if type(documents) is list and documents:
            first = documents[0]
            return isinstance(first, Mapping) and role_name(first, "subtopic", named) is not None
    return False


def nested(source: Mapping[Any, Any], lists: ListReader) -> Nested:
    """A dict of dicts of numbers; a ranked list becomes scores that fall from document to document."""
    kind, what = lists.kind, lists.what
    if not source:
        raise DataError(f"there is no query. {FORM[kind]}", what)
    result: Nested = {}
    lists.is_padded = any(type(listed) is list and listed[-2:] == PADDED for listed in source.values())
    for query, documents in source.items():
        if isinstance(documents, dict) and query is not None and None not in documents:
            result[query] = documents
            continue
        if type(documents) is list and query is not None:
            result[query] = lists.read(query, documents)
            continue
        if query is None or (isinstance(documents, Mapping) and None in documents):
            raise DataError(f"an id cannot be None (query {query!r}). Ids must be integers or text.", what)
        if isinstance(documents, Mapping):
            result[query] = dict(documents)
        elif is_series(documents) and has_numbers(documents, query, what):
            result[query] = lists.with_numbers(query, documents.index.tolist(), documents.tolist())
        elif kind == "run" and isinstance(documents, Set):
            raise DataError(f"query {query!r} has a set, which has no order. {FORM[kind]} Or {SWAPPED}.", what)
        elif isinstance(documents, Collection) and not isinstance(documents, (str, bytes)):
            result[query] = lists.read(query, documents)
        else:
            raise DataError(f"query {query!r} has {described(documents)}. {FORM[kind]}", what)
    return _with_checked_ids(result, lists)


def _with_checked_ids(tables: Nested, lists: ListReader) -> Nested:
    """The same tables; if the types of ids are mixed or unusual, with ids that are all integers or all text.

    Of a run, only the first document of each query is checked: checking the types of all ids would take a third of the
    time of an evaluation. Matching finds the others, if they are judged.
    """
    checked = chain.from_iterable(
        tables.values() if lists.kind != "run" else (islice(row, 1) for row in tables.values())
    )
    types, document_types = set(map(type, tables)), set(map(type, checked))
    if types <= PLAIN and len(types) == 1 and document_types <= PLAIN and len(document_types) <= 1:
        return tables
    return with_plain_ids(tables, lists.repeats, lists.what, lists.faults)


def with_plain_ids(tables: Nested, repeats: str, what: str, faults: RowFaults | None = None) -> Nested:
    """The same tables with ids that are all integers or all text. All of them are checked."""
    queries = plain_ids(tables, f"{what}: a query")
    documents = iter(plain_ids(chain.from_iterable(tables.values()), f"{what}: a document"))
    plain: Nested = {}
    for query, row in zip(queries, tables.values(), strict=True):
        if query in plain:
            refuse_repeat(DataError(f"two queries have the same id as text, {query!r}. {_SAME_TEXT}", what), faults)
        plain[query] = chosen_rows(list(islice(documents, len(row))), list(row.values()), repeats)
        if repeats == "error" and len(plain[query]) < len(row):
            text = f"query {query!r} has two documents with the same id as text. {_SAME_TEXT}"
            refuse_repeat(DataError(text, what), faults)
    return plain


def numbers(tables: Nested, queries: Collection[Any], kind: Kind, name: str | None = None) -> Floats:
    """All grades or scores of these queries, one query after the other, checked."""
    values = _array([tables[query].values() for query in queries])
    if not np.isfinite(values).all():
        raise _fault(tables, queries, kind, name)
    return values


def look_up(tables: Nested, wanted: Nested) -> Floats:
    """The number of each wanted query and document in the tables; NaN if there is none."""
    nothing: dict[Any, float] = {}
    none = repeat(np.nan)
    return _array([tuple(map(tables.get(query, nothing).get, row, none)) for query, row in wanted.items()])


def _array(rows: Sequence[Collection[float]]) -> Floats:
    """All numbers, one row after the other; NaN for all of them if one is not a number."""
    try:
        # struct.pack is the fastest way from many Python numbers to an array, and accepts nothing but numbers.
        return np.frombuffer(b"".join([pack(f"{len(row)}d", *row) for row in rows]), np.float64)
    except (StructError, OverflowError):
        total = sum(map(len, rows))
    try:
        return np.fromiter(map(number_of, chain.from_iterable(rows)), dtype=np.float64, count=total)
    except NOT_A_NUMBER:
        return np.full(total, np.nan)


def _fault(tables: Nested, queries: Collection[Any], kind: Kind, name: str | None) -> DataError:
    what = name or WHAT[kind]
    for query in queries:
        for document, value in tables[query].items():
            if _is_finite(value):
                continue
            if kind == "qrels" and isinstance(value, Mapping):
                form = "For subtopics, all documents of all queries must be {document: {subtopic: grade}}."
                fault = f"there is a dict in place of the grade. {form}"
            else:
                fault = f"the {NUMBER[kind]} must be a finite number, not {described(value)}. {FORM[kind]}"
            return DataError(f"query {query!r}, document {document!r}: {fault}", what)
    return DataError(f"a {NUMBER[kind]} is not a finite number. {FORM[kind]}", what)


def _is_finite(value: object) -> bool:
    try:
        return math.isfinite(number_of(value))
    except NOT_A_NUMBER:
        return False


def with_text_ids(tables: Nested) -> Nested:
    """The same tables with every id as text."""
    return {str(query): {str(document): value for document, value in row.items()} for query, row in tables.items()}


def are_text(tables: Nested) -> tuple[bool | None, bool | None]:
    """Whether the ids of queries are text, and those of documents; None if there are none."""
    first_document = next((next(iter(row)) for row in tables.values() if row), None)
    return isinstance(next(iter(tables)), str), None if first_document is None else isinstance(first_document, str)


def holds_named_runs(content: Mapping[str, Any]) -> bool:
    """Whether a JSON object holds runs by name, rather than queries. Text in a file is never the path of another."""
    return any(is_nested(value) for value in content.values() if isinstance(value, Mapping))


def is_nested(value: Mapping[Any, Any]) -> bool:
    """Whether a dict is a run, rather than the documents of one query."""
    first = next(iter(value.values()), None)
    return type(first) not in (float, int) and isinstance(first, (Mapping, list, tuple))
