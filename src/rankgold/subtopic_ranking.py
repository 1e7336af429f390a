"""Hits in, their rows for measures of diversity out: one for each document and each subtopic that it is relevant to.

Without subtopics in the judgements, each query is one subtopic.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits, Ranking
from rankgold.kernels.segments import Bools, Floats, Ints, changes, positions, products_before, starts_at, sums
from rankgold.kernels.subtopics import Subtopics, greedy_ranks


@dataclass(frozen=True, slots=True, eq=False)
class SubtopicRows:
    """Pairs of a relevant document and a subtopic, by query, rank and subtopic."""

    of: Ranking
    """The document of each row, with its grade for the subtopic."""
    number: Ints
    """The number of the subtopic."""
    key: Ints
    """The query and the subtopic as one number."""
    weight: Floats

    def top(self, k: int | None) -> SubtopicRows:
        return self if k is None else self.keep(self.of.rank <= k)

    def keep(self, which: Bools | Ints) -> SubtopicRows:
        rows = np.flatnonzero(which) if which.dtype == bool else which
        return SubtopicRows(self.of.keep(rows), self.number[rows], self.key[rows], self.weight[rows])

    def _by_subtopic(self) -> tuple[Ints, Ints]:
        """The order with the rows of a subtopic side by side, from the top down; and where each subtopic starts."""
        order = np.argsort(self.key, kind="stable")
        return order, starts_at(changes(self.key[order]))

    @property
    def ordinal(self) -> Ints:
        """1 for the first document of a subtopic, 2 for the second."""
        order, starts = self._by_subtopic()
        ordinal = np.empty_like(order)
        ordinal[order] = positions(starts) + 1
        return ordinal

    def novelty(self, kept: Floats) -> Floats:
        """The share of each subtopic that is left by the documents above: the product of what each keeps."""
        order, starts = self._by_subtopic()
        left = np.empty(len(order))
        left[order] = products_before(kept[order], starts)
        return left

    def derivation(self, term: Floats, working: Working, norm: Floats | float, norm_is: str) -> Derivation:
        return Derivation.of_hits(self.of, term, working, norm, norm_is, subtopic=self.number)


@dataclass(frozen=True, slots=True, eq=False)
class DiverseHits:
    """Hits, with a row for each document and subtopic."""

    hits: Hits
    judged: SubtopicRows
    """All judged documents."""
    found: SubtopicRows
    """Those that the system returned."""

    @classmethod
    def of(cls, hits: Hits, rel: float, k: int | None) -> DiverseHits:
        judged = _rows(hits.ideal.whole, hits.subtopics, rel)
        return cls(hits, judged, _rows(hits.system.top(k), hits.subtopics, rel))

    @property
    def total_weight(self) -> Floats:
        """The weight of the subtopics of each query that a document is relevant to: their number, without weights."""
        _, first = np.unique(self.judged.key, return_index=True)
        return sums(self.judged.weight[first], self.judged.of.query[first], len(self.hits))

    @property
    def relevant(self) -> Floats:
        """The number of documents that are relevant to the subtopic of each row found."""
        keys, count = np.unique(self.judged.key, return_counts=True)
        return count[np.searchsorted(keys, self.found.key)].astype(np.float64)

    def best(self, worth: Floats, kept: Floats, k: int | None) -> SubtopicRows:
        """The judged documents in greedy order, each time the one with the highest gain, down to rank k.

        `worth` and `kept` are those of the rows of `judged`.
        """
        rows, subtopics = self.judged, self.hits.subtopics
        if subtopics is None:
            return rows.top(k)
        # A query may stand here several times, once for each order of tied documents. Each document is ranked once,
        # unless the orders have different documents left.
        policy = self.hits.policy
        has_own = policy.unretrieved == "dropped" and policy.depth is not None
        key = rows.of.row + rows.of.query * len(subtopics.place) if has_own else rows.of.row
        _, first, document = np.unique(key, return_index=True, return_inverse=True)
        query = rows.of.query[first]
        order = np.lexsort((subtopics.place[rows.of.row[first]], query))
        query = query[order]
        number = np.empty_like(order)
        number[order] = np.arange(len(order))
        document = number[document]
        once = np.flatnonzero(rows.of.query == query[document])
        once = once[np.lexsort((rows.number[once], document[once]))]
        subtopic = np.unique(rows.key[once], return_inverse=True)[1]
        rank = greedy_ranks(query, document[once], subtopic, worth[once], kept[once], k)[document]
        by_rank = np.lexsort((rows.number, rank, rows.of.query))
        reached = by_rank[rank[by_rank] > 0]
        best = rows.keep(reached)
        return replace(best, of=replace(best.of, rank=rank[reached], score=None))


def _rows(ranking: Ranking, subtopics: Subtopics | None, rel: float) -> SubtopicRows:
    if subtopics is None:
        relevant = ranking.relevant(rel)
        return SubtopicRows(relevant, relevant.query, relevant.query, np.ones(len(relevant)))
    at, of = subtopics.entries(ranking.row)
    is_relevant = subtopics.grade[at] >= rel
    at, of = at[is_relevant], of[is_relevant]
    number = subtopics.number[at]
    rows = replace(ranking.keep(of), grade=subtopics.grade[at])
    key = rows.query * len(subtopics.names) + number
    return SubtopicRows(rows, number, key, subtopics.weight[number])
