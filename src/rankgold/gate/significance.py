"""The scores of two runs, for all queries and for slices, in; corrected p-values of their differences out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankgold.comparison.corrections import corrected
from rankgold.comparison.paired_tests import TESTS
from rankgold.comparison.paired_values import AlignedValues
from rankgold.comparison.settings import ComparisonSettings
from rankgold.comparison.unit_sums import UnitSums
from rankgold.errors import CheckError
from rankgold.scoring.scores import Scores

# As many draws as a comparison makes, up to 2,000 queries; fewer of more queries, so that a pipeline does not wait.
_MOST_SIGNS, _FEWEST = 200_000_000, 10_000


def p_values(parts: Sequence[tuple[str, Scores]], labels: Sequence[str]) -> dict[tuple[str, str], float]:
    """Slice and measure -> the p-value, corrected for the number of slices and measures."""
    settings = ComparisonSettings()
    found = []
    for _, scores in parts:
        if not scores.has_queries:
            raise CheckError(
                "The baseline was saved without the values of its queries, so no fall can be tested. Save it with"
                " --save, or leave significant out."
            )
        aligned = AlignedValues.of(scores)
        units = UnitSums.of(np.stack([aligned.differences(label, *scores.runs) for label in labels], axis=1))
        count = min(settings.test_draws.count, max(_MOST_SIGNS // max(len(units), 1), _FEWEST))
        found.append(TESTS[settings.test][1](units, replace(settings.test_draws, count=count)))
    keys = [(title, label) for title, _ in parts for label in labels]
    return dict(zip(keys, corrected(np.concatenate(found), settings.correction).tolist(), strict=True))
