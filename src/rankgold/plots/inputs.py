"""What users pass to plots -> runs by name, each with its rankings or only its scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgold.data.inputs import unused_name
from rankgold.declaration.metric import Measure
from rankgold.errors import DataError, MeasureError, PlotError, listing
from rankgold.evaluation import evaluate
from rankgold.explanation import query_index
from rankgold.hits import Hits, Ranking
from rankgold.kernels.segments import Floats
from rankgold.matching.labels import from_labels
from rankgold.measures import parse
from rankgold.scoring.scores import Scores

_TAKES = (
    "A plot takes labels, Hits (rankgold.match, rankgold.from_labels and the like), Scores, or several of these by"
    " name, as in {'bm25': hits, 'dense': others}"
)


@dataclass(frozen=True, slots=True)
class Values:
    """The values of one measure, query by query, and what they come to."""

    queries: list[Any]
    values: Floats
    mean: float


@dataclass(frozen=True, slots=True)
class Run:
    """One run with its name: its rankings, or only what it scored."""

    name: str
    of: Hits | Scores

    @property
    def hits(self) -> Hits:
        if isinstance(self.of, Hits):
            return self.of
        raise PlotError("This plot shows rankings, and Scores hold none. Pass what was evaluated: rankgold.match(...).")

    @property
    def measures(self) -> list[Measure]:
        """The measures that were evaluated already."""
        return [] if isinstance(self.of, Hits) else list(self.of.measures.values())

    @property
    def count(self) -> int:
        """How many queries it has."""
        return len(self.of) if isinstance(self.of, Hits) else self.of.notes.queries

    def scores(self, measures: list[Measure]) -> Scores:
        """The scores of this run alone."""
        if isinstance(self.of, Scores):
            return self.of
        return evaluate(self.of, measures)

    def values(self, measure: Measure) -> Values:
        scores = self.scores([measure])
        return Values(scores.queries(), scores.values(measure), scores[measure])

    def undefined(self, measures: list[Measure]) -> int:
        """How many queries have no value of the measure that leaves most of them without."""
        scores = self.scores(measures)
        counts = scores.notes.undefined
        return max((counts.get(label, 0) for label, one in scores.measures.items() if one in measures), default=0)

    def only(self, query: Any) -> Run:
        """The same of one query; the only one needs no name."""
        return Run(self.name, one_query(self.hits, query))


def runs_in(data: Any) -> list[Run]:
    """The runs in what a user passed."""
    if isinstance(data, Mapping):
        named = [(str(name), run) for name, one in data.items() for run in _runs_of(one)]
        several = {name for name, _ in named if sum(name == other for other, _ in named) > 1}
        runs = [Run(f"{name} {run.name}" if name in several else name, run.of) for name, run in named]
    elif isinstance(data, (list, tuple)) and data and all(isinstance(one, (Hits, Scores)) for one in data):
        runs = [run for one in data for run in _runs_of(one)]
    else:
        runs = _runs_of(data)
    if not runs:
        raise DataError(f"there is nothing to plot. {_TAKES}.")
    if any(isinstance(run.of, Hits) and not len(run.of) for run in runs):
        raise DataError("there is no query to plot.")
    taken: list[str] = []
    for run in runs:
        taken.append(unused_name(run.name, taken))
    return [replace(run, name=name) for run, name in zip(runs, taken, strict=True)]


def _runs_of(one: Any) -> list[Run]:
    if isinstance(one, Hits):
        return [Run(one.name, one)]
    if isinstance(one, Scores):
        return [Run(name, one[name] if len(one.runs) > 1 else one) for name in one.runs]
    if isinstance(one, (str, bytes, Mapping)) or not hasattr(one, "__len__"):
        kind = type(one).__name__
        raise DataError(f"this {kind} cannot be plotted. {_TAKES}. For qrels and a run: rankgold.match(qrels, run).")
    is_one_list = len(one) > 0 and not any(hasattr(label, "__len__") for label in one)
    hits = from_labels([one] if is_one_list else one)
    return [Run(hits.name, hits)]


def single_run(data: Any) -> Run:
    """The run of a plot that shows one."""
    runs = runs_in(data)
    if len(runs) > 1:
        raise PlotError(f"This plot shows one run, and here are {len(runs)}: {listing(run.name for run in runs)}.")
    return runs[0]


def two_runs(data: Any) -> tuple[Run, Run]:
    """The runs of a plot that holds one against another."""
    runs = runs_in(data)
    if len(runs) != 2:
        raise PlotError(
            f"This plot holds one run against another, so it takes two, not {len(runs)}:"
            f" {listing(run.name for run in runs)}."
        )
    return runs[0], runs[1]


def chosen_measure(measure: Any, runs: list[Run], otherwise: str) -> Measure:
    """The measure that was asked for; else the first that was evaluated, or the plot's own choice."""
    if measure is not None:
        return parse(measure)
    return next((one for run in runs for one in run.measures), parse(otherwise))


def chosen_measures(measures: Any, runs: list[Run], otherwise: tuple[str, ...]) -> list[Measure]:
    """The measures that were asked for; else those that were evaluated, or the plot's own choice."""
    if measures is not None:
        wanted = [measures] if isinstance(measures, (str, Measure)) else list(measures)
        if not wanted:
            raise MeasureError("There is no measure. Name at least one, such as 'ndcg@10'.")
        return list(dict.fromkeys(map(parse, wanted)))
    return list(dict.fromkeys(one for run in runs for one in run.measures)) or list(map(parse, otherwise))


def one_query(hits: Hits, query: Any) -> Hits:
    """The hits of one query; the only one needs no name."""
    at = query_index(hits, query)
    system, ideal = hits.system.whole, hits.ideal.whole
    return replace(
        hits,
        queries=[hits.queries[at]],
        system=system.of_queries(at, at + 1, system.starts),
        ideal=ideal.of_queries(at, at + 1, ideal.starts),
        returned=hits.returned[at : at + 1],
    )


def ranked(hits: Hits) -> Ranking:
    """The system's ranking, where each document has one rank."""
    system = hits.system.whole
    if system.ties is not None and (system.ties.size > 1).any():
        raise PlotError(
            "This plot shows each document at one rank, and ties=average gives tied ones several."
            " Match with another choice, such as ties=descending."
        )
    return system


def document_of(ranking: Ranking, row: int) -> Any:
    """The id of the document in a row; None where documents have none."""
    return None if ranking.documents is None else ranking.documents[int(ranking.row[row])]


def grades_by_rank(hits: Hits, at: int, depth: int) -> list[tuple[int, float | None, Any]]:
    """Rank, grade and document of a query's list from the top down; no grade and no id where it is not judged."""
    system = ranked(hits)
    rows = np.flatnonzero((system.query == at) & (system.rank <= depth)).tolist()
    judged = {int(system.rank[row]): (float(system.grade[row]), document_of(system, row)) for row in rows}
    last = min(int(hits.returned[at]), depth)
    return [(rank, *judged.get(rank, (None, None))) for rank in range(1, last + 1)]
