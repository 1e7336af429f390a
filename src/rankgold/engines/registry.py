"""The engines by name: a Task in, the engine that the user chose out. A new engine is one line in ENGINES."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any

from rankgold.engines.protocol import Engine, EngineOptions, Task
from rankgold.errors import DataError, listing


@dataclass(frozen=True, slots=True)
class Entry:
    """Where an engine is, and which objects choose it."""

    module: str
    """Its attribute ENGINE is the engine. It is imported when the engine is first used."""
    libraries: tuple[str, ...] = ()
    """A connection or session of these libraries, passed as `engine`, chooses it."""
    keeps_frames: bool = False
    """Whether frames of these libraries choose it too, where no engine is named."""


ENGINES = {
    "local": Entry("rankgold.engines.local"),
    "duckdb": Entry("rankgold.engines.duckdb.engine", ("duckdb", "_duckdb")),
    "spark": Entry("rankgold.engines.spark.engine", ("pyspark",), keeps_frames=True),
}


def engine_for(task: Task) -> Engine:
    """The engine that the task names, or that belongs to the connection, session or frames in it."""
    name = _keeper_of(task) if task.engine is None else engine_name(task.engine)
    engine: Engine = import_module(ENGINES[name].module).ENGINE
    for option in fields(Task):
        is_given = option.name in EngineOptions.__optional_keys__ and getattr(task, option.name) != option.default
        if is_given and option.name not in engine.options:
            raise DataError(f"{option.name} is not an option of the engine {name}.")
    return engine


def engine_name(engine: Any) -> str:
    """The name of the engine that was named, or whose connection or session was passed."""
    if isinstance(engine, str):
        if engine in ENGINES:
            return engine
        shown = repr(engine)
    else:
        for name, entry in ENGINES.items():
            if _library(type(engine)) in entry.libraries:
                return name
        shown = f"this {type(engine).__name__}"
    raise DataError(f"{shown} is not an engine. Engines are {listing(ENGINES)}, a connection or a session.")


def _keeper_of(task: Task) -> str:
    """The engine whose frames are among the data; `local` where there are none."""
    types = {*_types_in(task.qrels), *_types_in(task.run)}
    libraries = {_library(kind) for kind in types}
    return next((n for n, e in ENGINES.items() if e.keeps_frames and libraries & {*e.libraries}), "local")


def _types_in(data: Any) -> Iterable[type]:
    """The types of the runs in what was passed as one or several."""
    if isinstance(data, Mapping):
        return map(type, data.values())
    return map(type, data) if isinstance(data, (list, tuple)) else (type(data),)


def _library(kind: type) -> str:
    return kind.__module__.partition(".")[0]
