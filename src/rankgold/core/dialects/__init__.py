"""Finds the table of a tool by its name.

Every Dialect in a file of this folder is one. The files are read when a tool is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Literal, get_args


@dataclass(frozen=True, slots=True)
class NotRepeated:
    """A case in which the tool gives a different number, mostly by mistake, which rankgold does not copy."""

    case: str
    """In words, with the data."""
    there: str
    here: str


@dataclass(frozen=True, slots=True)
class Dialect:
    """How to reproduce a tool: a policy, and the names and default parameters of its measures."""

    name: str
    """As it is written in `policy=`."""
    tool: str
    version: str
    """The version that the table was checked against."""
    checked: str
    """How it was checked: against the tool itself, or against its documentation."""
    measures: str
    """The measures here that the tool has. The policy of the dialect holds for all others, too."""
    policy: str
    """The choices that differ from the default policy, as text."""
    defaults: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Measure here -> the parameters that it has in this tool, unless they are given."""
    names: Mapping[str, str] = field(default_factory=dict)
    """A name there -> the measure here. Names that are understood everywhere need not be in it."""
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """A name there that stands for several numbers, in its exact spelling -> the names of the numbers there."""
    matched: Mapping[str, str] = field(default_factory=dict)
    """Measure here -> the choices of the policy with which the tool matches it, where they are not those of `policy`.
    Also of measures with a cutoff (`rr@k`) or a gain (`ndcg(gain=exp)`)."""
    not_repeated: tuple[NotRepeated, ...] = ()
    page: str = ""
    """The page of the documentation for users of the tool; default: the name."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "page", self.page or self.name)

    @property
    def changes_measures(self) -> bool:
        """True if a measure can mean something different from rankgold's."""
        return bool(self.defaults or self.names or self.lists or self.matched)


DialectName = Literal[
    "rankgold",
    "trec_eval",
    "trec_eval_9",
    "pytrec_eval",
    "ir_measures",
    "ranx",
    "sklearn",
    "torchmetrics",
    "spark",
    "hivemall",
    "hivemall_docs",
    "rectools",
    "lenskit",
    "tensorflow_ranking",
    "elasticsearch",
    "lightgbm",
    "ml_metrics",
]
"""The names that type checkers and editors know, in the order of lists."""


def names_of_dialects() -> tuple[str, ...]:
    """All names, that of rankgold first; those that type checkers do not know last."""
    return tuple(dict.fromkeys((*get_args(DialectName), *(table.name for file in _files() for table in _tables(file)))))


@cache
def table_of(name: str) -> Dialect:
    """The table of a tool; a KeyError if there is none."""
    for file in _files():
        for table in _tables(file):
            if table.name == name:
                return table
    raise KeyError(name)


def _files() -> list[str]:
    return [file.name for file in iter_modules(__path__)]


def _tables(file: str) -> list[Dialect]:
    return [table for table in vars(import_module(f"{__name__}.{file}")).values() if isinstance(table, Dialect)]


def all_tables() -> list[Dialect]:
    """The tables of all tools besides rankgold, in the order of their names."""
    return [table_of(name) for name in names_of_dialects() if name != "rankgold"]
