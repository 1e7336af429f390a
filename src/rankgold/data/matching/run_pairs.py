"""Sorts the lists of two runs, and pairs them query by query."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rankgold.core.errors import MatchError, listing
from rankgold.core.policy import Policy
from rankgold.core.ranked_pairs import PairNotes, RankedLists, RankedPairs
from rankgold.core.segments import Ints, positions, ranges, starts_at, starts_of
from rankgold.data.ids import IdColumn, as_text, differ_in_type
from rankgold.data.matching.hash_lookup import Lookup, hashes_of
from rankgold.data.matching.judgements import IDS_AS_TEXT
from rankgold.data.matching.ranks import best_order, first_of_ties, round_scores
from rankgold.data.matching.table_judgements import distinct_rows, with_parents
from rankgold.data.query_groups import QueryGroups

if TYPE_CHECKING:
    from rankgold.data.selection import ParentRule


@dataclass(frozen=True, slots=True, eq=False)
class SortedRun:
    """A run with each list in order, prepared to be compared with any number of others."""

    name: str
    queries: IdColumn
    starts: Ints
    documents: IdColumn
    tie_start: Ints
    tie_end: Ints
    policy: Policy
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, rows: QueryGroups, policy: Policy, parent: ParentRule | None = None) -> SortedRun:
        rows, _ = distinct_rows(with_parents(rows, parent), "ranks", policy)
        rows = replace(rows, numbers=round_scores(rows.numbers, policy))
        order = best_order(rows.numbers, rows.starts, rows.documents, policy.ties)
        is_first = first_of_ties(rows.numbers[order], rows.starts)
        group, ties = np.cumsum(is_first) - 1, starts_at(is_first)
        rank, starts = positions(rows.starts) + 1, rows.starts
        tie_start, tie_end = rank[ties[:-1]][group], rank[ties[1:] - 1][group]
        if policy.depth is not None:
            seen = rank <= policy.depth
            order, tie_start, tie_end = order[seen], tie_start[seen], np.minimum(tie_end[seen], policy.depth)
            starts = starts_of(np.minimum(np.diff(starts), policy.depth))
        return cls(name, rows.queries, starts, rows.documents.gather(order), tie_start, tie_end, policy, rows.remarks)

    def with_text_ids(self) -> SortedRun:
        return replace(self, queries=as_text(self.queries), documents=as_text(self.documents))

    def of_queries(self, chosen: Ints) -> SortedRun:
        """The lists of these queries, in this order."""
        if np.array_equal(chosen, np.arange(len(self.queries))):
            return self
        sizes = np.diff(self.starts)[chosen]
        rows = ranges(self.starts[chosen], sizes)
        return replace(
            self,
            queries=self.queries.gather(chosen),
            starts=starts_of(sizes),
            documents=self.documents.gather(rows),
            tie_start=self.tie_start[rows],
            tie_end=self.tie_end[rows],
        )


def pair_runs(first: SortedRun, second: SortedRun) -> RankedPairs:
    """The lists of the queries that both runs rank with at least one document, with notes on the others."""
    differ = differ_in_type((first.queries, first.documents), (second.queries, second.documents))
    if differ or type(first.documents) is not type(second.documents):
        first, second = first.with_text_ids(), second.with_text_ids()
    numbers, other_numbers = (
        {query: i for i, query in enumerate(run.queries.to_list()) if run.starts[i] < run.starts[i + 1]}
        for run in (first, second)
    )
    common = [query for query in numbers if query in other_numbers]
    only_first = [query for query in numbers if query not in other_numbers]
    only_second = [query for query in other_numbers if query not in numbers]
    names = (first.name, second.name) if first.name != second.name else ("the first run", "the second run")
    if not common:
        queries = [
            f"{name} has {listing(map(repr, ranked), 5) or 'none'}"
            for name, ranked in zip(names, (numbers, other_numbers), strict=True)
        ]
        raise MatchError(
            f"the runs have no query in common: {', '.join(queries)}. Check that both belong to the same queries."
        )
    first = first.of_queries(np.array([numbers[query] for query in common], dtype=np.int64))
    second = second.of_queries(np.array([other_numbers[query] for query in common], dtype=np.int64))
    lookup = Lookup.of(first.documents, first.starts)
    at, partner = lookup.find(second.documents, hashes_of(second.documents), second.starts, np.arange(len(common)))
    of_first, of_second = np.full(len(first.documents), -1), np.full(len(second.documents), -1)
    of_first[partner], of_second[at] = at, partner
    pairs = RankedPairs(
        common,
        RankedLists(first.starts, first.tie_start, first.tie_end, of_first, first.documents),
        RankedLists(second.starts, second.tie_start, second.tie_end, of_second, second.documents),
        second.name,
        second.policy,
    )
    remarks = (*first.remarks, *second.remarks, *((IDS_AS_TEXT,) if differ else ()))
    return replace(pairs, notes=PairNotes.of(pairs, only_first, only_second, names, first.name, remarks))
