"""Declares a check, and gives it frames, hits and scores after one change."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, TypedDict, Unpack

import numpy as np
import polars as pl

from rankgold.audit.findings import Effect, Finding, Severity
from rankgold.audit.id_changes import FoundChange, IdChange, find_changes
from rankgold.core.errors import DataError, MatchError, PolicyError, nearest
from rankgold.core.hits import Hits
from rankgold.core.notes import Notes
from rankgold.core.policy import Policy
from rankgold.data.matching.judgements import number_span
from rankgold.data.rows import RowFaults
from rankgold.data.table import Table
from rankgold.measures.metric import Measure
from rankgold.scoring import match
from rankgold.scoring.scorer import score_all
from rankgold.scoring.scores import Scores


@dataclass(frozen=True, slots=True)
class InspectedRows:
    """The rows of one source that can be read, and what is wrong with the others."""

    name: str
    """The file, or what the source is called."""
    table: Table
    faults: RowFaults = field(default_factory=RowFaults)


@dataclass(frozen=True, eq=False)
class ExaminedRun:
    """One run, evaluated against the judgements if the two have a query in common."""

    name: str
    rows: InspectedRows
    judged: Table
    measures: Mapping[str, Measure]
    policy: Policy

    @property
    def frame(self) -> pl.DataFrame:
        """query, document, score; and rank, if the run has ranks beside its scores."""
        return self.rows.table.frame

    @cached_property
    def hits(self) -> Hits | None:
        try:
            return match(self.judged, self.rows.table, policy=self.policy)
        except MatchError:
            return None

    @cached_property
    def scores(self) -> Scores | None:
        return None if self.hits is None else score_all([self.hits], dict(self.measures))

    @property
    def notes(self) -> Notes:
        """The notes that `evaluate` gives; without counts if it refuses the data."""
        return Notes() if self.hits is None else self.hits.notes

    @cached_property
    def by_query(self) -> pl.DataFrame:
        """A row for each query, in the order of the run: the number of documents, and the ends of their scores."""
        score = pl.col("score")
        by_query = self.frame.group_by("query", maintain_order=True)
        return by_query.agg(documents=pl.len(), low=score.min(), high=score.max())

    @cached_property
    def id_changes(self) -> list[FoundChange]:
        """The changes of ids that make more of them match, which several checks report."""
        return list(find_changes(self.judged.frame, self.frame))


class Changes(TypedDict, total=False):
    """The changes to apply before evaluating a run again."""

    judged: pl.DataFrame
    ranked: pl.DataFrame
    exclude: pl.DataFrame
    """As in `evaluate`."""
    topics: list[Any]
    """As in `evaluate`."""
    policy: dict[str, Any]
    """Field of the policy -> another choice."""
    measures: Mapping[str, Measure]
    """Under the same labels."""
    is_refused: bool
    """`evaluate` refuses the data as they are, so only the data with the changes have means."""


@dataclass(frozen=True, eq=False)
class ExaminedData:
    """The data to check: judgements, runs, and what users had before."""

    judged: InspectedRows
    runs: list[ExaminedRun]
    measures: Mapping[str, Measure]
    policy: Policy
    scale: tuple[float, float] | None = None
    """The lowest and the highest grade of the scale."""
    train: pl.DataFrame | None = None
    """Pairs of query and document that users had."""
    unreadable: tuple[DataError, ...] = ()
    """Why some sources could not be read at all."""

    @property
    def judgements(self) -> pl.DataFrame:
        """query, document, grade."""
        return self.judged.table.frame

    @cached_property
    def grade_notes(self) -> Notes:
        """The notes on grades that every run gets."""
        grades = self.judgements["grade"].to_numpy()
        partial = int(np.count_nonzero((grades > 0) & (grades < 1)))
        return Notes(partial_grades=partial, grades=number_span(grades))

    def effect_of_rel(self, rel: float) -> Effect | None:
        """The largest effect of another threshold on all measures that have one."""
        measures = {
            label: measure.with_parameters(rel=rel) if "rel" in measure.metric.parameters else measure
            for label, measure in self.measures.items()
        }
        return self.largest_effect(f"with rel={rel:g}", measures=measures)

    @cached_property
    def is_pooled(self) -> bool:
        """True if some documents were judged not relevant. Otherwise unjudged documents just count as not relevant."""
        return bool((self.judgements["grade"] <= 0).any())

    def effect(self, run: ExaminedRun, description: str, **changes: Unpack[Changes]) -> Effect:
        """The means of a run as the data are, and with changes."""
        before = {} if changes.get("is_refused") or run.scores is None else run.scores.means
        judged = _with_frame(self.judged.table, changes.get("judged"))
        ranked = _with_frame(run.rows.table, changes.get("ranked"))
        try:
            policy = replace(self.policy, **changes.get("policy", {}))
            hits = match(judged, ranked, policy=policy, topics=changes.get("topics"), exclude=changes.get("exclude"))
            after = score_all([hits], dict(changes.get("measures", self.measures))).means
        except (DataError, PolicyError):
            after = {}
        values = {label: (before.get(label, math.nan), after.get(label, math.nan)) for label in self.measures}
        return Effect(description, run.name, values)

    def largest_effect(self, description: str, **changes: Unpack[Changes]) -> Effect | None:
        """The effect on the most affected run; None without runs."""
        return largest(self.effect(run, description, **changes) for run in self.runs)

    def effect_on(self, run: ExaminedRun | None, description: str, **changes: Unpack[Changes]) -> Effect | None:
        """The effect on a run; on the most affected run if it is None."""
        return self.largest_effect(description, **changes) if run is None else self.effect(run, description, **changes)


def _with_frame(table: Table, frame: pl.DataFrame | None) -> Table:
    """The table with other rows, whose ids may be text now; None for its own rows."""
    if frame is None:
        return table
    nothing = {run: queries.cast(frame["query"].dtype) for run, queries in table.nothing.items()}
    return replace(table, frame=frame, starts=None, nothing=nothing)


def largest(effects: Iterable[Effect]) -> Effect | None:
    """The effect that changes a mean most; None if there is none."""
    return max(effects, key=lambda effect: -1 if math.isnan(effect.largest) else effect.largest, default=None)


_ORDERS = ("descending", "ascending", "input")


def largest_effect_of_ties(collection: ExaminedData, run: ExaminedRun) -> Effect | None:
    """The effect of the order that changes a mean most."""
    orders = [order for order in _ORDERS if order != collection.policy.ties]
    return largest(collection.effect(run, f"with ties={order}", policy={"ties": order}) for order in orders)


CollectionCheck = Callable[[ExaminedData], Iterator[Finding]]
RunCheck = Callable[[ExaminedData, ExaminedRun], Iterator[Finding]]
RowsCheck = Callable[[ExaminedData, InspectedRows, ExaminedRun | None], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """One kind of problem to look for."""

    name: str
    summary: str
    function: CollectionCheck
    order: int

    def findings(self, collection: ExaminedData) -> list[Finding]:
        return [replace(finding, check=self.name) for finding in self.function(collection)]


CHECKS: dict[str, DoctorCheck] = {}
"""Name -> check, in the order in which findings of a severity are listed. The four files of checks fill it."""

_LAST = 1000


def check_of_collection(*, order: int = _LAST) -> Callable[[CollectionCheck], CollectionCheck]:
    """Registers a function of a whole collection. Its name is the check's name, its docstring says what it finds."""

    def register(function: CollectionCheck) -> CollectionCheck:
        name = function.__name__
        CHECKS[name] = DoctorCheck(name, " ".join((inspect.getdoc(function) or "").split()), function, order)
        for check in sorted(CHECKS.values(), key=lambda check: check.order):
            CHECKS[check.name] = CHECKS.pop(check.name)
        return function

    return register


def check_of_run(*, order: int = _LAST) -> Callable[[RunCheck], RunCheck]:
    """Registers a function that is called with each run."""

    def register(function: RunCheck) -> RunCheck:
        @wraps(function)
        def of_all_runs(collection: ExaminedData) -> Iterator[Finding]:
            for run in collection.runs:
                for finding in function(collection, run):
                    yield replace(finding, run=run.name)

        check_of_collection(order=order)(of_all_runs)
        return function

    return register


def check_of_rows(*, order: int = _LAST) -> Callable[[RowsCheck], RowsCheck]:
    """Registers a function that is called with the judgements, without a run, and then with the rows of each run."""

    def register(function: RowsCheck) -> RowsCheck:
        @wraps(function)
        def of_all_rows(collection: ExaminedData) -> Iterator[Finding]:
            yield from function(collection, collection.judged, None)
            for run in collection.runs:
                for finding in function(collection, run.rows, run):
                    yield replace(finding, run=run.name)

        check_of_collection(order=order)(of_all_rows)
        return function

    return register


def chosen_checks(ignore: str | Iterable[str] | None) -> list[DoctorCheck]:
    """All checks but those that the user names."""
    names = [ignore] if isinstance(ignore, str) else list(ignore or ())
    for name in names:
        if name not in CHECKS:
            raise DataError(f"No check is called {name!r}.{nearest(str(name), CHECKS)} Checks: {', '.join(CHECKS)}.")
    return [known for name, known in CHECKS.items() if name not in names]


_SUITABLE = 0.5


def id_finding(collection: ExaminedData, run: ExaminedRun, found: FoundChange) -> Finding:
    """The finding that a change would make ids match."""
    nouns = "queries" if found.role == "query" else "documents"
    what = (
        f"{found.matches:,} of the {found.unmatched:,} judged {nouns} that the run does not have would match with"
        f" {found.change.done}"
    )
    severity: Severity = "error" if found.matches >= _SUITABLE * found.unmatched or run.hits is None else "warning"
    return Finding(
        severity,
        what,
        f"judged: {found.judged!a}, ranked: {found.ranked!a}",
        found.change.advice,
        change_effect(collection, run, *found.steps),
    )


def change_effect(collection: ExaminedData, run: ExaminedRun, *steps: tuple[IdChange, str]) -> Effect:
    """The means of a run as they are, and after changes of ids, each with the role of the ids: query or document."""
    judged, ranked = collection.judgements, run.frame
    for change, role in steps:
        ids = pl.col(role).cast(pl.String)
        judged, ranked = judged.with_columns(change.judged(ids)), ranked.with_columns(change.ranked(ids))
    return collection.effect(run, f"with {steps[-1][0].done}", judged=judged, ranked=ranked)
