"""Two runs in, RankedPairs out: the lists of the queries that both rank, with the documents that they share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.data.ids import IdColumn, is_text, order_as_text, to_polars
from rankgold.data.query_groups import QueryGroups
from rankgold.errors import MatchError, listing
from rankgold.kernels.segments import Ints, best_first, positions, starts_of
from rankgold.matching.hash_lookup import Lookup, hashes_of
from rankgold.matching.judgements import IDS_AS_TEXT
from rankgold.matching.ranks import round_scores
from rankgold.matching.table_judgements import distinct_rows, with_parents
from rankgold.policy import Policy
from rankgold.ranked_pairs import PairNotes, RankedLists, RankedPairs

if TYPE_CHECKING:
    from rankgold.data.parents import ParentRule


@dataclass(frozen=True, slots=True, eq=False)
class SortedRun:
    """A run with each list in order, prepared to be compared with any number of others."""

    name: str
    queries: IdColumn
    starts: Ints
    documents: IdColumn
    tie_start: Ints
    tie_end: Ints
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, rows: QueryGroups, policy: Policy, parent: ParentRule | None = None) -> SortedRun:
        rows, _ = distinct_rows(with_parents(rows, parent), "ranks", policy)
        rows = replace(rows, numbers=round_scores(rows.numbers, policy))
        order = best_first(rows.numbers, rows.starts)
        is_first = _first_of_ties(rows, order)
        group = np.cumsum(is_first) - 1
        if policy.ties != "input":
            _sort_ties(order, rows.documents, group, policy.ties)
        rank = positions(rows.starts) + 1
        begin = np.flatnonzero(is_first)
        end = np.append(begin[1:], len(order))[: len(begin)] - 1
        tie_start, tie_end, starts = rank[begin][group], rank[end][group], rows.starts
        if policy.depth is not None:
            seen = rank <= policy.depth
            order, tie_start, tie_end = order[seen], tie_start[seen], np.minimum(tie_end[seen], policy.depth)
            starts = starts_of(np.minimum(np.diff(starts), policy.depth))
        return cls(name, rows.queries, starts, rows.documents.gather(order), tie_start, tie_end, rows.remarks)

    def with_text_ids(self) -> SortedRun:
        return replace(self, queries=to_polars(self.queries).cast(str), documents=to_polars(self.documents).cast(str))

    def of_queries(self, chosen: Ints) -> SortedRun:
        """The lists of these queries, in this order."""
        if np.array_equal(chosen, np.arange(len(self.queries))):
            return self
        sizes = np.diff(self.starts)[chosen]
        starts = starts_of(sizes)
        rows = np.repeat(self.starts[chosen], sizes) + positions(starts)
        return replace(
            self,
            queries=self.queries.gather(chosen),
            starts=starts,
            documents=self.documents.gather(rows),
            tie_start=self.tie_start[rows],
            tie_end=self.tie_end[rows],
        )


def _first_of_ties(rows: QueryGroups, order: Ints) -> Any:
    """Whether a document is the first of those with its score, in the order of the lists."""
    ordered = rows.numbers[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    is_first[rows.starts[:-1][np.diff(rows.starts) > 0]] = True
    return is_first


def _sort_ties(order: Ints, documents: IdColumn, group: Ints, rule: str) -> None:
    """Puts the rows of each group of tied documents in the order of their ids as text."""
    tied = np.flatnonzero(np.bincount(group)[group] > 1) if len(group) else group
    if not len(tied):
        return
    rows = order[tied]
    order[tied] = rows[order_as_text(documents.gather(rows), group[tied], descending=rule == "descending")]


def pair_runs(first: SortedRun, second: SortedRun) -> tuple[RankedPairs, PairNotes]:
    """The lists of the queries that both runs rank with at least one document, and notes on the others."""
    differ = any(
        is_text(own) != is_text(other)
        for own, other in ((first.queries, second.queries), (first.documents, second.documents))
    )
    if differ or type(first.documents) is not type(second.documents):
        first, second = first.with_text_ids(), second.with_text_ids()
    own, other = (
        {query: i for i, query in enumerate(run.queries.to_list()) if run.starts[i] < run.starts[i + 1]}
        for run in (first, second)
    )
    common = [query for query in own if query in other]
    only_first, only_second = [q for q in own if q not in other], [q for q in other if q not in own]
    names = (first.name, second.name) if first.name != second.name else ("the first run", "the second run")
    if not common:
        queries = [
            f"{name} has {listing(map(repr, own), 5) or 'none'}" for name, own in zip(names, (own, other), strict=True)
        ]
        raise MatchError(
            f"the runs have no query in common: {', '.join(queries)}. Check that both belong to the same queries."
        )
    first = first.of_queries(np.array([own[query] for query in common], dtype=np.int64))
    second = second.of_queries(np.array([other[query] for query in common], dtype=np.int64))
    lookup = Lookup.of(first.documents, first.starts)
    at, partner = lookup.find(second.documents, hashes_of(second.documents), second.starts, np.arange(len(common)))
    of_first, of_second = np.full(len(first.documents), -1), np.full(len(second.documents), -1)
    of_first[partner], of_second[at] = at, partner
    pairs = RankedPairs(
        common,
        RankedLists(first.starts, first.tie_start, first.tie_end, of_first, first.documents),
        RankedLists(second.starts, second.tie_start, second.tie_end, of_second, second.documents),
    )
    remarks = (*first.remarks, *second.remarks, *((IDS_AS_TEXT,) if differ else ()))
    return pairs, PairNotes.of(pairs, only_first, only_second, names, remarks)
