"""A document in, aligned plain text out. The other outputs use its numbers and its text without control characters."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rankgold.errors import MeasureError, escaped
from rankgold.output.document import Document, ResultTable

_USUAL_WIDTH = 80


def plain(text: object) -> str:
    """Text with its control characters escaped, so that it cannot control a terminal."""
    text = str(text)
    return text if text.isprintable() else escaped(text)


def escaped_json(text: str) -> str:
    """JSON with its control characters as JSON escapes. Those below 32 are escaped already."""
    if text.isascii() and "\x7f" not in text:
        return text
    controls = [c for c in set(text) if not c.isprintable() and c != "\n"]
    units = {c: c.encode("utf-16-be", "surrogatepass").hex() for c in controls}
    return text.translate({
        ord(c): "".join(f"\\u{unit[i : i + 4]}" for i in range(0, len(unit), 4)) for c, unit in units.items()
    })  # fmt: skip


def check_digits(digits: Any) -> int:
    """The number of decimals that a user wants."""
    is_whole = hasattr(digits, "__index__") and not isinstance(digits, bool)
    if not is_whole or not 0 <= digits <= 17:
        raise MeasureError("digits must be a whole number from 0 to 17.")
    return int(digits)


def number(value: float, digits: int = 4) -> str:
    """A number as tables show it: 0.5000, or a dash if it is undefined."""
    if abs(value) >= 1e15:
        return f"{value:.{digits}e}"
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def cells(table: ResultTable, escape: Callable[[object], str] = plain, strong: str = "{}") -> list[list[str]]:
    """The header and the rows as text; `strong` is the pattern of a cell to emphasise."""
    lines = [list(map(escape, table.header))] if table.header else []
    first_row = len(lines)
    for row in table.rows:
        lines.append([number(cell, table.digits) if isinstance(cell, float) else escape(cell) for cell in row])
    for row_index, column in table.strong:
        lines[row_index + first_row][column] = strong.format(lines[row_index + first_row][column])
    return lines


class Styled(NamedTuple):
    """The text of a cell, and how it is shown where there are colours: a name of `terminal.STYLES`."""

    text: str
    style: str = ""


Grid = Sequence[Sequence[Styled]]


def styled_cells(table: ResultTable) -> Grid:
    """The header and the rows."""
    lines = cells(table)
    header = [[Styled(text, "header") for text in lines[0]]] if table.header else []
    body = [[Styled(text) for text in line] for line in lines[len(header) :]]
    if not header:
        body = [[Styled(name.text, "name"), *others] for name, *others in body]
    for row, column in table.strong:
        body[row][column] = Styled(body[row][column].text, "strong")
    return [*header, *body]


def marked(grid: Grid, mark: str) -> Grid:
    """The cells with a mark after the strong ones, and a space after the others of a column, to align the digits."""
    has_marks = [any(cell.style == "strong" for cell in column) for column in zip(*grid, strict=True)]
    if not mark or not any(has_marks):
        return grid
    ends = {"strong": mark}
    return [
        [
            cell._replace(text=cell.text + ends.get(cell.style, " ")) if has_mark else cell
            for cell, has_mark in zip(row, has_marks, strict=True)
        ]
        for row in grid
    ]


def text_document(document: Document, mark: str = "*") -> str:
    """The document as lines as long as they are. With a title there is a blank line between its parts."""
    width = max((len(name) for name, _ in document.facts), default=0)
    parts = [
        plain(document.title),
        document.formula,
        *("\n".join(_table_lines(table, mark)) for table in document.tables),
        "\n".join(f"{name:<{width}}  {plain(line)}" for name, line in document.facts),
        "\n".join(map(plain, document.notes)),
    ]
    return ("\n\n" if document.title else "\n").join(filter(None, parts)) + "\n"


def _table_lines(table: ResultTable, mark: str) -> list[str]:
    caption = [plain(table.caption)] if table.caption else []
    return [*caption, *aligned(marked(styled_cells(table), mark), table.alignment)]


def aligned(grid: Grid, alignment: str, paint: Callable[[str, str], str] = lambda text, style: text) -> list[str]:
    """The lines of a table with columns of equal width; `paint` adds the colours of a style to a text."""
    widths = [max(text_width(cell.text) for cell in column) for column in zip(*grid, strict=True)]
    lines = []
    for row in grid:
        parts = []
        for cell, width, side in zip(row, widths, alignment, strict=True):
            gap = " " * (width - text_width(cell.text))
            shown = paint(cell.text, cell.style) if cell.text else ""
            parts.append(shown + gap if side == "l" else gap + shown)
        lines.append("  ".join(parts).rstrip())
    return lines


def shown_document(document: Document, *, colour: bool | None = None) -> str:
    """The document for standard output: no wider than a terminal, in colour if nothing else is said; or plain text."""
    width = terminal_width()
    if width is None:
        return text_document(document)
    from rankgold.output.terminal import in_colour, terminal_document

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
