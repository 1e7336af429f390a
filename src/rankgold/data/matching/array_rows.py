"""Aligns the rows of arrays and divides them into queries.

The rows of lists, arrays and Polars columns belong together by position. Those of pandas objects belong together by
their index, unless it only counts the rows: 0, 1, 2, ... without a name, as pandas makes it by default. Such an index
counts as none. If some objects have an index and others have none, or the indexes do not match, this is an error: to
pair them by position could give a wrong number in silence.

    ranked: u2, u1      truth: u1, u2      ->      ranked: u2, u1      truth: u2, u1
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.errors import DataError, brief, counted, listing
from rankgold.core.segments import Floats, Ints
from rankgold.data.ids import plain_ids

if TYPE_CHECKING:
    import pandas as pd

    from rankgold.core.accepted import Labels


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


ONE_QUERY = (
    "flat arrays without qid= and groups= were taken for one query. If they hold several, pass the query of every"
    " document as qid=; if it is one, pass [y_true] and [y_score]"
)
_COLUMN = (
    "every row of 2-D arrays is a query, and here each has one document. If the rows are documents, pass flat arrays"
    " and qid="
)
_AS_MANY_GROUPS = "groups= has as many entries as there are documents. If these are ids of queries, pass them as qid="
_NOT_IDS = "groups= takes the number of documents of each query. Pass the query of every document as qid=."


@dataclass(frozen=True, slots=True, eq=False)
class QueryDivision:
    """The queries of documents in arrays."""

    names: list[Any]
    lengths: Ints
    """The number of documents of each query."""
    order: Ints | None = None
    """The positions of the documents, query by query; None if they are in this order already."""
    remarks: tuple[str, ...] = ()


def divide_rows(rows: int, columns: int, queries: Sequence[Any] | None) -> QueryDivision:
    """A query in each row of 2-D arrays."""
    remarks = (_COLUMN,) if columns == 1 and rows > 1 else ()
    return QueryDivision(query_names(queries, rows), np.full(rows, columns, dtype=np.int64), remarks=remarks)


def divide_documents(count: int, groups: object, qid: object, queries: Sequence[Any] | None) -> QueryDivision:
    """The queries of `count` documents in flat arrays."""
    if groups is not None and qid is not None:
        raise DataError("groups and qid cannot be combined. Pass one of them.")
    if qid is not None:
        if queries is not None:
            raise DataError("qid names the queries already. Leave queries out.")
        return _by_ids(qid, count)
    if groups is not None:
        return _by_sizes(groups, count, queries)
    return QueryDivision(query_names(queries, 1), np.array([count], dtype=np.int64), remarks=(ONE_QUERY,))


def _by_ids(qid: Any, count: int) -> QueryDivision:
    """The documents of each id, in the order of the first document of each."""
    ids = np.asarray(qid.detach()) if hasattr(qid, "detach") else qid
    if not isinstance(ids, np.ndarray):
        ids = _object_array(ids)
    if ids.ndim != 1:
        raise DataError(f"qid has shape {ids.shape}. It must be a flat list with the query of every document.")
    if len(ids) != count:
        is_sizes = ids.dtype.kind in "iu" and ids.sum() == count
        hint = " If it holds the numbers of documents, pass them as groups=." if is_sizes else ""
        raise DataError(f"qid has {counted(len(ids), 'id')} for {counted(count, 'document')}.{hint}")
    if ids.dtype.kind in "iuU":
        known, first, number = np.unique(ids, return_index=True, return_inverse=True)
        by_appearance = np.argsort(first)
        names: list[Any] = known[by_appearance].tolist()
        place = np.empty_like(by_appearance)
        place[by_appearance] = np.arange(len(known))
        number = place[number]
    else:
        plain = plain_ids(list(ids), "an id in qid")
        if None in plain:
            raise DataError(f"qid has no id for document {plain.index(None)}. Ids must be integers or text.")
        numbers = {id_: i for i, id_ in enumerate(dict.fromkeys(plain))}
        names = list(numbers)
        number = np.fromiter((numbers[id_] for id_ in plain), dtype=np.int64, count=count)
    in_order = bool((number[1:] >= number[:-1]).all())
    order = None if in_order else np.argsort(number, kind="stable")
    return QueryDivision(names, np.bincount(number, minlength=len(names)), order)


def _object_array(ids: Labels) -> np.ndarray[Any, Any]:
    """The ids of any column in an array, as they are: NumPy would make text of 1.0 beside text."""
    if isinstance(ids, (str, bytes, dict, set, frozenset)) or not hasattr(ids, "__len__"):
        raise DataError(f"qid must be a list with the query of every document, not {type(ids).__name__}.")
    if hasattr(ids, "__array__"):
        return np.asarray(ids)
    return np.fromiter(ids, dtype=object, count=len(ids))


def _by_sizes(groups: object, count: int, queries: Sequence[Any] | None) -> QueryDivision:
    """Documents that stand query by query."""
    if labels_of(groups) is not None:
        raise DataError(
            "groups has an index, and the arrays do not say that they are in its order. Pass the query of every"
            " document as qid=, or groups.to_numpy() if the documents are in this order."
        )
    sizes = _whole_numbers(groups)
    if sizes is None:
        raise DataError(f"groups must be a list of whole numbers. {_NOT_IDS}")
    one_for_each = len(sizes) == count > 1
    if sizes.sum() != count:
        wrong = f"adds up to {counted(int(sizes.sum()), 'document')}, and the arrays hold {count}"
        if one_for_each:
            wrong = "has an entry for every document, as ids of queries have"
        raise DataError(f"groups {wrong}. {_NOT_IDS}")
    _, queries = pair_queries({"groups": groups}, queries)
    remarks = (_AS_MANY_GROUPS,) if one_for_each else ()
    return QueryDivision(query_names(queries, len(sizes)), sizes.astype(np.int64), remarks=remarks)


def _whole_numbers(groups: object) -> Floats | None:
    """The sizes as floats; None if they are anything but whole numbers from 0 in a flat list."""
    try:
        given = np.asarray(groups.detach() if hasattr(groups, "detach") else groups)
        holds_text = any(isinstance(size, (str, bytes)) for size in given.reshape(-1).tolist())
        sizes = given.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return None
    if holds_text or sizes.ndim != 1 or not (np.isfinite(sizes) & (sizes >= 0) & (sizes == np.floor(sizes))).all():
        return None
    return sizes
