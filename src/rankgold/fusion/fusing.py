"""Runs in any form in, one fused run out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.data.inputs import read
from rankgold.data.parents import Parent, ParentRule
from rankgold.errors import FusionError, brief
from rankgold.fusion.best_order import check_ties
from rankgold.fusion.candidates import Candidates, candidates_of
from rankgold.fusion.run_rows import read_runs
from rankgold.fusion.settings import Settings, Weights, check_judgements, checked_weights
from rankgold.fusion.training import fold_numbers, folds_of_candidates, training_of
from rankgold.kernels.segments import Floats
from rankgold.policy import Policy

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
    or a dict by run. `depth` keeps only so many documents of each query.

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
    settings = Settings.of(method, norm, parameters)
    check_judgements(settings.method, qrels, folds)
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 1):
        raise FusionError(f"depth is a whole number from 1, not {brief(depth)}.")
    decided = Policy.of(policy)
    candidates = read_candidates(runs, settings, decided, columns, parent)
    given = checked_weights(settings.method, weights, candidates.names)
    if settings.method.learns:
        judged = read(qrels, "qrels", columns, decided.repeats)
        scores = _learned_scores(judged, candidates, settings, given, decided, folds, seed)
    else:
        scores = settings.scores(candidates, given)
    frame = candidates.frame(scores, decided.ties)
    return frame if depth is None else frame.group_by("query", maintain_order=True).head(depth)


def read_candidates(
    runs: Any, settings: Settings, policy: Policy, columns: Mapping[str, str] | None, parent: Parent | None
) -> Candidates:
    """The documents of all runs, with their places."""
    check_ties(policy)
    rule = ParentRule.of(parent)
    reading = policy if rule is None else replace(policy, chunks="best")
    return candidates_of(
        read_runs(runs, reading, columns, rule), policy.ties, lowest_first=settings.lowest_first
    )


def _learned_scores(
    qrels: Any,
    candidates: Candidates,
    settings: Settings,
    weights: Floats,
    policy: Policy,
    folds: int | None,
    seed: int,
) -> Floats:
    """The scores of a method that learns: from all judged queries, or for each fold from the others."""
    queries, training = training_of(qrels, candidates, policy)
    scores = settings.scores(candidates, weights, training)
    if folds is None:
        return scores
    fold_of_query = fold_numbers(len(queries), folds, seed)
    fold = folds_of_candidates(candidates, queries, fold_of_query)
    for number in range(folds):
        others = [run.of_queries(fold_of_query != number) for run in training]
        np.copyto(scores, settings.scores(candidates, weights, others), where=fold == number)
    return scores
