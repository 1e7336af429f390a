"""Checks the keywords that all verbs share, once.

Measures of whole lists need all rows of a run in one place. So an engine only reads its tables, views and frames here,
and everything else happens in this process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankgold.core.errors import DataError, PolicyError, listing
from rankgold.core.hits import Hits
from rankgold.core.policy import Policy, decided_policy
from rankgold.data.columns import Kind
from rankgold.data.inputs import given_runs, libraries_in, unused_name
from rankgold.data.selection import Parent, ParentRule
from rankgold.engines.protocol import (
    ENGINES,
    LOCAL,
    EngineChoice,
    EngineReader,
    Local,
    Progress,
    engine_of_object,
    keeper_of,
)

if TYPE_CHECKING:
    from rankgold.core.accepted import By, EngineLike, QueryIds, SeenDocuments
    from rankgold.data.exclusion import Exclusion
    from rankgold.data.query_groups import QueryGroups
    from rankgold.data.rows import Rows
    from rankgold.data.selection import Topics
    from rankgold.data.slices import Slices
    from rankgold.engines.protocol import Engine


# These fields of a policy are decided after matching, all others in matching.
_AFTER_MATCHING = ("missing", "no_relevant", "undefined", "dialect")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Request:
    """A checked request: the data, and the options shared by all verbs."""

    data: Mapping[str, Any]
    """What the user passed, by the names of the arguments: qrels, run, first, second, items, train."""
    hits: tuple[Hits, ...]
    """The hits that were passed in place of judgements and run, under the policy of the request; mostly none."""
    policy: Policy
    """With the depth, and with the choice of chunks."""
    rel: float | None
    columns: Mapping[str, str] | None
    parent: ParentRule | None
    """To which document a chunk belongs."""
    topics: Topics | None
    """The queries to evaluate; None for all."""
    slices: Slices | None
    """By which attributes of queries the scores are divided; None for not at all."""
    exclude: Any
    """The documents to take out of the lists, query by query, before ranks are counted."""
    engine: Any
    """The engine with its options: Local, DuckDB or Spark."""
    progress: Progress | None
    fingerprint: bool
    """Whether the notes on each run have the fingerprints of its data."""

    @classmethod
    def of(
        cls,
        data: Mapping[str, Any],
        *,
        policy: Policy | str | None = None,
        topics: QueryIds | None = None,
        depth: int | None = None,
        rel: float | None = None,
        exclude: SeenDocuments | None = None,
        parent: Parent | None = None,
        columns: Mapping[str, str] | None = None,
        by: By | None = None,
        engine: EngineLike | None = None,
        progress: Progress | None = None,
        fingerprint: bool = False,
    ) -> Request:
        hits = _matched_runs(data.get("qrels"))
        if hits:
            for name, value in {"parent": parent, "topics": topics, "exclude": exclude}.items():
                if value is not None:
                    raise DataError(f"Hits are matched already. Pass {name} to match, with the judgements and the run.")
            hits = _under_one_policy([with_policy(run, policy, depth) for run in hits])
        selected = None
        if topics is not None:
            from rankgold.data.selection import Topics

            selected = Topics.of(topics)
        slices = None
        if by is not None:
            from rankgold.data.slices import Slices

            slices = Slices.of(by)
        if engine is None:
            table = None if slices is None else slices.table
            engine = keeper_of(libraries_in(*data.values(), exclude, table)) or LOCAL
        else:
            engine = chosen_engine(engine)
        return cls(
            data=data,
            hits=tuple(hits),
            policy=hits[0].policy if hits else decided_policy(policy, depth, parent),
            rel=rel,
            columns=columns,
            parent=None if parent is None else ParentRule.of(parent),
            topics=selected,
            slices=slices,
            exclude=exclude,
            engine=engine,
            progress=progress,
            fingerprint=fingerprint,
        )

    @property
    def qrels(self) -> Any:
        return self.data["qrels"]

    @property
    def run(self) -> Any:
        """A run, or several by name or in a list; None if one table has the judgements and the run."""
        return self.data["run"]

    def load_engine(self) -> Engine:
        loaded: Engine = import_module(self.engine.module).ENGINE
        return loaded

    def report(self, step: str, share: float = 0.0) -> None:
        """Reports a step, and the share of it that is done, to the user's progress function, if there is one."""
        if self.progress is not None:
            self.progress(step, share, 0)

    @contextmanager
    def data_here(self) -> Iterator[DataHere]:
        """Reads what lives in the engine into this process."""
        with self.load_engine().reader(self) as reader:
            yield DataHere(reader, self.columns, self.policy)

    def runs(self, source: object) -> Iterator[tuple[str, Rows]]:
        """Every run in a source that is read in this process, with its name."""
        from rankgold.data.inputs import read_runs

        return read_runs(source, self.columns, self.policy.repeats)

    def groups(self, name: str, rows: Rows, query: str = "query") -> QueryGroups:
        """The rows of the selected queries; chunks as the documents that they belong to."""
        from rankgold.data.matching.table_judgements import with_parents

        self.report(f"sorting {name}")
        groups = rows.groups()
        if self.topics is not None:
            chosen = self.topics.among(groups.queries.to_list())
            if not chosen.any():
                raise DataError(f"none of the topics is a {query} of {name}. Check that the ids are the same.")
            groups = groups.of_queries(chosen)
        return with_parents(groups, self.parent)


def with_policy(hits: Hits, policy: Policy | str | None, depth: int | None = None) -> Hits:
    """The hits with another policy, which may differ in the fields that are decided after matching."""
    if policy is None and depth is None:
        return hits
    wanted = decided_policy(hits.policy if policy is None else policy, depth)
    for field in fields(Policy):
        if field.name not in _AFTER_MATCHING and getattr(wanted, field.name) != getattr(hits.policy, field.name):
            raise PolicyError(
                f"These hits were matched with {field.name}={getattr(hits.policy, field.name)}, which cannot be changed"
                f" afterwards. Pass the policy to match, or to the function that made the hits."
            )
    return replace(hits, policy=wanted)


def _matched_runs(given: object) -> list[Hits]:
    """The Hits that the user passed in place of judgements and run; none if these are not Hits."""
    if isinstance(given, Hits):
        return [given]
    values = list(given.values()) if isinstance(given, Mapping) else given
    if not isinstance(values, (list, tuple)) or not any(isinstance(value, Hits) for value in values):
        return []
    for value in values:
        if not isinstance(value, Hits):
            raise DataError(f"this {type(value).__name__} is among Hits. Match it first: rankgold.match(qrels, run).")
    own = [str(name) for name in given] if isinstance(given, Mapping) else [hits.name for hits in values]
    names: list[str] = []
    for name in own:
        names.append(unused_name(name, names))
    return [replace(hits, name=name) for hits, name in zip(values, names, strict=True)]


def _under_one_policy(runs: list[Hits]) -> list[Hits]:
    for hits in runs:
        if hits.policy != runs[0].policy:
            raise PolicyError(
                f"These hits were matched under different policies: {runs[0].name} with {runs[0].policy}, {hits.name}"
                f" with {hits.policy}. Match them under one."
            )
    return runs


_KINDS: dict[str, Kind] = {"qrels": "qrels", "train": "pairs"}


@dataclass(frozen=True, slots=True)
class DataHere:
    """Reads what lives in an engine. Everything else stays as the user passed it."""

    reader: EngineReader | None
    columns: Mapping[str, str] | None
    policy: Policy

    def runs(self, source: object) -> Any:
        """A run, or several by name or in a list."""
        if self.reader is None:
            return source
        runs = given_runs(source, self.columns)
        if not any(self.reader.holds(run) for _, run in runs):
            return source
        read = [(name, self.table(run, "run")) for name, run in runs]
        return dict(read) if isinstance(source, Mapping) else [rows for _, rows in read]

    def table(self, source: object, kind: Kind) -> Any:
        """Judgements, or pairs of users and items."""
        if self.reader is None or not self.reader.holds(source):
            return source
        return self.reader.rows(source, kind, self.columns, self.policy)

    def exclusion(self, source: object) -> Exclusion | None:
        """What is taken out of lists, if anything is."""
        if source is None:
            return None
        from rankgold.data.exclusion import Exclusion

        return Exclusion.of(self.table(source, "pairs"), self.columns)

    def catalogue(self, source: object) -> Any:
        """A table of items with all its columns."""
        return source if self.reader is None or not self.reader.holds(source) else self.reader.all_columns(source)


def read_here(request: Request) -> Request:
    """The same request, with what lives in its engine read into this process."""
    if isinstance(request.engine, Local):
        return request
    with request.data_here() as here:
        data = dict(request.data)
        for name, kind in _KINDS.items():
            if name in data:
                data[name] = here.table(data[name], kind)
        if "run" in data:
            data["run"] = here.runs(data["run"])
        return replace(request, data=data, exclude=here.table(request.exclude, "pairs"), engine=Local())


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
