"""Judgements in arrays in, the Hits of any run out: prepared once, for any number of runs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgold.errors import MatchError, listing
from rankgold.hits import Hits, Ids, Notes, NumberSpan, Ranking, ReturnedLists
from rankgold.kernels.segments import Bools, Floats, Ints
from rankgold.matching.ranks import Places
from rankgold.policy import Policy

IDS_AS_TEXT = "ids are integers on one side and text on the other: all were compared as text"
NOTHING_EXCLUDED = "exclude takes out nothing: the run ranks none of its documents. Check that the ids are the same"


@dataclass(frozen=True, slots=True, eq=False)
class Retrieval:
    """What a run retrieved of the judged documents."""

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
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, queries: Sequence[Any], query: Ints, grade: Floats, documents: Ids | None, remarks: tuple[str, ...] = ()
    ) -> Judgements:
        """Judgements in arrays that are sorted by query."""
        row = np.arange(len(query), dtype=np.int64)
        ideal = Ranking(query, row, grade, len(queries), row, documents).in_best_order()
        return cls(queries, query, grade, documents, ideal, NumberSpan.of(grade), remarks)

    @property
    def max_grade(self) -> float:
        """The highest grade, at least 0."""
        return float(self.grade.max(initial=0.0))

    def hits(self, retrieval: Retrieval, policy: Policy, name: str = "run") -> Hits:
        """The Hits of a run that retrieved these documents."""
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
            unjudged=retrieved - len(judgement),
            negative_grades=int(np.count_nonzero(self.grade < 0)),
            partial_grades=0 if self.span.whole else int(np.count_nonzero((self.grade > 0) & (self.grade < 1))),
            grades=self.span,
            scores=NumberSpan() if retrieval.score is None else NumberSpan.of(retrieval.score),
            tied_hits=int(np.count_nonzero(places.tied > 1)),
            moved_at_32_bits=retrieval.moved_at_32_bits,
            remarks=self.remarks + retrieval.remarks,
            excluded=retrieval.excluded,
        )
        system = places.rank(ranking)
        return Hits(self.queries, system, self.ideal, returned, self.max_grade, policy, notes, name, retrieval.lists)

    def _names(self, which: Bools) -> tuple[Any, ...]:
        return tuple(self.queries[i] for i in np.flatnonzero(which).tolist())


def with_exclusion_remark(hits: Hits) -> Hits:
    """The hits of a run from which documents should be taken out, with a remark if there were none."""
    if hits.notes.excluded:
        return hits
    return replace(hits, notes=replace(hits.notes, remarks=(*hits.notes.remarks, NOTHING_EXCLUDED)))


def check_overlap(common: int, judged: Collection[Any], unjudged: Collection[Any], policy: Policy) -> None:
    """Raises an error if a run has no judged query, or has unjudged queries that the policy does not allow."""
    if not common:
        raise MatchError(
            f"the run has no query in common with the judgements. Judged: {_first_few(judged)}."
            f" Ranked: {_first_few(unjudged)}."
            " Check that both files belong to the same collection and that the columns are the right ones."
        )
    if unjudged and policy.unjudged_queries == "error":
        raise MatchError(
            f"the run ranks queries without judgements: {_first_few(unjudged)}."
            " Judge them, remove them, or pass policy='unjudged_queries=skip'."
        )


def _first_few(queries: Collection[Any]) -> str:
    return listing([repr(query) for _, query in zip(range(5), queries, strict=False)]) + (
        f" and {len(queries) - 5} more" if len(queries) > 5 else ""
    )
