"""Turns what users pass into runs, and picks the queries to show."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgold.core.accepted import Measures, PlotData
from rankgold.core.errors import DataError, MeasureError, PlotError, counted, listing
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Floats, Ints
from rankgold.core.ties import TiedRanking
from rankgold.data.matching.labels import from_labels
from rankgold.measures.metric import Measure, Metric
from rankgold.measures.notation import parse_in_dialect
from rankgold.present.plots.labels import unique_labels
from rankgold.scoring import evaluate
from rankgold.scoring.explanation import query_number
from rankgold.scoring.scorer import single_measures
from rankgold.scoring.scores import Scores

_ACCEPTED = (
    "A plot takes labels, Hits (from rankgold.match, rankgold.from_labels and so on), Scores, or several of these by"
    " name, as in {'bm25': hits, 'dense': other_hits}"
)


@dataclass(frozen=True, slots=True)
class QueryValues:
    """The values of one measure query by query, and their aggregate."""

    queries: list[Any]
    values: Floats
    mean: float


@dataclass(frozen=True, slots=True)
class PlottedRun:
    """A run with the name that charts show: its rankings, or only its scores."""

    name: str
    data: Hits | Scores
    collection: Hits | None = None
    """The run with all its queries, where `data` holds only one of them."""

    @property
    def hits(self) -> Hits:
        if isinstance(self.data, Hits):
            return self.data
        raise PlotError("This plot shows rankings, and Scores hold none. Pass Hits: rankgold.match(qrels, run).")

    @property
    def measures(self) -> list[Measure]:
        """The measures of Scores; none of Hits."""
        return [] if isinstance(self.data, Hits) else list(self.data.measures.values())

    @property
    def count(self) -> int:
        """How many queries it has."""
        return len(self.data) if isinstance(self.data, Hits) else self.data.notes.queries

    def scores(self, measures: list[Measure]) -> Scores:
        return self.data if isinstance(self.data, Scores) else evaluate(self.data, measures)

    def values(self, measure: Measure) -> QueryValues:
        scores = self.scores([measure])
        return QueryValues(scores.queries(), scores.values(measure), scores[measure])

    def undefined_count(self, measures: list[Measure]) -> int:
        """How many queries have no value, under the measure with most such queries."""
        scores = self.scores(measures)
        counts = scores.notes.undefined
        return max((counts.get(label, 0) for label, known in scores.measures.items() if known in measures), default=0)

    def for_query(self, query: Hashable) -> PlottedRun:
        """The run with one query only; `query` may be None where there is only one."""
        hits = self.hits
        return replace(self, data=hits.of_query(query_number(query, hits.queries)), collection=hits)

    @property
    def grades(self) -> list[float]:
        """Every grade among the judgements of all queries: the colour of a grade depends on these."""
        judged = self.hits if self.collection is None else self.collection
        return [float(grade) for grade in np.unique(judged.ideal.whole.grade)]


def runs_to_plot(data: PlotData) -> list[PlottedRun]:
    """The runs in what a user passed, each with a name of its own."""
    if isinstance(data, Mapping):
        named = [(str(name), run) for name, part in data.items() for run in _runs_from(part)]
        several = {name for name, _ in named if sum(name == other for other, _ in named) > 1}
        runs = [replace(run, name=f"{name} {run.name}" if name in several else name) for name, run in named]
    elif isinstance(data, (list, tuple)) and data and all(isinstance(part, (Hits, Scores)) for part in data):
        runs = [run for part in data for run in _runs_from(part)]
    else:
        runs = _runs_from(data)
    if not runs:
        raise DataError(f"there is nothing to plot. {_ACCEPTED}.")
    if any(isinstance(run.data, Hits) and not len(run.data) for run in runs):
        raise DataError("there is no query to plot.")
    names = unique_labels(run.name for run in runs)
    return [replace(run, name=name) for run, name in zip(runs, names, strict=True)]


def _runs_from(data: PlotData) -> list[PlottedRun]:
    """The runs in Hits, Scores or labels, under the names that these hold."""
    if isinstance(data, Hits):
        return [PlottedRun(data.name, data)]
    if isinstance(data, Scores):
        return [PlottedRun(name, data[name] if len(data.runs) > 1 else data) for name in data.runs]
    if isinstance(data, (str, bytes, Mapping)) or not hasattr(data, "__len__"):
        kind = type(data).__name__
        raise DataError(f"this {kind} cannot be plotted. {_ACCEPTED}. For qrels and a run: rankgold.match(qrels, run).")
    is_one_list = len(data) > 0 and not any(hasattr(label, "__len__") for label in data)
    rankings: Any = [data] if is_one_list else data
    hits = from_labels(rankings)
    return [PlottedRun(hits.name, hits)]


def single_run(data: PlotData) -> PlottedRun:
    """The run of a plot that shows one."""
    runs = runs_to_plot(data)
    if len(runs) > 1:
        raise PlotError(f"This plot shows one run, not {len(runs)}: {listing(run.name for run in runs)}.")
    return runs[0]


def two_runs(data: PlotData) -> tuple[PlottedRun, PlottedRun]:
    """The runs of a plot that compares two."""
    runs = runs_to_plot(data)
    if len(runs) != 2:
        raise PlotError(f"This plot compares two runs, not {len(runs)}: {listing(run.name for run in runs)}.")
    return runs[0], runs[1]


def no_common_query(first: PlottedRun, second: PlottedRun, measure: Measure) -> PlotError:
    return PlotError(f"{first.name} and {second.name} have no query in common that has a value of {measure}.")


def single_measure(measure: str | Measure | None, runs: list[PlottedRun], default: str) -> Measure:
    """The measure that the user passed; else the first of the Scores; else the default."""
    if measure is not None:
        return parse_in_dialect(measure, runs[0].data.policy.dialect)
    known = (known for run in runs for known in run.measures)
    return next(known, None) or parse_in_dialect(default, runs[0].data.policy.dialect)


def several_measures(measures: Measures | None, runs: list[PlottedRun], default: tuple[str, ...]) -> list[Measure]:
    """The measures that the user passed; else those of the Scores; else the default."""
    dialect = runs[0].data.policy.dialect
    if measures is not None:
        wanted = single_measures([measures] if isinstance(measures, (str, Measure, Metric)) else measures)
        if not wanted:
            raise MeasureError("There is no measure. Name at least one, such as 'ndcg@10'.")
        return list(dict.fromkeys(parse_in_dialect(measure, dialect) for measure in wanted))
    known = list(dict.fromkeys(known for run in runs for known in run.measures))
    return known or [parse_in_dialect(measure, dialect) for measure in default]


def measure_among(measure: str | Measure | None, run: PlottedRun, *metrics: str) -> Measure:
    """The measure of a plot that shows only these metrics; the first of them is the default."""
    chosen = parse_in_dialect(measure or metrics[0], run.data.policy.dialect)
    if chosen.metric.name not in metrics:
        known = " or ".join(filter(None, (", ".join(metrics[:-1]), metrics[-1])))
        raise PlotError(f"This plot shows {known}, not {chosen}. The plot `curve` shows any measure with a cutoff.")
    return chosen


def ranking_without_ties(hits: Hits) -> Ranking:
    """The system's ranking, in which each document must have one rank."""
    if isinstance(hits.system, TiedRanking):
        raise PlotError(
            "This plot shows each document at one rank, but ties=average gives tied documents several."
            " Match with another choice, such as ties=descending."
        )
    return hits.system.whole


Documents = list[tuple[int, float | None, Any]]
"""Rank, grade and id of documents; without a grade where a document is not judged."""


def documents_by_rank(hits: Hits, at: int, depth: int) -> Documents:
    """Rank, grade and id of the documents of query number `at`, from the top."""
    system = ranking_without_ties(hits)
    rows = np.flatnonzero((system.query == at) & (system.rank <= depth)).tolist()
    judged = {int(system.rank[row]): (float(system.grade[row]), system.document_id(row)) for row in rows}
    last = min(int(hits.returned[at]), depth)
    ids = _listed_ids(hits, at, last)
    # A run that was changed after it was matched no longer says what was at a rank.
    if any(str(ids[rank - 1]) != str(document) for rank, (_, document) in judged.items()):
        ids = [None] * last
    return [(rank, *judged.get(rank, (None, ids[rank - 1]))) for rank in range(1, last + 1)]


def _listed_ids(hits: Hits, at: int, last: int) -> list[Any]:
    """The ids of all documents of query number `at` down to the last rank; None where they are not known."""
    ids = [] if hits.lists is None else hits.lists.documents(hits.queries[at], last)
    return ids if len(ids) == last else [None] * last


NAMED = 8
"""How many sorted queries are named at each end."""
MAX_BARS = 1000
_MAX_ROWS = 40
_MAX_MEASURES = 6
MAX_RUNS = 40


@dataclass(frozen=True, slots=True, eq=False)
class ShownQueries:
    """The queries of a chart, from top to bottom."""

    positions: Ints
    """Where each query is in the values."""
    places: Ints
    """Where each query is among all that are sorted, from 0."""
    count: int
    """How many queries are sorted."""
    is_crowded: bool = False
    """Whether queries are too many for a labelled row each."""
    note: str | None = None


def worst_to_best(values: Floats, *, higher_is_better: bool, limit: int = MAX_BARS) -> ShownQueries:
    """All queries in their order where they are few; else those with a value, from the worst to the best."""
    if len(values) <= _MAX_ROWS:
        return _few_queries(np.arange(len(values)))
    known = _sorted_places(values if higher_is_better else -values)
    if len(known) <= _MAX_ROWS:
        note = f"{len(known)} of {counted(len(values), 'query')}: those with a value, from the worst to the best"
        return _few_queries(known, note)
    return _sorted_queries(known, "from the worst to the best", limit)


def gains_to_losses(gain: Floats) -> ShownQueries:
    """Queries from the greatest gain to the greatest loss."""
    order = np.argsort(-gain, kind="stable")
    if len(order) <= _MAX_ROWS:
        return _few_queries(order)
    first = "the greatest gain" if gain.max() > 0 else "the smallest loss"
    last = "the greatest loss" if gain.min() < 0 else "the smallest gain"
    return _sorted_queries(order, f"from {first} to {last}" if gain.any() else "all the same", MAX_BARS)


def _few_queries(order: Ints, note: str | None = None) -> ShownQueries:
    return ShownQueries(order, np.arange(len(order)), len(order), note=note)


def _sorted_queries(order: Ints, direction: str, limit: int) -> ShownQueries:
    """All queries; of more than the limit, those at both ends, which are named, and even steps between them."""
    count = len(order)
    places, some = np.arange(count), counted(count, "query")
    if count > limit:
        steps = np.linspace(NAMED, count - NAMED - 1, limit - 2 * NAMED).round().astype(np.int64)
        places = np.concatenate((places[:NAMED], steps, places[-NAMED:]))
        some = f"{len(places):,} of {some} in even steps"
    return ShownQueries(order[places], places, count, True, f"{some}, {direction}")


def pick_evenly(values: Floats, limit: int) -> Ints:
    """At most `limit` of the values: from the lowest to the highest in even steps, both ends included."""
    known = _sorted_places(values)
    if len(known) <= limit:
        return known
    return known[np.linspace(0, len(known) - 1, limit).round().astype(np.int64)]


def _sorted_places(values: Floats) -> Ints:
    """The places of the values that are numbers, from the lowest to the highest."""
    order = np.argsort(values, kind="stable")
    return order[~np.isnan(values[order])]


def best_runs_note(count: int) -> str | None:
    """Says that a chart shows only the best of so many runs; None where it shows them all."""
    return f"the best {MAX_RUNS} of {counted(count, 'run')}" if count > MAX_RUNS else None


def first_measures(measures: list[Measure]) -> tuple[list[Measure], str | None]:
    """As many of the measures as there is room for."""
    if len(measures) <= _MAX_MEASURES:
        return measures, None
    return measures[:_MAX_MEASURES], f"{_MAX_MEASURES} of {len(measures)} measures"
