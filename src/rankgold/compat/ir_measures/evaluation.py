"""Evaluates measures and inputs as ir_measures takes them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rankgold.compat.ir_measures.measure_classes import Measure
from rankgold.compat.ir_measures.names import Conventions, Meaning, meaning
from rankgold.compat.ir_measures.notation import (
    CalcResults,
    Metric,
    Qrel,
    ScoredDoc,
    parse_measure,
    read_trec_qrels,
    read_trec_run,
)
from rankgold.core.accepted import Judgements, Runs
from rankgold.core.errors import DataError, MeasureError
from rankgold.core.hits import Hits
from rankgold.data.dicts import DictRows
from rankgold.data.matching.dict_judgements import DictJudgements
from rankgold.data.rows import Nested
from rankgold.scoring import match
from rankgold.scoring.scorer import score_run


@dataclass(frozen=True, slots=True)
class Judged:
    """Judgements: one grade for each document, and where the data tell subtopics, the grades of each."""

    grades: Nested
    records: list[Qrel]
    """With the subtopics; empty where the form has none."""

    def by_subtopic(self) -> dict[Any, dict[Any, dict[str, float]]]:
        """Query -> document -> subtopic -> grade. Without subtopics in the data, there is one."""
        grades: dict[Any, dict[Any, dict[str, float]]] = {}
        for query, document, grade, subtopic in self.records:
            grades.setdefault(query, {}).setdefault(document, {})[str(subtopic)] = grade
        return grades or {q: {d: {"0": grade} for d, grade in row.items()} for q, row in self.grades.items() if row}


@dataclass(frozen=True, slots=True)
class _Form:
    """The form of judgements or runs: dict of dicts, data frame, file, or records."""

    what: str
    number: str
    record: type[Any]
    """The class of a row of the data, with a default for each field that may be missing."""
    read: Callable[[str | os.PathLike[str]], Iterator[Any]]

    @property
    def needed(self) -> list[str]:
        return [name for name in self.record._fields if name not in self.record._field_defaults]

    def dicts(self, given: Mapping[Any, Any]) -> Nested:
        """The rows of a dict of dicts."""
        for row in given.values():
            if not isinstance(row, Mapping):
                raise self._error(row)
        return {query: row if isinstance(row, dict) else dict(row) for query, row in given.items()}

    def records(self, given: object) -> Iterator[Any]:
        """The rows of all other forms. Records may be of any type that has the fields."""
        fields = self.record._fields
        if isinstance(given, (str, os.PathLike)):
            yield from self.read(given)
        elif hasattr(given, "columns") and hasattr(given, "__getitem__"):
            if missing := [name for name in self.needed if name not in given.columns]:
                known = ", ".join(map(str, given.columns))
                raise DataError(f"{self.what} lacks the columns {', '.join(missing)}; it has {known}.")
            yield from map(self.record, *(_column(given, name) for name in fields if name in given.columns))
        elif isinstance(given, Iterable) and not isinstance(given, bytes):
            for row in given:
                if not all(hasattr(row, name) for name in self.needed):
                    raise self._error(row)
                yield self.record(*(getattr(row, name) for name in fields if hasattr(row, name)))
        else:
            raise self._error(given)

    def _error(self, given: object) -> DataError:
        return DataError(
            f"{self.what} must be {{query: {{document: {self.number}}}}}, a data frame with the columns"
            f" {', '.join(self.needed)}, records such as {self.record.__name__}(...), or a path, not"
            f" {type(given).__name__}."
        )


_QRELS = _Form("qrels", "grade", Qrel, read_trec_qrels)
_RUN = _Form("run", "score", ScoredDoc, read_trec_run)


def judgements(given: object) -> Judged:
    """The judgements, from any form. Of two grades for a document, the last one counts."""
    if isinstance(given, Mapping):
        return Judged(_QRELS.dicts(given), [])
    records = list(_QRELS.records(given))
    return Judged(_nested(records), records)


def ranking(given: object) -> Nested:
    """The run, from any form. Of two scores for a document, the last one counts."""
    return _RUN.dicts(given) if isinstance(given, Mapping) else _nested(_RUN.records(given))


def _nested(records: Iterable[Qrel | ScoredDoc]) -> Nested:
    numbers: Nested = {}
    for query, document, number, *_ in records:
        numbers.setdefault(query, {})[document] = number
    return numbers


def _column(frame: Any, name: str) -> list[Any]:
    column = frame[name]
    values: list[Any] = column.to_list() if hasattr(column, "to_list") else list(column)
    return values


class Evaluator:
    """Evaluates runs against the same judgements, which are prepared once."""

    def __init__(self, measures: Iterable[Measure | str], qrels: Judgements) -> None:
        if isinstance(measures, (str, Measure)) or not isinstance(measures, Iterable):
            raise MeasureError("Measures must be a list, such as [nDCG@10, AP].")
        self.measures = list(dict.fromkeys(map(parse_measure, measures)))
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
