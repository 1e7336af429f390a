"""A measure and its derivation in, its values out, with every case decided that the formula leaves open."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from rankgold.derivation import Derivation
from rankgold.hits import SMALLEST_GRADE, Hits
from rankgold.kernels.segments import Bools, Floats

if TYPE_CHECKING:
    from rankgold.declaration.metric import Measure


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A measure's values, with every open case decided by the policy."""

    values: Floats
    undefined: Bools
    """The queries where the formula gives 0/0 and no other case of the policy applies."""
    without_relevant: Bools

    @classmethod
    def join(cls, parts: list[Outcome]) -> Outcome:
        """The outcomes of several batches as one."""
        if len(parts) == 1:
            return parts[0]
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))


def decide(measure: Measure, hits: Hits, derived: Derivation) -> Outcome:
    """The values of a measure with the open cases decided by the policy.

    A 0 given by the policy is meant as the worst value. For a measure where lower is better it would be the best, so
    such a measure keeps its own value of an empty ranking: k + 1 for frp@k, else undefined.
    """
    policy = hits.policy
    values = derived.values
    nothing = measure.without_relevant(hits, derived)
    if measure.higher_is_better and not measure.metric.defines_empty:
        values[hits.returned == 0] = 0.0
    if measure.higher_is_better or policy.no_relevant != "zero":
        values[nothing] = {"zero": 0.0, "one": 1.0, "undefined": np.nan, "skip": np.nan}[policy.no_relevant]
    undefined = np.isnan(values)
    if policy.no_relevant == "skip":
        undefined &= ~nothing
    if policy.undefined == "zero":
        values[undefined] = 0.0
    return Outcome(values, undefined, nothing)


def kept_queries(hits: Hits) -> Bools:
    """The queries that the policy does not leave out."""
    kept = np.ones(len(hits), dtype=bool)
    if hits.policy.missing == "skip":
        kept &= hits.returned > 0
    if hits.policy.no_relevant == "skip":
        kept &= hits.relevant(SMALLEST_GRADE) > 0
    return kept
