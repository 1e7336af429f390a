"""Checks a column of ids or numbers, and names the first bad row."""

from __future__ import annotations

import polars as pl

from rankgold.core.errors import DataError
from rankgold.data.ids import id_series
from rankgold.data.rows import Place
from rankgold.data.value_faults import id_fault, id_type_fault, number_fault


def checked_ids(column: pl.Series, role: str, place: Place) -> pl.Series:
    """A column of ids as integers or text, none missing."""
    if (row := first_wrong(column.is_null())) is not None:
        raise DataError(id_fault(role, None), place(row))
    return _as_ids(column, role, place)


def _as_ids(column: pl.Series, role: str, place: Place) -> pl.Series:
    if column.dtype == pl.String or column.dtype == pl.Int64:
        return column
    if column.dtype == pl.Object:
        return id_series(column.to_list(), f"{place(0)}: a {role}").alias(role)
    if column.dtype == pl.Binary:
        return _text_of_bytes(column, role, place)
    if column.dtype.is_nested() or column.dtype == pl.Boolean:
        raise DataError(id_type_fault(role, column.dtype), place(0))
    if column.dtype.is_integer():
        try:
            return column.cast(pl.Int64)
        except pl.exceptions.InvalidOperationError:
            return column.cast(pl.String)
    if column.dtype.is_float():
        if (row := first_wrong((column != column.floor()).fill_null(True) | ~(column.abs() < 2.0**63))) is not None:
            raise DataError(id_fault(role, column[row]), place(row))
        return column.cast(pl.Int64)
    try:
        return _text_of_times(column) if column.dtype in (pl.Time, pl.Datetime) else column.cast(pl.String)
    except (pl.exceptions.InvalidOperationError, pl.exceptions.ComputeError):
        raise DataError(id_type_fault(role, column.dtype), place(0)) from None


def _text_of_times(column: pl.Series) -> pl.Series:
    """Times as text, without the zeros at the end of the seconds, as other engines write them; in UTC, if they have a
    time zone."""
    is_zoned = isinstance(column.dtype, pl.Datetime) and column.dtype.time_zone is not None
    if is_zoned:
        column = column.dt.convert_time_zone("UTC")
    date = "" if column.dtype == pl.Time else "%Y-%m-%d "
    text = column.dt.to_string(f"{date}%H:%M:%S%.f").str.replace(r"(\.\d*?)0+$", "$1").str.strip_chars_end(".")
    return text + "+00:00" if is_zoned else text


def _text_of_bytes(column: pl.Series, role: str, place: Place) -> pl.Series:
    try:
        text = column.cast(pl.String)
        row = first_wrong(text.str.contains(r"[\x00-\x1f]"))
    except pl.exceptions.ComputeError:
        row = next(row for row, id_ in enumerate(column) if "\ufffd" in id_.decode(errors="replace"))
    if row is not None:
        raise DataError(
            f"the {role} column is of type Binary, and {column[row][:20]!r} is not text. Ids must be integers or text:"
            " write UUIDs as text.",
            place(row),
        )
    return text


def checked_numbers(column: pl.Series, role: str, number_is: str, place: Place) -> pl.Series:
    """A column of grades or scores as finite floats; `number_is` is what errors call them."""
    numbers = as_numbers(column, role, number_is, place)
    if (row := first_wrong(~are_finite(numbers))) is not None:
        raise DataError(number_fault(number_is, stripped(column)[row]), place(row))
    return numbers.alias(role)


def as_numbers(column: pl.Series, role: str, number_is: str, place: Place) -> pl.Series:
    """The column as floats; null where the text is not a number."""
    if column.dtype == pl.Boolean and role == "grade":
        column = column.cast(pl.Float64)
    if column.dtype in (pl.Categorical, pl.Enum):
        column = column.cast(pl.String)
    if not (column.dtype.is_numeric() or column.dtype == pl.String or column.dtype == pl.Null):
        raise DataError(
            f"the {number_is} must be a number, and this column is of type {column.dtype}. Convert it to numbers.",
            place(0),
        )
    return stripped(column).cast(pl.Float64, strict=False)


def stripped(column: pl.Series) -> pl.Series:
    """Texts without blanks at their ends; any other column as it is."""
    return column.str.strip_chars() if column.dtype == pl.String else column


def are_finite(numbers: pl.Series) -> pl.Series:
    return numbers.is_finite().fill_null(False)


def first_wrong(wrong: pl.Series) -> int | None:
    """The first row where this is true; None if it is true nowhere."""
    return wrong.arg_max() if wrong.any() else None
