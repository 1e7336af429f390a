"""Parses the metadata of Parquet files, which are Thrift, and of Arrow files, which are FlatBuffers.

What is neither raises ValueError, LookupError, RecursionError or struct.error.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from typing import Any


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
