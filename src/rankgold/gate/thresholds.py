"""Limits as users write them in, checked thresholds out: a measure, its limit, and what the limit is for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rankgold.declaration.dialect_measures import parse_in_dialect
from rankgold.declaration.metric import Measure
from rankgold.errors import CheckError, brief

Kind = Literal["min", "max", "max_drop"]
KINDS: tuple[Kind, ...] = ("min", "max", "max_drop")

# Numbers that differ by less are equal: a fall from 0.36 to 0.35 is no more than 0.01.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Threshold:
    """A limit that a measure must not cross."""

    kind: Kind
    """min and max limit the mean; max_drop limits how far it may fall below the baseline."""
    measure: Measure
    limit: float

    def __str__(self) -> str:
        return f"{self.kind.replace('_', '-')} {self.measure}={self.limit:g}"

    def drop(self, before: float, value: float) -> float:
        """How much worse a mean is than before; below 0 if it is better."""
        return before - value if self.measure.higher_is_better else value - before

    def is_crossed(self, before: float, value: float) -> bool:
        """True if the mean, or its drop, is beyond the limit or undefined."""
        beyond = {
            "min": self.limit - value,
            "max": value - self.limit,
            "max_drop": self.drop(before, value) - self.limit,
        }[self.kind]
        return not beyond <= _ROUNDING


def thresholds_of(kind: Kind, given: object, dialect: str = "rankgold") -> list[Threshold]:
    """The thresholds in a dict from measure to limit, or in texts such as `ndcg@10=0.35`, in the dialect of a tool."""
    if given is None:
        return []
    if isinstance(given, str):
        given = [given]
    if isinstance(given, Mapping):
        pairs: Iterable[tuple[Any, Any]] = given.items()
    elif isinstance(given, Iterable):
        pairs = [_split(kind, text) for text in given]
    else:
        raise CheckError(f"{kind} must be a dict such as {{'ndcg@10': 0.35}}, not {type(given).__name__}.")
    return [_threshold(kind, parse_in_dialect(name, dialect), limit) for name, limit in pairs]


def _split(kind: Kind, text: object) -> tuple[str, str]:
    measure, equals, limit = str(text).rpartition("=")
    if not equals or not measure.strip() or measure.count("(") != measure.count(")"):
        raise CheckError(
            f"{kind.replace('_', '-')} must be written as MEASURE=NUMBER, such as ndcg@10=0.35, not {text!r}."
        )
    return measure.strip(), limit.strip()


def _threshold(kind: Kind, measure: Measure, given: Any) -> Threshold:
    try:
        limit = math.nan if isinstance(given, bool) else float(given)
    except (TypeError, ValueError, OverflowError):
        limit = math.nan
    if not math.isfinite(limit):
        raise CheckError(f"The limit of {measure} must be a number, not {brief(given)}.")
    if kind == "max_drop" and limit < 0:
        raise CheckError(f"The allowed drop of {measure} must be a number from 0, not {limit:g}.")
    if kind != "max_drop" and (kind == "min") != measure.higher_is_better:
        less, right = ("less", "max") if kind == "min" else ("more", "min")
        raise CheckError(f"{less.capitalize()} is better for {measure}. Use {right}: {right} {measure}={limit:g}.")
    return Threshold(kind, measure, limit)
