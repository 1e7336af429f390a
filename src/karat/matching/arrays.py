"""Arrays of grades and of scores -> Hits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from karat.errors import DataError
from karat.hits import Hits
from karat.matching.common import at_width, query_names
from karat.matching.judged import Judged
from karat.matching.ties import Places, counts
from karat.policy import Policy
from karat.segments import Bools, Floats, Ints, positions, starts_of


def from_arrays(
    y_true: Any,
    y_score: Any,
    groups: Any = None,
    mask: Any = None,
    *,
    queries: Sequence[Any] | None = None,
    policy: Policy | str | None = None,
) -> Hits:
    """Hits from grades and scores in arrays of the same shape: anything NumPy reads, PyTorch's CPU tensors too.

    Either 2-D, one query a row; or flat, with `groups` the number of documents of each query, as LightGBM and XGBoost
    have it; flat without groups is one query. Where `mask` is false, there is no document. Documents of equal score
    are told apart by their position: with `ties="descending"` the later one stands first, as in scikit-learn.

    >>> import karat
    >>> karat.evaluate(karat.from_arrays([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]), ["ndcg"]).means
    {'ndcg': 0.6956940443813076}
    """
    grade, score = _array(y_true, "y_true"), _array(y_score, "y_score")
    if grade.shape != score.shape:
        raise DataError(f"y_true has shape {grade.shape} and y_score {score.shape}. They must be the same.")
    if grade.ndim not in (1, 2):
        raise DataError(f"y_true and y_score are 1-D or 2-D, not {grade.ndim}-D.")
    lengths = _lengths(grade, groups)
    here = _mask(mask, grade)
    grade, score = grade.reshape(-1), score.reshape(-1)
    if here is not None:
        lengths = np.bincount(np.repeat(np.arange(len(lengths)), lengths)[here], minlength=len(lengths))
        grade, score = grade[here], score[here]
    _require_finite(grade, "y_true")
    _require_finite(score, "y_score")
    return _hits(grade, score, lengths, queries, Policy.of(policy))


def _hits(grade: Floats, score: Floats, lengths: Ints, queries: Sequence[Any] | None, policy: Policy) -> Hits:
    starts = starts_of(lengths)
    group = np.repeat(np.arange(len(lengths)), lengths)
    score = at_width(score, policy)
    above, tied = counts(score, starts, group, score)
    within = None if policy.ties == "average" else _tied_above(group, score, tied, policy)
    judged = Judged.of(query_names(queries, len(lengths)), group, grade, positions(starts))
    return judged.hits(np.arange(len(grade)), score, Places(above, tied, within), lengths, policy)


def _tied_above(group: Ints, score: Floats, tied: Ints, policy: Policy) -> Ints:
    """How many documents of the same score stand above each, by position."""
    within = np.zeros(len(group), dtype=np.int64)
    hits = np.flatnonzero(tied > 1)
    if policy.ties == "descending":
        hits = hits[::-1]
    order = hits[np.lexsort((score[hits], group[hits]))]
    changed = np.ones(len(order), dtype=bool)
    changed[1:] = (score[order][1:] != score[order][:-1]) | (group[order][1:] != group[order][:-1])
    first = np.maximum.accumulate(np.where(changed, np.arange(len(order)), 0))
    within[order] = np.arange(len(order)) - first
    return within


def _array(given: Any, what: str) -> Floats:
    try:
        return np.asarray(given.detach() if hasattr(given, "detach") else given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{what} cannot be read as an array of numbers: {error}.") from None


def _lengths(grade: Floats, groups: Any) -> Ints:
    if grade.ndim == 2:
        if groups is not None:
            raise DataError("groups goes with flat arrays; in 2-D ones each row is a query.")
        return np.full(grade.shape[0], grade.shape[1], dtype=np.int64)
    if groups is None:
        return np.array([grade.size], dtype=np.int64)
    sizes = _array(groups, "groups")
    if sizes.ndim != 1 or (sizes < 0).any() or (sizes != np.floor(sizes)).any():
        raise DataError("groups is a list of the numbers of documents, one per query.")
    if sizes.sum() != grade.size:
        raise DataError(f"groups adds up to {sizes.sum():.0f} documents, and the arrays hold {grade.size}.")
    return sizes.astype(np.int64)


def _mask(mask: Any, grade: Floats) -> Bools | None:
    if mask is None:
        return None
    here = np.asarray(mask)
    if here.shape != grade.shape:
        raise DataError(f"mask has shape {here.shape}, and y_true has {grade.shape}. They must be the same.")
    return here.astype(bool).reshape(-1)


def _require_finite(values: Floats, what: str) -> None:
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise DataError(
            f"{what} holds {values[bad[0]]} (document {bad[0]} of those not masked). Numbers must be finite;"
            " leave documents out with mask=."
        )
