"""Prepares judgements once and makes Hits of any run.

Measures need none of it. Plots name unjudged documents with it, and `what_if` moves documents in it.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.errors import MatchError, PolicyError, listing
from rankgold.core.hits import Hits, Ids, Ranking, ReturnedLists
from rankgold.core.notes import Notes, NumberSpan
from rankgold.core.policy import Policy
from rankgold.core.segments import Bools, Floats, Ints, changes, positions, starts_at, starts_of
from rankgold.core.subtopics import Subtopics
from rankgold.data.ids import IdColumn
from rankgold.data.matching.ranks import Places, ids_best_first
from rankgold.data.rows import Nested

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rankgold.data.fingerprints import Fingerprints
    from rankgold.data.selection import Topics


IDS_AS_TEXT = "ids are integers on one side and text on the other: all were compared as text"
NOTHING_EXCLUDED = "exclude takes out nothing: the run ranks none of its documents. Check that the ids are the same"


# So many numbers are looked at before all of them are.
_FIRST = 1000


def number_span(numbers: NDArray[Any]) -> NumberSpan:
    """How many grades or scores there are, the lowest and the highest of them, and whether all are whole."""
    if not len(numbers):
        return NumberSpan()
    # Most scores are not whole, and the first few show it.
    whole = numbers.dtype.kind != "f" or all(
        bool((part == np.floor(part)).all()) for part in (numbers[:_FIRST], numbers)
    )
    return NumberSpan(len(numbers), float(numbers.min()), float(numbers.max()), whole)


@dataclass(frozen=True, slots=True, eq=False)
class Retrieval:
    """The judged documents that a run retrieved."""

    judgement: Ints
    """The position of each retrieved document among the judgements."""
    score: Floats | None
    places: Places
    returned: Ints
    """The number of documents that the run returned for each judged query."""
    unjudged_queries: tuple[Any, ...] = ()
    remarks: tuple[str, ...] = ()
    moved_at_32_bits: int = 0
    """The number of these documents that would have another rank if scores were compared at 32 bits."""
    lists: ReturnedLists | None = None
    excluded: int = 0
    """The number of documents that were taken out of the lists of judged queries."""

    def cut(self, depth: int) -> Retrieval:
        """The same without the documents below a rank. Of a tied group that the cut goes through, all are kept."""
        kept = np.flatnonzero(self.places.first_rank <= depth)
        return replace(
            self,
            judgement=self.judgement[kept],
            score=None if self.score is None else self.score[kept],
            places=self.places.keep(kept),
            returned=np.minimum(self.returned, depth),
        )

    def condensed(self, query: Ints) -> Retrieval:
        """The same without the documents that are not judged; `query` is the query of each judged one."""
        returned = np.bincount(query, minlength=len(self.returned))
        order = np.lexsort((self.places.first_rank, query))
        above, tied, place = np.empty_like(order), self.places.tied, positions(starts_of(returned))
        within = None if self.places.within is None else np.zeros_like(order)
        if within is None:
            # Averaged ties share their first rank. Those that are judged stay tied with each other.
            is_first = changes(query[order], self.places.above[order])
            group, tied = np.cumsum(is_first) - 1, np.empty_like(order)
            place, tied[order] = place[is_first][group], np.diff(starts_at(is_first))[group]
        above[order] = place
        return replace(self, places=Places(above, tied, within), returned=returned, lists=None)


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """The judged documents of every query, query by query, and their ideal ranking."""

    queries: Sequence[Any]
    query: Ints
    grade: Floats
    documents: Ids | None
    ideal: Ranking
    span: NumberSpan
    """Of the grades."""
    max_grade: float
    """The highest grade, at least 0; of all queries, where only some were selected."""
    remarks: tuple[str, ...] = ()
    topics: Topics | None = None
    """The queries that were selected; None if all are."""
    subtopics: Subtopics | None = None

    @classmethod
    def of(
        cls,
        queries: Sequence[Any],
        query: Ints,
        grade: Floats,
        documents: Ids | None,
        remarks: tuple[str, ...] = (),
        *,
        max_grade: float | None = None,
        topics: Topics | None = None,
        subtopics: Subtopics | None = None,
    ) -> Judgements:
        """Judgements in arrays that are sorted by query."""
        row = np.arange(len(query), dtype=np.int64)
        ideal = Ranking(query, row, grade, len(queries), row, documents).in_best_order()
        span = number_span(grade)
        highest = max(span.highest, 0.0) if max_grade is None else max_grade
        return cls(queries, query, grade, documents, ideal, span, highest, remarks, topics, subtopics)

    def unjudged(self, queries: Iterable[Any], judged: Container[Any]) -> tuple[Any, ...]:
        """The unjudged queries of a run that would otherwise be evaluated."""
        topics = self.topics
        return tuple(query for query in queries if query not in judged and (topics is None or query in topics))

    def hits(self, retrieval: Retrieval, policy: Policy, name: str = "run") -> Hits:
        """The Hits of a run that retrieved these documents."""
        if policy.depth is not None:
            retrieval = self._cut(retrieval, policy.depth, policy)
        judgement, places, returned = retrieval.judgement, retrieval.places, retrieval.returned
        query, grade = self.query[judgement], self.grade[judgement]
        ranking = Ranking(
            query, places.first_rank, grade, len(self.queries), judgement, self.documents, retrieval.score
        )
        retrieved = int(returned.sum())
        notes = Notes(
            queries=len(self.queries),
            without_ranking=self._names(returned == 0),
            without_judgements=retrieval.unjudged_queries,
            without_relevant=self._names(np.bincount(self.query[self.grade > 0], minlength=len(self.queries)) == 0),
            retrieved=retrieved,
            unjudged=retrieved - places.count(policy.depth),
            negative_grades=int(np.count_nonzero(self.grade < 0)),
            partial_grades=0 if self.span.whole else int(np.count_nonzero((self.grade > 0) & (self.grade < 1))),
            grades=self.span,
            scores=NumberSpan() if retrieval.score is None else number_span(retrieval.score),
            tied_hits=int(np.count_nonzero(places.tied > 1)),
            moved_at_32_bits=retrieval.moved_at_32_bits,
            remarks=self.remarks + retrieval.remarks + self._remarks_on_topics(retrieval),
            excluded=retrieval.excluded,
        )
        system = places.rank(ranking, policy.depth)
        known = (retrieval.lists, self.subtopics)
        ideal, highest = self.ideal, self.max_grade
        if policy.unretrieved == "dropped":
            ideal, highest = self._ideal_of(judgement), float(grade.max(initial=0.0))
        return Hits(self.queries, system, ideal, returned, highest, policy, notes, name, *known)

    def _ideal_of(self, judgement: Ints) -> Ranking:
        """The ideal ranking of some of the judged documents."""
        row = np.sort(judgement)
        some = Ranking(self.query[row], row, self.grade[row], len(self.queries), row, self.documents)
        return some.in_best_order()

    def _cut(self, retrieval: Retrieval, depth: int, policy: Policy) -> Retrieval:
        """A run cut off after `depth` documents, before unjudged ones are removed."""
        cut = retrieval.cut(depth)
        if policy.unjudged != "condensed":
            return cut
        if cut.places.is_cut(depth):
            raise PolicyError(
                "With unjudged=condensed, a depth that cuts off some of tied documents needs an order of them. Choose"
                " another depth, or another choice for ties than ties=average, such as ties=descending."
            )
        return cut.condensed(self.query[cut.judgement])

    def _remarks_on_topics(self, retrieval: Retrieval) -> tuple[str, ...]:
        return () if self.topics is None else self.topics.remarks(self.queries, retrieval.unjudged_queries)

    def _names(self, which: Bools) -> tuple[Any, ...]:
        return tuple(self.queries[i] for i in np.flatnonzero(which).tolist())


def with_fingerprints(hits: Hits, known: Fingerprints) -> Hits:
    """The hits, with the fingerprints of their data in the notes."""
    return replace(hits, notes=replace(hits.notes, fingerprints=known))


def with_exclusion_remark(hits: Hits) -> Hits:
    """The hits of a run with exclusions, with a remark if nothing was excluded."""
    if hits.notes.excluded:
        return hits
    return replace(hits, notes=replace(hits.notes, remarks=(*hits.notes.remarks, NOTHING_EXCLUDED)))


def condenses_first(policy: Policy) -> bool:
    """Whether unjudged documents are taken out before ranks are counted. With a depth, it is done after the cut."""
    return policy.unjudged == "condensed" and policy.depth is None


def check_overlap(
    common: int, judged: Collection[Any], unjudged: Collection[Any], policy: Policy, name: str = "run"
) -> None:
    """Raises an error if a run has no judged query, or has unjudged queries that the policy does not allow."""
    if not common:
        raise MatchError(
            f"{_run(name)} has no query in common with the judgements. Judged: {_first_few(judged)}."
            f" Ranked: {_first_few(unjudged) or 'none of these'}."
            " Check that both files belong to the same collection and that the columns are the right ones."
        )
    if unjudged and policy.unjudged_queries == "error":
        raise MatchError(
            f"{_run(name)} ranks queries without judgements: {_first_few(unjudged)}."
            " Judge them, remove them, or pass policy='unjudged_queries=skip'."
        )


def _run(name: str) -> str:
    """The name of a run in messages: "the run" if it is the only one and has no name."""
    return "the run" if name == "run" else f"the run {name!r}"


def _first_few(queries: Collection[Any]) -> str:
    return listing([repr(query) for _, query in zip(range(5), queries, strict=False)]) + (
        f" and {len(queries) - 5} more" if len(queries) > 5 else ""
    )


@dataclass(frozen=True, slots=True, eq=False)
class DictLists:
    """The lists of a run in dicts."""

    run: Nested
    policy: Policy

    def documents(self, query: object, depth: int) -> list[Any]:
        """The ids of a query's documents, best first."""
        scores = self.run.get(query) or self.run.get(str(query)) or {}
        return ids_best_first(list(scores), np.array(list(scores.values()), dtype=np.float64), self.policy)[:depth]


@dataclass(frozen=True, slots=True, eq=False)
class TableLists:
    """The lists of a run in a table."""

    queries: IdColumn
    starts: Ints
    ids: IdColumn
    scores: Floats
    policy: Policy

    def documents(self, query: object, depth: int) -> list[Any]:
        """The ids of a query's documents, best first."""
        queries = list(map(str, self.queries.to_list()))
        if str(query) not in queries:
            return []
        group = queries.index(str(query))
        rows = np.arange(*self.starts[group : group + 2])
        return ids_best_first(self.ids.gather(rows).to_list(), self.scores[rows], self.policy)[:depth]
