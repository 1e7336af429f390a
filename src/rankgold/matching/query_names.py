"""The names that the user gave to queries in, checked names out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rankgold.data.ids import plain_ids
from rankgold.errors import DataError, counted


def query_names(queries: Iterable[Any] | None, count: int) -> list[Any]:
    """The names of the queries; their numbers from 1 if none are given."""
    if queries is None:
        return list(map(str, range(1, count + 1)))
    if isinstance(queries, (str, bytes, set, frozenset)) or not isinstance(queries, Iterable):
        raise DataError(f"queries must be a list of names, not {type(queries).__name__}.")
    names = plain_ids(queries, "a name in queries")
    if len(names) != count:
        raise DataError(f"queries has {counted(len(names), 'name')} for {counted(count, 'query')}.")
    if None in names:
        raise DataError("a name in queries is None. Names must be integers or text.")
    if len(set(names)) < count:
        raise DataError("queries gives the same name twice.")
    return names
