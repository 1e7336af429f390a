"""Finds judged documents by 64-bit hashes.

Every id is hashed once. Within a slice of queries, a key is the hash of the document plus a constant that differs by
query, so one lookup serves all queries of the slice. A table of cells, one for each value of a key's leading bits,
holds the number of one judgement with these bits, or 0. Most rows of a run are not judged and find an empty cell, so
one look-up rejects them. Equal keys are verified by comparing the ids, so a collision costs time, never a wrong match.

In miniature, with 4-bit keys and 2 leading bits: the judgements a = 0111 and b = 1100 go to the cells 01 and 11. Of the
rows 0010, 0111, 1101 the first finds cell 00 empty, the second finds a in cell 01 with an equal key, the third finds b
in cell 11 with another key: only the second is a hit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rankgold.core.segments import Ints, blocks, groups_at, ranges, slices
from rankgold.data.ids import IdColumn, equal_ids

if TYPE_CHECKING:
    from rankgold.data.ids import Keys


_MIX = np.uint64(0x9E3779B97F4A7C15)
_CELLS_PER_KEY = 16


def hashes_of(documents: IdColumn) -> Keys:
    """The hash of each document's id."""
    return np.asarray(documents.hash())


def possible_repeats(hashes: Keys, starts: Ints) -> Ints:
    """The rows of the queries in which two documents may be the same, since half of their hashes are."""
    rows: list[Ints] = [np.zeros(0, dtype=np.int64)]
    for block in blocks(starts):
        ordered = np.sort(block.of(hashes, 0).astype(np.uint32), axis=1)
        same = (ordered[:, 1:] == ordered[:, :-1]) & block.real[:, :0:-1]
        if same.any():
            rows.append(block.entries(same.any(axis=1)[:, None] & block.real))
    return np.sort(np.concatenate(rows))


@dataclass(frozen=True, slots=True)
class Lookup:
    """The judged documents that are looked up for the rows of a run."""

    documents: IdColumn
    hashes: Keys
    starts: Ints
    """The judgements of query i are `starts[i]:starts[i + 1]`."""

    @classmethod
    def of(cls, documents: IdColumn, starts: Ints) -> Lookup:
        return cls(documents, hashes_of(documents), starts)

    def find(self, documents: IdColumn, hashes: Keys, starts: Ints, number: Ints) -> tuple[Ints, Ints]:
        """The rows of judged documents, ascending, and the judgement of each.

        The rows are grouped by query; `number` holds the number of each group's judged query, or -1.
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
        same = equal_ids(documents.gather(at), self.documents.gather(judgement))
        same &= number[groups_at(starts, at)] == groups_at(self.starts, judgement)
        return (at, judgement) if same.all() else (at[same], judgement[same])

    def _equal(self, hashes: Keys, lengths: Ints, number: Ints) -> tuple[Ints, Ints]:
        """The rows of a slice of queries whose key is that of a judgement of the same query, and the judgement.

        Judgements that share their cell with a later one are not in the table: those few are searched for separately.
        """
        is_judged = number >= 0
        judged_query = number[is_judged]
        counts = self.starts[judged_query + 1] - self.starts[judged_query]
        judged = ranges(self.starts[judged_query], counts)
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
        place, which = _search_keys(wanted, keys[outside])
        at = np.concatenate((rows[equal], rows[place]))
        order = np.argsort(at, kind="stable")
        return at[order], judged[np.concatenate((found[equal], outside[which]))[order]]


def _search_keys(wanted: Keys, keys: Keys) -> tuple[Ints, Ints]:
    """The positions of wanted keys that are among `keys`, and their positions there: one pair for each equal key."""
    order = np.argsort(keys)
    keys = keys[order]
    begin = np.searchsorted(keys, wanted)
    some = np.flatnonzero(keys[np.minimum(begin, len(keys) - 1)] == wanted)
    sharing = np.searchsorted(keys, wanted[some], side="right") - begin[some]
    return np.repeat(some, sharing), order[ranges(begin[some], sharing)]


def _index(keys: Keys) -> Ints:
    """Shifted keys as signed integers, which NumPy uses as indices without a conversion."""
    return keys.view(np.int64)
