"""Holds a comparison: sentences, verdict, tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rankgold.comparison.choices import CORRECTIONS
from rankgold.core.document import Cell, Document, ResultTable, check_digits, number
from rankgold.core.result import Result, frame_table, known_fields, row_frame

if TYPE_CHECKING:
    import polars

    from rankgold.comparison.slice_comparison import SliceComparison
    from rankgold.judging.difference_bounds import DifferenceBounds


ALPHA = 0.05
"""A difference with a lower p-value is significant."""

# Smaller differences have more than three decimals in a sentence.
_SMALL, _MOST_DECIMALS = 0.001, 12


@dataclass(frozen=True, slots=True)
class PairRow:
    """One pair of runs under one measure."""

    measure: str
    a: str
    b: str
    mean_a: float
    mean_b: float
    """The means over the queries that both runs have."""
    difference: float
    """mean_b - mean_a."""
    low: float
    high: float
    """The ends of the confidence interval of the difference."""
    p: float
    p_corrected: float
    effect: float
    """Paired d: the mean of the differences over their standard deviation."""
    standardized: float
    """The difference over the standard deviation of the values of both runs."""
    wins: int
    """The number of queries for which b is better."""
    ties: int
    losses: int
    queries: int
    p_equivalent: float = math.nan
    """The p-value of the test that the difference is within the margin; NaN without a margin."""


@dataclass(frozen=True, slots=True)
class ComparisonMethod:
    """How a comparison was made."""

    test: str
    """The name of the test in a sentence."""
    correction: str
    interval: str
    level: float
    draws: int
    seed: int
    margin: float | None = None
    alpha: float = ALPHA
    is_weighted: bool = False
    """Whether some queries count more than others."""
    is_clustered: bool = False
    """Whether queries that belong together were drawn together."""

    def describe(self) -> str:
        """The method in one sentence."""
        parts = [self.test]
        if self.correction != "none":
            parts.append(f"p-values corrected by {CORRECTIONS[self.correction][0]}")
        parts.append(f"{self.level * 100:g} % intervals ({self.interval})")
        if self.is_weighted:
            parts.append("queries weighted")
        if self.is_clustered:
            parts.append("queries drawn in clusters")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Result):
    """Is one run better than another, by how much, and is that certain? A row for each pair of runs and measure."""

    rows: Sequence[PairRow]
    method: ComparisonMethod
    lower_is_better: frozenset[str] = frozenset()
    """The measures of which less is better."""
    doubts: Sequence[str] = ()
    """Caveats about the data."""
    slices: SliceComparison | None = None
    """The comparison of each slice, if there are slices."""
    bounds: Sequence[DifferenceBounds] = ()
    """How far unjudged documents could move each difference, if requested."""

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame: measure, a, b, mean_a, mean_b, difference, low, high, p, p_corrected, effect, ..."""
        frame = row_frame(PairRow, self.rows)
        return frame.drop("p_equivalent") if self.method.margin is None else frame

    @property
    def sentences(self) -> list[str]:
        """One plain sentence for each row."""
        return [self._sentence(row) for row in self.rows]

    def is_significant(self, row: PairRow) -> bool:
        return row.p_corrected < self.method.alpha

    def better(self, row: PairRow) -> str | None:
        """The run with the better mean, or None if they are equal or undefined."""
        if math.isnan(row.difference) or row.difference == 0:
            return None
        return row.b if (row.difference > 0) != (row.measure in self.lower_is_better) else row.a

    def _sentence(self, row: PairRow) -> str:
        if math.isnan(row.difference):
            return f"{row.a} and {row.b} have no query in common for which {row.measure} is defined."
        better = self.better(row)
        certainty = self._certainty(row)
        if better is None:
            return f"{row.b} and {row.a} have the same {row.measure}{certainty}."
        worse = row.a if better == row.b else row.b
        # Adding 0 takes the sign of -0 away.
        low, high = (row.low, row.high) if row.difference > 0 else (0.0 - row.high, 0.0 - row.low)
        verb = "is better than" if self.is_significant(row) else "may be better than"
        digits = _decimals(row.difference)
        interval = (
            "" if math.isnan(low) else f", {self.method.level * 100:g} % CI {low:.{digits}f} to {high:.{digits}f}"
        )
        return f"{better} {verb} {worse} by {abs(row.difference):.{digits}f} {row.measure}{interval}{certainty}."

    def _certainty(self, row: PairRow) -> str:
        if math.isnan(row.p_corrected):
            return ""
        name = CORRECTIONS[self.method.correction][0]
        count = sum(not math.isnan(other.p) for other in self.rows)
        after = f" after {name} over {count} comparisons" if name and count > 1 else ""
        equivalent = ""
        if self.method.margin is not None and row.p_equivalent < self.method.alpha:
            equivalent = f"; equivalent within {self.method.margin:g} (p {p_relation(row.p_equivalent)})"
        return f", p {p_relation(row.p_corrected)}{after}{equivalent}"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None."""
        comparisons = []
        for row in self.rows:
            content = known_fields(row)
            if self.method.margin is None:
                del content["p_equivalent"]
            comparisons.append(content)
        return {
            "comparisons": comparisons,
            "method": asdict(self.method),
            "sentences": self.sentences,
            "doubts": list(self.doubts),
            **({} if self.slices is None else {"slices": self.slices.to_dict()}),
            **({"bounds": [bound.to_dict() for bound in self.bounds]} if self.bounds else {}),
        }

    def document(self, digits: int = 4) -> Document:
        """A row for each pair and measure, then that of each slice, then a sentence for each row.

        Alone, there is a table of the means, marked where runs differ; its caption names the test.
        """
        return comparison_document(self, digits)

    def full_table(self) -> ResultTable:
        """The rows of `frame`, or of `slices.frame`, if there are slices."""
        return frame_table(self.frame if self.slices is None else self.slices.frame)

    def __iter__(self) -> Iterator[PairRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def _decimals(difference: float) -> int:
    """Three, or as many as show two digits of a smaller difference."""
    if difference == 0 or abs(difference) >= _SMALL:
        return 3
    power_of_ten = int(f"{difference:.1e}".partition("e")[2])
    return min(1 - power_of_ten, _MOST_DECIMALS)


def p_relation(p: float) -> str:
    """A p-value as sentences have it: = 0.023, = 0.0006, or < 0.0001."""
    if p < 0.0001:
        return "< 0.0001"
    return f"= {p:.3f}" if p >= 0.001 else f"= {p:.4f}"


MARK = "†"
"""After a mean that differs significantly from the other run's."""


def comparison_document(comparison: Comparison, digits: int = 4) -> Document:
    """A row for each pair and measure, then a sentence for each."""
    digits = check_digits(digits)
    level = f"{comparison.method.level * 100:g} %"
    header = ["measure", "a", "b", "mean a", "mean b", "b - a", "low", "high", "p", "p corrected"]
    header += ["effect", "standardized", "wins", "ties", "losses", "queries"]
    rows = [_cells(row, digits) for row in comparison.rows]
    strong = {(i, 5) for i, row in enumerate(comparison.rows) if comparison.is_significant(row)}
    if comparison.method.margin is not None:
        header.append("p equivalent")
        equivalent = [_p_cell(row.p_equivalent, digits) for row in comparison.rows]
        rows = [[*cells, p] for cells, p in zip(rows, equivalent, strict=True)]
    table = ResultTable(
        header=header,
        rows=rows,
        alignment="lll" + "r" * (len(header) - 3),
        strong=frozenset(strong),
        digits=digits,
        keys=3,
    )
    facts = [("result", sentence) for sentence in comparison.sentences]
    facts.append(("method", f"{comparison.method.describe()}; low and high are the ends of the {level} interval."))
    facts += [("doubt", doubt) for doubt in comparison.doubts]
    facts += [("bounds", bound.sentence()) for bound in comparison.bounds]
    marks = marks_table(comparison, digits)
    of_slices = None if comparison.slices is None else comparison.slices.document(digits)
    if of_slices is None:
        return Document([table], facts=facts, alone=[marks])
    return Document(
        [table, *of_slices.tables],
        facts=[*facts, *of_slices.facts],
        notes=of_slices.notes,
        alone=[marks, *of_slices.tables],
    )


def _cells(row: PairRow, digits: int) -> list[Cell]:
    counts = [str(count) for count in (row.wins, row.ties, row.losses, row.queries)]
    p_values = [_p_cell(p, digits) for p in (row.p, row.p_corrected)]
    means = (row.mean_a, row.mean_b, row.difference, row.low, row.high)
    return [row.measure, row.a, row.b, *means, *p_values, row.effect, row.standardized, *counts]


def _p_cell(p: float, digits: int) -> Cell:
    """A p-value, never shown as 0."""
    smallest = 10.0**-digits
    return f"<{number(smallest, digits)}" if p < smallest else p


def marks_table(comparison: Comparison, digits: int = 4) -> ResultTable:
    """A row for each run with its means. Marks show significant differences; the caption names the test.

    Compared with one baseline, a run that differs from it has a mark. Otherwise each run has a letter, and a mean is
    followed by the letters of the runs that it is better than.
    """
    digits = check_digits(digits)
    measures = list(dict.fromkeys(row.measure for row in comparison.rows))
    runs = list(dict.fromkeys(name for row in comparison.rows for name in (row.a, row.b)))
    baselines = list(dict.fromkeys(row.a for row in comparison.rows))
    has_baseline = len(baselines) == 1
    letters = {name: _letters(i) for i, name in enumerate(runs)}
    means: dict[tuple[str, str], float] = {}
    marks: dict[tuple[str, str], list[str]] = {}
    for row in comparison.rows:
        means[row.a, row.measure], means[row.b, row.measure] = row.mean_a, row.mean_b
        if comparison.is_significant(row) and (better := comparison.better(row)) is not None:
            if has_baseline:
                marks[row.b, row.measure] = [MARK]
            else:
                marks.setdefault((better, row.measure), []).append(letters[row.a if better == row.b else row.b])
    rows: list[list[Cell]] = []
    for name in runs:
        shown = [f"{number(means[name, measure], digits)}{_suffix(marks.get((name, measure)))}" for measure in measures]
        rows.append([name if has_baseline else f"{letters[name]}: {name}", *shown])
    meaning = (
        f"{MARK} differs significantly from {baselines[0]}"
        if has_baseline
        else "Letters: the runs than which a run is significantly better"
    )
    caption = f"Means. {meaning} ({comparison.method.describe()}, p < {comparison.method.alpha:g})."
    return ResultTable(["run", *measures], rows, "l" + "r" * len(measures), caption=caption, digits=digits)


def _suffix(marks: list[str] | None) -> str:
    if not marks:
        return ""
    return MARK if marks == [MARK] else f" {','.join(sorted(marks))}"


def _letters(number_of_run: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    before, last = divmod(number_of_run, 26)
    return ("" if before == 0 else _letters(before - 1)) + chr(ord("a") + last)
