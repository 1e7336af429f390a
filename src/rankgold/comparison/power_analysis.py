"""Estimates how many queries are needed.

The test is the two-sided paired t-test, whose power has a formula. In miniature: a difference of half a standard
deviation is seen in 8 of 10 collections of 34 queries, at p < 0.05.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.comparison.paired_values import ROUNDING, AlignedValues, scipy_stats
from rankgold.comparison.pairwise import pairs_to_compare
from rankgold.core.document import Cell, Document, ResultTable, check_digits
from rankgold.core.errors import ComparisonError, brief
from rankgold.core.result import Result, known_fields, row_frame
from rankgold.core.segments import Floats
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    import polars


# The search for the number of queries that are needed ends here: nobody judges more.
_MOST_QUERIES = 10**9


@dataclass(frozen=True, slots=True)
class PowerRow:
    """What the queries can detect for one pair of runs and one measure."""

    measure: str
    a: str
    b: str
    queries: int
    deviation: float
    """The standard deviation of the differences between the runs, query by query."""
    smallest: float
    """The smallest difference that this many queries detect with the wanted power."""
    difference: float
    """The difference to detect: as passed, or the one between the runs."""
    power: float
    """The probability that this many queries detect it."""
    needed: float
    """How many queries detect it with the wanted power; NaN if no number does, or more than a billion."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Power(Result):
    """How many queries are needed to detect a difference, and the smallest detectable one."""

    rows: Sequence[PowerRow]
    power: float
    alpha: float
    notes: tuple[str, ...] = ()
    """What was left out."""

    @property
    def sentences(self) -> list[str]:
        """One plain sentence for each row."""
        return [self._sentence(row) for row in self.rows]

    def _sentence(self, row: PowerRow) -> str:
        of = f" of {row.measure} between {row.a} and {row.b}" if row.a else ""
        if math.isnan(row.smallest):
            return f"Nothing can be said about differences{of}: at least two queries must differ by different amounts."
        queries = f"{row.queries:,} queries can show a difference{of} of {row.smallest:.3g} or more"
        if math.isnan(row.needed):
            needed = f"needs more than {_MOST_QUERIES:,}" if row.difference else "is shown by no number of"
            return f"{queries}; a difference of {row.difference:.3g} {needed} queries."
        return f"{queries}; a difference of {row.difference:.3g} needs {row.needed:,.0f} queries."

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame: measure, a, b, queries, deviation, smallest, difference, power, needed."""
        import polars as pl

        return row_frame(PowerRow, self.rows).with_columns(pl.col("needed").fill_nan(None).cast(pl.Int64))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None."""
        rows = [known_fields(row) for row in self.rows]
        return {
            "rows": rows,
            "power": self.power,
            "alpha": self.alpha,
            "sentences": self.sentences,
            "notes": list(self.notes),
        }

    @property
    def method(self) -> str:
        """The test with its level and power, in a line."""
        return f"two-sided paired t-test at {self.alpha:g}, power {self.power:g}"

    def document(self, digits: int = 4) -> Document:
        """A row for each pair and measure, then a sentence for each."""
        digits = check_digits(digits)
        header = [field.name for field in fields(PowerRow)]
        rows: list[list[Cell]] = []
        for row in self.rows:
            needed: Cell = math.nan if math.isnan(row.needed) else f"{row.needed:.0f}"
            shown = [row.deviation, row.smallest, row.difference, row.power]
            rows.append([row.measure, row.a, row.b, str(row.queries), *shown, needed])
        table = ResultTable(header, rows, "lllrrrrrr", digits=digits, keys=3)
        facts = [("result", sentence) for sentence in self.sentences]
        notes = [f"note: {note}" for note in self.notes]
        alone = replace(table, caption=f"Differences that can be seen ({self.method}).")
        return Document([table], facts=[*facts, ("method", self.method)], notes=notes, alone=[alone])


def analysed(data: object, difference: float | None, power: float, alpha: float, baseline: str | None) -> Power:
    """What the queries of Scores, or these differences, can show."""
    for name, value in (("power", power), ("alpha", alpha)):
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 < value < 1:
            raise ComparisonError(f"{name} must be a number above 0 and below 1, not {brief(value)}.")
    if power <= alpha:
        raise ComparisonError(f"power must be above alpha, {alpha:g}: chance alone has the power {alpha:g}.")
    if difference is not None:
        is_number = isinstance(difference, Real) and not isinstance(difference, bool)
        if not is_number or not 0 < abs(difference) < math.inf:
            raise ComparisonError(f"difference must be a number other than 0, not {brief(difference)}.")
    found = list(_differences(data, baseline))
    rows = [_row(*key, values, difference, power, alpha) for key, values in found]
    return Power(rows, power, alpha, tuple(note for key, values in found for note in _notes(*key, values)))


def _notes(measure: str, a: str, b: str, values: Floats) -> Iterator[str]:
    if undefined := int(np.count_nonzero(~np.isfinite(values))):
        differences = f"differences of {measure} between {a} and {b}" if a else "differences"
        verb = "is" if undefined == 1 else "are"
        yield f"{undefined:,} of {len(values):,} {differences} {verb} undefined: left out"


def _differences(data: object, baseline: str | None) -> Iterator[tuple[tuple[str, str, str], Floats]]:
    """Measure and runs, with the differences of the queries that both runs have."""
    if isinstance(data, Scores):
        aligned = AlignedValues.of(data)
        for label in data.measures:
            for a, b in pairs_to_compare(data, baseline):
                yield (label, a, b), aligned.differences(label, a, b)
        return
    try:
        values = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.empty((0, 0))
    if values.ndim != 1:
        kind = type(data).__name__
        raise ComparisonError(
            f"Pass Scores of two runs or more, or a list of differences, query by query, not {kind}."
            " For files: rankgold.power(rankgold.evaluate(qrels, runs, measures))."
        )
    yield ("difference", "", ""), values


def _row(measure: str, a: str, b: str, values: Floats, wanted: float | None, target: float, alpha: float) -> PowerRow:
    known = values[np.isfinite(values)]
    count = len(known)
    deviation = float(np.std(known, ddof=1)) if count > 1 else math.nan
    if not deviation > ROUNDING * np.abs(known).max(initial=0.0):
        seen = float(known.mean()) if count else math.nan
        return PowerRow(measure, a, b, count, deviation, math.nan, wanted or seen, math.nan, math.nan)
    difference = float(known.mean()) if wanted is None else float(wanted)
    effect = abs(difference) / deviation
    return PowerRow(
        measure,
        a,
        b,
        count,
        deviation,
        deviation * smallest_effect(count, target, alpha),
        difference,
        power_of_t_test(effect, count, alpha),
        needed_queries(effect, target, alpha),
    )


def power_of_t_test(effect: float, queries: float, alpha: float) -> float:
    """The chance that the two-sided paired t-test finds an effect, in standard deviations of the differences."""
    stats = scipy_stats()
    freedom = queries - 1
    limit, shift = stats.t.isf(alpha / 2, freedom), effect * math.sqrt(queries)
    # SciPy may give NaN for the share on the other side, if hardly anything is there.
    other_side = np.nan_to_num(stats.nct.cdf(-limit, freedom, shift))
    # It also does so for this side, if all is there.
    this_side = np.nan_to_num(stats.nct.sf(limit, freedom, shift), nan=float(shift > limit))
    return float(this_side + other_side)


def smallest_effect(queries: int, target: float, alpha: float) -> float:
    """The effect for which so many queries have the power that is wanted."""
    return _least(lambda effect: power_of_t_test(effect, queries, alpha) >= target, 1.0)


def needed_queries(effect: float, target: float, alpha: float) -> float:
    """The least number of queries with the power that is wanted; NaN if it is above a billion."""
    # Without noncentral t: the normal distribution needs a few queries less, so the search begins close to the end.
    normal = scipy_stats().norm
    usual = ((normal.isf(alpha / 2) + normal.isf(1 - target)) / effect) ** 2 if effect else math.inf
    if usual > _MOST_QUERIES:
        return math.nan
    queries = max(2, math.floor(usual))
    while power_of_t_test(effect, queries, alpha) < target:
        queries += 1
    while queries > 2 and power_of_t_test(effect, queries - 1, alpha) >= target:
        queries -= 1
    return float(queries)


def _least(holds: Callable[[float], bool], high: float) -> float:
    """The least number above 0 for which a condition holds, which holds for all larger numbers."""
    while not holds(high):
        high *= 2
    low = 0.0
    while (middle := (low + high) / 2) not in (low, high) and high - low > 1e-12 * high:
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
