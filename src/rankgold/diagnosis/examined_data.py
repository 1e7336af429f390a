"""Rows of judgements and of runs in, what checks look at out: frames, hits, scores, and scores with one change."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypedDict, Unpack

import numpy as np
import polars as pl

from rankgold.data.inspection import RowFaults
from rankgold.data.table import Table
from rankgold.declaration.metric import Measure
from rankgold.diagnosis.findings import Effect
from rankgold.diagnosis.id_changes import FoundChange, find_changes
from rankgold.errors import DataError, MatchError, PolicyError
from rankgold.hits import Hits
from rankgold.matching.judgements import number_span
from rankgold.notes import Notes
from rankgold.policy import Policy
from rankgold.scoring import match
from rankgold.scoring.scores import Scores
from rankgold.scoring.values import score_all


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
