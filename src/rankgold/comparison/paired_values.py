"""Aligns the values of runs query by query; draws signs and samples of units from a seed.

Only the raw words of the generator are used: NumPy promises that these never change, and does not promise it of what
its other functions make of them. Draws come in chunks, so that a hundred thousand of them need little memory.

In miniature: the differences 0.1 and 0.3 of user A and 0.2 of user B are units with the sums 0.4 and 0.2 and the sizes
2 and 1. The mean is (0.4 + 0.2) / (2 + 1) = 0.2. A weight multiplies the value of a query and its size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from rankgold.core.errors import ComparisonError, MissingDependency, listing
from rankgold.core.segments import Floats, Ints
from rankgold.measures.metric import GEOMETRIC_MEAN, Measure
from rankgold.scoring.scores import Scores

ROUNDING = 1e-12
"""Numbers that differ by at most this share of their sum are equal: they were added in another order."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitSums:
    """The sums to compare: a column for each pair of runs and measure."""

    sums: Floats
    """(unit, column): the sum of the unit's values, times their weights."""
    sizes: Floats
    """(unit, column): the sum of the weights of the unit's values; 0 if all are undefined."""
    values: Floats
    """(query, column): the values themselves, NaN where one is undefined."""

    @classmethod
    def of(cls, values: Floats, weights: Floats | None = None, clusters: Ints | None = None) -> UnitSums:
        """Units of a matrix (query, column); `clusters` has the number of each query's unit, from 0."""
        is_known = ~np.isnan(values)
        sizes = is_known if weights is None else is_known * weights[:, None]
        sums = np.where(is_known, values, 0.0) * sizes
        sizes = sizes.astype(np.float64)
        if clusters is not None:
            count = int(clusters.max(initial=-1)) + 1
            sums, sizes = (_by_cluster(part, clusters, count) for part in (sums, sizes))
        return cls(sums, sizes, values)

    def __len__(self) -> int:
        return len(self.sums)

    @property
    def means(self) -> Floats:
        """The weighted mean of each column; NaN if it has no value."""
        with np.errstate(invalid="ignore"):
            means: Floats = self.sums.sum(axis=0) / self.sizes.sum(axis=0)
        return means

    @property
    def rounding(self) -> Floats:
        """How far the means of samples of a column may differ by rounding alone."""
        with np.errstate(invalid="ignore"):
            rounding: Floats = ROUNDING * np.abs(self.sums).sum(axis=0) / self.sizes.sum(axis=0)
        return rounding

    def known(self, column: int) -> Floats:
        """The values of a column that are defined."""
        values = self.values[:, column]
        known: Floats = values[~np.isnan(values)]
        return known


def tied_but_for_rounding(values: Floats, unseen: float) -> Floats:
    """The values, where runs of values in steps of at most `unseen` all become the least of them.

    In miniature: 0.8 - 0.7 is 0.10000000000000009, and 0.1 - 0 is 0.1. Ranks of differences have to see a tie.
    """
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    is_first = np.diff(ascending, prepend=-np.inf) > unseen
    tied = np.empty(len(values))
    tied[order] = ascending[is_first][np.cumsum(is_first) - 1]
    return tied


def _by_cluster(part: Floats, clusters: Ints, count: int) -> Floats:
    result = np.zeros((count, part.shape[1]))
    np.add.at(result, clusters, part)
    return result


_HUGE = 1e100


@dataclass(frozen=True, slots=True, eq=False)
class AlignedValues:
    """The values of several runs for the same queries."""

    queries: list[str]
    values: dict[tuple[str, str], Floats]
    """Run and label -> the values of the queries, NaN where the run has none."""

    @classmethod
    def of(cls, scores: Scores) -> AlignedValues:
        for label, measure in scores.measures.items():
            require_differences(label, measure)
        runs = [scores.run_scores(name) for name in scores.runs]
        for run in runs:
            run.require_values()
        place: dict[str, int] = {}
        for run in runs:
            for query in run.queries:
                place.setdefault(str(query), len(place))
        values: dict[tuple[str, str], Floats] = {}
        for run in runs:
            rows = np.fromiter((place[str(query)] for query in run.queries), np.int64, len(run.queries))
            for label in scores.measures:
                column = np.full(len(place), np.nan)
                column[rows] = run.values[label]
                values[run.name, label] = column
        return cls(list(place), values)

    def differences(self, label: str, a: str, b: str) -> Floats:
        """The values of b minus those of a; 0 where they are equal up to rounding."""
        return without_rounding(self.values[a, label], self.values[b, label])

    def weights(self, given: Mapping[Any, float] | None) -> Floats | None:
        """The weight of each query, such as its traffic."""
        if given is None:
            return None
        numbers = self._in_order(given, "weight")
        if not all(isinstance(number, Real) for number in numbers):
            raise ComparisonError("Weights of queries must be numbers.")
        weights = np.array(numbers, dtype=np.float64)
        if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
            raise ComparisonError("Weights of queries must be 0 or more, and not all of them 0.")
        # Only their shares count, and sums of huge ones are not finite.
        return weights / weights.max() if weights.max() > _HUGE else weights

    def clusters(self, given: Mapping[Any, Any] | None) -> Ints | None:
        """The number of each query's cluster, such as its user or session."""
        if given is None:
            return None
        names = list(map(str, self._in_order(given, "cluster")))
        number = {name: i for i, name in enumerate(dict.fromkeys(names))}
        return np.array([number[name] for name in names], dtype=np.int64)

    def _in_order(self, given: Mapping[Any, Any], what: str) -> list[Any]:
        """The given value of each query, whose id may be a number; an error if one is missing."""
        texts_last = sorted(given.items(), key=lambda item: isinstance(item[0], str))  # of "1" and 1, "1" counts
        by_text = {str(query): value for query, value in texts_last}
        for query in self.queries:
            if query not in by_text:
                there_are = f"There are {what}s for {listing(by_text, 3)}." if by_text else f"There are no {what}s."
                raise ComparisonError(f"Query {query!r} has no {what}. {there_are}")
        return [by_text[query] for query in self.queries]


def require_differences(label: str, measure: Measure) -> None:
    """Raises an error if the per-query differences do not add up to that of the measure."""
    if measure.metric.aggregate is GEOMETRIC_MEAN:
        raise ComparisonError(
            f"{label} is a geometric mean, which has no difference for each query. Compare the measure of"
            " which it is made, such as ap for gmap."
        )


def without_rounding(a: Floats, b: Floats) -> Floats:
    """b minus a, or 0 where they differ only by rounding."""
    differences = b - a
    with np.errstate(invalid="ignore"):
        differences[np.abs(differences) <= ROUNDING * np.maximum(np.abs(a), np.abs(b))] = 0.0
    return differences


# The most cells of a chunk: 16 MB.
_CELLS = 1 << 21


@dataclass(frozen=True, slots=True)
class Draws:
    """How many draws a test makes, and the seed of all of them."""

    count: int
    seed: int


def random_signs(seed: int, draws: int, units: int) -> Iterator[Floats]:
    """Matrices of zeros and ones, a row for each draw: a one keeps the sign of a unit, a zero flips it."""
    generator = np.random.PCG64(seed)
    for rows in map(len, _chunks(draws, units)):
        words = generator.random_raw(-(-rows * units // 64)).astype("<u8")
        yield np.unpackbits(words.view(np.uint8), count=rows * units).reshape(rows, units).astype(np.float64)


def all_signs(units: int) -> Iterator[Floats]:
    """As `random_signs`, for all 2**units choices of signs."""
    for numbers in _chunks(1 << units, units):
        yield (np.arange(numbers.start, numbers.stop)[:, None] >> np.arange(units) & 1).astype(np.float64)


def random_samples(seed: int, draws: int, units: int) -> Iterator[Floats]:
    """Matrices of how often each unit is in a sample of as many units with replacement, a row for each draw."""
    generator = np.random.PCG64(seed)
    for rows in map(len, _chunks(draws, units)):
        # The high half of a word, as a share of 2**32, is a random place: no unit is favoured by more than 2**-32.
        # All in the memory of the words.
        place = generator.random_raw(rows * units).reshape(rows, units)
        place >>= np.uint64(32)
        place *= np.uint64(units)
        place >>= np.uint64(32)
        place += np.arange(rows, dtype=np.uint64)[:, None] * np.uint64(units)
        cell = place.view(np.int64).ravel()
        yield np.bincount(cell, minlength=rows * units).reshape(rows, units).astype(np.float64)


def random_orders(seed: int, draws: int, units: int, systems: int) -> Iterator[Ints]:
    """Arrays of (draw, unit, system): a random order of the systems for each unit of each draw."""
    generator = np.random.PCG64(seed)
    for rows in map(len, _chunks(draws, units * systems)):
        words = generator.random_raw(rows * units * systems)
        yield np.argsort(words.reshape(rows, units, systems), axis=2)


def _chunks(draws: int, width: int) -> list[range]:
    """The numbers of the draws of each chunk."""
    most = max(_CELLS // max(width, 1), 1)
    return [range(draws)[first : first + most] for first in range(0, draws, most)]


def scipy_stats() -> Any:
    """The module `scipy.stats`; an error with the install command if SciPy is missing."""
    try:
        from scipy import stats
    except ImportError:
        raise MissingDependency("SciPy", "scipy") from None
    return stats
