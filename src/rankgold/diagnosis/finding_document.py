"""Makes the document of a diagnosis: a summary, then each finding."""

from __future__ import annotations

from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.result import Diagnosis
from rankgold.output.document import Document


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
