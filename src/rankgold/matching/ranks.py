"""From scores to ranks: a count of the documents above, and an order among tied ones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rankgold.hits import Ranking
from rankgold.kernels.averaged_ties import Ties
from rankgold.kernels.segments import Floats, Ints, count_above, positions, sorted_descending, starts_of


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where hits stand: how many documents score higher, how many the same (itself too), and which of those is it.

    `within` counts the tied documents that the tie rule puts above; None where tied documents are averaged.
    """

    above: Ints
    tied: Ints
    within: Ints | None

    @property
    def first_rank(self) -> Ints:
        return self.above + 1 if self.within is None else self.above + self.within + 1

    def ranking(self, hits: Ranking) -> Ranking:
        """The hits in the order of their ranks; tied ones, if averaged, in a row for each rank they can take."""
        if self.within is not None or not (self.tied > 1).any():
            return hits if _in_order(hits) else hits.keep(np.lexsort((hits.row, hits.rank, hits.query)))
        order = np.lexsort((hits.row, self.above, hits.query))
        query, above, tied = hits.query[order], self.above[order], self.tied[order]
        new = np.concatenate(([True], (query[1:] != query[:-1]) | (above[1:] != above[:-1])))
        first = np.flatnonzero(new)
        mates = np.diff(np.append(first, len(order)))
        # A group of tied hits takes a row for each of its ranks and hits: all its hits at the first rank, and so on.
        rows_of_group = mates * tied[first]
        group = np.repeat(np.arange(len(first)), rows_of_group)
        rank, hit = np.divmod(positions(starts_of(rows_of_group)), mates[group])
        spread = hits.keep(order[first[group] + hit])
        start = above[first][group] + 1
        return replace(spread, rank=start + rank, ties=Ties(start, tied[first][group]))


def _in_order(hits: Ranking) -> bool:
    later = hits.query[1:] > hits.query[:-1]
    return bool((later | ((hits.query[1:] == hits.query[:-1]) & (hits.rank[1:] > hits.rank[:-1]))).all())


def counts(scores: Floats, starts: Ints, group: Ints, score: Floats, at: Ints | None = None) -> tuple[Ints, Ints]:
    """For each hit of a group with a score, how many of the group's scores are higher, and how many are equal.

    `at` is where the hits stand, if that is known: where scores fall already, a hit's place says what is above it.
    """
    ordered = sorted_descending(scores, starts)
    if at is None or ordered is not scores:
        return _searched(ordered, starts, group, score)
    above, tied = at - starts[group], np.ones(len(at), dtype=np.int64)
    after, before = np.minimum(at + 1, len(scores) - 1), np.maximum(at - 1, 0)
    beside = np.flatnonzero((scores[before] == score) & (before < at) | (scores[after] == score) & (after > at))
    above[beside], tied[beside] = _searched(ordered, starts, group[beside], score[beside])
    return above, tied


def _searched(ordered: Floats, starts: Ints, group: Ints, score: Floats) -> tuple[Ints, Ints]:
    above = count_above(ordered, starts, group, score)
    after = starts[group] + above + 1
    inside = np.flatnonzero(after < starts[group + 1])
    more = inside[ordered[after[inside]] == score[inside]]
    tied = np.ones(len(group), dtype=np.int64)
    tied[more] = count_above(ordered, starts, group[more], score[more], or_equal=True) - above[more]
    return above, tied
