"""The list of all plots, from which the command line, the gallery and the tests are made."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from rankgold.errors import PlotError, nearest

Drawing = TypeVar("Drawing", bound=Callable[..., Any])


@dataclass(frozen=True)
class Plot:
    """One plot: its function, and what it needs."""

    function: Callable[..., Any]
    fewest: int
    """How many runs it needs at least."""
    most: int | None
    """How many runs it takes at most; None for any number."""
    of_ranks: bool
    """Whether it shows rankings, which Scores do not hold."""

    @property
    def name(self) -> str:
        """The name at the shell; in Python with underscores."""
        return self.function.__name__.replace("_", "-")

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The names of its options, beside the theme."""
        taken = inspect.signature(self.function).parameters
        return tuple(name for name in taken if name not in ("data", "theme"))

    @property
    def is_of_one_query(self) -> bool:
        return "query" in self.options

    @property
    def _paragraphs(self) -> list[str]:
        return [" ".join(block.split()) for block in (inspect.getdoc(self.function) or "").split("\n\n")]

    @property
    def summary(self) -> str:
        """What it shows, in a line."""
        return self._paragraphs[0]

    @property
    def reading(self) -> str:
        """How to read it."""
        return self._paragraphs[1]

    @property
    def needs(self) -> str:
        """What must be given, in words."""
        if self.most == 0 or (self.fewest == 0 and self.most is None):
            runs = "nothing"
        elif self.fewest == 0:
            runs = "nothing, or a run"
        elif self.most is None:
            runs = "runs" if self.fewest == 1 else f"{self.fewest} runs or more"
        else:
            runs = "a run" if self.most == 1 else f"{self.most} runs"
        return f"{runs}, a query" if self.is_of_one_query else runs


PLOTS: dict[str, Plot] = {}
"""Every plot by its name at the shell."""


def plot(*, fewest: int = 1, most: int | None = 1, of_ranks: bool = True) -> Callable[[Drawing], Drawing]:
    """Declares a function as a plot. The function itself stays as it is."""

    def declare(function: Drawing) -> Drawing:
        declared = Plot(function, fewest, most, of_ranks)
        PLOTS[declared.name] = declared
        return function

    return declare


def plot_called(name: str) -> Plot:
    """The plot of a name, with hyphens or underscores."""
    wanted = name.lower().replace("_", "-")
    if wanted not in PLOTS:
        raise PlotError(f"No plot is called {name!r}.{nearest(wanted, PLOTS)} Plots: {', '.join(sorted(PLOTS))}.")
    return PLOTS[wanted]
