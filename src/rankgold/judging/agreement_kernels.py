"""Grades of several judges in, coefficients of their agreement out: a row for each document, a column for each judge.

NaN is a grade that a judge did not give. A coefficient is 1 less the disagreement found over the disagreement expected
by chance; it is undefined if none is expected, because all grades are the same.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from rankgold.kernels.segments import Floats

Weighting = Literal["none", "linear", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]


def kappa(first: Floats, second: Floats, weighting: Weighting = "none") -> float:
    """Cohen's kappa of two judges who graded the same documents; weighted by the difference of grades, or its square.

    Cohen 1960, A coefficient of agreement for nominal scales; 1968, Weighted kappa.
    """
    grades, places = np.unique(np.concatenate((first, second)), return_inverse=True)
    of_first, of_second = places[: len(first)], places[len(first) :]
    table = np.zeros((len(grades), len(grades)))
    np.add.at(table, (of_first, of_second), 1)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / max(len(first), 1)
    distance = np.abs(grades[:, None] - grades)
    weight = {"none": (distance > 0).astype(float), "linear": distance, "quadratic": distance**2}[weighting]
    return _coefficient(float((weight * table).sum()), float((weight * expected).sum()))


def alpha(grades: Floats, level: Level = "nominal") -> float:
    """Krippendorff's alpha of any number of judges, who need not all have graded the same documents.

    Krippendorff 2011, Computing Krippendorff's alpha-reliability.
    """
    kinds, places = np.unique(grades[~np.isnan(grades)], return_inverse=True)
    document = np.nonzero(~np.isnan(grades))[0]
    counts = np.zeros((len(grades), len(kinds)))
    np.add.at(counts, (document, places), 1)
    judges = counts.sum(axis=1)
    # A document with one grade says nothing about agreement.
    counts, judges = counts[judges > 1], judges[judges > 1]
    total = counts.sum(axis=0)
    n = float(total.sum())
    if n <= 1:
        return math.nan
    together = (counts / (judges - 1)[:, None]).T @ counts - np.diag((counts / (judges - 1)[:, None]).sum(axis=0))
    by_chance = (np.outer(total, total) - np.diag(total)) / (n - 1)
    distance = _distances(kinds, total, level)
    return _coefficient(float((distance * together).sum()), float((distance * by_chance).sum()))


def _distances(kinds: Floats, total: Floats, level: Level) -> Floats:
    if level == "nominal":
        differ: Floats = (kinds[:, None] != kinds).astype(float)
        return differ
    if level == "interval":
        squares: Floats = (kinds[:, None] - kinds) ** 2
        return squares
    # Half of the grades of both kinds, and all grades between them.
    middle = np.cumsum(total) - total / 2
    steps: Floats = (middle[:, None] - middle) ** 2
    return steps


def _coefficient(found: float, expected: float) -> float:
    return 1 - found / expected if expected else math.nan
