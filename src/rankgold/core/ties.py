"""Spreads tied documents over the ranks they share.

A document tied with n - 1 others at the ranks a ... a + n - 1 stands at each of these ranks with chance 1/n. Given its
rank, each other tied document stands at each of the remaining ranks with chance 1/(n - 1). From this follow the
expected number of relevant documents above it, the chance that there is none, and the chance that a reader gets past
them: everything that measures ask of a ranking. So a measure has one formula, whether ties are averaged or not.

In miniature: documents A (relevant), B and C (relevant) share the top score, so n = 3 and the ranking has two hits at
each of the ranks 1, 2, 3: rows A1 C1 A2 C2 A3 C3, each with chance 1/3. The expected ordinal of a hit is 1 at rank 1, 1
+ 1/2 at rank 2 (the other hit stands at rank 1 or 3, with chance 1/2 each), and 2 at rank 3. Average precision is (1/1
+ 1.5/2 + 2/3) * 2 * 1/3 / 2 = 29/36, the mean over the three orders 110, 101, 011.

A and C are alike, so one row may stand for both: at each rank, one of the two is there with chance 2/3. Three rows with
this chance give the same sum. Large groups are written this way, so they have a row for each rank, not for each pair of
a document and a rank.

McSherry and Najork 2008, Computing information retrieval performance measures efficiently in the presence of tied
scores.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from rankgold.core.errors import MeasureError
from rankgold.core.hits import MOST_KEPT, Gain, Memo, Ranking
from rankgold.core.segments import Bools, Floats, Ints, changes, positions, products_before, starts_at, starts_of, sums

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
            if len(go_on) * ranks * len(kinds) > _MOST_STEPS:
                raise MeasureError(
                    f"{len(go_on):,} judged documents share a score, and averaging over their orders down to rank"
                    f" {ranks:,} of the group would take too long for this measure. Use a lower cutoff, fewer grades,"
                    " or another choice for ties such as ties=descending."
                )
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


# If the documents of a query would take more rows than this, those that are alike to the measure share rows.
_ROWS_OF_SINGLE_DOCUMENTS = 1 << 16
# The most rows of one query with grades that are not alike: about 1 GB.
_MOST_ROWS = 10_000_000


@dataclass(frozen=True, slots=True, eq=False)
class TiedRanking:
    """Judged documents of all queries, where tied documents take each rank of their group with the same chance.

    Rows are made for the documents and the ranks that a measure asks for. In miniature: hits A and C and an unjudged
    document share the ranks 1 to 3. The group takes 2 x 3 rows, all hits at its first rank, then all at its second:
    A1 C1 A2 C2 A3 C3. If there were very many, and A and C are alike to the measure, it would take 3 rows, each of
    which stands for both.
    """

    single: Ranking
    """Each document once, at the first rank of its group."""
    group_size: Ints
    """The number of documents in the group of each document."""
    depth: int | None = None
    """After how many documents each order is cut off; None if not, or if no group is cut."""
    memo: Memo = field(default_factory=Memo, init=False, repr=False)
    """Rows that several measures ask for."""

    @property
    def is_cut(self) -> bool:
        """True if a group is cut, so that each order keeps different documents."""
        return self.depth is not None and bool((self.single.rank + self.group_size - 1 > self.depth).any())

    def cut(self, depth: int) -> TiedRanking:
        """The documents left in at least one order, after cutting each order off at this depth."""
        return replace(self.keep(self.single.rank <= depth), depth=depth)

    def top(self, k: int | Ints | None) -> Ranking:
        """The documents at rank k or better. Those with the same grade are alike."""
        hits = self.keep(self._ranks(k) > 0)
        return hits._rows(k, hits._units(k, hits.single.grade))[0]

    def relevant(self, rel: float, k: int | Ints | None = None) -> Ranking:
        """The documents of grade `rel` or better, at rank k or better. All are alike."""
        return self._alike((self.single.grade >= rel) & (self._ranks(k) > 0), k)[1]

    def gaining(self, gain: Gain, k: int | None = None) -> tuple[Ranking, Floats]:
        """The documents at rank k or better with a gain above 0, and their gains. All are alike, with the mean gain."""
        gains = gain(self.single.grade)
        kept = (gains > 0) & (self._ranks(k) > 0)
        units, rows, unit = self._alike(kept, k)
        return rows, units.means(gains[kept])[unit]

    def _alike(self, kept: Bools, k: int | Ints | None) -> tuple[Units, Ranking, Ints]:
        """The units, rows and the unit of each row for documents that are all alike, down to rank k.

        Rows are kept for other measures, unless they are many: the relevant documents are often those with a gain.
        """
        name = None if isinstance(k, np.ndarray) else (k, kept.tobytes())
        if name in self.memo:
            kept_rows: tuple[Units, Ranking, Ints] = self.memo[name]
            return kept_rows
        hits = self.keep(kept)
        units = hits._units(k)
        made = (units, *hits._rows(k, units))
        if name is not None and len(made[1]) <= MOST_KEPT:
            self.memo[name] = made
        return made

    def at_least(self, rel: float) -> Ints:
        return self.single.at_least(rel)

    @property
    def whole(self) -> Ranking:
        return self.top(None)

    @property
    def is_lazy(self) -> bool:
        return False

    @property
    def sizes(self) -> Ints:
        """The number of rows of each query, up to the number from which rows are shared."""
        return np.minimum(self._rows_of_query(None), _ROWS_OF_SINGLE_DOCUMENTS).astype(np.int64)

    def of_queries(self, first: int, last: int) -> Ranking | TiedRanking:
        """The documents of the queries `first:last`, numbered from 0."""
        single = self.single.of_queries(first, last)
        size = self.group_size[slice(*np.searchsorted(self.single.query, [first, last]))]
        return TiedRanking(single, size, self.depth) if (size > 1).any() else single

    def keep(self, which: Bools) -> TiedRanking:
        """The documents where a mask is true."""
        return self if which.all() else TiedRanking(self.single.keep(which), self.group_size[which], self.depth)

    def _ranks(self, k: int | Ints | None) -> Ints:
        """How many of its ranks each document has at rank k or better; below 1 if none."""
        if k is None:
            return self.group_size
        cutoff = k[self.single.query] if isinstance(k, np.ndarray) else k
        return np.minimum(self.group_size, cutoff - self.single.rank + 1)

    def _rows_of_query(self, k: int | Ints | None) -> Floats:
        return sums(self._ranks(k), self.single.query, self.single.n_queries)

    def _units(self, k: int | Ints | None, grade: Floats | None = None) -> Units:
        """The documents that share rows: those of a group, of the same grade if grades count, where rows are many."""
        group = np.cumsum(changes(self.single.query, self.single.rank)) - 1
        shares = (self._rows_of_query(k) > _ROWS_OF_SINGLE_DOCUMENTS)[self.single.query]
        order = np.arange(len(group))
        if not shares.any():
            return Units(order, order, group)
        kind: Ints | Floats = group
        if grade is not None:
            order = np.lexsort((np.where(shares, grade, 0.0), group))
            kind = grade[order]
        first = np.flatnonzero(~shares[order] | changes(group[order], kind))
        return Units(order, first, group[order[first]])

    def _rows(self, k: int | Ints | None, units: Units) -> tuple[Ranking, Ints]:
        """The rows down to rank k, and the unit of each."""
        if not len(self.single):
            return self.single, units.first
        units_of_group = np.bincount(units.group)
        first_unit = starts_of(units_of_group)[:-1]
        ranks = self._ranks(k)[units.lead[first_unit]]
        _check_rows(units_of_group, ranks, self.single.query[units.lead[first_unit]])
        group = np.repeat(np.arange(len(ranks)), units_of_group * ranks)
        place, unit = np.divmod(positions(starts_of(units_of_group * ranks)), units_of_group[group])
        unit += first_unit[group]
        rows = self.single.keep(units.lead[unit])
        ties = AveragedTies(rows.rank, self.group_size[units.lead[unit]], units.documents[unit])
        return replace(rows, rank=rows.rank + place, grade=units.common(self.single.grade)[unit], ties=ties), unit


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Tied documents that share rows, or one document by itself."""

    order: Ints
    """The documents, with those of a unit side by side."""
    first: Ints
    """Where each unit starts in the order."""
    group: Ints
    """The tied group of each unit."""

    @property
    def lead(self) -> Ints:
        """The first document of each unit."""
        return self.order[self.first]

    @property
    def documents(self) -> Ints:
        """The number of documents of each unit."""
        return np.diff(np.append(self.first, len(self.order)))

    def means(self, values: Floats) -> Floats:
        """The mean of each unit."""
        if len(self.first) == len(self.order):
            return values[self.order]
        # Divided before they are added, so that the sum of high values cannot overflow.
        mean: Floats = np.add.reduceat(values[self.order] / np.repeat(self.documents, self.documents), self.first)
        return mean

    def common(self, values: Floats) -> Floats:
        """The value that all documents of a unit have; NaN if they differ."""
        ordered = values[self.order]
        if len(self.first) == len(self.order):
            return ordered
        low, high = np.minimum.reduceat(ordered, self.first), np.maximum.reduceat(ordered, self.first)
        return np.where(low == high, low, np.nan)


def _check_rows(units: Ints, ranks: Ints, query: Ints) -> None:
    """Raises an error if groups of unlike documents take too many rows in one query."""
    if np.bincount(query, weights=np.where(units > 1, units * ranks, 0)).max() > _MOST_ROWS:
        largest = int(np.argmax(units * ranks))
        raise MeasureError(
            f"Documents of {units[largest]:,} different grades share a score. To average over their orders, this"
            f" measure needs a row for each grade and each of {ranks[largest]:,} ranks, and a query can have"
            f" {_MOST_ROWS:,}. Use a lower cutoff, fewer grades, or another choice for ties such as ties=descending."
        )
