"""The Hits of disjoint sets of queries in, one Hits out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankgold.hits import Hits, Ids, RankedDocuments, Ranking
from rankgold.kernels.segments import Ints, starts_of
from rankgold.kernels.subtopics import Subtopics
from rankgold.notes import Notes
from rankgold.tied_ranking import TiedRanking


def unite_hits(parts: Sequence[Hits], order: Ints, document_id: Callable[[Any], Any] | None = None) -> Hits:
    """The Hits of disjoint sets of queries as one, with the queries in another order.

    Parts with the queries [a, b] and [c], in the order [2, 0, 1]: the queries are [c, a, b]. `document_id` converts
    ids of documents.
    """
    queries = [query for part in parts for query in part.queries]
    new_number = np.empty_like(order)
    new_number[order] = np.arange(len(order))
    counts = [_documents(part) for part in parts]
    first_row = starts_of(np.array(counts))
    ids = zip((part.ideal.whole.documents for part in parts), counts, strict=True)
    documents = [None if known is None else known[row] for known, count in ids for row in range(count)]
    if document_id is not None:
        documents = list(map(document_id, documents))
    return replace(
        parts[0],
        queries=[queries[i] for i in order.tolist()],
        system=_unite_systems([part.system for part in parts], new_number, first_row, documents),
        ideal=_unite_rankings([part.ideal.whole for part in parts], new_number, first_row, documents)[0],
        returned=np.concatenate([part.returned for part in parts])[order],
        max_grade=max(part.max_grade for part in parts),
        notes=Notes.join([part.notes for part in parts]),
        subtopics=_unite_subtopics(parts),
    )


def _documents(part: Hits) -> int:
    """The number of documents that rows are positions of. The ideal ranking has fewer where the policy drops some."""
    if part.subtopics is not None:
        return len(part.subtopics.place)
    return int(part.ideal.whole.row.max(initial=-1)) + 1


def _unite_subtopics(parts: Sequence[Hits]) -> Subtopics | None:
    """The subtopics of all parts. In a part without any, each query is one."""
    if all(part.subtopics is None for part in parts):
        return None
    return Subtopics.join([part.subtopics or _single_subtopics(part) for part in parts])


def _single_subtopics(part: Hits) -> Subtopics:
    judged, count = part.ideal.whole, _documents(part)
    order = np.argsort(judged.row)
    single = Subtopics.single(judged.query[order], judged.grade[order])
    # A document that the policy drops has no subtopic.
    entries = np.bincount(judged.row, minlength=count)
    return replace(single, starts=starts_of(entries), place=np.arange(count))


def _unite_systems(
    parts: Sequence[RankedDocuments], new_number: Ints, first_row: Ints, documents: Ids
) -> Ranking | TiedRanking:
    ranking, order = _unite_rankings([part.single for part in parts], new_number, first_row, documents)
    if not any(isinstance(part, TiedRanking) for part in parts):
        return ranking
    sizes = [part.group_size if isinstance(part, TiedRanking) else np.ones_like(part.single.rank) for part in parts]
    depth = next(part.depth for part in parts if isinstance(part, TiedRanking))
    return TiedRanking(ranking, np.concatenate(sizes)[order], depth)


def _unite_rankings(
    parts: Sequence[Ranking], new_number: Ints, first_row: Ints, documents: Ids
) -> tuple[Ranking, Ints]:
    """The rankings as one, and the order of their rows in it."""
    first_query = starts_of(np.array([part.n_queries for part in parts]))
    query = new_number[np.concatenate([part.query + first for part, first in zip(parts, first_query, strict=False)])]
    scores = [part.score for part in parts if part.score is not None]
    order = np.argsort(query, kind="stable")
    ranking = Ranking(
        query,
        np.concatenate([part.rank for part in parts]),
        np.concatenate([part.grade for part in parts]),
        len(new_number),
        np.concatenate([part.row + first for part, first in zip(parts, first_row, strict=False)]),
        documents,
        np.concatenate(scores) if len(scores) == len(parts) else None,
    )
    return ranking.keep(order), order
