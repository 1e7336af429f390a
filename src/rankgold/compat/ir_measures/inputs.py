"""Judgements and runs in the forms that ir_measures takes in, dicts of dicts out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rankgold.compat.ir_measures.records import Qrel, ScoredDoc, read_trec_qrels, read_trec_run
from rankgold.data.rows import Nested
from rankgold.errors import DataError

_FORMS = (
    "{what} are {{query: {{document: {number}}}}}, a data frame with the columns {columns}, records such as"
    " {record}(...), or a path, not {given}."
)


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


def judgements(given: Any) -> Judged:
    """The judgements, from any form. Of two grades for a document, the last one counts."""
    if isinstance(given, Mapping):
        return Judged({query: _row(row, "qrels", "grade") for query, row in given.items()}, [])
    if isinstance(given, (str, os.PathLike)):
        records = list(read_trec_qrels(given))
    elif _is_frame(given):
        _check_columns(given, ("query_id", "doc_id", "relevance"), "qrels")
        names = [name for name in Qrel._fields if name in given.columns]
        records = list(map(Qrel, *(_column(given, name) for name in names)))
    else:
        records = [
            Qrel(*_values(record, Qrel, "qrels", "grade")) for record in _iterated(given, Qrel, "qrels", "grade")
        ]
    grades: Nested = {}
    for query, document, grade, _ in records:
        grades.setdefault(query, {})[document] = grade
    return Judged(grades, records)


def ranking(given: Any) -> Nested:
    """The run, from any form. Of two scores for a document, the last one counts."""
    if isinstance(given, Mapping):
        return {query: _row(row, "run", "score") for query, row in given.items()}
    if isinstance(given, (str, os.PathLike)):
        rows: Iterable[Any] = read_trec_run(given)
    elif _is_frame(given):
        _check_columns(given, ScoredDoc._fields, "run")
        rows = zip(*(_column(given, name) for name in ScoredDoc._fields), strict=True)
    else:
        rows = (_values(record, ScoredDoc, "run", "score") for record in _iterated(given, ScoredDoc, "run", "score"))
    scores: Nested = {}
    for query, document, score in rows:
        scores.setdefault(query, {})[document] = score
    return scores


def _row(row: Any, what: str, number: str) -> dict[Any, float]:
    if not isinstance(row, Mapping):
        raise DataError(_message(what, number, row))
    return row if isinstance(row, dict) else dict(row)


def _is_frame(given: Any) -> bool:
    return hasattr(given, "columns") and hasattr(given, "__getitem__")


def _check_columns(frame: Any, needed: Iterable[str], what: str) -> None:
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        raise DataError(f"{what} lacks the columns {', '.join(missing)}; it has {', '.join(map(str, frame.columns))}.")


def _column(frame: Any, name: str) -> list[Any]:
    column = frame[name]
    values: list[Any] = column.to_list() if hasattr(column, "to_list") else list(column)
    return values


def _iterated(given: Any, record: type[Any], what: str, number: str) -> Iterable[Any]:
    if not isinstance(given, Iterable) or isinstance(given, bytes):
        raise DataError(_message(what, number, given, record))
    return given


def _values(record: Any, kind: type[Any], what: str, number: str) -> tuple[Any, ...]:
    """The fields of a record of any type that has them."""
    needed = [name for name in kind._fields if name not in kind._field_defaults]
    if not all(hasattr(record, name) for name in needed):
        raise DataError(_message(what, number, record, kind))
    return tuple(getattr(record, name) for name in kind._fields if hasattr(record, name))


def _message(what: str, number: str, given: object, record: type[Any] | None = None) -> str:
    kind = record or (Qrel if what == "qrels" else ScoredDoc)
    columns = ", ".join(name for name in kind._fields if name not in kind._field_defaults)
    return _FORMS.format(what=what, number=number, columns=columns, record=kind.__name__, given=type(given).__name__)
