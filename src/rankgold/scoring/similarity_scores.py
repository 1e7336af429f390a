"""Pairs of rankings and measures in, scores out: one value for each query and measure, with means and notes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.errors import PolicyError
from rankgold.policy import Policy
from rankgold.ranked_pairs import PairNotes, RankedPairs
from rankgold.scoring.explained_scores import ExplainedScores, Explainer
from rankgold.scoring.run_scores import RunScores
from rankgold.scoring.scores import Value


@dataclass(frozen=True, eq=False, repr=False)
class SimilarityScores(ExplainedScores[Value]):
    """The similarity of one run, or several by name, to a reference run: Scores, with the name of the reference.

    Read it as Scores: `scores["rbo"]`, `scores.means`, `scores.per_query`, `scores.to_json()`. `scores.explain("q1")`
    shows the working behind a value.
    """

    reference: str = "run"
    """The name of the run that all others are compared with."""

    @property
    def context(self) -> tuple[str, ...]:
        return () if self.reference == "run" else (f"compared with {self.reference}",)

    def to_dict(self, *, per_query: bool = True) -> dict[str, Any]:
        return {"reference": self.reference, **super().to_dict(per_query=per_query)}

    def best(self, label: str) -> set[str]:
        """The empty set: being more similar is not better."""
        return set()


def score_pairs(
    reference: str,
    pairs: Iterable[tuple[str, RankedPairs, PairNotes]],
    measures: dict[str, Measure],
    policy: Policy,
    explainer: Explainer | None = None,
) -> SimilarityScores:
    """The scores of every run that is compared with the reference, with pairs and notes."""
    check_ties(measures, policy)
    runs = [_score(name, lists, notes, measures, policy) for name, lists, notes in pairs]
    return SimilarityScores(runs, measures, policy, explainer=explainer, reference=reference)


def _score(name: str, pairs: RankedPairs, notes: PairNotes, measures: dict[str, Measure], policy: Policy) -> RunScores:
    parts: dict[Measure, list[Any]] = {measure: [] for measure in measures.values()}
    for batch in pairs.batches():
        for measure, found in parts.items():
            found.append(measure.formula(batch).values)
    known = {measure: np.concatenate(found) for measure, found in parts.items()}
    values = {label: known[measure].copy() for label, measure in measures.items()}
    undefined = {label: int(np.isnan(column).sum()) for label, column in values.items()}
    if policy.undefined == "zero":
        values = {label: np.nan_to_num(column, nan=0.0) for label, column in values.items()}
    means = {label: measures[label].metric.aggregate(column) for label, column in values.items()}
    notes = replace(notes, undefined={label: count for label, count in undefined.items() if count})
    return RunScores(name, list(pairs.queries), values, means, notes)


def check_ties(measures: dict[str, Measure], policy: Policy) -> None:
    """Raises an error if ties are averaged over all orders and a measure needs one order."""
    if policy.ties == "average":
        for label, measure in measures.items():
            if measure.orders_ties:
                raise PolicyError(
                    f"{label} is not averaged over the orders of tied documents. Choose another order of ties, such as"
                    " ties=descending. rbo(ties=a), kendall and spearman need none."
                )
