"""Finds an output by its name, or by the ending of a file.

Each file of this folder with an `@output` declares one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar

from rankgold.core.errors import MeasureError, nearest

Writer = TypeVar("Writer", bound=Callable[[Any], str])
MadeOf = Literal["document", "tables", "table", "dict"]


@dataclass(frozen=True, slots=True)
class Output:
    """A format that every result can be written in."""

    name: str
    write: Callable[[Any], str]
    endings: tuple[str, ...]
    """The endings of its files, which are other names of it too."""
    made_of: MadeOf
    """What `write` gets: the whole document that people read, its tables alone, one table for programs with all digits,
    or what `to_dict` returns."""
    place: int
    """Where it stands in lists of outputs."""

    @property
    def for_machines(self) -> bool:
        """True if it is for programs: all digits, and nothing only for people."""
        return self.made_of in ("table", "dict")


_DECLARED: list[Output] = []


def output(name: str, *endings: str, made_of: MadeOf = "document", place: int = 100) -> Callable[[Writer], Writer]:
    """Declares a function as the writer of an output; its files end with the name, unless endings are given."""

    def declare(write: Writer) -> Writer:
        _DECLARED.append(Output(name, write, endings or (name,), made_of, place))
        return write

    return declare


@cache
def outputs() -> tuple[Output, ...]:
    """All outputs, those of new files last."""
    from importlib import import_module
    from pkgutil import iter_modules

    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return tuple(sorted(_DECLARED, key=lambda known: (known.place, known.name)))


@cache
def output_names() -> dict[str, Output]:
    """The name of each output, and the endings of its files -> the output."""
    return {name: known for known in outputs() for name in (known.name, *known.endings)}


def find_output(name: str) -> Output:
    """The output of this name; an error if there is none."""
    names = output_names()
    if name not in names:
        known = ", ".join(known.name for known in outputs())
        raise MeasureError(f"No output is called {name!r}.{nearest(name, list(names))} Outputs: {known}.")
    return names[name]
