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
    raw_ids: bool = False
    """Whether CSV has names and ids unchanged, even if a spreadsheet would take them for formulas."""
    columns_are: str = ""
    """What the other columns are, such as "measure": the header of the first column of the transposed table."""


@dataclass(frozen=True, slots=True)
class Document:
    """Tables with a title, a formula and facts around them. LaTeX writes tables only."""

    tables: Sequence[ResultTable]
    title: str = ""
    formula: str = ""
    facts: Sequence[tuple[str, str]] = ()
    """Lines below the tables, each with a name."""
    notes: Sequence[str] = ()
    """Lines at the end, in text, in HTML and on a terminal."""
    alone: Sequence[ResultTable] = ()
    """The tables for LaTeX, which writes no text around them: their captions say what the text says; if none are given,
    they are the same tables."""
    following: Sequence[Document] = ()
    """Documents that are written below it, each with its own title."""

    @property
    def parts(self) -> tuple[Document, ...]:
        """The document itself, and those that follow it."""
        return self, *self.following

    @property
    def tables_alone(self) -> list[ResultTable]:
        """The tables for an output without text; of a part without a table, its facts."""
        return [table for part in self.parts for table in part.alone or part.tables or [part.table_of_facts]]

    @property
    def table_of_facts(self) -> ResultTable:
        """The title and the facts as a table."""
        return ResultTable(["", self.title], self.facts, "ll")
