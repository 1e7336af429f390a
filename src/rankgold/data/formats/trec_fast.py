"""A small plain TREC file in, its rows by query out, without Polars: loading Polars would take longer than the work.

A file is plain if all its lines have the right number of fields with one blank between them, always a space or always
a tab, its numbers are finite, the lines of a query are side by side, and a run has one tag. Every other file is left to
the reader for all TREC files.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rankgold.data.columns import NUMBER, Kind
from rankgold.data.formats.trec_lines import FIELDS
from rankgold.data.ids import ByteIds, Texts, cut_out
from rankgold.data.paths import stem_and_ending
from rankgold.data.query_groups import QueryGroups
from rankgold.data.rows import Rows
from rankgold.kernels.segments import Floats, Ints

if TYPE_CHECKING:
    from rankgold.data.table import Table

_ENDINGS = ("", ".txt", ".trec", ".run", ".res", ".qrels", ".qrel", ".out")
# The size of the pieces that are read at once: they stay in the processor's cache.
_PIECE = 1 << 17
# All fields of a column take as much room as the longest.
_WIDEST = 256


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
        import polars as pl

        from rankgold.data.table import Table

        rows = self.rows
        queries = rows.queries.to_polars().gather(rows.spread(np.arange(len(rows.queries))))
        frame = pl.DataFrame(
            {"query": queries, "document": rows.documents.to_polars(), NUMBER[self.kind]: rows.numbers}
        )
        return Table(frame, self.name, rows.place)


def read_small_trec(path: str | os.PathLike[str], kind: Kind) -> PlainRows | None:
    """The judgements, or the one run, in a plain TREC file; None for any other file."""
    name, ending = stem_and_ending(path)
    if ending not in _ENDINGS:
        return None
    parts: list[_Columns] = []
    try:
        with open(path, "rb") as file:
            while piece := file.read(_PIECE) + file.readline():
                part = _Columns.of(piece, kind)
                if part is None:
                    return None
                parts.append(part)
    except OSError:
        return None
    if len({part.tag for part in parts}) != 1:
        return None
    query, document, number = (
        np.concatenate([getattr(part, column) for part in parts]) for column in ("query", "document", "number")
    )
    starts = np.concatenate(([0], np.flatnonzero(query[1:] != query[:-1]) + 1, [len(query)]))
    queries = ByteIds(query[starts[:-1]])
    distinct = set(queries.to_list())
    if len(distinct) < len(queries) or any(text.startswith("#") for text in distinct):
        return None
    label = os.fspath(path)
    rows = QueryGroups(queries, starts, ByteIds(document), number, lambda row: f"{label}:{row + 1}")
    return PlainRows(parts[0].tag or name, kind, rows)


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of some lines."""

    query: Texts
    document: Texts
    number: Floats
    tag: str | None

    @classmethod
    def of(cls, lines: bytes, kind: Kind) -> _Columns | None:
        """The columns, if the lines are plain."""
        fields = FIELDS[kind]
        content = lines if lines.endswith(b"\n") else lines + b"\n"
        bounds = _bounds(content, len(fields)) if _is_text(content) else None
        if bounds is None:
            return None
        padded = content + bytes(_WIDEST)

        def column(field: str) -> Texts:
            place = fields.index(field)
            start = bounds[place : -1 : len(fields)] + 1
            return cut_out(padded, start, bounds[place + 1 :: len(fields)] - start)

        number = _numbers(column(NUMBER[kind]))
        tags = column("run") if kind == "run" else np.zeros(1, "S1")
        if number is None or (tags != tags[0]).any():
            return None
        return cls(column("query"), column("document"), number, tags[0].decode())


def _is_text(content: bytes) -> bool:
    """Whether this is UTF-8 text and, apart from ASCII, has printable characters only."""
    if content.isascii():
        return True
    try:
        return content.decode().replace("\n", " ").replace("\t", " ").isprintable()
    except UnicodeDecodeError:
        return False


def _bounds(content: bytes, fields: int) -> Ints | None:
    """The position before each field of each line, and the end, if every line has so many fields, none of them wide.

    In miniature, with 2 fields: `a bc\\nd e\\n` has blanks or control characters at 1, 4, 6 and 8. They are a space, a
    line end, a space and a line end, as 2 lines of 2 fields must have. So the fields are between -1, 1, 4, 6 and 8. All
    of these differ by 2 or more, so no field is empty.
    """
    text = np.frombuffer(content, np.uint8)
    blanks = np.flatnonzero(text <= ord(" "))
    separator = content[blanks[0] : blanks[0] + 1]
    line = separator * (fields - 1) + b"\n"
    if separator not in (b" ", b"\t") or text[blanks].tobytes() != line * (len(blanks) // fields):
        return None
    bounds = np.concatenate(([-1], blanks))
    distance = np.diff(bounds)
    return bounds if distance.min() > 1 and distance.max() <= _WIDEST else None


def _numbers(column: Texts) -> Floats | None:
    """A column as numbers, if all of them are finite. Only Python accepts 1_000, which is not a number here."""
    if b"_" in column.tobytes():
        return None
    try:
        numbers: Floats = column.astype(np.float64)
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None
