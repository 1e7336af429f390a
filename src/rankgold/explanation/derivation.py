"""Explanation: how one measure of one query is calculated, step by step, as data in and text out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankgold.declaration.metric import Measure


@dataclass(frozen=True, slots=True)
class Step:
    """The contribution of one document."""

    rank: int
    document: Any
    grade: float
    pattern: str
    """How the term is written, with a gap for each of `numbers`."""
    numbers: tuple[float, ...]
    term: float
    chance: float
    """The probability that the document is at this rank: 1, unless ties are averaged over all orders."""
    running_sum: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The worked derivation of one measure for one query. Prints as text; `to_markdown` and `to_html` for documents."""

    measure: Measure
    query: Any
    run: str
    steps: tuple[Step, ...]
    missed: float | None
    missed_is: str
    sum: float
    norm: float
    norm_is: str
    value: float
    decided_by: str | None
    """The case of the policy that decided the value, if the formula did not."""
    ideal: tuple[Step, ...] | None
    is_ranked: bool
    """Whether the run ranks the query."""
    below_cutoff: tuple[tuple[Any, float], ...]
    """Relevant documents that the run ranks below the cutoff, with their grades."""
    not_found: tuple[tuple[Any, float], ...]
    """Relevant documents that the run does not rank, with their grades."""

    @property
    def formula(self) -> str:
        """The formula, from the documentation of the measure."""
        blocks = self.measure.metric.documentation.split("\n\n")
        return next(block.strip() for block in blocks if block.startswith("    "))

    def to_text(self, *, digits: int = 4) -> str:
        return self._written("text", digits=digits).removesuffix("\n")

    def to_markdown(self, *, digits: int = 4) -> str:
        return self._written("markdown", digits=digits)

    def to_html(self, *, digits: int = 4) -> str:
        return self._written("html", digits=digits)

    def _written(self, output: str, *, digits: int) -> str:
        from rankgold.explanation.document import explanation_document
        from rankgold.output.registry import OUTPUTS

        return OUTPUTS[output].write(explanation_document(self, digits))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()
