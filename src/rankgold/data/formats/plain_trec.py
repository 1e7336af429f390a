"""Reads a small TREC file without Polars.

A file is plain if all its lines have the right number of fields with one blank between them, always a space or always a
tab, its numbers are finite, the lines of a query are side by side, a run has one tag, and judgements have the same
second field in all lines, which are therefore without subtopics. Every other file is left to the reader for all TREC
files.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rankgold.core.segments import Floats, Ints
from rankgold.data.columns import NUMBER, Kind
from rankgold.data.formats.trec_lines import FIELDS, USED
from rankgold.data.ids import ByteIds
from rankgold.data.query_groups import QueryGroups
from rankgold.data.rows import Rows

if TYPE_CHECKING:
    from rankgold.data.ids import Texts
    from rankgold.data.table import Table


_ENDINGS = ("", ".txt", ".trec", ".run", ".res", ".qrels", ".qrel", ".out")
# The size of the pieces that are read at once: they stay in the processor's cache.
_PIECE = 1 << 17
# All fields of a column take as much room as the longest, in words of 8 bytes.
_WIDEST = 256
# Row w has w bytes of ones, and then zeros.
_MASKS = np.tri(_WIDEST + 1, _WIDEST, -1, dtype=np.uint8) * np.uint8(255)
# A number of at most 15 digits is below 2**53, so a float holds it exactly.
_EXACT_DIGITS = 15
_POWERS = np.array([10.0**i for i in range(_EXACT_DIGITS + 1)])


@dataclass(frozen=True, slots=True)
class PlainRows(Rows):
    """The rows of a plain TREC file, by query."""

    name: str
    kind: Kind
    rows: QueryGroups

    def split_runs(self) -> list[PlainRows]:
        return [self]

    def groups(self) -> QueryGroups:
        return self.rows

    def table(self) -> Table:
        from rankgold.data.table import Table

        return Table(self.rows.frame(NUMBER[self.kind]), self.name, self.rows.place)


def read_small_trec(path: str | os.PathLike[str], kind: Kind) -> PlainRows | None:
    """The judgements, or the one run, in a plain TREC file; None for any other file."""
    if os.path.splitext(path)[1].lower() not in _ENDINGS:
        return None
    parts: list[list[Texts]] = []
    second: set[bytes] = set()
    try:
        with open(path, "rb") as file:
            while lines := file.read(_PIECE) + file.readline():
                if (columns := _columns(lines.removesuffix(b"\n") + b"\n", kind)) is None:
                    return None
                second.add(lines.split(None, 2)[1])
                parts.append(columns)
    except OSError:
        return None
    if not parts or (kind == "qrels" and len(second) > 1):
        return None
    query, document, number, *tags = map(np.concatenate, zip(*parts, strict=True))
    numbers = _numbers(number)
    starts = np.concatenate(([0], np.flatnonzero(query[1:] != query[:-1]) + 1, [len(query)]))
    queries = ByteIds(query[starts[:-1]])
    known = set(queries.to_list())
    has_comments = any(text.startswith("#") for text in known)
    has_more_tags = any((tag != tag[0]).any() for tag in tags)
    if numbers is None or len(known) < len(queries) or has_comments or has_more_tags:
        return None
    label = os.fspath(path)
    rows = QueryGroups(queries, starts, ByteIds(document), numbers, lambda row: f"{label}:{row + 1}")
    return PlainRows(tags[0][0].decode() if tags else kind, kind, rows)


def _columns(lines: bytes, kind: Kind) -> list[Texts] | None:
    """The columns that are used, if every line has the right fields with one separator, and none is very wide.

    In miniature, with 2 fields: `a bc\\nd e\\n` has blanks or control characters at 1, 4, 6 and 8. They are a space, a
    line end, a space and a line end, as 2 lines of 2 fields must have. So the fields are between -1, 1, 4, 6 and 8. All
    of these differ by 2 or more, so no field is empty.
    """
    fields = len(FIELDS[kind])
    text = np.frombuffer(lines, np.uint8)
    blanks = np.flatnonzero(text <= ord(" "))
    separator = lines[blanks[0] : blanks[0] + 1]
    line = separator * (fields - 1) + b"\n"
    if separator not in (b" ", b"\t") or text[blanks].tobytes() != line * (len(blanks) // fields):
        return None
    bounds = np.concatenate(([-1], blanks))
    distances = np.diff(bounds)
    if distances.min() == 1 or distances.max() > _WIDEST or not _is_printable(lines):
        return None
    if kind == "qrels" and not _is_constant(text, bounds[1:-1:fields] + 1, bounds[2::fields]):
        return None
    padded, columns = lines + bytes(_WIDEST), []
    for place in map(FIELDS[kind].index, USED[kind]):
        start = bounds[place:-1:fields] + 1
        columns.append(_cut_out(padded, start, bounds[place + 1 :: fields] - start))
    return columns


def _is_constant(text: Ints, start: Ints, end: Ints) -> bool:
    """Whether all of these stretches of the text are the same. Most are a single 0."""
    width = int(end[0] - start[0])
    if (end - start != width).any():
        return False
    return all(bool((text[start + place] == text[start[0] + place]).all()) for place in range(width))


def _cut_out(content: bytes, start: Ints, width: Ints) -> Texts:
    """The stretches of the content with these starts and widths. After the last there is room for the widest.

    Each position of the content begins a window of the widest width, so one selection copies all of them. In
    miniature, with a width of 4 bytes: `ab c....` and stretches at 0 and 3, of widths 2 and 1, give the windows `ab c`
    and `c...`. Masks of 2 and 1 bytes leave `ab` and `c`.
    """
    words = -(-int(width.max()) // 8)
    windows: Texts = np.ndarray((len(content) - 8 * words + 1,), f"S{8 * words}", content, strides=(1,))
    stretches = windows[start].view(np.uint64).reshape(-1, words)
    # Ids of one width, as most are, have one mask.
    masks = _MASKS.view(np.uint64)[width[:1] if (width == width[0]).all() else width, :words]
    return (stretches & masks).reshape(-1).view(windows.dtype)


def _is_printable(lines: bytes) -> bool:
    """Whether this is UTF-8 text that has printable characters only, apart from ASCII."""
    try:
        return lines.isascii() or lines.decode().translate({9: 32, 10: 32}).isprintable()
    except UnicodeDecodeError:
        return False


def _numbers(column: Texts) -> Floats | None:
    """A column as numbers, if all of them are finite.

    Most are a few digits with a point, and all rows of a place are read at once, which takes a third of the time. In
    miniature: `12.5` is the whole number 125 with 1 decimal. 125 and 10 are exact, so 125 / 10 is the nearest number
    to 12.5, as Python's is. It reads all others.
    """
    places = np.ascontiguousarray(column.view(np.uint8).reshape(len(column), -1).T)
    whole = np.zeros(len(column), np.int64)
    digits, points, decimals = np.zeros((3, len(column)), np.int16)
    is_negative = places[0] == ord("-")
    others = -is_negative.astype(np.int16)
    for place in places:
        if not place.any():  # behind the longest number
            break
        digit = place - np.uint8(ord("0"))
        is_digit, is_point = digit < 10, place == ord(".")
        np.copyto(whole, whole * 10 + digit, where=is_digit)
        digits += is_digit
        decimals += is_digit & (points > 0)
        points += is_point
        others += ~(is_digit | is_point | (place == 0))
    is_exact = (digits > 0) & (digits <= _EXACT_DIGITS) & (points <= 1) & (others == 0)
    numbers: Floats = whole / _POWERS[np.minimum(decimals, _EXACT_DIGITS)]
    np.negative(numbers, out=numbers, where=is_negative)
    rest = column[~is_exact]
    if b"_" in rest.tobytes():  # Only Python accepts 1_000, which is not a number here.
        return None
    try:
        numbers[~is_exact] = rest.astype(np.float64)
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None
