"""Scores the run and its baseline, and finds the documents behind a drop."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rankgold.audit.gate_result import WorstQuery
from rankgold.audit.thresholds import CheckSettings, Threshold, thresholds_of
from rankgold.comparison.run_diff import MOST_DOCUMENTS, change_sentence, query_changes, runs_with_names
from rankgold.core.errors import CheckError, MeasureError, counted, listing
from rankgold.core.hits import Hits
from rankgold.core.policy import Policy
from rankgold.core.segments import Floats
from rankgold.data.fingerprints import Fingerprint
from rankgold.data.slices import Slices
from rankgold.engines.request import Request
from rankgold.measures.metric import Measure
from rankgold.scoring.evaluation import hits_of
from rankgold.scoring.run_scores import HOW_TO_FINGERPRINT, OPTION_NAMES, RunScores, label_of, options_of
from rankgold.scoring.saved_scores import is_saved_scores
from rankgold.scoring.scorer import score_all
from rankgold.scoring.scores import Scores
from rankgold.scoring.slice_parts import slice_title, sliced_by_table

_SAVE = "rankgold evaluate QRELS OLD_RUN --save FILE"


@dataclass(frozen=True, slots=True)
class Conditions:
    """How the current scores are computed."""

    measures: Mapping[str, Measure]
    policy: Policy
    judgements: Fingerprint | None
    options: Mapping[str, Any]
    """As in Provenance."""


def run_of_saved(saved: Scores, run: str, now: Conditions, *, other_judgements: bool = False) -> RunScores:
    """The saved scores of a run, under the current labels; of several runs, the one with the same name."""
    _check_policy(saved, now)
    if not other_judgements:
        _check_judgements(saved.provenance.judgements, now.judgements)
    if len(saved.runs) > 1 and run not in saved.runs:
        raise CheckError(
            f"The baseline has the scores of several runs, {listing(saved.runs)}, and none of them is called {run!r}."
            " Save the scores of one run."
        )
    known = saved.run_scores(run if run in saved.runs else saved.runs[0])
    labels = {label: _label(saved, measure) for label, measure in now.measures.items()}
    return replace(
        known,
        means={label: known.means[saved_label] for label, saved_label in labels.items()},
        values={label: known.values[saved_label] for label, saved_label in labels.items() if known.totals is None},
        totals=None if known.totals is None else {label: known.totals[old] for label, old in labels.items()},
    )


def _label(saved: Scores, measure: Measure) -> str:
    try:
        return label_of(measure, saved.measures)
    except MeasureError:
        raise CheckError(
            f"The baseline has no {measure}; it has {listing(map(str, saved.measures.values()))}. Save it again with"
            f" this measure: {_SAVE} -m '{measure}'."
        ) from None


def _check_policy(saved: Scores, now: Conditions) -> None:
    if saved.policy != now.policy:
        raise CheckError(
            f"The baseline was saved with the policy {saved.policy}, and the policy is {now.policy}. Pass the same"
            f" policy, or save the baseline again: {_SAVE} --policy ..."
        )
    for name in OPTION_NAMES:
        then, today = saved.provenance.options.get(name), now.options.get(name)
        if then != today:
            raise CheckError(
                f"The baseline was saved {_with(name, then)}, and now it is {_with(name, today)}. Do the same in both."
            )


def _with(name: str, value: object) -> str:
    return f"without {name}" if value is None else f"with {name}={value!r}"[:100]


def _check_judgements(before: Fingerprint | None, now: Fingerprint | None) -> None:
    if before is not None and now is not None and before != now:
        raise CheckError(
            f"The judgements are not those of the baseline: {counted(before.rows, 'row')} then, {now.rows:,} now, with"
            " other content. So the scores cannot be compared."
            f" Save the baseline again with these judgements ({_SAVE}), or pass the old run itself as the baseline."
            " To compare all the same, pass Baseline(..., other_judgements=True) (--other-judgements)."
        )


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The data in which to find the worst queries."""

    hits: Hits
    """Of the run that is checked."""
    before: Hits | None = None
    """Of the baseline, if it is a run."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The text of queries, by id."""
    most: int = 3
    """How many queries are named."""


def worst_queries(threshold: Threshold, new: RunScores, old: RunScores | None, evidence: Evidence) -> list[WorstQuery]:
    """The queries that dropped most; without previous values, those with the worst values."""
    if new.totals is not None:
        return []
    label, sign = str(threshold.measure), 1 if threshold.measure.higher_is_better else -1
    values = new.values[label]
    before = _values_of(old, label, new) if old is not None and threshold.kind == "max_drop" else None
    badness = -sign * values if before is None else sign * (before - values)
    order = np.argsort(-np.where(np.isnan(badness), -np.inf, badness), kind="stable")[: evidence.most]
    place = {str(query): i for i, query in enumerate(evidence.hits.queries)}
    found = []
    for i in order.tolist():
        if math.isnan(badness[i]) or (before is not None and badness[i] <= 0):
            continue
        query, value = new.queries[i], float(values[i])
        was = math.nan if before is None else float(before[i])
        sentence = _sentence(threshold, evidence, place[str(query)], was, value)
        found.append(WorstQuery(query, value, was, sentence, evidence.texts.get(str(query), "")))
    return found


def _values_of(old: RunScores, label: str, new: RunScores) -> Floats | None:
    """The previous values, in the current query order; None if they were not saved."""
    if old.totals is not None:
        return None
    known = old.by_query(label)
    return np.array([known.get(str(query), math.nan) for query in new.queries])


def _sentence(threshold: Threshold, evidence: Evidence, number: int, was: float, value: float) -> str:
    """q17 -0.21: D88 (grade 3) fell from 2 to 9: -0.19; or, without the old run, where its documents are now."""
    measure, hits = threshold.measure, evidence.hits.of_query(number)
    if evidence.before is not None and not math.isnan(was):
        changes = query_changes(measure, evidence.before.of_query(number), hits)
        if changes:
            return change_sentence(changes[0])
    change = f"{value:.3f}" if math.isnan(was) else f"{value - was:+.3f}, from {was:.3f} to {value:.3f}"
    documents = "; ".join(_documents(hits)) or "no judged document is relevant"
    return f"{hits.queries[0]} {change}: {documents}"


def _documents(hits: Hits) -> Iterator[str]:
    """The best documents that are not as high as they could be, and where they are."""
    ranks = {hits.system.single.document_text(i): int(rank) for i, rank in enumerate(hits.system.single.rank.tolist())}
    ideal = hits.ideal.single
    shown = 0
    for i, (rank, grade) in enumerate(zip(ideal.rank.tolist(), ideal.grade.tolist(), strict=True)):
        document = ideal.document_text(i)
        at = ranks.get(document)
        if grade > 0 and (at is None or at > rank) and shown < MOST_DOCUMENTS:
            shown += 1
            yield f"{document} (grade {grade:g}) {'not found' if at is None else f'at {at}'}"


_NO_FINGERPRINT = (
    "The baseline was saved without a fingerprint, so it is not known whether its judgements were the same. Save it"
    f" with {HOW_TO_FINGERPRINT}."
)
_OTHER = "The judgements may differ from those of the baseline, which was allowed."


@dataclass(frozen=True, slots=True, eq=False)
class ComparedRuns:
    """The scores of the baseline, if there is one, and of the run."""

    settings: CheckSettings
    scores: Scores
    evidence: Evidence
    doubts: tuple[str, ...] = ()

    @property
    def parts(self) -> list[tuple[str, Scores]]:
        """The scores of all queries under no title, and those of each slice under its title."""
        return [
            ("", self.scores),
            *((slice_title(part.attribute, part.name), part.scores) for part in self.scores.parts),
        ]

    @property
    def baseline(self) -> str | None:
        """The name of the baseline."""
        return self.scores.runs[0] if len(self.scores.runs) > 1 else None

    @classmethod
    def of(cls, request: Request, settings: CheckSettings) -> ComparedRuns:
        old, saved = settings.baseline, None
        if isinstance(old, Scores) or is_saved_scores(old):
            saved = old if isinstance(old, Scores) else Scores.from_json(old)
        settings = _with_default(settings, saved)
        measures = {str(line.measure): line.measure for line in settings.thresholds}
        hits = _hits(replace(request, fingerprint=saved is not None), None if saved is not None else old)
        evidence = Evidence(hits[-1], hits[0] if len(hits) == 2 else None)
        scores, doubts = score_all(hits, measures), []
        if saved is not None:
            options = options_of(request.parent, request.topics, request.exclude is not None)
            known = hits[0].notes.fingerprints
            now = Conditions(measures, request.policy, None if known is None else known.judgements, options)
            name = scores.runs[0]
            before = run_of_saved(saved, name, now, other_judgements=settings.other_judgements)
            before = replace(before, name=f"{before.name} (saved)" if before.name == name else before.name)
            scores = scores.of_runs([before, scores.run_scores(name)])
            has_fingerprint = saved.provenance.judgements is not None
            doubts = [_OTHER] if settings.other_judgements else [] if has_fingerprint else [_NO_FINGERPRINT]
        doubts += _doubts_about_queries(scores)
        if request.slices is not None:
            scores = _sliced(scores, request, request.slices)
            doubts += scores.slice_notes
        return cls(settings, scores, evidence, tuple(doubts))


def _with_default(settings: CheckSettings, saved: Scores | None) -> CheckSettings:
    """The settings; by default, with only a baseline, no measure may drop significantly."""
    if settings.thresholds:
        return settings
    measures = ["ndcg@10"] if saved is None else [str(measure) for measure in saved.measures.values()]
    lines = thresholds_of("max_drop", dict.fromkeys(measures, 0.0))
    return replace(settings, thresholds=tuple(lines), significant=True)


def _hits(request: Request, old: object) -> list[Hits]:
    """The Hits of the old run, if there is one, and of the new run."""
    runs = request.run if old is None else runs_with_names(baseline=old, run=request.run)
    hits = list(hits_of(replace(request, data={"qrels": request.qrels, "run": runs})))
    if len(hits) != (1 if old is None else 2):
        names = listing(found.name for found in hits)
        raise CheckError(f"There are {len(hits)} runs ({names}). Check them one by one.")
    return hits


def _sliced(scores: Scores, request: Request, slices: Slices) -> Scores:
    if not scores.has_queries:
        raise CheckError(
            "The baseline was saved without the values of its queries, so it has no slices. Save it with --save, or"
            " leave slices out."
        )
    data, of_all = (request.qrels, request.run), request.topics is None
    return sliced_by_table(scores, slices, columns=request.columns, data=data, of_all=of_all)


def _doubts_about_queries(scores: Scores) -> list[str]:
    """Caveats if the means are over different queries, because the policy leaves some out."""
    if len(scores.runs) < 2 or not scores.has_queries:
        return []
    before, now = ({str(query) for query in scores.run_scores(name).queries} for name in scores.runs)
    if before == now:
        return []
    lost, gained = sorted(before - now), sorted(now - before)
    parts = [
        f"{len(names):,} only in the {side} ({listing(names, 3)})"
        for names, side in ((lost, "baseline"), (gained, "run"))
        if names
    ]
    return [f"The means are over other queries: {' and '.join(parts)}. The policy missing=zero counts all of them."]
