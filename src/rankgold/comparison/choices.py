"""Checks what users choose for a comparison; corrects p-values."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, cast

import numpy as np

from rankgold.comparison import (
    Bootstrap,
    CorrectionName,
    DrawnTest,
    Interval,
    IntervalName,
    Randomization,
    TestName,
    Units,
    name_here,
)
from rankgold.comparison.intervals import BOOTSTRAP_TESTS, INTERVALS, Bounds, interval_of
from rankgold.comparison.paired_values import Draws, UnitSums
from rankgold.comparison.significance_tests import FAMILY_TESTS, TESTS
from rankgold.core.errors import ComparisonError, brief, check_whole_number, nearest
from rankgold.core.segments import Floats


def holm(p: Floats) -> Floats:
    """Holm's step-down: the smallest of m times m, the next times m - 1, never below the one before."""
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return _in_place(stepped, order)


def bonferroni(p: Floats) -> Floats:
    """Each times the number of comparisons."""
    return np.minimum(p * len(p), 1.0)


def benjamini_hochberg(p: Floats) -> Floats:
    """The i-th smallest of m times m / i, never above the next: controls the false discovery rate."""
    return _false_discoveries(p, 1.0)


def benjamini_yekutieli(p: Floats) -> Floats:
    """As `benjamini_hochberg`, times 1 + 1/2 + ... + 1/m: valid under any dependence."""
    return _false_discoveries(p, float(np.sum(1 / np.arange(1, len(p) + 1))))


def _false_discoveries(p: Floats, factor: float) -> Floats:
    order = np.argsort(-p, kind="stable")
    m = len(p)
    stepped = np.minimum.accumulate(p[order] * factor * m / np.arange(m, 0, -1))
    return _in_place(stepped, order)


def _in_place(stepped: Floats, order: np.ndarray) -> Floats:
    corrected = np.empty(len(order))
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected


CORRECTIONS: dict[str, tuple[str, Callable[[Floats], Floats]]] = {
    "holm": ("Holm", holm),
    "bonferroni": ("Bonferroni", bonferroni),
    "bh": ("Benjamini-Hochberg", benjamini_hochberg),
    "by": ("Benjamini-Yekutieli", benjamini_yekutieli),
    "none": ("", lambda p: p),
}
"""What users type -> the name in sentences, and the function."""


def corrected(p: Floats, correction: str) -> Floats:
    """The corrected p-values; undefined ones do not count as comparisons."""
    result = np.full(len(p), np.nan)
    known = ~np.isnan(p)
    if known.any():
        result[known] = CORRECTIONS[correction][1](p[known])
    return result


_PERMUTATIONS, _SAMPLES = Draws(Randomization().draws, 0), Draws(Interval().draws, 0)
_TESTS_OF_UNITS = ("randomization", "bootstrap")


@dataclass(frozen=True, slots=True)
class ComparisonSettings:
    """How a comparison is made."""

    baseline: str | None = None
    test: str = "randomization"
    correction: str = "holm"
    interval: str = "bca"
    level: float = 0.95
    test_draws: Draws = _PERMUTATIONS
    interval_draws: Draws = _SAMPLES
    margin: float | None = None
    weights: Mapping[Any, float] | None = None
    clusters: Mapping[Any, Any] | None = None

    @classmethod
    def of(
        cls,
        baseline: str | None = None,
        test: TestName | DrawnTest = "randomization",
        correction: CorrectionName = "holm",
        seed: int = 0,
        interval: IntervalName | Interval = "bca",
        units: Units | None = None,
    ) -> ComparisonSettings:
        """The settings that the keywords of `compare` mean."""
        seed = check_whole_number("seed", seed, 0, error=ComparisonError)
        chosen, counted = interval if isinstance(interval, Interval) else Interval(interval), units or Units()
        if isinstance(test, str):
            test = cast(TestName, name_here(test))
        if not isinstance(counted, Units):
            raise ComparisonError(f"units must be Units(weights=..., clusters=...), not {type(units).__name__}.")
        drawn = test if isinstance(test, DrawnTest) else Randomization() if test == "randomization" else Bootstrap()
        return cls(
            baseline,
            test.name if isinstance(test, DrawnTest) else test,
            correction,
            chosen.name,
            chosen.level,
            _draws(drawn, seed),
            _draws(chosen, seed),
            chosen.margin,
            counted.weights,
            counted.clusters,
        )

    def __post_init__(self) -> None:
        for name in ("weights", "clusters"):
            given = getattr(self, name)
            if given is not None and not hasattr(given, "items"):
                raise ComparisonError(f"{name} must be a dict from query to its value, not {type(given).__name__}.")
        for name in ("level", "margin"):
            given = getattr(self, name)
            if isinstance(given, bool) or not (isinstance(given, Real) or (given is None and name == "margin")):
                raise ComparisonError(f"{name} must be a number, not {brief(given)}.")
        for name in ("test", "correction", "interval"):
            if isinstance(given := getattr(self, name), str):
                object.__setattr__(self, name, name_here(given))
        _require(self.test, "test", TESTS | FAMILY_TESTS)
        _require(self.correction, "correction", CORRECTIONS)
        _require(self.interval, "interval", INTERVALS)
        if not 0 < self.level < 1:
            raise ComparisonError(f"A level must be above 0 and below 1, such as 0.95, not {brief(self.level)}.")
        if self.margin is not None and not 0 < self.margin < math.inf:
            raise ComparisonError(f"A margin must be above 0 and finite, not {brief(self.margin)}.")
        if self.weights is not None or self.clusters is not None:
            self._check_units()

    def _check_units(self) -> None:
        """Raises an error if weights or clusters of queries are given to a method that does not take them."""
        for is_chosen, method, advice in (
            (self.test not in _TESTS_OF_UNITS, f"The test {self.test}", f"Use {' or '.join(_TESTS_OF_UNITS)}"),
            (self.interval == "t", "The interval t", "Use bca or percentile"),
            (self.margin is not None, "A margin", "Leave it or them out"),
        ):
            if is_chosen:
                raise ComparisonError(f"{method} takes neither weights nor clusters of queries. {advice}.")

    @property
    def is_family_test(self) -> bool:
        """True if the test itself corrects for the number of runs."""
        return self.test in FAMILY_TESTS

    @property
    def test_name(self) -> str:
        """The name of the test in a sentence."""
        name = (TESTS | FAMILY_TESTS)[self.test][0]
        return f"{name} ({BOOTSTRAP_TESTS[self.interval][0]})" if self.test == "bootstrap" else name

    @property
    def pair_test(self) -> Callable[[UnitSums, Draws], Floats]:
        """The test of pairs; the bootstrap is the one of the chosen interval."""
        return (BOOTSTRAP_TESTS[self.interval] if self.test == "bootstrap" else TESTS[self.test])[1]

    def interval_of(self, units: UnitSums) -> Bounds:
        """The ends of the chosen interval of each column."""
        return interval_of(units, self.interval, self.level, self.interval_draws)


def interval_settings(name: str, level: float, draws: int, seed: int) -> ComparisonSettings:
    """The settings of intervals alone."""
    return ComparisonSettings.of(interval=Interval(cast(IntervalName, name), level, draws, seed))


def _draws(given: DrawnTest | Interval, seed: int) -> Draws:
    """The draws that were asked for; without a seed of their own, with that of the comparison."""
    count = check_whole_number("draws", given.draws, 1, error=ComparisonError)
    return Draws(
        count, seed if given.seed is None else check_whole_number("seed", given.seed, 0, error=ComparisonError)
    )


def _require(name: object, what: str, known: Collection[str]) -> None:
    if isinstance(name, type):
        raise ComparisonError(f"{name.__name__} is a class. Pass an object of it: {what}={name.__name__}().")
    if name not in known:
        choices = ", ".join(known)
        raise ComparisonError(f"No {what} is called {brief(name)}.{nearest(str(name), known)} There are {choices}.")
