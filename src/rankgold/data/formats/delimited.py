"""Reads CSV and TSV, with or without a header.

    query, document, rank                 a run: in each query the ranks are 1, 2, 3, ... (MS MARCO)
    query, document, score                a run: not all scores are whole numbers
    query, document, rank, score          a run: the better the rank, the better the score
    query, document, grade                judgements
    query, document                       judgements: the relevant documents

Every other file without a header is an error that says so.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import partial
from itertools import islice

import polars as pl

from rankgold.core.errors import DataError
from rankgold.data import chunks
from rankgold.data.columns import check_unique, find_columns
from rankgold.data.formats.registry import fields_of_line, header_columns, header_hint, lacks_header, separator_of
from rankgold.data.input_file import InputFile
from rankgold.data.rows import Rows, refuse_row
from rankgold.data.table import Table, check_table


def read_delimited(file: InputFile) -> Rows:
    """The table in a file of rows; in chunks if it is a large run."""
    header = next(file.first_lines(), "")
    check_unique(header_columns(header, file.named), file.named, file.label)
    separator = separator_of(header, file.named)
    if file.kind == "run" and (size := file.unpacked_size) > chunks.LARGE:
        scan = pl.scan_csv(file.content, separator=separator, infer_schema=False, glob=False)
        names = scan.collect_schema().names()
        if names == [name.strip() for name in names]:
            line = next(islice(file.first_lines(), 1, None), None)
            rows = size // (len(line.encode()) + 1) if line is not None else 0
            source = file.source(partial(_place, file, separator))
            read_whole = file.translated_faults()(lambda: _read_whole(file, separator))
            return chunks.table_chunks(scan, rows, source, read_whole, every_field=True)
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
    frame = frame_with_header(file, separator)
    frame = frame.rename({column: column.strip() for column in frame.columns if column != column.strip()})
    _check_columns(frame.columns, file, separator)
    is_filled = are_filled(frame)
    records = is_filled.arg_true()
    if not len(records):
        raise DataError("there is a header and no row after it.", file.label)
    return check_table(frame.filter(is_filled), file.source(lambda row: _place(file, separator, int(records[row]))))


def frame_with_header(file: InputFile, separator: str) -> pl.DataFrame:
    """All fields as text, blank lines among them."""
    try:
        return pl.read_csv(file.content, separator=separator, infer_schema=False, glob=False)
    except pl.exceptions.ComputeError:
        return frame_of_records(file, separator)


def are_filled(frame: pl.DataFrame) -> pl.Series:
    """True for rows with a field: rows of blank lines have none."""
    return frame.select(~pl.all_horizontal(pl.all().is_null())).to_series()


def _check_columns(columns: list[str], file: InputFile, separator: str) -> None:
    """Raises an error if columns are missing; one that asks for a header if there seems to be none."""
    try:
        find_columns(columns, file.kind, file.named, file.label)
    except DataError:
        if file.named or not lacks_header(next(file.first_lines(), ""), separator):
            raise
        raise DataError(header_hint(separator, file.kind, "what its columns hold is not clear"), file.label) from None


def frame_of_records(file: InputFile, separator: str, names: list[str] | None = None) -> pl.DataFrame:
    """All fields as text, read by Python: Polars does not read a quote within a field, as in `5" disk`.

    Without `names` there is a header. A line that has more fields than the first is an error; where faults
    are collected, it is blank.
    """
    lines = (line.removeprefix("\ufeff") + "\n" for line in file.lines())
    records = csv.reader(lines, delimiter=separator, strict=True)
    rows: list[list[str | None]] = []
    try:
        columns = names or _unique_names(next(filter(None, records), []))
        width = len(columns)
        for fields in records:
            if len(fields) > width:
                refuse_row(_field_fault(file, separator, width, len(fields), records.line_num), file.faults)
                fields = []
            rows.append([field or None for field in fields] + [None] * (width - len(fields)))
    except csv.Error as error:
        reason = str(error).partition(" - ")[0]
        raise DataError(
            f"this line is not CSV ({reason}). Correct the line.", f"{file.label}:{records.line_num}"
        ) from None
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")


def _unique_names(header: list[str]) -> list[str]:
    """The names in a header. A repeated one is numbered, as Polars does it."""
    names: list[str] = []
    for number, name in enumerate(header):
        names.append(f"{name}_duplicated_{number}" if name in names else name)
    return names


def _field_fault(file: InputFile, separator: str, expected: int, found: int, line: int) -> DataError:
    first = "first line" if lacks_header(next(file.first_lines(), ""), separator) else "header"
    return DataError(
        f"the {first} has {expected} fields, and this line has {found}. Correct the line or remove it.",
        f"{file.label}:{line}",
    )


_MOST_GRADES = 10


def read_headerless(file: InputFile) -> Table:
    """The table of a file of rows, with a remark on how its columns were read."""
    first = next(file.first_lines(), "")
    separator = separator_of(first, file.named)
    fields = fields_of_line(first, separator)
    # Blank lines come before the first one only if the file begins with a blank.
    skipped = (file.lines().str.strip_chars(" \t\r\ufeff") != "").arg_max() if file.head()[:1].isspace() else 0
    schema = {f"column {number}": pl.String for number in range(1, len(fields) + 1)}
    try:
        frame = pl.read_csv(
            file.content, separator=separator, has_header=False, schema=schema, glob=False, skip_rows=skipped or 0
        )
    except pl.exceptions.ComputeError:
        frame, skipped = frame_of_records(file, separator, list(schema)), 0
    is_filled = are_filled(frame)
    line, frame = is_filled.arg_true() + 1 + (skipped or 0), frame.filter(is_filled)
    columns = _columns(frame, file, separator)
    table = check_table(frame.rename(columns), file.source(lambda row: f"{file.label}:{line[row]}"))
    remark = f"{file.label} has no header: its columns were read as {', '.join(columns.values())}"
    return replace(table, remarks=(remark, *table.remarks))


def _columns(frame: pl.DataFrame, file: InputFile, separator: str) -> dict[str, str]:
    names = {
        ("qrels", 2): ("query", "document"),
        ("qrels", 3): ("query", "document", "grade"),
        ("run", 3): ("query", "document", "rank"),
        ("run", 4): ("query", "document", "rank", "score"),
    }[file.kind, frame.width]
    roles = dict(zip(frame.columns, names, strict=True))
    numbers = [frame[column].str.strip_chars().cast(pl.Float64, strict=False) for column in frame.columns[2:]]
    if not numbers or any(number.null_count() for number in numbers):
        return roles  # a fault is reported with its line
    rows = pl.DataFrame({"query": frame.to_series(0), "number": numbers[0], "score": numbers[-1]})
    are_ranks = _are_ranks(rows)
    unclear = ""
    if file.kind == "qrels":
        if are_ranks and rows["number"].max() > _MOST_GRADES:  # type: ignore[operator]
            unclear = "its third column may hold grades or ranks"
    elif frame.width == 3 and not are_ranks:
        if (rows["number"] == rows["number"].floor()).all():
            unclear = "its third column may hold ranks or scores"
        roles[frame.columns[2]] = "score"
    elif frame.width == 4 and not (are_ranks and _fall(rows)):
        unclear = "its third column does not rank the documents as the fourth does"
    if unclear:
        raise DataError(header_hint(separator, file.kind, unclear), file.label)
    return roles


def _are_ranks(rows: pl.DataFrame) -> bool:
    """Whether the numbers of every query are 1, 2, 3, ... in any order."""
    number = pl.col("number")
    by_query = rows.group_by("query").agg(
        (
            (number == number.floor()).all()
            & (number.min() == 1)
            & (number.max() == pl.len())
            & (number.n_unique() == pl.len())
        ).alias("is")
    )
    return bool(by_query["is"].all())


def _fall(rows: pl.DataFrame) -> bool:
    """Whether the scores never rise from one rank of a query to the next."""
    ordered = rows.sort("query", "number")
    rises = (ordered["query"] == ordered["query"].shift(1)) & (ordered["score"] > ordered["score"].shift(1))
    return not rises.any()
