"""Reads a large run some whole queries at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import TypeVar

import numpy as np
import polars as pl

from rankgold.core.errors import DataError
from rankgold.core.segments import Ints
from rankgold.data.columns import Columns
from rankgold.data.input_file import POLARS_FAULTS
from rankgold.data.rows import Chunked, Place, ReportProgress, Rows
from rankgold.data.table import Table, TableSource, check_rows, places_of, select_columns, stretches
from rankgold.data.temporary_files import temporary_folder


@dataclass(frozen=True, slots=True)
class DiskPartitions:
    """A folder with files of rows, by a hash of one column."""

    folder: Path
    column: str
    files: int

    def put(self, rows: pl.DataFrame, number: int) -> None:
        """Adds rows; `number` counts the calls."""
        by_file = rows.with_columns(file=pl.col(self.column).hash() % self.files)
        for (file,), part in by_file.partition_by("file", as_dict=True, include_key=False).items():
            try:
                part.write_ipc(self.folder / f"{file}-{number:06}.arrow")
            except (OSError, pl.exceptions.PolarsError) as error:
                raise DataError(
                    f"a large run needs this folder for its rows, and they cannot be written: {error}."
                    " Set TMPDIR to a folder with more room.",
                    str(self.folder),
                ) from None

    def read(self) -> Iterator[pl.DataFrame | None]:
        """The rows of each file, in the order in which they were added; None for a file without rows."""
        for file in range(self.files):
            pieces = sorted(self.folder.glob(f"{file}-*.arrow"))
            yield pl.concat([pl.read_ipc(piece) for piece in pieces]) if pieces else None


LARGE = 32 << 20
"""A run in a text file of more bytes is read in chunks."""
LARGE_TABLE = 1_000_000
"""A run in a table of more rows is read in chunks."""
ROWS_AT_ONCE = 500_000
"""About the number of rows in a chunk."""
ROWS_IN_MEMORY = 10_000_000
"""A run with interleaved queries and more rows is sorted into files."""

# About the number of rows in each of these files. A hash of the query chooses the file.
_ROWS_PER_FILE = 2_000_000


class IrregularError(Exception):
    """The file is too irregular to be read in chunks. Internal: the file is then read whole."""


class _InterleavedError(Exception):
    """The rows of a query are not side by side."""


@dataclass(frozen=True, slots=True)
class Chunks(Rows):
    """A large run. Reading it in chunks gives the same rows as reading it whole."""

    scan: pl.LazyFrame
    name: str
    clean: Callable[[pl.DataFrame, pl.Series], pl.DataFrame]
    """Checks a batch of rows and returns query, document, score. Its second argument holds the query of each stretch.
    Raises IrregularError if the file must be read whole."""
    place: Place
    read_whole: Callable[[], Table]
    """Reads the run whole, and reports every fault with its place."""
    n_rows: int
    """About how many rows there are."""
    remarks: tuple[str, ...] = ()
    check_end: Callable[[int], None] = lambda rows: None
    """Called with the final number of rows. Raises IrregularError if the number shows a fault."""

    def split_runs(self) -> list[Chunks]:
        return [self]  # a large file with several runs is irregular

    def whole(self) -> Table:
        return self.table()

    def table(self) -> Table:
        return self.read_whole()

    def chunks(self, report: ReportProgress) -> Chunked:
        """The rows in the order of the file. This breaks off if the rows of a query are not side by side."""
        return Chunked(self._unless_broken_off(report))

    def _unless_broken_off(self, report: ReportProgress) -> Generator[Table, None, Rows | None]:
        try:
            yield from self._in_order(report)
        except _InterleavedError:
            return self.table() if self.n_rows <= ROWS_IN_MEMORY else _InterleavedChunks(self, self.name)
        except IrregularError:
            return self.table()
        return None

    def _in_order(self, report: ReportProgress) -> Iterator[Table]:
        seen: set[object] = set()
        waiting: pl.DataFrame | None = None
        first_row = done = 0
        for batch, starts in self.batches():
            done += batch.height
            report(self.share(done), done)
            rows = batch
            if waiting is not None:
                rows = pl.concat([waiting, batch], rechunk=True)
                goes_on = waiting["query"][0] == batch["query"][0]
                starts = np.concatenate(([0], starts[1 if goes_on else 0 :] + waiting.height))
            # The last query may go on in the next batch.
            cut = int(starts[-2])
            waiting = rows[cut:]
            if cut:
                yield self._chunk(rows[:cut], starts[:-1], first_row, seen)
            first_row += cut
        if waiting is not None:
            yield self._chunk(waiting, np.array([0, waiting.height]), first_row, seen)

    def _chunk(self, rows: pl.DataFrame, starts: Ints, first_row: int, seen: set[object]) -> Table:
        queries = rows["query"].gather(starts[:-1]).to_list()
        if len(set(queries)) < len(queries) or not seen.isdisjoint(queries):
            raise _InterleavedError
        seen.update(queries)
        return Table(rows, self.name, lambda row: self.place(first_row + row), self.remarks, starts)

    def share(self, rows: int) -> float:
        """The share of the run that these rows make up."""
        return min(rows / max(self.n_rows, 1), 1.0)

    def batches(self) -> Iterator[tuple[pl.DataFrame, Ints]]:
        """Checked rows, some at a time, and where their stretches with the same query begin."""
        rows = 0
        try:
            for batch in self.scan.collect_batches(chunk_size=ROWS_AT_ONCE, maintain_order=True, lazy=False):
                starts = stretches(batch["query"])
                rows += batch.height
                yield self.clean(batch, batch["query"].gather(starts[:-1])), starts
        except POLARS_FAULTS:
            raise IrregularError from None
        if not rows:
            raise IrregularError
        self.check_end(rows)


@dataclass(frozen=True, slots=True)
class _InterleavedChunks(Rows):
    """A run in any order that is too large for memory: its rows go to files by query, and each file is one chunk."""

    run: Chunks
    name: str

    def split_runs(self) -> list[_InterleavedChunks]:
        return [self]

    def table(self) -> Table:
        return self.run.table()

    def chunks(self, report: ReportProgress) -> Chunked:
        return Chunked(self._of_files(report))

    def _of_files(self, report: ReportProgress) -> Generator[Table, None, Table | None]:
        run = self.run
        with temporary_folder() as folder:
            done, partitions = 0, DiskPartitions(Path(folder), "query", run.n_rows // _ROWS_PER_FILE + 2)
            try:
                for number, (batch, _) in enumerate(run.batches()):
                    rows = batch.with_columns(row=pl.int_range(done, done + batch.height, dtype=pl.Int64))
                    partitions.put(rows, number)
                    done += batch.height
                    report(run.share(done) / 2, done)
            except IrregularError:
                return run.table()
            for read, rows_of_file in enumerate(partitions.read(), 1):
                if rows_of_file is not None:
                    place = places_of(run.place, rows_of_file["row"])
                    yield Table(rows_of_file.drop("row"), self.name, place, run.remarks)
                report(0.5 + read / partitions.files / 2, done)
        return None


def table_chunks(
    scan: pl.LazyFrame,
    n_rows: int,
    source: TableSource,
    read_whole: Callable[[], Table],
    *,
    every_field: bool = False,
) -> Rows:
    """The run in a large table with any columns.

    With `every_field`, columns that are not used are read as well. In text, Polars notices a line with too many
    fields, or with a stray quote, only if it reads every field. Otherwise it may lose rows without an error.
    """
    columns, has_lists = source.columns_of_frame(scan)
    if has_lists:
        return read_whole()
    selected = _with_unused(scan, columns) if every_field else select_columns(scan, columns)
    types = selected.collect_schema()
    first_run = selected.select("run").head(1).collect()["run"].to_list() if "run" in types else []
    if first_run == [None]:
        return read_whole()

    def clean(batch: pl.DataFrame, _: pl.Series) -> pl.DataFrame:
        if first_run and (batch["run"].null_count() or not (batch["run"] == first_run[0]).all()):
            raise IrregularError
        try:
            checked = check_rows(batch, columns, source.place)[0]
        except DataError:
            raise IrregularError from None
        for role in ("query", "document"):
            if checked[role].dtype == pl.String and types[role] not in (pl.String, pl.Categorical):
                raise IrregularError  # such as integers that are too large in some batches only
        return checked.select("query", "document", "score")

    name = str(first_run[0]) if first_run else source.name
    return Chunks(selected, name, clean, source.place, read_whole, n_rows, columns.remarks)


def _with_unused(scan: pl.LazyFrame, columns: Columns) -> pl.LazyFrame:
    """The columns under the names of their roles, and all others under names that no role has."""
    used = {role: pl.col(column) for role, column in columns.roles.items() if column is not None}
    others = [column for column in scan.collect_schema().names() if column not in columns.roles.values()]
    return scan.select(**used, **{f"unused {number}": pl.col(column) for number, column in enumerate(others)})


Result = TypeVar("Result")


def in_background(work: Callable[[], Result]) -> Callable[[], Result]:
    """Starts the work in another thread; the returned function waits for its result, or raises its error."""
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    # A daemon, so that the process can end before the work does, which the threads of an executor do not allow.
    Thread(target=run, daemon=True).start()
    return future.result


def results_ahead(works: Iterable[Callable[[], Result]], at_once: int) -> Iterator[Result]:
    """The results in order; `at_once` works run at the same time."""
    rest = iter(works)
    begun = deque(in_background(work) for work in islice(rest, at_once))
    while begun:
        result = begun.popleft()()
        begun.extend(in_background(work) for work in islice(rest, 1))
        yield result
