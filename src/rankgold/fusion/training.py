"""Judgements and candidates in, what the judgements say of each run out: where its relevant documents stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.rows import Rows
from rankgold.errors import FusionError
from rankgold.evaluation import evaluate, hits_of_runs
from rankgold.fusion.candidates import CandidateRun, Candidates
from rankgold.kernels.segments import Bools, Floats, Ints
from rankgold.policy import Policy


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
        """For each rank, the share of the lists that are so long in which its document is relevant."""
        depth = int(self.returned.max(initial=0))
        as_long = np.cumsum(np.bincount(self.returned, minlength=depth + 1)[::-1])[::-1][1:]
        return np.bincount(self.rank, minlength=depth + 1)[1:] / as_long

    def precision_between(self, edges: Ints) -> Floats:
        """The mean precision of the ranks after each edge down to the next one, over all queries."""
        found = np.bincount(np.searchsorted(edges, self.rank), minlength=len(edges) + 1)[1 : len(edges)]
        return found / np.diff(edges) / len(self.returned)


def training_of(qrels: Rows, candidates: Candidates, policy: Policy) -> tuple[list[Any], list[JudgedRun]]:
    """The judged queries, and what the judgements say of each run."""
    queries: list[Any] = []
    training = []
    for run in candidates.runs:
        (hits,) = hits_of_runs(qrels, {run.name: run_frame(candidates, run)}, policy=policy)
        relevant = hits.system.relevant(1)
        queries = list(hits.queries)
        kept = evaluate(hits, ["ap"], policy=policy).run_scores(run.name)
        value_of = dict(zip(kept.queries, kept.values["ap"].tolist(), strict=True))
        values = np.array([value_of.get(query, np.nan) for query in queries])
        training.append(JudgedRun(relevant.query, relevant.rank, np.asarray(hits.returned), values))
    return queries, training


def run_frame(candidates: Candidates, run: CandidateRun) -> pl.DataFrame:
    """A run as a frame, with scores that give the ranks it was fused with."""
    return pl.DataFrame(
        {
            "query": candidates.queries.gather(run.per_row(run.query)),
            "document": candidates.documents.gather(run.candidate),
            "score": -run.rank.astype(np.float64),
        }
    )


def fold_numbers(queries: int, folds: int, seed: int) -> Ints:
    """The fold of each query, at random; folds differ by at most one query in size."""
    if queries < 2:
        counted = "1 judged query" if queries else "no judged query"
        raise FusionError(f"folds need two or more judged queries that a run has, and there is {counted}.")
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 2:
        raise FusionError(f"folds is a whole number from 2, not {folds!r}.")
    if folds > queries:
        raise FusionError(
            f"There are {queries} judged queries that a run has, too few for {folds} folds: each needs one."
            f" Pass folds={queries} or fewer (--folds {queries} at the shell)."
        )
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise FusionError(f"seed is a whole number from 0, not {seed!r}.")
    shuffled = np.random.default_rng(seed).permutation(queries)
    numbers = np.empty(queries, dtype=np.int64)
    numbers[shuffled] = np.arange(queries) % folds
    return numbers


def folds_of_candidates(candidates: Candidates, queries: list[Any], folds: Ints) -> Ints:
    """The fold of the query of each candidate; -1 where it is not judged."""
    fold_of = dict(zip(map(str, queries), folds.tolist(), strict=True))
    return np.array([fold_of.get(str(query), -1) for query in candidates.queries], dtype=np.int64)[candidates.query]
