"""The keywords of `fuse` in, checked settings out: method, norm, weights, parameters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgold.errors import FusionError, brief, counted, listing, nearest
from rankgold.fusion import methods  # noqa: F401  it fills METHODS
from rankgold.fusion.candidates import Candidates, candidates_of
from rankgold.fusion.normalisation import INVERTED, norm_name
from rankgold.fusion.registry import METHODS, FusionMethod, Votes, find_method, weighted_methods
from rankgold.fusion.run_rows import NumberedRuns
from rankgold.fusion.training import JudgedRun
from rankgold.kernels.segments import Floats

Weights = Iterable[float] | Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FusionSettings:
    """A method with its norm and its parameters decided."""

    method: FusionMethod
    norm: str
    parameters: dict[str, Any]

    @classmethod
    def of(cls, method: str, norm: str | None, parameters: Mapping[str, Any]) -> FusionSettings:
        found = find_method(method)
        chosen = norm_name(norm) if norm is not None else "min-max" if found.needs == "scores" else "none"
        return cls(found, chosen, found.checked(parameters))

    def candidates(self, runs: NumberedRuns, ties: str) -> Candidates:
        """The candidates of all queries. With the inverted norm, low scores are the good ones."""
        return candidates_of(runs, ties, lowest_first=self.norm == INVERTED)

    def scores(self, candidates: Candidates, weights: Floats, training: Iterable[JudgedRun] = ()) -> Floats:
        """The fused score of each candidate."""
        votes = Votes(candidates, self.norm, weights, tuple(training))
        with np.errstate(over="ignore", invalid="ignore"):
            fused = self.method.function(votes, **self.parameters)
        if not np.isfinite(fused).all():
            raise FusionError("the scores of the runs are too large to be added. Use a norm of ranks: norm='rank'.")
        return fused


def checked_weights(method: FusionMethod, given: Weights | None, names: list[str]) -> Floats:
    """The weight of each run; all the same for a method without weights."""
    if not method.is_weighted:
        if given is None:
            return np.ones(len(names))
        raise FusionError(f"{method.name} takes no weights. Methods with weights: {weighted_methods()}.")
    if given is None:
        raise FusionError(
            f"{method.name} needs a weight for each of the runs {listing(names)}: weights=[0.3, 0.7] (--weights 0.3,0.7"
            " at the shell). learn_weights (--qrels) finds them from judgements."
        )
    if isinstance(given, Mapping):
        for name in given:
            if str(name) not in names:
                raise FusionError(f"No run is called {name!r}.{nearest(str(name), names)} Runs: {listing(names)}.")
        missing = [name for name in names if name not in given]
        if missing:
            raise FusionError(f"weights has no weight for the run {missing[0]!r}.")
        given = [given[name] for name in names]
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise FusionError(f"weights must be a list of numbers, or a dict from run to number, not {brief(given)}.")
    weights = [_weight(weight) for weight in given]
    if len(weights) != len(names):
        raise FusionError(
            f"weights has {counted(len(weights), 'number')} for {counted(len(names), 'run')}: {listing(names)}."
        )
    if not any(weights):
        raise FusionError("all weights are 0. Give at least one run a weight.")
    return np.array(weights)


def _weight(given: Any) -> float:
    try:
        weight = float(given)
    except (TypeError, ValueError):
        weight = math.nan
    if isinstance(given, bool) or not 0 <= weight < math.inf:
        raise FusionError(f"a weight must be a number from 0, not {brief(given)}.")
    return weight


def check_judgements(method: FusionMethod, qrels: object, folds: int | None) -> None:
    """Raises an error if the method lacks judgements, or has no use for them."""
    if method.learns and qrels is None:
        raise FusionError(
            f"{method.name} learns from judgements: pass qrels of training queries (--qrels at the shell)."
        )
    if not method.learns and (qrels is not None or folds is not None):
        learning = [known.name for known in METHODS.values() if known.learns]
        hint = " learn_weights finds its weights from judgements." if method.is_weighted else ""
        raise FusionError(
            f"{method.name} does not learn from judgements: leave out qrels and folds.{hint} Methods that do:"
            f" {', '.join(learning)}."
        )
