"""Judgements and runs in, Bounds out: how low and how high each measure can be, whatever the unjudged documents are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankgold.accepted import Measures
from rankgold.declaration.metric import SUM, Aggregate, Measure
from rankgold.engines.protocol import Progress
from rankgold.engines.request import Request
from rankgold.errors import check_whole_number
from rankgold.judging.bounds_result import BoundedRun, Bounds
from rankgold.judging.extremes import Extremes, Scale, extremes
from rankgold.judging.open_documents import OpenRun, open_runs
from rankgold.kernels.segments import Floats
from rankgold.scoring.values import measures_by_label, values_of_queries

# Each of them is a row of each query. Nobody expects so many relevant documents that no run found.
_MOST_UNSEEN = 10_000


def bounded(request: Request, measures: Measures | None, unseen: int, max_grade: float | None) -> Bounds:
    """The bounds of the runs of a request."""
    wanted = measures_by_label(measures, rel=request.rel, dialect=request.policy.dialect)
    unseen = check_whole_number("unseen", unseen, 0, _MOST_UNSEEN)
    return bounds_of(open_runs(request, unseen=unseen, max_grade=max_grade), wanted, request.progress)


def bounds_of(opened: Sequence[OpenRun], measures: dict[str, Measure], progress: Progress | None = None) -> Bounds:
    """The bounds of runs whose open documents are known."""
    return Bounds([_bounded(run, measures, progress) for run in opened], measures)


def _bounded(run: OpenRun, measures: dict[str, Measure], progress: Progress | None) -> BoundedRun:
    scale = Scale.of(run)
    wanted = list(dict.fromkeys(measures.values()))
    plain = [measure for measure in wanted if not measure.metric.over_subtopics]
    found = extremes(run, plain, scale, progress)
    values = values_of_queries(run.hits, plain)
    for measure in wanted:
        if measure not in found:
            found[measure], values[measure] = _of_subtopics(run, measure)
    mean_low, mean_high = (
        {label: mean_bound(measure.metric.aggregate, found[measure], side) for label, measure in measures.items()}
        for side in (-1, 1)
    )
    return BoundedRun(
        name=run.hits.name,
        queries=list(run.hits.queries),
        unjudged=run.open_counts,
        retrieved=int(run.hits.returned.sum()),
        # Of tied documents at the depth, more may be open than the depth leaves.
        retrieved_unjudged=min(int(np.count_nonzero(run.is_open & run.is_ranked)), int(run.hits.returned.sum())),
        highest=scale.highest,
        values={label: values[measure] for label, measure in measures.items()},
        low={label: found[measure].low for label, measure in measures.items()},
        high={label: found[measure].high for label, measure in measures.items()},
        means={label: measure.metric.aggregate(values[measure]) for label, measure in measures.items()},
        mean_low=mean_low,
        mean_high=mean_high,
    )


def mean_bound(aggregate: Aggregate, found: Extremes, side: int) -> float:
    """The lowest (side -1) or highest (side 1) mean. Queries that may be undefined are in it if that moves the mean."""
    values = found.low if side < 0 else found.high
    always = values[~found.is_optional & ~np.isnan(values)]
    optional = np.sort(values[found.is_optional & ~np.isnan(values)])[::-side]
    chosen = always
    for value in optional.tolist():
        now = 0.0 if aggregate is SUM else aggregate(chosen)
        if len(chosen) and side * (value - now) <= 0:
            break
        chosen = np.append(chosen, value)
    return aggregate(chosen)


def _of_subtopics(run: OpenRun, measure: Measure) -> tuple[Extremes, Floats]:
    """The span of a measure of diversity, where a query has open documents: they may be about any subtopic."""
    values = values_of_queries(run.hits, [measure])[measure]
    is_open = run.open_counts > 0
    low, high = measure.metric.span
    optional = is_open & np.isnan(values)
    return Extremes(np.where(is_open, low, values), np.where(is_open, high, values), optional), values
