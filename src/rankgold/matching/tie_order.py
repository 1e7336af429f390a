"""Tied rows of a table in, the number of tied documents above each hit out, by the policy's tie rule."""

from __future__ import annotations

import numpy as np

from rankgold.data.ids import IdColumn, as_text, to_polars
from rankgold.data.query_groups import QueryGroups
from rankgold.kernels.segments import Floats, Ints, best_first, is_descending, positions, starts_of

# Each hit is compared with its tied documents, up to so many comparisons per row; beyond that, sorting is faster.
_COMPARISONS_PER_ROW = 8
_COMPARISONS_AT_ONCE = 1 << 20


def count_tied_above(
    rows: QueryGroups, scores: Floats, group: Ints, at: Ints, above: Ints, tied: Ints, rule: str
) -> Ints:
    """For each hit, the number of documents with the same score that the rule puts above it.

    Hit i is row `at[i]`, in group `group[i]`, with `above[i]` higher and `tied[i]` equal scores in that group.
    """
    within = np.zeros(len(at), dtype=np.int64)
    hits = np.flatnonzero(tied > 1)
    if not len(hits):
        return within
    tied, order, starts = tied[hits], None, rows.starts[group[hits]]
    if not is_descending(scores, rows.starts):
        order, starts = _best_first(scores, rows.starts, group[hits])
    first = starts + above[hits]
    if tied.sum() > _COMPARISONS_PER_ROW * len(scores) and rule != "input":
        within[hits] = _sort(rows.documents, order, first, tied, at[hits], rule)
        return within
    cuts = np.searchsorted(np.cumsum(tied), np.arange(0, tied.sum(), _COMPARISONS_AT_ONCE))
    for chosen in np.split(np.arange(len(hits)), cuts[1:]):
        within[hits[chosen]] = _compare(rows.documents, order, first[chosen], tied[chosen], at[hits[chosen]], rule)
    return within


def _best_first(scores: Floats, starts: Ints, group: Ints) -> tuple[Ints, Ints]:
    """The rows of these groups, sorted within each group from high to low scores, and the start of each group."""
    groups, which = np.unique(group, return_inverse=True)
    lengths = np.diff(starts)[groups]
    begin = starts_of(lengths)
    rows = np.repeat(starts[groups], lengths) + positions(begin)
    return rows[best_first(scores[rows], begin)], begin[which]


def _compare(documents: IdColumn, order: Ints | None, first: Ints, tied: Ints, at: Ints, rule: str) -> Ints:
    """Compares each hit with all documents tied with it."""
    hit = np.repeat(np.arange(len(at)), tied)
    mate = first[hit] + positions(starts_of(tied))
    mate = mate if order is None else order[mate]
    if rule == "input":
        above = mate < at[hit]
    else:
        mates, hits = as_text(documents.gather(mate)), as_text(documents.gather(at)).gather(hit)
        above = np.asarray(mates.gt(hits) if rule == "descending" else hits.gt(mates))
    return np.bincount(hit[above], minlength=len(at))


def _sort(documents: IdColumn, order: Ints | None, first: Ints, tied: Ints, at: Ints, rule: str) -> Ints:
    """Sorts all documents that are tied with a hit."""
    import polars as pl

    first, hit = np.unique(first, return_index=True)
    lengths = tied[hit]
    mate = np.repeat(first, lengths) + positions(starts_of(lengths))
    row = mate if order is None else order[mate]
    mates = pl.DataFrame(
        {
            "group": np.repeat(np.arange(len(first)), lengths),
            "row": row,
            "document": to_polars(documents.gather(row)).cast(str),
        }
    ).sort("group", "document", descending=[False, rule == "descending"])
    place = np.empty(len(documents), dtype=np.int64)
    place[mates["row"].to_numpy()] = positions(starts_of(lengths))
    return place[at]
