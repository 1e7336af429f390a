"""Reads Polars frames, and others through the Arrow interface; makes frames of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeGuard
from uuid import UUID

import polars as pl

from rankgold.core.errors import DataError, MissingDependency
from rankgold.data.columns import ALIASES, Columns, Kind, normal_name
from rankgold.data.ids import is_known
from rankgold.data.input_file import POLARS_FAULTS
from rankgold.data.inputs import read
from rankgold.data.polars_guard import ArrowStream
from rankgold.data.records import table_of_values
from rankgold.data.rows import Place, RowFaults
from rankgold.data.table import Table, TableSource, check_rows, check_table, places_of

if TYPE_CHECKING:
    import pandas as pd

    from rankgold.core.accepted import Frame


# Types of PyArrow that Polars does not read.
_UNREADABLE = ("decimal256", "run_end_encoded", "month_day_nano_interval", "sparse_union", "dense_union")

_LISTS = ("list", "large_list", "fixed_size_list")


def read_frame(source: Frame, kind: Kind, named: dict[str, str], faults: RowFaults | None = None) -> Table:
    """The table in a frame."""
    origin = TableSource.of_object(kind, named, faults)
    try:
        table = _table(source, origin)
    except POLARS_FAULTS as error:
        raise DataError(f"the frame cannot be evaluated: {str(error).strip().splitlines()[0]}.", origin.label) from None
    if table.frame.height == 0 and not table.nothing:
        raise DataError("there are no rows.", origin.label)
    return table


def _table(frame: Frame, source: TableSource) -> Table:
    if isinstance(frame, (pl.DataFrame, pl.LazyFrame)):
        return check_table(frame, source)
    if is_pandas(frame):
        check_names(frame, source.label)
        check_index(frame, source.named, source.label)
    try:
        if source.kind == "run" and is_pandas(frame):
            _check_order(frame, source.place)
        used = _used_columns(frame, source)
        if not has_uuids(used):
            return check_table(pl.DataFrame(used), source)
    except ImportError as error:
        if "pyarrow" not in str(error):
            raise
        if not is_pandas(frame):
            raise MissingDependency("pyarrow", "pyarrow") from None
    except (TypeError, ValueError, OverflowError, NotImplementedError, pl.exceptions.PolarsError) as error:
        if isinstance(error, DataError):
            raise
        if not is_pandas(frame):
            raise DataError(f"this {type(frame).__name__} cannot be read as a table: {error}.", source.label) from None
    # A column of pandas may hold values of several types, which Arrow does not read, and UUIDs are bytes in Arrow.
    if is_pandas(frame):
        return table_of_values(values_of_pandas(frame), source)
    return table_of_values({name: used[name].to_pylist() for name in used.column_names}, source)


def values_of_pandas(frame: pd.DataFrame) -> dict[str, list[Any]]:
    """Column -> its values; None for a missing one."""
    return {str(column): [_known_value(value) for value in frame[column].to_list()] for column in frame.columns}


def check_names(source: Frame, what: str) -> None:
    """Raises an error for names of columns that are given twice, which pandas allows."""
    names = [str(column) for column in source.columns]
    if len({*names}) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"two columns are called {twice!r}. Rename one of them.", what)


def check_index(
    source: pd.DataFrame, named: Mapping[str, str], what: str, roles: Sequence[str] = ("query", "document")
) -> None:
    """Raises an error if the index of pandas, which is not read, has ids that no column has."""
    levels = [str(name) for name in getattr(source.index, "names", ()) if name is not None]
    for role in roles:
        known = {*ALIASES[role], normal_name(named.get(role, role))}
        if not any(normal_name(str(column)) in known for column in source.columns):
            for level in levels:
                if normal_name(level) in known:
                    raise DataError(
                        f"the {role} is in the index ({level!r}), and only columns are read. Pass frame.reset_index().",
                        what,
                    )


def _check_order(source: pd.DataFrame, place: Place) -> None:
    """Raises an error for a set of documents in a run: Arrow would make a list of it, in any order."""
    for column in source.columns:
        if str(source.dtypes[column]) != "object":
            continue
        types = [*map(type, source[column].to_list())]
        if unordered := {set, frozenset} & {*types}:
            row = min(map(types.index, unordered))
            raise DataError(f"the column {column!r} has a set, which has no order. Pass lists.", place(row))


def has_uuids(source: object) -> bool:
    """Whether a column of a pandas frame or of a PyArrow table holds UUIDs."""
    if hasattr(source, "column_names") and hasattr(source, "schema"):
        return any(str(field.type) == "extension<arrow.uuid>" for field in source.schema)
    if not is_pandas(source):
        return False
    objects = (source[column] for column in source.columns if str(source.dtypes[column]) == "object")
    return any(isinstance(value, UUID) for column in objects for value in column.head(1).to_list())


def _used_columns(frame: object, source: TableSource) -> Any:
    """The input for Polars: of a PyArrow table only the used columns, since others may have unreadable types."""
    if not (hasattr(frame, "column_names") and hasattr(frame, "select") and hasattr(frame, "schema")):
        return ArrowStream(frame) if hasattr(frame, "__arrow_c_stream__") and not is_pandas(frame) else frame
    lists = [field.name for field in frame.schema if str(field.type).startswith(_LISTS)]
    columns = source.find_columns(frame.column_names, lists)
    names = list(dict.fromkeys(name for name in columns.roles.values() if name is not None))
    for name in names:
        kind = str(frame.schema.field(name).type)
        if kind.startswith(_UNREADABLE):
            raise DataError(f"the column {name!r} is of type {kind}, which cannot be read. Convert it.", source.label)
    return frame.select(names)


def is_pandas(source: object) -> TypeGuard[pd.DataFrame]:
    """Whether this is a frame of pandas, or of a library with the same interface. Polars has no index."""
    return hasattr(source, "to_dict") and hasattr(source, "columns") and hasattr(source, "index")


def _known_value(value: object) -> object:
    """A value of pandas; None if it is one of its marks for a missing value. An array is a list."""
    if hasattr(value, "tolist") and getattr(value, "ndim", False):
        return value.tolist()
    return value if is_known(value) else None


_ARROW_LISTS = (list, tuple, set, frozenset)


def frame_of(source: object, what: str) -> pl.DataFrame | None:
    """The source as a Polars frame, or None if it is not tabular. `what` is for errors, such as "the catalogue"."""
    if isinstance(source, pl.LazyFrame):
        return source.collect()
    if isinstance(source, pl.DataFrame):
        return source
    if isinstance(source, list) and source and all(isinstance(record, Mapping) for record in source):
        return pl.DataFrame(columns_of_records(source, what))
    if is_pandas(source):
        check_names(source, what)
        return pl.DataFrame({name: column_of(values, name, what) for name, values in values_of_pandas(source).items()})
    if hasattr(source, "__arrow_c_stream__") and (hasattr(source, "columns") or hasattr(source, "schema")):
        frame: Any = source
        return pl.DataFrame(frame)
    return None


def columns_of_records(records: Sequence[Mapping[Any, Any]], what: str) -> dict[str, pl.Series]:
    """A column for each name in the records; null where a record does not have it."""
    names = dict.fromkeys(name for record in records for name in record)
    return {str(name): column_of([record.get(name) for record in records], str(name), what) for name in names}


def column_of(values: list[Any], name: str, what: str) -> pl.Series:
    """The values of a column; sets and tuples become lists, and single values among lists become lists of one."""
    if any(isinstance(value, _ARROW_LISTS) for value in values):
        values = [_listed(value) for value in values]
    fault = DataError(f"the values of {name!r} have types that cannot be mixed.", what)
    try:
        column = pl.Series(name, values, strict=False)
    except (TypeError, ValueError, pl.exceptions.PolarsError):
        raise fault from None
    if len(column) != len(values):  # Polars leaves out some lists of lists and dicts among others
        raise fault
    return column


def _listed(value: object) -> list[Any] | None:
    if isinstance(value, _ARROW_LISTS):
        return list(value)
    return None if value is None or value != value else [value]  # NaN marks a missing list in pandas


def judged_and_ranked(
    source: object, columns: Mapping[str, str] | None, faults: RowFaults | None = None
) -> tuple[Table, Table]:
    """The judgements and the runs in a table that holds both. Without a column of documents, each row is one."""
    table = read(source, "labelled", columns, faults=faults).table()
    of_subtopics = [role for role in ("subtopic", "weight") if role in table.frame.columns]
    judged = table.frame.select("query", "document", "grade", *of_subtopics)
    if "run" in table.frame.columns:
        judged = judged.unique(maintain_order=True)
    ranked = table.frame.drop("grade", *of_subtopics)
    if not of_subtopics:
        return replace(table, frame=judged), replace(table, frame=ranked, remarks=())
    once = ranked.with_row_index("row").unique(ranked.columns, keep="first", maintain_order=True)
    place = places_of(table.place, once["row"])
    return replace(table, frame=judged), replace(table, frame=once.drop("row"), place=place, remarks=())


def labelled_table(selected: pl.DataFrame, columns: Columns, source: TableSource) -> Table:
    """The checked table of columns under the names of their roles."""
    if not columns.document:
        if "run" in selected.columns:
            raise DataError("a table of several runs needs a column of documents.", source.place(0))
        # As text the numbers of rows have the order of the rows.
        width = len(str(selected.height))
        number = pl.int_range(1, pl.len() + 1, dtype=pl.Int64).cast(pl.String).str.zfill(width)
        selected = selected.with_columns(document=number)
    judged, place = check_rows(selected, columns, source.place, source.faults)
    frame, place = check_rows(judged, replace(columns, number_is=columns.score_is), place, source.faults)
    return Table(frame, source.name, place, columns.remarks, is_numbered=not columns.document)
