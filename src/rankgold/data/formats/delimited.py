"""CSV and TSV with a header."""

from __future__ import annotations

import csv
from functools import partial
from itertools import islice

import polars as pl

from rankgold.data import chunks
from rankgold.data.chunks import Parts
from rankgold.data.columns import columns_of
from rankgold.data.input_file import Source
from rankgold.data.large_tables import parts_of
from rankgold.data.table import Table
from rankgold.errors import DataError


def read_delimited(source: Source, separator: str) -> Table | Parts:
    """The table in a file of rows; in parts where it is a large run."""
    if source.kind == "run" and (size := source.unpacked_size) > chunks.LARGE:
        scan = pl.scan_csv(source.content, separator=separator, infer_schema=False, glob=False)
        names = scan.collect_schema().names()
        if names == [name.strip() for name in names]:
            line = next(islice(source.first_lines(), 1, None), None)
            rows = size // (len(line.encode()) + 1) if line is not None else 0
            place = partial(_place, source, separator)
            return parts_of(scan, rows, source, place, lambda: _whole(source, separator))
    return _whole(source, separator)


def _place(source: Source, separator: str, record: int) -> str:
    """Where a record begins: a quoted field may hold ends of lines, so records are counted and not lines."""
    records = csv.reader(source.lines(), delimiter=separator)
    line = 1
    try:
        for number, _ in enumerate(records, start=-1):
            if number == record:
                break
            line = records.line_num + 1
    except csv.Error:
        line = record + 2
    return f"{source.label}:{line}"


def _whole(source: Source, separator: str) -> Table:
    """All rows; lines without anything on them are passed over."""
    try:
        frame = pl.read_csv(source.content, separator=separator, infer_schema=False, glob=False)
    except pl.exceptions.ComputeError:
        raise _fault(source, separator) from None
    frame = frame.rename({column: column.strip() for column in frame.columns if column != column.strip()})
    columns_of(frame.columns, source.kind, source.named, source.label)
    blank = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    records = (~blank).arg_true()
    if not len(records):
        raise DataError("there is a header and no row after it.", source.label)
    return source.table(frame.filter(~blank), lambda row: _place(source, separator, int(records[row])))


def _fault(source: Source, separator: str) -> DataError:
    """What is wrong with a file that is no table: its encoding, or a line with more fields than the header."""
    rows = csv.reader(source.lines(), delimiter=separator)
    header = next(rows, [])
    for row in rows:
        if len(row) > len(header):
            return DataError(
                f"the header has {len(header)} fields, and this line has {len(row)}. Correct the line or remove it.",
                f"{source.label}:{rows.line_num}",
            )
    return DataError("this cannot be read as a table with a header.", source.label)
