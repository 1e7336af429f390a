"""A comparison in, the tables that people read out."""

from __future__ import annotations

from rankgold.comparison.result import Comparison, PairRow
from rankgold.output.document import Cell, Document, ResultTable
from rankgold.output.text import check_digits, number

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
