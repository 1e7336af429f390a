"""Registers the measures of each family, and finds them by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rankgold.core.errors import MeasureError
from rankgold.measures.aliases import NAMES

if TYPE_CHECKING:
    from rankgold.measures.metric import Metric


class Registry(dict[str, "Metric"]):
    """The metrics of a family by canonical name, all computed from the same kind of data.

    `name` is the folder of the family in docs/reference, `folder` its folder in rankgold.measures.
    Names of other tools that stand for a metric with parameters of its own are given as in `measures/aliases.py`.
    """

    # Equal only to itself, whatever it holds: parsed texts are cached by registry.
    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(
        self,
        name: str,
        title: str,
        function: str,
        foreign: Mapping[str, tuple[str, Mapping[str, Any]]] = MappingProxyType({}),
        higher_is: str = "better",
        folder: str = "",
    ) -> None:
        super().__init__()
        self.name = name
        self.package = f"rankgold.measures.{folder or name}"
        """It has a file for each concept, with its measures."""
        self.title = title
        """The heading in lists of measures."""
        self.function = function
        """The function of rankgold, and the command, that computes them."""
        self.foreign = foreign
        self.higher_is = higher_is
        """The meaning of a higher value for most of them."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def add(self, metric: Metric) -> None:
        for name in (metric.name, *metric.aliases):
            if (other := self.names.get(name.lower())) is not None:
                raise MeasureError(f"{name!r} is a name of {other!r} already, and cannot be one of {metric.name!r}.")
        self[metric.name] = metric
        self.__dict__.pop("names", None)

    @cached_property
    def names(self) -> dict[str, str]:
        """Every accepted spelling, in lower case -> the canonical name."""
        return {
            spelling.lower(): metric.name for metric in self.values() for spelling in (metric.name, *metric.aliases)
        }

    def __repr__(self) -> str:
        return f"rankgold.{self.name}"

    def load(self, folder: Iterable[str]) -> Registry:
        """The registry, filled by importing all files in the folder of its package."""
        for file in iter_modules(folder):
            import_module(f"{self.package}.{file.name}")
        return self

    def all(self) -> list[Metric]:
        """Every metric of the family, by name, after its files were imported."""
        import_module(self.package)
        return [self[name] for name in sorted(self)]


REGISTRY = Registry("measures", "Measures of rankings against judgements", "evaluate", NAMES, folder="rankings")
"""The measures of rankings against judgements."""

SIMILARITIES = Registry(
    "similarities",
    "Measures of rankings against rankings",
    "similarity",
    {
        "rbo_ext": ("rbo", {}),
        "rbo_min": ("rbo", {"form": "min"}),
        "rbo_max": ("rbo", {"form": "max"}),
        "rbo_res": ("rbo", {"form": "res"}),
    },
    higher_is="more alike",
    folder="pairs",
)
"""The measures of two rankings, which need no judgements: `rankgold.similarity`."""

EXPOSURES = Registry("exposures", "Measures of what lists are made of", "exposure", folder="lists")
"""The measures of the lists of a recommender, which need a catalogue, popularity or features: `rankgold.exposure`."""

FAMILIES = {family.name: family for family in (REGISTRY, SIMILARITIES, EXPOSURES)}
"""Every family by its name, in the order of lists."""
