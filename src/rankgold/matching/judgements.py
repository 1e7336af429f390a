"""Judgements made ready to be matched: once, for however many runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgold.hits import Hits, Ids, Notes, Ranking
from rankgold.kernels.segments import Bools, Floats, Ints
from rankgold.matching.ranks import Places
from rankgold.policy import Policy


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The judged documents of every query, query by query, and the ideal ranking that they make."""

    queries: Sequence[Any]
    query: Ints
    grade: Floats
    documents: Ids | None
    ideal: Ranking
    max_grade: float
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        queries: Sequence[Any],
        query: Ints,
        grade: Floats,
        documents: Ids | None,
        remarks: tuple[str, ...] = (),
    ) -> Judged:
        """Judgements in arrays that are sorted by query."""
        row = np.arange(len(query), dtype=np.int64)
        ideal = Ranking(query, row, grade, len(queries), row, documents).in_best_order()
        return cls(queries, query, grade, documents, ideal, float(grade.max(initial=0.0)), remarks)

    def hits(
        self,
        rows: Ints,
        score: Floats | None,
        places: Places,
        returned: Ints,
        policy: Policy,
        name: str = "run",
        unjudged_queries: tuple[Any, ...] = (),
        remarks: tuple[str, ...] = (),
    ) -> Hits:
        """The Hits of a run that retrieved the judged documents of these rows at these places."""
        query = self.query[rows]
        system = places.ranking(
            Ranking(query, places.first_rank, self.grade[rows], len(self.queries), rows, self.documents, score)
        )
        retrieved = int(returned.sum())
        notes = Notes(
            queries=len(self.queries),
            without_ranking=self._names(returned == 0),
            without_judgements=unjudged_queries,
            without_relevant=self._names(np.bincount(self.query[self.grade > 0], minlength=len(self.queries)) == 0),
            retrieved=retrieved,
            unjudged_share=1 - len(rows) / retrieved if retrieved else float("nan"),
            negative_grades=int(np.count_nonzero(self.grade < 0)),
            tied_hits=int(np.count_nonzero(places.tied > 1)),
            remarks=self.remarks + remarks,
        )
        return Hits(self.queries, system, self.ideal, returned, self.max_grade, policy, notes, name)

    def _names(self, which: Bools) -> tuple[Any, ...]:
        return tuple(self.queries[i] for i in np.flatnonzero(which).tolist())
