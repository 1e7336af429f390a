"""Scores preferences between documents.

A judge prefers one document to another. A preference is fulfilled if the better document stands above the other, or is
the only one of the two that was retrieved. In miniature: a is preferred to b and to c, and the run has b, a. Of two
preferences one is fulfilled, a over c.

A group of preferences is what one judge had in mind at one time. It may consist of several sets of documents, each with
levels; what follows from two of them, such as a over c from a over b and b over c, is a preference, too.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from rankgold.compat.trec_eval.gain_values import over
from rankgold.compat.trec_eval.lenient_files import finite_number, rows
from rankgold.compat.trec_eval.measure_lines import Line
from rankgold.compat.trec_eval.printed_queries import ValuesOfQueries
from rankgold.core.errors import DataError, brief
from rankgold.core.segments import Bools, Floats, sum_in_order

_FIELDS = {
    "prefs": ("query", "group", "set", "document", "level"),
    "qrels_prefs": ("query", "group", "document", "level"),
    "qrels_jg": ("query", "group", "document", "level"),
}


@dataclass(frozen=True, slots=True)
class Preference:
    """A line of the file: a document and its level, in a set of documents of a group."""

    group: str
    members: str
    document: str
    level: float


def read_preferences(path: str | os.PathLike[str], format: str) -> dict[str, list[Preference]]:
    """The lines of each query."""
    by_query: dict[str, list[Preference]] = {}
    for place, (query, group, *members, document, level) in rows(path, _FIELDS[format]):
        preference = Preference(group, "".join(members), document, finite_number(level, place))
        by_query.setdefault(query, []).append(preference)
    if not by_query:
        raise DataError("there are no judgements.", os.fspath(path))
    return by_query


def judgements_of_groups(path: str | os.PathLike[str]) -> pl.DataFrame:
    """The grades of several judges: group, query, document and grade."""
    seen: set[tuple[str, str, str]] = set()
    found = []
    for query, preferences in read_preferences(path, "qrels_jg").items():
        for preference in preferences:
            row = preference.group, query, preference.document
            if row in seen:
                raise DataError(
                    f"group {row[0]!r} judges document {row[2]!r} of query {query!r} twice. Remove one.",
                    os.fspath(path),
                )
            seen.add(row)
            found.append((*row, math.trunc(preference.level)))
    return pl.DataFrame(found, schema=["group", "query", "document", "grade"], orient="row").sort(
        "group", maintain_order=True
    )


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


@dataclass(frozen=True)
class PreferenceValues(ValuesOfQueries):
    """The values of measures over preferences."""

    preferences: Mapping[str, list[Preference]]
    lists: Mapping[str, list[str]]
    """The documents of each query, from the top down."""

    @cached_property
    def _groups(self) -> dict[str, list[PreferenceGroup]]:
        return {
            query: _groups(preferences, self.lists[query], query)
            for query, preferences in self.preferences.items()
            if query in self.lists
        }

    def values(self, line: Line) -> dict[str, float]:
        return {
            query: _value(line.entry.name, self._groups[query]) if query in self._groups else 0.0
            for query in self.preferences
        }


def _groups(preferences: Sequence[Preference], ranked: Sequence[str], query: str) -> list[PreferenceGroup]:
    judged = {preference.document for preference in preferences}
    found = [document for document in ranked if document in judged]
    missed = sorted(judged.difference(found), key=str.encode)
    place = {document: number for number, document in enumerate((*found, *missed))}
    by_group: dict[str, list[Preference]] = {}
    for preference in preferences:
        by_group.setdefault(preference.group, []).append(preference)
    in_order = sorted(by_group.items(), key=lambda item: item[0].encode())
    return [PreferenceGroup.of(group, place, len(found), query) for _, group in in_order]


def _value(name: str, groups: Sequence[PreferenceGroup]) -> float:
    if name == "num_q":
        return 1.0
    if name == "prefs_num_prefs_poss":
        return float(sum(group.possible("") for group in groups))
    if name.startswith("prefs_num_prefs_ful"):
        return float(sum(group.fulfilled(both=name.endswith("_ret")) for group in groups))
    kind, _, which = name.removeprefix("prefs_").partition("_")
    if kind == "pair":
        return _mean_of_pairs(groups, which)
    both = which.endswith("ret")
    if which.startswith("Rnonrel"):
        total = sum_in_order(over(*group.with_few_not_relevant(both=both)) for group in groups)
        return total / len(groups) if total > 0 else 0.0
    counts = [(group.fulfilled(both=both), group.possible(which)) for group in groups]
    if kind == "simp":
        possible = sum(possible for _, possible in counts)
        return sum(fulfilled for fulfilled, _ in counts) / possible if possible else 0.0
    return sum_in_order(fulfilled / possible for fulfilled, possible in counts if possible) / len(groups)


def _mean_of_pairs(groups: Sequence[PreferenceGroup], which: str) -> float:
    """The mean over pairs of documents of the share of judges whose preference is fulfilled."""
    counts = np.sum([group.better for group in groups], axis=0)
    n, size = groups[0].retrieved, len(counts)
    above, below = np.triu(counts), np.tril(counts).T
    is_pair = (above + below) > 0
    if which != "":
        is_pair[n:] = False
    if which == "ret":
        is_pair[:, n:] = False
    share = np.divide(above, above + below, out=np.zeros((size, size)), where=is_pair)
    share[n:] = 0
    # First the pairs that were retrieved, then those of which one was, as trec_eval adds them.
    total = sum_in_order([*share[:, :n].ravel().tolist(), *share[:, n:].ravel().tolist()])
    return total / int(is_pair.sum()) if is_pair.any() else 0.0
