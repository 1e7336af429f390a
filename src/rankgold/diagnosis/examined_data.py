"""Rows of judgements and of runs in, what checks look at out: frames, hits, scores, and scores with one change."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.inspection import RowFaults
from rankgold.data.table import Table
from rankgold.declaration.metric import Measure
from rankgold.diagnosis.findings import Effect
from rankgold.errors import DataError, MatchError, PolicyError
from rankgold.evaluation import match
from rankgold.hits import Hits, Notes, NumberSpan
from rankgold.policy import Policy
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
class Evaluated:
    """A run evaluated against judgements, if the two have a query in common."""

    judged: Table
    run: Table
    measures: Mapping[str, Measure]
    policy: Policy

    @cached_property
    def hits(self) -> Hits | None:
        try:
            return match(self.judged, self.run, policy=self.policy)
        except MatchError:
            return None

    @cached_property
    def scores(self) -> Scores | None:
        return None if self.hits is None else score_all([self.hits], dict(self.measures))


@dataclass(frozen=True, eq=False)
class ExaminedRun:
    """One run."""

    name: str
    rows: InspectedRows
    evaluated: Evaluated

    @property
    def frame(self) -> pl.DataFrame:
        """query, document, score; and rank, if the run has ranks beside its scores."""
        return self.rows.table.frame

    @property
    def hits(self) -> Hits | None:
        return self.evaluated.hits

    @property
    def notes(self) -> Notes:
        """The notes that `evaluate` gives; without any count if it refuses the data."""
        return Notes() if self.hits is None else self.hits.notes

    @cached_property
    def by_query(self) -> pl.DataFrame:
        """A row for each query, in the order of the run: documents and distinct scores."""
        score = pl.col("score")
        by_query = self.frame.group_by("query", maintain_order=True)
        return by_query.agg(documents=pl.len(), first=score.first(), low=score.min(), high=score.max())


@dataclass(frozen=True, eq=False)
class ExaminedData:
    """Judgements, runs, and what users had before, as they are before anyone scores them."""

    judged: InspectedRows
    runs: list[ExaminedRun]
    measures: Mapping[str, Measure]
    policy: Policy
    scale: tuple[float, float] | None = None
    """The lowest and the highest grade that there should be."""
    train: pl.DataFrame | None = None
    """Pairs of query and document that users had."""
    unreadable: tuple[DataError, ...] = ()
    """Why some sources could not be read at all."""

    @property
    def judgements(self) -> pl.DataFrame:
        """query, document, grade."""
        return self.judged.table.frame

    found_changes: dict[str, list[Any]] = field(default_factory=dict)
    """Run -> the changes after which more ids match, which several checks report."""

    @cached_property
    def grade_notes(self) -> Notes:
        """The notes on grades that every run gets."""
        grades = self.judgements["grade"].to_numpy()
        partial = int(np.count_nonzero((grades > 0) & (grades < 1)))
        return Notes(partial_grades=partial, grades=NumberSpan.of(grades))

    def effect_of_rel(self, rel: float) -> Effect | None:
        """The largest effect of another threshold on all measures that have one."""
        on = {
            label: measure.with_parameters(rel=rel) if "rel" in measure.metric.parameters else measure
            for label, measure in self.measures.items()
        }
        return self.largest_effect(f"with rel={rel:g}", on=on)

    @cached_property
    def is_pooled(self) -> bool:
        """Whether documents were judged and found not relevant. Otherwise unjudged documents are just not relevant."""
        return bool((self.judgements["grade"] <= 0).any())

    def effect(
        self,
        run: ExaminedRun,
        change: str,
        *,
        on: Mapping[str, Measure] | None = None,
        refused: bool = False,
        **changed: Any,
    ) -> Effect:
        """The means of a run as the data are and with a change: the frames `judged` or `ranked`, fields of the policy.

        `exclude` and `topics` are those of `evaluate`. `on` are measures under the same labels, for the data with the
        change. `refused`: as they are, the data are not evaluated.
        """
        tables = {"judged": self.judged.table, "ranked": run.rows.table}
        for side in tables:
            given = changed.pop(side, None)
            if given is not None:
                tables[side] = _with_frame(tables[side], given)
        data = {name: changed.pop(name) for name in ("exclude", "topics") if name in changed}
        before = {} if refused or run.evaluated.scores is None else run.evaluated.scores.means
        try:
            hits = match(tables["judged"], tables["ranked"], policy=replace(self.policy, **changed), **data)
            after = score_all([hits], dict(on or self.measures)).means
        except (DataError, PolicyError):
            after = {}
        values = {label: (before.get(label, math.nan), after.get(label, math.nan)) for label in self.measures}
        return Effect(change, run.name, values)

    def largest_effect(self, change: str, **changed: Any) -> Effect | None:
        """The effect on the run that moves most; None without runs."""
        return largest([self.effect(run, change, **changed) for run in self.runs])


def _with_frame(table: Table, frame: pl.DataFrame) -> Table:
    """The table with other rows, whose ids may be text now."""
    nothing = {run: queries.cast(frame["query"].dtype) for run, queries in table.nothing.items()}
    return replace(table, frame=frame, starts=None, nothing=nothing)


def largest(effects: Iterable[Effect]) -> Effect | None:
    """The effect that moves a mean most; None if there is none."""
    return max(effects, key=lambda effect: -1 if math.isnan(effect.largest) else effect.largest, default=None)
