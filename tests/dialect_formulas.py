"""The formulas of tools that cannot be installed here, written out from their documentation and code: a list in, a value out.

A list is the grades of its documents from the top, None for a document without a judgement; `judged` are all grades.
"""

from math import log2


def is_relevant(grade):
    return grade is not None and grade >= 1


def counted(grades, k):
    """How many of the first k documents are relevant."""
    return sum(map(is_relevant, grades[:k]))


def precisions(grades, k):
    """The precision at each relevant document of the first k."""
    return [counted(grades, i) / i for i in range(1, len(grades[:k]) + 1) if is_relevant(grades[i - 1])]


def dcg(grades, gain):
    return sum(gain(grade) / log2(rank + 1) for rank, grade in enumerate(grades, 1) if grade is not None)


def exponential(grade):
    return 2 ** max(grade, 0) - 1


def binary(grade):
    return float(grade >= 1)


def best(grades):
    return sorted((max(grade, 0) for grade in grades), reverse=True)


def first(grades, k):
    return next((1 / rank for rank, grade in enumerate(grades[:k], 1) if is_relevant(grade)), 0.0)


def over(number, divisor):
    """A ratio; 0 where these tools avoid a division by 0."""
    return number / divisor if divisor else 0.0


def hivemall(grades, judged, k):
    """RecallUDAF, PrecisionUDAF, MAPUDAF, MRRUDAF, NDCGUDAF and HitRateUDAF, without grades."""
    ones = [1] * min(counted(judged, None), k, len(grades))
    return {
        f"recall_at@{k}": over(counted(grades, k), counted(judged, None)),
        f"precision_at@{k}": over(counted(grades, k), min(k, len(grades))) if counted(judged, None) else 0.0,
        f"average_precision@{k}": over(sum(precisions(grades, k)), counted(grades, k)),
        f"mrr@{k}": first(grades, k),
        f"ndcg@{k}": over(dcg(grades[:k], binary), dcg(ones, binary)),
        f"hitrate@{k}": float(counted(grades, k) > 0),
    }


def hivemall_docs(grades, judged, k):
    """The definitions of its page on the evaluation of rankings."""
    relevant = counted(judged, None)
    return {
        f"recall_at@{k}": over(counted(grades, k), relevant),
        f"precision_at@{k}": counted(grades, k) / k if relevant else 0.0,
        f"average_precision@{k}": over(sum(precisions(grades, k)), relevant),
        f"mrr@{k}": first(grades, k),
        f"ndcg@{k}": over(dcg(grades[:k], binary), dcg([1] * min(relevant, k), binary)),
    }


def spark(grades, judged, k):
    """RankingMetrics of PySpark, which takes no relevance values: labels are the documents of grade 1 and better."""
    relevant = counted(judged, None)
    return {
        f"precisionAt({k})": counted(grades, k) / k if relevant else 0.0,
        f"recallAt({k})": over(counted(grades, k), relevant),
        f"meanAveragePrecisionAt({k})": over(sum(precisions(grades, k)), min(relevant, k)),
        "meanAveragePrecision": over(sum(precisions(grades, None)), relevant),
        f"ndcgAt({k})": over(dcg(grades[:k], binary), dcg([1] * min(relevant, k), binary)),
    }


def elasticsearch(grades, judged, k):
    """The metrics of _rank_eval: PrecisionAtK, RecallAtK, MeanReciprocalRank, DiscountedCumulativeGain, with its `k`."""
    return {
        f"precision(k={k})": over(counted(grades, k), len(grades[:k])),
        f"recall(k={k})": over(counted(grades, k), counted(judged, None)),
        f"mean_reciprocal_rank(k={k})": first(grades, k),
        f"dcg(k={k})": dcg(grades[:k], exponential),
        f"dcg(normalize=true, k={k})": over(
            dcg(grades[:k], exponential), dcg(best(judged)[: len(grades[:k])], exponential)
        ),
    }


def tensorflow_ranking(grades, judged, k):
    """metrics_impl of 0.5.5, for one list without padding. It does not know judged documents outside the list."""
    grades = [grade or 0 for grade in grades]
    return {
        f"NDCGMetric(topn={k})": over(dcg(grades[:k], exponential), dcg(best(grades)[:k], exponential)),
        f"DCGMetric(topn={k})": dcg(grades[:k], exponential),
        f"MRRMetric(topn={k})": first(grades, k),
        f"HitsMetric(topn={k})": float(counted(grades, k) > 0),
        f"PrecisionMetric(topn={k})": counted(grades, k) / min(k, len(grades)),
        f"RecallMetric(topn={k})": over(counted(grades, k), counted(grades, None)),
        f"MeanAveragePrecisionMetric(topn={k})": over(sum(precisions(grades, k)), counted(grades, None)),
    }


def ml_metrics(grades, judged, k):
    """apk of ml_metrics 0.1.4."""
    return {f"apk(k={k})": over(sum(precisions(grades, k)), min(counted(judged, None), k))}


FORMULAS = {
    function.__name__: function
    for function in (hivemall, hivemall_docs, spark, elasticsearch, tensorflow_ranking, ml_metrics)
}
