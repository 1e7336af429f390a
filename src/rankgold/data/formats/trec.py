"""Reads a TREC file of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import polars as pl

from rankgold.core.errors import DataError
from rankgold.data import chunks
from rankgold.data.chunks import Chunks, IrregularError, in_background
from rankgold.data.columns import NO_RUN, NUMBER, Kind
from rankgold.data.formats.trec_lines import FIELDS, FORM, USED, field_count_fault
from rankgold.data.input_file import POLARS_FAULTS, InputFile
from rankgold.data.rows import Place, Rows, readable_rows
from rankgold.data.table import Table, without_careless_tags
from rankgold.data.value_faults import number_fault

_BLOCK = 1 << 18
_DIGITS = 18  # of an integer of 64 bits
_READ = USED | {"qrels": [*USED["qrels"], "iteration"]}


def read_trec(file: InputFile) -> Rows:
    """The judgements or runs in a TREC file; a large run in chunks."""
    if file.kind == "labelled":
        raise DataError(NO_RUN, file.label)
    if file.kind == "run" and file.unpacked_size > chunks.LARGE and file.faults is None:
        return _read_large(file)
    return _read_whole(file)


def _read_whole(file: InputFile) -> Table:
    frame = _read_whole_numbers(file)
    if frame is None:
        frame = _read_regular(file)
    place = _place(file)
    if frame is None:
        frame = _read_any(file)
        lines = frame["number"]
        frame, place = frame.drop("number"), lambda row: f"{file.label}:{lines[row]}"
    if file.kind == "qrels":
        return Table(_with_subtopics(frame), file.name, place)
    tags = frame["run"]
    if (tags != tags[0]).any():
        return Table(without_careless_tags(frame, "query", "run"), file.name, place)
    return Table(frame.drop("run"), tags[0], place)


def _with_subtopics(frame: pl.DataFrame) -> pl.DataFrame:
    """Judgements, with the second field as subtopic if it is not the same in all lines."""
    iteration = frame["iteration"]
    is_constant = not (iteration != iteration[0]).any()
    return frame.drop("iteration") if is_constant else frame.rename({"iteration": "subtopic"})


def _place(file: InputFile) -> Place:
    return lambda row: f"{file.label}:{_lines(file).select('number').collect()['number'][row]}"


def _read_large(file: InputFile) -> Rows:
    head = _first_line(file)
    rows = file.unpacked_size // (len(head.encode()) + 1)
    if rows <= chunks.ROWS_IN_MEMORY and _is_interleaved(file.first_lines()):
        return _read_whole(file)
    scan = _scan(file, head, every_field=not file.is_plain_file)
    if scan is None:
        return _read_whole(file)
    tag = head.split()[-1]
    # The blanks are counted in another thread, while Polars reads the file.
    blanks_counted = in_background(lambda: _Blanks.of(file, head))

    def clean(batch: pl.DataFrame, queries: pl.Series) -> pl.DataFrame:
        if not _is_clean(batch, "score", queries) or (batch["run"] != tag).any():
            raise IrregularError
        if not file.is_plain_file and _is_in_ids(batch, _other_blank(head)):
            raise IrregularError
        return batch.select("query", "document", "score")

    def check_end(rows: int) -> None:
        blanks = blanks_counted()
        if blanks is not None and not blanks.fit(rows, file.kind):
            raise IrregularError

    read_whole = file.translated_faults()(lambda: _read_whole(file))
    return Chunks(scan, tag, clean, _place(file), read_whole, rows, check_end=check_end)


def _is_interleaved(lines: Iterator[str]) -> bool:
    """Whether a query returns after another one in the first lines."""
    stretches = [query for query, _ in groupby(line.split(None, 1)[0] for line in lines)]
    return len(set(stretches)) < len(stretches)


def _scan(
    file: InputFile, head: str, *, every_field: bool, second: type[pl.DataType] = pl.String
) -> pl.LazyFrame | None:
    """A scan by Polars' CSV reader, if the first line has the right number of fields.

    Polars notices lines with too many fields only if it reads every field. It is not asked to skip comments, which
    would double the time: a file with comments is not regular.
    """
    fields = FIELDS[file.kind]
    types: dict[str, type[pl.DataType]] = {NUMBER[file.kind]: pl.Float64, "iteration": second}
    separator = _blank(head)
    if len(head.split(separator)) != len(fields):
        return None
    scan = pl.scan_csv(
        file.content,
        has_header=False,
        separator=separator,
        quote_char=None,
        schema={field: types.get(field, pl.String) for field in fields},
        glob=False,
    )
    return scan if every_field else scan.select(_read_fields(file))


def _read_fields(file: InputFile) -> list[str]:
    used = _READ[file.kind]
    return used if file.kind != "run" or file.faults is None else [*used, "rank"]


def _blank(head: str) -> str:
    return "\t" if "\t" in head else " "


def _other_blank(head: str) -> str:
    return " " if "\t" in head else "\t"


@dataclass(frozen=True, slots=True)
class _Blanks:
    """The number of blanks in a file, which shows whether every line has the right number of fields.

    So Polars has to read only the fields that are needed. A line with too few fields lacks the last one, which is a
    null. If no line has too few fields, and the file has exactly (fields - 1) blanks for each line, then no line has
    too many: 3 lines of a run must have 15 blanks.
    """

    count: int
    irregular: bool
    """Whether there are two blanks in a row, or both spaces and tabs."""

    @classmethod
    def of(cls, file: InputFile, head: str) -> _Blanks | None:
        """The blanks of a file on disk that is not packed; else None."""
        if not file.is_plain_file:
            return None
        blank, other, count = ord(_blank(head)), _other_blank(head).encode(), 0
        block = bytearray(_BLOCK)
        last_is_blank = False
        with open(file.content, "rb", buffering=0) as opened:
            while size := opened.readinto(block):
                is_blank = np.frombuffer(block, np.uint8, size) == blank
                doubled = bool((is_blank[1:] & is_blank[:-1]).any()) or bool(last_is_blank and is_blank[0])
                if doubled or block.find(other, 0, size) >= 0:
                    return cls(count, irregular=True)
                count += int(np.count_nonzero(is_blank))
                last_is_blank = bool(is_blank[-1])
        return cls(count, irregular=False)

    def fit(self, rows: int, kind: Kind) -> bool:
        return not self.irregular and self.count == rows * (len(FIELDS[kind]) - 1)


def _read_whole_numbers(file: InputFile) -> pl.DataFrame | None:
    """The table of judgements, if their second field is the same whole number in all lines, mostly 0; else None.

    Such judgements have no subtopics, and Polars reads a column of numbers faster than one of text.
    """
    second = _first_line(file).split()[1:2]
    if file.kind != "qrels" or not (second and second[0].isdecimal() and len(second[0]) < _DIGITS):
        return None
    frame = _read_regular(file, pl.Int64)
    return None if frame is None or (frame["iteration"] != int(second[0])).any() else frame


def _read_regular(file: InputFile, second: type[pl.DataType] = pl.String) -> pl.DataFrame | None:
    """The table from Polars' CSV reader, if every line has the same single separators; else None."""
    head = _first_line(file)
    blanks = _Blanks.of(file, head)
    scan = _scan(file, head, every_field=blanks is None, second=second)
    if scan is None or (blanks is not None and blanks.irregular):
        return None
    try:
        frame = scan.collect(engine="in-memory")
    except POLARS_FAULTS:
        return None
    if not _is_clean(frame, NUMBER[file.kind], frame["query"]):
        return None
    frame = frame.select(_read_fields(file))
    if blanks is None:
        return None if _is_in_ids(frame, _other_blank(head)) else frame
    return frame if blanks.fit(frame.height, file.kind) else None


def _is_clean(frame: pl.DataFrame, number: str, queries: pl.Series) -> bool:
    """Whether no field is empty, every number is finite, and no line is a comment."""
    is_complete = not any(frame.null_count().row(0)) and bool(frame[number].is_finite().all())
    return is_complete and not queries.str.starts_with("#").any()


def _first_line(file: InputFile) -> str:
    return next((line for line in file.first_lines() if not line.startswith("#")), "")


def _is_in_ids(frame: pl.DataFrame, blank: str) -> bool:
    return any(frame.select(pl.col("query", "document").str.contains(blank, literal=True).any()).row(0))


def _lines(file: InputFile) -> pl.LazyFrame:
    """The lines that are neither blank nor comments, with their numbers."""
    return (
        pl.scan_lines(file.content, row_index_name="number", row_index_offset=1, glob=False)
        .with_columns(pl.col("line").str.strip_chars(" \t\r\ufeff"))
        .filter((pl.col("line") != "") & ~pl.col("line").str.starts_with("#"))
    )


def _read_any(file: InputFile) -> pl.DataFrame:
    """The table of a file with any blanks between fields, and the number of each line. Faults are reported with it."""
    kind, number = file.kind, NUMBER[file.kind]
    try:
        lines = _lines(file).collect()
    except pl.exceptions.ComputeError:
        raise file.encoding_fault() from None
    if lines.height == 0:
        raise DataError(f"the file is empty: {FORM[kind]}.", file.label)
    split = lines.with_columns(fields=pl.col("line").str.replace_all(r"[ \t]+", " ").str.split(" "))
    split = _require(
        split,
        pl.col("fields").list.len() == len(FIELDS[kind]),
        file,
        lambda row: field_count_fault(len(row["fields"]), kind),
    )
    table = split.select(
        "number", *(pl.col("fields").list.get(i).alias(field) for i, field in enumerate(FIELDS[kind]))
    ).with_columns(value=pl.col(number).cast(pl.Float64, strict=False))
    is_number = pl.col("value").is_finite().fill_null(False)
    table = _require(table, is_number, file, lambda row: number_fault(number, row[number]))
    if not table.height:
        raise DataError(f"no line can be read: {FORM[kind]}.", file.label)
    return table.with_columns(pl.col("value").alias(number)).select(*_read_fields(file), "number")


def _require(
    lines: pl.DataFrame, holds: pl.Expr, file: InputFile, fault: Callable[[dict[str, Any]], str]
) -> pl.DataFrame:
    kept, _ = readable_rows(
        lines,
        lines.select(wrong=~holds)["wrong"],
        lambda row: f"{file.label}:{lines['number'][row]}",
        lambda row: fault(lines.row(row, named=True)),
        file.faults,
    )
    return kept
