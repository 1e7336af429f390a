"""Maps trec_eval measure names and nicknames to rankgold measures and to printed lines.

`P.5,10` stands for two lines, P_5 and P_10. A name without parameters has those of trec_eval.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from rankgold.core.dialects.trec import NAMES, NICKNAMES, Entry
from rankgold.core.errors import MeasureError, brief, nearest
from rankgold.measures.metric import Measure
from rankgold.measures.rankings import parse_measure

Gains = tuple[tuple[int, float], ...]
"""Grades, and what the user says that they gain; a grade may be named twice."""

_GRADE = re.compile(r"[+-]?[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Line:
    """One line that trec_eval prints for a query: its name, and the measure behind it."""

    label: str
    entry: Entry
    rel: int
    text: str = ""
    """The measure here; empty if there is none: for texts, preferences, and parameters that it does not take."""
    numbers: tuple[float, ...] = ()
    """The parameters, or the one of this line."""
    gains: Gains = ()

    @property
    def is_number(self) -> bool:
        return self.entry.name not in ("runid", "relstring")

    @property
    def measure(self) -> Measure | None:
        if not self.text:
            return None
        measure = parse_measure(self.text)
        return measure.with_parameters(rel=self.rel) if self.rel > 1 and self.counts_relevant else measure

    @property
    def counts_relevant(self) -> bool:
        """Whether the measure tells relevant documents from others, and not just grades from each other."""
        takes_rel = bool(self.text) and "rel" in parse_measure(self.text).metric.parameters
        return takes_rel and self.entry.takes != "pairs"


@dataclass(frozen=True, slots=True)
class LineSettings:
    """What all measures of one command share."""

    rel: int = 1
    documents: int = 0
    """The number of documents in the collection."""
    format: str = "qrels"
    version: Literal[9, 10] = 10

    @property
    def rounding(self) -> Literal["nearest", "up"]:
        """How a recall level that is not a whole number of documents is rounded."""
        return "nearest" if self.version == 10 else "up"


def lines_of(wanted: Iterable[str], settings: LineSettings) -> list[Line]:
    """The lines for the measures on a command line, such as `all_trec` or `P.5,10`, in trec_eval's order."""
    given = parameters_by_name(wanted, settings)
    for name in given:
        if settings.format not in NAMES[name].formats:
            formats = " or ".join(NAMES[name].formats)
            raise MeasureError(f"{name} of trec_eval needs judgements in the format {formats}: -R.").with_exit_code(4)
    return [
        line for entry in NAMES.values() if entry.name in given for line in _lines(entry, given[entry.name], settings)
    ]


def parameters_by_name(wanted: Iterable[str], settings: LineSettings) -> dict[str, str]:
    """The names of measures that a command line asks for, each with the parameters that it gives first, if any."""
    given: dict[str, str] = {}
    for text in wanted:
        name, dot, parameters = text.partition(".")
        if dot and not parameters:
            raise MeasureError(f"{brief(text)} has no parameters after the dot.").with_exit_code(1)
        if name in NICKNAMES:  # it has no parameters, and trec_eval ignores those that are given
            for each in NICKNAMES[name]:
                if settings.version == 10 or not NAMES[each].is_new_in_10:
                    given.setdefault(each, "")
            continue
        if name not in NAMES:
            near = nearest(name, [*NAMES, *NICKNAMES])
            raise MeasureError(f"trec_eval has no measure {brief(name)}.{near}").with_exit_code(1)
        if NAMES[name].is_new_in_10 and settings.version == 9:
            raise MeasureError(f"trec_eval 9 has no measure {name}. It is new in trec_eval 10.").with_exit_code(1)
        given[name] = given.get(name) or parameters
    return given


def _lines(entry: Entry, parameters: str, settings: LineSettings) -> list[Line]:
    filled_in = partial(entry.text.format, rounding=settings.rounding)
    if entry.takes == "nothing":  # trec_eval ignores parameters here, too
        return [Line(entry.name, entry, settings.rel, filled_in())]
    if entry.takes == "pairs":
        pairs = _pairs(entry, parameters) if parameters else []
        numbers = [next((value for key, value in reversed(pairs) if key == "p"), default) for default in entry.defaults]
        gains = tuple((int(grade), gain) for grade, gain in pairs if _GRADE.fullmatch(grade))
        text = "" if gains else filled_in(*numbers)
        return [Line(entry.label(numbers, parameters), entry, settings.rel, text, tuple(numbers), gains)]
    numbers = _numbers(entry, parameters) if parameters else list(entry.defaults)
    if entry.takes == "parameters":
        text = _text_of_parameters(entry, numbers, settings)
        return [Line(entry.label(numbers, parameters), entry, settings.rel, text, tuple(numbers))]
    unique = sorted(set(numbers))
    if len(unique) < len(numbers):
        raise MeasureError(f"{entry.name}.{brief(parameters)} names a cutoff twice.")
    if entry.takes == "ranks" and unique[0] < 1:
        raise MeasureError(f"{entry.name}.{brief(parameters)} has a cutoff below 1.")
    return [Line(entry.label([number]), entry, settings.rel, filled_in(number), (number,)) for number in unique]


def _text_of_parameters(entry: Entry, numbers: list[float], settings: LineSettings) -> str:
    if entry.name == "utility" and len(numbers) != 4:
        raise MeasureError(f"utility of trec_eval takes four numbers, not {len(numbers)}.").with_exit_code(4)
    if entry.name == "set_F":  # trec_eval takes the square of beta
        return entry.text.format(math.sqrt(numbers[0])) if numbers[0] > 0 else ""
    return entry.text.format(", ".join(map(repr, numbers)), rounding=settings.rounding)


def _numbers(entry: Entry, parameters: str) -> list[float]:
    try:
        numbers = [_finite(part) for part in parameters.split(",")]
        return [int(number) for number in numbers] if entry.takes == "ranks" else numbers
    except ValueError:
        raise MeasureError(
            f"{entry.name} of trec_eval takes numbers with commas between, not {brief(parameters)}."
        ) from None


def _pairs(entry: Entry, parameters: str) -> list[tuple[str, float]]:
    try:
        return [(key, _finite(value)) for key, value in (part.split("=") for part in parameters.split(","))]
    except ValueError:
        raise MeasureError(
            f"{entry.name} of trec_eval takes pairs such as 1=3.5,2=9, not {brief(parameters)}."
        ) from None


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number
