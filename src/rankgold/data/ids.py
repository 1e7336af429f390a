"""Ids of queries or documents in, the same ids as a column out: a column of Polars, or fixed-width bytes in NumPy.

Matching needs little of a column, and both kinds have it. So small files are matched without loading Polars.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from rankgold.kernels.segments import Bools, Ints

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    Keys = NDArray[np.uint64]
    Texts = NDArray[np.bytes_]
else:  # as in kernels.segments
    Keys = Texts = np.ndarray

_MIX = np.uint64(0xBF58476D1CE4E5B9)
_WORD = 8  # bytes


class IdColumn(ABC):
    """A column of ids, all text or all integers. Two columns are compared only if they are of the same kind."""

    @property
    @abstractmethod
    def is_text(self) -> bool: ...

    @abstractmethod
    def as_text(self) -> Self: ...

    @abstractmethod
    def to_polars(self) -> pl.Series: ...

    @abstractmethod
    def gather(self, rows: Ints) -> Self:
        """The ids in these rows."""

    @abstractmethod
    def hashes(self) -> Keys:
        """A hash of 64 bits of each id."""

    @abstractmethod
    def equals(self, other: Self) -> Bools:
        """Whether each id is the same as the other one in its row."""

    @abstractmethod
    def exceeds(self, other: Self) -> Bools:
        """Whether each id, which is text, is after the other one in its row by their code points: '9' is after '10'."""

    @abstractmethod
    def to_list(self) -> list[Any]: ...

    @abstractmethod
    def __getitem__(self, row: int, /) -> Any: ...

    @abstractmethod
    def __len__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class SeriesIds(IdColumn):
    """Ids in a column of Polars, as integers or text."""

    series: pl.Series

    @property
    def is_text(self) -> bool:
        return not self.series.dtype.is_integer()

    def as_text(self) -> SeriesIds:
        return SeriesIds(self.series.cast(str))

    def to_polars(self) -> pl.Series:
        return self.series

    def gather(self, rows: Ints) -> SeriesIds:
        return SeriesIds(self.series.gather(rows))

    def hashes(self) -> Keys:
        return self.series.hash().to_numpy()

    def equals(self, other: SeriesIds) -> Bools:
        return (self.series == other.series).to_numpy()

    def exceeds(self, other: SeriesIds) -> Bools:
        return (self.series > other.series).to_numpy()

    def to_list(self) -> list[Any]:
        return self.series.to_list()

    def __getitem__(self, row: int) -> Any:
        return self.series[row]

    def __len__(self) -> int:
        return len(self.series)


@dataclass(frozen=True, slots=True)
class ByteIds(IdColumn):
    """Ids as UTF-8 bytes, all of the same width with zeros at the end. The order of bytes is that of code points."""

    texts: Texts
    is_text = True

    def as_text(self) -> ByteIds:
        return self

    def to_polars(self) -> pl.Series:
        import polars

        return polars.Series(self.to_list(), dtype=polars.String)

    def gather(self, rows: Ints) -> ByteIds:
        return ByteIds(self.texts[rows])

    def hashes(self) -> Keys:
        """Words of 8 bytes a, b, c give ((c * m + b) * m + a) * m, then shifted so that all bits of a word count.

        Words of zeros at the end change nothing: the hash does not depend on the width of the column.
        """
        words = self.texts.view(np.uint64).reshape(len(self), -1)
        keys = np.zeros(len(self), dtype=np.uint64)
        for column in words.T[::-1]:
            keys = (keys + column) * _MIX
        keys = (keys ^ (keys >> np.uint64(32))) * _MIX
        return keys ^ (keys >> np.uint64(32))

    def equals(self, other: ByteIds) -> Bools:
        same: Bools = self.texts == other.texts
        return same

    def exceeds(self, other: ByteIds) -> Bools:
        after: Bools = self.texts > other.texts
        return after

    def to_list(self) -> list[Any]:
        return [text.decode() for text in self.texts.tolist()]

    def __getitem__(self, row: int) -> Any:
        return self.texts[row].decode()

    def __len__(self) -> int:
        return len(self.texts)


def polars_text(ids: IdColumn) -> SeriesIds:
    """The ids as text in Polars."""
    return SeriesIds(ids.as_text().to_polars())


def cut_out(content: bytes, start: Ints, width: Ints) -> Texts:
    """The stretches of the content with these starts and widths. After the last there is room for the widest.

    Each position of the content begins a window of the widest width, so one selection copies all of them. In
    miniature, with a width of 4 bytes: `ab c....` and stretches at 0 and 3, of widths 2 and 1, give the windows `ab c`
    and `c...`. Masks of 2 and 1 bytes leave `ab` and `c`.
    """
    room = -(-int(width.max()) // _WORD) * _WORD
    windows: Texts = np.ndarray((len(content) - room + 1,), f"S{room}", content, strides=(1,))
    words = windows[start].view(np.uint64) & _masks(room)[width].reshape(-1)
    return words.view(f"S{room}")


@cache
def _masks(room: int) -> Keys:
    """For each width up to the room, as many bytes of ones, followed by zeros, in words."""
    return (np.tri(room + 1, room, -1, dtype=np.uint8) * np.uint8(255)).view(np.uint64)
