"""Fuses runs into one."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.errors import FusionError, PolicyError, brief, counted, listing, nearest
from rankgold.core.segments import Floats
from rankgold.engines.request import Request, read_here
from rankgold.fusion import methods  # noqa: F401  it fills METHODS
from rankgold.fusion.normalisation import INVERTED, norm_name
from rankgold.fusion.registry import (
    METHODS,
    FusionMethod,
    JudgedRun,
    QueryFolds,
    Votes,
    find_method,
    training_of,
    weighted_methods,
)
from rankgold.judging.candidates import Candidates, NumberedRuns, candidates_of, read_numbered_runs

if TYPE_CHECKING:
    import polars


Weights = Iterable[float] | Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FusionSettings:
    """A method with its norm and its parameters decided."""

    method: FusionMethod
    norm: str
    parameters: dict[str, Any]

    @classmethod
    def of(cls, method: str, norm: str | None, parameters: Mapping[str, Any]) -> FusionSettings:
        found = find_method(method)
        chosen = norm_name(norm) if norm is not None else "min-max" if found.needs == "scores" else "none"
        return cls(found, chosen, found.checked(parameters))

    def candidates(self, runs: NumberedRuns, ties: str) -> Candidates:
        """The candidates of all queries. With the inverted norm, low scores are the good ones."""
        return candidates_of(runs, ties, lowest_first=self.norm == INVERTED)

    def scores(self, candidates: Candidates, weights: Floats, training: Iterable[JudgedRun] = ()) -> Floats:
        """The fused score of each candidate."""
        votes = Votes(candidates, self.norm, weights, tuple(training))
        with np.errstate(over="ignore", invalid="ignore"):
            fused = self.method.function(votes, **self.parameters)
        if not np.isfinite(fused).all():
            raise FusionError("the scores of the runs are too large to be added. Use a norm of ranks: norm='rank'.")
        return fused


def checked_weights(method: FusionMethod, given: Weights | None, names: list[str]) -> Floats:
    """The weight of each run; all the same for a method without weights."""
    if not method.is_weighted:
        if given is None:
            return np.ones(len(names))
        raise FusionError(f"{method.name} takes no weights. Methods with weights: {weighted_methods()}.")
    if given is None:
        raise FusionError(
            f"{method.name} needs a weight for each of the runs {listing(names)}: weights=[0.3, 0.7] (--weights 0.3,0.7"
            " at the shell). learn_weights (--qrels) finds them from judgements."
        )
    if isinstance(given, Mapping):
        for name in given:
            if str(name) not in names:
                raise FusionError(f"No run is called {name!r}.{nearest(str(name), names)} Runs: {listing(names)}.")
        missing = [name for name in names if name not in given]
        if missing:
            raise FusionError(f"weights has no weight for the run {missing[0]!r}.")
        given = [given[name] for name in names]
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise FusionError(f"weights must be a list of numbers, or a dict from run to number, not {brief(given)}.")
    weights = [_weight(weight) for weight in given]
    if len(weights) != len(names):
        raise FusionError(
            f"weights has {counted(len(weights), 'number')} for {counted(len(names), 'run')}: {listing(names)}."
        )
    if not any(weights):
        raise FusionError("all weights are 0. Give at least one run a weight.")
    return np.array(weights)


def _weight(given: Any) -> float:
    try:
        weight = float(given)
    except (TypeError, ValueError):
        weight = math.nan
    if isinstance(given, bool) or not 0 <= weight < math.inf:
        raise FusionError(f"a weight must be a number from 0, not {brief(given)}.")
    return weight


def check_judgements(method: FusionMethod, qrels: object, folds: int | None) -> None:
    """Raises an error if the method lacks judgements, or has no use for them."""
    if method.learns and qrels is None:
        raise FusionError(
            f"{method.name} learns from judgements: pass qrels of training queries (--qrels at the shell)."
        )
    if not method.learns and (qrels is not None or folds is not None):
        learning = [known.name for known in METHODS.values() if known.learns]
        hint = " learn_weights finds its weights from judgements." if method.is_weighted else ""
        raise FusionError(
            f"{method.name} does not learn from judgements: leave out qrels and folds.{hint} Methods that do:"
            f" {', '.join(learning)}."
        )


def fused(
    request: Request, settings: FusionSettings, weights: Weights | None, folds: int | None, seed: int
) -> polars.DataFrame:
    """The runs of a request as one: query, document, score."""
    method, ties = settings.method, request.policy.ties
    check_judgements(method, request.qrels, folds)
    if request.rel is not None and not method.learns:
        raise FusionError(f"{method.name} does not look at grades. Leave out rel.")
    request = read_here(request)
    rows = read_rows(request)
    given = checked_weights(method, weights, [run.name for run in rows.runs])
    request.report("fusing")
    if not method.learns:
        return _fused(rows, settings, given, ties)
    candidates = settings.candidates(rows, ties)
    queries, training = training_of(request, candidates)
    divided = None if folds is None else QueryFolds.of(queries, folds, seed)
    return candidates.frame(_learned_scores(candidates, settings, given, training, divided), ties)


def top(frame: polars.DataFrame, depth: int | None) -> polars.DataFrame:
    """The first documents of each query."""
    if depth is None:
        return frame
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise FusionError(f"depth must be a whole number from 1, not {brief(depth)}.")
    return frame.group_by("query", maintain_order=True).head(depth)


def read_rows(request: Request) -> NumberedRuns:
    """The rows of all runs, which may have been read already. The policy must order all of them."""
    if request.policy.depth is not None:
        raise PolicyError("the policy's depth is for evaluations. Pass depth to fuse: it cuts off the fused lists.")
    if request.policy.ties == "average":
        raise PolicyError("ties=average has no single order to fuse. Choose ties=descending, ascending or input.")
    return request.run if isinstance(request.run, NumberedRuns) else read_numbered_runs(request)


def _fused(rows: NumberedRuns, settings: FusionSettings, weights: Floats, ties: str) -> polars.DataFrame:
    """The fused lists, some queries at a time, on all cores."""
    import polars as pl

    def fused(part: NumberedRuns) -> pl.DataFrame:
        candidates = settings.candidates(part, ties)
        return candidates.frame(settings.scores(candidates, weights), ties)

    parts = rows.parts()
    if len(parts) == 1:
        return fused(parts[0])
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return pl.concat(threads.map(fused, parts))


def _learned_scores(
    candidates: Candidates,
    settings: FusionSettings,
    weights: Floats,
    training: list[JudgedRun],
    folds: QueryFolds | None,
) -> Floats:
    """The scores of a method that learns: from all judged queries, or for each fold from the others."""
    scores = settings.scores(candidates, weights, training)
    if folds is None:
        return scores
    by_fold = (
        settings.scores(candidates, weights, [run.of_queries(teaches) for run in training])
        for teaches in folds.teaching()
    )
    return folds.held_out(candidates, scores, by_fold)
