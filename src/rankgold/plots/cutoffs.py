"""A measure at one cutoff after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.errors import MeasureError, PlotError
from rankgold.plots.inputs import Run
from rankgold.plots.scales import MANY_RANKS, defined

DEPTH = 20
"""How far down curves go where neither the measure nor the list ends before."""
_DEEPEST = 1_000_000


def checked_depth(depth: Any) -> int | None:
    """The depth that was asked for."""
    if depth is None:
        return None
    if isinstance(depth, bool) or not hasattr(depth, "__index__") or not 1 <= depth.__index__() <= _DEEPEST:
        raise PlotError(f"depth is a whole number from 1 to {_DEEPEST:,}, not {depth!r}.")
    return int(depth.__index__())


def cutoffs(measure: Measure, longest: int, depth: int | None = None) -> list[int]:
    """The cutoffs of a curve: down to the measure's own, or the depth; every one where they are few."""
    if not measure.metric.takes_cutoff:
        raise MeasureError(f"{measure.metric.name} takes no cutoff, so it has no curve. p, r and ndcg have one.")
    last = checked_depth(depth) or measure.k or min(max(longest, 1), DEPTH)
    if last <= MANY_RANKS:
        return list(range(1, last + 1))
    return sorted(set(np.geomspace(1, last, MANY_RANKS).round().astype(int).tolist()))


def values_at(run: Run, measure: Measure, ks: list[int]) -> list[tuple[int, float | None]]:
    """The measure at each cutoff, over all queries of the run; of Scores, at the cutoffs that were evaluated."""
    wanted = [measure @ k for k in ks]
    if run.measures:
        wanted = sorted((one for one in run.measures if _is_cut_of(one, measure)), key=lambda one: one.k or 0)
        if not wanted:
            raise MeasureError(f"{measure.metric.name} was evaluated at no cutoff, so there is no curve. Pass Hits.")
    scores = run.scores(wanted)
    return [(one.k or 0, defined(scores[one])) for one in wanted]


def _is_cut_of(one: Measure, measure: Measure) -> bool:
    return one.k is not None and (one.metric, one.chosen) == (measure.metric, measure.chosen)
