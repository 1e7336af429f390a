"""Tied documents of a table put in order by the policy's rule."""

from __future__ import annotations

import numpy as np
import polars as pl

from rankgold.kernels.segments import Floats, Ints, best_first, descending, positions, starts_of
from rankgold.matching.query_groups import Grouped
from rankgold.matching.ranks import Places

# Comparing each hit with its mates is the quicker way up to so many comparisons a row; beyond, all mates are sorted.
_COMPARISONS_PER_ROW = 8
_COMPARISONS_AT_ONCE = 1 << 20


def tied_above(rows: Grouped, scores: Floats, group: Ints, at: Ints, places: Places, rule: str) -> Ints:
    """How many documents of the same score the rule puts above each hit: hit i is in `group[i]`, at row `at[i]`."""
    within = np.zeros(len(at), dtype=np.int64)
    hits = np.flatnonzero(places.tied > 1)
    if not len(hits):
        return within
    tied, order, starts = places.tied[hits], None, rows.starts[group[hits]]
    if not descending(scores, rows.starts):
        order, starts = _best_first(scores, rows.starts, group[hits])
    first = starts + places.above[hits]
    if tied.sum() > _COMPARISONS_PER_ROW * len(scores) and rule != "input":
        within[hits] = _sorted(rows.documents, order, first, tied, at[hits], rule)
        return within
    cuts = np.searchsorted(np.cumsum(tied), np.arange(0, tied.sum(), _COMPARISONS_AT_ONCE))
    for chosen in np.split(np.arange(len(hits)), cuts[1:]):
        within[hits[chosen]] = _compared(rows.documents, order, first[chosen], tied[chosen], at[hits[chosen]], rule)
    return within


def _best_first(scores: Floats, starts: Ints, group: Ints) -> tuple[Ints, Ints]:
    """The rows of these groups, each group's from high to low scores, and where each one's begin among them."""
    groups, which = np.unique(group, return_inverse=True)
    lengths = np.diff(starts)[groups]
    begin = starts_of(lengths)
    rows = np.repeat(starts[groups], lengths) + positions(begin)
    return rows[best_first(scores[rows], begin)], begin[which]


def _compared(documents: pl.Series, order: Ints | None, first: Ints, tied: Ints, at: Ints, rule: str) -> Ints:
    """By comparing each hit with all documents tied with it."""
    hit = np.repeat(np.arange(len(at)), tied)
    mate = first[hit] + positions(starts_of(tied))
    mate = mate if order is None else order[mate]
    if rule == "input":
        above = mate < at[hit]
    else:
        mates, hits = documents.gather(mate).cast(pl.String), documents.gather(at).cast(pl.String).gather(hit)
        above = (mates > hits if rule == "descending" else mates < hits).to_numpy()
    return np.bincount(hit[above], minlength=len(at))


def _sorted(documents: pl.Series, order: Ints | None, first: Ints, tied: Ints, at: Ints, rule: str) -> Ints:
    """By sorting all documents that are tied with a hit."""
    first, one_of = np.unique(first, return_index=True)
    lengths = tied[one_of]
    mate = np.repeat(first, lengths) + positions(starts_of(lengths))
    row = mate if order is None else order[mate]
    mates = pl.DataFrame(
        {
            "group": np.repeat(np.arange(len(first)), lengths),
            "row": row,
            "document": documents.gather(row).cast(pl.String),
        }
    ).sort("group", "document", descending=[False, rule == "descending"])
    place = np.empty(len(documents), dtype=np.int64)
    place[mates["row"].to_numpy()] = positions(starts_of(lengths))
    return place[at]
