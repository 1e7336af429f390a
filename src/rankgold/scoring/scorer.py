"""Applies a measure and the policy to whatever was matched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.derivation import Matched, Outcome, decide
from rankgold.core.errors import MeasureError
from rankgold.core.hits import Hits
from rankgold.core.policy import PRESETS, Policy
from rankgold.core.segments import Bools, Floats
from rankgold.measures.metric import Measure, Metric
from rankgold.measures.notation import expanded_in_dialect, matched_in_dialect, measures_in, parse_in_family
from rankgold.measures.rankings import parse_text
from rankgold.measures.registry import REGISTRY, Registry
from rankgold.scoring.run_scores import RunScores
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    from rankgold.core.accepted import Measures
    from rankgold.engines.protocol import Divide, Gatherer, RunParts


DEFAULT_MEASURES = ("ndcg@10", "ap", "rr", "p@10", "r@100")

_NO_SUBTOPICS = "the judgements have no subtopics: each query counts as one subtopic"
_HIGHEST = "documents are judged for several subtopics: measures that do not know subtopics take the highest grade"
SUBTOPIC_REMARKS = (_NO_SUBTOPICS, _HIGHEST)


def measures_by_label(
    given: Measures | None,
    registry: Registry = REGISTRY,
    default: Sequence[str] = DEFAULT_MEASURES,
    *,
    rel: float | None = None,
    dialect: str = "rankgold",
) -> dict[str, Measure]:
    """The measures of a family by the text that the user gave for each; without any, those of `default`.

    `rel` is for measures without one. In the dialect of a tool, a text has the names and the default
    parameters of that tool; a Measure is taken as it is.
    """
    if given is None:
        given = default
    if isinstance(given, (str, Measure, Metric)):
        given = [given]
    if not isinstance(given, Iterable):
        raise MeasureError(f"Measures must be a list such as {list(default[:2])}, not {type(given).__name__}.")
    wanted = dict(_label_and_measure(name, registry, dialect) for name in single_measures(given, dialect))
    if not wanted:
        raise MeasureError(f"There is no measure. Name at least one, such as {default[0]!r}.")
    if rel is None:
        return wanted
    check_rel(rel)
    return {label: measure.relevant_from(rel) for label, measure in wanted.items()}


def check_rel(rel: object) -> None:
    """Raises an error if `rel` is not a grade, even if no measure takes one."""
    parse_text("ap").relevant_from(rel)


def single_measures(given: Iterable[Any], dialect: str = "rankgold") -> list[Any]:
    """The measures one by one, where a text may hold several: `ap,rr`, `p@5,10` or a suite such as `@autocomplete`.

    In the dialect of a tool, a name may stand for several, such as `P` of trec_eval.
    """
    return [measure for item in given for measure in (_named_in(item, dialect) if isinstance(item, str) else [item])]


def _named_in(text: str, dialect: str) -> list[str]:
    names = measures_in(text)
    if dialect == "rankgold":
        return list(names)
    return [measure for name in names for measure in expanded_in_dialect(name, dialect)]


def _label_and_measure(name: str | Measure | Metric, registry: Registry, dialect: str) -> tuple[str, Measure]:
    if isinstance(name, str) and dialect == "rankgold":
        return name.strip(), parse_text(name, registry)
    measure = parse_in_family(name, registry, dialect)
    return name.strip() if isinstance(name, str) else str(measure), measure


def policy_of(measure: Measure, policy: Policy) -> Policy:
    """The policy with which the tool of its dialect matches a measure. The user's own choices win."""
    matched = matched_in_dialect(measure, policy.dialect)
    if not matched:
        return policy
    chosen, usual = policy.to_dict(), PRESETS[policy.dialect].to_dict()
    words = [word.strip() for word in matched.split(",")]
    if any(chosen[name] != usual[name] for name in (word.partition("=")[0] for word in words)):
        return policy
    return Policy.of(policy, matched)


def score_all(runs: Iterable[Matched], measures: dict[str, Measure], *, keep: bool = False) -> Scores:
    """The Scores of all runs, under their policy. With `keep`, they keep what was matched, to explain it."""
    scored = []
    kept: dict[str, Matched] = {}
    policy = Policy()
    for matched in runs:
        policy = matched.policy
        scored.append(score_run(matched, measures))
        if keep:
            kept[matched.name] = matched
    return Scores(scored, measures, policy, matched=kept)


def score_run(matched: Matched, measures: dict[str, Measure]) -> RunScores:
    """The values of one run for each label, with their means and notes."""
    kept = matched.kept
    known = decide_all(matched, list(dict.fromkeys(measures.values())))
    outcomes = {label: known[measure] for label, measure in measures.items()}
    values = {label: outcome.values[kept] for label, outcome in outcomes.items()}
    means = {
        label: measures[label].metric.aggregate(values[label]) if outcome.together is None else outcome.together
        for label, outcome in outcomes.items()
    }
    undefined = {label: int(outcome.undefined[kept].sum()) for label, outcome in outcomes.items()}
    nothing = np.any([outcome.without_relevant for outcome in known.values()], axis=0)
    remarks = [*matched.notes.remarks, *subtopic_remarks(measures, *matched.subtopic_facts)]
    notes = replace(
        matched.notes,
        remarks=tuple(dict.fromkeys(remarks + [remark for outcome in known.values() for remark in outcome.remarks])),
        undefined={label: count for label, count in undefined.items() if count},
        without_relevant=_names(matched, nothing),
    )
    return RunScores(matched.name, list(_names(matched, kept)), values, means, notes)


@dataclass(frozen=True, slots=True)
class ValueWork:
    """The engine's work for Scores with per-query values."""

    measures: dict[str, Measure]
    policy: Policy

    def of_hits(self, hits: Hits) -> RunScores:
        return score_run(hits, self.measures)

    def gatherer(self) -> Gatherer[Scores] | None:
        return None

    def joined(self, run: RunParts) -> RunScores:
        values = {
            label: np.concatenate([part.values[label] for part in run.parts])[run.order] for label in self.measures
        }
        means = {label: self.measures[label].metric.aggregate(column) for label, column in values.items()}
        undefined = run.notes.undefined
        notes = replace(
            run.notes,
            remarks=run.notes.remarks + subtopic_remarks(self.measures, *run.subtopics),
            undefined={label: undefined[label] for label in self.measures if label in undefined},
        )
        return RunScores(run.name, run.queries, values, means, notes)

    def whole(self, runs: Sequence[RunScores], divide: Divide | None) -> Scores:
        scores: Scores = Scores(list(runs), self.measures, self.policy)
        if divide is None:
            return scores
        from rankgold.scoring.slice_parts import sliced

        return sliced(scores, divide)


def values_of_queries(hits: Hits, measures: Iterable[Measure]) -> dict[Measure, Floats]:
    """The values of all queries after the policy; NaN for those that it leaves out."""
    known = decide_all(hits, list(dict.fromkeys(measures)))
    return {measure: np.where(hits.kept, outcome.values, np.nan) for measure, outcome in known.items()}


def subtopic_remarks(measures: dict[str, Measure], has_subtopics: bool, are_shared: bool) -> tuple[str, ...]:
    """Remarks on judgements with subtopics and measures that ignore them, or the reverse."""
    over_subtopics = {measure.metric.over_subtopics for measure in measures.values()}
    if has_subtopics:
        return (_HIGHEST,) if are_shared and False in over_subtopics else ()
    return (_NO_SUBTOPICS,) if True in over_subtopics else ()


def decide_all(matched: Matched, measures: list[Measure]) -> dict[Measure, Outcome]:
    """The outcome of each measure for all queries, computed for a few queries at a time."""
    parts: dict[Measure, list[Outcome]] = {measure: [] for measure in measures}
    for batch in matched.batches():
        for measure, outcomes in parts.items():
            outcomes.append(decide(measure, batch, measure(batch)))
    return {measure: Outcome.join(outcomes) for measure, outcomes in parts.items()}


def _names(matched: Matched, which: Bools) -> tuple[Any, ...]:
    return tuple(matched.queries if which.all() else (matched.queries[i] for i in np.flatnonzero(which).tolist()))
