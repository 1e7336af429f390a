"""An Arrow file in, an error out if the sizes that it states cannot be true: memory is allocated by them.

The footer lists blocks, one for each batch of rows. A block begins with a message, which lists the buffers that follow.
A compressed buffer begins with its size after decompression. The footer and messages are written as FlatBuffers.
"""

from __future__ import annotations

import mmap
import struct
from typing import Any

import numpy as np

from rankgold.data.formats.file_sizes import UnreadableTypeError, check_unpacked, most_rows, require
from rankgold.data.formats.registry import ARROW

_BLOCK = np.dtype([("start", "<i8"), ("message", "<i4"), ("", "<i4"), ("body", "<i8")])
_PAIR = np.dtype("<i8")
# Types that Polars does not read.
_DECIMAL = 7
_UNREADABLE = {11: "interval", 14: "union", 22: "run_end_encoded"}


class _Fields:
    """A table of a FlatBuffer. It begins with the distance back to the list of the places of its fields."""

    def __init__(self, content: bytes, place: int) -> None:
        self.content = content
        self.place = place
        self.fields = place - self._number("<i", place)

    @classmethod
    def root(cls, content: bytes) -> _Fields:
        return cls(content, *struct.unpack_from("<I", content))

    def _number(self, form: str, place: int) -> int:
        require(place >= 0, "its metadata begin before the file")
        number: int = struct.unpack_from(form, self.content, place)[0]
        return number

    def _field(self, number: int) -> int | None:
        """The place of a field."""
        at = 4 + 2 * number
        distance = self._number("<H", self.fields + at) if at < self._number("<H", self.fields) else 0
        return self.place + distance if distance else None

    def integer(self, number: int, form: str = "<q") -> int:
        at = self._field(number)
        return 0 if at is None else self._number(form, at)

    def table(self, number: int) -> _Fields | None:
        at = self._field(number)
        return None if at is None else _Fields(self.content, self._target(at))

    def _target(self, at: int) -> int:
        """The place of a field's content: the field holds only the distance to it."""
        return at + self._number("<I", at)

    def _list(self, number: int) -> tuple[int, int]:
        """Where the entries of a list begin, and how many there are."""
        at = self._field(number)
        if at is None:
            return 0, 0
        start = self._target(at)
        return start + 4, self._number("<I", start)

    def text(self, number: int) -> str:
        start, length = self._list(number)
        return self.content[start : start + length].decode()

    def tables(self, number: int) -> list[_Fields]:
        """The tables in a list."""
        start, length = self._list(number)
        return [_Fields(self.content, self._target(at)) for at in range(start, start + 4 * length, 4)]

    def records(self, number: int, kind: np.dtype[Any], width: int = 1) -> np.ndarray[Any, Any]:
        """The records in a list; of `width` numbers each."""
        start, length = self._list(number)
        return np.frombuffer(self.content, kind, length * width, start).reshape(-1, width)


def check_arrow(content: bytes | mmap.mmap) -> None:
    """Checks the sizes in the footer and in every message. Raises DamagedError."""
    size = len(content)
    require(size >= 20 and content[-6:] == ARROW, "its end is missing")
    length = int.from_bytes(content[-10:-6], "little")
    require(length <= size - 20, "its footer is longer than the file")
    footer = _Fields.root(content[size - 10 - length : size - 10])
    _check_types(footer.table(1))
    rows = 0
    for dictionaries in (True, False):
        for start, message, _, body in footer.records(2 if dictionaries else 3, _BLOCK).ravel().tolist():
            require(
                0 <= start <= start + message <= start + message + body <= size, "a batch of rows ends after the file"
            )
            require(message >= 8 and body >= 0, "a batch of rows has no beginning")
            rows += _check_block(content, start, start + message, body, dictionaries)
    require(rows <= most_rows(size), f"it states {rows:,} rows")


def _check_types(schema: _Fields | None) -> None:
    for field in schema.tables(1) if schema is not None else []:
        kind, details = field.integer(2, "<B"), field.table(3)
        is_wide = kind == _DECIMAL and details is not None and details.integer(2, "<i") > 128
        if is_wide or kind in _UNREADABLE:
            raise UnreadableTypeError(field.text(0), "decimal256" if is_wide else _UNREADABLE[kind])


def _check_block(content: bytes | mmap.mmap, start: int, body: int, length: int, is_dictionary: bool) -> int:
    """Checks a batch of rows, and returns how many it states."""
    # A message begins with its length, and in front of that may stand a mark.
    begin = start + (8 if content[start : start + 4] == b"\xff" * 4 else 4)
    stated = int.from_bytes(content[begin - 4 : begin], "little")
    require(stated <= body - begin, "a message is longer than its block")
    header = _Fields.root(content[begin:body]).table(2)
    batch = header.table(1) if header is not None and is_dictionary else header
    if batch is None:
        return 0
    rows, most = batch.integer(0), most_rows(len(content))
    require(0 <= rows <= most, f"a batch states {rows:,} rows")
    nodes = batch.records(1, _PAIR, 2)
    require(bool(((nodes >= 0) & (nodes <= most)).all()), "a column of a batch has too many rows")
    buffers = batch.records(2, _PAIR, 2)
    offsets, lengths = buffers.T
    is_inside = (offsets >= 0) & (lengths >= 0) & (offsets <= length) & (lengths <= length - offsets)
    require(bool(is_inside.all()), "a buffer ends after its batch")
    counts = batch.records(4, _PAIR)
    require(bool(((counts >= 0) & (counts <= len(buffers))).all()), "a column has too many buffers")
    if batch.table(3) is not None:
        for offset, packed in buffers[lengths > 0].tolist():
            begin = body + offset
            unpacked = int.from_bytes(content[begin : begin + 8], "little", signed=True)
            # -1 is written before a buffer that is not compressed.
            require(packed >= 8 and unpacked >= -1, "a buffer has no size")
            check_unpacked(packed, unpacked)
    return rows
