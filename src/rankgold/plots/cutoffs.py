"""A run and a measure in, the values of the measure at one cutoff after the other out."""

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.errors import MeasureError, PlotError, check_whole_number
from rankgold.plots.inputs import PlottedRun
from rankgold.plots.scales import MANY_RANKS, none_if_nan

_DEFAULT_DEPTH = 20
_MAX_DEPTH = 1_000_000


def check_depth(depth: int | None, default: int) -> int:
    """The depth that the user passed, or the default for None."""
    return default if depth is None else check_whole_number("depth", depth, 1, _MAX_DEPTH, error=PlotError)


def last_rank(measure: Measure, longest: int, depth: int | None) -> int:
    """The last rank of a chart: the depth, the measure's cutoff, or the end of the longest list."""
    return check_depth(depth, measure.k or min(max(longest, 1), _DEFAULT_DEPTH))


def curve_cutoffs(measure: Measure, longest: int, depth: int | None = None) -> list[int]:
    """The cutoffs of a curve: every one where they are few."""
    if not measure.metric.takes_cutoff:
        raise MeasureError(f"{measure.metric.name} takes no cutoff, so it has no curve. p, r and ndcg have one.")
    return some_ranks(last_rank(measure, longest, depth))


def some_ranks(last: int) -> list[int]:
    """All ranks to the last where they are few; else some, in steps that grow."""
    if last <= MANY_RANKS:
        return list(range(1, last + 1))
    return sorted(set(np.geomspace(1, last, MANY_RANKS).round().astype(int).tolist()))


def cut_note(measure: Measure, last: int, longest: int) -> str | None:
    """The note that lists go on below the last rank of a chart, unless the measure stops there too."""
    is_cut = last < min(longest, measure.k or longest)
    return f"the first {last:,} of {longest:,} ranks" if is_cut else None


def sampled_note(cutoffs: list[int]) -> str | None:
    """The note that a line joins only some cutoffs; None if it has them all."""
    return f"values at {len(cutoffs)} of {cutoffs[-1]:,} cutoffs" if len(cutoffs) < cutoffs[-1] else None


def values_at(run: PlottedRun, measure: Measure, cutoffs: list[int]) -> list[tuple[int, float | None]]:
    """Cutoffs with the mean of the measure there. Scores have only the cutoffs that were evaluated."""
    if not cutoffs:
        return []
    wanted = [measure @ k for k in cutoffs]
    if run.measures:
        wanted = sorted((known for known in run.measures if _is_same(known, measure)), key=lambda known: known.k or 0)
        if not wanted:
            raise MeasureError(f"{measure.metric.name} was evaluated at no cutoff, so it has no curve. Pass Hits.")
    scores = run.scores(wanted)
    return [(cut.k or 0, none_if_nan(scores[cut])) for cut in wanted]


def _is_same(cut: Measure, measure: Measure) -> bool:
    """Whether the two differ at most in the cutoff."""
    return cut.k is not None and (cut.metric, cut.chosen) == (measure.metric, measure.chosen)
