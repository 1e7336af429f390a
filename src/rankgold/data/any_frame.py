"""A frame of any library, or records, in; a Polars frame with all of its columns out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from rankgold.data.frames import check_names, is_pandas, values_of_pandas
from rankgold.errors import DataError

_LISTS = (list, tuple, set, frozenset)


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
    if any(isinstance(value, _LISTS) for value in values):
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
    if isinstance(value, _LISTS):
        return list(value)
    return None if value is None or value != value else [value]  # NaN marks a missing list in pandas
