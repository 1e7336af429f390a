"""TREC's text formats: `query 0 document grade` and `query Q0 document rank score tag`."""

from __future__ import annotations

import mmap
from collections.abc import Callable

import polars as pl

from karat.data.schema import Kind
from karat.data.table import NUMBER, Table, bad_number
from karat.errors import DataError

FIELDS: dict[Kind, tuple[str, ...]] = {
    "qrels": ("query", "iteration", "document", "grade"),
    "run": ("query", "iteration", "document", "rank", "score", "run"),
}
USED: dict[Kind, list[str]] = {
    "qrels": ["query", "document", "grade"],
    "run": ["query", "document", "score", "run"],
}
_FORM: dict[Kind, str] = {
    "qrels": "a line of judgements has 4 fields, 'query 0 document grade'",
    "run": "a line of a run has 6 fields, 'query Q0 document rank score tag'",
}
_FASTER_THAN_CAREFUL = (
    pl.exceptions.ComputeError,
    pl.exceptions.SchemaError,
    pl.exceptions.ShapeError,
    pl.exceptions.NoDataError,
)


def read_trec(source: str | bytes, kind: Kind, name: str, label: str) -> Table:
    """The table in a TREC file, given by path or as the bytes themselves; `label` names it in errors."""
    frame = _regular(source, kind)
    if frame is None:
        frame = _careful(source, kind, label)
    tags = frame["run"].unique(maintain_order=True).to_list() if kind == "run" else []
    if len(tags) == 1:
        name = tags[0]
    if kind == "run" and not _several_runs(frame, len(tags)):
        frame = frame.drop("run")
    return Table(frame, name, lambda row: f"{label}:{_line_numbers(source)[row]}")


def _several_runs(frame: pl.DataFrame, tags: int) -> bool:
    """Tags tell runs apart where a query has several; else they are one run that was tagged carelessly."""
    return tags > 1 and frame.select("query", "run").n_unique() > frame["query"].n_unique()


def _regular(source: str | bytes, kind: Kind) -> pl.DataFrame | None:
    """The table by way of the fast CSV reader, where every line has the same single separators; else None."""
    fields = FIELDS[kind]
    head = _first_line(source)
    if head is None:
        return None
    separator = "\t" if "\t" in head else " "
    if len(head.split(separator)) != len(fields):
        return None
    schema = {field: pl.Float64 if field == NUMBER[kind] else pl.String for field in fields}
    try:
        frame = (
            pl.scan_csv(
                source,
                has_header=False,
                separator=separator,
                quote_char=None,
                comment_prefix="#",
                schema=schema,
                glob=False,
            )
            .select(USED[kind])
            .collect(engine="in-memory")
        )
    except _FASTER_THAN_CAREFUL:
        return None
    if any(frame.null_count().row(0)) or not frame[NUMBER[kind]].is_finite().all():
        return None
    return None if _has(source, frame, " " if separator == "\t" else "\t") else frame


def _has(source: str | bytes, frame: pl.DataFrame, blank: str) -> bool:
    """Whether the other kind of blank is about as well, and so part of what was read as ids."""
    if isinstance(source, str) and not source.endswith((".gz", ".zst", ".zstd")):
        with open(source, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return content.find(blank.encode()) >= 0
    return bool(
        frame.select(pl.col("query", "document").str.contains(blank, literal=True).any()).row(0) != (False, False)
    )


def _first_line(source: str | bytes) -> str | None:
    try:
        for (line,) in pl.read_lines(source, n_rows=100, glob=False).iter_rows():
            if line.strip("\ufeff \t\r") and not line.startswith("#"):
                return str(line).strip("\ufeff\r")
    except pl.exceptions.ComputeError:
        return None
    return None


def _lines(source: str | bytes) -> pl.LazyFrame:
    """The lines that hold something, with their numbers."""
    return (
        pl.scan_lines(source, row_index_name="number", row_index_offset=1, glob=False)
        .with_columns(pl.col("line").str.strip_chars(" \t\r\ufeff"))
        .filter((pl.col("line") != "") & ~pl.col("line").str.starts_with("#"))
    )


def _line_numbers(source: str | bytes) -> pl.Series:
    return _lines(source).select("number").collect()["number"]


def _careful(source: str | bytes, kind: Kind, label: str) -> pl.DataFrame:
    """The table with any runs of spaces and tabs between fields, and every fault told with its line."""
    try:
        lines = _lines(source).collect()
    except pl.exceptions.ComputeError:
        raise _not_text(source, label) from None
    if lines.height == 0:
        raise DataError("the file is empty. " + _FORM[kind].capitalize() + ".", label)
    fields = FIELDS[kind]
    split = lines.with_columns(parts=pl.col("line").str.replace_all(r"[ \t]+", " ").str.split(" "))
    _require(split, pl.col("parts").list.len() == len(fields), label, lambda row: _field_count(row, kind))
    table = split.select(
        "number", *(pl.col("parts").list.get(i).alias(field) for i, field in enumerate(fields))
    ).with_columns(value=pl.col(NUMBER[kind]).cast(pl.Float64, strict=False))
    _require(
        table,
        pl.col("value").is_finite().fill_null(False),
        label,
        lambda row: bad_number(NUMBER[kind], row[NUMBER[kind]]),
    )
    return table.with_columns(pl.col("value").alias(NUMBER[kind])).select(USED[kind])


def _require(lines: pl.DataFrame, holds: pl.Expr, label: str, fault: Callable[[dict[str, object]], str]) -> None:
    bad = lines.filter(~holds)
    if bad.height:
        row = bad.row(0, named=True)
        raise DataError(fault(row), f"{label}:{row['number']}")


def _field_count(row: dict[str, object], kind: Kind) -> str:
    parts = row["parts"]
    count = len(parts) if isinstance(parts, list) else 0
    return f"{_FORM[kind]}, and this one has {count}. Correct the line or remove it."


def _not_text(source: str | bytes, label: str) -> DataError:
    """The line at which a file stops being text."""
    if isinstance(source, str):
        with open(source, "rb") as file:
            content = file.read()
    else:
        content = source
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return DataError(
            f"this is not UTF-8 text (byte {content[error.start]:#04x}). Convert the file to UTF-8,"
            " or check that it is a text file at all.",
            f"{label}:{line}",
        )
    return DataError("this cannot be read as text.", label)
