"""Stores what documents are worth to subtopics, and lists the rows of measures of diversity.

A query such as "jaguar" has subtopics, the car and the animal, and a document may be relevant to several of them.

Without subtopics in the judgements, each query is one subtopic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import (
    Bools,
    Floats,
    Ints,
    changes,
    positions,
    products_before,
    ranges,
    starts_at,
    starts_of,
    sums,
)


@dataclass(frozen=True, slots=True, eq=False)
class Subtopics:
    """The grades of judged documents for subtopics. Document i has `starts[i]:starts[i + 1]`.

    In miniature: document 0 has grade 1 for the car, document 1 has grade 2 for the car and 0 for the animal. Then
    starts are 0 1 3, numbers 0 0 1, grades 1 2 0, and names car, animal.
    """

    starts: Ints
    number: Ints
    """The subtopic of each entry. It rises within a document, and no two queries share a number."""
    grade: Floats
    names: Sequence[str]
    """The name of each subtopic, by its number."""
    weight: Floats
    """The weight of each subtopic, by its number."""
    place: Ints
    """The place of each document where the greedy ideal order has a choice: by id, from the last to the first."""

    @property
    def are_shared(self) -> bool:
        """Whether a document is judged for several subtopics."""
        return len(self.number) > len(self.place)

    def entries(self, documents: Ints) -> tuple[Ints, Ints]:
        """The entries of these documents, and for each entry the position of its document among them."""
        lengths = self.starts[documents + 1] - self.starts[documents]
        of = np.repeat(np.arange(len(documents)), lengths)
        return ranges(self.starts[documents], lengths), of

    def take(self, documents: Ints) -> Subtopics:
        """These documents and their subtopics, both numbered from 0."""
        at, of = self.entries(documents)
        lengths = np.bincount(of, minlength=len(documents))
        known, number = np.unique(self.number[at], return_inverse=True)
        names = [self.names[i] for i in known.tolist()]
        return Subtopics(starts_of(lengths), number, self.grade[at], names, self.weight[known], self.place[documents])

    def kinds(self, documents: Ints) -> Ints:
        """A number for each of these documents, which is the same for documents with the same entries."""
        known: dict[bytes, int] = {}
        ranges = [slice(self.starts[i], self.starts[i + 1]) for i in documents.tolist()]
        keys = [self.number[at].tobytes() + self.grade[at].tobytes() for at in ranges]
        return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)

    @classmethod
    def join(cls, parts: Sequence[Subtopics]) -> Subtopics:
        """The documents of all parts, one part after the other."""
        first = starts_of(np.array([len(part.names) for part in parts]))
        return cls(
            starts_of(np.concatenate([np.diff(part.starts) for part in parts])),
            np.concatenate([part.number + offset for part, offset in zip(parts, first, strict=False)]),
            np.concatenate([part.grade for part in parts]),
            [name for part in parts for name in part.names],
            np.concatenate([part.weight for part in parts]),
            np.concatenate([part.place for part in parts]),
        )

    @classmethod
    def single(cls, query: Ints, grade: Floats) -> Subtopics:
        """One subtopic for each query, to which a document is worth its grade."""
        numbers, number = np.unique(query, return_inverse=True)
        count = len(query)
        return cls(np.arange(count + 1), number, grade, [""] * len(numbers), np.ones(len(numbers)), np.arange(count))


def greedy_ranks(query: Ints, document: Ints, subtopic: Ints, worth: Floats, kept: Floats, depth: int | None) -> Ints:
    """The rank of each document in greedy order, highest gain next; 0 if it is not reached.

    Rows are pairs of a document and a subtopic, sorted by document; `query` is that of each document, and rises.
    `worth` is what the first document is worth to the subtopic, and `kept` the share that is left for the next one. Of
    documents with the same gain, the first is taken. A document without a gain has no rank.

    In miniature: A is worth 1 to the subtopics 0 and 1, B to 0, C to 2, and half is left for the next one. The gains
    are 2, 1 and 1, so A is first. Then B is worth 1/2 and C still 1, so C is second.
    """
    rank = np.zeros(len(query), dtype=np.int64)
    left = np.ones(int(subtopic.max(initial=-1)) + 1)
    step = 0
    while len(document) and (depth is None or step < depth):
        step += 1
        gain = np.bincount(document, weights=worth * left[subtopic], minlength=len(query))
        # The documents that are still there, and where those of each query start.
        here = document[changes(document)]
        is_first = changes(query[here])
        starts, of_query = np.flatnonzero(is_first), np.cumsum(is_first) - 1
        best = np.maximum.reduceat(gain[here], starts)
        is_best = np.flatnonzero(gain[here] == best[of_query])
        _, first = np.unique(of_query[is_best], return_index=True)
        chosen = here[is_best[first]][best > 0]
        rank[chosen] = step
        is_chosen = rank[document] > 0
        left[subtopic[is_chosen]] *= kept[is_chosen]
        goes_on = ~is_chosen & (best > 0)[np.searchsorted(query[here[starts]], query[document])]
        document, subtopic, worth, kept = document[goes_on], subtopic[goes_on], worth[goes_on], kept[goes_on]
    return rank


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
