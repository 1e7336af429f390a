"""Describes tables and the text around them as plain data; formats numbers and escapes text."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rankgold.core.errors import MeasureError

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


# A spreadsheet takes a cell that begins like this for a formula, also in quotation marks; a plain number is harmless.
_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def name_of_field(field: str) -> str:
    """The name that was written as this field, without the apostrophe in front."""
    return field[1:] if field.startswith("'") and gets_apostrophe(field[1:]) else field


def gets_apostrophe(name: str) -> bool:
    text = name.lstrip("'")
    return _FORMULA.match(text) is not None and not _NUMBER.fullmatch(text)
