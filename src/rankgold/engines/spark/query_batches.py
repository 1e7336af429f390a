"""The rows that a task gets: they arrive in any order, and are put together query by query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import polars as pl

from rankgold.data.disk_partitions import DiskPartitions

if TYPE_CHECKING:
    import pyarrow

# So many rows of a task are held in memory, two hundred megabytes or so; more go through files.
_ROWS_IN_MEMORY = 2_000_000
_FILES = 64


def whole_queries(batches: Iterable[pyarrow.RecordBatch], most: int = _ROWS_IN_MEMORY) -> Iterator[pl.DataFrame]:
    """The rows of some queries at a time, sorted by `key`, which tells the queries apart; no query comes twice."""
    frames = frames_of(batches, most)
    few = [frame for _, frame in zip(range(2), frames, strict=False)]
    if len(few) < 2:
        yield from (frame.sort("key") for frame in few)
        return
    with TemporaryDirectory(prefix="rankgold-") as folder:
        spill = DiskPartitions(Path(folder), "key", _FILES)
        for number, frame in enumerate(chain(few, frames)):
            spill.put(frame, number)
        few.clear()
        yield from (rows.sort("key") for rows in spill.read() if rows is not None)


def frames_of(batches: Iterable[pyarrow.RecordBatch], most: int) -> Iterator[pl.DataFrame]:
    """The batches put together to frames of so many rows or a few more; the last one may have fewer."""
    import pyarrow as pa

    waiting, rows = [], 0
    for batch in batches:
        if not batch.num_rows:
            continue
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= most:
            yield pl.DataFrame(pa.Table.from_batches(waiting))
            waiting, rows = [], 0
    if waiting:
        yield pl.DataFrame(pa.Table.from_batches(waiting))
