"""One ranking in, the sum and the norm of a measure out: those that compare pairs, or scores of labels, written out plainly.

`tests/reference.py` has the other measures, and says what a ranking is.
"""

import math


def labels(ranking, rel=0):
    """(score, grade) of all judged documents; one that was not retrieved has the lowest score."""
    pairs = [pair for pair in zip(ranking.scores, ranking.grades, strict=True) if pair[1] is not None]
    missing = list(ranking.judged)
    for _, grade in pairs:
        missing.remove(grade)
    return [(s, g) for s, g in [*pairs, *((-math.inf, grade) for grade in missing)] if g >= min(rel, 0)]


def label_ranking_average_precision(ranking, rel=1):
    pairs = labels(ranking, rel)
    found = [score for score, grade in pairs if grade >= rel and score > -math.inf]
    total = 0.0
    for score in found:
        not_lower = [grade for other, grade in pairs if other >= score]
        total += sum(grade >= rel for grade in not_lower) / len(not_lower)
    return total, ranking.total_relevant(rel)


def coverage_error(ranking, rel=1):
    pairs = labels(ranking, rel)
    lowest = min((score for score, grade in pairs if grade >= rel), default=math.inf)
    return sum(score >= lowest for score, _ in pairs), 1


def ranking_loss(ranking, rel=1):
    pairs = labels(ranking, rel)
    compared = [(right, wrong) for right, g in pairs if g >= rel for wrong, h in pairs if h < rel]
    return sum(wrong >= right for right, wrong in compared), len(compared)


def ordered_pair_accuracy(ranking):
    pairs = labels(ranking)
    compared = [(better, worse) for better, g in pairs for worse, h in pairs if g > h]
    return sum(better > worse for better, worse in compared), len(compared)


def partial_area_under_the_curve(ranking, rel=1, others=10):
    pairs = _pairs_won(ranking, rel, others)
    return sum(pairs), others * ranking.total_relevant(rel)


def partial_auc_and_precision(ranking, rel=1, others=10):
    pairs = _pairs_won(ranking, rel, others)
    return sum(pairs[:others]), others * min(others, ranking.total_relevant(rel))


def _pairs_won(ranking, rel, others):
    """For each relevant document from the top down, how many of the first so many other documents are below it."""
    won, above = [], 0
    for _, grade in ranking.top(None):
        if grade is not None and grade >= rel:
            won.append(max(others - above, 0))
        else:
            above += 1
    return won


MEASURES = {
    "coverage_error": coverage_error,
    "lrap": label_ranking_average_precision,
    "opa": ordered_pair_accuracy,
    "pap": partial_auc_and_precision,
    "pauc": partial_area_under_the_curve,
    "ranking_loss": ranking_loss,
}
