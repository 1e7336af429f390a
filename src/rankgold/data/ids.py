"""Ids of queries or documents in, the same ids as a column out: a Series of Polars, or bytes in NumPy.

Matching uses only the methods that both have. So small files are matched without loading Polars.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rankgold.kernels.segments import Bools, Ints

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    Keys = NDArray[np.uint64]
    Texts = NDArray[np.bytes_]

IdColumn: TypeAlias = "pl.Series | ByteIds"
"""A column of ids, all text or all integers. Only columns of the same type are compared."""

_MIX = np.uint64(0xBF58476D1CE4E5B9)


@dataclass(frozen=True, slots=True, eq=False)
class ByteIds:
    """Ids as UTF-8 bytes, all of the same width with zeros at the end. The methods are those of a Series of text."""

    texts: Texts

    def gather(self, rows: Ints) -> ByteIds:
        return ByteIds(self.texts[rows])

    def cast(self, _: type[str]) -> ByteIds:
        return self

    def hash(self) -> Keys:
        """Words of 8 bytes a, b, c give ((c * m + b) * m + a) * m, whose upper half is then mixed into the lower half.

        Words of zeros at the end change nothing: the hash does not depend on the width of the column.
        """
        keys = np.zeros(len(self), dtype=np.uint64)
        for word in self.texts.view(np.uint64).reshape(len(self), -1).T[::-1]:
            keys = (keys + word) * _MIX
        keys = (keys ^ (keys >> np.uint64(32))) * _MIX
        return keys ^ (keys >> np.uint64(32))

    def gt(self, other: Any) -> Bools:
        """Whether each id comes after the other one. The order of bytes is the order of code points."""
        return np.asarray(self.texts > other.texts)

    def to_list(self) -> list[str]:
        return [text.decode() for text in self.texts.tolist()]

    def __getitem__(self, row: int) -> str:
        return str(self.texts[row], "utf-8")

    def __len__(self) -> int:
        return len(self.texts)


def equal_ids(ids: IdColumn, others: IdColumn) -> Bools:
    """Whether each id equals the other one, in columns of the same type. A null equals nothing."""
    if isinstance(ids, ByteIds) and isinstance(others, ByteIds):
        return np.asarray(ids.texts == others.texts)
    same: Bools = to_polars(ids).eq(to_polars(others)).fill_null(False).to_numpy()
    return same


def is_text(ids: IdColumn) -> bool:
    return isinstance(ids, ByteIds) or not ids.dtype.is_integer()


def copied_ids(ids: IdColumn) -> IdColumn:
    """The same ids in memory of their own: integers of a frame may lie in an array that the user changes later."""
    if is_text(ids):
        return ids
    from polars import Series

    return Series(to_polars(ids).to_numpy(writable=True))


def to_polars(ids: IdColumn) -> pl.Series:
    if not isinstance(ids, ByteIds):
        return ids
    from polars import Series, String

    return Series(ids.to_list(), dtype=String)
