"""Writes CSV that is safe in spreadsheets.

A name that a spreadsheet would take for a formula gets an apostrophe in front. So does a name that is already written
in this way: `=x` becomes `'=x`, and `'=x` becomes `''=x`, so that different names stay different and can be read back.
"""

from __future__ import annotations

import re

from rankgold.core.document import Cell, ResultTable, gets_apostrophe
from rankgold.present.outputs import output

_QUOTED = re.compile(r'[",;\t\r\n]')  # a spreadsheet may split lines at semicolons and tabs too


@output("csv", made_of="table", place=2)
def csv_table(table: ResultTable) -> str:
    """A line for each row; an undefined number is an empty field. With `raw_ids` no name gets an apostrophe."""
    return "".join(",".join(_field(cell, table.raw_ids) for cell in row) + "\n" for row in (table.header, *table.rows))


def _field(cell: Cell, raw_ids: bool) -> str:
    if isinstance(cell, float):
        return "" if cell != cell else str(cell)
    if not raw_ids and gets_apostrophe(cell):
        cell = f"'{cell}"
    return '"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell
