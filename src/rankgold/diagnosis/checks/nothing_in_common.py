"""Judgements and a run that share nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.registry import check_of_run
from rankgold.scoring.score_document import finds_nothing_judged


@check_of_run
def nothing_in_common(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """No query of a run is judged, or no document in its lists."""
    advice = "Check that both belong to the same collection; findings on ids, if any, say how they would match."
    if run.hits is None:
        role, what = "query", "no query is both judged and ranked, so evaluate refuses it"
    elif finds_nothing_judged(run.notes):
        role, what = "document", "no document in the lists is judged for its query, so every measure is 0"
    else:
        return
    judged, ranked = (
        repr(frame[role].first()) if frame.height else "none" for frame in (collection.judgements, run.frame)
    )
    yield Finding("error", what, f"judged: {judged}, ranked: {ranked}", advice, unmeasured=f"no {role} matches")
