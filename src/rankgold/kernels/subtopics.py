"""Grades of documents for subtopics in; rows for documents and subtopics, and the greedy ideal order, out.

A query such as "jaguar" has subtopics, the car and the animal, and a document may be relevant to several of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rankgold.kernels.segments import Floats, Ints, changes, ranges, starts_of


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
