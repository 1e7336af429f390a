"""Sorts documents only down to the cutoff that a measure asks for.

Arrays hold a score and a grade for every document, so every document is a hit, and sorting them is most of the work. A
measure with a cutoff needs only the top: for ndcg@10 of 1,000 documents, the 10th highest score is found without a full
sort, the documents that reach it are selected (10, or more if some are tied), and only these are sorted.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgold.core.hits import RankedDocuments, Ranking
from rankgold.core.segments import Floats, Ints, best_first, blocks, changes, count_true, positions, starts_of
from rankgold.core.ties import TiedRanking

Numbers = NDArray[Any]
"""Integers or floats, of any width."""

# The sort that finds ties keeps so many of the highest scores of each query: most cutoffs are not deeper.
_HIGHEST = 16
_MOST_WHOLE = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class ScoredDocuments:
    """Grades and scores, query by query."""

    grade: Numbers
    score: Numbers
    starts: Ints

    def __getitem__(self, row: int) -> int:
        """A document's id: its position in its query."""
        return row - int(self.starts[np.searchsorted(self.starts, row, side="right") - 1])

    def at_least(self, rel: float) -> Ints:
        """The number of documents of grade `rel` or better of each query."""
        is_whole = self.grade.dtype.kind in "iu" and math.isfinite(rel)
        lowest = math.ceil(rel) if is_whole else np.float64(rel)
        return count_true(self.grade >= lowest, self.starts)

    def sort(self, rows: Ints, by: Numbers, *, later_first: bool = False) -> tuple[Ranking, Floats]:
        """The documents of these ascending rows, sorted by their values, and the values."""
        starts = np.searchsorted(rows, self.starts)
        values = by[rows].astype(np.float64)
        order = best_first(values, starts, later_first=later_first)
        return self.ranked(rows[order], starts), values[order]

    def ranked(self, rows: Ints, starts: Ints) -> Ranking:
        """The ranking with these rows in this order."""
        query = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        grade = self.grade[rows].astype(np.float64)
        return Ranking(query, positions(starts) + 1, grade, len(starts) - 1, rows, self)

    @property
    def tied(self) -> int:
        """The number of documents that share their score with another one of their query."""
        return self._tied_and_highest[0]

    @property
    def highest(self) -> list[Numbers]:
        """The highest scores of each query, ascending: a matrix for each block."""
        return self._tied_and_highest[1]

    @cached_property
    def _tied_and_highest(self) -> tuple[int, list[Numbers]]:
        count, highest = 0, []
        for block in blocks(self.starts):
            ordered = np.sort(block.of(self.score, _lowest(self.score)), axis=1)
            highest.append(ordered[:, -_HIGHEST:].copy())
            same = ordered[:, 1:] == ordered[:, :-1]
            if same.any() and (same := same & block.real[:, :0:-1]).any():
                beside = np.pad(same, ((0, 0), (1, 1)))
                count += int(np.count_nonzero(beside[:, 1:] | beside[:, :-1]))
        return count, highest


@dataclass(frozen=True, eq=False)
class LazyRanking(RankedDocuments, ABC):
    """A ranking of scored documents."""

    documents: ScoredDocuments

    @abstractmethod
    def first(self, k: int | None) -> Ranking:
        """The documents at rank k or better."""

    @cached_property
    def whole(self) -> Ranking:
        return self.first(None)

    def top(self, k: int | Ints | None) -> Ranking:
        return self.whole.top(k) if isinstance(k, np.ndarray) else self.first(k)

    def at_least(self, rel: float) -> Ints:
        return self.documents.at_least(rel)


@dataclass(frozen=True, eq=False)
class LazySystemRanking(LazyRanking):
    """The system's ranking: by score, and by position where scores are equal."""

    later_first: bool

    def first(self, k: int | None) -> Ranking:
        scores, starts = self.documents.score, self.documents.starts
        rows = _best_rows(scores, starts, k, self.documents.highest)
        ranking, score = self.documents.sort(rows, scores, later_first=self.later_first)
        return replace(ranking, score=score).top(k)


def tied_ranking(documents: ScoredDocuments) -> TiedRanking:
    """The system's ranking where the orders of documents with the same score are averaged."""
    ranking, score = documents.sort(np.arange(len(documents.score)), documents.score)
    new = changes(ranking.query, score)
    group = np.cumsum(new) - 1
    return TiedRanking(replace(ranking, rank=ranking.rank[new][group], score=score), np.bincount(group)[group])


@dataclass(frozen=True, eq=False)
class LazyIdealRanking(LazyRanking):
    """The ideal ranking: by grade, and the earlier of two documents with the same grade first."""

    def first(self, k: int | None) -> Ranking:
        grade, starts = self.documents.grade, self.documents.starts
        rows = _best_rows_in_order(grade, starts, k)
        if rows is None:
            return self.documents.sort(_best_rows(grade, starts, k), grade)[0].top(k)
        lengths = np.diff(starts)
        return self.documents.ranked(rows, starts_of(lengths if k is None else np.minimum(lengths, k)))


def _best_rows(values: Numbers, starts: Ints, k: int | None, highest: list[Numbers] | None = None) -> Ints:
    """The ascending rows of the k highest values of each group, and of all values that equal the k-th.

    `highest` holds values of each block that are sorted already.
    """
    if k is None:
        return np.arange(len(values))
    chosen = []
    for i, block in enumerate(blocks(starts)):
        width = block.real.shape[1]
        if k >= width:
            chosen.append(block.entries(block.real))
            continue
        matrix = block.of(values, _lowest(values))
        if highest is not None and k <= _HIGHEST:
            last = highest[i][:, -k, None]
        else:
            last = np.partition(matrix, width - k, axis=1)[:, width - k, None]
        chosen.append(block.entries(matrix >= last))
    rows = np.concatenate(chosen) if chosen else np.zeros(0, dtype=np.int64)
    return rows if (rows[1:] > rows[:-1]).all() else np.sort(rows)


def _best_rows_in_order(grade: Numbers, starts: Ints, k: int | None) -> Ints | None:
    """The rows of the k highest grades of each group, best first, equal grades in their order; None if not applicable.

    Small whole grades are combined with the position into one integer, since sorting integers is fast. In miniature:
    grades 1 3 1 at the positions 0 1 2 become the keys 1*3 + 2, 3*3 + 1, 1*3 + 0 = 5 10 3. Sorted down, 10 5 3, they
    give back the positions 2 - key % 3: 1 0 2.
    """
    if not len(grade):
        return None
    lengths = np.diff(starts)
    lowest, highest, longest = int(grade.min()), int(grade.max()), int(lengths.max())
    if max(-lowest, highest, (highest - lowest + 1) * longest) > _MOST_WHOLE:
        return None
    if grade.dtype.kind == "f" and not np.array_equal(grade, grade := grade.astype(np.int32)):
        return None
    chosen = []
    for block in blocks(starts):
        width = block.real.shape[1]
        keys = (block.of(grade, lowest).astype(np.int64) - lowest).astype(np.int32)
        keys *= width
        keys += np.arange(width - 1, -1, -1, dtype=np.int32)
        keys.sort(axis=1)
        chosen.append(block.ordered(width - 1 - keys[:, ::-1][:, :k] % width))
    rows = np.concatenate(chosen)
    if (lengths == longest).all():
        return rows
    return rows[np.argsort(np.searchsorted(starts, rows, side="right"), kind="stable")]


def _lowest(values: Numbers) -> float:
    return np.iinfo(values.dtype).min if values.dtype.kind in "iu" else -np.inf
