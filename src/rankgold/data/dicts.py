"""Dicts in, checked rows out.

A dict is `{query: {document: number}}`, or `{query: [document, ...]}` for ranked lists and for relevant documents.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, count, islice, repeat
from struct import error as StructError
from struct import pack
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.data.columns import NUMBER, SWAPPED, WHAT, Kind
from rankgold.data.ids import PLAIN, plain_ids
from rankgold.data.numbers import described, number_of
from rankgold.data.rows import Nested, Report, Rows
from rankgold.data.series import has_numbers, is_series
from rankgold.errors import DataError
from rankgold.kernels.segments import Floats

if TYPE_CHECKING:
    from rankgold.data.query_groups import QueryGroups
    from rankgold.data.table import Table

_FORM = {
    "qrels": "Judgements are {query: {document: grade}}, or {query: [relevant documents]}.",
    "run": "A run is {query: {document: score}}, or {query: [documents in ranked order]}.",
}
_SAME_TEXT = "1 and '1' are the same id. Write each id in one way."


@dataclass(frozen=True, slots=True)
class DictRows(Rows):
    """Rows that are held as dicts."""

    name: str
    kind: Kind
    runs: Mapping[str, Nested]
    """Run -> query -> document -> number; judgements are one run."""

    @classmethod
    def of(cls, source: Mapping[Any, Any], kind: Kind, duplicates: str = "error") -> DictRows:
        """The rows of a dict of dicts or lists."""
        return cls("run", kind, {"run": nested(source, kind, duplicates)})

    @classmethod
    def of_runs(cls, sources: Mapping[str, Mapping[Any, Any]], kind: Kind, duplicates: str, label: str) -> DictRows:
        """The rows of one or more dicts from a file, with their numbers checked."""
        runs = {name: nested(source, kind, duplicates, label) for name, source in sources.items()}
        for tables in runs.values():
            numbers(tables, tables, kind, label)
        return cls(next(iter(runs)), kind, runs)

    def split_runs(self) -> list[DictRows]:
        return [DictRows(name, self.kind, {name: tables}) for name, tables in self.runs.items()]

    def as_dicts(self) -> Nested | None:
        """The rows of the only run, if there is one."""
        return next(iter(self.runs.values())) if len(self.runs) == 1 else None

    def table(self) -> Table:
        from rankgold.data.dict_table import table_of_dicts

        return table_of_dicts(self)

    def groups(self) -> QueryGroups:
        """The rows of the only run, with the queries that have none."""
        from rankgold.data.dict_table import groups_of_dicts

        return groups_of_dicts(self.runs[self.name], self.kind)

    def empty_queries(self) -> dict[str, list[Any]]:
        return {name: [query for query, row in tables.items() if not row] for name, tables in self.runs.items()}

    def chunks(self, report: Report) -> Generator[Rows]:
        yield self


def nested(source: Mapping[Any, Any], kind: Kind, duplicates: str = "error", label: str | None = None) -> Nested:
    """A dict of dicts of numbers; a ranked list becomes scores that fall from document to document."""
    what = label or WHAT[kind]
    if not source:
        raise DataError(f"there is no query. {_FORM[kind]}", what)
    result: Nested = {}
    for query, documents in source.items():
        if isinstance(documents, dict) and query is not None and None not in documents:
            result[query] = documents
            continue
        if type(documents) is list and query is not None:
            result[query] = _scored(query, documents, kind, duplicates, what)
            continue
        if query is None or (isinstance(documents, Mapping) and None in documents):
            raise DataError(f"an id cannot be None (query {query!r}). Ids are integers or text.", what)
        if isinstance(documents, Mapping):
            result[query] = dict(documents)
        elif is_series(documents) and has_numbers(documents, query, what):
            result[query] = _indexed(query, documents, kind, duplicates, what)
        elif kind == "run" and isinstance(documents, Set):
            raise DataError(f"query {query!r} has a set, which has no order. {_FORM[kind]} Or {SWAPPED}.", what)
        elif isinstance(documents, Collection) and not isinstance(documents, (str, bytes)):
            result[query] = _scored(query, documents, kind, duplicates, what)
        else:
            raise DataError(f"query {query!r} has {described(documents)}. {_FORM[kind]}", what)
    return _with_checked_ids(result, kind, duplicates, what)


def _with_checked_ids(tables: Nested, kind: Kind, duplicates: str, what: str) -> Nested:
    """The same tables; if the types of ids are mixed or unusual, with ids that are all integers or all text.

    Of a run, only the first document of each query is looked at: to read the types of all ids would take a third of
    the time of an evaluation. Matching finds the others, if they are judged.
    """
    checked = chain.from_iterable(tables.values() if kind == "qrels" else (islice(row, 1) for row in tables.values()))
    types, document_types = set(map(type, tables)), set(map(type, checked))
    if types <= PLAIN and len(types) == 1 and document_types <= PLAIN and len(document_types) <= 1:
        return tables
    return with_plain_ids(tables, duplicates, what)


def with_plain_ids(tables: Nested, duplicates: str, what: str) -> Nested:
    """The same tables with ids that are all integers or all text, after a look at every one of them."""
    queries = plain_ids(tables, f"{what}: a query")
    documents = iter(plain_ids(chain.from_iterable(tables.values()), f"{what}: a document"))
    plain: Nested = {}
    for query, row in zip(queries, tables.values(), strict=True):
        if query in plain:
            raise DataError(f"two queries have the same id as text, {query!r}. {_SAME_TEXT}", what)
        pairs = [(next(documents), value) for value in row.values()]
        plain[query] = dict(pairs if duplicates == "last" else reversed(pairs))
        if duplicates == "error" and len(plain[query]) < len(pairs):
            raise DataError(f"query {query!r} has two documents with the same id as text. {_SAME_TEXT}", what)
        plain[query] = {document: plain[query][document] for document, _ in pairs}
    return plain


def _scored(query: Any, documents: Collection[Any], kind: Kind, duplicates: str, what: str) -> dict[Any, float]:
    """Ranked documents with falling scores, or relevant documents with grade 1."""
    ids = _distinct(query, list(documents), kind, duplicates, what)
    if kind == "qrels":
        return dict.fromkeys(ids, 1.0)
    return dict(zip(ids, count(-1.0, -1.0), strict=False))


def _indexed(query: Any, series: Any, kind: Kind, duplicates: str, what: str) -> dict[Any, float]:
    """The numbers of a pandas Series by the documents in its index."""
    rows = list(zip(series.index.tolist(), series.tolist(), strict=True))
    ids = _distinct(query, [document for document, _ in rows], kind, duplicates, what)
    number = dict(rows if duplicates == "last" else reversed(rows))
    return {document: number[document] for document in ids}


def _distinct(query: Any, ids: list[Any], kind: Kind, duplicates: str, what: str) -> list[Any]:
    """Each document once, as the policy says."""
    types = set(map(type, ids))
    if not (types <= PLAIN and len(types) <= 1):
        for document in ids:
            if document is None or isinstance(document, tuple) or not isinstance(document, Hashable):
                raise DataError(f"query {query!r} lists {described(document)} as a document. {_FORM[kind]}", what)
        ids = plain_ids(ids, f"{what}: query {query!r} lists a document that")
    if len(set(ids)) == len(ids):
        return ids
    if duplicates == "error":
        seen: dict[Any, int] = {}
        for place, document in enumerate(ids, start=1):
            if document in seen:
                raise DataError(
                    f"query {query!r} lists document {document!r} twice, at places {seen[document]} and {place}."
                    " Remove one, or pass policy='duplicates=first'.",
                    what,
                )
            seen[document] = place
    return list(dict.fromkeys(ids)) if duplicates == "first" else list(dict.fromkeys(reversed(ids)))[::-1]


def numbers(tables: Nested, queries: Collection[Any], kind: Kind, name: str | None = None) -> Floats:
    """All grades or scores of these queries, one query after the other, checked."""
    values = _array([tables[query].values() for query in queries])
    if not np.isfinite(values).all():
        raise _fault(tables, queries, kind, name)
    return values


def look_up(tables: Nested, wanted: Nested) -> Floats:
    """The number that the tables have for each wanted query and document; NaN if they have none."""
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
    except (TypeError, ValueError, OverflowError):
        return np.full(total, np.nan)


def _fault(tables: Nested, queries: Collection[Any], kind: Kind, name: str | None) -> DataError:
    role = NUMBER[kind]
    for query in queries:
        for document, value in tables[query].items():
            try:
                wrong = not np.isfinite(number_of(value))
            except (TypeError, ValueError, OverflowError):
                wrong = True
            if wrong:
                fault = f"the {role} must be a finite number, not {described(value)}."
                return DataError(f"query {query!r}, document {document!r}: {fault} {_FORM[kind]}", name or WHAT[kind])
    return DataError(f"a {role} is not a finite number. {_FORM[kind]}", name or WHAT[kind])


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
