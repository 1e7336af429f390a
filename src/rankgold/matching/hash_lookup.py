"""One 64-bit key for a query and a document, by which rows are found fast; what it finds is verified by the ids."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgold.kernels.segments import Ints, blocks, positions, slices, starts_of

Keys = NDArray[np.uint64]

_MIX = np.uint64(0x9E3779B97F4A7C15)
_CELLS_PER_KEY = 16


def hashes_of(documents: pl.Series) -> Keys:
    """A hash of each document's id."""
    hashes: Keys = documents.hash().to_numpy()
    return hashes


def perhaps_repeated(hashes: Keys, starts: Ints) -> Ints:
    """The rows of the queries in which two documents may be the same: half a hash of theirs is."""
    rows: list[Ints] = [np.zeros(0, dtype=np.int64)]
    for block in blocks(starts):
        ordered = np.sort(block.of(hashes, 0).astype(np.uint32), axis=1)
        same = (ordered[:, 1:] == ordered[:, :-1]) & block.real[:, :0:-1]
        if same.any():
            rows.append(block.entries(same.any(axis=1)[:, None] & block.real))
    return np.sort(np.concatenate(rows))


@dataclass(frozen=True, slots=True)
class Lookup:
    """Judged documents, to be found among the rows of a run."""

    documents: pl.Series
    hashes: Keys
    starts: Ints
    """Where each judged query begins: query i's are `starts[i]:starts[i + 1]`."""

    @classmethod
    def of(cls, documents: pl.Series, starts: Ints) -> Lookup:
        return cls(documents, hashes_of(documents), starts)

    def found(self, documents: pl.Series, hashes: Keys, starts: Ints, number: Ints) -> tuple[Ints, Ints]:
        """Which rows are of judged documents, ascending, and which judgement is each one's.

        The rows stand by query, and `number` tells which judged query each of these is; -1 if none.
        """
        rows: list[Ints] = [np.zeros(0, dtype=np.int64)]
        judged: list[Ints] = [np.zeros(0, dtype=np.int64)]
        for first, last in slices(starts):
            low, high = starts[first], starts[last]
            lengths = np.diff(starts[first : last + 1])
            place, which = self._equal(hashes[low:high], lengths, number[first:last])
            rows.append(place + low)
            judged.append(which)
        at, judgement = np.concatenate(rows), np.concatenate(judged)
        same = (documents.gather(at) == self.documents.gather(judgement)).to_numpy()
        ranked_in = np.searchsorted(starts, at, side="right") - 1
        same &= number[ranked_in] == np.searchsorted(self.starts, judgement, side="right") - 1
        return (at, judgement) if same.all() else (at[same], judgement[same])

    def _equal(self, hashes: Keys, lengths: Ints, number: Ints) -> tuple[Ints, Ints]:
        """The rows of a few queries that have the key of a judgement of theirs, and that judgement.

        A table has a cell for each value of a key's leading bits, and in it one of the judgements with these. Most
        rows are of documents that are not judged, and find their cell empty: one look turns them away. The few
        judgements that share a cell with another one, and are not in it, are searched for on their own.
        """
        is_judged = number >= 0
        judged_query = number[is_judged]
        counts = self.starts[judged_query + 1] - self.starts[judged_query]
        judged = np.repeat(self.starts[judged_query], counts) + positions(starts_of(counts))
        mix = np.arange(len(number), dtype=np.uint64) * _MIX
        keys = self.hashes[judged] + np.repeat(mix[is_judged], counts)
        bits = max((len(keys) * _CELLS_PER_KEY).bit_length(), 10)
        shift = np.uint64(64 - bits)
        cells = np.zeros(1 << bits, dtype=np.int32)
        cell = _index(keys >> shift)
        cells[cell] = np.arange(1, len(keys) + 1, dtype=np.int32)
        outside = np.flatnonzero(cells[cell] != np.arange(1, len(keys) + 1))

        wanted = hashes + np.repeat(mix, lengths)
        inside = cells.take(_index(wanted >> shift))
        rows = np.flatnonzero(inside)
        wanted, found = wanted[rows], inside[rows] - 1
        equal = keys[found] == wanted
        if not len(outside):
            return rows[equal], judged[found[equal]]
        place, which = _searched(wanted, keys[outside])
        at = np.concatenate((rows[equal], rows[place]))
        order = np.argsort(at, kind="stable")
        return at[order], judged[np.concatenate((found[equal], outside[which]))[order]]


def _searched(wanted: Keys, keys: Keys) -> tuple[Ints, Ints]:
    """Which of the wanted keys are among some others, and which of these each is; several where they are the same."""
    order = np.argsort(keys)
    keys = keys[order]
    begin = np.searchsorted(keys, wanted)
    some = np.flatnonzero(keys[np.minimum(begin, len(keys) - 1)] == wanted)
    sharing = np.searchsorted(keys, wanted[some], side="right") - begin[some]
    return np.repeat(some, sharing), order[np.repeat(begin[some], sharing) + positions(starts_of(sharing))]


def _index(keys: Keys) -> Ints:
    """Keys that were shifted to the right, as NumPy takes indices fastest."""
    return keys.view(np.int64)
