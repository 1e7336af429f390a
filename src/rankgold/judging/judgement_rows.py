"""Judgements in any form, such as a filled-in sheet, in; their rows out. Rows without a grade are skipped."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from rankgold.data.catalogue_files import content_of_file
from rankgold.data.columns import ALIASES, check_column_names, find_columns, role_name
from rankgold.data.files import head_of, open_file
from rankgold.data.formats.registry import recognise
from rankgold.data.frames import check_names, has_uuids, is_pandas, values_of_pandas
from rankgold.data.input_file import InputFile
from rankgold.data.inputs import are_records, is_path, is_pipe, read
from rankgold.data.records import series_of, values_of_records
from rankgold.data.rows import Place
from rankgold.data.table import Table, TableSource, check_table
from rankgold.errors import DataError
from rankgold.forked_process import check_polars
from rankgold.output.csv import name_of_field

_LABEL = "the judgements"
_NAMES = tuple(name for names in ALIASES.values() for name in names)


@dataclass(frozen=True, slots=True, eq=False)
class GradedRows:
    """The rows of a table that have a grade, with all of their columns."""

    frame: pl.DataFrame
    named: dict[str, str]
    label: str
    """What errors call the table."""
    place: Place

    def table(self) -> Table:
        """The checked judgements, in the same order."""
        return check_table(self.frame, TableSource("qrels", self.named, self.label, self.place, "judge"))


def judged_rows(source: object, columns: Mapping[str, str] | None = None) -> Table:
    """The judgements. A document may be there repeatedly, graded by several judges."""
    check_polars()
    graded = graded_rows(source, columns)
    return read(source, "qrels", columns).table() if graded is None else graded.table()


def graded_rows(source: object, columns: Mapping[str, str] | None = None) -> GradedRows | None:
    """The rows of a table with named columns that have a grade; None if the source is of another form."""
    check_polars()
    named = check_column_names(columns)
    frame = _frame_with_header(source, named)
    if frame is None:
        return None
    label = os.fspath(source) if is_path(source) else _LABEL
    found = find_columns(frame.columns, "qrels", named, label)
    if found.number is None:
        return None
    grade = pl.col(found.number)
    if frame.schema[found.number] == pl.String:
        grade = grade.str.strip_chars().replace("", None)
    texts = [name for name in (found.query, found.document) if frame.schema[name] == pl.String]
    frame = frame.with_columns(_names_of_fields(frame[name]) for name in texts)
    rows = frame.select(grade.is_not_null()).to_series().arg_true()
    kept = frame[rows]
    if not is_path(source):
        return GradedRows(kept, named, label, lambda row: f"{label}, row {rows[row] + 1}")
    return GradedRows(kept, named, label, lambda row: f"{label}:{_line(frame, rows[row])}")


def _names_of_fields(column: pl.Series) -> pl.Series:
    """The ids without the apostrophes that CSV has before formulas."""
    fields = column.filter(column.str.starts_with("'")).unique().to_list()
    return column.replace({field: name_of_field(field) for field in fields})


def first_graded_twice(rows: pl.DataFrame) -> tuple[Any, Any] | None:
    """The query and the document of the first row whose document is in the query repeatedly; None if there is none."""
    repeated = rows.select("query", "document").filter(pl.struct("query", "document").is_duplicated())
    return None if repeated.is_empty() else (repeated["query"][0], repeated["document"][0])


def _frame_of_pandas(source: Any, named: Mapping[str, str]) -> pl.DataFrame | None:
    check_names(source, _LABEL)
    try:
        if not has_uuids(source):
            return pl.DataFrame(source)
    except (ImportError, TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        pass  # a column of several types, which Arrow does not read
    return _frame_of_values(values_of_pandas(source), named)


def _frame_of_values(columns: Mapping[str, Sequence[Any]], named: Mapping[str, str]) -> pl.DataFrame | None:
    """The frame of columns with values of any types; None if one has lists, such as all documents of a query."""
    if any(isinstance(value, list) for values in columns.values() for value in values):
        return None
    roles = {role_name(columns, role, named): role for role in ("query", "document")}
    return pl.DataFrame({name: series_of(roles.get(name, "grade"), values, _LABEL) for name, values in columns.items()})


def _line(frame: pl.DataFrame, row: int) -> int:
    """The line of a row in its file: the header is the first one, and cells in quotation marks may have several."""
    breaks = frame.head(row).select(pl.col(pl.String).str.count_matches("\n").sum())
    return row + 2 + int(sum(breaks.row(0) if breaks.width else ()))


def _frame_with_header(source: Any, named: Mapping[str, str]) -> pl.DataFrame | None:
    if is_path(source):
        file = open_file(source, "qrels", dict(named)) if os.path.isfile(source) and not is_pipe(source) else None
        found = content_of_file(file, _NAMES) if file is not None and _has_columns(file) else None
    elif isinstance(source, pl.LazyFrame):
        found = source.collect()
    elif is_pandas(source):
        found = _frame_of_pandas(source, named)
    elif hasattr(source, "__arrow_c_stream__") and hasattr(source, "columns"):
        found = pl.DataFrame(source)
    elif are_records(source, named):
        found = _frame_of_values(values_of_records(source), named)
    else:
        found = None
    if not isinstance(found, pl.DataFrame):
        return None
    try:
        find_columns(found.columns, "qrels", named, "")
    except DataError:
        return None
    return found


def _has_columns(file: InputFile) -> bool:
    """Whether the columns of a file have names. The fields of TREC files have none, and may hold any separator."""
    format_ = recognise(head_of(file))
    return format_.is_delimited or bool(format_.magic)
