"""Holds what checks found, and prints the diagnosis."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rankgold.core.document import Document
from rankgold.core.errors import counted
from rankgold.core.result import Result, known_number

if TYPE_CHECKING:
    import polars


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


_EXIT_CODES = {"error": 2, "warning": 1, "note": 0}


class Diagnosis(Result):
    """All findings on a collection. It is false if there are none."""

    def __init__(self, findings: Sequence[Finding], rows_of_runs: Mapping[str, int], judgements: int) -> None:
        self.findings = sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))
        """The errors first, then the warnings and the notes."""
        self.rows_of_runs = dict(rows_of_runs)
        """Run -> the number of rows checked."""
        self.judgements = judgements
        """The number of judgements checked."""

    @property
    def exit_code(self) -> int:
        """0 if there are only notes, 1 with a warning, 2 with an error."""
        return max((_EXIT_CODES[finding.severity] for finding in self.findings), default=0)

    @property
    def summary(self) -> str:
        """The number of findings and of rows checked, in a sentence."""
        looked_over = counted(self.judgements, "judgement")
        if self.rows_of_runs:
            runs = counted(len(self.rows_of_runs), "run")
            looked_over += f" and {counted(sum(self.rows_of_runs.values()), 'row')} of {runs}"
        counts = Counter(finding.severity for finding in self.findings)
        kinds = [counted(counts[kind], kind) for kind in SEVERITIES if counts[kind]]
        return f"{', '.join(kinds) or 'Nothing wrong'} in {looked_over}"

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame: check, severity, run, what, example, effect, advice; `effect` is the largest movement."""
        import polars as pl

        texts = dict.fromkeys(("check", "severity", "run", "what", "example", "advice"), pl.String)
        rows = {name: [getattr(finding, name) for finding in self.findings] for name in texts}
        effects = [None if finding.effect is None else finding.effect.largest for finding in self.findings]
        return pl.DataFrame(rows, schema=texts).with_columns(effect=pl.Series(effects, dtype=pl.Float64).fill_nan(None))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers; a value that cannot be computed is None."""
        return {
            "findings": [finding.to_dict() for finding in self.findings],
            "exit_code": self.exit_code,
            "judgements": self.judgements,
            "runs": self.rows_of_runs,
        }

    def document(self, digits: int = 4) -> Document:
        """The summary, then each finding with its example, its effect and what to do. Effects have four digits."""
        return diagnosis_document(self)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)


def diagnosis_document(diagnosis: Diagnosis) -> Document:
    """A summary, then each finding, worst first."""
    return Document([], title=f"{diagnosis.summary}.", following=list(map(_finding_document, diagnosis.findings)))


def _finding_document(finding: Finding) -> Document:
    of_run = f", {finding.run}" if finding.run is not None else ""
    of_effect = ""
    if finding.effect is not None and finding.run is None:
        of_effect = f" ({finding.effect.run})"
    facts = [
        ("what", f"{finding.what}."),
        ("example", finding.example),
        ("effect", f"{finding.effect_line}{of_effect}."),
        ("do", finding.advice),
    ]
    return Document([], title=f"{finding.severity}: {finding.check}{of_run}", facts=facts)
