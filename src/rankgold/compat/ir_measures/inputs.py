"""Judgements and runs in the forms that ir_measures takes in, dicts of dicts out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rankgold.compat.ir_measures.records import Qrel, ScoredDoc, read_trec_qrels, read_trec_run
from rankgold.data.rows import Nested
from rankgold.errors import DataError


@dataclass(frozen=True, slots=True)
class Judged:
    """Judgements: one grade for each document, and where the data tell subtopics, the grades of each."""

    grades: Nested
    records: list[Qrel]
    """With the subtopics; empty where the form has none."""

    def by_subtopic(self) -> dict[Any, dict[Any, dict[str, float]]]:
        """Query -> document -> subtopic -> grade. Without subtopics in the data, there is one."""
        grades: dict[Any, dict[Any, dict[str, float]]] = {}
        for query, document, grade, subtopic in self.records:
            grades.setdefault(query, {}).setdefault(document, {})[str(subtopic)] = grade
        return grades or {q: {d: {"0": grade} for d, grade in row.items()} for q, row in self.grades.items() if row}


@dataclass(frozen=True, slots=True)
class _Form:
    """The form of judgements or runs: dict of dicts, data frame, file, or records."""

    what: str
    number: str
    record: type[Any]
    """The class of a row of the data, with a default for each field that may be missing."""
    read: Callable[[str | os.PathLike[str]], Iterator[Any]]

    @property
    def needed(self) -> list[str]:
        return [name for name in self.record._fields if name not in self.record._field_defaults]

    def dicts(self, given: Mapping[Any, Any]) -> Nested:
        """The rows of a dict of dicts."""
        for row in given.values():
            if not isinstance(row, Mapping):
                raise self._error(row)
        return {query: row if isinstance(row, dict) else dict(row) for query, row in given.items()}

    def records(self, given: object) -> Iterator[Any]:
        """The rows of all other forms. Records may be of any type that has the fields."""
        fields = self.record._fields
        if isinstance(given, (str, os.PathLike)):
            yield from self.read(given)
        elif hasattr(given, "columns") and hasattr(given, "__getitem__"):
            if missing := [name for name in self.needed if name not in given.columns]:
                known = ", ".join(map(str, given.columns))
                raise DataError(f"{self.what} lacks the columns {', '.join(missing)}; it has {known}.")
            yield from map(self.record, *(_column(given, name) for name in fields if name in given.columns))
        elif isinstance(given, Iterable) and not isinstance(given, bytes):
            for row in given:
                if not all(hasattr(row, name) for name in self.needed):
                    raise self._error(row)
                yield self.record(*(getattr(row, name) for name in fields if hasattr(row, name)))
        else:
            raise self._error(given)

    def _error(self, given: object) -> DataError:
        return DataError(
            f"{self.what} must be {{query: {{document: {self.number}}}}}, a data frame with the columns"
            f" {', '.join(self.needed)}, records such as {self.record.__name__}(...), or a path, not"
            f" {type(given).__name__}."
        )


_QRELS = _Form("qrels", "grade", Qrel, read_trec_qrels)
_RUN = _Form("run", "score", ScoredDoc, read_trec_run)


def judgements(given: object) -> Judged:
    """The judgements, from any form. Of two grades for a document, the last one counts."""
    if isinstance(given, Mapping):
        return Judged(_QRELS.dicts(given), [])
    records = list(_QRELS.records(given))
    return Judged(_nested(records), records)


def ranking(given: object) -> Nested:
    """The run, from any form. Of two scores for a document, the last one counts."""
    return _RUN.dicts(given) if isinstance(given, Mapping) else _nested(_RUN.records(given))


def _nested(records: Iterable[Qrel | ScoredDoc]) -> Nested:
    numbers: Nested = {}
    for query, document, number, *_ in records:
        numbers.setdefault(query, {})[document] = number
    return numbers


def _column(frame: Any, name: str) -> list[Any]:
    column = frame[name]
    values: list[Any] = column.to_list() if hasattr(column, "to_list") else list(column)
    return values
