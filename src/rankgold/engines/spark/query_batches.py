"""Arrow batches with rows in any order in; frames with all rows of some queries each out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import polars as pl

from rankgold.data.disk_partitions import DiskPartitions

if TYPE_CHECKING:
    import pyarrow

# A task holds this many rows in memory, about 200 megabytes. More rows go through temporary files.
_ROWS_IN_MEMORY = 2_000_000
_FILES = 64


def whole_queries(batches: Iterable[pyarrow.RecordBatch], most: int = _ROWS_IN_MEMORY) -> Iterator[pl.DataFrame]:
    """Frames sorted by `key`, which identifies a query. All rows of a query are in the same frame."""
    frames = frames_of_batches(batches, most)
    first_two = list(islice(frames, 2))
    if len(first_two) < 2:
        yield from (frame.sort("key") for frame in first_two)
        return
    with TemporaryDirectory(prefix="rankgold-") as folder:
        spill = DiskPartitions(Path(folder), "key", _FILES)
        for number, frame in enumerate(chain(first_two, frames)):
            spill.put(frame, number)
        first_two.clear()
        yield from (rows.sort("key") for rows in spill.read() if rows is not None)


def frames_of_batches(batches: Iterable[pyarrow.RecordBatch], most: int) -> Iterator[pl.DataFrame]:
    """Consecutive batches as frames of `most` rows or slightly more; the last frame may be smaller."""
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
