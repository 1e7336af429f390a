"""What results are made into before they are written: tables, and the text around them. Plain data, no code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Cell = str | float


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A header and rows. Text is escaped by each output; a float is a number, and NaN is an undefined one.

    A table for plain text only may have no header; its first column are names.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    alignment: str
    """One letter for each column, `l` or `r`."""
    strong: frozenset[tuple[int, int]] = frozenset()
    """Row and column of the cells to emphasise, counted from 0."""
    caption: str = ""
    digits: int = 4
    """Decimals of numbers. CSV writes numbers in full."""
    keys: int = 0
    """How many of the first columns say what a row is. A terminal may show the other columns below each other."""
    columns_are: str = ""
    """What the other columns are, such as "measure": the header of the first column if the table is turned round."""


@dataclass(frozen=True, slots=True)
class Document:
    """One or more tables with a title, a formula and facts around them. LaTeX and CSV write tables only."""

    tables: Sequence[ResultTable]
    title: str = ""
    formula: str = ""
    facts: Sequence[tuple[str, str]] = ()
    """Lines below the tables, each with a name."""
    notes: Sequence[str] = ()
    """Lines at the end, in text, in HTML and on a terminal."""
    raw_ids: bool = False
    """Whether CSV has names and ids unchanged, even if a spreadsheet would take them for formulas."""
