"""AP correlation of two rankings."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Terms, Working
from rankgold.core.ranked_pairs import RankedPairs, documents_at
from rankgold.core.segments import OrderCounts, positions, starts_of
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff
from rankgold.measures.registry import SIMILARITIES

Reference = Annotated[
    Literal["first", "second", "both"], "the ranking taken as true; both is the mean of the two values"
]


@measure(
    "tau_ap",
    registry=SIMILARITIES,
    aliases=("tauap", "ap_correlation", "ap_tau"),
    span=(-1.0, 1.0),
    question="orders",
    title="AP correlation",
)
def ap_correlation(pairs: RankedPairs, *, k: Cutoff = None, reference: Reference = "first") -> Derivation:
    """Kendall's correlation weighted like average precision: errors at the top cost more.

        tau_ap = 2 / (n - 1) * sum over ranks i from 2 to n of  C(i) / (i - 1)  -  1

    where C(i) is the number of documents above rank i of the second ranking that are above that document in the first
    one too. The first ranking is the reference, such as the ranking by the better judgements. With `reference=both` the
    value is the mean of both directions, and does not depend on which ranking comes first. Only documents in both lists
    take part, and tied ones are in the order of the policy.

    Use it to compare leaderboards: whether two collections, or two measures, find the same systems best. It is 0 on
    average for a random order, like kendall, and equals it if errors are spread evenly. For the results of a search use
    rbo.

    a b c against b a c: at rank 2 stands a, and b above it is wrong: 0/1. At rank 3 both above c are right: 2/2. So
    2/2 * (0 + 1) - 1 = 0.

    >>> ap_correlation(two_lists("a b c", "b a c")).values
    array([0.])

    Yilmaz, Aslam and Robertson 2008, A new rank correlation coefficient for information retrieval,
    doi:10.1145/1390334.1390435.
    """
    seen = pairs.top(k)
    true_runs = {"first": (0,), "second": (1,), "both": (0, 1)}[reference]
    parts = [_terms(seen.swapped() if run else seen, run, names_run=reference == "both") for run in true_runs]
    norm_is = "n - 1" if len(parts) == 1 else "2 * (n - 1)"
    norm = len(parts) * np.maximum(seen.n_shared() - 1, 0)
    return Derivation(len(seen), lambda: parts, norm, f"{norm_is}, where n documents are in both lists")


def _terms(pairs: RankedPairs, true_run: int, *, names_run: bool) -> Terms:
    """A term for each document of the second ranking but the first: 1 if all above it are right, -1 if all are wrong.

    It is 2 C(i) / (i - 1) - 1, whose mean over all i is the value. The first ranking of the pairs is the true one, and
    `true_run` says which run it is.
    """
    at, partner = pairs.swapped().shared()
    query = pairs.second.query[at]
    starts = starts_of(np.bincount(query, minlength=len(pairs)))
    right, above = OrderCounts.of(pairs.first.rank[partner], starts).lower_before, positions(starts)
    later = np.flatnonzero(above)
    at, partner, query, right, above = at[later], partner[later], query[later], right[later], above[later]
    documents = documents_at(*((at, partner) if true_run else (partner, at)))
    if names_run:
        documents["reference"] = np.full(len(at), true_run)
    return Terms(2 * right / above - 1, query, Working("2 * {}/{} - 1", right, above), lambda: documents)
