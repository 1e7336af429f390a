"""scikit-learn's ranking metrics, query by query: numbers agree to 1e-9."""

import warnings

import numpy as np
import pytest
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning

import rankgold
from tests.peers.collections import SEEDS, all_collections, arrays, distinct

CUTOFFS = (1, 5, None)


def queries(ties=True, top_grade=3):
    """(grades, scores) of each query of two documents or more; what is not judged, or judged below 0, has the grade 0."""
    qrels, run = all_collections(ties)
    return [
        (
            np.array([min(max(qrels[query].get(document, 0), 0), top_grade) for document in row]),
            np.array(list(row.values())),
        )
        for query, row in run.items()
        if query in qrels and len(row) > 1
    ]


def values_here(rows, measures, policy=""):
    grades, scores = (np.concatenate(side) for side in zip(*rows, strict=True))
    hits = rankgold.from_arrays(grades, scores, groups=[len(row) for row, _ in rows], policy=policy)
    return rankgold.evaluate(hits, measures).per_query


def at(measure, k):
    return measure if k is None else f"{measure}@{k}"


@pytest.mark.parametrize("k", CUTOFFS)
def test_dcg_and_ndcg_averaged_over_ties(k):
    rows = queries()
    ours = values_here(rows, [at("dcg", k), at("ndcg", k), at("dcg(discount=log(e))", k)], "ties=average")
    for metric, measure, options in (
        (metrics.dcg_score, "dcg", {}),
        (metrics.ndcg_score, "ndcg", {}),
        (metrics.dcg_score, "dcg(discount=log(e))", {"log_base": np.e}),
    ):
        theirs = [metric([grades], [scores], k=k, **options) for grades, scores in rows]
        assert ours[at(measure, k)].to_list() == pytest.approx(theirs, abs=1e-9), measure


# Without ties: scikit-learn orders tied documents by a sort that is not stable, so that no rule reproduces it.
@pytest.mark.parametrize("k", CUTOFFS)
def test_dcg_and_ndcg_that_ignore_ties(k):
    rows = queries(ties=False)
    ours = values_here(rows, [at("dcg", k), at("ndcg", k)])
    for metric, measure in ((metrics.dcg_score, "dcg"), (metrics.ndcg_score, "ndcg")):
        theirs = [metric([grades], [scores], k=k, ignore_ties=True) for grades, scores in rows]
        assert ours[at(measure, k)].to_list() == pytest.approx(theirs, abs=1e-9), measure


def test_labels_and_pairs_with_ties():
    rows = queries(top_grade=1)
    both = [(grades, scores) for grades, scores in rows if 0 < grades.sum() < len(grades)]
    assert len(both) > 400
    names = ["lrap", "coverage_error", "ranking_loss", "auc"]
    ours = values_here(both, names, "ties=average")
    for name, metric in zip(
        names,
        (
            metrics.label_ranking_average_precision_score,
            metrics.coverage_error,
            metrics.label_ranking_loss,
            lambda grades, scores: metrics.roc_auc_score(grades[0], scores[0]),
        ),
        strict=True,
    ):
        theirs = [metric([grades], [scores]) for grades, scores in both]
        assert ours[name].to_list() == pytest.approx(theirs, abs=1e-9), name


def test_labels_of_rows_that_are_all_or_none_of_them_relevant():
    rows = [(grades, scores) for grades, scores in queries(top_grade=1) if grades.sum() in (0, len(grades))]
    assert len(rows) > 20
    lrap = [metrics.label_ranking_average_precision_score([grades], [scores]) for grades, scores in rows]
    assert values_here(rows, "lrap", "no_relevant=one")["lrap"].to_list() == pytest.approx(lrap, abs=1e-9)
    ours = values_here(rows, ["coverage_error", "ranking_loss"], "undefined=zero")
    for name, metric in (("coverage_error", metrics.coverage_error), ("ranking_loss", metrics.label_ranking_loss)):
        assert ours[name].to_list() == pytest.approx([metric([g], [s]) for g, s in rows], abs=1e-9), name


def test_average_precision_takes_tied_documents_as_one_step_as_lrap_does():
    rows = queries(top_grade=1)
    with warnings.catch_warnings():
        # Where nothing is relevant, both are 0; scikit-learn warns.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        warnings.filterwarnings("ignore", "No positive class found")
        theirs = [metrics.average_precision_score(grades, scores) for grades, scores in rows]
    assert values_here(rows, "lrap")["lrap"].to_list() == pytest.approx(theirs, abs=1e-9)


def test_average_precision_without_ties():
    rows = [(grades, scores) for grades, scores in queries(ties=False, top_grade=1) if grades.any()]
    theirs = [metrics.average_precision_score(grades, scores) for grades, scores in rows]
    assert values_here(rows, "ap")["ap"].to_list() == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("divisor", [1, 3], ids=["no ties", "ties"])
def test_the_right_class_among_the_top_k(seed, divisor):
    # A stable sort, turned round: of tied classes the last comes first, as here.
    _, scores = arrays(seed)
    scores //= divisor
    classes = np.arange(scores.shape[1])
    right = np.random.default_rng(seed).integers(0, scores.shape[1], len(scores))
    hits = rankgold.from_arrays(np.eye(scores.shape[1])[right], scores)
    for k in (1, 5):
        single = [
            metrics.top_k_accuracy_score([answer], [row], k=k, labels=classes)
            for answer, row in zip(right, scores, strict=True)
        ]
        assert rankgold.evaluate(hits, f"hit@{k}").per_query[f"hit@{k}"].to_list() == single


def test_the_curve_of_precision_and_recall_has_the_values_at_each_cutoff():
    random = np.random.default_rng(0)
    for _ in range(200):
        length = int(random.integers(2, 20))
        grades, scores = random.integers(0, 2, length), distinct(random, length)
        grades[0] = 1
        precision, recall, _ = metrics.precision_recall_curve(grades, scores)
        measures = [f"{name}@{k}" for name in "pr" for k in range(1, length + 1)]
        ours = rankgold.evaluate(rankgold.from_arrays([grades], [scores]), measures)
        # From the whole list up to the first document, and then a point at recall 0.
        for name, curve in (("p", precision), ("r", recall)):
            assert curve[:-1] == pytest.approx([ours[f"{name}@{k}"] for k in range(length, 0, -1)], abs=1e-9)


def test_its_names_are_understood():
    assert str(rankgold.parse_measure("ndcg_score@10")) == "ndcg@10"
    assert str(rankgold.parse_measure("label_ranking_average_precision_score")) == "lrap"
    assert str(rankgold.parse_measure("top_k_accuracy_score@3")) == "hit@3"


# What scikit-learn does and we do not: docs/other-tools.md has these examples.


def test_its_limit_of_false_positives_scales_the_area():
    # Grades 1, 0, 1, 0 from the top: one of two other documents is half of them. McClish's scale gives a random order 0.5.
    grades, scores = [1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0]
    assert metrics.roc_auc_score(grades, scores, max_fpr=0.5) == pytest.approx(
        (1 + (1 / 4 - 1 / 8) / (1 / 2 - 1 / 8)) / 2
    )
    assert rankgold.evaluate(rankgold.from_labels([grades]), "pauc@1")["pauc@1"] == 1 / 2


def test_its_ndcg_of_one_document_is_an_error():
    with pytest.raises(ValueError, match="Computing NDCG is only meaningful when there is more than 1 document"):
        metrics.ndcg_score([[1]], [[0.5]])
    assert rankgold.evaluate(rankgold.from_arrays([[1]], [[0.5]]), "ndcg")["ndcg"] == 1
