"""Defines what every engine does, and finds an engine by name or connection.

To add an engine, add a folder, and a class here that is listed in ENGINES.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from rankgold.core.hits import Hits
    from rankgold.core.notes import Notes
    from rankgold.core.policy import Policy
    from rankgold.core.segments import Ints
    from rankgold.data.columns import Kind
    from rankgold.data.fingerprints import Fingerprints
    from rankgold.data.rows import Rows
    from rankgold.data.slice_scheme import Division, SliceScheme
    from rankgold.engines.request import Request
    from rankgold.measures.metric import Measure


if TYPE_CHECKING:
    Divide = Callable[[Sequence[Any]], Division]
    """From all judged queries to their slices."""

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)

Flavour = Literal["rankgold", "hivemall", "hivemall-code"]
"""The functions for SQL. `rankgold`: one value per row. `hivemall`: Hivemall's aggregates, where average precision
divides by all relevant documents, as on Hivemall's page. `hivemall-code`: it divides by those found, as in Hivemall's
code since 2017."""

Progress = Callable[[str, float, int], None]
"""Called from time to time with the current step, the share of it that is done, and the number of rows so far."""


@dataclass(frozen=True, slots=True, eq=False)
class RunParts:
    """The results of a work for one run, part by part, and facts about the whole run."""

    name: str
    parts: Sequence[Any]
    order: Ints
    """The order of the queries of all parts: the first is number order[0] of the parts one after the other."""
    queries: list[Any]
    """The queries in this order."""
    notes: Notes
    subtopics: tuple[bool, bool]
    """Whether the judgements have subtopics, and whether documents share several."""


@dataclass(frozen=True, slots=True, eq=False)
class SumParts:
    """The sums of a work's gatherers, and facts about whole runs."""

    names: Sequence[str]
    """The names of the runs."""
    sums: Sequence[Any]
    remarks: Callable[[int, Notes], tuple[str, ...]]
    """From the number of a run and the notes on its queries to more remarks."""
    subtopics: tuple[bool, bool]
    fingerprints: Sequence[Fingerprints | None]
    """Those of each run and its judgements."""
    scheme: SliceScheme | None
    slice_notes: tuple[str, ...]


class Gatherer(Protocol[Result_co]):
    """Sums up results of hits where per-query values are not needed."""

    def add(self, hits_of_runs: Sequence[Hits], division: Division | None) -> None:
        """Adds the hits of some queries in all runs, with the slices of these queries if there are slices."""

    def sums(self) -> Any:
        """The sums of all that was added, small enough to be sent."""

    def whole(self, parts: SumParts) -> Result_co:
        """The result of the sums of several gatherers."""


class Work(Protocol[Result_co]):
    """What to compute from hits. A cluster sends it to its executors, so that hits need not travel."""

    @property
    def measures(self) -> Mapping[str, Measure]:
        """What is measured, by label."""

    def of_hits(self, hits: Hits) -> Any:
        """The result for the hits of a run, or of some of its queries, with `queries` and `notes` like hits."""

    def gatherer(self) -> Gatherer[Result_co] | None:
        """A new gatherer; None if the result has the values of queries."""

    def joined(self, run: RunParts) -> Any:
        """The result of `of_hits` for a whole run, joined from its parts."""

    def whole(self, runs: Sequence[Any], divide: Divide | None) -> Result_co:
        """The result of all runs. `divide` finds the slices of queries; None if there are no slices."""


class EngineReader(Protocol):
    """Reads what lives in an engine into this process, for measures that need whole lists."""

    def holds(self, source: object) -> bool:
        """Whether the engine reads this: a table or view by name, a frame of its own, a path that is no file here."""

    def rows(self, source: object, kind: Kind, columns: Mapping[str, str] | None, policy: Policy) -> Rows:
        """The rows of a run, of judgements or of pairs."""

    def all_columns(self, source: object) -> Any:
        """A frame with all columns of a table."""


class Engine(Protocol):
    """A place where rows are read and matched."""

    @property
    def name(self) -> str: ...

    def match(self, request: Request) -> Iterator[Hits]:
        """The Hits of each run, one run after the other."""

    def reduce(self, request: Request, work: Work[Result]) -> Result:
        """The result of the work for all runs, computed where the hits are."""

    def plan(self, request: Request, work: Work[Any]) -> str:
        """The plan of `reduce`, as text."""

    def reader(self, request: Request) -> AbstractContextManager[EngineReader | None]:
        """Reads what lives in the engine; None if nothing does."""


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


def engine_of_object(connection: object) -> str | None:
    """The name of the engine whose library an object comes from."""
    library = type(connection).__module__.partition(".")[0]
    return next((name for name, choice in ENGINES.items() if library in choice.libraries), None)


@cache
def keeper_of(libraries: frozenset[str]) -> EngineChoice | None:
    """The engine that keeps frames of these libraries where they are."""
    keepers = (choice() for choice in ENGINES.values() if choice.keeps_frames and libraries & {*choice.libraries})
    return next(keepers, None)
