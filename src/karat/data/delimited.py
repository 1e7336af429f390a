"""CSV and TSV with a header."""

from __future__ import annotations

import csv
from collections.abc import Callable

import polars as pl

from karat.data import parts
from karat.data.large_tables import parts_of
from karat.data.parts import Parts
from karat.data.schema import columns_of
from karat.data.source import Source
from karat.data.table import Table
from karat.errors import DataError


def read_delimited(source: Source, separator: str) -> Table | Parts:
    """The table in a file of rows; in parts where it is a large run."""
    if source.kind == "run" and (size := source.unpacked_size) > parts.LARGE:
        scan = pl.scan_csv(source.content, separator=separator, infer_schema=False, glob=False)
        names = scan.collect_schema().names()
        if names == [name.strip() for name in names]:
            line = source.first_lines()[1:2]
            rows = size // (len(line[0].encode()) + 1) if line else 0
            return parts_of(scan, rows, source, _line(source), lambda: _whole(source, separator))
    return _whole(source, separator)


def _line(source: Source) -> Callable[[int], str]:
    return lambda row: f"{source.label}:{row + 2}"


def _whole(source: Source, separator: str) -> Table:
    """All rows; lines without anything on them are passed over."""
    try:
        frame = pl.read_csv(source.content, separator=separator, infer_schema=False, glob=False)
    except pl.exceptions.ComputeError:
        raise _fault(source, separator) from None
    frame = frame.rename({column: column.strip() for column in frame.columns if column != column.strip()})
    columns_of(frame.columns, source.kind, source.named, source.label)
    blank = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    lines = (~blank).arg_true() + 2
    if not len(lines):
        raise DataError("there is a header and no row after it.", source.label)
    return source.table(frame.filter(~blank), lambda row: f"{source.label}:{lines[row]}")


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
