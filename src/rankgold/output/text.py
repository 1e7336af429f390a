"""A document in, aligned plain text out. The other outputs use its numbers and its text without control characters."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from rankgold.errors import MeasureError, escaped
from rankgold.output.document import Document, ResultTable


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
    lines = [list(map(escape, table.header))]
    for row in table.rows:
        lines.append([number(cell, table.digits) if isinstance(cell, float) else escape(cell) for cell in row])
    for row_index, column in table.strong:
        lines[row_index + 1][column] = strong.format(lines[row_index + 1][column])
    return lines


def text_document(document: Document, strong: str = "{}") -> str:
    """The document as lines. With a title there is a blank line between its parts."""
    width = max((len(name) for name, _ in document.facts), default=0)
    parts = [
        plain(document.title),
        document.formula,
        *(_aligned(table, strong) for table in document.tables),
        "\n".join(f"{name:<{width}}  {plain(line)}" for name, line in document.facts),
        "\n".join(map(plain, document.notes)),
    ]
    return ("\n\n" if document.title else "\n").join(filter(None, parts)) + "\n"


def _aligned(table: ResultTable, strong: str) -> str:
    """The table with columns of equal width, below its caption."""
    rows = cells(table, strong=strong)
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = [plain(table.caption)] if table.caption else []
    for row in rows:
        gaps = [" " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        padded = zip(table.alignment, row, gaps, strict=True)
        lines.append("  ".join(cell + gap if side == "l" else gap + cell for side, cell, gap in padded).rstrip())
    return "\n".join(lines)


def _width(text: str) -> int:
    """How many columns of a terminal a text takes: 2 for a Chinese character, 0 for a combining accent."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
