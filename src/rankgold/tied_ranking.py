"""Tied documents and the ranks they share in, the rows that a measure reads out: documents at ranks, with a chance."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from rankgold.errors import MeasureError
from rankgold.hits import MOST_KEPT, Gain, Memo, Ranking
from rankgold.kernels.averaged_ties import AveragedTies
from rankgold.kernels.segments import Bools, Floats, Ints, changes, positions, starts_of, sums

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
