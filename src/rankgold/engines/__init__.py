"""Where matching runs when it does not run here: in DuckDB, or on Spark. Each engine is a module with the same verbs.

`scores(work)` evaluates, `plan(work)` is the text of what the engine is going to run, and `OPTIONS` names the options
that it takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from types import ModuleType
from typing import Any

from rankgold.declaration.metric import Measure
from rankgold.errors import DataError
from rankgold.matching.runs import Progress
from rankgold.policy import Policy

_HOME = {"duckdb": "rankgold.engines.duckdb", "spark": "rankgold.engines.spark"}


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """What an engine is asked to do. The fields after `session` are options, which not every engine takes."""

    qrels: Any
    run: Any
    measures: dict[str, Measure]
    policy: Policy
    columns: Mapping[str, str] | None = None
    progress: Progress | None = None
    session: Any = None
    """The user's own DuckDB connection or Spark session, if one was passed."""
    per_query: bool = True
    trust_ranks: bool = False
    memory_limit: str | None = None


def options_for(engine: ModuleType | None, **options: Any) -> dict[str, Any]:
    """The options that were given, all of which the engine must take."""
    given = {name: value for name, value in options.items() if value != _UNLESS_SAID[name]}
    for name in given:
        if engine is None or name not in engine.OPTIONS:
            called = "local" if engine is None else engine.__name__.rpartition(".")[2]
            raise DataError(f"{name} is not an option of the engine {called}.")
    return given


def engine_for(engine: Any, *sources: Any) -> ModuleType | None:
    """The engine's module, or None where the work is done here.

    The engine is named, or is the user's connection or session. Where nothing is said, Spark's frames stay on Spark.
    """
    if engine is None:
        named = "spark" if any(_library(one) == "pyspark" for source in sources for one in _frames(source)) else "local"
    elif isinstance(engine, str):
        named = engine
    else:
        named = {"duckdb": "duckdb", "_duckdb": "duckdb", "pyspark": "spark"}.get(_library(engine), "")
    if named == "local":
        return None
    if named not in _HOME:
        told = repr(engine) if isinstance(engine, str) else f"this {type(engine).__name__}"
        raise DataError(f"{told} is not an engine. Engines are local, duckdb and spark, a connection or a session.")
    return import_module(_HOME[named])


_UNLESS_SAID = {one.name: one.default for one in fields(Work)}


def _library(one: Any) -> str:
    return type(one).__module__.partition(".")[0]


def _frames(source: Any) -> Any:
    """The parts of what was passed as one or several runs."""
    if isinstance(source, Mapping):
        return source.values()
    return source if isinstance(source, (list, tuple)) else (source,)
