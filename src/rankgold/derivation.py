"""The terms of a measure of rankings or lists in, its values out: each is a sum of terms over a norm."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgold.hits import Working
from rankgold.kernels.segments import Floats, Ints, sums


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Some of the terms of a measure, in the order in which they are added up."""

    term: Floats | Ints
    part_of: Ints
    """The number of the query or user whose value each term is a part of."""
    of: Callable[[], Mapping[str, Any]]
    """What each term comes from, by number, such as item or rank: only explanations ask for it."""
    working: Working
    """How each term is written out."""


@dataclass(frozen=True, slots=True, eq=False)
class Derivation:
    """A measure's value for each query or user: the sum of its terms, and perhaps of a rest, over a norm."""

    n_values: int
    parts: Callable[[], Iterable[Terms]]
    """The terms, all at once or, where they are very many, some at a time."""
    norm: Floats | Ints | float | None
    """None if it is the number of terms."""
    norm_is: str
    """What the norm is, in words."""
    rest: Floats | float = 0.0
    """What is added to the sum besides the terms."""
    rest_is: str = ""

    @property
    def sums_and_norms(self) -> tuple[Floats, Floats]:
        """The sum and the norm of each value."""
        total, count = np.zeros(self.n_values), np.zeros(self.n_values)
        for terms in self.parts():
            total += sums(terms.term, terms.part_of, self.n_values)
            if self.norm is None:
                count += np.bincount(terms.part_of, minlength=self.n_values)
        norm = count if self.norm is None else np.broadcast_to(self.norm, self.n_values)
        return total + self.rest, norm

    @property
    def values(self) -> Floats:
        """The values; NaN for 0/0."""
        return ratio(*self.sums_and_norms)


def ratio(part: Floats, whole: Floats | Ints) -> Floats:
    """Part by whole, NaN where the whole is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        quotient: Floats = np.where(whole == 0, np.nan, part / whole)
    return quotient
