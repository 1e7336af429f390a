"""The data of a report and its scores in, the working of every measure, run and query out, as columns for the page."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.html_report.contributions import MeasureWorking, WorkingRows, working_of
from rankgold.html_report.named_documents import Pool
from rankgold.html_report.report_data import ReportData
from rankgold.kernels.segments import Ints
from rankgold.scoring.scores import Scores

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
