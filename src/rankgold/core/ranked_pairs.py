"""Holds two runs matched query by query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rankgold.core.derivation import Column, Derivation, Matched, Terms, Working
from rankgold.core.errors import PolicyError, counted, listing
from rankgold.core.notes import Notes
from rankgold.core.policy import DEFAULT, Policy
from rankgold.core.segments import (
    Bools,
    Floats,
    Ints,
    changes,
    count_of_kind,
    count_true,
    positions,
    rising_less_falling,
    slices,
    starts_at,
    starts_of,
)

if TYPE_CHECKING:
    from rankgold.measures.metric import Measure


_ABSENT = "–"


class ListedIds(Protocol):
    """Document ids by position, which can be indexed."""

    def gather(self, at: Any, /) -> Any: ...


@dataclass(frozen=True, slots=True, eq=False)
class RankedLists:
    """The lists of one run, each from the first rank down: that of query i is `starts[i]:starts[i + 1]`."""

    starts: Ints
    tie_start: Ints
    """The first rank of the documents with the same score as each document."""
    tie_end: Ints
    """The last one: the same rank, if no other document has this score."""
    partner: Ints
    """The position of the same document in the lists of the other run; -1 if its list there has none."""
    documents: ListedIds | None = None
    """The ids of all lists, which only explanations read; None where these are only some of the documents."""

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

    @property
    def query(self) -> Ints:
        return np.repeat(np.arange(len(self.starts) - 1), self.sizes)

    @property
    def rank(self) -> Ints:
        """The rank of each document, with tied documents in the order of the policy."""
        return positions(self.starts) + 1

    @property
    def ids(self) -> list[Any]:
        """The ids of all documents."""
        assert self.documents is not None
        return list(self.documents.gather(np.arange(self.starts[-1])).to_list())

    def _with_ids(self, lists: RankedLists, query: int) -> RankedLists:
        """The same list, which is that of a query, with the ids of its documents."""
        assert lists.documents is not None
        return replace(self, documents=lists.documents.gather(np.arange(lists.starts[query], lists.starts[query + 1])))

    def rank_text(self, at: int, has_order: bool) -> str:
        """The rank of a document of the only list; of tied ones without an order, the ranks that they share."""
        if at < 0:
            return _ABSENT
        first, last = self.tie_start[at], self.tie_end[at]
        return str(at + 1) if has_order or first == last else f"{first}-{last}"

    def without_ties(self) -> RankedLists:
        """The same lists with each document at its own rank."""
        return replace(self, tie_start=self.rank, tie_end=self.rank)

    def _cut(self, kept: Bools, other_kept: Bools, k: int) -> RankedLists:
        partner = self.partner[kept]
        shared = (partner >= 0) & other_kept[partner]
        return RankedLists(
            starts_of(np.minimum(self.sizes, k)),
            self.tie_start[kept],
            np.minimum(self.tie_end[kept], k),
            np.where(shared, np.cumsum(other_kept)[partner] - 1, -1),
        )

    def _of_queries(self, first: int, last: int, other_start: int) -> RankedLists:
        rows = slice(self.starts[first], self.starts[last])
        partner = self.partner[rows]
        return RankedLists(
            self.starts[first : last + 1] - self.starts[first],
            self.tie_start[rows],
            self.tie_end[rows],
            np.where(partner >= 0, partner - other_start, -1),
        )


@dataclass(frozen=True, slots=True, eq=False)
class RankedPairs(Matched):
    """The lists of two runs for the same queries. No list is empty."""

    where = "in both runs"
    queries: Sequence[Any]
    first: RankedLists
    second: RankedLists
    name: str = "run"
    """The name of the second run, which is compared with the first."""
    policy: Policy = DEFAULT
    notes: PairNotes = field(default_factory=lambda: PairNotes())

    def top(self, k: int | None) -> RankedPairs:
        """The first k documents of each list."""
        if k is None or k >= max(self.first.sizes.max(initial=0), self.second.sizes.max(initial=0)):
            return self
        first, second = self.first.rank <= k, self.second.rank <= k
        return replace(self, first=self.first._cut(first, second, k), second=self.second._cut(second, first, k))

    def without_ties(self) -> RankedPairs:
        """The same lists with each document at its own rank."""
        return replace(self, first=self.first.without_ties(), second=self.second.without_ties())

    def swapped(self) -> RankedPairs:
        """The same lists with the second run first."""
        return replace(self, first=self.second, second=self.first)

    def for_query(self, number: int) -> tuple[RankedPairs, int]:
        alone = self._of_queries(number, number + 1)
        first, second = alone.first._with_ids(self.first, number), alone.second._with_ids(self.second, number)
        return replace(alone, first=first, second=second), 0

    def derived(self, measure: Measure) -> Derivation:
        """The values of a measure. An error if ties are to be averaged over all orders, and it needs one order."""
        if self.policy.ties == "average" and measure.orders_ties:
            raise PolicyError(
                f"{measure} is not averaged over the orders of tied documents. Choose another order of ties, such as"
                " ties=descending. rbo(ties=a), kendall and spearman need none."
            )
        return Matched.derived(self, measure)

    def subject(self, number: int) -> str:
        reference = self.notes.reference
        return Matched.subject(self, number) + ("" if reference == "run" else f", compared with {reference}")

    def columns(self, terms: Terms, measure: Measure) -> list[Column]:
        """Documents of one query with their ranks, or depths with the documents there."""
        names = (self.notes.reference, self.name)
        names = names if names[0] != names[1] else ("first", "second")
        of, ids = terms.of(), (self.first.ids, self.second.ids)
        if "depth" in of:
            depth = of["depth"]
            documents = zip(names, ids, strict=True)
            return [
                Column("depth", "r", lambda i: str(depth[i])),
                *(Column(name, "l", partial(_document_at, column, depth)) for name, column in documents),
            ]
        at, partner = of["first"], of["second"]
        columns = [
            Column("document", "l", lambda i: str(ids[0][at[i]] if at[i] >= 0 else ids[1][partner[i]])),
            Column(f"rank in {names[0]}", "r", lambda i: self.first.rank_text(at[i], measure.orders_ties)),
            Column(f"rank in {names[1]}", "r", lambda i: self.second.rank_text(partner[i], measure.orders_ties)),
        ]
        if "reference" in of:
            columns.append(Column("reference", "l", lambda i: names[of["reference"][i]]))
        return columns

    def shared(self) -> tuple[Ints, Ints]:
        """The documents in both lists of their query: their positions in the lists of the first run and of the second.

        They are in the order of the first run.
        """
        at = np.flatnonzero(self.first.partner >= 0)
        return at, self.first.partner[at]

    def ranks(self, documents: str = "shared") -> DocumentRanks:
        """The ranks of the documents in both lists; with `all`, also of the others, placed after the end."""
        at, partner = self.shared()
        query, first, second = self.first.query[at], self.first.tie_start[at], self.second.tie_start[partner]
        if documents == "all":
            alone, other = (np.flatnonzero(lists.partner < 0) for lists in (self.first, self.second))
            of_alone, of_other = self.first.query[alone], self.second.query[other]
            query = np.concatenate((query, of_alone, of_other))
            first = np.concatenate((first, self.first.tie_start[alone], self.first.sizes[of_other] + 1))
            second = np.concatenate((second, self.second.sizes[of_alone] + 1, self.second.tie_start[other]))
            at = np.concatenate((at, alone, np.full(len(other), -1)))
            partner = np.concatenate((partner, np.full(len(alone), -1), other))
            order = np.lexsort((first, query))
            query, first, second, at, partner = (column[order] for column in (query, first, second, at, partner))
        return DocumentRanks(query, first, second, starts_of(np.bincount(query, minlength=len(self))), at, partner)

    def shared_terms(self, term: float = 1.0) -> Terms:
        """The same term for each document that is in both lists of its query."""
        at, partner = self.shared()
        pattern = Working("{}", term)
        return Terms(np.full(len(at), term), self.first.query[at], pattern, lambda: documents_at(at, partner))

    def n_shared(self) -> Ints:
        """The number of documents that are in both lists of each query."""
        return count_true(self.first.partner >= 0, self.first.starts)

    def batches(self) -> Iterator[RankedPairs]:
        """The same lists, a few queries at a time: arrays are then small and stay in the cache."""
        for begin, end in slices(self.first.starts + self.second.starts):
            yield self._of_queries(begin, end)

    def _of_queries(self, begin: int, end: int) -> RankedPairs:
        return replace(
            self,
            queries=self.queries[begin:end],
            first=self.first._of_queries(begin, end, int(self.second.starts[begin])),
            second=self.second._of_queries(begin, end, int(self.first.starts[begin])),
        )


@dataclass(frozen=True, slots=True, eq=False)
class DocumentRanks:
    """Documents of all queries with their ranks in two lists, sorted by query and the first rank.

    Tied documents have the same rank. Ranks may have gaps.
    """

    query: Ints
    first: Ints
    second: Ints
    starts: Ints
    at_first: Ints
    """The positions of the documents in the lists of the first run; -1 if its list has none."""
    at_second: Ints

    def terms(self, term: Floats | Ints, working: Working) -> Terms:
        """A term for each document."""
        return Terms(term, self.query, working, lambda: documents_at(self.at_first, self.at_second))

    @property
    def agreement(self) -> Ints:
        """For each document, the documents of its query that both lists order alike with it, minus the others.

        Documents that are tied with it in one of the lists do not count.
        """
        tied = starts_at(changes(self.query, self.first))
        return rising_less_falling(self.second, self.starts) - rising_less_falling(self.second, tied)

    @property
    def untied(self) -> tuple[Ints, Ints]:
        """The number of documents of its query that a document is not tied with, in the first and the second list."""
        size = np.diff(self.starts)[self.query]
        return size - count_of_kind(self.query, self.first), size - count_of_kind(self.query, self.second)


def _document_at(ids: list[Any], depth: Ints, row: int) -> str:
    return str(ids[depth[row] - 1]) if depth[row] <= len(ids) else _ABSENT


def documents_at(first: Ints, second: Ints) -> dict[str, Ints]:
    """The keys of documents in terms: their positions in the lists of both runs, -1 if missing."""
    return {"first": first, "second": second}


@dataclass(frozen=True, slots=True, eq=False)
class PairNotes(Notes):
    """Notes on a comparison of two runs. The fields on judgements stay empty."""

    reference: str = "run"
    """The name of the first run, which others are compared with."""
    only_first: tuple[Any, ...] = ()
    """Queries that only the first run ranks: left out."""
    only_second: tuple[Any, ...] = ()
    different_length: int = 0
    """The number of queries whose lists are not of the same length."""
    tied_documents: int = 0
    """The number of documents, of both runs, with the same score as another one of their list."""

    @classmethod
    def of(
        cls,
        pairs: RankedPairs,
        only_first: Sequence[Any],
        only_second: Sequence[Any],
        names: tuple[str, str],
        reference: str,
        remarks: tuple[str, ...] = (),
    ) -> PairNotes:
        lists = (pairs.first, pairs.second)
        different = int(np.count_nonzero(pairs.first.sizes != pairs.second.sizes))
        tied = sum(int(np.count_nonzero(side.tie_start != side.tie_end)) for side in lists)
        lines = [
            f"{counted(len(queries), 'query')} ranked only by {name} ({listing(queries, 3)}): left out"
            for queries, name in zip((only_first, only_second), names, strict=True)
            if queries
        ]
        if different:
            lines.append(f"the lists of {different:,} of {len(pairs):,} queries differ in length")
        if tied:
            documents = sum(len(side.partner) for side in lists)
            lines.append(f"{tied:,} of {documents:,} documents are tied with another one of their list")
        return cls(
            queries=len(pairs),
            reference=reference,
            remarks=(*dict.fromkeys(remarks), *lines),
            only_first=tuple(only_first),
            only_second=tuple(only_second),
            different_length=different,
            tied_documents=tied,
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "queries": self.queries,
            "only_first": list(self.only_first),
            "only_second": list(self.only_second),
            "different_length": self.different_length,
            "tied_documents": self.tied_documents,
            "undefined": dict(self.undefined),
            "remarks": list(self.remarks),
        }
