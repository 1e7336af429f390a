"""The name of an engine in, the engine out. To add an engine, add a folder and a line to ENGINES."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from rankgold.engines.protocol import Engine
from rankgold.errors import DataError, listing


@dataclass(frozen=True, slots=True)
class EngineEntry:
    """Where an engine is, and which objects choose it."""

    module: str
    """Its attribute ENGINE is the engine. It is imported when the engine is first used."""
    libraries: tuple[str, ...] = ()
    """A connection or session of these libraries, passed as `engine`, chooses it."""
    keeps_frames: bool = False
    """Whether frames of these libraries choose it too, if no engine is named."""


ENGINES = {
    "local": EngineEntry("rankgold.engines.local"),
    "duckdb": EngineEntry("rankgold.engines.duckdb.engine", ("duckdb", "_duckdb")),
    "spark": EngineEntry("rankgold.engines.spark.engine", ("pyspark",), keeps_frames=True),
}


@cache
def load_engine(name: str) -> Engine:
    engine: Engine = import_module(ENGINES[name].module).ENGINE
    return engine


def engine_name(engine: Any) -> str:
    """The name of the engine that was named, or whose connection or session was passed."""
    if isinstance(engine, str):
        if engine in ENGINES:
            return engine
        shown = repr(engine)
    else:
        if name := engine_of_object(engine):
            return name
        shown = f"this {type(engine).__name__}"
    raise DataError(f"{shown} is not an engine. Pass {listing(ENGINES)}, a connection or a session.")


def engine_of_object(connection: Any) -> str | None:
    """The name of the engine whose library an object comes from."""
    library = type(connection).__module__.partition(".")[0]
    return next((name for name, entry in ENGINES.items() if library in entry.libraries), None)


@cache
def keeper_of(libraries: frozenset[str]) -> str | None:
    """The engine that keeps frames of these libraries where they are."""
    keepers = (name for name, entry in ENGINES.items() if entry.keeps_frames and libraries & {*entry.libraries})
    return next(keepers, None)
