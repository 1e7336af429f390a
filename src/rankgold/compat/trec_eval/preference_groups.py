"""The preferences of a judge and the ranks of documents in, how many preferences there are and are fulfilled out.

A judge prefers one document to another. A preference is fulfilled if the better document stands above the other, or is
the only one of the two that was retrieved. In miniature: a is preferred to b and to c, and the run has b, a. Of two
preferences one is fulfilled, a over c.

A group of preferences is what one judge had in mind at one time. It may consist of several sets of documents, each with
levels; what follows from two of them, such as a over c from a over b and b over c, is a preference, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rankgold.compat.trec_eval.preference_file import Preference
from rankgold.errors import DataError, brief
from rankgold.kernels.segments import Bools, Floats


@dataclass(frozen=True, slots=True, eq=False)
class PreferenceGroup:
    """The preferences of one group of one query.

    Judged documents stand in the order of the ranking, those that were not retrieved after them.
    """

    better: Bools
    """Whether the document of a row is preferred to that of a column."""
    level: Floats
    """The level of each document; NaN for documents of other groups."""
    retrieved: int
    """The number of judged documents that were retrieved."""
    is_one_set: bool

    @classmethod
    def of(
        cls, preferences: Sequence[Preference], place: Mapping[str, int], retrieved: int, query: str
    ) -> PreferenceGroup:
        better = np.zeros((len(place), len(place)), dtype=bool)
        level = np.full(len(place), np.nan)
        by_set: dict[str, list[Preference]] = {}
        for preference in preferences:
            by_set.setdefault(preference.members, []).append(preference)
        for members in by_set.values():
            levels = np.array([preference.level for preference in members])
            row = np.array([place[preference.document] for preference in members])
            better[np.ix_(row, row)] |= levels[:, None] > levels
            level[row] = levels
        better = _transitive_closure(better)
        if (better & better.T).any():
            raise DataError(
                f"query {brief(query)} prefers a document to another and the other way round, in one group."
            ).with_exit_code(4)
        return cls(better, level, retrieved, len(by_set) == 1)

    def fulfilled(self, *, both: bool) -> int:
        """How many preferences are fulfilled; with `both`, both documents were retrieved."""
        end = self.retrieved if both else None
        return int(np.triu(self.better)[: self.retrieved, :end].sum())

    def possible(self, which: str) -> int:
        """How many preferences there are: between documents that were retrieved, of which one was, or all."""
        n = self.retrieved
        if which == "ret":
            return int(self.better[:n, :n].sum())
        missed = self.better[n:, n:].sum() if which == "imp" else 0
        return int(self.better.sum() - missed)

    def with_few_not_relevant(self, *, both: bool) -> tuple[int, int]:
        """How many preferences are fulfilled and possible, with as many documents of level 0 as of higher levels.

        If there are fewer, the missing ones are preferences that are fulfilled by each relevant document; if there are
        more, only the first of them count. With `both`, only documents that were retrieved.
        """
        end = self.retrieved if both else None
        relevant, others = int((self.level[:end] > 0).sum()), int((self.level[:end] <= 0).sum())
        if relevant >= others:
            more = relevant - others
            found = int((self.level[: self.retrieved] > 0).sum())
            wanted = int((self.level > 0).sum())
            return (
                self.fulfilled(both=both) + found * more,
                self.possible("ret" if both else "") + wanted * more,
            )
        return self._in_one_set(relevant, both) if self.is_one_set else self._in_several_sets(both)

    def _in_one_set(self, relevant: int, both: bool) -> tuple[int, int]:
        """trec_eval counts here also pairs of two documents that are not relevant, the second one among the first."""
        end = self.retrieved if both else len(self.level)
        lowest = np.nanmin(self.level)
        last = np.flatnonzero(self.level == lowest)[:relevant]
        last = last[last < end]
        member = np.flatnonzero(~np.isnan(self.level[:end]))
        above = np.argwhere(self.better[:end, :end] & (self.level[:end] > lowest))
        pairs = np.concatenate([above, np.array([(i, j) for i in member for j in last]).reshape(-1, 2)])
        is_fulfilled = (pairs[:, 0] < pairs[:, 1]) & (pairs[:, 0] < self.retrieved)
        return int(is_fulfilled.sum()), len(pairs)

    def _in_several_sets(self, both: bool) -> tuple[int, int]:
        end = self.retrieved if both else len(self.level)
        wanted = int((self.level > 0).sum())
        first = np.flatnonzero(self.level[:end] == 0)
        counts = np.ones(end, dtype=bool)
        counts[first[wanted:]] = False
        better = self.better[:end, :end] & counts & counts[:, None]
        return int(np.triu(better)[: self.retrieved].sum()), int(better.sum())


def _transitive_closure(better: Bools) -> Bools:
    while True:
        longer = better | (better.astype(np.int64) @ better.astype(np.int64) > 0)
        if (longer == better).all():
            return better
        better = longer
