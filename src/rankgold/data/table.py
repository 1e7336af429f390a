"""A checked table of judgements or of rankings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from rankgold.data.columns import NUMBER, Kind, columns_of
from rankgold.errors import DataError
from rankgold.kernels.segments import Ints


@dataclass(frozen=True, slots=True)
class Table:
    """Judgements (query, document, grade) or rankings (query, document, score), checked: no null, no NaN."""

    frame: pl.DataFrame
    name: str
    place: Callable[[int], str]
    """Where a row comes from, as people look it up: `FILE:LINE`, or a description of the row."""
    remarks: tuple[str, ...] = ()
    starts: Ints | None = None
    """Where each stretch of rows with the same query begins, and the end, if that is known already."""

    def one_run_each(self) -> list[Table]:
        """The table split by its column of runs, where it has one."""
        if "run" not in self.frame.columns:
            return [self]
        parts = self.frame.with_row_index("row").partition_by(
            "run", maintain_order=True, include_key=False, as_dict=True
        )
        return [
            replace(self, frame=frame.drop("row"), name=str(run), place=picked_places(self.place, frame["row"]))
            for (run,), frame in parts.items()
        ]


def boundaries(column: pl.Series) -> Ints:
    """Where each stretch of rows with the same id begins, and the end."""
    changes = column[1:].ne_missing(column[:-1]).arg_true().to_numpy().astype(np.int64) + 1
    return np.concatenate(([0], changes, [len(column)])) if len(column) else np.zeros(1, dtype=np.int64)


def picked_places(place: Callable[[int], str], rows: pl.Series) -> Callable[[int], str]:
    """The places of rows that were picked out of a table."""
    return lambda row: place(rows[row])


def rows_of(source: str) -> Callable[[int], str]:
    """Places in something that has rows and no lines."""
    return lambda row: f"{source}, row {row + 1}"


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a frame that matter, by role, and how they are to be understood."""

    kind: Kind
    wanted: dict[str, pl.Expr]
    is_rank: bool
    """Whether the scores are ranks."""
    remarks: tuple[str, ...]

    def checked(self, picked: pl.DataFrame, place: Callable[[int], str]) -> pl.DataFrame:
        """Rows of these columns as ids and numbers, none missing."""
        number = NUMBER[self.kind]
        picked = with_numbers(with_ids(picked, place), number, place, "rank" if self.is_rank else number)
        if "run" in picked.columns and (row := _first(picked["run"].is_null())) is not None:
            raise DataError("the run is missing. Name the run in every row, or remove the column.", place(row))
        return picked.with_columns(score=-pl.col("score")) if self.is_rank else picked


def checked_table(
    frame: pl.DataFrame | pl.LazyFrame,
    kind: Kind,
    named: dict[str, str],
    name: str,
    source: str,
    place: Callable[[int], str],
) -> Table:
    """The table that a frame with any columns holds."""
    columns = wanted_columns(frame.collect_schema().names(), kind, named, source)
    picked = frame.lazy().select(**columns.wanted).collect()
    return Table(columns.checked(picked, place), name, place, columns.remarks)


def wanted_columns(names: list[str], kind: Kind, named: dict[str, str], source: str) -> Columns:
    """What to read of a frame with these columns."""
    roles = columns_of(names, kind, named, source)
    wanted = {"query": pl.col(roles["query"]), "document": pl.col(roles["document"])}
    remarks = tuple(
        f"{source} has no column {named[role]!r}: the {role} was read from {roles[role]!r}"
        for role in ("query", "document")
        if role in named and roles[role] != named[role]
    )
    if kind == "qrels":
        if "grade" in roles:
            wanted["grade"] = pl.col(roles["grade"])
            if roles["grade"] == roles.get("score"):
                remarks += (f"{source} has no column of grades: they were read from {roles['grade']!r}",)
        else:
            wanted["grade"] = pl.lit(1.0)
            remarks += (f"{source} has no column of grades: every document in it counts as relevant, with grade 1",)
    else:
        wanted["score"] = pl.col(roles["score"] if "score" in roles else roles["rank"])
        if "run" in roles:
            wanted["run"] = pl.col(roles["run"])
    return Columns(kind, wanted, kind == "run" and "score" not in roles, remarks)


def with_ids(frame: pl.DataFrame, place: Callable[[int], str]) -> pl.DataFrame:
    """The frame with ids as integers or text, none missing."""
    for role in ("query", "document"):
        column = frame[role]
        if (row := _first(column.is_null())) is not None:
            raise DataError(f"the {role} is missing. Give every row one, or remove the row.", place(row))
        frame = frame.with_columns(_as_ids(column, role, place))
    return frame


def _as_ids(column: pl.Series, role: str, place: Callable[[int], str]) -> pl.Series:
    if column.dtype == pl.String or column.dtype == pl.Int64:
        return column
    if column.dtype.is_nested():
        raise DataError(f"the {role} column is of type {column.dtype}. Ids are integers or text.", place(0))
    if column.dtype.is_integer():
        try:
            return column.cast(pl.Int64)
        except pl.exceptions.InvalidOperationError:
            return column.cast(pl.String)
    if column.dtype.is_float():
        if (row := _first((column != column.floor()).fill_null(True) | ~(column.abs() < 2.0**63))) is not None:
            raise DataError(f"the {role} {column[row]!r} is not an id. Ids are integers or text.", place(row))
        return column.cast(pl.Int64)
    try:
        return column.cast(pl.String)
    except (pl.exceptions.InvalidOperationError, pl.exceptions.ComputeError):
        raise DataError(f"the {role} column is of type {column.dtype}. Ids are integers or text.", place(0)) from None


def with_numbers(frame: pl.DataFrame, role: str, place: Callable[[int], str], called: str) -> pl.DataFrame:
    """The frame with its grades or scores as finite floats; `called` is what errors call them."""
    column = frame[role]
    if column.dtype == pl.Boolean and role == "grade":
        column = column.cast(pl.Float64)
    if not (column.dtype.is_numeric() or column.dtype == pl.String or column.dtype == pl.Null):
        raise DataError(f"the {called} is a number, and this column is of type {column.dtype}.", place(0))
    if column.dtype == pl.String:
        column = column.str.strip_chars()
    number = column.cast(pl.Float64, strict=False)
    if (row := _first(~number.is_finite().fill_null(False))) is not None:
        raise DataError(bad_number(called, column[row]), place(row))
    return frame.with_columns(number.alias(role))


def bad_number(role: str, value: object) -> str:
    """What is wrong with a grade or score that is not a finite number."""
    if value is None or value == "":
        return f"the {role} is missing. Give it one, or remove the row."
    if isinstance(value, float):
        return f"the {role} is {value}. It must be a finite number; correct it, or remove the row."
    return f"the {role} must be a finite number, not {value!r}."


def _first(wrong: pl.Series) -> int | None:
    return wrong.arg_max() if wrong.any() else None
