"""Rows of tied documents in, expectations over all their orders out.

A document tied with n - 1 others at the ranks a ... a + n - 1 stands at each of these ranks with chance 1/n. Given its
rank, each other tied document stands at each of the remaining ranks with chance 1/(n - 1). From this follow the
expected number of relevant documents above it, the chance that there is none, and the chance that a reader gets past
them: everything that measures ask of a ranking. So a measure has one formula, whether ties are averaged or not.

In miniature: documents A (relevant), B and C (relevant) share the top score, so n = 3 and the ranking has two hits at
each of the ranks 1, 2, 3: rows A1 C1 A2 C2 A3 C3, each with chance 1/3. The expected ordinal of a hit is 1 at rank 1,
1 + 1/2 at rank 2 (the other hit stands at rank 1 or 3, with chance 1/2 each), and 2 at rank 3. Average precision is
(1/1 + 1.5/2 + 2/3) * 2 * 1/3 / 2 = 29/36, the mean over the three orders 110, 101, 011.

A and C are alike, so one row may stand for both: at each rank, one of the two is there with chance 2/3. Three rows with
this chance give the same sum. Large groups are written this way, so they have a row for each rank, not for each pair
of a document and a rank.

McSherry and Najork 2008, Computing information retrieval performance measures efficiently in the presence of tied
scores.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgold.errors import MeasureError
from rankgold.kernels.segments import Bools, Floats, Ints, changes, products_before, starts_at, sums

# The chance to reach a document has no closed form. The most steps for one tied group: some seconds of work.
_MOST_STEPS = 2_000_000_000


@dataclass(frozen=True, slots=True, eq=False)
class AveragedTies:
    """For each row of a ranking: the first rank of its tied group, the number of documents in the group, and the number
    of documents that the row stands for.

    The rows of a ranking are sorted by rank, and a group has the same documents at each of its ranks.
    """

    start: Ints
    size: Ints
    documents: Ints

    def keep(self, which: Bools | Ints) -> AveragedTies:
        return AveragedTies(self.start[which], self.size[which], self.documents[which])

    @property
    def chance(self) -> Floats:
        """The chance that one of the row's documents stands at its rank."""
        return self.documents / self.size

    def count(self, query: Ints, n_queries: int) -> Floats:
        """The expected number of documents of each query."""
        first = np.flatnonzero(changes(query, self.start))
        return sums(np.add.reduceat(self.documents, first) / self.size[first], query[first], n_queries)

    def is_uncertain(self, query: Ints, rank: Ints) -> bool:
        """Whether a cutoff leaves some ranks of a group, so that the number of its documents on them varies."""
        if not len(query):
            return False
        mates = self._total(changes(query, rank))
        kept = self._total(changes(query, self.start)) // mates
        return bool(((kept < self.size) & (mates < self.size)).any())

    def ordinal(self, query: Ints, rank: Ints, starts: Ints) -> Floats:
        """The expected ordinal of each row's document in its query."""
        mates = self._total(changes(query, rank))
        inside = (rank - self.start) * (mates - 1) / np.maximum(self.size - 1, 1)
        expected: Floats = self._above_group(query, starts) + 1 + inside
        return expected

    def first(self, query: Ints, rank: Ints, starts: Ints) -> Floats:
        """The chance that no other document of its query stands above each row.

        Only rows of the first group of a query have such a chance. In a group of n documents with r hits it is 1 at
        the first rank, and is multiplied by (n - i - r) / (n - i - 1) from rank i to the next, counted from 0.
        With n = 3 and r = 2 as above: 1, then (3 - 0 - 2) / (3 - 0 - 1) = 1/2, then 1/2 * (3 - 1 - 2) / 1 = 0.
        """
        chance = np.zeros(len(query))
        top = np.flatnonzero(self.start == self.start[starts[query]])
        levels = starts_at(changes(query[top], rank[top]))
        mates = np.add.reduceat(self.documents[top], levels[:-1])
        row = top[levels[:-1]]
        size, place = self.size[row], rank[row] - self.start[row]
        factor = np.maximum(size - place - mates, 0) / np.maximum(size - place - 1, 1)
        groups = starts_at(changes(query[row], self.start[row]))
        chance[top] = np.repeat(products_before(factor, groups), np.diff(levels))
        return chance

    def reach(self, query: Ints, rank: Ints, starts: Ints, stop: Floats) -> Floats:
        """The chance that a reader passes all documents above each row, if each one stops with its chance `stop`."""
        result = np.empty(len(query))
        bounds = starts_at(changes(query, self.start))
        reached = 1.0
        for start, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            if start == starts[query[start]]:
                reached = 1.0
            place = rank[start:end] - rank[start]
            rows = slice(start, start + int(np.searchsorted(place, 0, side="right")))
            go_on = np.repeat(1 - stop[rows], self.documents[rows])
            # Documents with the same chance share one expectation.
            kinds, first_of_kind = np.unique(go_on, return_index=True)
            ranks = int(place[-1]) + 1
            _check_steps(len(go_on), ranks, len(kinds))
            passes = _expected_products(go_on, first_of_kind, int(self.size[start]), ranks)
            result[start:end] = reached * passes[np.searchsorted(kinds, 1 - stop[start:end]), place]
            reached *= float(np.prod(go_on))
        return result

    def _above_group(self, query: Ints, starts: Ints) -> Floats:
        """The number of documents above each row's group: whole groups, so a whole number."""
        starts_of_groups = starts_at(changes(query, self.start))
        first = starts_of_groups[:-1]
        expected = np.add.reduceat(self.documents, first) / self.size[first]
        before = np.concatenate(([0.0], np.cumsum(expected)))[:-1]
        of_query = np.searchsorted(first, starts[query[first]])
        return np.repeat(np.rint(before - before[of_query]), np.diff(starts_of_groups))

    def _total(self, new: Bools) -> Ints:
        """For each row, the number of documents of the rows from one change to the next."""
        starts = starts_at(new)
        return np.repeat(np.add.reduceat(self.documents, starts[:-1]), np.diff(starts))


def _check_steps(documents: int, ranks: int, kinds: int) -> None:
    if documents * ranks * kinds > _MOST_STEPS:
        raise MeasureError(
            f"{documents:,} judged documents share a score, and averaging over their orders down to rank {ranks:,} of"
            f" the group would take too long for this measure. Use a lower cutoff, fewer grades, or another choice for"
            f" ties such as ties=descending."
        )


def _expected_products(go_on: Floats, left_out: Ints, size: int, ranks: int) -> Floats:
    """The expected product of `go_on` over a random choice of 0, 1, ... `ranks` - 1 of the `size` - 1 other documents.

    There is a row for each document that is left out. Documents that are not hits let every reader pass. The hits are
    added one by one: the t-th document is among j chosen of t with chance j/t, so
    E_t[j] = (1 - j/t) E_{t-1}[j] + j/t * go_on * E_{t-1}[j - 1].
    """
    expected = np.ones((len(left_out), ranks))
    for document, factor in enumerate(go_on):
        t = size - len(go_on) + document + (left_out >= document)
        share = np.minimum(np.arange(ranks) / np.maximum(t, 1)[:, None], 1.0)
        shifted = np.concatenate((np.ones((len(left_out), 1)), expected[:, :-1]), axis=1)
        with_it = (1 - share) * expected + share * factor * shifted
        expected = np.where((left_out == document)[:, None], expected, with_it)
    return expected
