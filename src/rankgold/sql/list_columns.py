"""Columns of lists in, a function's value for each row out: for engines that hand over rows in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import polars as pl

from rankgold.errors import DataError
from rankgold.hits import Hits
from rankgold.kernels.segments import Bools, Floats, Ints
from rankgold.matching.list_columns import hits_of_grades, hits_of_ids
from rankgold.measures import parse
from rankgold.policy import Policy
from rankgold.scoring.values import decided
from rankgold.sql.list_macros import FUNCTIONS, GRADED_MEASURE
from rankgold.sql.script import Flavour

MEASURE_OF = {one.name: one.measure for one in FUNCTIONS}

# Hivemall's functions as measures of rankgold; what is left to be said of each is said by _patched.
_HIVEMALL = {
    "recall_at": "r",
    "precision_at": "p(norm=returned)",
    "average_precision": "ap",
    "auc": "auc",
    "mrr": "rr",
    "ndcg": "ndcg(gain=binary)",
    "hitrate": "hit",
}
_UNDEFINED = Policy(no_relevant="undefined")


def values(
    function: str, rec: pl.Series, truth: pl.Series, k: pl.Series | None = None, flavour: Flavour = "rankgold"
) -> pl.Series:
    """A function's value for each row, null where it has none.

    >>> values("recall_at", pl.Series([[1, 3, 2, 6]]), pl.Series([[1, 2, 4]]), pl.Series([2])).to_list()
    [0.3333333333333333]
    """
    if flavour != "rankgold" and function in _HIVEMALL:
        found, known = _of_hivemall(function, rec, truth, k, flavour), truth.is_not_null().to_numpy()
    else:
        found = _by_cutoff(_measure(function, rec), rec, truth, k, _decided)
        known = truth.is_not_null().to_numpy() & ~np.isnan(found)
        if flavour == "rankgold":
            known &= rec.is_not_null().to_numpy()
    return pl.select(pl.when(pl.Series(known)).then(pl.Series(found, dtype=pl.Float64))).to_series()


def _measure(function: str, rec: pl.Series) -> str:
    return GRADED_MEASURE if function == "ndcg" and _has_grades(rec) else MEASURE_OF[function]


def _has_grades(rec: pl.Series) -> bool:
    return isinstance(rec.dtype, pl.List) and isinstance(rec.dtype.inner, pl.Struct)


def _grades(rec: pl.Series) -> pl.Series:
    """The first field of each item."""
    return rec.list.eval(pl.element().struct.field(rec.dtype.inner.fields[0].name))  # type: ignore[attr-defined]


def _by_cutoff(
    measure: str,
    rec: pl.Series,
    truth: pl.Series,
    k: pl.Series | None,
    value_of: Callable[[str, pl.Series, pl.Series], Floats],
) -> Floats:
    """A measure of each row at its own cutoff; NaN where that is below 1."""
    found = np.full(len(rec), np.nan)
    for cutoff, rows in _cutoffs(k, len(rec)):
        if cutoff is None or cutoff >= 1:
            ranked, relevant = (rec, truth) if len(rows) == len(rec) else (rec.gather(rows), truth.gather(rows))
            if cutoff is not None:  # documents below the cutoff need not be looked at
                ranked = ranked.list.head(cutoff)
            found[rows] = value_of(measure if cutoff is None else f"{measure}@{cutoff}", ranked, relevant)
    return found


def _cutoffs(k: pl.Series | None, count: int) -> Iterator[tuple[int | None, Ints]]:
    """Every cutoff with the rows that have it; None is no cutoff."""
    if k is None or k.null_count() == len(k):
        if count:
            yield None, np.arange(count)
        return
    if not k.dtype.is_numeric() or (k.dtype.is_float() and (k != k.floor()).any()):
        raise DataError(f"k is a whole number, not {k.drop_nulls()[0]!r}.")
    rows = pl.DataFrame({"k": k.cast(pl.Int64), "row": np.arange(count)}).group_by("k", maintain_order=True).all()
    for cutoff, members in rows.iter_rows():
        yield cutoff, np.array(members, dtype=np.int64)


def _decided(measure: str, rec: pl.Series, truth: pl.Series) -> Floats:
    """The values of the local engine, where undefined is NaN."""
    hits = (
        hits_of_grades(_grades(rec), truth, _UNDEFINED)
        if _has_grades(rec) and measure.startswith(GRADED_MEASURE)
        else hits_of_ids(rec, truth, _UNDEFINED)
    )
    one = parse(measure)
    return decided(one, hits, one(hits)).values


def _of_hivemall(function: str, rec: pl.Series, truth: pl.Series, k: pl.Series | None, flavour: Flavour) -> Floats:
    length = _lengths(rec)
    size = length if k is None else k.cast(pl.Int64).fill_null(pl.Series(length)).to_numpy()
    if (size < 0).any():
        raise DataError(f"k is a whole number from 0, not {size.min()}.")
    if function == "ndcg" and _has_grades(rec):
        return _by_cutoff(GRADED_MEASURE, rec, truth, pl.Series(size), _of_grades_as_given)
    measure = _HIVEMALL[function]
    if function == "average_precision" and flavour == "hivemall-code":
        measure = "ap(norm=retrieved)"
    # The ideal ranking is no longer than the list.
    cutoff = np.minimum(size, length) if function == "ndcg" else size
    found = _by_cutoff(measure, rec, truth, pl.Series(cutoff), _of_ids_as_listed)
    return _patched(function, found, rec, truth, size)


def _lengths(lists: pl.Series) -> Ints:
    return lists.list.len().fill_null(0).cast(pl.Int64).to_numpy()


def _of_ids_as_listed(measure: str, rec: pl.Series, truth: pl.Series) -> Floats:
    return _plain(measure, hits_of_ids(rec, truth, _UNDEFINED, as_often_as_listed=True))


def _of_grades_as_given(measure: str, rec: pl.Series, truth: pl.Series) -> Floats:
    return _plain(measure, hits_of_grades(_grades(rec), truth, _UNDEFINED, in_given_order=True))


def _plain(measure: str, hits: Hits) -> Floats:
    """The values of the formula alone."""
    one = parse(measure)
    found: Floats = one(hits).values
    return found


def _patched(function: str, found: Floats, rec: pl.Series, truth: pl.Series, size: Ints) -> Floats:
    """Hivemall's numbers where a measure has none: 0, 1 where there is nothing to be found and nothing was, 0.5."""
    no_list: Bools = _lengths(rec) == 0
    no_truth: Bools = _lengths(truth) == 0
    if function == "auc":
        return _auc(found, rec, truth, size)
    if function == "precision_at":
        return np.where(no_list, no_truth.astype(np.float64), found)
    found = np.nan_to_num(found, nan=0.0)
    if function in ("recall_at", "average_precision"):
        return np.where(no_truth, no_list.astype(np.float64), found)
    return found


def _auc(found: Floats, rec: pl.Series, truth: pl.Series, size: Ints) -> Floats:
    """AUC where a list that is shorter than k counts as if other documents followed, which are in no right pair."""
    positive = np.nan_to_num(_by_cutoff("cg(gain=binary)", rec, truth, pl.Series(size), _of_ids_as_listed), nan=0.0)
    right = np.nan_to_num(found, nan=0.0) * positive * (np.minimum(size, _lengths(rec)) - positive)
    pairs = positive * (size - positive)
    ratio: Floats = np.divide(right, pairs, out=np.full(len(found), 0.5), where=pairs > 0)
    return ratio
