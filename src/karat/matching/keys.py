"""One 64-bit key for a query and a document, by which rows are found fast; what it finds is verified by the ids."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from karat.segments import Bools, Ints

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
    sharing: int
    """How many judgements share a key at most: 1, but for the rarest of accidents."""
    cells: Bools
    shift: np.uint64

    @classmethod
    def of(cls, documents: pl.Series, query: Ints) -> Lookup:
        keys = keys_of(documents, query)
        order = np.argsort(keys, kind="stable")
        bits = min(max((len(keys) * _CELLS_PER_KEY).bit_length(), 10), 28)
        shift = np.uint64(64 - bits)
        cells = np.zeros(1 << bits, dtype=bool)
        cells[keys >> shift] = True
        sharing = int(np.unique(keys, return_counts=True)[1].max()) if len(repeated(keys)) else 1
        return cls(documents, query, keys[order], order, sharing, cells, shift)

    def found(self, documents: pl.Series, query: Ints, keys: Keys) -> tuple[Ints, Ints]:
        """Which of these rows are of judged documents, and which judgement is each one's."""
        candidates = np.flatnonzero(self.cells[keys >> self.shift])
        place = np.searchsorted(self.keys, keys[candidates])
        at, judgement = [], []
        for step in range(self.sharing):
            beside = np.minimum(place + step, len(self.keys) - 1)
            equal = (self.keys[beside] == keys[candidates]) & (place + step < len(self.keys))
            rows, judged = candidates[equal], self.order[beside[equal]]
            same = (documents.gather(rows) == self.documents.gather(judged)).to_numpy()
            same &= query[rows] == self.query[judged]
            at.append(rows[same])
            judgement.append(judged[same])
        return np.concatenate(at), np.concatenate(judgement)
