"""Results that are too good to be true."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.registry import check_of_run
from rankgold.errors import counted
from rankgold.scoring.values import measures_by_label, score_all

# So many queries, and this share of them, in which all relevant documents come first and others follow.
_FEWEST, _SHARE = 5, 0.95


@check_of_run
def too_perfect(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Rankings with all relevant documents first in nearly all queries: a leak of the judgements."""
    if run.hits is None:
        return
    scores = score_all([run.hits], measures_by_label(["ap", "num_rel", "num_ret"]))
    values = scores.per_query
    ap, relevant, returned = (values[label].to_numpy() for label in scores.measures)
    tested = (relevant > 0) & (returned > relevant)
    perfect = tested & (ap == 1)
    if perfect.sum() < _FEWEST or perfect.sum() < _SHARE * np.count_nonzero(relevant > 0):
        return
    at = int(np.flatnonzero(perfect)[0])
    names = values["query"].to_list()
    others = [name for name, is_perfect in zip(names, perfect, strict=True) if not is_perfect]
    hint = "; the scores of judged documents are their grades" if _has_copied_grades(collection, run) else ""
    yield Finding(
        "warning",
        f"{counted(int(perfect.sum()), 'query')} of {len(names):,} have all relevant documents first, then"
        f" others{hint}",
        f"query {names[at]!r}: {relevant[at]:.0f} relevant documents at the first {relevant[at]:.0f} of"
        f" {returned[at]:.0f} ranks",
        "Check that the system does not see the judgements: test queries in training, grades or clicks as features.",
        collection.effect(run, "with the perfect queries left out", topics=others),
    )


def _has_copied_grades(collection: ExaminedData, run: ExaminedRun) -> bool:
    """True if the score of each judged document in the lists is its grade."""
    ids = ["query", "document"]
    if collection.judgements.select(ids).schema != run.frame.select(ids).schema:
        return False
    pairs = collection.judgements.join(run.frame, on=ids)
    return pairs.height > 0 and bool((pairs["grade"] == pairs["score"]).all())
