"""Scores as tables for the terminal."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rankgold.output.rendering import best_runs, means_by_run, note_lines, number, per_query_rows, plain

if TYPE_CHECKING:
    from rankgold.scoring.scores import Scores


def table(scores: Scores, per_query: bool = False) -> str:
    """Means in colour, the best run of each measure in green; with `per_query` every query's values first."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, highlight=False)
    if per_query:
        console.print(_per_query(scores))
    console.print(means_table(scores))
    for line in note_lines(scores):
        console.print(Text(f"note: {line}", style="dim"), soft_wrap=True)
    if str(scores.policy) != "rankgold":
        console.print(Text(f"policy: {scores.policy}", style="dim"), soft_wrap=True)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def means_table(scores: Scores) -> Table:
    """A table of the means, the best run of each measure in green."""
    shown = _table(["run"], list(scores.measures))
    best = best_runs(scores)
    for name, means in means_by_run(scores).items():
        cells = [
            Text(number(value), style="bold green" if name in best[label] else "") for label, value in means.items()
        ]
        shown.add_row(Text(plain(name)), *cells)
    return shown


def _per_query(scores: Scores) -> Table:
    shown = _table(["run", "query"], list(scores.measures))
    for name, query, values in per_query_rows(scores):
        shown.add_row(Text(plain(name)), Text(plain(query)), *(number(value) for value in values))
    return shown


def _table(names: list[str], measures: list[str]) -> Table:
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        shown.add_column(Text(name), overflow="fold")
    for label in measures:
        shown.add_column(Text(plain(label)), justify="right", no_wrap=True)
    return shown
