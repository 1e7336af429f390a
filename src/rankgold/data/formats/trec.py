"""TREC's text formats: `query 0 document grade` and `query Q0 document rank score tag`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import polars as pl

from rankgold.data import chunks
from rankgold.data.background import in_background
from rankgold.data.chunks import NOT_REGULAR, Parts
from rankgold.data.columns import NUMBER, TREC_FIELDS, Kind
from rankgold.data.input_file import Source
from rankgold.data.irregular import NotRegularError
from rankgold.data.paths import PACKED
from rankgold.data.table import Table, bad_number
from rankgold.errors import DataError

_USED: dict[Kind, list[str]] = {
    "qrels": ["query", "document", "grade"],
    "run": ["query", "document", "score", "run"],
}
FORM: dict[Kind, str] = {
    "qrels": "a line of judgements has 4 fields, 'query 0 document grade'",
    "run": "a line of a run has 6 fields, 'query Q0 document rank score tag'",
}
_BLOCK = 1 << 18


def read_trec(source: Source) -> Table | Parts:
    """The table in a TREC file; in parts where it is a large run."""
    if source.kind == "run" and source.unpacked_size > chunks.LARGE:
        return _large(source)
    return _whole(source)


def _whole(source: Source) -> Table:
    frame = _regular(source)
    if frame is None:
        frame = _careful(source)
    tags = _tags(frame["run"]) if source.kind == "run" else []
    if source.kind == "run" and not _several_runs(frame, len(tags)):
        frame = frame.drop("run")
    return Table(frame, tags[0] if len(tags) == 1 else source.name, _place(source))


def _tags(column: pl.Series) -> list[str]:
    same = not (column != column[0]).any()
    return [column[0]] if same else column.unique(maintain_order=True).to_list()


def _place(source: Source) -> Callable[[int], str]:
    return lambda row: f"{source.label}:{_lines(source).select('number').collect()['number'][row]}"


def _large(source: Source) -> Parts | Table:
    head = _first_line(source)
    rows = source.unpacked_size // max(len(head.encode()) + 1, 1)
    if rows <= chunks.ROWS_IN_MEMORY and _interleaved(source.first_lines()):
        return _whole(source)
    is_plain = isinstance(source.content, str) and not source.content.endswith(PACKED)
    scan = _scan(source, head, every_field=not is_plain)
    if scan is None:
        return _whole(source)
    tag = head.split()[-1]
    # The blanks are counted while the file is read.
    counting = in_background(lambda: _Blanks.of(source, head)) if is_plain else lambda: None

    def cleaned(batch: pl.DataFrame, queries: pl.Series) -> pl.DataFrame:
        if not _is_clean(batch, "score", queries) or (batch["run"] != tag).any():
            raise NotRegularError
        if not is_plain and _in_ids(batch, _other_blank(head)):
            raise NotRegularError
        return batch.select("query", "document", "score")

    def ended(rows: int) -> None:
        blanks = counting()
        if blanks is not None and not blanks.fit(rows, source.kind):
            raise NotRegularError

    return Parts(
        scan, tag, cleaned, _place(source), lambda: _whole(source), rows, started=[chunks.batches(scan)], ended=ended
    )


def _interleaved(lines: Iterator[str]) -> bool:
    """Whether a query comes again after another one already at the top of a file."""
    stretches = [query for query, _ in groupby(line.split(None, 1)[0] for line in lines)]
    return len(set(stretches)) < len(stretches)


def _several_runs(frame: pl.DataFrame, tags: int) -> bool:
    """Tags tell runs apart where a query has several; else they are one run that was tagged carelessly."""
    return tags > 1 and frame.select("query", "run").n_unique() > frame["query"].n_unique()


def _scan(source: Source, head: str, *, every_field: bool) -> pl.LazyFrame | None:
    """The fast CSV reader at work on the file, if its first line has the right number of fields.

    It tells of lines with too many fields only where every field is read. It is not asked to pass over comments, which
    would take twice the time: a file that has some is not regular.
    """
    fields = TREC_FIELDS[source.kind]
    separator = _blank(head)
    if len(head.split(separator)) != len(fields):
        return None
    scan = pl.scan_csv(
        source.content,
        has_header=False,
        separator=separator,
        quote_char=None,
        schema={field: pl.Float64 if field == NUMBER[source.kind] else pl.String for field in fields},
        glob=False,
    )
    return scan if every_field else scan.select(_USED[source.kind])


def _blank(head: str) -> str:
    return "\t" if "\t" in head else " "


def _other_blank(head: str) -> str:
    return " " if "\t" in head else "\t"


@dataclass(frozen=True, slots=True)
class _Blanks:
    """The blanks in a file, which tell whether all its lines have as many fields as they should.

    Then only the fields that are needed are read. A line with too few of them has none in the last of these; if no
    line has too few, and there are no more blanks than so many lines have, none has too many.
    """

    count: int
    irregular: bool
    """Whether there are two in a row, or spaces as well as tabs, of which one kind looks like a part of ids."""

    @classmethod
    def of(cls, source: Source, head: str) -> _Blanks | None:
        """Those of a file that is not packed, nor in memory."""
        if isinstance(source.content, bytes) or source.content.endswith(PACKED):
            return None
        blank, other, count = ord(_blank(head)), _other_blank(head).encode(), 0
        block = bytearray(_BLOCK)
        last_is_blank = False
        with open(source.content, "rb", buffering=0) as file:
            while size := file.readinto(block):
                is_blank = np.frombuffer(block, np.uint8, size) == blank
                doubled = bool((is_blank[1:] & is_blank[:-1]).any()) or bool(last_is_blank and is_blank[0])
                if doubled or block.find(other, 0, size) >= 0:
                    return cls(count, irregular=True)
                count += int(np.count_nonzero(is_blank))
                last_is_blank = bool(is_blank[-1])
        return cls(count, irregular=False)

    def fit(self, rows: int, kind: Kind) -> bool:
        return not self.irregular and self.count == rows * (len(TREC_FIELDS[kind]) - 1)


def _regular(source: Source) -> pl.DataFrame | None:
    """The table by way of the fast CSV reader, where every line has the same single separators; else None."""
    head = _first_line(source)
    blanks = _Blanks.of(source, head)
    scan = _scan(source, head, every_field=blanks is None)
    if scan is None or (blanks is not None and blanks.irregular):
        return None
    try:
        frame = scan.collect(engine="in-memory")
    except NOT_REGULAR:
        return None
    if not _is_clean(frame, NUMBER[source.kind], frame["query"]):
        return None
    frame = frame.select(_USED[source.kind])
    if blanks is None:
        return None if _in_ids(frame, _other_blank(head)) else frame
    return frame if blanks.fit(frame.height, source.kind) else None


def _is_clean(frame: pl.DataFrame, number: str, queries: pl.Series) -> bool:
    """Whether every field holds something, numbers are finite, and no line is a comment."""
    is_whole = not any(frame.null_count().row(0)) and bool(frame[number].is_finite().all())
    return is_whole and not queries.str.starts_with("#").any()


def _first_line(source: Source) -> str:
    return next((line for line in source.first_lines() if not line.startswith("#")), "")


def _in_ids(frame: pl.DataFrame, blank: str) -> bool:
    return any(frame.select(pl.col("query", "document").str.contains(blank, literal=True).any()).row(0))


def _lines(source: Source) -> pl.LazyFrame:
    """The lines that hold something, with their numbers."""
    return (
        pl.scan_lines(source.content, row_index_name="number", row_index_offset=1, glob=False)
        .with_columns(pl.col("line").str.strip_chars(" \t\r\ufeff"))
        .filter((pl.col("line") != "") & ~pl.col("line").str.starts_with("#"))
    )


def _careful(source: Source) -> pl.DataFrame:
    """The table with any runs of spaces and tabs between fields, and every fault told with its line."""
    kind, number = source.kind, NUMBER[source.kind]
    try:
        lines = _lines(source).collect()
    except pl.exceptions.ComputeError:
        raise source.not_text() from None
    if lines.height == 0:
        raise DataError(f"the file is empty: {FORM[kind]}.", source.label)
    split = lines.with_columns(parts=pl.col("line").str.replace_all(r"[ \t]+", " ").str.split(" "))
    _require(split, pl.col("parts").list.len() == len(TREC_FIELDS[kind]), source, _field_count)
    table = split.select(
        "number", *(pl.col("parts").list.get(i).alias(field) for i, field in enumerate(TREC_FIELDS[kind]))
    ).with_columns(value=pl.col(number).cast(pl.Float64, strict=False))
    is_number = pl.col("value").is_finite().fill_null(False)
    _require(table, is_number, source, lambda row, kind: bad_number(NUMBER[kind], row[NUMBER[kind]]))
    return table.with_columns(pl.col("value").alias(number)).select(_USED[kind])


Row = dict[str, object]
_SWAPPED = "If the whole file is like that, the judgements and the run may have changed places: judgements come first."


def _require(lines: pl.DataFrame, holds: pl.Expr, source: Source, fault: Callable[[Row, Kind], str]) -> None:
    bad = lines.filter(~holds)
    if bad.height:
        row = bad.row(0, named=True)
        raise DataError(fault(row, source.kind), f"{source.label}:{row['number']}")


def _field_count(row: Row, kind: Kind) -> str:
    parts = row["parts"]
    count = len(parts) if isinstance(parts, list) else 0
    other: Kind = "run" if kind == "qrels" else "qrels"
    swapped = f" {_SWAPPED}" if count == len(TREC_FIELDS[other]) else ""
    return f"{FORM[kind]}, and this one has {count}. Correct the line or remove it.{swapped}"
