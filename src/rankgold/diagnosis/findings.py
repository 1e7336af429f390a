"""What a check returns: a finding with an example, how far it moves the measures, and what to do."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rankgold.output.result_forms import known_number

Severity = Literal["error", "warning", "note"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""The worst first."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The means of a run as the data are, and with one change."""

    change: str
    """What was changed: "with ties=ascending"."""
    run: str
    values: Mapping[str, tuple[float, float]]
    """Measure -> mean as the data are, NaN where they cannot be evaluated, and mean with the change."""

    @property
    def largest(self) -> float:
        """The largest change in a mean; NaN if there is nothing to compare."""
        moved = [abs(after - before) for before, after in self.values.values()]
        return max((amount for amount in moved if not math.isnan(amount)), default=math.nan)

    @property
    def line(self) -> str:
        """The measures that change, in words."""
        if all(math.isnan(number) for pair in self.values.values() for number in pair):
            return f"not measured: evaluate refuses the data, and {self.change} too"
        if all(math.isnan(before) for before, _ in self.values.values()):
            return f"{self._listed(self.values)} {self.change}; without, evaluate refuses the data"
        moved = {label: pair for label, pair in self.values.items() if f"{pair[0]:.4f}" != f"{pair[1]:.4f}"}
        if not moved:
            return f"none of {', '.join(self.values)} moves {self.change}"
        return f"{self._listed(moved)} {self.change}"

    def _listed(self, values: Mapping[str, tuple[float, float]]) -> str:
        def shown(before: float, after: float) -> str:
            then = "nothing" if math.isnan(after) else f"{after:.4f}"
            return then if math.isnan(before) else f"{before:.4f} -> {then}"

        return ", ".join(f"{label} {shown(*pair)}" for label, pair in values.items())

    def to_dict(self) -> dict[str, Any]:
        measures = {
            label: {
                "before": known_number(before),
                "after": known_number(after),
                "difference": known_number(after - before),
            }
            for label, (before, after) in self.values.items()
        }
        return {"change": self.change, "run": self.run, "measures": measures}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in the data that makes scores wrong, or less certain than they look."""

    severity: Severity
    what: str
    """What is wrong, and how much of it there is."""
    example: str
    """The first such case: a place, a query, ids."""
    advice: str
    """What to do."""
    effect: Effect | None = None
    """How the change affects the measures; None without a run to measure with."""
    run: str | None = None
    """The run concerned; None for the judgements or all runs."""
    check: str = ""
    """The name of the check."""
    unmeasured: str = "there is no run that can be evaluated"
    """Why there is no effect, if there is none."""

    @property
    def effect_line(self) -> str:
        return f"not measured: {self.unmeasured}" if self.effect is None else self.effect.line

    def to_dict(self) -> dict[str, Any]:
        return {
            "check": self.check,
            "severity": self.severity,
            "run": self.run,
            "what": self.what,
            "example": self.example,
            "effect": None if self.effect is None else self.effect.to_dict(),
            "advice": self.advice,
        }


WORTH_A_FINDING = 0.005
"""Smallest change in a mean that is reported for common causes such as ties."""


def is_worth_a_finding(effect: Effect) -> bool:
    return effect.largest >= WORTH_A_FINDING


def agreed(count: int, singular: str, plural: str) -> str:
    """The form of a verb for a number of things."""
    return singular if count == 1 else plural
