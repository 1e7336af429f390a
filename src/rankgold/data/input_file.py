"""A path or bytes in, the first lines, all lines or an error about them out: a file that a format is about to read."""

from __future__ import annotations

import gzip
import mmap
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO

import polars as pl

from rankgold.data.columns import Kind
from rankgold.data.formats.registry import READABLE, is_binary_format
from rankgold.data.inspection import RowFaults
from rankgold.data.line_lengths import GZIP, ZSTD
from rankgold.data.paths import PACKED
from rankgold.data.rows import Place
from rankgold.data.table import TableSource
from rankgold.errors import DataError

# What is raised on a file that cannot be read. A panic of Polars is neither a PolarsError nor an Exception.
POLARS_FAULTS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, EOFError, zlib.error)

_NOT_TEXT = "this is not UTF-8 text{}. Convert the file to UTF-8, or check that it is a text file at all."
_HEAD = 1 << 16
_UNPACKED = 5  # times the packed size, typical of runs
_COMPRESSED = {GZIP: "gzip", ZSTD: "zstd"}


@dataclass(frozen=True, slots=True)
class InputFile:
    """A path, or the bytes themselves, with what is known about them."""

    content: str | bytes
    kind: Kind
    named: dict[str, str]
    """Columns as the user named them, role -> name."""
    label: str
    """The name of the file in errors."""
    name: str
    """The name of its run, unless the content has another."""
    ending: str
    """The ending of the format: '.csv' for 'runs/bm25.csv.gz'."""
    repeats: str
    faults: RowFaults | None = None
    """Where rows with faults are noted, and left out; None if they are errors."""

    def source(self, place: Place) -> TableSource:
        """This file as the source of a table; `place` finds the rows of the table in it."""
        return TableSource(self.kind, self.named, self.label, place, self.name, self.faults)

    @property
    def is_plain_file(self) -> bool:
        """Whether this is a file on disk that is not packed, by its name."""
        return isinstance(self.content, str) and not self.content.endswith(PACKED)

    @property
    def unpacked_size(self) -> int:
        """The size in bytes, estimated for a packed file; 0 for bytes in memory."""
        if isinstance(self.content, bytes):
            return 0
        size = os.path.getsize(self.content)
        return size if self.is_plain_file else size * _UNPACKED

    def checked_head(self) -> bytes:
        """The first bytes of the file; an error if there are none, or if they are those of UTF-16."""
        head = self.head()
        if not head:
            raise DataError("the file is empty.", self.label)
        if head.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise DataError("this is UTF-16 text. Convert the file to UTF-8.", self.label)
        return head

    def head(self) -> bytes:
        """The first bytes of the file."""
        if isinstance(self.content, bytes):
            return self.content[:_HEAD]
        with open(self.content, "rb") as file:
            return file.read(_HEAD)

    @contextmanager
    def mapped(self) -> Iterator[bytes | mmap.mmap]:
        """The content, without reading a file on disk as a whole."""
        if isinstance(self.content, bytes):
            yield self.content
            return
        with open(self.content, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            yield content

    @property
    def packing(self) -> str | None:
        """How the file is packed: gzip or zstd."""
        head = self.head()
        return next((name for magic, name in _COMPRESSED.items() if head.startswith(magic)), None)

    def first_lines(self) -> Iterator[str]:
        """Some lines from the top that are not blank; none if this is not text."""
        try:
            if self.packing == "zstd":
                lines = pl.read_lines(self.content, n_rows=100, glob=False)["line"].to_list()
            else:
                lines = self._first_text().decode("utf-8", errors="replace").split("\n")
        except pl.exceptions.ComputeError:
            return
        yield from (line.strip("\ufeff\r") for line in lines if line.strip("\ufeff \t\r"))

    def _first_text(self) -> bytes:
        if self.packing != "gzip":
            return self.head()
        with gzip.open(BytesIO(self.content) if isinstance(self.content, bytes) else self.content) as stream:
            return stream.read(_HEAD)

    def lines(self) -> pl.Series:
        """The lines of the text, unpacked."""
        try:
            return pl.read_lines(self.content, glob=False)["line"]
        except pl.exceptions.ComputeError:
            raise self.encoding_fault() from None

    def text(self) -> str:
        """The text, unpacked."""
        return "\n".join(self.lines()).removeprefix("\ufeff")

    def encoding_fault(self) -> DataError:
        """The first line that is not text."""
        if self.packing:
            return self._packed_encoding_fault()
        with self.mapped() as content:
            text = bytes(content)
        try:
            text.decode("utf-8")
        except UnicodeDecodeError as error:
            line = text.count(b"\n", 0, error.start) + 1
            return DataError(_NOT_TEXT.format(f" (byte {text[error.start]:#04x})"), f"{self.label}:{line}")
        return DataError("this cannot be read as text.", self.label)

    def _packed_encoding_fault(self) -> DataError:
        """The same in a packed file: what is not UTF-8 is read as the character U+FFFD."""
        lines = pl.read_csv(
            self.content,
            has_header=False,
            schema={"line": pl.String},
            separator="\x01",
            quote_char=None,
            encoding="utf8-lossy",
            truncate_ragged_lines=True,
            glob=False,
        )
        faults = lines["line"].str.contains("\ufffd").fill_null(False).arg_true()
        return DataError(_NOT_TEXT.format(""), f"{self.label}:{faults[0] + 1}" if len(faults) else self.label)

    @contextmanager
    def translated_faults(self) -> Iterator[None]:
        """Turns Polars' errors on unreadable files into DataError. Also a decorator."""
        try:
            yield
        except POLARS_FAULTS as error:
            raise self._fault(error) from None

    def _fault(self, error: BaseException) -> DataError:
        """The DataError for an error of Polars. The text of a panic is left out: it is about Polars' code."""
        first_line = str(error).strip().partition("\n")[0].rstrip(".")
        reason = "" if isinstance(error, pl.exceptions.PanicException) else f" ({first_line})"
        if packing := self.packing:
            return DataError(
                f"this {packing} file cannot be unpacked: it is damaged or cut off{reason}. Copy it again.", self.label
            )
        if is_binary_format(self.head()):
            return self.damage(f"or has content that cannot be read{reason}")
        return DataError(f"this cannot be read{reason}. {READABLE}", self.label)

    def damage(self, what: str) -> DataError:
        """The error for a damaged file of a binary format."""
        return DataError(f"this file is damaged or cut off, {what}. Copy it again, or write it again.", self.label)
