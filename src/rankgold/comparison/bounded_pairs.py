"""A comparison and its data in; for each of its rows, how far the unjudged documents could move the difference, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgold.comparison.result import Comparison
from rankgold.engines.request import Request
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    from rankgold.judging.difference_bounds import DifferenceBounds


def bounds_of_pairs(request: Request, scores: Scores, comparison: Comparison) -> list[DifferenceBounds]:
    """The bounds of the difference of each pair and measure."""
    from rankgold.judging.difference_bounds import difference_bounds
    from rankgold.judging.open_documents import open_runs

    pairs = list(dict.fromkeys((row.a, row.b) for row in comparison.rows))
    return difference_bounds(open_runs(request), scores.measures, pairs)
