"""Preferences between documents and a line of trec_eval in, the value of each query out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankgold.compat.trec_eval.gain_values import over
from rankgold.compat.trec_eval.lines import Line
from rankgold.compat.trec_eval.preference_file import Preference
from rankgold.compat.trec_eval.preference_groups import PreferenceGroup
from rankgold.compat.trec_eval.printed_queries import ValuesOfQueries
from rankgold.kernels.segments import sum_in_order


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
