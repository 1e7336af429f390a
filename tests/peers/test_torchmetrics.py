"""torchmetrics' retrieval metrics, query by query: it computes with 32-bit floats, so numbers agree to about 1e-6."""

import pytest
import torch
from torchmetrics.functional import retrieval

import rankgold
from tests.peers.collections import SEEDS, arrays

# The top_k of a metric, and what it is here. torchmetrics divides AP at k by the relevant documents in the top k.
SAME = {
    retrieval.retrieval_average_precision: "ap(norm=retrieved)",
    retrieval.retrieval_reciprocal_rank: "rr",
    retrieval.retrieval_precision: "p",
    retrieval.retrieval_recall: "r",
    retrieval.retrieval_hit_rate: "hit",
}
CUTOFFS = (1, 5, 10, None)


def ours(grades, scores, measure):
    hits = rankgold.from_arrays(grades, scores)
    return rankgold.evaluate(hits, [measure]).per_query[measure].to_list()


def theirs(metric, grades, scores, **options):
    rows = zip(torch.tensor(scores), torch.tensor(grades), strict=True)
    return [float(metric(score, grade, **options)) for score, grade in rows]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("metric", SAME, ids=lambda metric: metric.__name__)
def test_measures_of_relevant_or_not(metric, seed):
    grades, scores = arrays(seed, top_grade=1)
    for k in CUTOFFS:
        measure = SAME[metric] if k is None else f"{SAME[metric]}@{k}"
        expected = theirs(metric, grades, scores, top_k=k)
        assert ours(grades, scores, measure) == pytest.approx(expected, abs=1e-6), measure


@pytest.mark.parametrize("seed", SEEDS)
def test_ndcg_of_grades(seed):
    grades, scores = arrays(seed)
    for k in CUTOFFS:
        measure = "ndcg" if k is None else f"ndcg@{k}"
        expected = theirs(retrieval.retrieval_normalized_dcg, grades, scores, top_k=k)
        assert ours(grades, scores, measure) == pytest.approx(expected, abs=1e-6), measure


@pytest.mark.parametrize("seed", SEEDS)
def test_measures_without_a_cutoff(seed):
    grades, scores = arrays(seed, top_grade=1)
    for metric, measure in ((retrieval.retrieval_r_precision, "rprec"), (retrieval.retrieval_auroc, "auc")):
        assert ours(grades, scores, measure) == pytest.approx(theirs(metric, grades, scores), abs=1e-6), measure
