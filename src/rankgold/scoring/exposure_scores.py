"""Lists of items and measures in, scores out: a value for each user where a measure has one, and one for all lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.errors import DataError
from rankgold.listed_items import ListedItems, ListNotes, ListValues, MissingFactError
from rankgold.policy import Policy
from rankgold.scoring.scores import RunScores, Scores


def score_lists(
    runs: Iterable[tuple[str, ListedItems, ListNotes]], measures: dict[str, Measure], policy: Policy
) -> Scores:
    """The scores of every run, each with its lists and notes."""
    return Scores([_score(name, lists, notes, measures, policy) for name, lists, notes in runs], measures, policy)


def _score(name: str, lists: ListedItems, notes: ListNotes, measures: dict[str, Measure], policy: Policy) -> RunScores:
    known = {}
    for measure in dict.fromkeys(measures.values()):
        known[measure], remarks = _values(measure, lists)
        notes = replace(notes, remarks=tuple(dict.fromkeys((*notes.remarks, *remarks))))
    values, means, undefined = {}, {}, {}
    for label, measure in measures.items():
        found = known[measure]
        column = found.users.copy()
        if found.together is None:
            undefined[label] = int(np.isnan(column).sum())
            if policy.undefined == "zero":
                column = np.nan_to_num(column, nan=0.0)
        values[label] = column
        means[label] = measure.metric.aggregate(column) if found.together is None else found.together
    notes = replace(notes, undefined={label: count for label, count in undefined.items() if count})
    return RunScores(name, list(lists.users), values, means, notes)


def _values(measure: Measure, lists: ListedItems) -> tuple[ListValues, tuple[str, ...]]:
    """The values of a measure, and a remark if it needs a catalogue, and that is the items of the training set."""
    try:
        return measure.formula(lists), ()
    except MissingFactError:
        try:
            of_train = lists.with_catalogue_of_train()
            values = measure.formula(of_train)
            items = f"{int(of_train.in_catalogue.sum()):,} items"
            return values, (f"the catalogue is the {items} of train. Pass items= for another one",)
        except MissingFactError as missing:
            raise DataError(f"{measure} needs {missing}.") from None
