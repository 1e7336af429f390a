"""Judgements and candidates in, what the judgements say of each run out: where its relevant documents stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.inputs import read
from rankgold.data.rows import Rows
from rankgold.engines.request import Request
from rankgold.errors import FusionError
from rankgold.evaluation import hits_of
from rankgold.fusion.candidates import CandidateRun, Candidates
from rankgold.kernels.segments import Bools, Floats, Ints
from rankgold.scoring.values import measures_by_label, score_all


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRun:
    """The relevant documents of one run in the judged queries."""

    query: Ints
    """The number of the judged query of each relevant document that the run ranks."""
    rank: Ints
    returned: Ints
    """The length of the run's list for each judged query."""
    average_precision: Floats
    """The average precision of each judged query."""

    def of_queries(self, chosen: Bools) -> JudgedRun:
        """The same for some of the queries, numbered anew."""
        kept = chosen[self.query]
        number = np.cumsum(chosen) - 1
        return JudgedRun(
            number[self.query[kept]], self.rank[kept], self.returned[chosen], self.average_precision[chosen]
        )

    def chances(self) -> Floats:
        """For each rank, the share of lists with a relevant document there, among the lists that are long enough."""
        depth = int(self.returned.max(initial=0))
        as_long = np.cumsum(np.bincount(self.returned, minlength=depth + 1)[::-1])[::-1][1:]
        return np.bincount(self.rank, minlength=depth + 1)[1:] / as_long

    def precision_between(self, edges: Ints) -> Floats:
        """The mean precision of the ranks after each edge down to the next one, over all queries."""
        found = np.bincount(np.searchsorted(edges, self.rank), minlength=len(edges) + 1)[1 : len(edges)]
        return found / np.diff(edges) / len(self.returned)


def training_of(request: Request, candidates: Candidates) -> tuple[list[Any], list[JudgedRun]]:
    """The judged queries, and the training data of each run."""
    queries: list[Any] = []
    training = []
    qrels = read(request.qrels, "qrels", request.columns, request.policy.repeats)
    for run in candidates.runs:
        (hits,) = hits_of(of_fused(request, qrels, {run.name: run_frame(candidates, run)}))
        relevant = hits.system.relevant(1 if request.rel is None else request.rel)
        queries = list(hits.queries)
        kept = score_all([hits], measures_by_label(["ap"], rel=request.rel, dialect=request.policy.dialect)).run_scores(
            run.name
        )
        value_of = dict(zip(kept.queries, kept.values["ap"].tolist(), strict=True))
        values = np.array([value_of.get(query, np.nan) for query in queries])
        training.append(JudgedRun(relevant.query, relevant.rank, np.asarray(hits.returned), values))
    return queries, training


def of_fused(request: Request, qrels: Rows, runs: dict[str, pl.DataFrame]) -> Request:
    """The request with these runs, which are made of rows that were selected and excluded already."""
    return replace(request, data={"qrels": qrels, "run": runs}, columns=None, parent=None, exclude=None)


def run_frame(candidates: Candidates, run: CandidateRun) -> pl.DataFrame:
    """A run as a frame, with scores that give the ranks it was fused with."""
    return pl.DataFrame(
        {
            "query": candidates.queries.gather(run.per_row(run.query)),
            "document": candidates.documents.gather(run.candidate),
            "score": -run.rank.astype(np.float64),
        }
    )


@dataclass(frozen=True, slots=True, eq=False)
class QueryFolds:
    """The judged queries, divided at random for cross-validation: a fold is fused with what the others taught."""

    queries: Sequence[Any]
    fold: Ints
    """The number of the fold of each query."""
    count: int

    @classmethod
    def of(cls, queries: Sequence[Any], count: int, seed: int) -> QueryFolds:
        """This many folds, which differ by at most one query in size."""
        size = len(queries)
        if size < 2:
            counted = "1 judged query" if size else "no judged query"
            raise FusionError(f"folds need two or more judged queries that a run has, and there is {counted}.")
        if isinstance(count, bool) or not isinstance(count, int) or count < 2:
            raise FusionError(f"folds must be a whole number from 2, not {count!r}.")
        if count > size:
            raise FusionError(
                f"There are {size} judged queries that a run has, too few for {count} folds: each needs one."
                f" Pass folds={size} or fewer (--folds {size} at the shell)."
            )
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise FusionError(f"seed must be a whole number from 0, not {seed!r}.")
        fold = np.empty(size, dtype=np.int64)
        fold[np.random.default_rng(seed).permutation(size)] = np.arange(size) % count
        return cls(queries, fold, count)

    def teaching(self) -> list[Bools]:
        """For each fold, the queries of the other folds."""
        return [self.fold != number for number in range(self.count)]

    def held_out(self, candidates: Candidates, scores: Floats, by_fold: Iterable[Floats]) -> Floats:
        """The scores of all candidates, where a judged query has those of its fold in `by_fold`."""
        fold_of = dict(zip(map(str, self.queries), self.fold.tolist(), strict=True))
        of_queries = np.array([fold_of.get(str(query), -1) for query in candidates.queries], dtype=np.int64)
        of_candidates = of_queries[candidates.query]
        for number, others in enumerate(by_fold):
            scores = np.where(of_candidates == number, others, scores)
        return scores
