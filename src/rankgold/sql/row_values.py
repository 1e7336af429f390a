"""Columns of lists in, the value of a function for each row out: for engines that pass rows in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import polars as pl

from rankgold.errors import DataError
from rankgold.kernels.segments import Bools, Floats, Ints
from rankgold.matching.list_columns import hits_of_grades, hits_of_ids
from rankgold.measures import parse
from rankgold.policy import Policy
from rankgold.scoring.values import decide
from rankgold.sql.list_macros import FUNCTIONS, GRADED_MEASURE
from rankgold.sql.macro_script import Flavour

_MEASURES = {function.name: function.measure for function in FUNCTIONS}

# Hivemall's functions as measures of rankgold. _fill_undefined adds the values that these leave undefined.
_HIVEMALL_MEASURES = {
    "recall_at": "r", "precision_at": "p(norm=returned)", "average_precision": "ap", "auc": "auc", "mrr": "rr",
    "ndcg": "ndcg(gain=binary)", "hitrate": "hit",
}  # fmt: skip
_UNDEFINED = Policy(no_relevant="undefined")


def row_values(
    function: str, rec: pl.Series, truth: pl.Series, k: pl.Series | None = None, flavour: Flavour = "rankgold"
) -> pl.Series:
    """The value of a function for each row, null where it is undefined.

    >>> row_values("recall_at", pl.Series([[1, 3, 2, 6]]), pl.Series([[1, 2, 4]]), pl.Series([2])).to_list()
    [0.3333333333333333]
    """
    if flavour != "rankgold" and function in _HIVEMALL_MEASURES:
        values, known = _hivemall_values(function, rec, truth, k, flavour), truth.is_not_null().to_numpy()
    else:
        measure = GRADED_MEASURE if function == "ndcg" and _has_grades(rec) else _MEASURES[function]
        values = _values_by_cutoff(measure, rec, truth, k, _defined_values)
        known = truth.is_not_null().to_numpy() & ~np.isnan(values)
        if flavour == "rankgold":
            known &= rec.is_not_null().to_numpy()
    return pl.select(pl.when(pl.Series(known)).then(pl.Series(values, dtype=pl.Float64))).to_series()


def _has_grades(rec: pl.Series) -> bool:
    return isinstance(rec.dtype, pl.List) and isinstance(rec.dtype.inner, pl.Struct)


def _grades(rec: pl.Series) -> pl.Series:
    """The first field of each item."""
    return rec.list.eval(pl.element().struct.field(rec.dtype.inner.fields[0].name))  # type: ignore[attr-defined]


def _values_by_cutoff(
    measure: str,
    rec: pl.Series,
    truth: pl.Series,
    k: pl.Series | None,
    value_of: Callable[[str, pl.Series, pl.Series], Floats],
) -> Floats:
    """A measure of each row at its own cutoff; NaN where the cutoff is below 1."""
    values = np.full(len(rec), np.nan)
    for cutoff, rows in _rows_by_cutoff(k, len(rec)):
        if cutoff is None or cutoff >= 1:
            ranked, relevant = (rec, truth) if len(rows) == len(rec) else (rec.gather(rows), truth.gather(rows))
            if cutoff is not None:  # documents below the cutoff are not needed
                ranked = ranked.list.head(cutoff)
            values[rows] = value_of(measure if cutoff is None else f"{measure}@{cutoff}", ranked, relevant)
    return values


def _rows_by_cutoff(k: pl.Series | None, count: int) -> Iterator[tuple[int | None, Ints]]:
    """Each cutoff with the rows that have it; None for no cutoff."""
    if k is None or k.null_count() == len(k):
        if count:
            yield None, np.arange(count)
        return
    if not k.dtype.is_numeric() or (k.dtype.is_float() and (k != k.floor()).any()):
        raise DataError(f"k must be a whole number, not {k.drop_nulls()[0]!r}.")
    rows = pl.DataFrame({"k": k.cast(pl.Int64), "row": np.arange(count)}).group_by("k", maintain_order=True).all()
    for cutoff, members in rows.iter_rows():
        yield cutoff, np.array(members, dtype=np.int64)


def _defined_values(text: str, rec: pl.Series, truth: pl.Series) -> Floats:
    """The values of the local engine, NaN where they are undefined."""
    measure = parse(text)
    if _has_grades(rec) and text.startswith(GRADED_MEASURE):
        hits = hits_of_grades(_grades(rec), truth, _UNDEFINED)
    else:
        hits = hits_of_ids(rec, truth, _UNDEFINED)
    return decide(measure, hits, measure(hits)).values


def _hivemall_values(function: str, rec: pl.Series, truth: pl.Series, k: pl.Series | None, flavour: Flavour) -> Floats:
    length = _lengths(rec)
    size = length if k is None else k.cast(pl.Int64).fill_null(pl.Series(length)).to_numpy()
    if (size < 0).any():
        raise DataError(f"k must be a whole number from 0, not {size.min()}.")
    if function == "ndcg" and _has_grades(rec):
        return _values_by_cutoff(GRADED_MEASURE, rec, truth, pl.Series(size), _formula_of_grades)
    measure = _HIVEMALL_MEASURES[function]
    if function == "average_precision" and flavour == "hivemall-code":
        measure = "ap(norm=retrieved)"
    # The ideal ranking is no longer than the list.
    cutoff = np.minimum(size, length) if function == "ndcg" else size
    values = _values_by_cutoff(measure, rec, truth, pl.Series(cutoff), _formula_of_ids)
    return _fill_undefined(function, values, rec, truth, size)


def _lengths(lists: pl.Series) -> Ints:
    return lists.list.len().fill_null(0).cast(pl.Int64).to_numpy()


def _formula_of_ids(measure: str, rec: pl.Series, truth: pl.Series) -> Floats:
    """The values of the formula alone, without the policy."""
    return parse(measure)(hits_of_ids(rec, truth, _UNDEFINED, as_often_as_listed=True)).values


def _formula_of_grades(measure: str, rec: pl.Series, truth: pl.Series) -> Floats:
    return parse(measure)(hits_of_grades(_grades(rec), truth, _UNDEFINED, in_given_order=True)).values


def _fill_undefined(function: str, values: Floats, rec: pl.Series, truth: pl.Series, size: Ints) -> Floats:
    """Hivemall's values where a measure is undefined: 0; 1 if list and truth are both empty; 0.5 for AUC."""
    no_list: Bools = _lengths(rec) == 0
    no_truth: Bools = _lengths(truth) == 0
    if function == "auc":
        return _auc(values, rec, truth, size)
    if function == "precision_at":
        return np.where(no_list, no_truth.astype(np.float64), values)
    values = np.nan_to_num(values, nan=0.0)
    if function in ("recall_at", "average_precision"):
        return np.where(no_truth, no_list.astype(np.float64), values)
    return values


def _auc(values: Floats, rec: pl.Series, truth: pl.Series, size: Ints) -> Floats:
    """AUC as if non-relevant documents filled a list shorter than k; no pair with one of them is in the right order."""
    found = _values_by_cutoff("cg(gain=binary)", rec, truth, pl.Series(size), _formula_of_ids)
    positive = np.nan_to_num(found, nan=0.0)
    right = np.nan_to_num(values, nan=0.0) * positive * (np.minimum(size, _lengths(rec)) - positive)
    pairs = positive * (size - positive)
    ratio: Floats = np.divide(right, pairs, out=np.full(len(values), 0.5), where=pairs > 0)
    return ratio
