"""From Hits to Scores: measure, and let the policy decide what formulas leave open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from rankgold.declaration.metric import Measure, Metric
from rankgold.errors import MeasureError, PolicyError
from rankgold.hits import SMALLEST_GRADE, Contributions, Hits
from rankgold.kernels.segments import Bools, Floats
from rankgold.measures import parse
from rankgold.policy import Policy
from rankgold.scoring.scores import RunScores, Scores

DEFAULT_MEASURES = ("ndcg@10", "ap", "rr", "p@10", "r@100")

# Decided once the hits are there; all other fields of a policy are decided in matching.
_DECIDED_HERE = ("missing", "no_relevant", "undefined")


def measures_by_label(given: Any) -> dict[str, Measure]:
    """The measures by the text that was given for each."""
    if given is None:
        given = DEFAULT_MEASURES
    if isinstance(given, (str, Measure, Metric)):
        given = [given]
    if not isinstance(given, Iterable):
        raise MeasureError(f"Measures are a list such as ['ndcg@10', 'ap'], not {type(given).__name__}.")
    wanted = {(one.strip() if isinstance(one, str) else str(parse(one))): parse(one) for one in given}
    if not wanted:
        raise MeasureError("There is no measure. Name at least one, such as 'ndcg@10'.")
    return wanted


def under(hits: Hits, policy: Policy | str | None) -> Hits:
    """The hits with another policy, in so far as it is decided after matching."""
    if policy is None:
        return hits
    wanted = Policy.of(policy)
    for field in fields(Policy):
        if field.name not in _DECIDED_HERE and getattr(wanted, field.name) != getattr(hits.policy, field.name):
            raise PolicyError(
                f"These hits were matched with {field.name}={getattr(hits.policy, field.name)}, which cannot be changed"
                f" afterwards. Pass the policy to match, or to the function that made the hits."
            )
    return replace(hits, policy=wanted)


def scores_of(every: Iterable[Hits], measures: dict[str, Measure]) -> Scores:
    """The Scores of all runs, by the policy of their Hits."""
    runs = []
    policy = Policy()
    for hits in every:
        policy = hits.policy
        runs.append(run_scores(hits, measures))
    return Scores(runs, measures, policy)


def run_scores(hits: Hits, measures: dict[str, Measure]) -> RunScores:
    kept = _kept(hits)
    known = _decided(hits, list(dict.fromkeys(measures.values())))
    values = {label: known[measure].values[kept] for label, measure in measures.items()}
    means = {label: measures[label].metric.aggregate(column[~np.isnan(column)]) for label, column in values.items()}
    undefined = {label: int(known[measure].undefined[kept].sum()) for label, measure in measures.items()}
    nothing = np.any([one.without_relevant for one in known.values()], axis=0)
    notes = replace(
        hits.notes,
        undefined={label: count for label, count in undefined.items() if count},
        without_relevant=_names(hits, nothing),
    )
    return RunScores(hits.name, list(_names(hits, kept)), values, means, notes)


def _decided(hits: Hits, measures: list[Measure]) -> dict[Measure, Decided]:
    """The values of all queries, worked out for a few queries at a time."""
    parts: dict[Measure, list[Decided]] = {measure: [] for measure in measures}
    for few in hits.batches():
        for measure, known in parts.items():
            known.append(decided(measure, few, measure(few)))
    return {measure: Decided.joined(known) for measure, known in parts.items()}


def _names(hits: Hits, which: Bools) -> tuple[Any, ...]:
    return tuple(hits.queries if which.all() else (hits.queries[i] for i in np.flatnonzero(which).tolist()))


def _kept(hits: Hits) -> Bools:
    """Which queries the policy does not leave out altogether."""
    kept = np.ones(len(hits), dtype=bool)
    if hits.policy.missing == "skip":
        kept &= hits.returned > 0
    if hits.policy.no_relevant == "skip":
        kept &= hits.relevant(SMALLEST_GRADE) > 0
    return kept


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """A measure's values with every open case decided by the policy."""

    values: Floats
    undefined: Bools
    """Where the formula gives 0/0 and no other case of the policy applies."""
    without_relevant: Bools

    @classmethod
    def joined(cls, parts: list[Decided]) -> Decided:
        """One after the other."""
        if len(parts) == 1:
            return parts[0]
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))


def decided(measure: Measure, hits: Hits, contributions: Contributions) -> Decided:
    """What the policy makes of a measure's values.

    A 0 given by the policy is the worst value. Where lower is better it would be the best, so such a measure keeps
    what it makes of an empty ranking: k + 1 for frp@k, else undefined.
    """
    policy = hits.policy
    values = contributions.values
    nothing = measure.without_relevant(hits, contributions)
    if measure.higher_is_better:
        values[hits.returned == 0] = 0.0
    if measure.higher_is_better or policy.no_relevant != "zero":
        values[nothing] = {"zero": 0.0, "one": 1.0, "undefined": np.nan, "skip": np.nan}[policy.no_relevant]
    undefined = np.isnan(values)
    if policy.no_relevant == "skip":
        undefined &= ~nothing
    if policy.undefined == "zero":
        values[undefined] = 0.0
    return Decided(values, undefined, nothing)
