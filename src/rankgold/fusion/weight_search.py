"""A function of weights in, the best weights out: every point of a grid, or one weight after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from math import comb

from rankgold.errors import FusionError

Point = tuple[float, ...]
"""The weights of the runs, which add up to 1."""

Objective = Callable[[Sequence[Point]], Sequence[float]]
"""How good each of some points is; the highest value is the best."""

_MOST_POINTS = 20_000
_ROUNDS = 20
_LEAST_GAIN = 1e-12


def rounded(weights: Sequence[float]) -> Point:
    """The weights with 12 decimals, so that two ways to the same point meet."""
    return tuple(round(weight, 12) for weight in weights)


def weight_grid(runs: int, steps: int) -> list[Point]:
    """All weights that are multiples of 1 / steps and add up to 1; those nearest to the same for all come first.

    >>> weight_grid(2, 2)
    [(0.5, 0.5), (0.0, 1.0), (1.0, 0.0)]
    """
    size = comb(steps + runs - 1, runs - 1)
    if size > _MOST_POINTS:
        raise FusionError(
            f"the grid of {runs} runs in {steps} steps has {size:,} points, more than {_MOST_POINTS:,}."
            " Use search='ascent', or a larger step."
        )
    points = []
    # Bars among steps: in * | * * the weights are 1/3 and 2/3.
    for bars in combinations(range(steps + runs - 1), runs - 1):
        edges = (-1, *bars, steps + runs - 1)
        points.append(rounded([(high - low - 1) / steps for low, high in pairwise(edges)]))
    return sorted(points, key=lambda point: (round(sum(weight**2 for weight in point), 9), point))


def best_of_grid(objective: Objective, runs: int, steps: int) -> Point:
    """The best point of the grid; of several, the one nearest to the same weight for all."""
    points = weight_grid(runs, steps)
    values = objective(points)
    return points[_first_best(values)]


def ascend(objective: Objective, runs: int, steps: int) -> Point:
    """Coordinate ascent: from the same weight for all, one weight after the other takes its best value.

    The other weights keep their proportions. It ends when a round over all runs gains nothing.
    """
    best = rounded([1 / runs] * runs)
    (value,) = objective([best])
    for _ in range(_ROUNDS):
        before = value
        for run in range(runs):
            trials = [_moved(best, run, step / steps) for step in range(steps + 1)]
            values = objective(trials)
            top = _first_best(values)
            if values[top] > value + _LEAST_GAIN:
                best, value = trials[top], values[top]
        if value <= before + _LEAST_GAIN:
            break
    return best


def _moved(point: Point, run: int, weight: float) -> Point:
    """The point with another weight for one run."""
    rest = sum(point) - point[run]
    others = [other / rest if rest else 1 / (len(point) - 1) for other in point]
    return rounded([weight if at == run else other * (1 - weight) for at, other in enumerate(others)])


def _first_best(values: Sequence[float]) -> int:
    """The position of the highest value. Values that differ by rounding are the same."""
    top = max(values)
    return next(at for at, value in enumerate(values) if value >= top - _LEAST_GAIN)
