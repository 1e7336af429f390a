"""Runs that are large for memory: read in parts, each of which holds whole queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from rankgold.data.disk_partitions import Spill
from rankgold.data.irregular import NotInOrderError, NotRegularError
from rankgold.data.table import Table, boundaries, picked_places
from rankgold.kernels.segments import Ints

# A text file of this many bytes, or a table of this many rows, is read in parts of about so many rows.
LARGE = 32 << 20
LARGE_TABLE = 1_000_000
ROWS_AT_ONCE = 500_000
ROWS_IN_MEMORY = 10_000_000

# Where queries are interleaved, rows go to files, by a hash of their query: each is to hold about so many.
_ROWS_A_FILE = 2_000_000

Progress = Callable[[float, int], None]
"""Called with the share that is done, and how many rows those are."""

# What Polars raises on a text file whose lines are not all alike.
NOT_REGULAR = (
    pl.exceptions.ComputeError,
    pl.exceptions.SchemaError,
    pl.exceptions.ShapeError,
    pl.exceptions.NoDataError,
)


def batches(scan: pl.LazyFrame) -> Iterator[pl.DataFrame]:
    """The rows some at a time. They are read from now on, not only when they are asked for."""
    return iter(scan.collect_batches(chunk_size=ROWS_AT_ONCE, maintain_order=True, lazy=False))


@dataclass(frozen=True, slots=True)
class Parts:
    """A large run."""

    scan: pl.LazyFrame
    name: str
    cleaned: Callable[[pl.DataFrame, pl.Series], pl.DataFrame]
    """A batch of rows, checked: query, document, score. Besides the batch it gets the queries of its stretches of
    rows with the same one. Raises NotRegularError where `whole` must look closer."""
    place: Callable[[int], str]
    whole: Callable[[], Table]
    """The run read at once, with every fault told."""
    rows: int
    """About how many rows there are."""
    remarks: tuple[str, ...] = ()
    started: list[Iterator[pl.DataFrame]] = field(default_factory=list)
    """The batches of a reading that goes on already."""
    ended: Callable[[int], None] = lambda rows: None
    """Told how many rows there were in the end; raises NotRegularError where that tells of a fault."""

    @property
    def fits_in_memory(self) -> bool:
        """Whether all rows at once take a gigabyte or so at most."""
        return self.rows <= ROWS_IN_MEMORY

    def one_run_each(self) -> list[Parts]:
        """A large file holds one run: with several it is not regular."""
        return [self]

    def at_once(self) -> Table:
        """The whole run; a reading in parts that goes on already is given up."""
        self.started.clear()
        return self.whole()

    def in_order(self, progress: Progress) -> Iterator[Table]:
        """The parts of a run whose queries stand together; NotInOrderError where they do not."""
        seen: set[object] = set()
        waiting: pl.DataFrame | None = None
        first_row = done = 0
        for batch, starts in self._batches():
            done += batch.height
            progress(self._share(done), done)
            rows = batch
            if waiting is not None:
                rows = pl.concat([waiting, batch], rechunk=True)
                goes_on = waiting["query"][0] == batch["query"][0]
                starts = np.concatenate(([0], starts[1 if goes_on else 0 :] + waiting.height))
            cut = int(starts[-2])
            waiting = rows[cut:]
            if cut:
                yield self._part(rows[:cut], starts[:-1], first_row, seen)
            first_row += cut
        if waiting is not None:
            yield self._part(waiting, np.array([0, waiting.height]), first_row, seen)

    def _share(self, done: int) -> float:
        return min(done / max(self.rows, 1), 1.0)

    def _part(self, rows: pl.DataFrame, starts: Ints, first_row: int, seen: set[object]) -> Table:
        queries = rows["query"].gather(starts[:-1]).to_list()
        if len(set(queries)) < len(queries) or not seen.isdisjoint(queries):
            raise NotInOrderError
        seen.update(queries)
        return Table(rows, self.name, lambda row: self.place(first_row + row), self.remarks, starts)

    def spilled(self, folder: Path, progress: Progress) -> Iterator[Table]:
        """The parts of a run in any order: rows are put into files by their query, and each file is one part."""
        done, spill = 0, Spill(folder, "query", self.rows // _ROWS_A_FILE + 2)
        for number, (batch, _) in enumerate(self._batches()):
            spill.put(batch.with_columns(row=pl.int_range(done, done + batch.height, dtype=pl.Int64)), number)
            done += batch.height
            progress(self._share(done) / 2, done)
        for read, rows in enumerate(spill.each(), 1):
            if rows is not None:
                yield Table(rows.drop("row"), self.name, picked_places(self.place, rows["row"]), self.remarks)
            progress(0.5 + read / spill.files / 2, done)

    def _batches(self) -> Iterator[tuple[pl.DataFrame, Ints]]:
        """Checked rows, some at a time, and where their stretches with the same query begin."""
        rows = 0
        try:
            for batch in self.started.pop() if self.started else batches(self.scan):
                starts = boundaries(batch["query"])
                rows += batch.height
                yield self.cleaned(batch, batch["query"].gather(starts[:-1])), starts
        except NOT_REGULAR:
            raise NotRegularError from None
        if not rows:
            raise NotRegularError
        self.ended(rows)
