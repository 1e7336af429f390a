"""Bytes of Thrift's compact protocol in, a dict by the number of each field out: the metadata of Parquet files."""

from __future__ import annotations

import mmap
from typing import Any

Struct = dict[int, Any]

_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _MAP, _STRUCT = 1, 2, 3, 7, 8, 11, 12
_INTEGERS, _LISTS = (4, 5, 6), (9, 10)


class ThriftReader:
    """Reads one value after another. Anything but Thrift raises IndexError, ValueError or RecursionError."""

    def __init__(self, content: bytes | mmap.mmap, place: int, end: int) -> None:
        self.content = content
        self.place = place
        self.end = end

    def struct(self) -> Struct:
        """Field by field: a byte holds the type and the distance to the number of the last field; 0 ends the struct."""
        fields: Struct = {}
        number = 0
        while head := self._byte():
            kind = head & 15
            number = number + (head >> 4) if head >> 4 else self._integer()
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind)
        return fields

    def _value(self, kind: int) -> Any:
        if kind in _INTEGERS:
            return self._integer()
        if kind == _BINARY:
            return self._take(self._natural())
        if kind == _STRUCT:
            return self.struct()
        if kind in _LISTS:
            return self._list()
        if kind in (_TRUE, _FALSE, _BYTE):
            return self._byte()
        if kind == _DOUBLE:
            return self._take(8)
        if kind == _MAP:
            return self._map()
        raise ValueError(f"no type has the number {kind}")

    def _list(self) -> list[Any]:
        head = self._byte()
        size = head >> 4 if head >> 4 < 15 else self._natural()
        return [self._value(head & 15) for _ in range(size)]

    def _map(self) -> list[Any]:
        size = self._natural()
        kinds = self._byte() if size else 0
        return [(self._value(kinds >> 4), self._value(kinds & 15)) for _ in range(size)]

    def _byte(self) -> int:
        if not 0 <= self.place < self.end:
            raise IndexError
        self.place += 1
        return self.content[self.place - 1]

    def _take(self, length: int) -> bytes:
        start, self.place = self.place, self.place + length
        if self.place > self.end:
            raise IndexError
        return self.content[start : self.place]

    def _natural(self) -> int:
        """7 bits in a byte, the lowest first: 300 is 10101100 00000010."""
        value = shift = 0
        while (byte := self._byte()) > 127:
            value |= (byte & 127) << shift
            shift += 7
        return value | byte << shift

    def _integer(self) -> int:
        """Both signs in turn: 0, -1, 1, -2 are written as 0, 1, 2, 3."""
        value = self._natural()
        return value >> 1 ^ -(value & 1)
