"""Rows that are too many for memory, put into files so that those which belong together are in the same one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl


@dataclass(frozen=True, slots=True)
class Spill:
    """A folder with files of rows, by a hash of one column."""

    folder: Path
    column: str
    files: int

    def put(self, rows: pl.DataFrame, number: int) -> None:
        """Adds rows, the `number`th of all that are added."""
        by_file = rows.with_columns(file=pl.col(self.column).hash() % self.files)
        for (file,), some in by_file.partition_by("file", as_dict=True, include_key=False).items():
            some.write_ipc(self.folder / f"{file}-{number:06}.arrow")

    def each(self) -> Iterator[pl.DataFrame | None]:
        """What every file holds, the rows in the order in which they were added; None of one without rows."""
        for file in range(self.files):
            pieces = sorted(self.folder.glob(f"{file}-*.arrow"))
            yield pl.concat([pl.read_ipc(piece) for piece in pieces]) if pieces else None
