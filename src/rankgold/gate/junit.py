"""A check in, JUnit XML out: a test case for each threshold, and why it failed."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from rankgold.output.text import plain

if TYPE_CHECKING:
    from rankgold.gate.result import Check, ThresholdFinding


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
