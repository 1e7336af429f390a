"""Scores in whose values can be derived again, the derivation of one of them out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rankgold.declaration.metric import Measure
from rankgold.errors import DataError, MeasureError, listing
from rankgold.measures import parse
from rankgold.scoring.run_scores import family_of
from rankgold.scoring.scores import Scores, Value

if TYPE_CHECKING:
    from rankgold.explanation.derived_value import DerivedValue

Explainer = Callable[[Sequence[Measure], Any, str], "list[DerivedValue]"]
"""Measures, a query and the name of a run in, the derivations of the values out."""


@dataclass(frozen=True, eq=False, repr=False)
class ExplainedScores(Scores[Value]):
    """Scores without judgements. Read them as Scores; `explain` shows the working behind a value."""

    explainer: Explainer | None = field(default=None, repr=False)

    def explain(
        self, query: Any = None, measure: str | Measure | None = None, *, run: str | None = None
    ) -> DerivedValue:
        """Explains a value term by term, for a query or user.

        `measure` and `run` may be left out if there is one of them. Prints as text; `to_markdown` and `to_html` for
        documents. The data are read again.
        """
        if self.explainer is None:
            raise DataError("these scores were read from a file, or sent by another process, without their data.")
        return self.explainer([self._measure(measure)], query, self._run(run).name)[0]

    def _measure(self, wanted: str | Measure | None) -> Measure:
        if wanted is not None:
            return self.measures.get(str(wanted)) or parse(wanted, family_of(self.measures))
        if len(self.measures) > 1:
            raise MeasureError(f"Which measure? There are {len(self.measures)}: {listing(self.measures, 5)}.")
        return next(iter(self.measures.values()))
