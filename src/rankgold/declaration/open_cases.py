"""A measure and its derivation in, its values out, with every case decided that the formula leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rankgold.derivation import Derivation, Matched
from rankgold.kernels.segments import Bools, Floats

if TYPE_CHECKING:
    from rankgold.declaration.metric import Measure


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A measure's values, with every open case decided by the policy."""

    values: Floats
    undefined: Bools
    """The queries where the formula gives 0/0 and no other case of the policy applies."""
    unranked: Bools
    without_relevant: Bools
    together: float | None = None
    """The value of all lists together, of a measure that has one."""
    remarks: tuple[str, ...] = ()

    @classmethod
    def join(cls, parts: list[Outcome]) -> Outcome:
        """The outcomes of several batches as one. What has a value of all lists comes in one batch."""
        if len(parts) == 1:
            return parts[0]
        names = ("values", "undefined", "unranked", "without_relevant")
        values, undefined, unranked, nothing = (
            np.concatenate([getattr(part, name) for part in parts]) for name in names
        )
        return cls(values, undefined, unranked, nothing)


def decide(measure: Measure, matched: Matched, derived: Derivation) -> Outcome:
    """The values of a measure with the open cases decided by the policy.

    A 0 given by the policy is meant as the worst value. For a measure where lower is better it would be the best, so
    such a measure keeps its own value of an empty ranking: k + 1 for frp@k, else undefined.
    """
    policy = matched.policy
    values = derived.values
    unranked, nothing = matched.cases(measure, derived)
    if measure.higher_is_better and not measure.metric.defines_empty:
        values[unranked] = 0.0
    if measure.higher_is_better or policy.no_relevant != "zero":
        values[nothing] = {"zero": 0.0, "one": 1.0, "undefined": np.nan, "skip": np.nan}[policy.no_relevant]
    undefined = np.isnan(values)
    if policy.no_relevant == "skip":
        undefined &= ~nothing
    if derived.left_out is not None:
        undefined &= ~derived.left_out
    if policy.undefined == "zero":
        values[undefined] = 0.0
    return Outcome(values, undefined, unranked, nothing, derived.together, derived.remarks)
