"""Runs in any form in, one fused run out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from rankgold.data.inputs import read
from rankgold.data.parents import Parent, ParentRule
from rankgold.errors import FusionError, PolicyError, brief
from rankgold.fusion.candidates import Candidates
from rankgold.fusion.run_rows import NumberedRuns, read_numbered_runs
from rankgold.fusion.settings import FusionSettings, Weights, check_judgements, checked_weights
from rankgold.fusion.training import JudgedRun, QueryFolds, training_of
from rankgold.kernels.segments import Floats
from rankgold.policy import Policy, decided_policy

if TYPE_CHECKING:
    import polars


def fuse(
    runs: Any,
    method: str = "rrf",
    *,
    norm: str | None = None,
    weights: Weights | None = None,
    qrels: Any = None,
    folds: int | None = None,
    seed: int = 0,
    depth: int | None = None,
    policy: Policy | str | None = None,
    columns: Mapping[str, str] | None = None,
    parent: Parent | None = None,
    **parameters: Any,
) -> polars.DataFrame:
    """One run out of several, as a Polars frame: query, document, score. The best document of a query comes first.

    `runs` is a list, or a dict by name, of what `evaluate` takes as a run. `method` is one of those of the page on
    fusing, with its parameters as keywords: `k` of rrf, `phi` of rbc. `norm` makes scores of different systems
    comparable; default: min-max for methods that add scores. `weights` are for wsum and other weighted methods: a list,
    or a dict by run. `depth` keeps only that many documents of each query.

    Methods such as bayesfuse learn from the judgements `qrels`. With `folds`, each judged query is fused with what the
    other folds taught, so that the fused run can be evaluated with the same judgements; `seed` decides the folds.

    A query that a run does not have is fused from the others. Documents with the same fused score are sorted by id, as
    the policy says: `ties=descending` is the default.

    >>> bm25 = {"q1": {"d1": 9.1, "d2": 7.4, "d3": 2.0}}
    >>> dense = {"q1": {"d2": 0.8, "d4": 0.7}}
    >>> fuse([bm25, dense], k=60).rows()
    [('q1', 'd2', 0.03252247488101534), ('q1', 'd1', 0.01639344262295082), ('q1', 'd4', 0.016129032258064516), \
('q1', 'd3', 0.015873015873015872)]
    """
    settings = FusionSettings.of(method, norm, parameters)
    check_judgements(settings.method, qrels, folds)
    decided = Policy.of(policy)
    rows = read_rows(runs, decided, columns, parent)
    given = checked_weights(settings.method, weights, [run.name for run in rows.runs])
    if settings.method.learns:
        candidates = settings.candidates(rows, decided.ties)
        queries, training = training_of(read(qrels, "qrels", columns, decided.repeats), candidates, decided)
        divided = None if folds is None else QueryFolds.of(queries, folds, seed)
        frame = candidates.frame(_learned_scores(candidates, settings, given, training, divided), decided.ties)
    else:
        frame = _fused(rows, settings, given, decided.ties)
    return top(frame, depth)


def top(frame: polars.DataFrame, depth: int | None) -> polars.DataFrame:
    """The first documents of each query."""
    if depth is None:
        return frame
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise FusionError(f"depth must be a whole number from 1, not {brief(depth)}.")
    return frame.group_by("query", maintain_order=True).head(depth)


def read_rows(runs: Any, policy: Policy, columns: Mapping[str, str] | None, parent: Parent | None) -> NumberedRuns:
    """The rows of all runs, which may have been read already."""
    _check_policy(policy)
    if isinstance(runs, NumberedRuns):
        return runs
    rule = ParentRule.of(parent)
    return read_numbered_runs(runs, decided_policy(policy, parent=rule), columns, rule)


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
