"""Documents that are all judged and all scored, as in arrays: ranked only as far down as a measure looks."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.hits import LateRanking, Ranking
from karat.matching.ties import Places
from karat.segments import Floats, Ints, best_first, blocks, counts, positions

Numbers = NDArray[Any]
"""Integers or floats, of any width."""


@dataclass(frozen=True, slots=True, eq=False)
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
        rows = rows[order]
        query = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        grade = self.grade[rows].astype(np.float64)
        return Ranking(query, positions(starts) + 1, grade, len(starts) - 1, rows, self), values[order]

    @property
    def tied(self) -> int:
        """How many documents have the score of another one of their query."""
        count = 0
        for block in blocks(self.starts):
            ordered = np.sort(block.of(self.score, _lowest(self.score)), axis=1)
            same = ordered[:, 1:] == ordered[:, :-1]
            if same.any() and (same := same & block.real[:, :0:-1]).any():
                beside = np.pad(same, ((0, 0), (1, 1)))
                count += int(np.count_nonzero(beside[:, 1:] | beside[:, :-1]))
        return count


@dataclass(frozen=True, eq=False)
class ByScore(LateRanking):
    """The system's ranking."""

    of: Scored
    rule: str
    """The policy's for documents of equal score."""

    def top(self, k: int | Ints | None) -> Ranking:
        if isinstance(k, np.ndarray):
            return self.whole.top(k)
        rows = _best(self.of.score, self.of.starts, k)
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
        return self.of.ranking(_best(self.of.grade, self.of.starts, k, just=True), self.of.grade)[0]

    def at_least(self, rel: float) -> Ints:
        return self.of.at_least(rel)


def _best(values: Numbers, starts: Ints, k: int | None, *, just: bool = False) -> Ints:
    """The rows of the k highest values of each group, ascending; with all that equal the last, or just k."""
    if k is None:
        return np.arange(len(values))
    chosen = []
    for block in blocks(starts):
        width = block.real.shape[1]
        if k >= width:
            chosen.append(block.entries(block.real))
            continue
        matrix = block.of(values, _lowest(values))
        last = np.partition(matrix, width - k, axis=1)[:, width - k, None]
        if just:
            above, equal = matrix > last, matrix == last
            left = k - np.count_nonzero(above, axis=1)[:, None]
            chosen.append(block.entries(above | (equal & (np.cumsum(equal, axis=1, dtype=np.int32) <= left))))
        else:
            chosen.append(block.entries(matrix >= last))
    rows = np.concatenate(chosen) if chosen else np.zeros(0, dtype=np.int64)
    return rows if (rows[1:] > rows[:-1]).all() else np.sort(rows)


def _lowest(values: Numbers) -> float:
    return np.iinfo(values.dtype).min if values.dtype.kind in "iu" else -np.inf
