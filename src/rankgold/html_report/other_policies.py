"""The data of a report in, the means of its runs under other policies out: does the order of the runs hold?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rankgold.errors import RankgoldError
from rankgold.html_report.report_data import ReportData
from rankgold.html_report.slices import Divide
from rankgold.output.result_forms import known_number
from rankgold.policy import Policy
from rankgold.scoring.scores import Scores


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
