"""Gives a format the head, the lines and the errors of a file.

Polars needs several times the memory of the longest line, and ends the process if there is not enough. A small packed
file can hold a line of any length.
"""

from __future__ import annotations

import gzip
import mmap
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedIOBase, BytesIO

import polars as pl

from rankgold.core.errors import DataError
from rankgold.data.columns import Kind
from rankgold.data.formats.registry import READABLE, is_binary_format
from rankgold.data.inputs import PACKED
from rankgold.data.rows import Place, RowFaults
from rankgold.data.table import TableSource

LONGEST_ROW = 64 << 20
"""The most bytes in a line of a format that has a row in each line."""
LONGEST_LINE = 2 << 30
"""The most bytes in any line: JSON may be written as a single one."""

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"

_PIECE = 1 << 18
_GZIP_RATIO = 1032
# A sample of packed text has more than 240 different bytes, and one of packed repetitions few.
_SAMPLE, _FEW_VALUES = 1 << 10, 160
# The most bytes in a block, and two kinds of blocks: one byte repeated, and compressed bytes.
_ZSTD_BLOCK, _REPEATED, _COMPRESSED_STARTS = 1 << 17, 1, 2


def long_line_in(content: bytes | mmap.mmap, limit: int, longest: int) -> int | None:
    """The number of the first line that is longer than the limit, in text that may be packed by gzip.

    Packed text is unpacked only if it may hold a line longer than `longest`.
    """
    if content[:2] != GZIP:
        return long_line(content, limit)
    if not is_repetitive(content, longest):
        return None
    with gzip.open(BytesIO(content) if isinstance(content, bytes) else content) as stream:
        return long_line_of_stream(stream, limit)


def long_line(content: bytes | mmap.mmap, limit: int) -> int | None:
    """The number of the first line that is longer than the limit.

    Only the ends of stretches as long as the limit are searched. In miniature, with a limit of 4 and with blanks in
    the place of line ends: in `ab c d efghi`, the last end in the first stretch `ab c ` is at 4. The last one in the
    next, `d efg`, is at 6, and the third, `efghi`, has none: the fourth line is too long.
    """
    start = 0
    while len(content) - start > limit:
        end = content.rfind(b"\n", start, start + limit + 1)
        if end < 0:
            before = range(0, start, _PIECE)
            return 1 + sum(content[at : min(at + _PIECE, start)].count(b"\n") for at in before)
        start = end + 1
    return None


def long_line_of_stream(stream: BufferedIOBase, limit: int) -> int | None:
    """As `long_line`, for a stream. The limit is longer than a piece."""
    line, length = 1, 0
    while piece := stream.read(_PIECE):
        first, ends = piece.find(b"\n"), piece.count(b"\n")
        length += len(piece) if first < 0 else first
        if length > limit:
            return line
        if ends:
            line, length = line + ends, len(piece) - piece.rfind(b"\n") - 1
    return None


def is_repetitive(packed: bytes | mmap.mmap, longest: int) -> bool:
    """Whether a gzip file may hold far more text than its size suggests. Then it is worth the time to unpack it.

    Packed text has all values of bytes, about equally often. Where gzip packs a hundred bytes or more into one, it
    repeats the same few. At best it packs 1,032 bytes into one: 64 MB take 64 kB, and two samples fall into them, if
    64 MB is the `longest` line.
    """
    samples = range(0, len(packed) - _SAMPLE, longest // _GZIP_RATIO // 2)
    return any(len(set(packed[at : at + _SAMPLE])) < _FEW_VALUES for at in samples)


def most_of_zstd(content: bytes | mmap.mmap) -> int:
    """The most bytes that a zstd file can hold unpacked. The blocks are counted by their headers, and not unpacked."""
    place = most = 0
    while content[place : place + 4] == ZSTD and place + 4 < len(content):
        # One byte says which fields the header has: of the window, the dictionary and the size.
        fields = content[place + 4]
        is_single, size = bool(fields & 32), fields >> 6
        place += 5 + (not is_single) + (0, 1, 2, 4)[fields & 3] + ((1 if is_single else 0), 2, 4, 8)[size]
        is_last = False
        while not is_last and place + 3 <= len(content):
            block = int.from_bytes(content[place : place + 3], "little")
            is_last, kind, length = bool(block & 1), block >> 1 & 3, block >> 3
            place += 3 + (1 if kind == _REPEATED else length)
            most += _ZSTD_BLOCK if kind == _COMPRESSED_STARTS else length
        place += 4 * bool(fields & 4)
    return most


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
