"""What every engine has: a Task goes in; Scores, the Hits of each run, or the text of a plan come out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

if TYPE_CHECKING:
    from rankgold.data.columns import Kind
    from rankgold.data.fingerprints import DataLog
    from rankgold.data.parents import Parent, ParentRule
    from rankgold.data.rows import Rows
    from rankgold.data.slices import Slices
    from rankgold.data.topics import Topics
    from rankgold.declaration.metric import Measure
    from rankgold.hits import Hits
    from rankgold.policy import Policy
    from rankgold.scoring.scores import Scores

Progress = Callable[[str, float, int], None]
"""Called from time to time with the current step, the share of it that is done, and the number of rows so far."""


class MatchOptions(TypedDict, total=False):
    """Keywords of `match` that some engines take. Task has the defaults."""

    trust_ranks: bool
    """Spark: take the ranks in the run as they are."""
    memory_limit: str | None
    """DuckDB: how much memory it may use, such as 4GB."""


class EngineOptions(MatchOptions, total=False):
    """Keywords of `evaluate` and `plan` that some engines take."""

    per_query: bool
    """Spark: bring back the values of every query, not means and variances alone."""


class LocalOptions(TypedDict, total=False):
    """Keywords that say how judgements and runs are read in this process."""

    policy: Policy | str | None
    columns: Mapping[str, str] | None
    parent: Parent | None
    depth: int | None
    topics: Any


class ReadingOptions(LocalOptions, total=False):
    """Keywords that say how judgements and runs are read, here or by an engine."""

    engine: Any
    progress: Progress | None


class DataOptions(ReadingOptions, total=False):
    """Keywords that say how judgements and runs are read and matched."""

    exclude: Any


class MatchKeywords(DataOptions, MatchOptions, total=False):
    """The keywords of `match`, besides `rel`."""


class EvaluateKeywords(DataOptions, EngineOptions, total=False):
    """The keywords of `evaluate`."""

    rel: float | None
    by: Any
    fingerprint: bool


class ListKeywords(ReadingOptions, total=False):
    """The keywords of `similarity`, and of others whose data engines only read."""

    memory_limit: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What an engine is asked to do. The fields after `exclude` are options, which not every engine takes."""

    qrels: Any
    run: Any
    measures: dict[str, Measure]
    policy: Policy
    columns: Mapping[str, str] | None = None
    progress: Progress | None = None
    engine: Any = None
    """What the user passed: an engine's name, a DuckDB connection, a Spark session, or None."""
    parent: ParentRule | None = None
    """To which document a chunk belongs."""
    topics: Topics | None = None
    """The queries to evaluate; None for all."""
    slices: Slices | None = None
    """By which attributes of queries the scores are divided; None for not at all."""
    exclude: Any = None
    """The documents to take out of the lists, query by query, before ranks are counted."""
    trust_ranks: bool = False
    memory_limit: str | None = None
    per_query: bool = True
    log: DataLog | None = None
    """Where the engine notes what it reads, for fingerprints; None if nobody wants them."""

    @property
    def session(self) -> Any:
        """The user's own DuckDB connection or Spark session, if one was passed."""
        return None if isinstance(self.engine, str) else self.engine

    def report(self, step: str) -> None:
        """Reports the beginning of a step to the user's progress function, if there is one."""
        if self.progress is not None:
            self.progress(step, 0.0, 0)


class EngineReader(Protocol):
    """Reads what lives in an engine into this process, for measures that need whole lists."""

    def holds(self, source: Any) -> bool:
        """Whether the engine reads this: a table or view by name, a frame of its own, a path that is no file here."""

    def rows(self, source: Any, kind: Kind, columns: Mapping[str, str] | None, policy: Policy) -> Rows:
        """The rows of a run, of judgements or of pairs."""

    def all_columns(self, source: Any) -> Any:
        """A frame with all columns of a table."""


class Engine(Protocol):
    """A place where rows are read and matched."""

    @property
    def name(self) -> str: ...

    @property
    def options(self) -> frozenset[str]:
        """The options of a Task that this engine takes."""

    def evaluate(self, task: Task) -> Scores:
        """The scores of all runs."""

    def match(self, task: Task) -> Iterator[Hits]:
        """The Hits of each run, one run after the other."""

    def plan(self, task: Task) -> str:
        """What `evaluate` is going to run, as text."""

    def reader(self, session: Any, memory_limit: str | None) -> AbstractContextManager[EngineReader | None]:
        """Reads what lives in the engine; None if nothing does. The session is the user's own, if one was passed."""
