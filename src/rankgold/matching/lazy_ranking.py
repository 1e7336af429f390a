"""Documents that are all judged and all scored, as in arrays: ranked only as far down as a measure looks."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgold.hits import LateRanking, Ranking
from rankgold.kernels.segments import Floats, Ints, best_first, blocks, counts, positions, starts_of
from rankgold.matching.ranks import Places

Numbers = NDArray[Any]
"""Integers or floats, of any width."""


# So many of the highest scores of each query are kept from the sort that finds ties: most cutoffs are no deeper.
_HIGHEST = 16
_MOST_WHOLE = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class Scored:
    """Grades and scores side by side, one query's documents after the other's."""

    grade: Numbers
    score: Numbers
    starts: Ints

    def __getitem__(self, row: int) -> int:
        """A document's id: its position in its query."""
        return row - int(self.starts[np.searchsorted(self.starts, row, side="right") - 1])

    def at_least(self, rel: float) -> Ints:
        """How many documents of grade `rel` or better each query has."""
        lowest = math.ceil(rel) if self.grade.dtype.kind in "iu" else np.float64(rel)
        return counts(self.grade >= lowest, self.starts)

    def ranking(self, rows: Ints, by: Numbers, *, later_first: bool = False) -> tuple[Ranking, Floats]:
        """The documents of these rows, which ascend, ranked by their values, and those."""
        starts = np.searchsorted(rows, self.starts)
        values = by[rows].astype(np.float64)
        order = best_first(values, starts, later_first=later_first)
        return self.in_order(rows[order], starts), values[order]

    def in_order(self, rows: Ints, starts: Ints) -> Ranking:
        """The ranking of documents whose rows are given in its order."""
        query = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        grade = self.grade[rows].astype(np.float64)
        return Ranking(query, positions(starts) + 1, grade, len(starts) - 1, rows, self)

    @property
    def tied(self) -> int:
        """How many documents have the score of another one of their query."""
        return self._tied_and_highest[0]

    @property
    def highest(self) -> list[Numbers]:
        """The highest scores of each query, ascending, a matrix for each of the blocks."""
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
class ByScore(LateRanking):
    """The system's ranking."""

    of: Scored
    rule: str
    """The policy's for documents of equal score."""

    def top(self, k: int | Ints | None) -> Ranking:
        if isinstance(k, np.ndarray):
            return self.whole.top(k)
        rows = _best(self.of.score, self.of.starts, k, self.of.highest)
        ranking, score = self.of.ranking(rows, self.of.score, later_first=self.rule == "descending")
        ranking = replace(ranking, score=score)
        if self.rule == "average":
            ranking = _averaged(ranking, score)
        return ranking.top(k)

    def at_least(self, rel: float) -> Ints:
        return self.of.at_least(rel)


def _averaged(ranking: Ranking, score: Floats) -> Ranking:
    """The ranking with documents of equal score at all ranks that they share."""
    new = np.ones(len(score), dtype=bool)
    new[1:] = (score[1:] != score[:-1]) | (ranking.query[1:] != ranking.query[:-1])
    if new.all():
        return ranking
    group = np.cumsum(new) - 1
    return Places(ranking.rank[new][group] - 1, np.bincount(group)[group], None).ranking(ranking)


@dataclass(frozen=True, eq=False)
class ByGrade(LateRanking):
    """The ideal ranking; of documents of equal grade the earlier one stands first."""

    of: Scored

    def top(self, k: int | Ints | None) -> Ranking:
        if isinstance(k, np.ndarray):
            return self.whole.top(k)
        grade, starts = self.of.grade, self.of.starts
        rows = _best_in_order(grade, starts, k)
        if rows is None:
            return self.of.ranking(_best(grade, starts, k), grade)[0].top(k)
        lengths = np.diff(starts)
        return self.of.in_order(rows, starts_of(lengths if k is None else np.minimum(lengths, k)))

    def at_least(self, rel: float) -> Ints:
        return self.of.at_least(rel)


def _best(values: Numbers, starts: Ints, k: int | None, highest: list[Numbers] | None = None) -> Ints:
    """The rows of the k highest values of each group, ascending, and of all that equal the last of them.

    `highest` are values of each block that are sorted already.
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


def _best_in_order(grade: Numbers, starts: Ints, k: int | None) -> Ints | None:
    """The rows of the k highest grades of each group, best first and equal ones as they stand; None if not known so.

    Of small whole grades, each makes one whole number with the document's place, and plain numbers are sorted fast.
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
