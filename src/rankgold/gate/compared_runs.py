"""Judgements, a run and perhaps a baseline in, the scores of both out, under the same measures and policy."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rankgold.comparison.run_diff import runs_with_names
from rankgold.data.slices import Slices
from rankgold.engines.request import Request
from rankgold.errors import CheckError, listing
from rankgold.evaluation import hits_of
from rankgold.gate.baselines import Conditions, run_of_saved
from rankgold.gate.reasons import Evidence
from rankgold.gate.settings import CheckSettings
from rankgold.gate.thresholds import thresholds_of
from rankgold.hits import Hits
from rankgold.scoring.provenance import HOW_TO_FINGERPRINT, options_of
from rankgold.scoring.saved_scores import is_saved_scores
from rankgold.scoring.scores import Scores
from rankgold.scoring.slice_parts import slice_title, sliced_by_table
from rankgold.scoring.values import score_all

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
    """The scores with those of each slice."""
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
