"""A collection and the measures wanted in, the lines that trec_eval prints out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgold.compat.trec_eval.collection import Collection
from rankgold.compat.trec_eval.names import Line
from rankgold.declaration.aggregates import GEOMETRIC_MEAN
from rankgold.declaration.metric import Measure
from rankgold.hits import Hits
from rankgold.measures import parse
from rankgold.scoring.values import score_run

# The lowest value that goes into a geometric mean.
_LOWEST = 0.00001
_Values = dict[Any, float]


@dataclass(frozen=True, slots=True)
class Report:
    """What is printed of each query, and of all."""

    by_query: bool
    for_all: bool
    complete: bool
    """Whether a judged query without a ranking counts."""
    rel: int = 1

    def text(self, collection: Collection, lines: Sequence[Line]) -> Iterator[str]:
        """The lines of each query, and those of all queries."""
        queries = collection.queries(complete=self.complete)
        after_set_f = any(line.name.name == "set_F" for line in lines)
        values = {
            line: _values(collection, line, self.rel, after_set_f=after_set_f)
            for line in lines
            if line.measure is not None
        }
        hits = collection.hits()
        place = {query: number for number, query in enumerate(hits.queries)}
        if self.by_query:
            for query in queries:
                for line in lines:
                    if not line.name.is_printed_by_query:
                        continue
                    if line.measure is None:
                        yield _text(line.label, query, f"'{_relstring(hits, place.get(query), line.length)}'")
                    else:
                        yield _text(line.label, query, _number(line, values[line][query]))
        if self.for_all:
            for line in lines:
                if not line.name.is_printed_for_all:
                    continue
                if line.measure is None:
                    yield _text(line.label, "all", collection.tag)
                elif self.complete and line.name.name == "num_rel":
                    # Every grade above 0 counts here, whatever the lowest grade that is relevant.
                    yield _text(line.label, "all", str((collection.qrels["grade"] > 0).sum()))
                else:
                    yield _text(line.label, "all", _number(line, _total(line, [values[line][q] for q in queries])))


def _text(label: str, query: Any, value: str) -> str:
    return f"{label:<22}\t{query}\t{value}\n"


def _number(line: Line, value: float) -> str:
    return f"{int(value)}" if line.name.is_count else f"{value:6.4f}"


def _total(line: Line, values: Sequence[float]) -> float:
    """The number for all queries, added up from the first to the last as trec_eval does."""
    assert line.measure is not None
    if line.measure.metric.aggregate is GEOMETRIC_MEAN:
        return math.exp(sum(math.log(max(value, _LOWEST)) for value in values) / len(values))
    total = sum(values)
    return total if line.name.is_count else total / len(values)


def _values(collection: Collection, line: Line, rel: int, *, after_set_f: bool) -> _Values:
    """The value of each judged query."""
    assert line.measure is not None
    hits = collection.hits(line.gains)
    if line.name.name == "rbp":
        values = _rank_biased_precision(hits, line.measure, rel, after_set_f=after_set_f)
    elif line.name.name == "rbp_resid":
        # trec_eval prints 0 if every document of the list is judged, although the list could go on.
        values = _zero_where_zero(_scores(hits, line.measure), _scores(hits, parse("unjudged")))
    elif line.name.name == "Rndcg":
        values = _zero_where_zero(_scores(hits, line.measure), _scores(hits, parse(f"num_rel(rel={rel})")))
    else:
        values = _scores(hits, line.measure)
    unranked = [query for query in collection.queries(complete=True) if query not in values]
    return values | _without_ranking(collection, line.measure, unranked)


def _zero_where_zero(values: _Values, others: _Values) -> _Values:
    return {query: value if others[query] else 0.0 for query, value in values.items()}


def _without_ranking(collection: Collection, measure: Measure, queries: Sequence[Any]) -> _Values:
    """The values of queries that the run does not have: 0, where the formula says nothing else."""
    if measure.metric.name not in ("num_q", "num_rel", "yaap"):
        return dict.fromkeys(queries, 0.0)
    if measure.metric.name == "num_q":
        return dict.fromkeys(queries, 1.0)
    import polars as pl

    rel = float(measure.parameter("rel"))
    wanted = collection.qrels.filter(pl.col("grade") >= rel)
    counts = dict(wanted.group_by("query").len().iter_rows())
    relevant = {query: float(counts.get(query, 0)) for query in queries}
    if measure.metric.name == "num_rel":
        return relevant
    return {query: -math.log(1 + count) for query, count in relevant.items()}


def _scores(hits: Hits, measure: Measure) -> _Values:
    run = score_run(hits, {"value": measure})
    return dict(zip(run.queries, run.values["value"].tolist(), strict=True))


def _rank_biased_precision(hits: Hits, measure: Measure, rel: int, *, after_set_f: bool) -> _Values:
    """Grades are shares of the query's own highest grade, where this is above 1.

    trec_eval 10 looks for the highest grade from a number that it does not initialise. After set_F, this is the number
    of relevant documents found.
    """
    highest = np.ones(len(hits))
    ideal = hits.ideal.whole
    np.maximum.at(highest, ideal.query, ideal.grade)
    if after_set_f:
        highest = np.maximum(highest, hits.system.at_least(rel))
    scale = dict(zip(hits.queries, highest.tolist(), strict=True))
    by_scale = {
        top: _scores(hits, measure.metric(**dict(measure.chosen), max=top, k=measure.k)) for top in set(scale.values())
    }
    return {query: by_scale[top][query] for query, top in scale.items() if query in by_scale[top]}


def _relstring(hits: Hits, number: int | None, length: int) -> str:
    """A character for each document: its grade, `-` for one without a judgement, `.` for a negative grade."""
    if number is None:
        return ""
    hits = hits.of_query(number)
    marks = ["-"] * min(int(hits.returned[0]), length)
    seen = hits.system.top(length)
    for rank, grade in zip(seen.rank.tolist(), seen.grade.tolist(), strict=True):
        marks[rank - 1] = "." if grade < 0 else ">" if grade > 9 else str(int(grade))
    return "".join(marks)
