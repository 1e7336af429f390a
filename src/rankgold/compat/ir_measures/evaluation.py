"""Measures and judgements of ir_measures in, the values of runs out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rankgold.accepted import Judgements, Runs
from rankgold.compat.ir_measures.inputs import Judged, judgements, ranking
from rankgold.compat.ir_measures.measure_classes import Measure
from rankgold.compat.ir_measures.names import Conventions, Meaning, meaning
from rankgold.compat.ir_measures.parsing import parse_measure
from rankgold.compat.ir_measures.records import CalcResults, Metric
from rankgold.data.dicts import DictRows
from rankgold.data.rows import Nested
from rankgold.errors import MeasureError
from rankgold.hits import Hits
from rankgold.matching.dict_judgements import DictJudgements
from rankgold.scoring import match
from rankgold.scoring.values import score_run


class Evaluator:
    """Evaluates runs against the same judgements, which are prepared once."""

    def __init__(self, measures: Iterable[Measure | str], qrels: Judgements) -> None:
        self.measures = list(dict.fromkeys(map(parse_measure, _listed(measures))))
        judged = judgements(qrels)
        self.qrel_qids = list(judged.grades)
        by_conventions: dict[Conventions, dict[Measure, Meaning]] = {}
        for measure in self.measures:
            found = meaning(measure)
            by_conventions.setdefault(found.conventions, {})[measure] = found
        self._groups = [_Group.of(meanings, conventions, judged) for conventions, meanings in by_conventions.items()]

    def iter_calc(self, run: Runs) -> Iterator[Metric]:
        """The value of each measure for each judged query, query by query; 0 for queries that are not ranked."""
        ranked = ranking(run)
        columns: dict[Measure, Mapping[Any, float]] = {}
        for group in self._groups:
            columns |= group.values(ranked)
        for query in self.qrel_qids:
            for measure in self.measures:
                value = columns[measure].get(query, measure.DEFAULT)
                if not math.isnan(value):
                    yield Metric(query, measure, value)

    def calc_aggregate(self, run: Runs) -> dict[Measure, float]:
        """The number of each measure for all queries: their sum for counts, else their mean."""
        return self.aggregated(self.iter_calc(run))

    def calc(self, run: Runs) -> CalcResults:
        """The numbers for all queries, and the values of each query."""
        metrics = list(self.iter_calc(run))
        return CalcResults(self.aggregated(metrics), metrics)

    def aggregated(self, metrics: Iterable[Metric]) -> dict[Measure, float]:
        """The number of each measure for all queries, from the values of each query."""
        totals = {measure: measure.aggregator() for measure in self.measures}
        for metric in metrics:
            totals[metric.measure].add(metric.value)
        return {measure: total.result() for measure, total in totals.items()}


@dataclass(frozen=True, slots=True)
class _Group:
    """Measures that share conventions, with their judgements."""

    meanings: Mapping[Measure, Meaning]
    conventions: Conventions
    judged: Mapping[Any, Any]
    """By query."""
    prepared: DictJudgements | None
    """None for judgements of subtopics, and if there are none at all."""

    @classmethod
    def of(cls, meanings: Mapping[Measure, Meaning], conventions: Conventions, judged: Judged) -> _Group:
        """The judgements, with grades changed as the conventions require."""
        if conventions.of_subtopics:
            return cls(meanings, conventions, judged.by_subtopic(), None)
        grades = {query: row for query, row in judged.grades.items() if row}
        if conventions.policy.unjudged == "condensed":  # a negative grade marks a document that was not judged
            grades = {q: {d: grade for d, grade in row.items() if grade >= 0} for q, row in grades.items()}
        if conventions.gains or conventions.lowest > -math.inf:
            grades = {q: {d: conventions.grade(grade) for d, grade in row.items()} for q, row in grades.items()}
        prepared = DictJudgements.of(DictRows.of(grades, "qrels").as_dicts()) if grades else None
        return cls(meanings, conventions, grades, prepared)

    def values(self, ranked: Nested) -> dict[Measure, dict[Any, float]]:
        """Measure -> query -> value, for the queries that are both judged and ranked. NaN is a value to be left out."""
        unranked = dict.fromkeys(self.judged, math.nan) if self.conventions.skips_undefined else {}
        run = {query: row for query, row in ranked.items() if row and query in self.judged}
        if not run:
            return dict.fromkeys(self.meanings, unranked)
        scores = score_run(self._hits(run), {str(i): found.measure for i, found in enumerate(self.meanings.values())})
        return {
            measure: {**unranked, **dict(zip(scores.queries, column.tolist(), strict=True))}
            for measure, column in zip(self.meanings, scores.values.values(), strict=True)
        }

    def _hits(self, run: Nested) -> Hits:
        if self.prepared is None:
            return match(self.judged, run, policy=self.conventions.policy)
        return self.prepared.match(DictRows.of(run, "run").as_dicts(), self.conventions.policy)


def _listed(measures: Iterable[Measure | str]) -> Iterable[Measure | str]:
    if isinstance(measures, (str, Measure)) or not isinstance(measures, Iterable):
        raise MeasureError("Measures must be a list, such as [nDCG@10, AP].")
    return measures


class Provider:
    """Computes all measures. ir_measures has several of these, and hands each measure to the one that has it."""

    NAME = "rankgold"

    def evaluator(self, measures: Iterable[Measure | str], qrels: Judgements) -> Evaluator:
        """An evaluator of any number of runs."""
        return Evaluator(measures, qrels)

    def iter_calc(self, measures: Iterable[Measure | str], qrels: Judgements, run: Runs) -> Iterator[Metric]:
        """The value of each measure for each query."""
        return Evaluator(measures, qrels).iter_calc(run)

    def calc_aggregate(self, measures: Iterable[Measure | str], qrels: Judgements, run: Runs) -> dict[Measure, float]:
        """The number of each measure for all queries."""
        return Evaluator(measures, qrels).calc_aggregate(run)

    def calc(self, measures: Iterable[Measure | str], qrels: Judgements, run: Runs) -> CalcResults:
        """The numbers for all queries, and the values of each query."""
        return Evaluator(measures, qrels).calc(run)

    def supports(self, measure: Measure) -> bool:
        """Whether the parameters of a measure are right."""
        meaning(measure)
        return True

    def is_available(self) -> bool:
        return True

    def run_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The columns of runs that measures need."""
        return ["query_id", "doc_id", "score"]

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The columns of judgements that measures need."""
        return ["query_id", "doc_id", "relevance"]


DefaultPipeline = Provider()
