"""Collects what the page shows first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgold import __version__
from rankgold.core.accepted import By
from rankgold.core.errors import RankgoldError
from rankgold.core.policy import Policy
from rankgold.core.result import known_number
from rankgold.core.segments import Floats
from rankgold.data.fingerprints import fingerprint_of
from rankgold.data.slices import Slices
from rankgold.measures.metric import Measure
from rankgold.present.html_report.report_data import ReportData
from rankgold.present.html_report.summary import (
    Leaderboard,
    doubt_sentences,
    leaderboards_of,
    measure_sentences,
    policy_sentences,
    slice_sentences,
    summary_sentences,
)
from rankgold.scoring.scores import Scores
from rankgold.scoring.slice_parts import slice_title, sliced_by_table

ALL = "all queries"


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """All queries or those of a slice, and their scores."""

    name: str
    queries: tuple[str, ...]
    scores: Scores


Divide = Callable[[Scores], tuple[list[Part], Sequence[str]]]
"""From scores to their parts, and notes on the slices."""


def division_by(by: By, columns: Mapping[str, str] | None, data: Sequence[Any], *, of_all: bool) -> Divide:
    """How scores are divided. `data` are the judgements and the runs, whose columns may have the attributes."""
    slices = Slices.of(by)

    def divide(scores: Scores) -> tuple[list[Part], Sequence[str]]:
        everything = Part(ALL, _queries(scores), scores)
        if slices is None:
            return [everything], ()
        divided = sliced_by_table(scores, slices, columns=columns, data=data, of_all=of_all)
        parts = [
            Part(slice_title(part.attribute, part.name), _queries(part.scores), part.scores) for part in divided.parts
        ]
        return [everything, *parts], divided.slice_notes

    return divide


def _queries(scores: Scores) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(query) for name in scores.runs for query in scores.run_scores(name).queries))


@dataclass(frozen=True, slots=True)
class OtherPolicy:
    """A policy, and what it changes in words."""

    name: str
    about: str
    policy: Policy


def other_policies(policy: Policy) -> list[OtherPolicy]:
    """The policies that are compared with the one of the report."""
    found = [
        OtherPolicy("trec_eval", "queries that a run does not rank are left out", Policy.of("trec_eval")),
        OtherPolicy(
            "ties averaged", "tied documents count as in the mean of all orders", replace(policy, ties="average")
        ),
        OtherPolicy(
            "judged only", "unjudged documents are taken out of the lists", replace(policy, unjudged="condensed")
        ),
    ]
    return [other for other in found if other.policy != policy]


def policy_table(collection: ReportData, scores: Scores, divide: Divide) -> list[dict[str, Any]]:
    """The means and the order of the runs under each policy and in each slice, the policy of the report first."""
    own = OtherPolicy(str(scores.policy), "the policy of this report", scores.policy)
    rows = [_row(own, scores, divide, {})]
    for other in other_policies(collection.policy):
        try:
            found = collection.scores_under(other.policy, list(scores.measures))
            rows.append(_row(other, found, divide, rows[0]["parts"]))
        except RankgoldError as error:
            rows.append({"name": other.name, "about": other.about, "fault": str(error)})
    return rows


def _row(other: OtherPolicy, scores: Scores, divide: Divide, own: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a policy; `own` has the parts of the report's own policy."""
    parts = {part.name: _part(part.scores, own.get(part.name, {})) for part in divide(scores)[0]}
    return {"name": other.name, "about": other.about, "parts": parts}


def _part(scores: Scores, own: Mapping[str, Any]) -> dict[str, Any]:
    return {
        label: {
            "means": [known_number(scores.run_scores(name).means[label]) for name in scores.runs],
            "order": _order(scores, label, own[label]["order"] if label in own else scores.runs),
        }
        for label in scores.measures
    }


def _order(scores: Scores, label: str, usual: Sequence[str]) -> list[str]:
    """The runs, the best first; those with the same mean in their usual order, which such a tie does not change."""
    return scores.of_runs([scores.run_scores(name) for name in usual]).sorted_by(label).runs


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
