"""The different values of an attribute in, its slices out: a slice for each value, or bins between quantiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rankgold.errors import DataError
from rankgold.kernels.segments import Ints

NONE = "(none)"
"""The slice of the queries without a value."""


@dataclass(frozen=True, slots=True, eq=False)
class AttributeSlices:
    """The slices of one attribute. A slice has a code: its place among the names."""

    attribute: str
    names: tuple[str, ...]
    """The last one is that of queries without a value."""
    edges: Any = None
    """The highest values of all bins but the last, as an array; None for an attribute whose values are text."""

    @classmethod
    def of(cls, attribute: str, values: pl.Series, counts: Ints, bins: int) -> AttributeSlices:
        """The slices of these different values; `counts` are the queries that have each. A null is not a value."""
        known = comparable(values.alias(attribute))
        ordered, counts = known.drop_nulls(), counts[known.is_not_null().to_numpy()]
        if ordered.dtype == pl.String:
            names = sorted(ordered.to_list())
            return cls(attribute, (*names, _unused_name(names)))
        order = ordered.arg_sort()
        ordered, counts = ordered.gather(order), counts[order.to_numpy()]
        last = _last_of_bins(counts, bins) if len(ordered) > bins else np.arange(len(ordered))
        first = np.concatenate(([0], last[:-1] + 1))[: len(last)]
        names = [_span(ordered, a, b) for a, b in zip(first.tolist(), last.tolist(), strict=True)]
        return cls(attribute, (*names, NONE), _numbers(ordered.gather(last[:-1])))

    def codes(self, values: pl.Series) -> Ints:
        """The slice of each value."""
        known = comparable(values)
        if self.edges is None:
            code = {name: i for i, name in enumerate(self.names[:-1])}
            return np.array([self.missing if value is None else code[value] for value in known], dtype=np.int64)
        codes: Ints = np.searchsorted(self.edges, _numbers(known.fill_null(strategy="min")), side="left").astype(
            np.int64
        )
        codes[known.is_null().to_numpy()] = self.missing
        return codes

    @property
    def missing(self) -> int:
        """The code of queries without a value."""
        return len(self.names) - 1


def comparable(values: pl.Series) -> pl.Series:
    """The values as numbers, dates or text; null where one is missing: also NaN and empty text."""
    dtype = values.dtype
    if dtype.is_float():
        return values.fill_nan(None)
    if dtype.is_decimal() or dtype in (pl.Int128, pl.UInt128):  # NumPy has neither
        return values.cast(pl.Float64)
    if dtype.is_integer() or dtype in (pl.Date, pl.Time) or isinstance(dtype, (pl.Datetime, pl.Duration)):
        return values
    if dtype == pl.Boolean:
        return values.cast(pl.String)
    if isinstance(dtype, (pl.Categorical, pl.Enum)) or dtype in (pl.String, pl.Null):
        text = values.cast(pl.String)
        return text.set(text == "", None) if len(text) else text
    raise DataError(
        f"the attribute {values.name!r} is of type {dtype}. Attributes must be text, numbers, dates or booleans."
    )


def has_slices(values: pl.Series) -> bool:
    """Whether the values of a column can be compared, so that it is an attribute."""
    dtype = values.dtype
    return not (dtype.is_nested() or dtype in (pl.Binary, pl.Object))


def _last_of_bins(counts: Ints, bins: int) -> Ints:
    """The last value of each bin: the first one up to which there is the bin's share of all queries.

    The ends of bins are values, so that they are the same wherever they are computed. In miniature: of 2, 1, 1 and 4
    queries with the values 5, 6, 7 and 8, two bins end where there are 4 of 8 queries and all: at 7 and 8.
    """
    until = np.cumsum(counts)
    shares = np.arange(1, bins + 1) * int(until[-1])
    return np.unique(np.searchsorted(until * bins, shares, side="left"))


def _span(values: pl.Series, first: int, last: int) -> str:
    low, high = _text(values[first]), _text(values[last])
    if first != last and low == high:  # they differ in later digits
        low, high = str(values[first]), str(values[last])
    return low if first == last else f"{low} to {high}"


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _numbers(values: pl.Series) -> np.ndarray[Any, Any]:
    return values.to_physical().to_numpy()


def _unused_name(names: list[str]) -> str:
    name = NONE
    while name in names:
        name = f"({name})"
    return name
