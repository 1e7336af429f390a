"""Preferences between documents and a line of trec_eval in, the value of each query out.

A judge prefers one document to another. A preference is fulfilled if the better document stands above the other, or is
the only one of the two that was retrieved. In miniature: a is preferred to b and to c, and the run has b, a. Of two
preferences one is fulfilled, a over c.

A group of preferences is what one judge had in mind at one time. It may consist of several sets of documents, each with
levels; what follows from two of them, such as a over c from a over b and b over c, is a preference, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgold.compat.trec_eval.names import Line
from rankgold.errors import DataError, brief
from rankgold.kernels.segments import Bools, Ints


@dataclass(frozen=True, slots=True)
class Preference:
    """A line of the file: a document and its level, in a set of documents of a group."""

    group: str
    members: str
    document: str
    level: float


@dataclass(frozen=True, slots=True, eq=False)
class QueryPreferences:
    """The preferences of one query: for each group, whether the document of a row is preferred to that of a column.

    Judged documents stand in the order of the ranking, those that were not retrieved after them.
    """

    groups: list[Bools]
    retrieved: int
    """The number of judged documents that were retrieved."""

    @classmethod
    def of(cls, preferences: Sequence[Preference], ranked: Sequence[str], query: Any) -> QueryPreferences:
        judged = {preference.document for preference in preferences}
        found = [document for document in ranked if document in judged]
        missed = sorted(judged.difference(found), key=str.encode)
        place = {document: number for number, document in enumerate((*found, *missed))}
        by_group: dict[str, list[Preference]] = {}
        for preference in preferences:
            by_group.setdefault(preference.group, []).append(preference)
        return cls([_matrix(group, place, query) for _, group in sorted(by_group.items())], len(found))

    def fulfilled(self, *, both: bool) -> Ints:
        """How many preferences of each group are fulfilled; with `both`, both documents were retrieved."""
        end = self.retrieved if both else None
        return np.array([np.triu(group)[: self.retrieved, :end].sum() for group in self.groups])

    def possible(self, which: str) -> Ints:
        """How many preferences each group has: between documents that were retrieved, of which one was, or all."""
        n = self.retrieved
        if which == "ret":
            return np.array([group[:n, :n].sum() for group in self.groups])
        missed = [group[n:, n:].sum() if which == "imp" else 0 for group in self.groups]
        counted: Ints = np.array([group.sum() for group in self.groups]) - missed
        return counted

    def pairs(self, which: str) -> float:
        """The mean over pairs of documents of the share of judges whose preference is fulfilled."""
        counts = np.sum(self.groups, axis=0)
        n, size = self.retrieved, len(counts)
        above, below = np.triu(counts), np.tril(counts).T
        is_pair = (above + below) > 0
        if which != "":
            is_pair[n:] = False
        if which == "ret":
            is_pair[:, n:] = False
        share = np.divide(above, above + below, out=np.zeros((size, size)), where=is_pair)
        share[n:] = 0
        return float(share.sum() / is_pair.sum()) if is_pair.any() else 0.0


def _matrix(group: Sequence[Preference], place: dict[str, int], query: Any) -> Bools:
    better = np.zeros((len(place), len(place)), dtype=bool)
    by_set: dict[str, list[Preference]] = {}
    for preference in group:
        by_set.setdefault(preference.members, []).append(preference)
    for members in by_set.values():
        level = np.array([preference.level for preference in members])
        row = np.array([place[preference.document] for preference in members])
        better[np.ix_(row, row)] |= level[:, None] > level
    while True:
        longer = better | (better.astype(np.int64) @ better.astype(np.int64) > 0)
        if (longer == better).all():
            break
        better = longer
    if (better & better.T).any():
        raise DataError(f"query {brief(query)} prefers a document to another and the other way round, in one group.")
    return better


@dataclass(frozen=True, slots=True)
class PreferenceValues:
    """The values of measures over preferences."""

    judged: dict[Any, list[Preference]]
    ranked: dict[Any, list[str]]
    tag: str

    def queries(self, *, complete: bool) -> list[Any]:
        return sorted((q for q in self.judged if complete or q in self.ranked), key=lambda q: str(q).encode())

    def values(self, line: Line) -> dict[Any, float]:
        return {
            query: _value(line.name.name, QueryPreferences.of(preferences, self.ranked.get(query, ()), query))
            for query, preferences in self.judged.items()
        }

    def texts(self, line: Line) -> dict[Any, str]:
        return {}

    def total(self, line: Line) -> float | None:
        return None


def _value(name: str, preferences: QueryPreferences) -> float:
    if name == "num_q":
        return 1.0
    if name == "prefs_num_prefs_poss":
        return float(preferences.possible("").sum())
    if name.startswith("prefs_num_prefs_ful"):
        return float(preferences.fulfilled(both=name.endswith("_ret")).sum())
    kind, _, which = name.removeprefix("prefs_").partition("_")
    if kind == "pair":
        return preferences.pairs(which)
    fulfilled, possible = preferences.fulfilled(both=which == "ret"), preferences.possible(which)
    if kind == "simp":
        return float(fulfilled.sum() / possible.sum()) if possible.sum() else 0.0
    shares = np.divide(fulfilled, possible, out=np.zeros(len(fulfilled)), where=possible > 0)
    return float(shares.mean())
