"""A file of means and standard deviations in, z-scores of values out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from rankgold.compat.whitespace_fields import field_number, rows

_FIELDS = "query", "measure", "mean", "standard deviation"

# What is printed for a measure of a query that is not in the file, or does not vary and has another value.
_MISSING = -1_000_000.0


@dataclass(frozen=True, slots=True)
class ZScores:
    """How far values are from a mean, in standard deviations."""

    known: Mapping[tuple[str, str], tuple[float, float]]
    """Query and measure -> mean and standard deviation over other runs."""

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> ZScores:
        return cls(
            {
                (query, measure): (field_number(mean, place), field_number(deviation, place))
                for place, (query, measure, mean, deviation) in rows(path, _FIELDS)
            }
        )

    def of(self, query: str, label: str, value: float) -> float:
        if (query, label) not in self.known:
            return _MISSING
        mean, deviation = self.known[query, label]
        if deviation:
            return (value - mean) / deviation
        return 0.0 if value == mean else _MISSING
