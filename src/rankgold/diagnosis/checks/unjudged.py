"""Documents at the top of the lists that nobody judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.registry import check_of_run
from rankgold.engines.request import with_policy
from rankgold.scoring.score_document import finds_nothing_judged
from rankgold.scoring.values import measures_by_label, score_all

# From these shares on, at 10 and at 100. Deep lists have many unjudged documents, so at 100 the effect decides.
_MUCH_AT_10, _MUCH_AT_100, _MOVES = 0.25, 0.5, 0.05


@check_of_run
def unjudged(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Many documents without a judgement among the first 10 or 100, where others were judged not relevant."""
    if run.hits is None or finds_nothing_judged(run.notes) or not collection.is_pooled:
        return
    ranked = with_policy(run.hits, replace(run.hits.policy, missing="skip"))
    judged = score_all([ranked], measures_by_label(["judged@10", "judged@100"]))
    at_10, at_100 = (1 - judged.means[label] for label in ("judged@10", "judged@100"))
    if not (at_10 >= _MUCH_AT_10 or at_100 >= _MUCH_AT_100):
        return
    effect = collection.effect(
        run, "with unjudged=condensed (unjudged documents taken out)", policy={"unjudged": "condensed"}
    )
    deep = [label for label, measure in collection.measures.items() if measure.k is None or measure.k > 10]
    deep_effect = replace(effect, values={label: effect.values[label] for label in deep})
    if at_10 < _MUCH_AT_10 and not deep_effect.largest >= _MOVES:
        return
    by_query = judged.per_query.sort("judged@10", maintain_order=True)
    query, share = by_query["query"][0], 1 - by_query["judged@10"][0]
    yield Finding(
        "warning",
        f"{at_10:.0%} of the first 10 documents are not judged, and {at_100:.0%} of the first 100: they count as not"
        " relevant",
        f"query {query!r}: {share:.0%} of its first 10",
        "Judge the top of the lists. Until then use bpref or condensed lists, and give judged@10 beside scores.",
        effect,
    )
