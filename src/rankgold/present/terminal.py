"""Fits tables to the width of a terminal, in colour where wanted.

Nothing is ever cut off: a name that is too long continues on the next line, and a number stays in one piece.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rankgold.core.document import Document, ResultTable, plain
from rankgold.present.outputs.text import aligned, cells, marked, terminal_width, text_width

_GAP = 2
_NARROWEST = 20
_NARROWEST_NAME = 8


class Styled(NamedTuple):
    """The text of a cell, and how it is shown where there are colours: a name of `terminal.STYLES`."""

    text: str
    style: str = ""


Grid = Sequence[Sequence[Styled]]


def fitting(table: ResultTable, width: int, mark: str) -> list[tuple[Grid, str]]:
    """The table as one or more grids of at most this width, each with its alignment."""
    width = max(width, _NARROWEST)
    styled = _styled_cells(table)
    grid = _with_marks(styled, mark)
    if _total(_widths(grid)) <= width:
        return [(grid, table.alignment)]
    if table.keys == 1 and table.columns_are:
        turned = _with_marks(_turned(styled, table.columns_are), mark)
        if _total(_widths(turned)) <= width:
            return [(turned, "l" + "r" * len(table.rows))]
    blocks = _blocks(grid, table.keys, width) if table.keys else [range(len(table.alignment))]
    return [_folded(grid, table, columns, width) for columns in blocks]


def _styled_cells(table: ResultTable) -> Grid:
    """The header and the rows. Without a header the first column are names."""
    lines = cells(table)
    header = [[Styled(text, "header") for text in lines[0]]] if table.header else []
    body = [[Styled(text) for text in line] for line in lines[len(header) :]]
    if not header:
        body = [[Styled(name.text, "name"), *others] for name, *others in body]
    for row, column in table.strong:
        body[row][column] = Styled(body[row][column].text, "strong")
    return [*header, *body]


def _with_marks(grid: Grid, mark: str) -> Grid:
    strong = {(i, j) for i, row in enumerate(grid) for j, cell in enumerate(row) if cell.style == "strong"}
    lines = marked([[cell.text for cell in row] for row in grid], strong, {column for _, column in strong}, mark)
    return [
        [Styled(text, cell.style) for text, cell in zip(line, row, strict=True)]
        for line, row in zip(lines, grid, strict=True)
    ]


def fold(text: str, width: int) -> list[str]:
    """The lines of a text: broken at spaces; a longer word after a hyphen, a dot or the like, else anywhere."""
    width = max(width, 1)
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if text_width(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        *full, line = _pieces(word, width)
        lines += full
    return [*lines, line]


def _pieces(word: str, width: int) -> list[str]:
    """A word in pieces of at most this width."""
    pieces = []
    while text_width(word) > width:
        end = 1
        while text_width(word[: end + 1]) <= width:
            end += 1
        breaks = [found.end() for found in re.finditer(r"[-_/.,:;@)]+", word[:end])]
        end = breaks[-1] if breaks and breaks[-1] > end // 2 else end
        pieces.append(word[:end])
        word = word[end:]
    return [*pieces, word]


def _widths(grid: Grid) -> list[int]:
    return [max(text_width(cell.text) for cell in column) for column in zip(*grid, strict=True)]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _turned(grid: Grid, columns_are: str) -> Grid:
    """Rows for columns."""
    (_, *names), *rows = zip(*grid, strict=True)
    header = [Styled(columns_are, "header"), *(Styled(name.text, "header") for name in names)]
    return [header, *([Styled(name.text), *values] for name, *values in rows)]


def _blocks(grid: Grid, keys: int, width: int) -> list[list[int]]:
    """The columns of each block: the keys, and as many others as fit beside them."""
    widths = _widths(grid)
    room = width - min(_total(widths[:keys]), width // 2) - _GAP
    blocks: list[list[int]] = []
    left = 0
    for column in range(keys, len(widths)):
        needed = widths[column] + _GAP
        if not blocks or needed > left:
            blocks.append(list(range(keys)))
            left = room + _GAP
        blocks[-1].append(column)
        left -= needed
    return blocks


def _folded(grid: Grid, table: ResultTable, columns: Sequence[int], width: int) -> tuple[Grid, str]:
    """Some columns of the table, the widest of them folded until all fit."""
    chosen = [[row[column] for column in columns] for row in grid]
    alignment = "".join(table.alignment[column] for column in columns)
    widths = _widths(chosen)
    narrowest = [_narrowest(column, side) for column, side in zip(zip(*chosen, strict=True), alignment, strict=True)]
    if table.keys:  # the names of rows take half of the width at most, in all blocks alike
        widths[: table.keys] = _narrowed(widths[: table.keys], narrowest, width // 2)
    widths = _narrowed(widths, narrowest, width)
    lines = []
    for row in chosen:
        folded = [_lines(cell.text, width_of_column) for cell, width_of_column in zip(row, widths, strict=True)]
        for i in range(max(map(len, folded))):
            texts = (parts[i] if i < len(parts) else "" for parts in folded)
            lines.append([Styled(text, cell.style) for text, cell in zip(texts, row, strict=True)])
    return lines, alignment


def _narrowed(widths: list[int], narrowest: list[int], most: int) -> list[int]:
    """The widths of columns, the widest made narrower until all fit, or until none can be any narrower."""
    widths = list(widths)
    while _total(widths) > most:
        wide = [column for column, width in enumerate(widths) if width > narrowest[column]]
        if not wide:
            break
        widths[max(wide, key=lambda column: widths[column])] -= 1
    return widths


def _lines(text: str, width: int) -> list[str]:
    """A folded cell; a space at its end, below a mark, stays in every line."""
    words = text.rstrip(" ")
    end = text[len(words) :]
    return [line + end for line in fold(words, width - len(end))]


def _narrowest(column: Sequence[Styled], side: str) -> int:
    """How far a column can be folded: names anywhere, numbers not at all; headers give way to both."""
    body = [cell.text for cell in column if cell.style != "header"]
    if side == "l":
        return min(_NARROWEST_NAME, max(text_width(text) for text in body or [""]))
    return max((text_width(word) for text in body for word in text.split(" ")), default=_NARROWEST_NAME)


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
