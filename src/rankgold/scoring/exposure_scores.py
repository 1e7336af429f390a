"""Lists of items and measures in, scores out: a value for each user where a measure has one, and one for all lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.derivation import Derivation
from rankgold.errors import DataError
from rankgold.kernels.segments import Floats
from rankgold.listed_items import ListedItems, ListNotes, MissingFactError
from rankgold.policy import Policy
from rankgold.scoring.explained_scores import ExplainedScores, Explainer
from rankgold.scoring.run_scores import RunScores


def score_lists(
    runs: Iterable[tuple[str, ListedItems, ListNotes]],
    measures: dict[str, Measure],
    policy: Policy,
    explainer: Explainer | None = None,
) -> ExplainedScores:
    """The scores of every run, each with its lists and notes."""
    scored = [_score(name, lists, notes, measures, policy) for name, lists, notes in runs]
    return ExplainedScores(scored, measures, policy, explainer=explainer)


def _score(name: str, lists: ListedItems, notes: ListNotes, measures: dict[str, Measure], policy: Policy) -> RunScores:
    known = {}
    remarks = list(notes.remarks)
    for measure in dict.fromkeys(measures.values()):
        derived, more = derived_values(measure, lists)
        known[measure] = decided_values(derived, policy)
        remarks += more
    values, means, undefined = {}, {}, {}
    for label, measure in measures.items():
        users, together, count = known[measure]
        values[label] = users.copy()
        means[label] = measure.metric.aggregate(users) if together is None else together
        if count:
            undefined[label] = count
    notes = replace(notes, undefined=undefined, remarks=tuple(dict.fromkeys(remarks)))
    return RunScores(name, list(lists.users), values, means, notes)


def derived_values(measure: Measure, lists: ListedItems) -> tuple[Derivation, tuple[str, ...]]:
    """The values of a measure with their terms, and remarks.

    If the measure needs a catalogue and there is none, that is the items of the training set.
    """
    try:
        values: Derivation = measure.formula(lists)
        return values, values.remarks
    except MissingFactError:
        try:
            of_train = lists.with_catalogue_of_train()
            values = measure.formula(of_train)
            items = f"{int(of_train.in_catalogue.sum()):,} items"
            return values, (*values.remarks, f"the catalogue is the {items} of train. Pass items= for another one")
        except MissingFactError as missing:
            raise DataError(f"{measure} needs {missing}.") from None


def decided_values(derived: Derivation, policy: Policy) -> tuple[Floats, float | None, int]:
    """The values of the users under a policy, that of all lists together, and for how many users it is undefined."""
    users, together = derived.values, derived.together
    if together is not None:
        return users, together, 0
    undefined = np.isnan(users)
    if derived.left_out is not None:
        undefined &= ~derived.left_out
    if policy.undefined == "zero":
        users = np.where(undefined, 0.0, users)
    return users, None, int(undefined.sum())
