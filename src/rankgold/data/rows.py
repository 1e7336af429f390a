"""Defines what reading returns: checked rows, whole or in chunks; raises on a bad row or records it.

Readers take an argument `faults`: None to raise, or RowFaults to add to. With faults, runs also keep their column of
ranks, which nothing but `doctor` reads.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rankgold.core.errors import DataError

if TYPE_CHECKING:
    import polars as pl

    from rankgold.data.query_groups import QueryGroups
    from rankgold.data.table import Table


Nested = dict[Any, dict[Any, float]]
"""{query: {document: grade or score}}."""

Place = Callable[[int], str]
"""Where a row comes from, as people look it up: `FILE:LINE`, or a description of the row."""

ReportProgress = Callable[[float, int], None]
"""Called from time to time with the share of the rows that was read, and their number."""


class Rows(ABC):
    """Checked judgements, or the checked rows of one or more runs."""

    name: str
    """The name of the run, unless the user gives it another."""

    @abstractmethod
    def split_runs(self) -> Sequence[Rows]:
        """The rows of each run."""

    def whole(self) -> Rows:
        """The same rows, read at once instead of in chunks."""
        return self

    @abstractmethod
    def table(self) -> Table:
        """All rows."""

    def groups(self) -> QueryGroups:
        """All rows, with those of each query side by side: queries in the order of their first rows."""
        return self.table().groups()

    def empty_queries(self) -> dict[str, list[Any]]:
        """Run -> the queries that it ranks with nothing, which the table lacks. Only dicts have such queries."""
        return {}

    def chunks(self, report: ReportProgress) -> Chunked:
        """All rows, some queries at a time; one chunk, unless the rows are those of a large run."""
        return Chunked(_at_once(self))


class Chunked:
    """Rows, some queries at a time. It breaks off if the rows turn out not to allow that: what it gave is then void."""

    def __init__(self, chunks: Generator[Rows, None, Rows | None]) -> None:
        self._chunks = chunks
        self.otherwise: Rows | None = None
        """The same rows, to read in another way, if this broke off. The generator of the chunks returns them."""

    @property
    def broke_off(self) -> bool:
        return self.otherwise is not None

    def __iter__(self) -> Iterator[Rows]:
        self.otherwise = yield from self._chunks

    def close(self) -> None:
        """Ends reading before the end, if it has not ended."""
        self._chunks.close()


def _at_once(rows: Rows) -> Generator[Rows, None, None]:
    yield rows


# The most faults of a kind that are kept with their place. Finding a place may mean reading the file again.
_MOST_PLACES = 3


@dataclass(slots=True)
class RowFaults:
    """The faults of rows that were left out."""

    bad: list[DataError] = field(default_factory=list)
    """The first rows that cannot be read."""
    bad_rows: int = 0
    repeats: list[DataError] = field(default_factory=list)
    """The first rows that repeat a document or a query, where this shows while reading: in lists and in JSON."""
    repeated_rows: int = 0


def refuse_row(error: DataError, faults: RowFaults | None, rows: int = 1) -> None:
    """Raises the error of a row that cannot be read, or adds it to the faults, for this number of rows."""
    if faults is None:
        raise error
    faults.bad_rows += rows
    faults.bad += [error] if len(faults.bad) < _MOST_PLACES else []


def refuse_repeat(error: DataError, faults: RowFaults | None) -> None:
    """As `refuse_row`, for a row that repeats a document."""
    if faults is None:
        raise error
    faults.repeated_rows += 1
    faults.repeats += [error] if len(faults.repeats) < _MOST_PLACES else []


def readable_rows(
    frame: pl.DataFrame, wrong: pl.Series, place: Place, fault: Callable[[int], str], faults: RowFaults | None
) -> tuple[pl.DataFrame, Place]:
    """The good rows and their places. Bad ones are refused with their fault."""
    rows = wrong.arg_true().to_list()
    if not rows:
        return frame, place
    for at, row in enumerate(rows[:_MOST_PLACES], start=1):
        more = len(rows) - at if at == _MOST_PLACES else 0
        refuse_row(DataError(fault(row), place(row)), faults, 1 + more)
    kept = (~wrong).arg_true()
    return frame.filter(~wrong), lambda row: place(kept[row])
