"""The engines with their options, and which of them a name, a connection, a session or a frame chooses.

To add an engine, add a folder, and a class here that is listed in ENGINES.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from rankgold.errors import DataError, listing


class EngineChoice:
    """An engine that was chosen, with its options. The first field is a connection or session, if there is one."""

    __slots__ = ()
    module: ClassVar[str]
    """Its attribute ENGINE is the engine. It is imported when the engine is first used."""
    libraries: ClassVar[tuple[str, ...]] = ()
    """A connection or session of these libraries, passed as `engine`, chooses it."""
    keeps_frames: ClassVar[bool] = False
    """Whether frames of these libraries choose it too, if no engine is named."""


@dataclass(frozen=True, slots=True)
class Local(EngineChoice):
    """The engine `local`: everything is read and matched in this process."""

    module = "rankgold.engines.local"


@dataclass(frozen=True, slots=True)
class DuckDB(EngineChoice):
    """The engine DuckDB: the user's own connection, or a new one with a memory limit such as "4GB"."""

    connection: Any = None
    memory_limit: str | None = None

    module = "rankgold.engines.duckdb.engine"
    libraries = ("duckdb", "_duckdb")


@dataclass(frozen=True, slots=True)
class Spark(EngineChoice):
    """The engine Spark: the user's own session, or the one that is running or can be started.

    `trust_ranks=True` takes the ranks in the run as they are, which avoids shuffling the run.
    """

    session: Any = None
    trust_ranks: bool = False

    module = "rankgold.engines.spark.engine"
    libraries = ("pyspark",)
    keeps_frames = True


LOCAL = Local()
ENGINES: dict[str, type[EngineChoice]] = {"local": Local, "duckdb": DuckDB, "spark": Spark}


def chosen_engine(engine: object) -> EngineChoice:
    """The engine that was named, whose connection or session was passed, or that was passed with its options."""
    if isinstance(engine, EngineChoice):
        return engine
    if isinstance(engine, str):
        if engine in ENGINES:
            return ENGINES[engine]()
        shown = repr(engine)
    else:
        if name := engine_of_object(engine):
            return ENGINES[name](engine)  # type: ignore[call-arg]
        shown = f"this {type(engine).__name__}"
    raise DataError(f"{shown} is not an engine. Pass {listing(ENGINES)}, a connection or a session.")


def engine_of_object(connection: object) -> str | None:
    """The name of the engine whose library an object comes from."""
    library = type(connection).__module__.partition(".")[0]
    return next((name for name, choice in ENGINES.items() if library in choice.libraries), None)


@cache
def keeper_of(libraries: frozenset[str]) -> EngineChoice | None:
    """The engine that keeps frames of these libraries where they are."""
    keepers = (choice() for choice in ENGINES.values() if choice.keeps_frames and libraries & {*choice.libraries})
    return next(keepers, None)
