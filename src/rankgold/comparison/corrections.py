"""P-values of several comparisons in, p-values out that allow for how many there are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgold.kernels.segments import Floats


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


def _unchanged(p: Floats) -> Floats:
    return p


CORRECTIONS: dict[str, tuple[str, Callable[[Floats], Floats]]] = {
    "holm": ("Holm", holm),
    "bonferroni": ("Bonferroni", bonferroni),
    "bh": ("Benjamini-Hochberg", benjamini_hochberg),
    "by": ("Benjamini-Yekutieli", benjamini_yekutieli),
    "none": ("", _unchanged),
}
"""What users type -> the name in sentences, and the function."""


def corrected(p: Floats, correction: str) -> Floats:
    """The corrected p-values; undefined ones do not count as comparisons."""
    result = np.full(len(p), np.nan)
    known = ~np.isnan(p)
    if known.any():
        result[known] = CORRECTIONS[correction][1](p[known])
    return result
