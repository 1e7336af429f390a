"""Writes CSV that is safe in spreadsheets: one table, with numbers in full.

A name that a spreadsheet would take for a formula gets an apostrophe in front. So does a name that is already written
in this way: `=x` becomes `'=x`, and `'=x` becomes `''=x`, so that different names stay different and can be read back.
"""

from __future__ import annotations

import re

from rankgold.output.document import Cell, ResultTable
from rankgold.output.registry import output

# A spreadsheet takes a cell that begins like this for a formula, also in quotation marks; a plain number is harmless.
_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_QUOTED = re.compile(r'[",;\t\r\n]')  # a spreadsheet may split lines at semicolons and tabs too


@output("csv", made_of="table", place=2)
def csv_table(table: ResultTable) -> str:
    """A line for each row; an undefined number is an empty field. With `raw_ids` no name gets an apostrophe."""
    return "".join(",".join(_field(cell, table.raw_ids) for cell in row) + "\n" for row in (table.header, *table.rows))


def name_of_field(field: str) -> str:
    """The name that was written as this field, without the apostrophe in front."""
    return field[1:] if field.startswith("'") and _gets_apostrophe(field[1:]) else field


def _gets_apostrophe(name: str) -> bool:
    text = name.lstrip("'")
    return _FORMULA.match(text) is not None and not _NUMBER.fullmatch(text)


def _field(cell: Cell, raw_ids: bool) -> str:
    if isinstance(cell, float):
        return "" if cell != cell else str(cell)
    if not raw_ids and _gets_apostrophe(cell):
        cell = f"'{cell}"
    return '"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell
