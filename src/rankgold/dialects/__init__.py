"""The name of a tool in, its table out: the policy, names and default parameters that give its numbers.

A table is a file of this folder, which is read when its name is asked for.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Literal, get_args

from rankgold.dialects.tool_facts import Dialect

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


def names_of_dialects() -> tuple[str, ...]:
    """All names, that of rankgold first."""
    return get_args(DialectName)


@cache
def table_of(name: str) -> Dialect:
    """The table of a tool."""
    table: Dialect = import_module(f"rankgold.dialects.{name}").DIALECT
    return table


def all_tables() -> list[Dialect]:
    """The tables of all tools besides rankgold, in the order of their names above."""
    return [table_of(name) for name in names_of_dialects() if name != "rankgold"]
