"""Runs that are large for memory: read in parts, each of which holds whole queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from karat.data.irregular import NotInOrderError, NotRegularError
from karat.data.table import Table, picked_places

# A file of this many bytes is read in parts, of about this many rows.
LARGE = 64 << 20
ROWS_AT_ONCE = 500_000

# Where queries are interleaved, rows go to this many files, by a hash of their query.
_FILES = 32


# What Polars raises on a text file whose lines are not all alike.
NOT_REGULAR = (
    pl.exceptions.ComputeError,
    pl.exceptions.SchemaError,
    pl.exceptions.ShapeError,
    pl.exceptions.NoDataError,
)


@dataclass(frozen=True, slots=True)
class Parts:
    """A large run."""

    scan: pl.LazyFrame
    name: str
    cleaned: Callable[[pl.DataFrame], pl.DataFrame]
    """A batch of rows, checked: query, document, score. Raises NotRegularError where `whole` must look closer."""
    place: Callable[[int], str]
    whole: Callable[[], Table]
    """The run read at once, with every fault told."""
    rows: int
    """About how many rows there are."""

    def one_run_each(self) -> list[Parts]:
        """A large file holds one run: with several tags it is not regular."""
        return [self]

    def in_order(self, progress: Callable[[float], None]) -> Iterator[Table]:
        """The parts of a run whose queries stand together; NotInOrderError where they do not."""
        seen: set[object] = set()
        waiting: pl.DataFrame | None = None
        first_row = done = 0
        for batch in self._batches():
            done += batch.height
            progress(min(done / max(self.rows, 1), 1.0))
            rows = batch if waiting is None else pl.concat([waiting, batch])
            last = rows["query"][-1]
            others = (rows["query"] != last).arg_true()
            cut = int(others[-1]) + 1 if len(others) else 0
            waiting = rows[cut:]
            if cut:
                yield self._part(rows[:cut], first_row, seen)
            first_row += cut
        if waiting is not None:
            yield self._part(waiting, first_row, seen)

    def _part(self, rows: pl.DataFrame, first_row: int, seen: set[object]) -> Table:
        queries = rows["query"].unique().to_list()
        if not seen.isdisjoint(queries):
            raise NotInOrderError
        seen.update(queries)
        return Table(rows, self.name, lambda row: self.place(first_row + row))

    def spilled(self, folder: Path, progress: Callable[[float], None]) -> Iterator[Table]:
        """The parts of a run in any order: rows are put into files by their query, and each file is one part."""
        done = 0
        for number, batch in enumerate(self._batches()):
            parts = batch.with_columns(
                file=pl.col("query").hash() % _FILES, row=pl.int_range(done, done + batch.height, dtype=pl.Int64)
            ).partition_by("file", as_dict=True, include_key=False)
            for (file,), rows in parts.items():
                rows.write_ipc(folder / f"{file}-{number:06}.arrow")
            done += batch.height
            progress(min(done / max(self.rows, 1), 1.0) / 2)
        for file in range(_FILES):
            pieces = sorted(folder.glob(f"{file}-*.arrow"))
            if pieces:
                rows = pl.concat([pl.read_ipc(piece) for piece in pieces])
                yield Table(rows.drop("row"), self.name, picked_places(self.place, rows["row"]))
            progress(0.5 + (file + 1) / _FILES / 2)

    def _batches(self) -> Iterator[pl.DataFrame]:
        try:
            for batch in self.scan.collect_batches(chunk_size=ROWS_AT_ONCE, maintain_order=True):
                yield self.cleaned(batch)
        except NOT_REGULAR:
            raise NotRegularError from None
