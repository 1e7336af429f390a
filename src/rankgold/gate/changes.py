"""Changes since scores were saved in, a Verification out: whether scores are the same, as text, tables and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankgold import __version__
from rankgold.errors import listing
from rankgold.output.document import Cell, Document, ResultTable
from rankgold.output.result_forms import Result, known_fields, record_frame
from rankgold.output.text import check_digits
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed since the scores were saved."""

    what: str
    """data, policy, measures, options, version or scores."""
    name: str
    """Which of them: judgements, the name of a run, the name of a measure, a field of the policy."""
    sentence: str


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """A saved and a current mean, and how many queries changed."""

    run: str
    measure: str
    saved: float
    now: float
    queries: int | None
    """None if the values of the queries were not saved."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Verification(Result):
    """What changed since scores were saved."""

    changes: tuple[Change, ...]
    score_changes: tuple[ScoreChange, ...]
    saved: Scores
    now: Scores
    compared: int
    """How many of the saved means were recomputed."""
    doubts: tuple[str, ...] = ()
    """What could not be verified."""

    @property
    def unchanged(self) -> bool:
        """True if nothing changed at all."""
        return not self.changes

    @property
    def same_scores(self) -> bool:
        """True if all saved scores are unchanged, even if something else changed."""
        return bool(self.compared) and not self.score_changes

    @property
    def changed(self) -> list[str]:
        """What changed: data, policy, measures, options, version, or only the scores."""
        return list(dict.fromkeys(change.what for change in self.changes))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None."""
        return {
            "unchanged": self.unchanged,
            "same_scores": self.same_scores,
            "changed": self.changed,
            "changes": [known_fields(change) for change in self.changes],
            "scores": [known_fields(change) for change in self.score_changes],
            "saved_version": self.saved.provenance.version,
            "version": __version__,
            "doubts": list(self.doubts),
        }

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame of the scores that differ: run, measure, saved, now, queries."""
        rows = map(known_fields, self.score_changes)
        return record_frame(rows, {"run": str, "measure": str, "saved": float, "now": float, "queries": int})

    def document(self, digits: int = 4) -> Document:
        """The changes in sentences, and a table of the scores that differ."""
        rows: list[list[Cell]] = [
            [c.run, c.measure, c.saved, c.now, c.now - c.saved, "" if c.queries is None else str(c.queries)]
            for c in self.score_changes
        ]
        header = ["run", "measure", "saved", "now", "difference", "queries that differ"]
        table = ResultTable(header, rows, "llrrrr", digits=check_digits(digits), keys=2)
        facts = [(change.what, change.sentence) for change in self.changes]
        facts += [("doubt", doubt) for doubt in self.doubts]
        return Document([table] if rows else [], title=self._title, facts=facts)

    @property
    def _title(self) -> str:
        scores = "all scores are the same" if self.same_scores else "the scores differ"
        if not self.compared:
            scores = "none of the saved scores was recomputed"
        if self.unchanged and self.doubts:
            return f"No change was found, as far as can be seen: {scores}."
        if self.unchanged:
            return f"Nothing changed: {scores}."
        return f"Changed: {listing(self.changed)}; {scores}."
