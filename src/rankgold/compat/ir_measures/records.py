"""Lines of TREC files in, records with the names and fields of ir_measures out."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TextIO

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
    for query, iteration, document, grade in _fields(file, 4):
        yield Qrel(query, document, int(_number(grade, "grade")), iteration)


def read_trec_run(file: Source) -> Iterator[ScoredDoc]:
    """The documents of a run in TREC's format: query, Q0, document, rank, score, tag."""
    for query, _, document, _, score, _ in _fields(file, 6):
        yield ScoredDoc(query, document, _number(score, "score"))


def _fields(file: Source, count: int) -> Iterator[list[str]]:
    for number, line in enumerate(_lines(file), start=1):
        words = line.split()
        if not words:
            continue
        if len(words) != count:
            raise DataError(f"line {number} has {len(words)} fields, and should have {count}.")
        yield words


def _lines(file: Source) -> Iterable[str]:
    if isinstance(file, str) and "\n" in file:
        yield from io.StringIO(file)
    elif isinstance(file, (str, os.PathLike)):
        path = os.fspath(file)
        try:
            with gzip.open(path, "rt") if path.endswith(".gz") else open(path, encoding="utf-8") as opened:
                yield from opened
        except (OSError, EOFError, UnicodeDecodeError) as error:
            raise DataError(f"this file cannot be read: {error}.", path) from None
    else:
        yield from file


def _number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise DataError(f"the {what} must be a number, not {text!r}.") from None
