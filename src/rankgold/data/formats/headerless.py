"""A CSV or TSV file without a header in, its rows out, if its content says what its columns are.

    query, document, rank                 a run: in each query the ranks are 1, 2, 3, ... (MS MARCO)
    query, document, score                a run: not all scores are whole numbers
    query, document, rank, score          a run: the better the rank, the better the score
    query, document, grade                judgements
    query, document                       judgements: the relevant documents

Every other file without a header is an error that says so.
"""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from rankgold.data.formats.delimited import are_filled, frame_of_records
from rankgold.data.formats.registry import fields_of_line, header_hint, separator_of
from rankgold.data.input_file import InputFile
from rankgold.data.table import Table, check_table
from rankgold.errors import DataError

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
    """The columns of the frame and their roles."""
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
