"""Rank-biased overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Terms, Working
from rankgold.core.ranked_pairs import RankedLists, RankedPairs
from rankgold.core.segments import Floats, Ints, positions, starts_of, sums
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Above, Below, Cutoff, Examples
from rankgold.measures.registry import SIMILARITIES

Persistence = Annotated[
    float, Above(0), Below(1), "the probability that a reader continues to the next depth", Examples(0.5, 0.98)
]
Form = Annotated[
    Literal["ext", "min", "max", "res"],
    "what is assumed below the lists: the same agreement (ext), nothing more is shared (min), all that can be (max);"
    " or the difference of the last two (res)",
]
Ties = Annotated[
    Literal["w", "a", "b", "order"],
    "tied documents are all at the first of their ranks (w), have the mean agreement of all orders at each depth (a),"
    " the same with the norm of tau-b (b), or are in the order of the policy (order)",
]


@measure(
    "rbo",
    registry=SIMILARITIES,
    aliases=("rank_biased_overlap",),
    suffix="p",
    handles_ties=True,
    question="tops",
    title="Rank-biased overlap",
)
def rank_biased_overlap(
    pairs: RankedPairs, *, k: Cutoff = None, p: Persistence = 0.9, form: Form = "ext", ties: Ties = "w"
) -> Derivation:
    """The share of documents that two rankings have in common, averaged over depths with more weight on the top.

        RBO = (1 - p) * sum over depths d from 1 of  p^(d - 1) * A(d)
        with  A(d) = (documents in the first d of both) / d

    A reader goes down both rankings and goes on from each depth to the next with the chance p, so the first 1 / (1 - p)
    ranks have most of the weight. The lists end and the sum does not: `ext` takes the agreement at the end for all that
    follows, `min` and `max` are the least and the most that the unseen ranks allow, and `res` is their difference.

    Documents need not be in both lists, and lists need not be of the same length. Tied documents are by default all at
    the first of their ranks, as the authors of the measure define it, and A(d) divides by the mean number of documents
    down to depth d.

    With `ties=a`, A(d) is its mean over all orders of the tied documents. So the value is the mean over all orders if
    the lists are of the same length, and for `min` always. The other forms assume something for the unseen end of a
    shorter list, and are not: a b c+d against a b is 0.979 for p = 0.5, and 1 in both orders.

    Use it for the results of a search: how much a new version changed what users see. It is 1 for the same ranking and
    0 if nothing is shared. For orders of the same items, such as leaderboards, use tau_ap or kendall.

    a b c against b a d, p = 0.9: A is 0, 1 and 2/3 at depths 1 to 3, and 2/3 from there on: 0.1 * (0 + 0.9 + 0.81 *
    2/3) + 0.9^3 * 2/3 = 0.63.

    >>> rank_biased_overlap(two_lists("a b c", "b a d")).values.round(4)
    array([0.63])

    Webber, Moffat and Zobel 2010, A similarity measure for indefinite rankings, doi:10.1145/1852102.1852106; for ties,
    Corsi and Urbano 2024, The treatment of ties in rank-biased overlap, doi:10.1145/3626772.3657700.
    """
    depths = _Depths.of(pairs.top(k), ties)
    if form == "res":
        (most, most_below), (least, least_below) = _highest(depths, p), _lowest(depths, p)
        overlap: Floats = most - least
        below: Floats = most_below - least_below
    else:
        overlap, below = {"ext": _extrapolated, "min": _lowest, "max": _highest}[form](depths, p)
    term = (1 - p) * p ** (depths.depth - 1.0) * overlap / depths.norm
    working = Working("{} * {}^{} * {}/{}", 1 - p, p, depths.depth - 1, overlap, depths.norm)
    terms = Terms(term, depths.query, working, lambda: {"depth": depths.depth})
    return Derivation.of_terms(len(pairs), terms, 1.0, "1", below, f"the depths below the lists, form={form}")


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """One list at every depth down to the end of the longer list of its query.

    At each depth, the documents above the current group of tied ones count fully, those of the group with the share of
    it that has been reached, and those below not at all.
    """

    share: Floats
    """The share of the current group that has been reached; 1 below the end of the list."""
    norm: Floats
    """What the list adds to the norm of the agreement; below its end it has no ties."""
    alone_above: Ints
    """The documents above the current group that the other list does not have."""
    alone_here: Ints
    """The same in the current group."""

    @classmethod
    def of(cls, lists: RankedLists, starts: Ints, ties: str) -> _Side:
        query, rank, first, last = lists.query, lists.rank, lists.tie_start, lists.tie_end
        row, depth = starts[query] + rank - 1, positions(starts) + 1
        share, norm = np.ones(len(depth)), depth.astype(np.float64)
        if ties == "w":
            norm[row] = last
            last = first
        else:
            reached = rank - first + 1
            share[row] = reached / (last - first + 1)
            norm[row] = first - 1 + reached * share[row] if ties == "b" else rank
        alone = lists.partner < 0
        query, first, last = query[alone], first[alone], last[alone]
        above = _counts(starts, query, last + 1, np.diff(starts)[query])
        here = _counts(starts, query, first, last)
        return cls(share, norm, above, here)

    @property
    def mean_alone(self) -> Floats:
        """The mean share of the documents so far that the other list does not have; 0 if there are none."""
        count = self.alone_above + self.alone_here
        mean: Floats = (self.alone_above + self.alone_here * self.share) / np.maximum(count, 1)
        return mean

    def best_alone(self, wanted: Ints) -> Floats:
        """The sum of the highest shares of this many documents."""
        total: Floats = np.minimum(wanted, self.alone_above) + np.maximum(wanted - self.alone_above, 0) * self.share
        return total


@dataclass(frozen=True, slots=True, eq=False)
class _Depths:
    """Two lists of each query at every depth, from 1 to the end of the longer one."""

    query: Ints
    depth: Ints
    overlap: Floats
    """The documents that both lists have so far, tied ones with the shares that have been reached."""
    norm: Floats
    below: Ints
    """By how much a depth is below the end of the shorter list; 0 above it."""
    mean_alone: Floats
    best_alone: Floats
    shorter: Ints
    longer: Ints
    starts: Ints

    @classmethod
    def of(cls, pairs: RankedPairs, ties: str) -> _Depths:
        if ties == "order":
            pairs, ties = pairs.without_ties(), "w"
        shorter, longer = (of(pairs.first.sizes, pairs.second.sizes) for of in (np.minimum, np.maximum))
        starts = starts_of(longer)
        query, depth = np.repeat(np.arange(len(pairs)), longer), positions(starts) + 1
        first, second = (_Side.of(lists, starts, ties) for lists in (pairs.first, pairs.second))
        norm: Floats = np.sqrt(first.norm * second.norm) if ties == "b" else (first.norm + second.norm) / 2
        below = np.maximum(depth - shorter[query], 0)
        longer_is_first = (pairs.first.sizes >= pairs.second.sizes)[query]
        return cls(
            query,
            depth,
            _overlap(pairs, starts, first, second, ties),
            norm,
            below,
            np.where(longer_is_first, first.mean_alone, second.mean_alone),
            np.where(longer_is_first, first.best_alone(below), second.best_alone(below)),
            shorter,
            longer,
            starts,
        )

    @property
    def last_overlap(self) -> Floats:
        """The number of documents that the whole lists share."""
        return self.overlap[self.starts[1:] - 1]


def _overlap(pairs: RankedPairs, starts: Ints, first: _Side, second: _Side, ties: str) -> Floats:
    """What both lists have so far: a document counts with the product of its shares in the two lists.

    At most one group of each list is reached in part. So at each depth it is enough to count the shared documents that
    are above the current groups of both lists, above one and in the other, and in both.
    """
    at, partner = pairs.shared()
    query, end = pairs.first.query[at], np.diff(starts)
    start_1, end_1 = pairs.first.tie_start[at], pairs.first.tie_end[at]
    start_2, end_2 = pairs.second.tie_start[partner], pairs.second.tie_end[partner]
    if ties == "w":
        end_1, end_2 = start_1, start_2

    def count(begin: Ints, last: Ints) -> Ints:
        return _counts(starts, query, begin, last)

    above_both = count(np.maximum(end_1, end_2) + 1, end[query])
    in_first = count(np.maximum(start_1, end_2 + 1), end_1)
    in_second = count(np.maximum(start_2, end_1 + 1), end_2)
    in_both = count(np.maximum(start_1, start_2), np.minimum(end_1, end_2))
    overlap: Floats = (
        above_both + first.share * in_first + second.share * in_second + first.share * second.share * in_both
    )
    return overlap


def _counts(starts: Ints, query: Ints, first: Ints, last: Ints) -> Ints:
    """For each depth of each query, the number of documents that count there: from depth `first` to `last`."""
    real = first <= last
    begin, after = starts[query[real]] + first[real] - 1, starts[query[real]] + last[real]
    size = int(starts[-1]) + 1
    changes = np.bincount(begin, minlength=size) - np.bincount(after, minlength=size)
    counts: Ints = np.cumsum(changes)[:-1]
    return counts


def _extrapolated(depths: _Depths, p: float) -> tuple[Floats, Floats]:
    """The overlap at each depth, and what the depths below the lists add to the value.

    The agreement at the end of the shorter list goes on in its unseen ranks, and that at the end of both after these.
    """
    at_end = depths.starts[:-1] + depths.shorter - 1
    agreement = depths.overlap[at_end] / depths.norm[at_end]
    seen = depths.overlap + depths.below * agreement[depths.query] * depths.mean_alone
    final = (depths.last_overlap + (depths.longer - depths.shorter) * agreement) / depths.longer
    return seen, final * p**depths.longer


def _lowest(depths: _Depths, p: float) -> tuple[Floats, Floats]:
    """As `_extrapolated`, if the unseen ranks share nothing more."""
    known = sums(p ** (depths.depth - 1.0) / depths.depth, depths.query, len(depths.longer))
    return depths.overlap, (1 - p) * depths.last_overlap * (-np.log1p(-p) / p - known)


def _highest(depths: _Depths, p: float) -> tuple[Floats, Floats]:
    """As `_extrapolated`, if the unseen ranks share all they can: first what the other list has, then the same."""
    both = depths.last_overlap
    # One document more of each list is found in the other at every depth, until all are shared at this one.
    complete = (depths.longer + depths.shorter - both).astype(np.int64)
    starts = starts_of(complete - depths.longer)
    query = np.repeat(np.arange(len(both)), np.diff(starts))
    depth = depths.longer[query] + positions(starts) + 1
    shares = (2 * depth - depths.longer[query] - depths.shorter[query] + both[query]) / depth
    rising = sums(shares * p ** (depth - 1.0), query, len(both))
    return depths.overlap + depths.best_alone, (1 - p) * rising + p**complete
