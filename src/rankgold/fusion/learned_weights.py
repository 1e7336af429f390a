"""Judgements and runs in, the weights that fuse them best out, with a score of queries that did not teach them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import polars as pl

from rankgold.data.inputs import read
from rankgold.data.parents import Parent
from rankgold.data.rows import Rows
from rankgold.errors import FusionError, MeasureError, brief
from rankgold.fusion.candidates import Candidates
from rankgold.fusion.fused_run import read_rows
from rankgold.fusion.registry import weighted_methods
from rankgold.fusion.settings import FusionSettings
from rankgold.fusion.training import QueryFolds, run_frame
from rankgold.fusion.weight_search import Point, ascend, best_of_grid
from rankgold.kernels.segments import Bools, Floats
from rankgold.output.document import Document, ResultTable
from rankgold.output.result_forms import Result, known_number
from rankgold.output.text import check_digits
from rankgold.policy import Policy
from rankgold.scoring import evaluate
from rankgold.scoring.values import measures_by_label

if TYPE_CHECKING:
    from rankgold.declaration.metric import Measure

Search = Literal["ascent", "grid"]


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


def learn_weights(
    qrels: Any,
    runs: Any,
    measure: str | Measure = "ndcg@10",
    *,
    method: str = "wsum",
    norm: str | None = None,
    search: Search = "ascent",
    step: float = 0.1,
    folds: int = 5,
    seed: int = 0,
    policy: Policy | str | None = None,
    columns: Mapping[str, str] | None = None,
    parent: Parent | None = None,
    **parameters: Any,
) -> LearnedWeights:
    """Learns the weights that maximise a measure of the fused run, with cross-validation.

    `fuse(runs, "wsum", weights=learned.weights)` then fuses the runs. `learned.score` is an honest value: the judged
    queries are divided into `folds` at random (by `seed`), and each is fused with weights that the other folds taught.
    `learned.training_score` is the value on the queries that taught the weights, which is too good.

    `search` is "ascent", one weight after the other, or "grid", all combinations. Weights are multiples of `step` that
    add up to 1; ascent scales the others, so they can be finer. `method` is wsum, wmnz, mixed, wborda or wcondorcet.
    The other arguments are those of `fuse`.

    >>> qrels = {"q1": {"a": 1}, "q2": {"c": 1}, "q3": {"e": 1}}
    >>> good = {"q1": {"a": 3, "b": 2}, "q2": {"c": 3, "d": 2}, "q3": {"e": 3, "f": 2}}
    >>> bad = {"q1": {"b": 5, "a": 4}, "q2": {"d": 5, "c": 4}, "q3": {"f": 5, "e": 4}}
    >>> learned = learn_weights(qrels, {"good": good, "bad": bad}, "rr", folds=3)
    >>> learned.weights, learned.score
    ({'good': 0.6, 'bad': 0.4}, 1.0)
    """
    settings = FusionSettings.of(method, norm, parameters)
    if not settings.method.is_weighted:
        name = settings.method.name
        raise FusionError(f"{name} has no weights to learn. Methods with weights: {weighted_methods()}.")
    steps = _steps(step)
    if search not in ("ascent", "grid"):
        raise FusionError(f"search must be one of ascent, grid, not {brief(search)}.")
    decided = Policy.of(policy)
    rows = read_rows(runs, decided, columns, parent)
    candidates = settings.candidates(rows, decided.ties)
    values = _QueryValues(read(qrels, "qrels", columns, decided.repeats), candidates, settings, measure, decided)
    alone = values.of_runs()
    divided = QueryFolds.of(values.queries, folds, seed)
    everything = np.ones(len(values.queries), dtype=bool)
    find = ascend if search == "ascent" else best_of_grid
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
        candidates.frame(divided.held_out(candidates, scores, scores_by_fold), decided.ties),
    )


def _steps(step: float) -> int:
    if isinstance(step, bool) or not isinstance(step, (int, float)) or not 0 < step <= 0.5:
        raise FusionError(f"step must be a number above 0, up to 0.5, not {brief(step)}.")
    return round(1 / step)


class _QueryValues:
    """The value of the measure for each judged query, with any weights; each point is computed once."""

    def __init__(
        self, qrels: Rows, candidates: Candidates, settings: FusionSettings, measure: str | Measure, policy: Policy
    ) -> None:
        wanted = measures_by_label(measure, dialect=policy.dialect)
        if len(wanted) > 1:
            raise MeasureError(f"Weights are learned for one measure, not {len(wanted)}: {', '.join(wanted)}.")
        ((self.label, self._measure),) = wanted.items()
        self._qrels, self._candidates, self._settings, self._policy = qrels, candidates, settings, policy
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
        scores = evaluate(self._qrels, runs, [self._measure], policy=self._policy)
        evaluated = [scores.run_scores(name) for name in runs]
        self.queries = list(evaluated[0].queries)
        return [values for run in evaluated for values in run.values.values()]
