"""Reads Parquet and Arrow files, and refuses sizes that would make Polars abort.

When Polars panics, Rust writes the text straight to the descriptor of standard error, some dozen lines about the code
of Polars, before Python sees an exception. So the descriptor is a temporary file for as long as Polars reads. What was
written to it, without the panic, is written to standard error at the end.
"""

from __future__ import annotations

import mmap
import os
import re
import struct
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from threading import Lock, active_count
from typing import IO, Any

import polars as pl

from rankgold.core.errors import DataError
from rankgold.data import chunks, temporary_files
from rankgold.data.columns import find_columns
from rankgold.data.formats.registry import ARROW, PARQUET
from rankgold.data.input_file import InputFile
from rankgold.data.rows import Rows
from rankgold.data.table import check_table, row_places


class Thrift:
    """Reads one value after another in Thrift's compact protocol."""

    def __init__(self, content: bytes | mmap.mmap, place: int = 0) -> None:
        self.content = content
        self.place = place

    def struct(self) -> dict[int, Any]:
        """Values by the number of each field.

        A byte holds the type and the distance to the number of the last field; 0 ends the struct.
        """
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._value(4)
            # The type of a field says whether it is true.
            fields[number] = head & 15 == 1 if head & 15 < 3 else self._value(head & 15)
        return fields

    def _value(self, kind: int) -> Any:
        if kind <= 3:
            return self._byte()
        if kind <= 6:
            # Both signs in turn: 0, -1, 1, -2 are written as 0, 1, 2, 3.
            value = self._natural()
            return value >> 1 ^ -(value & 1)
        if kind <= 8:
            length = self._natural() if kind == 8 else 8
            self.place += length
            return self.content[self.place - length : self.place]
        if kind <= 10:
            head = self._byte()
            size = head >> 4 if head >> 4 < 15 else self._natural()
            return [self._value(head & 15) for _ in range(size)]
        if kind == 12:
            return self.struct()
        raise ValueError(f"no type has the number {kind}")

    def _byte(self) -> int:
        self.place += 1
        return self.content[self.place - 1]

    def _natural(self) -> int:
        """7 bits in a byte, the lowest first: 300 is 10101100 00000010."""
        value = shift = 0
        while (byte := self._byte()) > 127:
            value |= (byte & 127) << shift
            shift += 7
        return value | byte << shift


class FlatTable:
    """A table of a FlatBuffer. It begins with the distance back to the list of the places of its fields."""

    def __init__(self, content: bytes, place: int | None = None) -> None:
        self.content = content
        self.place = self._at("<I", 0) if place is None else place
        self.fields = self.place - self._at("<i", self.place)

    def _at(self, form: str, place: int) -> int:
        number: int = struct.unpack_from(form, self.content, place)[0]
        return number

    def _field(self, number: int) -> int:
        """The place of a field; 0 if it is left out."""
        at = 4 + 2 * number
        distance = self._at("<H", self.fields + at) if at < self._at("<H", self.fields) else 0
        return self.place + distance if distance else 0

    def number(self, number: int, form: str) -> int:
        at = self._field(number)
        return self._at(form, at) if at else 0

    def table(self, number: int) -> FlatTable | None:
        at = self._field(number)
        return FlatTable(self.content, at + self._at("<I", at)) if at else None

    def _list(self, number: int) -> tuple[int, int]:
        """Where the entries of a list begin, and how many there are."""
        at = self._field(number)
        start = at + self._at("<I", at)
        return (start + 4, self._at("<I", start)) if at else (0, 0)

    def text(self, number: int) -> str:
        start, length = self._list(number)
        return self.content[start : start + length].decode()

    def tables(self, number: int) -> list[FlatTable]:
        start, length = self._list(number)
        return [FlatTable(self.content, at + self._at("<I", at)) for at in range(start, start + 4 * length, 4)]

    def records(self, number: int, form: str) -> Iterator[tuple[int, ...]]:
        """The records in a list, each of this form."""
        start, length = self._list(number)
        return struct.iter_unpack(form, self.content[start : start + length * struct.calcsize(form)])


_PANIC = re.compile(rb"\n?thread '[^\n]*' [^\n]*panicked at .*", re.DOTALL)
_STANDARD_ERROR = 2

_lock = Lock()
_readers = 0
_has_panicked = False
_saved: tuple[int, IO[bytes]] | None = None


@contextmanager
def hidden_panics() -> Iterator[None]:
    """Hides the text of a panic inside. Several threads may read at the same time.

    In a process that is not ours, another thread may write to standard error, or fork, so nothing is hidden there.
    """
    if not (temporary_files.process_is_ours or active_count() == 1):
        yield
        return
    global _has_panicked
    _begin()
    try:
        yield
    except pl.exceptions.PanicException:
        _has_panicked = True
        raise
    finally:
        _end()


def _begin() -> None:
    import tempfile

    global _readers, _saved, _has_panicked
    with _lock:
        _readers += 1
        if _readers == 1:
            _has_panicked = False
            with suppress(OSError):  # standard error may be closed, and temporary files may have no place
                written = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
                _saved = os.dup(_STANDARD_ERROR), written
                os.dup2(written.fileno(), _STANDARD_ERROR)


def _end() -> None:
    global _readers, _saved
    with _lock:
        _readers -= 1
        if _readers or _saved is None:
            return
        (descriptor, written), _saved = _saved, None
        os.dup2(descriptor, _STANDARD_ERROR)
        os.close(descriptor)
        with written, suppress(OSError):
            written.seek(0)
            text = written.read()
            os.write(_STANDARD_ERROR, _PANIC.sub(b"", text) if _has_panicked else text)


# No compression is better than zstd's 128 kB in 4 bytes. The few bytes are for small files.
_RATIO, _FEW = 1 << 15, 1 << 10
# Types that Polars does not read.
_MOST_DIGITS = 38
_DECIMAL, _MOST_BITS = 7, 128
_UNREADABLE = {11: "interval", 14: "union", 22: "run_end_encoded"}


class _DamagedError(Exception):
    """The sizes in a file are impossible. The text names them."""


def frame_of_columns(file: InputFile) -> pl.DataFrame | None:
    """All columns of a Parquet or Arrow file; None if the file is of another format."""
    head = file.head()
    if head.startswith(PARQUET):
        _check(file, lambda content: _check_parquet(content, file.label, lambda names: names))
        with hidden_panics():
            return pl.read_parquet(file.content, glob=False)
    if head.startswith(ARROW):
        _check(file, lambda content: _check_arrow(content, file.label))
        with hidden_panics():
            return pl.read_ipc(file.content)
    return None


def read_parquet(file: InputFile) -> Rows:
    def used(names: list[str]) -> list[str]:
        try:
            columns = find_columns(names, file.kind, file.named, file.label, faults=file.faults)
        except DataError:  # which columns hold lists is not known yet
            return names
        return [name for name in columns.roles.values() if name is not None]

    _check(file, lambda content: _check_parquet(content, file.label, used))
    with hidden_panics():
        return _read(file, pl.scan_parquet(file.content, glob=False))


def read_arrow(file: InputFile) -> Rows:
    _check(file, lambda content: _check_arrow(content, file.label))
    with hidden_panics():
        return _read(file, pl.scan_ipc(file.content, glob=False))


def _read(file: InputFile, scan: pl.LazyFrame) -> Rows:
    source = file.source(row_places(file.label))
    rows = int(scan.select(pl.len()).collect().item()) if file.kind == "run" else 0
    if rows > chunks.LARGE_TABLE:
        read_whole = file.translated_faults()(hidden_panics()(lambda: check_table(scan, source)))
        return chunks.table_chunks(scan, rows, source, read_whole)
    return check_table(scan, source)


def _check(file: InputFile, check_sizes: Callable[[bytes | mmap.mmap], None]) -> None:
    """Raises an error on a damaged file, before Polars allocates memory by the sizes in it and ends the process."""
    try:
        with file.mapped() as content:
            check_sizes(content)
    except _DamagedError as error:
        raise file.damage(f"since {error}") from None
    except DataError:  # a ValueError
        raise
    # The bytes in the place of metadata have another form.
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError, struct.error):
        raise file.damage("since its metadata cannot be read") from None


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise _DamagedError(what)


def _footer(content: bytes | mmap.mmap, mark: bytes, least: int) -> bytes:
    """The footer of a file of `least` bytes or more that ends with the length of the footer and a mark."""
    end = len(content) - len(mark) - 4
    _require(len(content) >= least and content[-len(mark) :] == mark, "its end is missing")
    length = int.from_bytes(content[end : end + 4], "little")
    _require(length <= len(content) - least, "its footer is longer than the file")
    return content[end - length : end]


def _unreadable(label: str, column: str, kind: str) -> DataError:
    what = f"the column {column!r} is of type {kind}, which cannot be read. Convert it, or leave it out."
    return DataError(what, label)


def _check_parquet(content: bytes | mmap.mmap, label: str, used: Callable[[list[str]], Collection[str]]) -> None:
    """Compares the number of values in the pages of each used column with that of the column."""
    footer = Thrift(_footer(content, PARQUET, 12)).struct()
    for element in footer[2]:
        if element.get(8, 0) > _MOST_DIGITS:
            raise _unreadable(label, element[4].decode(), f"decimal of {element[8]} digits")
    columns = [column[3] for group in footer[4] for column in group[1]]
    names = used(list(dict.fromkeys(column[3][0].decode() for column in columns))) if columns else ()
    for column in columns:
        if column[3][0].decode() in names:
            _check_pages(Thrift(content, column.get(11, column[9])), column[5])


def _check_pages(pages: Thrift, values: int) -> None:
    while values > 0:
        page = pages.struct()
        _require(page[3] >= 0, "a page has no end")
        pages.place += page[3]
        # A page of a dictionary has neither of these headers.
        count = (page.get(5) or page.get(8) or {1: 0})[1]
        _require(0 <= count <= values, "a page has more values than its column")
        values -= count


def _check_arrow(content: bytes | mmap.mmap, label: str) -> None:
    """Compares the sizes of buffers with that of the file, and with their sizes after decompression."""
    footer = FlatTable(_footer(content, ARROW, 20))
    schema = footer.table(1)
    for field in schema.tables(1) if schema else ():
        kind, details = field.number(2, "<B"), field.table(3)
        if kind == _DECIMAL and details and details.number(2, "<i") > _MOST_BITS:
            raise _unreadable(label, field.text(0), "decimal256")
        if kind in _UNREADABLE:
            raise _unreadable(label, field.text(0), _UNREADABLE[kind])
    for blocks, is_dictionary in ((2, True), (3, False)):
        for start, length in footer.records(blocks, "<qi12x"):
            # A message begins with its length, and in front of that may stand a mark.
            message = content[start : start + length]
            header = FlatTable(message[8 if message[:4] == b"\xff" * 4 else 4 :]).table(2)
            batch = header.table(1) if header and is_dictionary else header
            if batch:
                _check_buffers(content, start + length, batch)


def _check_buffers(content: bytes | mmap.mmap, body: int, batch: FlatTable) -> None:
    is_compressed = batch.table(3) is not None
    for offset, packed in batch.records(2, "<qq"):
        begin = body + offset
        _require(0 <= packed <= len(content) - begin, "a buffer ends after the file")
        if is_compressed and packed:
            # -1 is written before a buffer that is not compressed.
            unpacked = int.from_bytes(content[begin : begin + 8], "little", signed=True)
            is_possible = -1 <= unpacked <= _RATIO * packed + _FEW
            _require(is_possible, f"it states that {packed:,} bytes become {unpacked:,} bytes")
