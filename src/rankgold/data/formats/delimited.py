"""A CSV or TSV file with a header in, its rows out."""

from __future__ import annotations

import csv
from functools import partial
from itertools import islice

import polars as pl

from rankgold.data import chunks
from rankgold.data.columns import find_columns
from rankgold.data.formats.registry import header_hint, lacks_header, separator_of
from rankgold.data.input_file import InputFile
from rankgold.data.inspection import is_inspecting, refuse_row
from rankgold.data.rows import Rows
from rankgold.data.table import Table
from rankgold.errors import DataError


def read_delimited(file: InputFile) -> Rows:
    """The table in a file of rows; in chunks if it is a large run."""
    separator = separator_of(next(file.first_lines(), ""), file.named)
    if file.kind == "run" and (size := file.unpacked_size) > chunks.LARGE:
        scan = pl.scan_csv(file.content, separator=separator, infer_schema=False, glob=False)
        names = scan.collect_schema().names()
        if names == [name.strip() for name in names]:
            line = next(islice(file.first_lines(), 1, None), None)
            rows = size // (len(line.encode()) + 1) if line is not None else 0
            place = partial(_place, file, separator)
            return chunks.table_chunks(scan, rows, file, place, lambda: _read_whole(file, separator))
    return _read_whole(file, separator)


def _place(file: InputFile, separator: str, record: int) -> str:
    """Where a record begins. A quoted field may hold line ends, so this counts records, not lines."""
    records = csv.reader(file.lines(), delimiter=separator)
    line = 1
    try:
        for number, _ in enumerate(records, start=-1):
            if number == record:
                break
            line = records.line_num + 1
    except csv.Error:
        line = record + 2
    return f"{file.label}:{line}"


def _read_whole(file: InputFile, separator: str) -> Table:
    """All rows; blank lines are skipped."""
    try:
        frame = pl.read_csv(file.content, separator=separator, infer_schema=False, glob=False)
    except pl.exceptions.ComputeError:
        if not is_inspecting():
            raise separated_fault(file, separator) from None
        rows = _readable_lines(file, separator)
        frame = pl.read_csv(rows, separator=separator, infer_schema=False, glob=False)
    frame = frame.rename({column: column.strip() for column in frame.columns if column != column.strip()})
    _check_columns(frame.columns, file, separator)
    blank = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    records = (~blank).arg_true()
    if not len(records):
        raise DataError("there is a header and no row after it.", file.label)
    return file.check_table(frame.filter(~blank), lambda row: _place(file, separator, int(records[row])))


def _check_columns(columns: list[str], file: InputFile, separator: str) -> None:
    """Raises an error if columns are missing; one that asks for a header if there seems to be none."""
    try:
        find_columns(columns, file.kind, file.named, file.label)
    except DataError:
        if file.named or not lacks_header(next(file.first_lines(), ""), separator):
            raise
        raise DataError(header_hint(separator, file.kind, "what its columns hold is not clear"), file.label) from None


def _readable_lines(file: InputFile, separator: str) -> bytes:
    """The file with blank lines in place of those that have more fields than the first. The latter are noted."""
    lines = file.lines().to_list()
    first = len(next(csv.reader(lines[:1], delimiter=separator), []))
    is_long = [len(next(csv.reader([line], delimiter=separator), [])) > first for line in lines]
    if not any(is_long):
        raise separated_fault(file, separator)
    for number, line in enumerate(lines, start=1):
        if is_long[number - 1]:
            fields = len(next(csv.reader([line], delimiter=separator)))
            refuse_row(_field_fault("header", first, fields, f"{file.label}:{number}"))
    return "\n".join("" if long else line for long, line in zip(is_long, lines, strict=True)).encode()


def _field_fault(first: str, expected: int, found: int, place: str) -> DataError:
    return DataError(
        f"the {first} has {expected} fields, and this line has {found}. Correct the line or remove it.", place
    )


def separated_fault(file: InputFile, separator: str) -> DataError:
    """What is wrong with a file that is not a table: its encoding, or a line with more fields than the first."""
    rows = csv.reader(file.lines(), delimiter=separator)
    first = "first line" if lacks_header(next(file.first_lines(), ""), separator) else "header"
    try:
        header = next(rows, [])
        for row in rows:
            if len(row) > len(header):
                return _field_fault(first, len(header), len(row), f"{file.label}:{rows.line_num}")
    except csv.Error as error:
        reason = str(error).partition(" - ")[0]
        return DataError(f"this line is not CSV ({reason}). Correct the line.", f"{file.label}:{rows.line_num}")
    return DataError("this cannot be read as a table with a header.", file.label)
