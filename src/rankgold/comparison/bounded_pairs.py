"""A comparison and its data in; for each of its rows, how far the unjudged documents could move the difference, out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rankgold.comparison.result import Comparison
from rankgold.errors import ComparisonError
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    from rankgold.judging.difference_bounds import DifferenceBounds


def bounds_of_pairs(
    qrels: Any, runs: Any, scores: Scores, comparison: Comparison, options: Mapping[str, Any]
) -> list[DifferenceBounds]:
    """The bounds of the difference of each pair and measure; `options` are those of `evaluate`."""
    from rankgold.judging.difference_bounds import difference_bounds
    from rankgold.judging.open_documents import OpenOptions, open_runs

    if options.get("engine") not in (None, "local"):
        raise ComparisonError("bounds are computed in this process. Leave out engine, or bounds.")
    taken: Any = {name: value for name, value in options.items() if name in OpenOptions.__optional_keys__}
    opened = open_runs(qrels, runs, **taken)
    pairs = list(dict.fromkeys((row.a, row.b) for row in comparison.rows))
    return difference_bounds(opened, scores.measures, pairs)
