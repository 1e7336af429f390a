"""Lists the assignments of grades that can be extreme.

An assignment is an array with a grade for each document; NaN is a document that stays unjudged. Each one is about all
queries at once: the first has the first assignment of every query, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Literal

import numpy as np

from rankgold.core.segments import Bools, Floats, Ints, positions, starts_of
from rankgold.judging.open_documents import LAST_RANK, OpenRun

MOST = 1001
"""The most assignments to try per query: all staircases of 10 documents and 4 grades."""

FEW = 201
"""The most if bounds cover what is left out: up to 200 documents, relevant or not."""

# Counts of relevant documents that are all tried; larger ones are some per cent apart.
SMALL_COUNTS = 64
STEP = 1.05


Side = Literal["best", "worst"]
SIDES: tuple[Side, ...] = ("best", "worst")


@dataclass(frozen=True, slots=True, eq=False)
class Assignments:
    """All assignments of one kind."""

    grades: Iterator[Floats]
    is_complete: Bools
    """For which queries no assignment is left out."""
    count: int


def ends(run: OpenRun, highest: float) -> Assignments:
    """All open documents unjudged, all not relevant, all of the highest grade."""
    chosen = (np.nan, 0.0, highest)
    return Assignments((np.where(run.is_open, grade, run.grade) for grade in chosen), np.ones(len(run), dtype=bool), 3)


def one_relevant(run: OpenRun, lowest: float, highest: float) -> Assignments:
    """The ends; and one open document of the lowest grade above 0, with all others unjudged, or not relevant.

    This is for queries that are left out unless they have such a document.
    """
    rows, count = run.open_rows, run.open_counts
    is_complete = 2 * count + 3 <= MOST
    place, longest = positions(starts_of(count)), int(count[is_complete].max(initial=0))

    def grades() -> Iterator[Floats]:
        yield from ends(run, highest).grades
        for i in range(longest):
            for others in (np.nan, 0.0):
                grade = run.grade.copy()
                grade[rows] = np.where(place == np.minimum(i, count[run.query[rows]] - 1), lowest, others)
                yield grade

    return Assignments(grades(), is_complete, 3 + 2 * longest)


def staircases(
    run: OpenRun,
    levels: tuple[float, ...],
    k: int | None,
    side: Side,
    *,
    most: int = MOST,
    thinned: bool = False,
) -> Assignments:
    """Assignments in which grades fall from rank to rank (best) or rise (worst).

    `levels` are the grades above 0, ascending. Documents below rank k, or not in the list, are not relevant (best), or
    of the highest grade (worst). In miniature: three open documents and one grade have the staircases 000 100 110 111,
    or 000 001 011 111. With `thinned`, large numbers of relevant documents are left out, and only one grade is used.
    """
    inside, outside = _split(run, k)
    query = run.query[inside]
    count = np.bincount(query, minlength=len(run))
    sizes = np.unique(count).tolist()
    if thinned:
        levels = levels[-1:]
        tables = {n: _some_counts(n) for n in sizes}
    else:
        tables = {n: _staircases(n, len(levels)) for n in sizes if comb(n + len(levels), n) <= most}
    place = _places(query, count, side)
    base = run.grade.copy()
    base[outside] = np.nan if side == "best" else levels[-1]
    known = np.array([np.nan, *levels])
    longest = max(map(len, tables.values()), default=0)

    def grades() -> Iterator[Floats]:
        for i in range(longest):
            # How many documents have each grade or a higher one, query by query.
            steps = np.zeros((len(run), len(levels)), dtype=np.int64)
            for n, table in tables.items():
                steps[count == n] = table[min(i, len(table) - 1)]
            grade = base.copy()
            grade[inside] = known[(place[:, None] < steps[query]).sum(axis=1)]
            yield grade

    return Assignments(grades(), np.isin(count, list(tables)), longest)


def grids(run: OpenRun, highest: float, side: Side) -> Assignments:
    """Staircases of one grade, with each number of relevant documents that are not in the list."""
    inside, outside = _split(run, None)
    found, missed = (np.bincount(run.query[rows], minlength=len(run)) for rows in (inside, outside))
    is_complete = (found + 1) * (missed + 1) <= MOST
    place, other_place = _places(run.query[inside], found, side), positions(starts_of(missed))
    longest = int(((found + 1) * (missed + 1))[is_complete].max(initial=0))

    def grades() -> Iterator[Floats]:
        for i in range(longest):
            of_found, of_missed = np.divmod(i, missed + 1)
            grade = run.grade.copy()
            grade[inside] = np.where(place < of_found[run.query[inside]], highest, np.nan)
            grade[outside] = np.where(other_place < of_missed[run.query[outside]], highest, np.nan)
            yield grade

    return Assignments(grades(), is_complete, longest)


def every_assignment(run: OpenRun, grades: tuple[float, ...]) -> Assignments:
    """Each open document unjudged or with each of these grades."""
    options = np.array([np.nan, *grades])
    rows, count = run.open_rows, run.open_counts
    is_complete = float(len(options)) ** np.minimum(count, 100) <= MOST
    most = int(count[is_complete].max(initial=0))
    place = positions(starts_of(count))

    def graded() -> Iterator[Floats]:
        for i in range(len(options) ** most):
            grade = run.grade.copy()
            grade[rows] = options[i // len(options) ** np.minimum(place, most) % len(options)]
            yield grade

    return Assignments(graded(), is_complete, len(options) ** most)


def _split(run: OpenRun, k: int | None) -> tuple[Ints, Ints]:
    """The open documents in the list down to rank k, by query and rank; and all others, by query."""
    rows = run.open_rows
    is_inside = run.rank[rows] <= (LAST_RANK if k is None else k)
    return rows[is_inside], rows[~is_inside]


def _places(query: Ints, count: Ints, side: Side) -> Ints:
    """The place of each document among those of its query, from 0: counted from the top (best) or the end (worst)."""
    place = positions(starts_of(count))
    return count[query] - 1 - place if side == "worst" else place


@cache
def _staircases(documents: int, levels: int) -> Ints:
    """For each staircase, how many documents have each level or a higher one."""
    steps = list(combinations_with_replacement(range(documents, -1, -1), levels))
    return np.array(steps, dtype=np.int64).reshape(len(steps), levels)


@cache
def _some_counts(documents: int) -> Ints:
    """Numbers of relevant documents from 0 to all, ascending."""
    counts = list(range(min(documents, SMALL_COUNTS) + 1))
    while counts[-1] < documents:
        counts.append(min(documents, int(counts[-1] * STEP) + 1))
    return np.array(counts, dtype=np.int64)[:, None]
