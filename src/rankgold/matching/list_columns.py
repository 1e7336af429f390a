"""Columns of lists, with a query in each row, in; Hits out."""

from __future__ import annotations

import numpy as np
import polars as pl

from rankgold.hits import Hits, Ranking
from rankgold.kernels.segments import Floats, Ints, positions, starts_of
from rankgold.matching.hash_lookup import Lookup, hashes_of
from rankgold.matching.judgements import Judgements, Retrieval
from rankgold.matching.ranks import Places
from rankgold.policy import Policy


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
