"""A comparison and its data in; for each of its rows, how far the unjudged documents could move the difference, out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rankgold.comparison.result import Comparison
from rankgold.errors import ComparisonError
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    from rankgold.judging.difference_bounds import DifferenceBounds

_TAKEN = ("policy", "columns", "parent", "depth", "topics", "exclude")


def bounds_of_pairs(
    qrels: Any, runs: Any, scores: Scores, comparison: Comparison, options: Mapping[str, Any]
) -> list[DifferenceBounds]:
    """The bounds of the difference of each pair and measure; `options` are those of `evaluate`."""
    from rankgold.judging.difference_bounds import difference_bounds
    from rankgold.judging.open_documents import open_runs

    if options.get("engine") not in (None, "local"):
        raise ComparisonError("bounds are computed in this process. Leave out engine, or bounds.")
    opened = open_runs(qrels, runs, **{name: options[name] for name in _TAKEN if name in options})
    pairs = list(dict.fromkeys((row.a, row.b) for row in comparison.rows))
    return difference_bounds(opened, scores.measures, pairs)
