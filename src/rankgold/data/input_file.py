"""A file that is about to be read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import polars as pl

from rankgold.data.columns import Kind
from rankgold.data.paths import PACKED
from rankgold.data.table import Table, checked_table
from rankgold.errors import DataError

_HEAD = 1 << 16
_UNPACKED = 5  # times as large, as runs go
# How compressed files begin.
COMPRESSED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}


@dataclass(frozen=True, slots=True)
class Source:
    """A path, or the bytes themselves, with what is known of them."""

    content: str | bytes
    kind: Kind
    named: dict[str, str]
    """Columns as the user named them, role -> name."""
    label: str
    """What errors call it."""
    name: str
    """What its run is called, unless the content says otherwise."""
    duplicates: str = "error"

    def table(self, frame: pl.DataFrame | pl.LazyFrame, place: Callable[[int], str]) -> Table:
        """The checked table in a frame that was read from here."""
        return checked_table(frame, self.kind, self.named, self.name, self.label, place)

    @property
    def unpacked_size(self) -> int:
        """How many bytes a file has, or about how many once it is unpacked; 0 for what is in memory already."""
        if isinstance(self.content, bytes):
            return 0
        size = os.path.getsize(self.content)
        return size * _UNPACKED if self.content.endswith(PACKED) else size

    def head(self) -> bytes:
        """The first bytes, as they stand in the file."""
        if isinstance(self.content, bytes):
            return self.content[:_HEAD]
        with open(self.content, "rb") as file:
            return file.read(_HEAD)

    def first_lines(self) -> Iterator[str]:
        """Some lines from the top that hold something; none where this is no text."""
        content = self.head()
        try:
            if content.startswith(tuple(COMPRESSED)):
                lines = pl.read_lines(self.content, n_rows=100, glob=False)["line"].to_list()
            else:
                lines = content.decode("utf-8", errors="replace").split("\n")
        except pl.exceptions.ComputeError:
            return
        yield from (line.strip("\ufeff\r") for line in lines if line.strip("\ufeff \t\r"))

    def lines(self) -> pl.Series:
        """The lines of the text, unpacked."""
        try:
            return pl.read_lines(self.content, glob=False)["line"]
        except pl.exceptions.ComputeError:
            raise self.not_text() from None

    def not_text(self) -> DataError:
        """The line at which a file stops being text."""
        content = self.content
        if isinstance(content, str):
            with open(content, "rb") as file:
                content = file.read()
        try:
            content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            return DataError(
                f"this is not UTF-8 text (byte {content[error.start]:#04x}). Convert the file to UTF-8,"
                " or check that it is a text file at all.",
                f"{self.label}:{line}",
            )
        return DataError("this cannot be read as text.", self.label)
