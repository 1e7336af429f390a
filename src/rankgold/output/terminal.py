"""A document in, text for a terminal out: as wide as the terminal at most, and in colour where that is wanted."""

from __future__ import annotations

import os
from collections.abc import Callable

from rankgold.output.document import Document
from rankgold.output.layout import Grid, fitting, fold
from rankgold.output.text import aligned, plain, terminal_width, text_width

Paint = Callable[[str, str], str]
"""Adds the colours of a style to a text."""

STYLES = {"title": "1", "header": "1", "strong": "1;32", "name": "36", "dim": "2"}
"""Style -> the escape code of terminals for it: bold, bold and green, and so on."""


def in_colour() -> bool:
    """Whether standard output is a terminal with colours, and NO_COLOR does not forbid them."""
    return terminal_width() is not None and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(text: str, style: str) -> str:
    """A text in the colour of a style."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if style else text


def unpainted(text: str, style: str) -> str:
    return text


def terminal_document(document: Document, width: int, colour: bool) -> str:
    """The document as lines of at most this width. With a title there is a blank line between its parts."""
    return "\n".join(_part(part, width, colour) for part in document.parts)


def _part(document: Document, width: int, colour: bool) -> str:
    paint, mark = (painted, "") if colour else (unpainted, "*")
    parts = [
        [paint(line, "title") for line in fold(plain(document.title), width)] if document.title else [],
        [part for line in document.formula.splitlines() for part in hanging(line, width)],
    ]
    for table in document.tables:
        caption = [paint(line, "title") for line in fold(plain(table.caption), width)] if table.caption else []
        blocks = [_painted_lines(grid, alignment, paint) for grid, alignment in fitting(table, width, mark)]
        parts.append([*caption, "\n\n".join(map("\n".join, blocks))])
    names = max((len(name) for name, _ in document.facts), default=0)
    facts = []
    for name, line in document.facts:
        first, *more = fold(plain(line), max(width - names - 2, 20))
        facts.append(f"{paint(name, 'name')}{'':<{names - len(name)}}  {first}")
        facts += [f"{'':<{names}}  {part}" for part in more]
    notes = [paint(line, "dim") for note in document.notes for line in hanging(plain(note), width)]
    shown = ["\n".join(part) for part in [*parts, facts, notes] if part]
    return ("\n\n" if document.title else "\n").join(shown) + "\n"


def _painted_lines(grid: Grid, alignment: str, paint: Paint) -> list[str]:
    texts = [[cell.text for cell in row] for row in grid]
    return aligned(texts, alignment, lambda text, row, column: paint(text, grid[row][column].style) if text else "")


def hanging(line: str, width: int, indent: int | None = None) -> list[str]:
    """A line broken at words. The lines after the first are indented; default: by two columns more than the first."""
    start = len(line) - len(line.lstrip(" "))
    indent = min(start + 2 if indent is None else indent, width // 2)
    if text_width(line) <= width:
        return [line]
    first = fold(line[start:], width - start)[0]
    rest = line[start + len(first) :].lstrip(" ")
    return [line[:start] + first, *(" " * indent + part for part in fold(rest, width - indent))]
