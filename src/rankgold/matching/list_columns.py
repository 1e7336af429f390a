"""Columns of lists, a query in each row -> Hits."""

from __future__ import annotations

import numpy as np
import polars as pl

from rankgold.hits import Hits, Ranking
from rankgold.kernels.segments import Floats, Ints, positions, starts_of
from rankgold.policy import Policy


def hits_of_ids(ranked: pl.Series, truth: pl.Series, policy: Policy, *, as_often_as_listed: bool = False) -> Hits:
    """Hits from lists of ids, best first, and lists of relevant ids; a list that is null is empty.

    A document counts at its first place and once in the truth, or everywhere `as_often_as_listed`. A null in a list
    takes its place and is no document.

    >>> hits = hits_of_ids(pl.Series([[1, 3, 2, 6]]), pl.Series([[1, 2, 4]]), Policy())
    >>> hits.system.rank
    array([1, 3])
    """
    count = len(ranked)
    ranked, truth = _of_one_type(ranked, truth)
    places, returned = _rows(ranked)
    relevant, _ = _rows(truth)
    if not as_often_as_listed:
        relevant = relevant.filter(pl.col("entry").is_not_null()).unique(["query", "entry"])
    found = places.join(relevant, on=["query", "entry"], how="semi", maintain_order="left")
    if not as_often_as_listed:
        found = found.unique(["query", "entry"], keep="first", maintain_order=True)
    judged = np.sort(relevant["query"].to_numpy())
    ideal_rank = positions(starts_of(np.bincount(judged, minlength=count))) + 1
    system = _ranking(found["query"].to_numpy(), found["rank"].to_numpy(), np.ones(len(found)), count)
    ideal = _ranking(judged, ideal_rank, np.ones(len(judged)), count)
    return Hits(range(count), system, ideal, returned, 1.0, policy)


def hits_of_grades(ranked: pl.Series, truth: pl.Series, policy: Policy, *, in_given_order: bool = False) -> Hits:
    """Hits from lists of grades, best first, and lists of all grades there are, whose best order is the ideal."""
    count = len(ranked)
    places, returned = _rows(ranked.cast(pl.List(pl.Float64)))
    expected, _ = _rows(truth.cast(pl.List(pl.Float64)))
    grade, ideal_grade = (rows["entry"].fill_null(0.0).to_numpy() for rows in (places, expected))
    system = _ranking(places["query"].to_numpy(), places["rank"].to_numpy(), grade, count)
    ideal = _ranking(expected["query"].to_numpy(), expected["rank"].to_numpy(), ideal_grade, count)
    best = float(max(ideal_grade.max(initial=0.0), grade.max(initial=0.0)))
    return Hits(range(count), system, ideal if in_given_order else ideal.in_best_order(), returned, best, policy)


def _ranking(query: Ints, rank: Ints, grade: Floats, count: int) -> Ranking:
    return Ranking(query.astype(np.int64), rank.astype(np.int64), grade, count, np.arange(len(query)))


def _rows(lists: pl.Series) -> tuple[pl.DataFrame, Ints]:
    """The entries of all lists with the query and rank of each, and how long the lists are."""
    lengths = lists.list.len().fill_null(0).cast(pl.Int64).to_numpy()
    entries = lists.filter(pl.Series(lengths > 0)).explode() if lengths.any() else lists.list.explode().clear()
    query = np.repeat(np.arange(len(lists)), lengths)
    return pl.DataFrame({"query": query, "rank": positions(starts_of(lengths)) + 1, "entry": entries}), lengths


def _of_one_type(ranked: pl.Series, truth: pl.Series) -> tuple[pl.Series, pl.Series]:
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
