"""Lines of TREC files in, records with the names and fields of ir_measures out."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TextIO

from rankgold.compat.whitespace_fields import split_fields
from rankgold.data.text_lines import numbered_lines
from rankgold.errors import DataError

if TYPE_CHECKING:
    from rankgold.compat.ir_measures.measure_classes import Measure

Source = str | os.PathLike[str] | TextIO
"""A path, an open file, or the text of a file."""


class Qrel(NamedTuple):
    """A judgement. The iteration is the subtopic, for measures of diversity."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A document of a run."""

    query_id: str
    doc_id: str
    score: float


class Metric(NamedTuple):
    """The value of a measure for a query."""

    query_id: str
    measure: Measure
    value: float


class CalcResults(NamedTuple):
    """The values for all queries together, and the value of each query."""

    aggregated: dict[Measure, float] | float
    per_query: list[Metric]


def read_trec_qrels(file: Source) -> Iterator[Qrel]:
    """The judgements of a file in TREC's format: query, iteration, document, grade."""
    for query, iteration, document, grade in _rows(file, 4):
        yield Qrel(query, document, int(_number(grade, "grade")), iteration)


def read_trec_run(file: Source) -> Iterator[ScoredDoc]:
    """The documents of a run in TREC's format: query, Q0, document, rank, score, tag."""
    for query, _, document, _, score, _ in _rows(file, 6):
        yield ScoredDoc(query, document, _number(score, "score"))


def _rows(file: Source, count: int) -> Iterator[list[str]]:
    """The fields of all lines that are not empty."""
    if isinstance(file, str) and "\n" in file:
        lines: Iterable[tuple[int, str]] = enumerate(io.StringIO(file), start=1)
    elif isinstance(file, (str, os.PathLike)):
        lines = numbered_lines(os.fspath(file))
    else:
        lines = enumerate(file, start=1)
    return (split_fields(line, number, count) for number, line in lines if line.strip())


def _number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise DataError(f"the {what} must be a number, not {text!r}.") from None
