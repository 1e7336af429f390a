"""One 64-bit key for a query and a document, by which rows are found fast; what it finds is verified by the ids."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from karat.segments import Bools, Ints, starts_of

Keys = NDArray[np.uint64]

_MIX = np.uint64(0x9E3779B97F4A7C15)
_CELLS_PER_KEY = 16


def keys_of(documents: pl.Series, query: Ints) -> Keys:
    """The key of each row, from its document's id and the number of its query."""
    keys: Keys = documents.hash().to_numpy() + query.astype(np.uint64) * _MIX
    return keys


def repeated(keys: Keys) -> Keys:
    """The keys that occur more than once."""
    ordered = np.sort(keys)
    twice: Keys = ordered[1:][ordered[1:] == ordered[:-1]]
    return twice


@dataclass(frozen=True, slots=True)
class Lookup:
    """Judged documents by their keys.

    Most rows of a run are of documents that are not judged. A table of cells, one for the leading bits of each judged
    key, turns nearly all of them away at the cost of one look; the rest are searched for and their ids compared.
    """

    documents: pl.Series
    query: Ints
    keys: Keys
    """Ascending."""
    order: Ints
    """Which judgement each of the keys is of."""
    cells: Bools
    shift: np.uint64
    first: Ints
    """The first of the keys that begins with the bits that are the index here, or with higher ones."""
    first_shift: np.uint64

    @classmethod
    def of(cls, documents: pl.Series, query: Ints) -> Lookup:
        keys = keys_of(documents, query)
        order = np.argsort(keys)
        keys = keys[order]
        bits = min(max((len(keys) * _CELLS_PER_KEY).bit_length(), 10), 28)
        shift = np.uint64(64 - bits)
        cells = np.zeros(1 << bits, dtype=bool)
        cells[keys >> shift] = True
        first_bits = max(len(keys).bit_length(), 1)
        first_shift = np.uint64(64 - first_bits)
        begins = np.bincount((keys >> first_shift).astype(np.int64), minlength=1 << first_bits)
        return cls(documents, query, keys, order, cells, shift, starts_of(begins), first_shift)

    def found(self, documents: pl.Series, query: Ints, keys: Keys) -> tuple[Ints, Ints]:
        """Which of these rows are of judged documents, and which judgement is each one's."""
        left = np.flatnonzero(self.cells[keys >> self.shift])
        wanted = keys[left]
        begin = (wanted >> self.first_shift).astype(np.int64)
        place, end = self.first[begin], self.first[begin + 1]
        at, judgement = [], []
        while len(left):
            equal = np.flatnonzero(self.keys[np.minimum(place, len(self.keys) - 1)] == wanted)
            rows, judged = left[equal], self.order[place[equal]]
            same = (documents.gather(rows) == self.documents.gather(judged)).to_numpy()
            same &= query[rows] == self.query[judged]
            at.append(rows[same])
            judgement.append(judged[same])
            place += 1
            open_ = place < end
            open_[equal[same]] = False
            left, wanted, place, end = left[open_], wanted[open_], place[open_], end[open_]
        rows = np.concatenate([np.zeros(0, dtype=np.int64), *at])
        by_row = np.argsort(rows)
        return rows[by_row], np.concatenate([np.zeros(0, dtype=np.int64), *judgement])[by_row]
