"""What the doctor found, the worst first, and how it is printed and saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankgold.diagnosis.findings import SEVERITIES, Finding
from rankgold.errors import counted
from rankgold.output.result_forms import Result

if TYPE_CHECKING:
    import polars

    from rankgold.output.document import Document

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
        from rankgold.diagnosis.finding_document import diagnosis_document

        return diagnosis_document(self)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)
