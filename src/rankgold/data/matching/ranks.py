"""Counts ranks from scores, and orders tied documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgold.core.hits import Ranking
from rankgold.core.policy import Policy
from rankgold.core.segments import (
    Bools,
    Floats,
    Ints,
    best_first,
    changes,
    count_above,
    is_descending,
    positions,
    ranges,
    starts_of,
)
from rankgold.core.ties import TiedRanking
from rankgold.data.ids import IdColumn, order_as_text
from rankgold.data.query_groups import QueryGroups

# Each hit is compared with its tied documents, up to so many comparisons per row; beyond that, sorting is faster.
_COMPARISONS_PER_ROW = 8
_COMPARISONS_AT_ONCE = 1 << 20
AT_32_BITS = Policy(score_bits=32)
BEYOND_32_BITS = 1e300
"""What a score that 32 bits cannot hold is compared as."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """For each hit: the number of documents with a higher score, and with the same score (itself included).

    `within` is the number of tied documents that the tie rule puts above the hit; None if ties are averaged.
    """

    above: Ints
    tied: Ints
    within: Ints | None

    @classmethod
    def without_ties(cls, above: Ints) -> Places:
        return cls(above, np.ones(len(above), dtype=np.int64), np.zeros(len(above), dtype=np.int64))

    @property
    def first_rank(self) -> Ints:
        return self.above + 1 if self.within is None else self.above + self.within + 1

    def count(self, depth: int | None) -> float:
        """The number of documents down to a rank; the expected number, where their ties are averaged."""
        if depth is None or self.within is not None:
            return len(self.above)
        expected = round(float((np.minimum(self.tied, depth - self.above) / self.tied).sum()), 9)
        return int(expected) if expected.is_integer() else expected

    def is_cut(self, depth: int) -> bool:
        """Whether averaged ties are on both sides of a rank."""
        return self.within is None and bool(((self.above < depth) & (self.above + self.tied > depth)).any())

    def keep(self, which: Ints) -> Places:
        """The places at these positions."""
        return Places(self.above[which], self.tied[which], None if self.within is None else self.within[which])

    def rank(self, hits: Ranking, depth: int | None = None) -> Ranking | TiedRanking:
        """The hits sorted by rank; a ranking with averaged ties is cut off after `depth` documents."""
        if self.within is None and (self.tied > 1).any():
            order = np.lexsort((hits.row, self.above, hits.query))
            return TiedRanking(hits.keep(order), self.tied[order], depth)
        return hits if _is_sorted(hits) else hits.keep(np.lexsort((hits.row, hits.rank, hits.query)))


PlacesOf = Callable[[Ints], Places]
"""The numbers of some hits -> their places."""


def _is_sorted(hits: Ranking) -> bool:
    later = hits.query[1:] > hits.query[:-1]
    return bool((later | ((hits.query[1:] == hits.query[:-1]) & (hits.rank[1:] > hits.rank[:-1]))).all())


def round_scores(scores: Floats, policy: Policy) -> Floats:
    """The scores at the width at which the policy compares them.

    At 32 bits, all scores beyond the highest are equal, and above it. They stay finite: infinite numbers are what cells
    without a document are filled with, and have no difference.
    """
    if policy.score_bits == 64:
        return scores
    with np.errstate(over="ignore"):
        rounded = scores.astype(np.float32)
    wide = rounded.astype(np.float64)
    # Looking for infinite numbers takes a tenth of the time of replacing them.
    return wide if np.isfinite(rounded).all() else np.clip(wide, -BEYOND_32_BITS, BEYOND_32_BITS)


@dataclass(frozen=True, slots=True, eq=False)
class HitScores:
    """The scores of hits, among all scores of their queries."""

    ordered: Floats
    """All scores, those of each query in descending order."""
    starts: Ints
    group: Ints
    """The number of the query of each hit."""
    score: Floats
    position: Ints | None = None
    """The position of each hit in `ordered`, if it is known."""

    def keep(self, which: Ints) -> HitScores:
        """The hits at these positions."""
        position = None if self.position is None else self.position[which]
        return replace(self, group=self.group[which], score=self.score[which], position=position)

    def at_32_bits(self) -> HitScores:
        """The same hits with rounded scores. Rounding keeps the order, so nothing has to be sorted again."""
        ordered, score = (round_scores(scores, AT_32_BITS) for scores in (self.ordered, self.score))
        return replace(self, ordered=ordered, score=score)

    def higher_and_equal(self) -> tuple[Ints, Ints]:
        """For each hit, the number of scores of its query that are higher, and the number that are equal.

        The position of a hit is its count of higher scores, unless a neighbour has the same score.
        """
        if self.position is None:
            return self._search()
        above, tied = self.position - self.starts[self.group], np.ones(len(self.group), dtype=np.int64)
        after, before = np.minimum(self.position + 1, len(self.ordered) - 1), np.maximum(self.position - 1, 0)
        is_above = (self.ordered[before] == self.score) & (before < self.position)
        is_below = (self.ordered[after] == self.score) & (after > self.position)
        beside = np.flatnonzero(is_above | is_below)
        above[beside], tied[beside] = self.keep(beside)._search()
        return above, tied

    def _search(self) -> tuple[Ints, Ints]:
        ordered, starts, group, score = self.ordered, self.starts, self.group, self.score
        above = count_above(ordered, starts, group, score)
        after = starts[group] + above + 1
        inside = np.flatnonzero(after < starts[group + 1])
        more = inside[ordered[after[inside]] == score[inside]]
        tied = np.ones(len(group), dtype=np.int64)
        tied[more] = count_above(ordered, starts, group[more], score[more], or_equal=True) - above[more]
        return above, tied

    def tied_at_32_bits(self, places: Places) -> Ints:
        """The hits that are tied with more documents if scores are compared at 32 bits, as in trec_eval 9.

        Rounding keeps the order, so it is enough to look at the next higher and the next lower score. In miniature: of
        the scores 0.5, 0.3 + 1e-12, 0.3, 0.1 the middle ones differ, and are the same 32-bit float.
        """
        ordered, starts, group = self.ordered, self.starts, self.group
        if not len(group):
            return np.zeros(0, dtype=np.int64)
        first = starts[group] + places.above
        after = first + places.tied
        with np.errstate(over="ignore"):
            rounded = self.score.astype(np.float32)
            higher = ordered[first - 1].astype(np.float32) == rounded
            lower = ordered[np.minimum(after, len(ordered) - 1)].astype(np.float32) == rounded
        near = np.flatnonzero(higher | lower)
        # Next to the first and last score of a query are scores of other queries.
        higher, lower = higher[near] & (places.above[near] > 0), lower[near] & (after[near] < starts[group[near] + 1])
        close: Ints = near[higher | lower]
        return close


def count_moved(hits: HitScores, places: Places, policy: Policy, at_32_bits: PlacesOf) -> int:
    """The number of hits with another rank if scores are compared at 32 bits, as in trec_eval 9.

    It is 0 with another order of ties than that of trec_eval. `at_32_bits` finds the places of hits at 32 bits.
    """
    if policy.ties != "descending":
        return 0
    close = hits.tied_at_32_bits(places)
    if not len(close):
        return 0
    return int(np.count_nonzero(at_32_bits(close).first_rank != places.first_rank[close]))


def in_tie_order(tied: Sequence[Any], ties: str, text: Callable[[Any], str] = str) -> Sequence[Any]:
    """Documents with the same score, in the order of the policy. They are given in the order of the input."""
    return tied if ties == "input" else sorted(tied, key=text, reverse=ties == "descending")


def count_tied_above(rows: QueryGroups, group: Ints, at: Ints, above: Ints, tied: Ints, rule: str) -> Ints:
    """For each hit, the number of documents with the same score that the rule puts above it.

    Hit i is row `at[i]`, in group `group[i]`, with `above[i]` higher and `tied[i]` equal scores in that group.
    """
    scores = rows.numbers
    within = np.zeros(len(at), dtype=np.int64)
    hits = np.flatnonzero(tied > 1)
    if not len(hits):
        return within
    tied, order, starts = tied[hits], None, rows.starts[group[hits]]
    if not is_descending(scores, rows.starts):
        order, starts = _best_first(scores, rows.starts, group[hits])
    first = starts + above[hits]
    if tied.sum() > _COMPARISONS_PER_ROW * len(scores) and rule != "input":
        within[hits] = _sort(rows.documents, order, first, tied, at[hits], rule)
        return within
    cuts = np.searchsorted(np.cumsum(tied), np.arange(0, tied.sum(), _COMPARISONS_AT_ONCE))
    for chosen in np.split(np.arange(len(hits)), cuts[1:]):
        within[hits[chosen]] = _compare(rows.documents, order, first[chosen], tied[chosen], at[hits[chosen]], rule)
    return within


def _best_first(scores: Floats, starts: Ints, group: Ints) -> tuple[Ints, Ints]:
    """The rows of these groups, sorted within each group from high to low scores, and the start of each group."""
    groups, which = np.unique(group, return_inverse=True)
    lengths = np.diff(starts)[groups]
    begin, rows = starts_of(lengths), ranges(starts[groups], lengths)
    return rows[best_first(scores[rows], begin)], begin[which]


def _compare(documents: IdColumn, order: Ints | None, first: Ints, tied: Ints, at: Ints, rule: str) -> Ints:
    """Compares each hit with all documents tied with it."""
    hit = np.repeat(np.arange(len(at)), tied)
    mate = ranges(first, tied)
    mate = mate if order is None else order[mate]
    if rule == "input":
        above = mate < at[hit]
    else:
        mates, hits = documents.gather(mate).cast(str), documents.gather(at).cast(str).gather(hit)
        above = np.asarray(mates.gt(hits) if rule == "descending" else hits.gt(mates))
    return np.bincount(hit[above], minlength=len(at))


def _sort(documents: IdColumn, order: Ints | None, first: Ints, tied: Ints, at: Ints, rule: str) -> Ints:
    """Sorts all documents that are tied with a hit."""
    first, hit = np.unique(first, return_index=True)
    lengths = tied[hit]
    mate = ranges(first, lengths)
    row = mate if order is None else order[mate]
    group = np.repeat(np.arange(len(first)), lengths)
    place = np.empty(len(documents), dtype=np.int64)
    in_order = order_as_text(documents.gather(row), group, descending=rule == "descending")
    place[row[in_order]] = positions(starts_of(lengths))
    return place[at]


def best_order(scores: Floats, starts: Ints, documents: IdColumn, ties: str) -> Ints:
    """The rows, sorted within each group from high to low scores.

    In miniature: the scores 1 2 2 of the documents c, a, b give the rows 2 1 0 with ties=descending: b comes before a.
    """
    order: Ints = np.arange(len(scores))
    if not is_descending(scores, starts):
        order = best_first(scores, starts, is_stable=ties == "input")
    if ties == "input":
        return order
    is_first = first_of_ties(scores[order], starts)
    is_tied = ~is_first
    is_tied[:-1] |= ~is_first[1:]
    if is_tied.any():
        tied = np.flatnonzero(is_tied)
        rows, group = order[tied], (np.cumsum(is_first) - 1)[tied]
        order[tied] = rows[order_as_text(documents.gather(rows), group, descending=ties == "descending")]
    return order


def first_of_ties(ordered: Floats, starts: Ints) -> Bools:
    """Whether a score is the first of its group with this value. The groups must be sorted."""
    is_first = changes(ordered)
    is_first[starts[:-1][np.diff(starts) > 0]] = True
    return is_first


def ids_best_first(ids: Sequence[Any], scores: Floats, policy: Policy) -> list[Any]:
    """The ids of one list from best to worst. Python's sort keeps the order of equal keys."""
    rounded = round_scores(scores, policy).tolist()
    rows = in_tie_order(range(len(ids)), policy.ties, lambda row: str(ids[row]))
    return [ids[row] for row in sorted(rows, key=lambda row: rounded[row], reverse=True)]
