"""Writes aligned plain text. The other outputs use its numbers and its text without control characters."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Container
from typing import Any

from rankgold.errors import MeasureError
from rankgold.output.document import Document, ResultTable
from rankgold.output.registry import output

_USUAL_WIDTH = 80

# What moves the cursor, ends a line or reverses it: control characters, Unicode's ends of lines and paragraphs, and its
# overrides of direction; and halves of UTF-16 characters, which cannot be written. No-break spaces, the joiners within
# emoji and Persian words, and characters that Python does not know yet do no harm.
_HARM = r"\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_ESCAPE = r"x[0-9a-f]{2}|u[0-9a-f]{4}"


def _escapes(harm: str) -> re.Pattern[str]:
    """Finds harmful characters, and backslashes before them and before text that looks like an escape."""
    return re.compile(rf"(\\*)([{harm}])|(\\+)(?={_ESCAPE})")


_ON_ONE_LINE = _escapes(_HARM)
_ON_LINES = _escapes(_HARM.replace(r"\x00-\x1f", r"\x00-\x08\x0b-\x1f"))  # all but tabs and line ends
_IN_ONE_FIELD = _escapes(r"\t\n\r")


def plain(text: object) -> str:
    r"""Text on one line, with its control characters escaped, so that it cannot control a terminal.

    Different texts stay different: an ESC becomes \x1b, and the text \x1b itself \\x1b. Other backslashes stay single.
    """
    return _without(_ON_ONE_LINE, str(text))


def plain_lines(text: str) -> str:
    """As `plain`, for a whole file shown on a terminal: tabs and line ends stay."""
    return _without(_ON_LINES, text)


def one_field(text: object) -> str:
    """As `plain`, with tabs and line ends escaped too, for a field."""
    return _without(_IN_ONE_FIELD, str(text))


def _without(escapes: re.Pattern[str], text: str) -> str:
    if text.isprintable() and "\\" not in text:
        return text
    return escapes.sub(_escaped_match, text)


def _escaped_match(found: re.Match[str]) -> str:
    backslashes, character, before_escape = found.groups()
    if character is None:
        return str(before_escape * 2)
    code = ord(character)
    return f"{backslashes * 2}\\{f'x{code:02x}' if code < 256 else f'u{code:04x}'}"


def escaped_json(text: str) -> str:
    """JSON with its control characters as JSON escapes. Those below 32 are escaped already."""
    if text.isascii() and "\x7f" not in text:
        return text
    return re.sub(f"(?!\n)[{_HARM}]", lambda found: unicode_escapes(found[0]), text)


def unicode_escapes(text: str) -> str:
    """A text as \\u escapes, which JSON has too: two of them for a character beyond 65,535."""
    code = text.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{code[i : i + 4]}" for i in range(0, len(code), 4))


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
