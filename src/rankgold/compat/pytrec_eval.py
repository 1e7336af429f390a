"""Offers pytrec_eval's interface.

from rankgold.compat import pytrec_eval
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from rankgold.compat.trec_eval.lenient_files import split_fields
from rankgold.compat.trec_eval.measure_lines import Line, LineSettings, lines_of
from rankgold.core.dialects.trec import NAMES, NICKNAMES
from rankgold.core.errors import DataError, MeasureError
from rankgold.core.policy import Policy
from rankgold.measures.rankings import parse_measure
from rankgold.scoring import match
from rankgold.scoring.scorer import score_run
from rankgold.scoring.trec_eval_lines import kept_values

_NOT_THERE = {"unj", "rbp", "rbp_resid", "yaap", "dcg", "ideal_dcg"}

supported_measures = {name for name, entry in NAMES.items() if "qrels" in entry.formats and name not in _NOT_THERE}
supported_nicknames = {
    nickname: supported_measures.intersection(names)
    for nickname, names in NICKNAMES.items()
    if nickname in ("official", "set", "all_trec")
}


class RelevanceEvaluator:
    """Evaluates runs against judgements, with the measures of trec_eval 9.

    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 1, "d2": 0}}, {"map", "ndcg_cut.5,10"})
    >>> evaluator.evaluate({"q1": {"d1": 0.5, "d2": 2.0}})
    {'q1': {'map': 0.5, 'ndcg_cut_5': 0.6309297535714575, 'ndcg_cut_10': 0.6309297535714575}}
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        _check_dicts(query_relevance, "query_relevance", "grade")
        self._qrels = {query: dict(grades) for query, grades in query_relevance.items() if len(grades)}
        if judged_docs_only_flag:
            self._qrels = {
                query: {document: grade for document, grade in grades.items() if grade >= 0}
                for query, grades in self._qrels.items()
            }
        unjudged = "unjudged=condensed" if judged_docs_only_flag else None
        self._policy = Policy.of("undefined=zero, score_bits=32", unjudged)
        self._lines = {line.label: line for line in _lines(measures, relevance_level)}
        self._measures = {label: line.measure for label, line in self._lines.items() if line.measure is not None}
        self._relevant = parse_measure(f"num_rel(rel={relevance_level})")

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Query -> measure -> value, for the queries that have both judgements and scores."""
        _check_dicts(scores, "scores", "score")
        ranked = {query: row for query, row in scores.items() if query in self._qrels}
        if not ranked:
            return {}
        judged = {query: self._qrels[query] for query in ranked}
        run = score_run(match(judged, ranked, policy=self._policy), {**self._measures, "": self._relevant})
        relevant = run.values.pop("")
        if "Rndcg" in run.values:  # it looks at gains, and yet is 0 without a relevant document
            run.values["Rndcg"][relevant == 0] = 0.0
        # What is not a number is 0, as in pytrec_eval.
        texts = [label for label in self._lines if label not in self._measures]
        columns: dict[str, list[float]] = dict.fromkeys(texts, [0.0] * len(run.queries))
        columns |= {
            label: kept_values(self._lines[label].entry, column.tolist()) for label, column in run.values.items()
        }
        return {query: {label: values[i] for label, values in columns.items()} for i, query in enumerate(run.queries)}


def parse_run(lines: Iterable[str]) -> dict[str, dict[str, float]]:
    """Query -> document -> score, from the lines of a run in TREC's format."""
    return {query: {document: float(score) for document, score in row.items()} for query, row in _parsed(lines, 6, 4)}


def parse_qrel(lines: Iterable[str]) -> dict[str, dict[str, int]]:
    """Query -> document -> grade, from the lines of judgements in TREC's format."""
    return {query: {document: int(grade) for document, grade in row.items()} for query, row in _parsed(lines, 4, 3)}


def _parsed(lines: Iterable[str], fields: int, number: int) -> Iterable[tuple[str, dict[str, str]]]:
    """Each query with its documents, and the field of each with its number."""
    rows: dict[str, dict[str, str]] = {}
    for place, line in enumerate(lines, start=1):
        words = split_fields(line, place, fields)
        row = rows.setdefault(words[0], {})
        if words[2] in row:
            raise DataError(f"line {place}: query {words[0]!r} has document {words[2]!r} twice.")
        row[words[2]] = words[number]
    return rows.items()


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """The number for all queries: the sum of counts, the geometric mean where the name says so, else the mean."""
    if not len(values):
        raise DataError("there are no values to aggregate.")
    if measure.startswith("num_"):
        return math.fsum(values)
    average = math.fsum(values) / len(values)
    return math.exp(average) if measure.startswith("gm_") else average


def _check_dicts(given: object, what: str, number: str) -> None:
    for part in given.values() if isinstance(given, Mapping) else (given,):
        if not isinstance(part, Mapping):
            raise DataError(f"{what} must be {{query: {{document: {number}}}}}, and this has {part!r}.")


def _lines(texts: Iterable[str], rel: int) -> list[Line]:
    """The measures with their names in results; several parameters of one measure may be given one by one."""
    parameters: dict[str, list[str]] = {}
    for text in texts:
        names = supported_nicknames.get(text)
        for name, given in ((each, "") for each in names) if names else (_split(text),):
            parameters.setdefault(name, []).extend(filter(None, given.split(",")))
    wanted = [f"{name}.{','.join(dict.fromkeys(given))}" if given else name for name, given in parameters.items()]
    return lines_of(wanted, LineSettings(rel, version=9))


def _split(text: str) -> tuple[str, str]:
    """The name and the parameters of `P`, `P.5,10` or `P_5`."""
    if text in supported_measures:
        return text, ""
    for name in sorted(supported_measures, key=len, reverse=True):
        if text.startswith((f"{name}.", f"{name}_")):
            return name, text[len(name) + 1 :]
    raise MeasureError(f"pytrec_eval has no measure {text!r}.")
