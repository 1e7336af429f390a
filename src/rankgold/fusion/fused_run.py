"""Runs in any form in, one fused run out."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from rankgold.engines.fetched_data import read_here
from rankgold.engines.request import Request
from rankgold.errors import FusionError, PolicyError, brief
from rankgold.fusion.candidates import Candidates
from rankgold.fusion.run_rows import NumberedRuns, read_numbered_runs
from rankgold.fusion.settings import FusionSettings, Weights, check_judgements, checked_weights
from rankgold.fusion.training import JudgedRun, QueryFolds, training_of
from rankgold.kernels.segments import Floats
from rankgold.policy import Policy

if TYPE_CHECKING:
    import polars


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
    """The rows of all runs, which may have been read already."""
    _check_policy(request.policy)
    return request.run if isinstance(request.run, NumberedRuns) else read_numbered_runs(request)


def _check_policy(policy: Policy) -> None:
    """Raises an error if the policy leaves tied documents unordered, or cuts off rankings."""
    if policy.depth is not None:
        raise PolicyError("the policy's depth is for evaluations. Pass depth to fuse: it cuts off the fused lists.")
    if policy.ties == "average":
        raise PolicyError("ties=average has no single order to fuse. Choose ties=descending, ascending or input.")


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
