"""Objects whose rows belong together in, the same objects with their rows in one order out.

The rows of lists, arrays and Polars columns belong together by position. Those of pandas objects belong together by
their index, unless it only counts the rows: 0, 1, 2, ... without a name, as pandas makes it by default. Such an index
counts as none. If some objects have an index and others have none, or the indexes do not match, this is an error: to
pair them by position could give a wrong number in silence.

    ranked: u2, u1      truth: u1, u2      ->      ranked: u2, u1      truth: u2, u1
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.data.ids import plain_ids
from rankgold.errors import DataError, brief, listing

if TYPE_CHECKING:
    import pandas as pd

    from rankgold.kernels.segments import Ints

_BY_POSITION = "to pair rows by position"


def pair_rows(parts: Mapping[str, Any]) -> dict[str, Any]:
    """The parts, each with its rows in the order of the first one that has an index. A part may be None."""
    return _paired(parts, "index")


def pair_cells(parts: Mapping[str, Any]) -> dict[str, Any]:
    """As `pair_rows`; the columns of pandas frames are paired by their names too."""
    return _paired(pair_rows(parts), "columns")


def pair_queries(parts: Mapping[str, Any], queries: object) -> tuple[dict[str, Any], Any]:
    """The parts with a row for each query, and the names of the queries: the given ones, else those in the index."""
    for name, part in parts.items():
        if isinstance(part, (set, frozenset)):
            raise DataError(f"{name} is a set, which has no order. Pass a list with one entry per query.")
    index = next((labels for part in parts.values() if (labels := labels_of(part)) is not None), None)
    if index is None and labels_of(queries) is None:
        return dict(parts), queries
    if index is not None and (twice := index[index.duplicated()]).size:
        raise DataError(f"the index has {_few(twice[:1])} twice. It names the queries, and each query has one row.")
    if queries is not None and index is not None and _is_same(queries, index):
        queries = None
    paired = pair_rows({**parts, "queries": queries})
    queries = paired.pop("queries")
    if queries is None and index is not None:
        queries = plain_ids(index.tolist(), "a name of a query in the index")
    return paired, queries


def as_rows(part: Any) -> Any:
    """A frame or column as rows, where iteration over it gives columns or values of another type."""
    if hasattr(type(part), "fetchall"):
        return part.fetchall()
    if not hasattr(type(part), "columns"):
        return part.to_pylist() if hasattr(type(part), "to_pylist") else part
    rows = np.asarray(part)
    return rows if rows.ndim == 2 else part


def labels_of(part: object, axis: str = "index") -> pd.Index | None:
    """The index of a pandas object, or its columns; None if it has none, or one that only counts."""
    labels = _axis_of(part, axis)
    if labels is None or (labels.nlevels == 1 and labels.name is None and _counts(labels)):
        return None
    return labels


def _axis_of(part: object, axis: str) -> pd.Index | None:
    labels = getattr(part, axis, None) if hasattr(type(part), "iloc") else None
    return labels if hasattr(labels, "get_indexer") else None


def _counts(labels: pd.Index) -> bool:
    if type(labels).__name__ == "RangeIndex":
        return bool(labels.start == 0 and labels.step == 1) or len(labels) == 0
    is_integer = isinstance(labels.dtype, np.dtype) and labels.dtype.kind in "iu"
    return len(labels) == 0 or (is_integer and bool((labels.to_numpy() == np.arange(len(labels))).all()))


def _paired(parts: Mapping[str, Any], axis: str) -> dict[str, Any]:
    paired = dict(parts)
    given = {name: part for name, part in parts.items() if part is not None}
    first = next((name for name, part in given.items() if labels_of(part, axis) is not None), None)
    if first is None:
        return paired
    wanted = labels_of(given[first], axis)
    for name, part in given.items():
        labels = _axis_of(part, axis)
        if labels is not None and labels.equals(wanted):
            continue
        if labels_of(part, axis) is None:
            raise _one_sided(first, wanted, name, labels is not None, axis)
        order = _order(wanted, labels, first, name, axis)
        paired[name] = part.iloc[order] if axis == "index" else part.iloc[:, order]
    return paired


def _order(wanted: pd.Index, labels: pd.Index, first: str, name: str, axis: str) -> Ints:
    """The positions of the wanted labels among the others, which must be the same labels in another order."""
    of = "indexes" if axis == "index" else "columns"
    positional = f"or pass {first}.to_numpy() and {name}.to_numpy() {_BY_POSITION}."
    for owner, some in ((first, wanted), (name, labels)):
        if (twice := some[some.duplicated()]).size:
            raise DataError(
                f"the {of} of {first} and {name} differ, and {owner} has {_few(twice[:1])} twice, so it is not known"
                f" which rows belong together. Use labels that occur once, {positional}"
            )
    order: Ints = labels.get_indexer(wanted)
    lacking = {name: wanted[order < 0], first: labels[wanted.get_indexer(labels) < 0]}
    for owner, absent in lacking.items():
        if absent.size:
            raise DataError(
                f"the {of} of {first} and {name} do not match: {owner} lacks {_few(absent)}."
                f" Give both the same labels, {positional}"
            )
    return order


def _one_sided(first: str, wanted: pd.Index, name: str, counts: bool, axis: str) -> DataError:
    what = "an index" if axis == "index" else "names of columns"
    none = "one that only counts the rows" if counts and axis == "index" else "none"
    return DataError(
        f"{first} has {what} ({_few(wanted)}) and {name} has {none}, so it is not known which rows belong"
        f" together. Give both the same labels, or pass {first}.to_numpy() {_BY_POSITION}."
    )


def _is_same(queries: object, index: pd.Index) -> bool:
    """Whether the names of queries are just those in the index, in its order."""
    if not isinstance(queries, Iterable) or labels_of(queries) is not None:
        return False
    return bool(list(queries) == index.tolist())


def _few(labels: pd.Index) -> str:
    return listing(map(brief, labels.tolist()), 3)
