"""Collects the working of every query as columns, and what unjudged documents would change.

Terms repeat: ndcg has one for each grade and rank. So each different term is written once, with its text as `explain`
writes it, and a row has its number.

A judgement matters if it would change the differences between runs: its effect is that of `judge_next`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rankgold.core.derivation import Terms, decide
from rankgold.core.hits import Hits
from rankgold.core.segments import Floats, Ints
from rankgold.data.ids import to_polars
from rankgold.judging.next_documents import effect_on_runs, values_if_judged
from rankgold.judging.open_documents import OpenRun, open_runs
from rankgold.measures.metric import Measure
from rankgold.present.html_report.report_data import Pool, ReportData
from rankgold.scoring.explanation import decided_by
from rankgold.scoring.explanation_document import term_text
from rankgold.scoring.scores import Scores

_DIGITS = 4


@dataclass(slots=True, eq=False)
class WorkingRows:
    """The rows of the working of many queries, and the different terms in them."""

    query: Ints
    row: Ints
    """The position of the document among the judged ones; -1 where a row stands for several documents."""
    rank: Ints
    term: Ints
    """The number of the term."""
    texts: list[str]
    parts: Floats
    """What each different term adds to the sum."""


@dataclass(slots=True, eq=False)
class MeasureWorking:
    """The working of one measure in one run."""

    rows: WorkingRows
    ideal: WorkingRows | None
    norm: Floats
    norm_is: str
    missed: Floats | None
    missed_is: str
    decided: dict[int, str]
    """Query -> the case of the policy that decided its value, if the formula did not."""


def working_of(measure: Measure, hits: Hits) -> MeasureWorking:
    """The working of all queries, computed for a few queries at a time."""
    systems, ideals, norms, rests = [], [], [], []
    decided: dict[int, str] = {}
    first, given = 0, None
    for batch in hits.batches():
        given = measure(batch)
        systems.append((first, given.terms))
        if given.ideal is not None:
            ideals.append((first, given.ideal.terms))
        norms.append(given.norms)
        rests.append(np.zeros(len(batch)) if given.rest is None else given.rest)
        by_formula, by_policy = given.values, decide(measure, batch, given).values
        is_same = (by_formula == by_policy) | (np.isnan(by_formula) & np.isnan(by_policy))
        decided |= {first + i: _decision(measure, batch, i) for i in np.flatnonzero(~is_same).tolist()}
        first += len(batch)
    assert given is not None
    return MeasureWorking(
        rows=_joined_rows(systems),
        ideal=_joined_rows(ideals) if ideals else None,
        norm=np.concatenate(norms),
        norm_is=given.norm_is,
        missed=np.concatenate(rests) if given.rest is not None else None,
        missed_is=given.rest_is,
        decided=decided,
    )


def _decision(measure: Measure, batch: Hits, i: int) -> str:
    hits = batch.of_query(i)
    derived = measure(hits)
    return decided_by(measure, hits, derived, decide(measure, hits, derived)) or ""


def _joined_rows(batches: Sequence[tuple[int, Terms]]) -> WorkingRows:
    """The rows of several batches, each with the number of its first query, under common numbers of terms."""
    number: dict[tuple[Any, ...], int] = {}
    texts: list[str] = []
    values: list[float] = []
    columns: list[tuple[Ints, Ints, Ints, Ints]] = []
    for first, given in batches:
        ranking = given.ranking
        assert ranking is not None
        ties = ranking.ties
        counts = np.ones((2, len(ranking))) if ties is None else np.stack([ties.documents, ties.size])
        parts_of_text = [
            np.broadcast_to(np.asarray(part, dtype=np.float64), len(ranking)) for part in given.working.parts
        ]
        keys = np.column_stack([given.weighted, given.term, *counts, *parts_of_text])
        different, at = _different_rows(keys)
        term_numbers = np.empty(len(different), dtype=np.int64)
        for i, key in enumerate(map(tuple, different.tolist())):
            if key not in number:
                number[key] = len(texts)
                weighted, term, documents, size, *numbers = key
                texts.append(term_text(given.working.pattern, numbers, term, int(documents), int(size), _DIGITS))
                values.append(weighted)
            term_numbers[i] = number[key]
        row = ranking.row if ties is None else np.where(ties.documents == 1, ranking.row, -1)
        columns.append((ranking.query + first, row, ranking.rank, term_numbers[at]))
    query, row, rank, term = (np.concatenate(column) for column in zip(*columns, strict=True))
    return WorkingRows(query, row, rank, term, texts, np.array(values, dtype=np.float64))


def _different_rows(keys: Floats) -> tuple[Floats, Ints]:
    """The different rows of a table, and the number of each row among them. Columns are numbered one by one."""
    code = np.zeros(len(keys), dtype=np.int64)
    for column in keys.T:
        value = np.unique(column, return_inverse=True)[1]
        code = np.unique(code * (int(value.max(initial=0)) + 1) + value, return_inverse=True)[1]
    first = np.unique(code, return_index=True)[1]
    return keys[first], code


NO_DOCUMENT = 0xFFFF
"""The place of a row that no single document of the pool has."""


def workings_of(collection: ReportData, scores: Scores) -> dict[str, list[MeasureWorking]]:
    """Label -> the working in each run."""
    return {
        label: [working_of(measure, hits) for hits in collection.hits] for label, measure in scores.measures.items()
    }


def counted_judgements(workings: dict[str, list[MeasureWorking]]) -> Ints:
    """The positions of the judged documents that count in any measure."""
    rows = [
        part.row for runs in workings.values() for working in runs for part in (working.rows, working.ideal) if part
    ]
    is_counted = np.zeros(1 + max(int(row.max(initial=-1)) for row in rows), dtype=bool)
    for row in rows:
        is_counted[row[row >= 0]] = True
    return np.flatnonzero(is_counted)


def working_columns(runs: list[MeasureWorking], pool: Pool, n_queries: int) -> dict[str, Any]:
    """The columns of one measure for the page. What all runs share is there once."""
    first = runs[0]
    same_norm = all(np.array_equal(first.norm, other.norm, equal_nan=True) for other in runs)
    same_ideal = all(_are_equal(first.ideal, other.ideal) for other in runs)
    return {
        "rows": [_columns(working.rows, pool, n_queries) for working in runs],
        "ideal": [_columns(part.ideal, pool, n_queries) for part in (runs[:1] if same_ideal else runs) if part.ideal],
        "norm": [_constant_or_column(working.norm) for working in (runs[:1] if same_norm else runs)],
        "norm_is": first.norm_is,
        "missed": [working.missed for working in runs],
        "missed_is": first.missed_is,
        "decided": [_decided(working) for working in runs],
    }


def _columns(rows: WorkingRows, pool: Pool, n_queries: int) -> dict[str, Any]:
    place = np.full(len(rows.row), NO_DOCUMENT)
    known = rows.row >= 0
    place[known] = pool.place_of_judgement[rows.row[known]]
    return {
        "sizes": np.bincount(rows.query, minlength=n_queries),
        "place": np.where((place < 0) | (place > NO_DOCUMENT), NO_DOCUMENT, place),
        "rank": rows.rank,
        "term": rows.term,
        "texts": rows.texts,
        "parts": rows.parts,
    }


def _constant_or_column(values: Any) -> Any:
    is_constant = len(values) > 0 and bool((values == values[0]).all())
    return {"constant": float(values[0])} if is_constant else values


def _decided(working: MeasureWorking) -> dict[str, Any]:
    texts = list(dict.fromkeys(working.decided.values()))
    number = {text: i for i, text in enumerate(texts)}
    return {
        "queries": np.array(list(working.decided), dtype=np.int64),
        "text": np.array([number[text] for text in working.decided.values()], dtype=np.int64),
        "texts": texts,
    }


def _are_equal(a: WorkingRows | None, b: WorkingRows | None) -> bool:
    if a is None or b is None:
        return a is b
    columns = ("query", "row", "rank", "term", "parts")
    return a.texts == b.texts and all(np.array_equal(getattr(a, name), getattr(b, name)) for name in columns)


_QUEUE = 100
# Of more candidates, those in the first ranks only: judgements further down hardly matter.
_MANY, _FIRST_RANKS = 100_000, 10


@dataclass(frozen=True, slots=True, eq=False)
class SupposedJudgements:
    """Unjudged documents, and the values of their queries if they were relevant."""

    rows: Ints
    """The rows of the pool."""
    grade: float
    values: dict[str, list[Floats]]
    """Label -> for each run, the value for each document."""
    queue: dict[str, tuple[Ints, Floats]]
    """Label -> the documents whose judgement matters most, as positions in `rows`, and their effects."""
    left_out: int
    """How many unjudged documents of the lists are not among the rows."""

    def to_columns(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "grade": self.grade,
            "values": self.values,
            "queue": {label: {"place": place, "effect": effect} for label, (place, effect) in self.queue.items()},
        }


def supposed_judgements(
    collection: ReportData, pool: Pool, scores: Scores, values: dict[str, list[Floats]], baseline: int | None, most: int
) -> SupposedJudgements | None:
    """At most `most` values, for the queries where a judgement matters most; None if not applicable."""
    candidates: Ints = np.flatnonzero(np.isnan(pool.grade) & pool.is_listed)
    if not len(candidates) or collection.policy.unjudged == "condensed":
        return None
    measures = scores.measures
    grade = max(1.0, *(measure.threshold for measure in measures.values()))
    opened = _OpenPool.of(collection, pool)
    n_listed, query = len(candidates), pool.query

    def effects(label: str, supposed: list[Floats]) -> Floats:
        """How much the judgement of each candidate would change the differences between the runs."""
        now = [column[query[candidates]] for column in values[label]]
        changes = [np.nan_to_num(then) - np.nan_to_num(value) for then, value in zip(supposed, now, strict=True)]
        return effect_on_runs(changes, baseline)

    if len(candidates) * len(pool.ranks) * len(measures) > most:
        if len(candidates) > _MANY:
            first = np.any([(rank > 0) & (rank <= _FIRST_RANKS) for rank in pool.ranks], axis=0)
            candidates = candidates[first[candidates]]
        label = next(iter(measures))
        effect = effects(label, opened.values({label: measures[label]}, candidates, grade)[label])
        candidates = _of_best_queries(candidates, query[candidates], effect, most // (len(pool.ranks) * len(measures)))
    supposed = opened.values(measures, candidates, grade)
    queue: dict[str, tuple[Ints, Floats]] = {}
    for label, columns in supposed.items():
        effect = effects(label, columns)
        best = np.argsort(-effect, kind="stable")[:_QUEUE]
        best = best[effect[best] > 0]
        queue[label] = (best, effect[best])
    return SupposedJudgements(candidates, grade, supposed, queue, n_listed - len(candidates))


@dataclass(frozen=True, slots=True, eq=False)
class _OpenPool:
    """The runs with documents that can be given a grade, and where the rows of the pool are among these."""

    runs: tuple[OpenRun, ...]
    place: Ints

    @classmethod
    def of(cls, collection: ReportData, pool: Pool) -> _OpenPool:
        runs = open_runs(replace(collection.request, progress=None))
        number = {query: i for i, query in enumerate(collection.queries)}
        report_number = np.array([number[str(query)] for query in runs[0].hits.queries], dtype=np.int64)
        documents: Any = runs[0].documents
        known = pl.DataFrame(
            {
                "query": report_number[runs[0].query],
                "document": to_polars(documents).cast(pl.String),
                "row": np.arange(len(runs[0].query)),
            }
        )
        pooled = pl.DataFrame(
            {"query": pool.query, "document": pl.Series(pool.ids, dtype=pl.String).gather(pool.document)}
        )
        found = pooled.join(known, on=("query", "document"), how="left", maintain_order="left")
        return cls(runs, found["row"].fill_null(-1).to_numpy())

    def values(self, measures: dict[str, Measure], rows: Ints, grade: float) -> dict[str, list[Floats]]:
        """Label -> for each run, the value of each row's query if the document of the row had the grade."""
        found = [values_if_judged(run, measures.values(), self.place[rows], grade) for run in self.runs]
        return {label: [values[measure] for values in found] for label, measure in measures.items()}


def _of_best_queries(rows: Ints, query: Ints, effect: Floats, most: int) -> Ints:
    """All rows of the queries with the largest effects, up to a limit."""
    largest = np.zeros(int(query.max(initial=0)) + 1)
    np.maximum.at(largest, query, effect)
    counts = np.bincount(query, minlength=len(largest))
    order = np.argsort(-largest, kind="stable")
    kept = order[np.cumsum(counts[order]) <= most]
    return rows[np.isin(query, kept)]
