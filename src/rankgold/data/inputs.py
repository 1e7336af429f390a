"""Whatever the user passes -> tables or dicts, each run with its name."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankgold.data.columns import Kind, checked_columns
from rankgold.data.formats.trec_fast import read_small
from rankgold.errors import DataError

if TYPE_CHECKING:
    from rankgold.data.chunks import Parts
    from rankgold.data.dicts import Nested
    from rankgold.data.table import Table

_TAKES = "a path, a dict of dicts, a frame (Polars, pandas, PyArrow, DuckDB) or a list of records"


def read(
    source: Any,
    kind: Kind,
    columns: Mapping[str, str] | None = None,
    duplicates: str = "error",
    *,
    as_table: bool = False,
) -> Table | Parts | Nested:
    """Judgements or one run, from anything; with `as_table`, files as tables even where a dict would be quicker."""
    from rankgold.data import dicts

    what = "judgements" if kind == "qrels" else "a run"
    if source is None:
        raise DataError(f"None is not {what}. Pass {_TAKES}.")
    named = checked_columns(columns)
    if isinstance(source, Mapping):
        return dicts.nested(source, kind, duplicates)
    if isinstance(source, (str, os.PathLike)):
        if not as_table and (small := read_small(source, kind)) is not None:
            return small
        from rankgold.data.files import read_file

        content = read_file(source, kind, named, duplicates)
        if not isinstance(content, dict) or (kind == "run" and _holds_named_dicts(content)):
            return content
        tables = dicts.nested(content, kind, duplicates, os.fspath(source))
        dicts.numbers(tables, tables, kind, os.fspath(source))
        return tables
    if _is_table(source):
        from rankgold.data.frames import read_frame

        return read_frame(source, kind, named)
    if isinstance(source, Sequence) and source and all(isinstance(record, Mapping) for record in source):
        from rankgold.data.frames import frame_of_records, read_frame

        return read_frame(frame_of_records(source), kind, named)
    raise DataError(f"this {type(source).__name__} is not {what}. Pass {_TAKES}.")


def runs_in(source: Any) -> list[tuple[str | None, Any]]:
    """The runs that the user passed, one or several, with the names given to them."""
    if isinstance(source, Mapping) and holds_several(source):
        return [(str(name), run) for name, run in source.items()]
    if isinstance(source, (list, tuple)) and source and _is_run(source[0]):
        return [(None, run) for run in source]
    return [(None, source)]


def _holds_named_dicts(content: dict[str, Any]) -> bool:
    """Whether a JSON object holds runs by name; in a file, text is never the path of another."""
    return holds_several({name: run for name, run in content.items() if isinstance(run, Mapping)})


def holds_several(source: Mapping[Any, Any]) -> bool:
    """Whether a dict holds runs by name, rather than queries."""
    return any(_is_run(value) for value in source.values())


def _is_run(value: Any) -> bool:
    """Whether a part of a collection is a run, rather than the documents of a query or a record."""
    if type(value) is not dict and (isinstance(value, (str, os.PathLike)) or _is_table(value)):
        return True
    if isinstance(value, Mapping):
        first = next(iter(value.values()), None)
        return type(first) not in (float, int) and isinstance(first, (Mapping, list, tuple))
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def _is_table(value: Any) -> bool:
    """Whether this is a frame of some kind, rather than a single column, which has the same Arrow interface."""
    if hasattr(value, "collect_schema"):
        return True
    is_column = hasattr(value, "__len__") and not (hasattr(value, "columns") or hasattr(value, "schema"))
    return hasattr(value, "__arrow_c_stream__") and not is_column


def unused_name(name: str, taken: Collection[str]) -> str:
    """The name, with ` (2)` and so on where it is taken."""
    number, unused = 1, name
    while unused in taken:
        number += 1
        unused = f"{name} ({number})"
    return unused
