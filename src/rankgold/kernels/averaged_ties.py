"""Tied documents averaged over all their orders.

A document tied with n - 1 others at the ranks a ... a + n - 1 stands at each of them with chance 1/n. Given that it
stands at one, each of the others stands at every other one of these ranks with chance 1/(n - 1). From that follow the
expected number of relevant documents above it, the chance that there is none, and the chance that a reader gets past
them: all that measures ask of a ranking. So a measure has one formula, whether ties are averaged or not.

McSherry and Najork 2008, Computing information retrieval performance measures efficiently in the presence of tied
scores.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgold.kernels.segments import Bools, Floats, Ints, products_before


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """For each row of a ranking, the first rank its tied group takes and how many documents the group has.

    The rows of a ranking are sorted by rank, so a group of m judged documents has m rows at each of its ranks.
    """

    start: Ints
    size: Ints

    def keep(self, which: Bools | Ints) -> Ties:
        return Ties(self.start[which], self.size[which])

    @property
    def chance(self) -> Floats:
        return 1 / self.size

    def ordinal(self, query: Ints, rank: Ints, starts: Ints) -> Floats:
        """The expected ordinal of each row's document among those of its query."""
        mates = self._rows_at_rank(query, rank)
        inside = (rank - self.start) * (mates - 1) / np.maximum(self.size - 1, 1)
        expected: Floats = self._above_group(query, starts) + 1 + inside
        return expected

    def total(self, query: Ints, rank: Ints, count: Floats) -> Floats:
        """The number of documents of its query that are expected here, given each row.

        It differs from the count only where a cutoff has gone through the row's group and left `kept` of its ranks.
        """
        mates = self._rows_at_rank(query, rank)
        kept = self._rows_of_group(query) / mates
        others = (kept - 1) * (mates - 1) / np.maximum(self.size - 1, 1)
        expected: Floats = count[query] - mates * kept / self.size + 1 + others
        return expected

    def first(self, query: Ints, rank: Ints, starts: Ints) -> Floats:
        """The chance that no other document of its query stands above each row.

        There is one above every row but those of its query's first group. In that, of n documents, r of them here, it
        falls by (n - i - r) / (n - i - 1) after its i-th rank.
        """
        chance = np.zeros(len(query))
        top = np.flatnonzero(self.start == self.start[starts[query]])
        levels = np.flatnonzero(_changes(query[top], rank[top]))
        mates = np.diff(np.append(levels, len(top)))
        row = top[levels]
        size, place = self.size[row], rank[row] - self.start[row]
        factor = np.maximum(size - place - mates, 0) / np.maximum(size - place - 1, 1)
        groups = np.append(np.flatnonzero(_changes(query[row], self.start[row])), len(factor))
        chance[top] = np.repeat(products_before(factor, groups), mates)
        return chance

    def passed(self, query: Ints, rank: Ints, starts: Ints, row: Ints, stop: Floats) -> Floats:
        """The chance that a reader passes all documents above each row."""
        result = np.empty(len(query))
        bounds = np.append(np.flatnonzero(_changes(query, self.start)), len(query))
        reached = 1.0
        for start, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            if start == starts[query[start]]:
                reached = 1.0
            place = rank[start:end] - rank[start]
            mates = int(np.searchsorted(place, 0, side="right"))
            go_on = 1 - stop[start : start + mates]
            # Documents that stop as many readers are alike, so one expectation serves them all.
            kinds, first_of_kind = np.unique(go_on, return_index=True)
            passes = np.stack(
                [
                    _passed_among(np.delete(go_on, one), int(self.size[start]), int(place[-1]) + 1)
                    for one in first_of_kind
                ]
            )
            result[start:end] = reached * passes[np.searchsorted(kinds, 1 - stop[start:end]), place]
            reached *= float(np.prod(go_on))
        return result

    def _rows_at_rank(self, query: Ints, rank: Ints) -> Ints:
        """How many documents of the group are here: the rows that share a row's query and rank."""
        return _sizes(_changes(query, rank))

    def _rows_of_group(self, query: Ints) -> Ints:
        """How many rows each row's group has."""
        return _sizes(_changes(query, self.start))

    def _above_group(self, query: Ints, starts: Ints) -> Floats:
        """How many documents stand above each row's group: whole groups, so a whole number."""
        first = np.flatnonzero(_changes(query, self.start))
        rows = np.diff(np.append(first, len(query)))
        before = np.concatenate(([0.0], np.cumsum(rows / self.size[first])))[:-1]
        of_query = np.searchsorted(first, starts[query[first]])
        return np.repeat(np.rint(before - before[of_query]), rows)


def _changes(query: Ints, other: Ints) -> Bools:
    """Whether a row is the first of those that share its query and the other number."""
    changes = np.ones(len(query), dtype=bool)
    changes[1:] = (query[1:] != query[:-1]) | (other[1:] != other[:-1])
    return changes


def _sizes(changes: Bools) -> Ints:
    """How many rows stand between one change and the next, for each row."""
    lengths = np.diff(np.append(np.flatnonzero(changes), len(changes)))
    return np.repeat(lengths, lengths)


def _passed_among(go_on: Floats, size: int, ranks: int) -> Floats:
    """The expected product of `go_on` over a random choice of 0, 1, ... `ranks` - 1 of the `size` - 1 other documents.

    Others that are not among the hits let every reader pass. Adding the others one by one, the t-th is among the
    chosen j of t with chance j/t.
    """
    expected = np.ones(ranks)
    chosen = np.arange(ranks)
    for t, factor in enumerate(go_on, start=size - len(go_on)):
        share = np.minimum(chosen / max(t, 1), 1.0)
        shifted = np.concatenate(([1.0], expected[:-1]))
        expected = (1 - share) * expected + share * factor * shifted
    return expected
