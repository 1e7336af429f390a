"""Declares a plot: name, needs, documentation."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, TypeVar, cast

from rankgold.core.errors import PlotError, nearest
from rankgold.present.plots import lazy_altair as alt

PlotFunction = TypeVar("PlotFunction", bound=Callable[..., Any])


@dataclass(frozen=True)
class Plot:
    """One plot: its function, and how many runs it takes."""

    function: Callable[..., alt.ChartType]
    min_runs: int
    max_runs: int | None
    """None for any number."""

    @property
    def name(self) -> str:
        """The name on the command line; Python has underscores in it."""
        return self.function.__name__.replace("_", "-")

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The names of its options, without the theme."""
        parameters = inspect.signature(self.function).parameters
        return tuple(name for name in parameters if name not in ("data", "theme"))

    @property
    def is_of_one_query(self) -> bool:
        return "query" in self.options

    @property
    def _paragraphs(self) -> list[str]:
        return [" ".join(block.split()) for block in (inspect.getdoc(self.function) or "").split("\n\n")]

    @property
    def summary(self) -> str:
        """What it shows, in one line."""
        return self._paragraphs[0]

    @property
    def how_to_read(self) -> str:
        return self._paragraphs[1]

    @property
    def needs(self) -> str:
        """The runs and the query that it needs, in words."""
        return f"{self.runs}, a query" if self.is_of_one_query else self.runs

    @property
    def runs(self) -> str:
        """How many runs it needs, in words."""
        least, most = self.min_runs, self.max_runs
        if most == 0:
            return "nothing"
        if most is None:
            return "runs" if least == 1 else f"{least} runs or more"
        runs = "a run" if most == 1 else f"{most} runs"
        if least == most:
            return runs
        return f"a run or {runs}" if least else f"nothing, or {runs}"


PLOTS: dict[str, Plot] = {}
"""Every plot by its name on the command line."""


def plot(*, min_runs: int = 1, max_runs: int | None = 1) -> Callable[[PlotFunction], PlotFunction]:
    """Registers a function as a plot. Its charts have its documentation as their description, for screen readers."""

    def register(function: PlotFunction) -> PlotFunction:
        @wraps(function)
        def draw(*arguments: object, **options: object) -> alt.ChartType:
            chart: alt.ChartType = function(*arguments, **options)
            chart.description = f"{registered.summary} {registered.how_to_read}"
            return chart

        registered = Plot(draw, min_runs, max_runs)
        PLOTS[registered.name] = registered
        return cast(PlotFunction, draw)

    return register


def find_plot(name: str) -> Plot:
    """The plot with this name, which may have hyphens or underscores."""
    wanted = name.lower().replace("_", "-")
    if wanted not in PLOTS:
        raise PlotError(f"No plot is called {name!r}.{nearest(wanted, PLOTS)} Plots: {', '.join(sorted(PLOTS))}.")
    return PLOTS[wanted]
