"""A collection with grades and a line of trec_eval in, the value of each query out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from rankgold.compat.trec_eval.collection import Collection
from rankgold.compat.trec_eval.names import Line
from rankgold.declaration.metric import Measure
from rankgold.hits import Hits
from rankgold.measures import parse
from rankgold.scoring.values import score_run

Values = dict[Any, float]


@dataclass(frozen=True, slots=True)
class GradeValues:
    """The values of measures over grades."""

    collection: Collection
    rel: int
    """The lowest grade that is relevant."""
    after_set_f: bool
    """Whether set_F is computed, too: it changes rbp of trec_eval 10."""
    matched: dict[tuple[tuple[float, float], ...], Hits] = field(default_factory=dict)
    """The hits for each choice of gains, matched once for all measures."""

    @property
    def tag(self) -> str:
        return self.collection.tag

    def queries(self, *, complete: bool) -> list[Any]:
        return self.collection.queries(complete=complete)

    def _hits(self, gains: tuple[tuple[float, float], ...] = ()) -> Hits:
        if gains not in self.matched:
            self.matched[gains] = self.collection.hits(gains)
        return self.matched[gains]

    def values(self, line: Line) -> Values:
        """The value of each judged query."""
        assert line.measure is not None
        hits = self._hits(line.gains)
        values = _scores(hits, line.measure)
        if line.name.name == "rbp":
            values = self._rank_biased_precision(hits, line.measure)
        elif line.name.name == "rbp_resid":
            # trec_eval prints 0 if every document of the list is judged, although the list could go on.
            values = _zero_where_zero(values, _scores(hits, parse("unjudged")))
        elif line.name.name == "Rndcg":
            values = _zero_where_zero(values, _scores(hits, parse(f"num_rel(rel={self.rel})")))
        unranked = [query for query in self.queries(complete=True) if query not in values]
        return values | _without_ranking(self.collection, line.measure, unranked)

    def total(self, line: Line) -> float | None:
        """A number for all queries that is not made of their values; None for most."""
        # With -c, every grade above 0 is relevant here, whatever the lowest grade that is relevant elsewhere.
        return float((self.collection.qrels["grade"] > 0).sum()) if line.name.name == "num_rel" else None

    def texts(self, line: Line) -> dict[Any, str]:
        """The relstring of each query."""
        hits = self._hits()
        texts = {query: _relstring(hits.of_query(number), line.length) for number, query in enumerate(hits.queries)}
        return dict.fromkeys(self.queries(complete=True), "") | texts

    def _rank_biased_precision(self, hits: Hits, measure: Measure) -> Values:
        """Grades are shares of the query's own highest grade, where this is above 1.

        trec_eval 10 looks for the highest grade from a number that it does not initialise. After set_F, this is the
        number of relevant documents found.
        """
        highest = np.ones(len(hits))
        ideal = hits.ideal.whole
        np.maximum.at(highest, ideal.query, ideal.grade)
        if self.after_set_f:
            highest = np.maximum(highest, hits.system.at_least(self.rel))
        scale = dict(zip(hits.queries, highest.tolist(), strict=True))
        scales = {top: measure.metric(**dict(measure.chosen), max=top, k=measure.k) for top in set(scale.values())}
        by_scale = {top: _scores(hits, scaled) for top, scaled in scales.items()}
        return {query: by_scale[top][query] for query, top in scale.items() if query in by_scale[top]}


def _zero_where_zero(values: Values, others: Values) -> Values:
    return {query: value if others[query] else 0.0 for query, value in values.items()}


def _without_ranking(collection: Collection, measure: Measure, queries: Sequence[Any]) -> Values:
    """The values of queries that the run does not have: 0, where the formula says nothing else."""
    if measure.metric.name not in ("num_q", "num_rel", "yaap"):
        return dict.fromkeys(queries, 0.0)
    if measure.metric.name == "num_q":
        return dict.fromkeys(queries, 1.0)
    rel = float(measure.parameter("rel"))
    wanted = collection.qrels.filter(pl.col("grade") >= rel)
    counts = dict(wanted.group_by("query").len().iter_rows())
    relevant = {query: float(counts.get(query, 0)) for query in queries}
    if measure.metric.name == "num_rel":
        return relevant
    return {query: -math.log(1 + count) for query, count in relevant.items()}


def _scores(hits: Hits, measure: Measure) -> Values:
    run = score_run(hits, {"value": measure})
    return dict(zip(run.queries, run.values["value"].tolist(), strict=True))


def _relstring(hits: Hits, length: int) -> str:
    """A character for each document of a query: its grade, `-` if it has no judgement, `.` if its grade is negative."""
    marks = ["-"] * min(int(hits.returned[0]), length)
    seen = hits.system.top(length)
    for rank, grade in zip(seen.rank.tolist(), seen.grade.tolist(), strict=True):
        marks[rank - 1] = "." if grade < 0 else ">" if grade > 9 else str(int(grade))
    return "".join(marks)
