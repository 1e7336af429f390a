"""One ranking in, the sum and the norm of a measure out: the measures that trec_eval is known for, written out plainly.

`tests/reference.py` has the other measures, and says what a ranking is.
"""

import builtins
import math

SMALL = 0.00001


def total_judged(ranking):
    return len(ranking.judged)


def retrieved_judged(ranking, k):
    """How many of the documents in the top k have a judgement, whatever its grade."""
    return sum(grade is not None for grade in ranking.grades[:k])


def known_documents(ranking, k, documents):
    """The documents to choose from: those that are judged, and those in the top k that are not."""
    if documents is not None:
        return documents
    return total_judged(ranking) + len(ranking.grades[:k]) - retrieved_judged(ranking, k)


# Counts: each is over a norm of 1.


def number_of_queries(ranking):
    return 1, 1


def number_returned(ranking, k=None):
    return len(ranking.grades[:k]), 1


def number_relevant(ranking, rel=1):
    return ranking.total_relevant(rel), 1


def number_relevant_returned(ranking, k=None, rel=1):
    return len(ranking.relevant(k, rel)), 1


def number_nonrelevant_returned(ranking, rel=1):
    return sum(0 <= grade < rel for _, grade in ranking.hits(None)), 1


# Judged or not: a negative grade marks a document that nobody judged.


def share_judged(ranking, k=None, norm="returned"):
    judged = sum(grade >= 0 for _, grade in ranking.hits(k))
    return judged, k if norm == "k" and k else len(ranking.grades[:k])


def share_unjudged(ranking, k=None):
    depth = len(ranking.grades[:k])
    return depth - share_judged(ranking, k)[0], k or depth


def binary_preference(ranking, rel=1):
    R = ranking.total_relevant(rel)
    N = sum(0 <= grade < rel for grade in ranking.judged)
    total, above = 0.0, 0
    for _, grade in ranking.hits(None):
        if grade >= rel:
            total += 1 - min(above, R) / min(N, R) if above else 1
        elif grade >= 0:
            above += 1
    return total, R


def inferred_average_precision(ranking, rel=1):
    total, relevant, judged = 0.0, 0, 0
    for pooled, (rank, grade) in enumerate(ranking.hits(None)):
        if grade >= rel:
            total += 1 / rank
            if rank > 1:
                total += pooled / rank * (relevant + SMALL) / (judged + 2 * SMALL)
        judged += grade >= 0
        relevant += grade >= rel
    return total, ranking.total_relevant(rel)


def residual_of_rank_biased_precision(ranking, k=None, p=0.8):
    ranks = [rank for rank, grade in ranking.hits(k) if grade >= 0]
    return 1 - math.fsum((1 - p) * p ** (rank - 1) for rank in ranks), 1


def residual_in_trec_eval(ranking, p=0.9):
    if all(grade is not None and grade >= 0 for grade in ranking.grades):
        return 0, 1
    return residual_of_rank_biased_precision(ranking, p=p)


# Sets.


def set_average_precision(ranking, rel=1):
    found = len(ranking.relevant(None, rel))
    return found * found, len(ranking.grades) * ranking.total_relevant(rel)


def set_relative_precision(ranking, rel=1):
    return len(ranking.relevant(None, rel)), min(len(ranking.grades), ranking.total_relevant(rel))


def precision_at_multiple(ranking, rel=1, multiple=1):
    rank = math.floor(multiple * ranking.total_relevant(rel) + 0.9)
    return len(ranking.relevant(rank, rel)), rank


def confusion(ranking, k, rel, documents):
    """Returned and relevant, returned and not, not returned and relevant, neither."""
    found, depth = len(ranking.relevant(k, rel)), len(ranking.grades[:k])
    missed = ranking.total_relevant(rel) - found
    return found, depth - found, missed, known_documents(ranking, k, documents) - depth - missed


def accuracy(ranking, k=None, rel=1, documents=None):
    cells = confusion(ranking, k, rel, documents)
    return cells[0] + cells[3], sum(cells)


def fall_out(ranking, k=None, rel=1, documents=None):
    _, wrong, _, left_out = confusion(ranking, k, rel, documents)
    return wrong, wrong + left_out


def matthews(ranking, k=None, rel=1, documents=None):
    tp, fp, fn, tn = confusion(ranking, k, rel, documents)
    return tp * tn - fp * fn, math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def utility(ranking, rel=1, worth=(1, -1, 0, 0), documents=None):
    cells = confusion(ranking, None, rel, documents)
    return math.fsum(value * count for value, count in zip(worth, cells, strict=True)), 1


# Precision along the list.


def precisions(ranking, rel, k=None):
    """The precision at each relevant document, from the top down."""
    return [ordinal / rank for ordinal, rank in enumerate(ranking.relevant(k, rel), start=1)]


def interpolated_precision(ranking, rel=1, recall=0, rounding="nearest"):
    least = math.floor(recall * ranking.total_relevant(rel) + {"nearest": 0.5, "up": 0.9}[rounding])
    return max(precisions(ranking, rel)[max(least, 1) - 1 :], default=0), 1


def mean_interpolated_precision(ranking, rel=1, recalls=tuple(i / 10 for i in range(11)), rounding="nearest"):
    return math.fsum(interpolated_precision(ranking, rel, recall, rounding)[0] for recall in recalls), len(recalls)


def recall_at_precision(ranking, k=None, rel=1, precision=0.5):
    enough = [ordinal for ordinal, value in enumerate(precisions(ranking, rel, k), start=1) if value >= precision]
    return max(enough, default=0), ranking.total_relevant(rel)


def average_precision(ranking, k=None, rel=1):
    return math.fsum(precisions(ranking, rel, k)), ranking.total_relevant(rel)


def yet_another_average_precision(ranking, rel=1):
    total = math.fsum(precisions(ranking, rel))
    return math.log((1 + total) / (1 + ranking.total_relevant(rel) - total)), 1


def binary_g(ranking, rel=1):
    found = ranking.relevant(None, rel)
    return math.fsum(1 / math.log2(2 + rank - o) for o, rank in enumerate(found, start=1)), ranking.total_relevant(rel)


def rank_biased_precision(ranking, k=None, rel=1, p=0.8, worth="binary", max=None):
    highest = ranking.max_grade if worth == "graded" else builtins.max(ranking.judged, default=0)
    top = highest if max is None else max
    if worth == "binary":
        worths = [(rank, 1) for rank in ranking.relevant(k, rel)]
    else:
        worths = [(rank, min(grade / top, 1)) for rank, grade in ranking.hits(k) if grade > 0]
    return math.fsum((1 - p) * p ** (rank - 1) * value for rank, value in worths), 1


# Gains along the list. `gain` and `discount` are functions of a grade and of a rank.


def dcg_at(grades, k, gain, discount):
    return math.fsum(gain(g or 0) / discount(rank) for rank, g in enumerate(grades[:k], start=1))


def ideal_grades(ranking, gain):
    return [grade for grade in ranking.judged if gain(grade) > 0]


def graded_g(ranking, gain, _):
    best, total = ideal_grades(ranking, gain), 0.0
    for rank, grade in ranking.hits(None):
        cost = math.fsum(max(gain(best[i]), 1) if i < len(best) else 1 for i in range(rank))
        gained = math.fsum(gain(g or 0) for g in ranking.grades[:rank])
        total += gain(grade) / math.log2(2 + max(cost - gained, 0))
    return total, math.fsum(map(gain, best))


def ndcg_at_relevant(ranking, gain, discount):
    best = ideal_grades(ranking, gain)
    if not best:
        return 0, 0

    def ndcg(rank):
        return dcg_at(ranking.grades, rank, gain, discount) / dcg_at(best, rank, gain, discount)

    found = [ndcg(rank) for rank, grade in ranking.hits(None) if gain(grade) > 0]
    return math.fsum(found) + (len(best) - len(found)) * ndcg(None), len(best)


def ndcg_at_levels(ranking, gain, discount):
    best = ideal_grades(ranking, gain)
    levels = [i + 1 for i in range(len(best)) if i + 1 == len(best) or gain(best[i]) != gain(best[i + 1])]
    if best and len(ranking.grades) > len(best) + 1:
        levels.append(len(ranking.grades))

    def share(grade):  # of the highest gain: the lowest gains that there are cannot be divided
        return gain(grade) / gain(best[0])

    ndcgs = [dcg_at(ranking.grades, k, share, discount) / dcg_at(best, k, share, discount) for k in levels]
    return math.fsum(ndcgs), len(levels)


MEASURES = {
    "accuracy": accuracy,
    "bing": binary_g,
    "bpref": binary_preference,
    "fallout": fall_out,
    "gm_bpref": binary_preference,
    "gmap": average_precision,
    "hits": number_relevant_returned,
    "infap": inferred_average_precision,
    "iprec": interpolated_precision,
    "iprec_mean": mean_interpolated_precision,
    "judged": share_judged,
    "mcc": matthews,
    "num_nonrel_judged_ret": number_nonrelevant_returned,
    "num_q": number_of_queries,
    "num_rel": number_relevant,
    "num_rel_ret": number_relevant_returned,
    "num_ret": number_returned,
    "r_at_p": recall_at_precision,
    "rbp": rank_biased_precision,
    "rbp_resid": residual_of_rank_biased_precision,
    "rprec_mult": precision_at_multiple,
    "set_map": set_average_precision,
    "set_relative_p": set_relative_precision,
    "trec_rbp_resid": residual_in_trec_eval,
    "unjudged": share_unjudged,
    "utility": utility,
    "yaap": yet_another_average_precision,
}
GRADED = {"g": graded_g, "ndcg_rel": ndcg_at_relevant, "rndcg": ndcg_at_levels}
"""These take their gain and discount as functions."""

LOWER_IS_BETTER = {"fallout", "num_nonrel_judged_ret", "rbp_resid", "trec_rbp_resid", "unjudged"}
NEVER_WITHOUT_RELEVANT = {
    "judged", "num_nonrel_judged_ret", "num_q", "num_rel", "num_rel_ret", "num_ret", "rbp_resid", "trec_rbp_resid",
    "unjudged", "utility",
}  # fmt: skip
DEFINED_WITHOUT_RANKING = {"num_q", "num_rel", "num_ret", "yaap"}
SUMS = {"num_nonrel_judged_ret", "num_q", "num_rel", "num_rel_ret", "num_ret"}
GEOMETRIC_MEANS = {"gm_bpref", "gmap"}
