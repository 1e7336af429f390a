"""Writes aligned text."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Container

from rankgold.core.document import Document, ResultTable, number, plain
from rankgold.present.outputs import output

_USUAL_WIDTH = 80


def cells(table: ResultTable, escape: Callable[[object], str] = plain, strong: str = "{}") -> list[list[str]]:
    """The header and the rows as text; `strong` is the pattern of a cell to emphasise."""
    lines = [list(map(escape, table.header))] if table.header else []
    first_row = len(lines)
    for row in table.rows:
        lines.append([number(cell, table.digits) if isinstance(cell, float) else escape(cell) for cell in row])
    for row_index, column in table.strong:
        lines[row_index + first_row][column] = strong.format(lines[row_index + first_row][column])
    return lines


def marked(lines: list[list[str]], strong: Container[tuple[int, int]], columns: set[int], mark: str) -> list[list[str]]:
    """The cells with a mark after the strong ones, and a space after the others of these columns, to align digits."""
    if not mark or not columns:
        return lines
    return [
        [
            text + (mark if (row, column) in strong else " ") if column in columns else text
            for column, text in enumerate(line)
        ]
        for row, line in enumerate(lines)
    ]


@output("text", "txt", "text", "table", place=0)
def text_document(document: Document) -> str:
    """The document as lines of any length. With a title there is a blank line between its parts."""
    return "\n".join(map(_part, document.parts))


def _part(document: Document) -> str:
    width = max((len(name) for name, _ in document.facts), default=0)
    parts = [
        plain(document.title),
        document.formula,
        *("\n".join(_table_lines(table)) for table in document.tables),
        "\n".join(f"{name:<{width}}  {plain(line)}" for name, line in document.facts),
        "\n".join(map(plain, document.notes)),
    ]
    return ("\n\n" if document.title else "\n").join(filter(None, parts)) + "\n"


def _table_lines(table: ResultTable) -> list[str]:
    caption = [plain(table.caption)] if table.caption else []
    first_row = 1 if table.header else 0
    strong = {(row + first_row, column) for row, column in table.strong}
    lines = marked(cells(table), strong, {column for _, column in strong}, "*")
    return [*caption, *aligned(lines, table.alignment)]


def aligned(lines: list[list[str]], alignment: str, paint: Callable[[str, int, int], str] | None = None) -> list[str]:
    """The lines of a table with columns of equal width; `paint` adds colours to a text, given its row and column."""
    widths = [max(map(text_width, column)) for column in zip(*lines, strict=True)]
    shown = []
    for row, line in enumerate(lines):
        gaps = [" " * (width - text_width(text)) for text, width in zip(line, widths, strict=True)]
        if paint is not None:
            line = [paint(text, row, column) for column, text in enumerate(line)]
        padded = zip(alignment, line, gaps, strict=True)
        shown.append("  ".join(text + gap if side == "l" else gap + text for side, text, gap in padded).rstrip())
    return shown


def shown_document(document: Document, *, colour: bool | None = None) -> str:
    """The document for standard output: plain text; on a terminal, fitted to its width and by default in colour."""
    width = terminal_width()
    if width is None:
        return text_document(document)
    from rankgold.present.terminal import in_colour, terminal_document

    return terminal_document(document, width, in_colour() if colour is None else colour)


def terminal_width() -> int | None:
    """The columns of the terminal that standard output is, or None if it is not a terminal."""
    return columns() if sys.stdout is not None and sys.stdout.isatty() else None


def columns() -> int:
    """The columns to fill: `COLUMNS`, those of the terminal, or 80. `shutil` has it too, but imports much."""
    try:
        return int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size().columns or _USUAL_WIDTH
    except (ValueError, OSError):
        return _USUAL_WIDTH


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes: 2 for a Chinese character, 0 for a combining accent."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
