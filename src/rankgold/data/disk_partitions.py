"""Rows that are too many for memory in, the rows of one file at a time out: rows that belong together share a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from rankgold.errors import DataError


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
