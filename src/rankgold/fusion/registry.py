"""A function that fuses in, a Method out: its names, its parameters, and what it needs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from rankgold.declaration.parameters import Parameter, parameters_of, unknown_parameter
from rankgold.errors import FusionError, MeasureError, listing, nearest
from rankgold.fusion.candidates import Candidates
from rankgold.fusion.normalisation import normalised
from rankgold.fusion.training import JudgedRun
from rankgold.kernels.segments import Floats, Ints


@dataclass(frozen=True)
class Votes:
    """The input of a method: the candidates, their ranks and scores in each run, and the weights or training data."""

    candidates: Candidates
    norm: str
    weights: Floats
    """One for each run."""
    training: tuple[JudgedRun, ...] = ()
    """The training data of each run, for methods that learn."""

    @cached_property
    def scores(self) -> Floats:
        """A row for each run, a column for each candidate: its normalised score, NaN where the run does not rank it."""
        return normalised(self.candidates, self.norm)

    def of_ranks(self, value: Callable[[Ints], Floats]) -> Floats:
        """A row for each run, a column for each candidate: the value of its rank, 0 where the run does not rank it."""
        return self.candidates.table([value(run.rank) for run in self.candidates.runs])


def total(table: Floats) -> Floats:
    """The sum of each column, where NaN counts nothing.

    Small values are added first. So the order of the runs does not change the last bit, and documents that have the
    same places in different runs are tied.
    """
    lines = list(np.where(np.isnan(table), 0.0, table))
    # Columns are sorted by swapping neighbours, in as many rounds as there are runs: faster than to sort each column.
    for number in range(len(lines)):
        for upper in range(number % 2, len(lines) - 1, 2):
            lower, higher = np.minimum(*lines[upper : upper + 2]), np.maximum(*lines[upper : upper + 2])
            lines[upper : upper + 2] = lower, higher
    return np.asarray(np.add.reduce(lines))


Needs = Literal["ranks", "scores"]
Fusion = Callable[..., Floats]


@dataclass(frozen=True, slots=True, eq=False)
class FusionMethod:
    """A way to fuse runs."""

    name: str
    aliases: tuple[str, ...]
    needs: Needs
    """Whether the scores of the runs count, or only the ranks."""
    is_weighted: bool
    learns: bool
    """Whether it learns from judgements."""
    function: Fusion
    parameters: Mapping[str, Parameter]

    @property
    def summary(self) -> str:
        return (inspect.getdoc(self.function) or "").partition("\n\n")[0].replace("\n", " ")

    def checked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The values of the parameters."""
        values = {name: parameter.default for name, parameter in self.parameters.items()}
        for name, value in given.items():
            if name not in self.parameters:
                raise FusionError(unknown_parameter(self.name, self.parameters, name))
            try:
                values[name] = self.parameters[name].value(value)
            except MeasureError as error:
                raise FusionError(str(error)) from None
        return values


METHODS: dict[str, FusionMethod] = {}
"""Name -> method. `fusion/methods/` fills it."""


def method(
    name: str, *aliases: str, needs: Needs = "scores", is_weighted: bool = False, learns: bool = False
) -> Callable[[Fusion], Fusion]:
    """Registers a function under a name. Its keyword-only arguments are the parameters that users give."""

    def register(function: Fusion) -> Fusion:
        parameters = parameters_of(function)
        METHODS[name] = FusionMethod(name, aliases, needs, is_weighted, learns, function, parameters)
        return function

    return register


def weighted_methods() -> str:
    """The names of the methods that take weights, for messages."""
    return ", ".join(known.name for known in METHODS.values() if known.is_weighted)


def find_method(given: str) -> FusionMethod:
    """The method of a name. Case, `_` and `-` do not count."""
    wanted = _plain(str(given))
    for known in METHODS.values():
        if wanted in map(_plain, (known.name, *known.aliases)):
            return known
    names = [name for known in METHODS.values() for name in (known.name, *known.aliases)]
    raise FusionError(f"No fusion method is called {given!r}.{nearest(wanted, names)} Methods: {listing(METHODS, 30)}.")


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")
