"""The scores or the comparison of slices in, the tables that people read out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rankgold.comparison.comparison_document import comparison_document
from rankgold.errors import counted
from rankgold.output.document import Cell, Document, ResultTable
from rankgold.output.text import check_digits, number

if TYPE_CHECKING:
    from rankgold.comparison.slice_comparison import SliceComparison
    from rankgold.comparison.slice_scores import SliceRow, SliceScores

_MOST_WORSE = 10


def slice_document(slices: SliceScores, digits: int = 4) -> Document:
    """A row for each slice and run, with the mean and the interval of each measure."""
    return Document([slice_table(slices, digits)], notes=[f"note: {note}" for note in slices.notes])


def slice_table(slices: SliceScores, digits: int) -> ResultTable:
    """The table of the slices; the run has no column if there is only one."""
    digits = check_digits(digits)
    settings, measures, runs = slices.settings, list(slices.scores.measures), slices.scores.runs
    level = f"{settings.level * 100:g} % CI"
    header = ["attribute", "slice", *(["run"] if len(runs) > 1 else []), "queries"]
    keys = len(header)
    header += [title for measure in measures for title in (measure, level)]
    rows: list[list[Cell]] = []
    for first in range(0, len(slices.rows), len(measures)):
        of_run = slices.rows[first : first + len(measures)]
        head = of_run[0]
        names = [head.attribute, head.slice, *([head.run] if len(runs) > 1 else [])]
        values: list[Cell] = [cell for row in of_run for cell in (row.mean, _interval(row, digits))]
        rows.append([*names, f"{head.queries:,}", *values])
    caption = f"Means of each slice, with {settings.level * 100:g} % intervals ({settings.interval})"
    alignment = "l" * (keys - 1) + "r" * (len(header) - keys + 1)
    return ResultTable(header, rows, alignment, caption=caption, digits=digits, keys=keys)


def _interval(row: SliceRow, digits: int) -> str:
    return "–" if math.isnan(row.low) else f"{number(row.low, digits)} to {number(row.high, digits)}"


def slice_comparison_document(slices: SliceComparison, digits: int = 4) -> Document:
    """A row for each slice, pair and measure, then the slices in which b is worse, the most certain first."""
    whole = comparison_document(slices.comparison, digits)
    table = _with_titles(_without(whole.tables[0], slices.unknown), slices.titles)
    method = slices.comparison.method.describe()
    count = sum(not math.isnan(row.p) for row in slices.comparison.rows)
    caption = f"The same in each slice ({method}, over {counted(count, 'comparison')})"
    worse = slices.worse()
    facts = [("worse", row.sentence) for row in worse[:_MOST_WORSE]]
    if more := len(worse) - len(facts):
        facts.append(("worse", f"{counted(more, 'more slice')}, less certain"))
    if not worse:
        facts.append(("worse", "no slice: b has nowhere a worse mean than a"))
    facts += [("doubt", doubt) for doubt in slices.comparison.doubts]
    return Document([replace(table, caption=caption)], facts=facts, notes=[f"note: {note}" for note in slices.notes])


def _without(table: ResultTable, unknown: Sequence[str]) -> ResultTable:
    """The table without some of its columns."""
    kept = [i for i, name in enumerate(table.header) if name not in unknown]
    return replace(
        table,
        header=[table.header[i] for i in kept],
        rows=[[row[i] for i in kept] for row in table.rows],
        alignment="".join(table.alignment[i] for i in kept),
    )


def _with_titles(table: ResultTable, titles: Sequence[tuple[str, str]]) -> ResultTable:
    """The table with the attribute and the slice of each row in front."""
    return replace(
        table,
        header=["attribute", "slice", *table.header],
        rows=[[*title, *row] for title, row in zip(titles, table.rows, strict=True)],
        alignment=f"ll{table.alignment}",
        strong=frozenset((row, column + 2) for row, column in table.strong),
        keys=table.keys + 2,
    )
