"""Documents with the query of each in, the same documents query by query out."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.errors import DataError
from rankgold.kernels.segments import Ints


def sorted_by_query(y_true: Any, y_score: Any, qid: Any = None) -> tuple[Any, Any, Ints]:
    """The grades and scores with the documents of each query together, in their order; and the sizes of the queries."""
    if qid is None:
        qid = _index_of(y_true)
    ids, grades, scores = np.asarray(qid), np.asarray(y_true), np.asarray(y_score)
    if ids.ndim != 1 or ids.shape != grades.shape or ids.shape != scores.shape:
        raise DataError(
            f"qid, y_true and y_score have the shapes {ids.shape}, {grades.shape} and {scores.shape}."
            " Each is a flat array with an entry for each document."
        )
    _, query, sizes = np.unique(ids, return_inverse=True, return_counts=True)
    order = np.argsort(query, kind="stable")
    return grades[order], scores[order], sizes.astype(np.int64)


def _index_of(y_true: Any) -> Any:
    """The index of a pandas Series, if it may hold queries: the numbers of the rows do not."""
    index = getattr(y_true, "index", None)
    if index is None or callable(index) or type(index).__name__ == "RangeIndex":
        raise DataError(
            "which document belongs to which query? Pass qid= with the query of each document, or y_true as a pandas"
            " Series whose index is the query."
        )
    return index
