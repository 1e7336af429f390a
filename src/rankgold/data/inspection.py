"""Raises on a bad row; where faults are collected, as `doctor` does, records it and skips the row.

Readers take an argument `faults`: None to raise, or RowFaults to add to. With faults, runs also keep their column of
ranks, which nothing but `doctor` reads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rankgold.data.rows import Place
from rankgold.errors import DataError

if TYPE_CHECKING:
    import polars as pl

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
