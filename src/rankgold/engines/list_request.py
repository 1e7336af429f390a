"""The keywords of `similarity`, `exposure` and `report` in, a ListRequest out: how runs are read that stay in lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankgold.data.inputs import libraries_in
from rankgold.data.named_runs import read_runs
from rankgold.data.parents import ParentRule
from rankgold.data.topics import Topics
from rankgold.engines.fetched_data import DataHere
from rankgold.engines.protocol import ListKeywords, Progress
from rankgold.engines.registry import engine_name, keeper_of, load_engine
from rankgold.errors import DataError
from rankgold.matching.table_judgements import with_parents
from rankgold.policy import Policy, decided_policy

if TYPE_CHECKING:
    from rankgold.data.query_groups import QueryGroups
    from rankgold.data.rows import Rows


@dataclass(frozen=True, slots=True)
class ListRequest:
    """What the user passed besides the data and the measures, checked."""

    policy: Policy
    columns: Mapping[str, str] | None
    parent: ParentRule | None
    topics: Topics | None
    engine: Any
    memory_limit: str | None
    progress: Progress | None

    @classmethod
    def of(cls, keywords: ListKeywords) -> ListRequest:
        parent = keywords.get("parent")
        return cls(
            policy=decided_policy(keywords.get("policy"), keywords.get("depth"), parent),
            columns=keywords.get("columns"),
            parent=ParentRule.of(parent),
            topics=Topics.of(keywords.get("topics")),
            engine=keywords.get("engine"),
            memory_limit=keywords.get("memory_limit"),
            progress=keywords.get("progress"),
        )

    @contextmanager
    def data_here(self, sources: Iterable[Any]) -> Iterator[DataHere]:
        """Reads data through the engine that the user names, or that keeps frames among the sources; else `local`."""
        engine = self.engine
        if engine is None:
            engine = keeper_of(libraries_in(*sources)) or "local"
        loaded = load_engine(engine_name(engine))
        if self.memory_limit is not None and "memory_limit" not in loaded.options:
            raise DataError(f"memory_limit is not an option of the engine {loaded.name}.")
        with loaded.reader(None if isinstance(engine, str) else engine, self.memory_limit) as reader:
            yield DataHere(reader, self.columns, self.policy)

    def runs(self, source: Any) -> Iterator[tuple[str, Rows]]:
        """Every run in the source, with its name."""
        return read_runs(source, self.columns, self.policy.repeats)

    def groups(self, name: str, rows: Rows, query: str = "query") -> QueryGroups:
        """The rows of the selected queries; chunks as the documents that they belong to."""
        self.report(f"sorting {name}")
        groups = rows.groups()
        if self.topics is not None:
            chosen = self.topics.among(groups.queries.to_list())
            if not chosen.any():
                raise DataError(f"none of the topics is a {query} of {name}. Check that the ids are the same.")
            groups = groups.of_queries(chosen)
        return with_parents(groups, self.parent)

    def report(self, step: str, share: float = 0.0) -> None:
        """Reports a step, and the share of it that is done, to the user's progress function, if there is one."""
        if self.progress is not None:
            self.progress(step, share, 0)
