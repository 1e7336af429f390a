"""A document in, its tables in colour out, as wide as the terminal allows."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from rankgold.output.document import Document, ResultTable
from rankgold.output.text import cells, plain

if TYPE_CHECKING:
    from rich.table import Table


def terminal_tables(document: Document) -> str:
    """Tables with strong cells in green, and dim notes below them."""
    from rich.console import Console
    from rich.text import Text

    out = io.StringIO()
    console = Console(file=out, force_terminal=True, highlight=False)
    for table in document.tables:
        console.print(rich_table(table))
    for line in document.notes:
        console.print(Text(plain(line), style="dim"), soft_wrap=True)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def rich_table(table: ResultTable) -> Table:
    """The table as an object that rich prints."""
    from rich.table import Table
    from rich.text import Text

    header, *rows = cells(table)
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for name, side in zip(header, table.alignment, strict=True):
        if side == "l":
            shown.add_column(Text(name), overflow="fold")
        else:
            shown.add_column(Text(name), justify="right", no_wrap=True)
    for i, row in enumerate(rows):
        shown.add_row(*(Text(cell, style="bold green" if (i, j) in table.strong else "") for j, cell in enumerate(row)))
    return shown
