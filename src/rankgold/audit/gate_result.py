"""Prints a check as text, tables, JSON and JUnit XML."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from rankgold.audit.thresholds import Threshold
from rankgold.core.document import Cell, Document, ResultTable, check_digits, plain
from rankgold.core.errors import counted
from rankgold.core.result import Result, known_number, record_frame
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True)
class WorstQuery:
    """A query that made a check fail, and the documents behind it."""

    query: Any
    value: float
    before: float
    """NaN if there is no baseline."""
    sentence: str
    text: str = ""
    """The text of the query, if it is known."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "query": self.query,
            **({"text": self.text} if self.text else {}),
            "value": known_number(self.value),
            "before": known_number(self.before),
            "sentence": self.sentence,
        }

    def __str__(self) -> str:
        return f"{self.sentence} [{self.text}]" if self.text else self.sentence


@dataclass(frozen=True, slots=True)
class ThresholdFinding:
    """One threshold, for all queries or for those of a slice."""

    threshold: Threshold
    holds: bool
    reason: str
    value: float
    before: float = math.nan
    """The mean of the baseline; NaN if the threshold does not look at one."""
    p: float = math.nan
    """The corrected p-value of the difference, if only significant ones count."""
    queries: int = 0
    slice: str = ""
    """The slice, such as device=mobile; empty for all queries."""
    worst: Sequence[WorstQuery] = ()

    @property
    def name(self) -> str:
        return f"{self.threshold} [{self.slice}]" if self.slice else str(self.threshold)

    @property
    def is_chance(self) -> bool:
        """True if it holds only because the drop may be chance."""
        return self.holds and self.threshold.is_crossed(self.before, self.value)

    @property
    def sentence(self) -> str:
        """The reason, with the slice it is about."""
        return f"{self.slice}: {self.reason}" if self.slice else self.reason

    def to_dict(self) -> dict[str, Any]:
        return {
            "check": self.threshold.kind,
            "measure": str(self.threshold.measure),
            "limit": self.threshold.limit,
            "slice": self.slice or None,
            "holds": self.holds,
            "value": known_number(self.value),
            "before": known_number(self.before),
            "p": known_number(self.p),
            "queries": self.queries,
            "reason": self.reason,
            "worst": [query.to_dict() for query in self.worst],
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Check(Result):
    """The result of a check: a finding for each threshold, with the reason if it fails."""

    findings: Sequence[ThresholdFinding]
    scores: Scores
    """Of the run that was checked."""
    baseline: str | None = None
    """The name of the run that it was compared with."""
    doubts: Sequence[str] = ()

    @property
    def holds(self) -> bool:
        """True if all thresholds hold."""
        return all(finding.holds for finding in self.findings)

    @property
    def failures(self) -> list[ThresholdFinding]:
        return [finding for finding in self.findings if not finding.holds]

    @property
    def title(self) -> str:
        count, failed = len(self.findings), len(self.failures)
        run = f"{self.scores.runs[0]}{f', compared with {self.baseline}' if self.baseline else ''}"
        verdict = "all hold" if not failed else f"{failed} of {count} {'fails' if failed == 1 else 'fail'}"
        return f"Check of {run}: {counted(count, 'threshold')}, {verdict}"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None."""
        return {
            "holds": self.holds,
            "run": self.scores.runs[0],
            "baseline": self.baseline,
            "checks": [finding.to_dict() for finding in self.findings],
            "doubts": list(self.doubts),
        }

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame: check, measure, limit, slice, holds, value, before, p, queries, reason."""
        rows = [finding.to_dict() for finding in self.findings]
        return record_frame(
            rows,
            {"check": str, "measure": str, "limit": float, "slice": str, "holds": bool, "value": float}
            | {"before": float, "p": float, "queries": int, "reason": str},
        )

    def to_junit(self) -> str:
        """JUnit XML, which most systems for continuous integration show: a test case for each threshold."""
        return junit_xml(self)

    def document(self, digits: int = 4) -> Document:
        """A table of the thresholds, and below it why some fail."""
        digits = check_digits(digits)
        header = ["check", "limit", "value", "before", "change", "holds"]
        has_slices = any(finding.slice for finding in self.findings)
        if has_slices:
            header.insert(1, "slice")
        rows = [_cells(finding, has_slices) for finding in self.findings]
        strong = {(i, len(header) - 1) for i, finding in enumerate(self.findings) if not finding.holds}
        table = ResultTable(header, rows, "l" * (len(header) - 5) + "rrrrl", frozenset(strong), digits=digits, keys=1)
        facts = []
        for finding in self.findings:
            if not finding.holds or finding.is_chance:
                facts.append(("note" if finding.holds else "reason", finding.sentence))
            facts += [("query", str(query)) for query in finding.worst]
        facts += [("doubt", doubt) for doubt in self.doubts]
        return Document([table], title=self.title, facts=facts)


def _cells(finding: ThresholdFinding, has_slices: bool) -> list[Cell]:
    line = finding.threshold
    name = f"{line.kind.replace('_', '-')} {line.measure}"
    compared = [finding.before, finding.value - finding.before] if line.kind == "max_drop" else ["", ""]
    where = [plain(finding.slice)] if has_slices else []
    return [name, *where, f"{line.limit:g}", finding.value, *compared, "yes" if finding.holds else "no"]


def junit_xml(check: Check) -> str:
    """One suite. Characters that XML does not have are escaped as in all outputs."""
    cases = "\n".join(map(_case, check.findings))
    counts = f'tests="{len(check.findings)}" failures="{len(check.failures)}" errors="0" skipped="0"'
    suite = f"<testsuite name={_attribute(f'rankgold check {check.scores.runs[0]}')} {counts}>\n{cases}\n</testsuite>"
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    return f'{head}\n<testsuites name="rankgold check" {counts}>\n{suite}\n</testsuites>'


def _case(finding: ThresholdFinding) -> str:
    opening = f'<testcase classname="rankgold.check" name={_attribute(finding.name)} time="0"'
    if finding.holds:
        return f"{opening}/>"
    lines = [finding.sentence, *map(str, finding.worst)]
    text = "\n".join(escape(plain(line)) for line in lines)
    return f"{opening}><failure message={_attribute(finding.sentence)}>{text}</failure></testcase>"


def _attribute(text: str) -> str:
    return quoteattr(plain(text))
