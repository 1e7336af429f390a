"""Sizes of groups, or the query of every document, in; which documents of flat arrays belong to which query out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.data.ids import plain_ids
from rankgold.errors import DataError, counted
from rankgold.kernels.segments import Floats, Ints
from rankgold.matching.index_alignment import labels_of, pair_queries
from rankgold.matching.query_names import query_names

if TYPE_CHECKING:
    from rankgold.accepted import Labels

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
