"""Scores in, what the page shows first out: values, leaderboards of every slice, policies, sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rankgold import __version__
from rankgold.data.fingerprints import fingerprint_of
from rankgold.declaration.metric import Measure
from rankgold.html_report.other_policies import policy_table
from rankgold.html_report.report_data import ReportData
from rankgold.html_report.slices import ALL, Divide
from rankgold.html_report.standings import Leaderboard, leaderboards_of
from rankgold.html_report.summary import (
    doubt_sentences,
    measure_sentences,
    policy_sentences,
    slice_sentences,
    summary_sentences,
)
from rankgold.kernels.segments import Floats
from rankgold.output.result_forms import known_number
from rankgold.scoring.scores import Scores


def core_data(
    collection: ReportData,
    scores: Scores,
    divide: Divide,
    choices: dict[str, Any],
    texts: dict[str, str],
) -> dict[str, Any]:
    """Everything that the page shows before a query is opened. The choices are those of a comparison."""
    queries, names = collection.queries, collection.names
    values = aligned_values(collection, scores)
    place = {query: i for i, query in enumerate(queries)}
    collection.request.report("other policies")
    divided, slice_notes = divide(scores)
    policies = policy_table(collection, scores, divide)
    boards: dict[str, dict[str, Leaderboard]] = {}
    for i, part in enumerate(divided):
        collection.request.report("comparing", i / len(divided))
        boards[part.name] = leaderboards_of(part.scores, choices)
    parts = []
    for part in divided:
        part_boards, rows = boards[part.name], np.array([place[query] for query in part.queries], dtype=np.int64)
        sentences = {}
        for label, board in part_boards.items():
            part_values = {name: values[label][i][rows] for i, name in enumerate(names)}
            sentences[label] = summary_sentences(board, scores, part_values, part.queries, choices["baseline"])
            if part.name == ALL:
                others = {name: found[label] for name, found in boards.items() if name != ALL}
                sentences[label] += slice_sentences(label, board.order[0], others)
                sentences[label] += measure_sentences(part_boards) if len(names) > 1 else []
            sentences[label] += policy_sentences(policies, part.name, label)
        parts.append(
            {
                "name": part.name,
                "queries": None if part.name == ALL else rows,
                "boards": {label: board.to_dict() for label, board in part_boards.items()},
                "summary": sentences,
                "doubts": {
                    label: list(board.comparison.doubts) if board.comparison else []
                    for label, board in part_boards.items()
                },
            }
        )
    method = next((board.comparison.method.describe() for board in boards[ALL].values() if board.comparison), "")
    return {
        "version": __version__,
        "measures": [_about(label, measure) for label, measure in scores.measures.items()],
        "runs": names,
        "baseline": choices["baseline"],
        "method": method,
        "policy": str(scores.policy),
        "origin": _origin(collection, scores),
        "queries": queries,
        "texts": [texts.get(query, "") for query in queries] if texts else None,
        "values": values,
        "slices": parts,
        "doubts": doubt_sentences(scores, slice_notes),
        "policies": policies,
        "judgements": len(collection.hits[0].ideal.whole),
    }


def _origin(collection: ReportData, scores: Scores) -> dict[str, Any]:
    """The provenance of the numbers, as in saved scores."""
    runs = {name: fingerprint_of(rows).to_dict() for name, rows in collection.runs.items()}
    return {
        "measures": {label: str(measure) for label, measure in scores.measures.items()},
        "policy": scores.policy.to_dict(),
        "fingerprints": {"judgements": fingerprint_of(collection.qrels).to_dict(), "runs": runs},
        "notes": {name: scores.notes_of(name).to_dict() for name in scores.runs},
    }


def aligned_values(collection: ReportData, scores: Scores) -> dict[str, list[Floats]]:
    """Label -> for each run, the value of each query; NaN where the policy leaves the query out."""
    place = {query: i for i, query in enumerate(collection.queries)}
    found: dict[str, list[Floats]] = {label: [] for label in scores.measures}
    for name in scores.runs:
        run = scores.run_scores(name)
        rows = [place[str(query)] for query in run.queries]
        for label, columns in found.items():
            column = np.full(len(place), np.nan)
            column[rows] = run.values[label]
            columns.append(column)
    return found


def _about(label: str, measure: Measure) -> dict[str, Any]:
    metric = measure.metric
    return {
        "label": label,
        "base": str(replace(measure, k=None)),
        "k": measure.k,
        "title": metric.title or metric.name,
        "lower": not measure.higher_is_better,
        "about": metric.summary,
        "formula": metric.formula_text,
        "span": [known_number(end) for end in metric.span],
    }
