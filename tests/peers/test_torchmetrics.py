"""torchmetrics' retrieval metrics, query by query: numbers agree to 1e-9, once it computes with 64 bits."""

import numpy as np
import pytest
import torch
from torchmetrics import retrieval as classes
from torchmetrics.functional import retrieval

import rankgold
from tests.peers.collections import all_collections

# The top_k of a metric, and what it is here. torchmetrics divides AP at k by the relevant documents in the top k.
SAME = {
    retrieval.retrieval_average_precision: "ap(norm=retrieved)",
    retrieval.retrieval_reciprocal_rank: "rr",
    retrieval.retrieval_precision: "p",
    retrieval.retrieval_recall: "r",
    retrieval.retrieval_hit_rate: "hit",
    retrieval.retrieval_fall_out: "fallout",
    retrieval.retrieval_auroc: "auc",
}
CLASSES = {
    classes.RetrievalMAP: "ap(norm=retrieved)",
    classes.RetrievalMRR: "rr",
    classes.RetrievalPrecision: "p",
    classes.RetrievalRecall: "r",
    classes.RetrievalHitRate: "hit",
    classes.RetrievalNormalizedDCG: "ndcg",
    classes.RetrievalAUROC: "auc",
}
CUTOFFS = (1, 5, 10, None)
ACTIONS = {
    "neg": "no_relevant=zero, undefined=zero",
    "pos": "no_relevant=one, undefined=zero",
    "skip": "no_relevant=skip",
}


@pytest.fixture
def at_64_bits(monkeypatch):
    """torchmetrics asks for 32-bit floats by these names; its formulas stay as they are."""
    monkeypatch.setattr(torch, "float32", torch.float64)
    monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)
    torch.set_default_dtype(torch.float64)
    yield
    monkeypatch.undo()
    torch.set_default_dtype(torch.float32)


def tensors(ties=False, top_grade=1):
    """(scores, grades) of each query; what is not judged, or judged below 0, has the grade 0.

    Scores are above 0, and without ties for most metrics: topk has no fixed order of tied documents.
    """
    qrels, run = all_collections(ties)
    return [
        (
            torch.tensor(list(row.values()), dtype=torch.float64),
            torch.tensor([min(max(qrels[query].get(document, 0), 0), top_grade) for document in row]),
        )
        for query, row in run.items()
        if query in qrels
    ]


def values_here(queries, measures, policy):
    scores, grades = (np.concatenate(side) for side in zip(*queries, strict=True))
    hits = rankgold.from_arrays(grades, scores, groups=[len(row) for row, _ in queries], policy=policy)
    return rankgold.evaluate(hits, measures)


def at(measure, k):
    return measure if k is None else f"{measure}@{k}"


@pytest.mark.parametrize("k", CUTOFFS)
@pytest.mark.usefixtures("at_64_bits")
def test_measures_of_relevant_or_not(k):
    queries = tensors()
    # It gives 0 where there is no pair, or no document that is not relevant.
    ours = values_here(queries, [at(measure, k) for measure in SAME.values()], "undefined=zero").per_query
    for metric, measure in SAME.items():
        theirs = [float(metric(scores, grades, top_k=k)) for scores, grades in queries]
        assert ours[at(measure, k)].to_list() == pytest.approx(theirs, abs=1e-9), measure


@pytest.mark.parametrize("k", CUTOFFS)
@pytest.mark.usefixtures("at_64_bits")
def test_ndcg_of_grades_with_ties(k):
    queries, measure = tensors(ties=True, top_grade=3), at("ndcg", k)
    theirs = [float(retrieval.retrieval_normalized_dcg(scores, grades, top_k=k)) for scores, grades in queries]
    ours = values_here(queries, measure, "ties=average").per_query[measure].to_list()
    assert ours == pytest.approx(theirs, abs=1e-9)


@pytest.mark.usefixtures("at_64_bits")
def test_area_under_the_curve_with_ties():
    queries = tensors(ties=True)
    theirs = [float(retrieval.retrieval_auroc(scores, grades)) for scores, grades in queries]
    ours = values_here(queries, "auc", "ties=average, undefined=zero").per_query["auc"].to_list()
    assert ours == pytest.approx(theirs, abs=1e-9)


@pytest.mark.usefixtures("at_64_bits")
def test_precision_that_adapts_to_short_lists_and_precision_at_r():
    queries = tensors()
    ours = values_here(queries, ["p(norm=returned)@10", "rprec"], "").per_query
    adaptive = [float(retrieval.retrieval_precision(*query, top_k=10, adaptive_k=True)) for query in queries]
    assert ours["p(norm=returned)@10"].to_list() == pytest.approx(adaptive, abs=1e-9)
    at_r = [float(retrieval.retrieval_r_precision(*query)) for query in queries]
    assert ours["rprec"].to_list() == pytest.approx(at_r, abs=1e-9)


@pytest.mark.usefixtures("at_64_bits")
def test_every_point_of_the_curve_of_precision_and_recall():
    queries, depths = tensors(), range(1, 11)
    ours = values_here(queries, [f"{name}@{k}" for name in "pr" for k in depths], "").per_query
    curves = [retrieval.retrieval_precision_recall_curve(*query, max_k=10)[:2] for query in queries]
    for name, points in zip("pr", zip(*curves, strict=True), strict=True):
        here = np.stack([ours[f"{name}@{k}"] for k in depths], axis=1)
        assert here == pytest.approx(torch.stack(points).numpy(), abs=1e-9)


@pytest.mark.parametrize("precision", [0.0, 0.5, 0.8])
@pytest.mark.usefixtures("at_64_bits")
def test_recall_at_a_fixed_precision_of_each_query(precision):
    # For several queries, torchmetrics takes the best point of their mean curve: no mean of queries gives that.
    queries, measure = tensors()[::5], f"r_at_p(precision={precision})@10"
    ours = values_here(queries, measure, "").per_query[measure].to_list()
    metric = classes.RetrievalRecallAtFixedPrecision(min_precision=precision, max_k=10)
    theirs = [float(metric(*query, torch.zeros(len(query[0]), dtype=torch.long))[0]) for query in queries]
    assert ours == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.usefixtures("at_64_bits")
def test_queries_without_relevant_documents_count_as_the_policy_says(action):
    queries = tensors()
    assert any(not grades.any() for _, grades in queries)
    index = torch.repeat_interleave(torch.arange(len(queries)), torch.tensor([len(row) for row, _ in queries]))
    ours = values_here(queries, [f"{measure}@5" for measure in CLASSES.values()], ACTIONS[action])
    for metric, measure in CLASSES.items():
        if metric is classes.RetrievalAUROC and action == "skip":
            continue  # undefined values are left out here, and are 0 there
        of_all = metric(top_k=5, empty_target_action=action)
        of_all.update(*(torch.cat(side) for side in zip(*queries, strict=True)), index)
        assert ours[f"{measure}@5"] == pytest.approx(float(of_all.compute()), abs=1e-9), measure


# What torchmetrics does and we do not: docs/other-tools.md has these examples.


@pytest.mark.parametrize("metric", list(SAME)[:4], ids=lambda metric: metric.__name__)
def test_a_relevant_document_with_a_score_of_0_or_less_is_missed_there(metric):
    scores, grades = torch.tensor([-0.5, -2.0]), torch.tensor([1, 0])
    assert metric(scores, grades, top_k=1) == 0
    measure = f"{SAME[metric]}@1"
    assert rankgold.evaluate(rankgold.from_arrays(grades, scores, groups=[2]), measure)[measure] == 1


def test_its_numbers_have_32_bits():
    scores, grades = torch.tensor([3.0, 2.0, 1.0], dtype=torch.float64), torch.tensor([0, 0, 1])
    assert float(retrieval.retrieval_reciprocal_rank(scores, grades)) == float(np.float32(1 / 3)) != 1 / 3
