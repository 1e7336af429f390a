"""Computes a function for each row of list columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import polars as pl

from rankgold.core.derivation import decide
from rankgold.core.errors import DataError
from rankgold.core.hits import Hits, Ranking
from rankgold.core.policy import Policy
from rankgold.core.segments import Bools, Floats, Ints, positions, starts_of
from rankgold.data.matching.hash_lookup import Lookup, hashes_of
from rankgold.data.matching.judgements import Judgements, Retrieval
from rankgold.data.matching.ranks import Places
from rankgold.engines.protocol import Flavour
from rankgold.engines.sql.functions import BY_NAME
from rankgold.measures.rankings import parse_measure


def hits_of_ids(ranked: pl.Series, truth: pl.Series, policy: Policy, *, as_often_as_listed: bool = False) -> Hits:
    """Hits from lists of ids, best first, and lists of relevant ids; a null list is an empty one.

    A document counts at its first place and once in the truth, or at every place with `as_often_as_listed`. A null in
    a list takes a place, but is not a document.

    >>> hits = hits_of_ids(pl.Series([[1, 3, 2, 6]]), pl.Series([[1, 2, 4]]), Policy())
    >>> hits.system.rank
    array([1, 3])
    """
    ranked, truth = _with_comparable_ids(ranked, truth)
    documents, returned = _flat(ranked)
    relevant, counts = _flat(truth)
    query = np.repeat(np.arange(len(counts)), counts)
    if not as_often_as_listed:
        once = pl.DataFrame({"query": query, "document": relevant}).drop_nulls().unique(maintain_order=True)
        query, relevant = once["query"].to_numpy(), once["document"]
    starts = starts_of(returned)
    lookup = Lookup.of(relevant, starts_of(np.bincount(query, minlength=len(counts))))
    at, judgement = lookup.find(documents, hashes_of(documents), starts, np.arange(len(counts)))
    kept = np.sort(np.unique(at if as_often_as_listed else judgement, return_index=True)[1])
    at, judgement = at[kept], judgement[kept]
    judgements = Judgements.of(range(len(counts)), query, np.ones(len(query)), None)
    places = Places.without_ties(at - starts[query[judgement]])
    return judgements.hits(Retrieval(judgement, None, places, returned), policy)


def hits_of_grades(ranked: pl.Series, truth: pl.Series, policy: Policy, *, in_given_order: bool = False) -> Hits:
    """Hits from lists of grades, best first, and lists of all grades, whose best order is the ideal ranking."""
    (grade, returned), (ideal_grade, counts) = _grades(ranked), _grades(truth)
    system, ideal = _ranking(grade, returned), _ranking(ideal_grade, counts)
    best = float(max(ideal_grade.max(initial=0.0), grade.max(initial=0.0)))
    ideal = ideal if in_given_order else ideal.in_best_order()
    return Hits(range(len(returned)), system, ideal, returned, best, policy)


def _grades(lists: pl.Series) -> tuple[Floats, Ints]:
    grades, lengths = _flat(lists.cast(pl.List(pl.Float64)))
    return grades.fill_null(0.0).to_numpy(), lengths


def _ranking(grade: Floats, lengths: Ints) -> Ranking:
    query, rank = np.repeat(np.arange(len(lengths)), lengths), positions(starts_of(lengths)) + 1
    return Ranking(query, rank, grade, len(lengths), np.arange(len(query)))


def _flat(lists: pl.Series) -> tuple[pl.Series, Ints]:
    """The entries of all lists, one list after the other, and the length of each list."""
    lengths = lists.list.len().fill_null(0).cast(pl.Int64).to_numpy()
    return lists.filter(pl.Series(lengths > 0)).explode() if lengths.any() else lists.list.explode().clear(), lengths


def _with_comparable_ids(ranked: pl.Series, truth: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Both with ids of one type: numbers where all are numbers, else text."""
    kinds = [_inner(ranked), _inner(truth)]
    if kinds[0] == kinds[1]:
        return ranked, truth
    if all(kind.is_integer() for kind in kinds):
        common: pl.DataType | type[pl.DataType] = pl.Int128 if pl.UInt64 in kinds else pl.Int64
    elif all(kind.is_numeric() for kind in kinds):
        common = pl.Float64
    else:
        # A list that is always empty has no type of its own.
        common = next((kinds[1 - i] for i, kind in enumerate(kinds) if kind == pl.Null), pl.String())
    return ranked.cast(pl.List(common)), truth.cast(pl.List(common))


def _inner(lists: pl.Series) -> pl.DataType:
    return lists.dtype.inner if isinstance(lists.dtype, pl.List) else pl.Null()  # type: ignore[return-value]


# Hivemall's functions as measures of rankgold. _fill_undefined adds the values that these leave undefined.
_HIVEMALL_MEASURES = {
    "r": "r", "p": "p(norm=returned)", "ap": "ap", "auc": "auc", "rr": "rr", "ndcg": "ndcg(gain=binary)", "hit": "hit",
}  # fmt: skip
_HIVEMALL_GRADED_MEASURE = "ndcg(gain=exp)"
_UNDEFINED = Policy(no_relevant="undefined")
# For Hivemall a document counts as often as the list has it, and the ideal ranking is the order of the truth.
_hits_in_hivemall = partial(hits_of_ids, policy=_UNDEFINED, as_often_as_listed=True)
_hits_of_grades_in_hivemall = partial(hits_of_grades, policy=_UNDEFINED, in_given_order=True)


def row_values(
    function: str, rec: pl.Series, truth: pl.Series, k: pl.Series | None = None, flavour: Flavour = "rankgold"
) -> pl.Series:
    """The value of a function for each row, null where it is undefined.

    >>> row_values("recall_at", pl.Series([[1, 3, 2, 6]]), pl.Series([[1, 2, 4]]), pl.Series([2])).to_list()
    [0.3333333333333333]
    """
    name = BY_NAME[function].name
    rec, truth = _list_column("rec", rec), _list_column("truth", truth)
    if name == "ndcg" and isinstance(rec.dtype, pl.List) and isinstance(rec.dtype.inner, pl.Struct):
        rec, truth, graded = _grades_of_rows(rec), _numbers(truth, "truth must be a list of all grades"), True
    else:
        _check_comparable(rec, truth)
        graded = False
    if flavour != "rankgold" and name in _HIVEMALL_MEASURES:
        values = _hivemall_values(name, rec, truth, k, flavour, graded=graded)
        known = truth.is_not_null().to_numpy()
    else:
        hits_of = partial(hits_of_grades if graded else hits_of_ids, policy=_UNDEFINED)
        values = _values_by_cutoff(name, rec, truth, k, hits_of, is_decided=True)
        known = truth.is_not_null().to_numpy() & ~np.isnan(values)
        if flavour == "rankgold":
            known &= rec.is_not_null().to_numpy()
    return pl.select(pl.when(pl.Series(known)).then(pl.Series(values, dtype=pl.Float64))).to_series()


def _list_column(name: str, column: pl.Series) -> pl.Series:
    """A column of lists. One without any value has no type of its own."""
    if column.dtype == pl.Null:
        return column.cast(pl.List(pl.Null))
    if isinstance(column.dtype, pl.Array):
        return column.arr.to_list()
    if not isinstance(column.dtype, pl.List):
        raise DataError(f"{name} must be a list, not of type {column.dtype}.")
    return column


def _check_comparable(rec: pl.Series, truth: pl.Series) -> None:
    ranked, relevant = rec.dtype.inner, truth.dtype.inner  # type: ignore[attr-defined]
    if ranked != relevant and pl.Null not in (ranked, relevant) and (ranked.is_nested() or relevant.is_nested()):
        types = f"rec is a list of type {ranked} and truth of type {relevant}"
        raise DataError(f"{types}, whose documents cannot be compared.")


def _grades_of_rows(rec: pl.Series) -> pl.Series:
    """The grade of each item: its field `relscore`, or the first one, since structs in Hive may have no names."""
    names = [field.name for field in rec.dtype.inner.fields]  # type: ignore[attr-defined]
    grade = next((name for name in names if name.lower() == "relscore"), names[0])
    return _numbers(
        rec.list.eval(pl.element().struct.field(grade)),
        f"rec must be a list of structs with a grade in the field relscore, or in the first one; {grade!r} is no grade",
    )


def _numbers(lists: pl.Series, fault: str) -> pl.Series:
    inner = lists.dtype.inner  # type: ignore[attr-defined]
    if not (inner.is_numeric() or inner == pl.Null):
        raise DataError(f"{fault}: {inner}.")
    return lists


def _values_by_cutoff(
    name: str,
    rec: pl.Series,
    truth: pl.Series,
    k: pl.Series | None,
    hits_of: Callable[[pl.Series, pl.Series], Hits],
    *,
    is_decided: bool = False,
) -> Floats:
    """A measure of each row at its own cutoff; NaN where the cutoff is below 1.

    The values are those of the formula alone, or those that the policy decides, as in the local engine.
    """
    values = np.full(len(rec), np.nan)
    for cutoff, rows in _rows_by_cutoff(k, len(rec)):
        if cutoff is None or cutoff >= 1:
            ranked, relevant = (rec, truth) if len(rows) == len(rec) else (rec.gather(rows), truth.gather(rows))
            if cutoff is not None:  # documents below the cutoff are not needed
                ranked = ranked.list.head(cutoff)
            measure = parse_measure(name if cutoff is None else f"{name}@{cutoff}")
            hits = hits_of(ranked, relevant)
            found = measure(hits)
            values[rows] = decide(measure, hits, found).values if is_decided else found.values
    return values


def _rows_by_cutoff(k: pl.Series | None, count: int) -> Iterator[tuple[int | None, Ints]]:
    """Each cutoff with the rows that have it; None for no cutoff."""
    if k is None or k.null_count() == len(k):
        if count:
            yield None, np.arange(count)
        return
    rows = pl.DataFrame({"k": _whole_numbers(k), "row": np.arange(count)}).group_by("k", maintain_order=True).all()
    for cutoff, members in rows.iter_rows():
        yield cutoff, np.array(members, dtype=np.int64)


def _whole_numbers(k: pl.Series) -> pl.Series:
    if k.dtype != pl.Null and not k.dtype.is_numeric():
        raise DataError(f"k must be a whole number, not of type {k.dtype}.")
    broken = k.filter(k != k.floor()) if k.dtype.is_float() or k.dtype.is_decimal() else k.clear()
    if len(broken):
        raise DataError(f"k must be a whole number, not {broken[0]}.")
    return k.cast(pl.Int64)


def _hivemall_values(
    function: str, rec: pl.Series, truth: pl.Series, k: pl.Series | None, flavour: Flavour, *, graded: bool
) -> Floats:
    length = _lengths(rec)
    size = length if k is None else _whole_numbers(k).fill_null(pl.Series(length)).to_numpy()
    if (size < 0).any():
        raise DataError(f"k must be a whole number from 0, not {size.min()}.")
    if graded:
        return _values_by_cutoff(_HIVEMALL_GRADED_MEASURE, rec, truth, pl.Series(size), _hits_of_grades_in_hivemall)
    measure = _HIVEMALL_MEASURES[function]
    if function == "ap" and flavour == "hivemall-code":
        measure = "ap(norm=retrieved)"
    # The ideal ranking is no longer than the list.
    cutoff = np.minimum(size, length) if function == "ndcg" else size
    values = _values_by_cutoff(measure, rec, truth, pl.Series(cutoff), _hits_in_hivemall)
    return _fill_undefined(function, values, rec, truth, size)


def _lengths(lists: pl.Series) -> Ints:
    return lists.list.len().fill_null(0).cast(pl.Int64).to_numpy()


def _fill_undefined(function: str, values: Floats, rec: pl.Series, truth: pl.Series, size: Ints) -> Floats:
    """Hivemall's values where a measure is undefined: 0; 1 if list and truth are both empty; 0.5 for AUC."""
    no_list: Bools = _lengths(rec) == 0
    no_truth: Bools = _lengths(truth) == 0
    if function == "auc":
        return _auc(values, rec, truth, size)
    if function == "p":
        return np.where(no_list, no_truth.astype(np.float64), values)
    values = np.nan_to_num(values, nan=0.0)
    if function in ("r", "ap"):
        return np.where(no_truth, no_list.astype(np.float64), values)
    return values


def _auc(values: Floats, rec: pl.Series, truth: pl.Series, size: Ints) -> Floats:
    """AUC as if non-relevant documents filled a list shorter than k; no pair with one of them is in the right order."""
    found = _values_by_cutoff("cg(gain=binary)", rec, truth, pl.Series(size), _hits_in_hivemall)
    positive = np.nan_to_num(found, nan=0.0)
    right = np.nan_to_num(values, nan=0.0) * positive * (np.minimum(size, _lengths(rec)) - positive)
    pairs = positive * (size - positive)
    ratio: Floats = np.divide(right, pairs, out=np.full(len(values), 0.5), where=pairs > 0)
    return ratio
