"""Declares a fusion method and what it is given: candidates, training."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import polars as pl

from rankgold.core.errors import FusionError, MeasureError, listing, nearest
from rankgold.core.segments import Bools, Floats, Ints
from rankgold.data.inputs import read
from rankgold.data.rows import Rows
from rankgold.engines.request import Request
from rankgold.fusion.normalisation import normalised
from rankgold.judging.candidates import CandidateRun, Candidates
from rankgold.measures.parameters import Parameter, parameters_of, unknown_parameter
from rankgold.scoring.evaluation import hits_of
from rankgold.scoring.scorer import measures_by_label, score_all


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


@dataclass(frozen=True)
class Votes:
    """The input of a method: the candidates, their ranks and scores in each run, and the weights or training data."""

    candidates: Candidates
    norm: str
    weights: Floats
    """One for each run."""
    training: tuple[JudgedRun, ...] = ()
    """The training data of each run, for methods that learn."""

    @cached_property
    def scores(self) -> Floats:
        """A row for each run, a column for each candidate: its normalised score, NaN where the run does not rank it."""
        return normalised(self.candidates, self.norm)

    def of_ranks(self, value: Callable[[Ints], Floats]) -> Floats:
        """A row for each run, a column for each candidate: the value of its rank, 0 where the run does not rank it."""
        return self.candidates.table([value(run.rank) for run in self.candidates.runs])


def total(table: Floats) -> Floats:
    """The sum of each column, where NaN counts nothing.

    Small values are added first. So the order of the runs does not change the last bit, and documents that have the
    same places in different runs are tied.
    """
    lines = list(np.where(np.isnan(table), 0.0, table))
    # Columns are sorted by swapping neighbours, in as many rounds as there are runs: faster than to sort each column.
    for number in range(len(lines)):
        for upper in range(number % 2, len(lines) - 1, 2):
            lower, higher = np.minimum(*lines[upper : upper + 2]), np.maximum(*lines[upper : upper + 2])
            lines[upper : upper + 2] = lower, higher
    return np.asarray(np.add.reduce(lines))


Needs = Literal["ranks", "scores"]
Fusion = Callable[..., Floats]


@dataclass(frozen=True, slots=True, eq=False)
class FusionMethod:
    """A way to fuse runs."""

    name: str
    aliases: tuple[str, ...]
    needs: Needs
    """Whether the scores of the runs count, or only the ranks."""
    is_weighted: bool
    learns: bool
    """Whether it learns from judgements."""
    function: Fusion
    parameters: Mapping[str, Parameter]

    @property
    def summary(self) -> str:
        return (inspect.getdoc(self.function) or "").partition("\n\n")[0].replace("\n", " ")

    def checked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The values of the parameters."""
        values = {name: parameter.default for name, parameter in self.parameters.items()}
        for name, value in given.items():
            if name not in self.parameters:
                raise FusionError(unknown_parameter(self.name, self.parameters, name))
            try:
                values[name] = self.parameters[name].value(value)
            except MeasureError as error:
                raise FusionError(str(error)) from None
        return values


METHODS: dict[str, FusionMethod] = {}
"""Name -> method. `fusion/methods.py` fills it."""


def method(
    name: str, *aliases: str, needs: Needs = "scores", is_weighted: bool = False, learns: bool = False
) -> Callable[[Fusion], Fusion]:
    """Registers a function under a name. Its keyword-only arguments are the parameters that users give."""

    def register(function: Fusion) -> Fusion:
        parameters = parameters_of(function)
        METHODS[name] = FusionMethod(name, aliases, needs, is_weighted, learns, function, parameters)
        return function

    return register


def weighted_methods() -> str:
    """The names of the methods that take weights, for messages."""
    return ", ".join(known.name for known in METHODS.values() if known.is_weighted)


def find_method(given: str) -> FusionMethod:
    """The method of a name. Case, `_` and `-` do not count."""
    wanted = _plain(str(given))
    for known in METHODS.values():
        if wanted in map(_plain, (known.name, *known.aliases)):
            return known
    names = [name for known in METHODS.values() for name in (known.name, *known.aliases)]
    raise FusionError(f"No fusion method is called {given!r}.{nearest(wanted, names)} Methods: {listing(METHODS, 30)}.")


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")
