"""Finds the weights that fuse best, by grid or ascent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import combinations, pairwise
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankgold.core.document import Document, ResultTable, check_digits
from rankgold.core.errors import FusionError, MeasureError, brief
from rankgold.core.result import Result, known_number
from rankgold.core.segments import Bools, Floats
from rankgold.data.inputs import read
from rankgold.engines.request import Request, read_here
from rankgold.fusion import Search
from rankgold.fusion.fused_run import FusionSettings, read_rows, top
from rankgold.fusion.registry import QueryFolds, of_fused, run_frame, weighted_methods
from rankgold.judging.candidates import Candidates
from rankgold.scoring.evaluation import evaluated
from rankgold.scoring.scorer import measures_by_label

if TYPE_CHECKING:
    from rankgold.measures.metric import Measure


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
    rest = sum(point) - point[run]
    others = [other / rest if rest else 1 / (len(point) - 1) for other in point]
    return rounded([weight if at == run else other * (1 - weight) for at, other in enumerate(others)])


def _first_best(values: Sequence[float]) -> int:
    """The position of the highest value. Values that differ by rounding are the same."""
    top = max(values)
    return next(at for at, value in enumerate(values) if value >= top - _LEAST_GAIN)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LearnedWeights(Result):
    """The weights that fuse runs best, and the cross-validated score of the fused run."""

    method: str
    norm: str
    measure: str
    weights: dict[str, float]
    """Run -> weight, learned from all judged queries: for queries to come."""
    score: float
    """The cross-validated value of the measure: each query uses weights learned from the other folds."""
    training_score: float
    """The value with `weights` on the queries they were learned from, which is too optimistic."""
    alone: dict[str, float]
    """Run -> its value without fusion."""
    folds: tuple[dict[str, float], ...]
    """The weights for the queries of each fold, learned from the other folds."""
    fused: pl.DataFrame
    """The cross-validated run: query, document, score. It can be evaluated and compared with the same judgements."""

    @property
    def frame(self) -> pl.DataFrame:
        """A Polars frame: run, weight, alone (its value without fusion)."""
        rows = [(name, weight, self.alone[name]) for name, weight in self.weights.items()]
        return pl.DataFrame(rows, schema={"run": pl.String, "weight": pl.Float64, "alone": pl.Float64}, orient="row")

    def to_dict(self) -> dict[str, Any]:
        """Everything but the fused run."""
        parts = {part.name: getattr(self, part.name) for part in fields(self) if part.name != "fused"}
        return {**parts, "score": known_number(self.score), "training_score": known_number(self.training_score)}

    def document(self, digits: int = 4) -> Document:
        """The weight of each run and its value alone, and below them the values of the fused run."""
        digits = check_digits(digits)
        table = ResultTable(["run", "weight", f"{self.measure} alone"], self.frame.rows(), "lrr", digits=digits, keys=1)
        facts = [("method", f"{self.method}, norm {self.norm}"), (self.measure, self._fused_sentence(digits))]
        return Document([table], facts=facts)

    def _fused_sentence(self, digits: int) -> str:
        return (
            f"of the fused run: {self.score:.{digits}f} on queries that did not teach the weights"
            f" ({len(self.folds)} folds), {self.training_score:.{digits}f} on those that did"
        )

    def __str__(self) -> str:
        """The same in three lines."""
        weights = ", ".join(f"{name} {weight:.3g}" for name, weight in self.weights.items())
        alone = ", ".join(f"{name} {value:.4f}" for name, value in self.alone.items())
        fused = f"{self.measure} {self._fused_sentence(4)}"
        return f"weights of {self.method}: {weights}\n{fused}\n{self.measure} of each run alone: {alone}"


@dataclass(frozen=True, slots=True)
class WeightSearch:
    """How weights are searched for, and how the queries are divided that teach them."""

    search: Search
    step: float
    folds: int
    seed: int


def learned(
    request: Request, measure: str | Measure, settings: FusionSettings, chosen: WeightSearch, depth: int | None
) -> LearnedWeights:
    """The weights with which a method fuses the runs of a request best."""
    if not settings.method.is_weighted:
        name = settings.method.name
        raise FusionError(f"{name} has no weights to learn. Methods with weights: {weighted_methods()}.")
    step = chosen.step
    if isinstance(step, bool) or not isinstance(step, (int, float)) or not 0 < step <= 0.5:
        raise FusionError(f"step must be a number above 0, up to 0.5, not {brief(step)}.")
    steps = round(1 / step)
    if chosen.search not in ("ascent", "grid"):
        raise FusionError(f"search must be one of ascent, grid, not {brief(chosen.search)}.")
    request = read_here(request)
    policy = request.policy
    candidates = settings.candidates(read_rows(request), policy.ties)
    values = _QueryValues(replace(request, policy=replace(policy, depth=depth)), candidates, settings, measure)
    alone = values.of_runs()
    divided = QueryFolds.of(values.queries, chosen.folds, chosen.seed)
    request.report("learning weights")
    everything = np.ones(len(values.queries), dtype=bool)
    find = ascend if chosen.search == "ascent" else best_of_grid
    best, *by_fold = (
        find(partial(values.objective, teaches), len(candidates.runs), steps)
        for teaches in (everything, *divided.teaching())
    )
    held_out = np.stack(values.of_points(by_fold))[divided.fold, np.arange(len(values.queries))]
    scores = settings.scores(candidates, np.array(best))
    scores_by_fold = (settings.scores(candidates, np.array(point)) for point in by_fold)
    return LearnedWeights(
        settings.method.name,
        settings.norm,
        values.label,
        dict(zip(candidates.names, best, strict=True)),
        values.aggregate(held_out),
        values.aggregate(values.of_points([best])[0]),
        alone,
        tuple(dict(zip(candidates.names, point, strict=True)) for point in by_fold),
        top(candidates.frame(divided.held_out(candidates, scores, scores_by_fold), policy.ties), depth),
    )


class _QueryValues:
    """The value of the measure for each judged query, with any weights; each point is computed once."""

    def __init__(
        self, request: Request, candidates: Candidates, settings: FusionSettings, measure: str | Measure
    ) -> None:
        wanted = measures_by_label(measure, rel=request.rel, dialect=request.policy.dialect)
        if len(wanted) > 1:
            raise MeasureError(f"Weights are learned for one measure, not {len(wanted)}: {', '.join(wanted)}.")
        ((self.label, self._measure),) = wanted.items()
        self._qrels = read(request.qrels, "qrels", request.columns, request.policy.repeats)
        self._request, self._candidates, self._settings = request, candidates, settings
        self._known: dict[Point, Floats] = {}
        self.queries: list[Any] = []

    def aggregate(self, values: Floats) -> float:
        return float(self._measure.metric.aggregate(values))

    def objective(self, chosen: Bools, points: Sequence[Point]) -> list[float]:
        """How good each point is in the chosen queries."""
        sign = 1 if self._measure.higher_is_better else -1
        values = [sign * self.aggregate(values[chosen]) for values in self.of_points(points)]
        return [-np.inf if np.isnan(value) else value for value in values]

    def of_points(self, points: Sequence[Point]) -> list[Floats]:
        unknown = [point for point in dict.fromkeys(points) if point not in self._known]
        frames = {str(number): self._frame(point) for number, point in enumerate(unknown)}
        self._known.update(zip(unknown, self._evaluated(frames), strict=True))
        return [self._known[point] for point in points]

    def of_runs(self) -> dict[str, float]:
        """Run -> the value of the measure without fusion."""
        frames = (run_frame(self._candidates, run) for run in self._candidates.runs)
        names = self._candidates.names
        evaluated = self._evaluated(dict(zip(names, frames, strict=True)))
        return dict(zip(names, map(self.aggregate, evaluated), strict=True))

    def _frame(self, point: Point) -> pl.DataFrame:
        return pl.DataFrame(
            {
                "query": self._candidates.queries.gather(self._candidates.query),
                "document": self._candidates.documents,
                "score": self._settings.scores(self._candidates, np.array(point)),
            }
        )

    def _evaluated(self, runs: dict[str, pl.DataFrame]) -> list[Floats]:
        """The values of the queries for each run."""
        if not runs:
            return []
        scores = evaluated(of_fused(self._request, self._qrels, runs), [self._measure])
        parts = [scores.run_scores(name) for name in runs]
        self.queries = list(parts[0].queries)
        return [values for run in parts for values in run.values.values()]
