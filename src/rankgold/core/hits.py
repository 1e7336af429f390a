"""Holds judged documents in ranked order beside their ideal order.

`Ranking` holds (query, rank, grade) of judged documents. `Hits` holds the system's ranking beside the ideal one, with
the few counts that measures divide by.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from rankgold.core.derivation import Column, Derivation, Matched, Terms
from rankgold.core.document import Cell, Document, ResultTable
from rankgold.core.errors import counted
from rankgold.core.notes import Notes
from rankgold.core.policy import DEFAULT, Policy
from rankgold.core.segments import Bools, Floats, Ints, best_first, changes, products_before, slices, starts_of

if TYPE_CHECKING:
    from rankgold.core.subtopics import Subtopics
    from rankgold.core.ties import AveragedTies
    from rankgold.measures.metric import Measure


# Counts of expected documents are rounded to so many decimals: three times a chance of 1/3 is not exactly 1 in floats.
_DECIMALS = 12

# A document of any grade above 0 is relevant to measures that add up gains.
SMALLEST_GRADE = math.ulp(0.0)

# Rankings of more rows keep no others: large hits come in batches of fewer.
MOST_KEPT = 1 << 18

Gain = Callable[[Floats], Floats]
Result = TypeVar("Result")
Array = TypeVar("Array", bound=np.ndarray[Any, Any])


class OrderMattersError(Exception):
    """Raised where a formula asks for a number that depends on the order of tied documents.

    The measure is then evaluated in each order.
    """


class Ids(Protocol):
    """Document ids by position: a list, an array, a column of a frame."""

    def __getitem__(self, position: int, /) -> Any: ...


class Memo(dict[Any, Any]):
    """What was computed, by name, so that it is computed once. It is no part of a value: a copy begins a new one."""

    __slots__ = ()

    def once(self, name: object, compute: Callable[[], Result]) -> Result:
        if name not in self:
            self[name] = compute()
        known: Result = self[name]
        return known


@dataclass(frozen=True, eq=False)
class Ranking:
    """Judged documents of all queries, sorted by query and then by rank.

    With ties=average a tied document has one row for each rank that it can take, and `ties` holds the chance of each;
    in a large group, a row stands for several documents. Otherwise `ties` is None and each document has one row.
    """

    query: Ints
    rank: Ints
    grade: Floats
    n_queries: int
    row: Ints
    """The position of the document in `documents`."""
    documents: Ids | None = None
    """The ids, which only explanations and plots read; None where documents have no ids."""
    score: Floats | None = None
    ties: AveragedTies | None = None
    memo: Memo = field(default_factory=Memo, init=False, repr=False)
    """What several measures ask for: the documents from a grade and down to a rank, and their number."""

    def keep(self, which: Bools | Ints) -> Ranking:
        """The rows where a mask is true, or the rows at given positions, in that order."""
        if which.dtype == bool:
            if which.all():
                return self
            which = np.flatnonzero(which)
        return Ranking(
            self.query[which],
            self.rank[which],
            self.grade[which],
            self.n_queries,
            self.row[which],
            self.documents,
            score=None if self.score is None else self.score[which],
            ties=None if self.ties is None else self.ties.keep(which),
        )

    def top(self, k: int | Ints | None) -> Ranking:
        """The documents at rank k or better; an array holds a cutoff for each query."""
        if k is None:
            return self
        return self.keep(self.rank <= (k[self.query] if isinstance(k, np.ndarray) else k))

    def relevant(self, rel: float, k: int | Ints | None = None) -> Ranking:
        """The documents of grade `rel` or better, at rank k or better."""
        if isinstance(k, np.ndarray) or len(self.query) > MOST_KEPT:
            return self._relevant(rel, k)
        return self.memo.once((rel, k), lambda: self._relevant(rel, k))

    def _relevant(self, rel: float, k: int | Ints | None) -> Ranking:
        seen = self.top(k)
        return seen.keep(seen.grade >= rel)

    def gaining(self, gain: Gain, k: int | None = None) -> tuple[Ranking, Floats]:
        """The documents at rank k or better with a gain above 0, and the gain of each."""
        seen = self.top(k)
        gains = gain(seen.grade)
        kept = gains > 0
        return seen.keep(kept), gains[kept]

    @property
    def whole(self) -> Ranking:
        return self

    @property
    def single(self) -> Ranking:
        return self

    @property
    def is_lazy(self) -> bool:
        return False

    @cached_property
    def sizes(self) -> Ints:
        """The number of rows of each query."""
        return _read_only(np.bincount(self.query, minlength=self.n_queries))

    def of_queries(self, first: int, last: int) -> Ranking:
        """The rows of the queries `first:last`, numbered from 0."""
        rows = self.keep(np.arange(*np.searchsorted(self.query, [first, last])))
        return replace(rows, query=rows.query - first, n_queries=last - first)

    def at_least(self, rel: float) -> Ints:
        """The number of documents of grade `rel` or better of each query."""
        return self.memo.once(
            rel, lambda: _read_only(np.bincount(self.query[self.grade >= rel], minlength=self.n_queries))
        )

    def __len__(self) -> int:
        return len(self.query)

    @cached_property
    def starts(self) -> Ints:
        return _read_only(starts_of(self.sizes))

    @property
    def chance(self) -> Floats | None:
        """The chance that the document (or one of the row's documents) has this rank; None if all are 1."""
        return None if self.ties is None else self.ties.chance

    @property
    def count(self) -> Floats:
        """The number of documents of each query. With averaged ties, it must be the same in every order."""
        if self.ties is not None and self.ties.is_uncertain(self.query, self.rank):
            raise OrderMattersError
        return self.expected_count

    @property
    def expected_count(self) -> Floats:
        """The number of documents of each query; the expected number with averaged ties."""
        if self.ties is None:
            return self.sizes.astype(np.float64)
        return np.round(self.ties.count(self.query, self.n_queries), _DECIMALS)

    @cached_property
    def ordinal(self) -> Ints | Floats:
        """1 for the first document of a query, 2 for the second; the expected ordinal with averaged ties."""
        if self.ties is not None:
            return _read_only(self.ties.ordinal(self.query, self.rank, self.starts))
        return _read_only(np.arange(1, len(self) + 1) - self.starts[self.query])

    @property
    def first(self) -> Bools | Floats:
        """1 for the first document of its query; with averaged ties, the chance to be first."""
        if self.ties is not None:
            return self.ties.first(self.query, self.rank, self.starts)
        return changes(self.query)

    def reach(self, stop: Floats) -> Floats:
        """The chance that a reader reaches each document, if each one above stops the reader with chance `stop`."""
        if self.ties is not None:
            return self.ties.reach(self.query, self.rank, self.starts, stop)
        return products_before(1 - stop, self.starts)

    def document_id(self, i: int) -> Any:
        """The id of the document in a row; None where documents have no ids."""
        return None if self.documents is None else self.documents[int(self.row[i])]

    def document_text(self, i: int) -> Any:
        """The id of the document in a row, or how many documents the row stands for."""
        documents = 1 if self.ties is None else self.ties.documents[i]
        return self.document_id(i) if documents == 1 else f"one of {documents:,}"

    def in_best_order(self) -> Ranking:
        """The ideal ranking: the same documents ranked by grade."""
        starts = self.starts
        order = best_first(self.grade, starts)
        rank = np.arange(1, len(self) + 1) - starts[self.query]
        return replace(self, rank=rank, grade=self.grade[order], row=self.row[order], score=None)


def _read_only(array: Array) -> Array:
    """The array, which measures share from here on."""
    array.flags.writeable = False
    return array


class RankedDocuments(Protocol):
    """The interface of rankings: plain, lazily sorted, or with averaged ties."""

    def top(self, k: int | Ints | None) -> Ranking:
        """The documents at rank k or better; an array holds a cutoff for each query."""

    def relevant(self, rel: float, k: int | Ints | None = None) -> Ranking:
        """The documents of grade `rel` or better, at rank k or better, for a measure that does not use their grades."""
        return self.top(k).relevant(rel)

    def gaining(self, gain: Gain, k: int | None = None) -> tuple[Ranking, Floats]:
        """The documents at rank k or better with a gain above 0, and the gain of each."""
        return self.top(k).gaining(gain)

    def at_least(self, rel: float) -> Ints:
        """The number of documents of grade `rel` or better of each query."""

    @property
    def whole(self) -> Ranking:
        """All documents."""

    @property
    def single(self) -> Ranking:
        """Each document once: with averaged ties, at the first rank of its group."""
        return self.whole

    @property
    def sizes(self) -> Ints:
        """The number of rows of each query."""
        return self.whole.sizes

    def of_queries(self, first: int, last: int) -> RankedDocuments:
        """The documents of the queries `first:last`, numbered from 0."""
        return self.whole.of_queries(first, last)

    @property
    def is_lazy(self) -> bool:
        """True if documents are sorted on demand."""
        return True


class ReturnedLists(Protocol):
    """The lists of a run including unjudged documents, which only plots read."""

    def documents(self, query: object, depth: int) -> list[Any]:
        """The ids of a query's documents, best first; none if the run does not rank the query."""


@dataclass(frozen=True, slots=True, eq=False)
class Hits(Matched):
    """Judgements matched with one ranking: all that any measure needs."""

    queries: Sequence[Any]
    system: RankedDocuments
    ideal: RankedDocuments
    returned: Ints
    """The number of documents that the system returned for each query; 0 for a query without ranking."""
    max_grade: float
    """The top of the scale if a measure names none: the highest grade of all queries, at least 0. Grades of
    documents that the policy drops do not count."""
    policy: Policy = DEFAULT
    notes: Notes = field(default_factory=Notes)
    name: str = "run"
    lists: ReturnedLists | None = None
    """None where documents have no ids, or where the run is too large to be kept."""
    subtopics: Subtopics | None = None
    """The grades of documents for subtopics, by position in `documents`; None without such judgements."""
    rel: Any = None
    """The lowest relevant grade that was passed to `match`, for measures without a `rel` of their own; None for 1."""
    memo: Memo = field(default_factory=Memo, init=False, repr=False)
    """What several measures ask for."""

    def batches(self) -> Iterator[Hits]:
        """The same hits, a few queries at a time: arrays are then small and stay in the cache."""
        if not len(self) or self.system.is_lazy:
            yield self
            return
        for first, last in slices(starts_of(self.system.sizes + self.ideal.sizes)):
            yield self._of_queries(first, last)

    def for_query(self, number: int) -> tuple[Hits, int]:
        return self.of_query(number), 0

    def of_query(self, number: int) -> Hits:
        """The hits of one query."""
        return self._of_queries(number, number + 1)

    def _of_queries(self, first: int, last: int) -> Hits:
        if (first, last) == (0, len(self)):
            return self
        return replace(
            self,
            queries=self.queries[first:last],
            system=self.system.of_queries(first, last),
            ideal=self.ideal.of_queries(first, last),
            returned=self.returned[first:last],
        )

    @property
    def kept(self) -> Bools:
        kept = np.ones(len(self), dtype=bool)
        if self.policy.missing == "skip":
            kept &= self.returned > 0
        if self.policy.no_relevant == "skip":
            kept &= self.relevant(SMALLEST_GRADE) > 0
        return kept

    def cases(self, measure: Measure, derived: Derivation) -> tuple[Bools, Bools]:
        return self.returned == 0, measure.without_relevant(self, derived)

    @property
    def subtopic_facts(self) -> tuple[bool, bool]:
        return self.subtopics is not None, self.subtopics is not None and self.subtopics.are_shared

    def columns(self, terms: Terms, measure: Measure) -> list[Column]:
        """Rank, document, subtopic if there are any, and grade."""
        ranking, of, subtopics = terms.ranking, terms.subtopic, self.subtopics
        assert ranking is not None
        columns = [
            Column("rank", "r", lambda i: int(ranking.rank[i])),
            Column("document", "l", ranking.document_text),
            Column("grade", "r", lambda i: float(ranking.grade[i])),
        ]
        if of is not None and subtopics is not None:
            columns.insert(2, Column("subtopic", "l", lambda i: subtopics.names[of[i]]))
        return columns

    def relevant(self, rel: float) -> Floats:
        """R, the number of relevant documents of each query."""
        return self.ideal.at_least(rel).astype(np.float64)

    def depth(self, k: int | None) -> Ints:
        """The length of each query's list, up to the cutoff."""
        return self.returned if k is None else np.minimum(self.returned, k)

    def plot(self, name: str | None = None) -> Any:
        """A chart of the rankings: the curve of one query above its documents, a grid of all grades for several.

        `name` selects another plot of rankgold.plots. Call its function there to choose more: the measure, the query.
        """
        from rankgold.present.plots import draw

        return draw(self, name)

    def _repr_html_(self) -> str:
        """What notebooks show: the first queries, and how many documents of each are judged and relevant."""
        from rankgold.core.result import notebook_html

        return notebook_html(hits_document(self))

    def __repr__(self) -> str:
        return f"<Hits of {self.name!r}: {self.describe()}>"

    def describe(self) -> str:
        """The size of the hits, in a line."""
        returned = counted(int(self.returned.sum()), "document")
        return f"{counted(len(self), 'query')}, {returned} returned, {len(self.system.single):,} of them judged"


_SHOWN = 10


def hits_document(hits: Hits) -> Document:
    """The number of documents of each query: returned, judged, relevant and found. The first queries of many."""
    import numpy as np

    single = hits.system.single
    found = np.bincount(single.query[single.grade > 0], minlength=len(hits))
    judged = np.bincount(single.query, minlength=len(hits))
    relevant = hits.ideal.at_least(1)
    rows: list[list[Cell]] = [
        [str(hits.queries[i]), *(str(int(column[i])) for column in (hits.returned, judged, found, relevant))]
        for i in range(min(len(hits), _SHOWN))
    ]
    header = ["query", "returned", "judged", "relevant returned", "relevant"]
    more = [counted(len(hits) - _SHOWN, "more query")] if len(hits) > _SHOWN else []
    table = ResultTable(header, rows, "lrrrr", keys=1)
    return Document([table], title=f"Hits of {hits.name}: {hits.describe()}", notes=[*more, f"policy: {hits.policy}"])
