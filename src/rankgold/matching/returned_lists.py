"""A run in, the ids of a query's documents in the order of the run out, with those that are not judged.

Measures need none of it. Plots name unjudged documents with it, and `what_if` moves documents in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgold.data.ids import IdColumn
from rankgold.data.rows import Nested
from rankgold.kernels.segments import Floats, Ints
from rankgold.matching.best_order import ids_best_first
from rankgold.policy import Policy


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
