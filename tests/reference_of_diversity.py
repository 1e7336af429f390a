"""One ranking in, the sum and the norm of a measure of diversity out, written out plainly.

`tests/reference.py` has the other measures. Its rankings have no subtopics: each query is one there.
"""

import math
from dataclasses import dataclass, field, replace
from itertools import count


@dataclass(frozen=True)
class Diverse:
    """One query, with documents as {subtopic: grade}."""

    ranked: tuple[dict | None, ...]
    """The returned documents from the top down; None for one without a judgement."""
    judged: dict
    """All judged documents by their ids."""
    weights: dict = field(default_factory=dict)
    """Of the subtopics; 1 where one has none."""

    @classmethod
    def of(cls, ranking):
        """A ranking without subtopics."""
        ranked = tuple(None if grade is None else {"": grade} for grade in ranking.grades)
        return cls(ranked, {str(i): {"": grade} for i, grade in enumerate(ranking.judged)})

    def hits(self, k, rel):
        """(rank, subtopic, grade) of what is relevant in the top k, with the subtopics of a document in order."""
        return [
            (rank, subtopic, grade)
            for rank, grades in enumerate(self.ranked[:k], start=1)
            for subtopic, grade in sorted((grades or {}).items(), key=lambda entry: (len(entry[0]), entry[0]))
            if grade >= rel
        ]

    def relevant(self, rel):
        """Subtopic -> how many judged documents are relevant to it, if there is one."""
        found = [name for grades in self.judged.values() for name, grade in grades.items() if grade >= rel]
        return {name: found.count(name) for name in found}

    def weight(self, subtopic):
        return self.weights.get(subtopic, 1)

    def total_weight(self, rel):
        return math.fsum(map(self.weight, self.relevant(rel)))

    def ideal(self, alpha, rel, top):
        """The judged documents, each time the one that adds most; of several, the last one by its id."""
        left, seen, ranked = dict(self.judged), {}, []
        while left:
            gains = {}
            for name, grades in left.items():
                only = replace(self, ranked=(grades,))
                parts = [self.weight(s) * _share(g, top) * seen.get(s, 1) for _, s, g in only.hits(None, rel)]
                gains[name] = sum(parts)
            best = max(gains, key=lambda name: (gains[name], name))
            ranked.append(left.pop(best))
            for _, subtopic, grade in replace(self, ranked=(ranked[-1],)).hits(None, rel):
                seen[subtopic] = seen.get(subtopic, 1) * (1 - alpha * _share(grade, top))
        return replace(self, ranked=tuple(ranked))


def _share(grade, top):
    # (2^grade - 1) / (2^top - 1), for scales of any length.
    return 1 if top is None else (2.0 ** (min(max(grade, 0), top) - top) - 2.0**-top) / (1 - 2.0**-top)


def _novel_gain(diverse, k, alpha, rel, top, attention):
    """The sum of what documents add to subtopics, each times the attention that its rank gets."""
    total, left = [], {}
    for rank, subtopic, grade in diverse.hits(k, rel):
        share = _share(grade, top)
        total.append(diverse.weight(subtopic) * share * left.get(subtopic, 1) * attention(rank))
        left[subtopic] = left.get(subtopic, 1) * (1 - alpha * share)
    return math.fsum(total)


def _cascade(attention, *, normalised):
    """A measure over gains that fall with each document about the same subtopic."""

    def measure(diverse, k=None, alpha=0.5, rel=1, max=None):
        total = _novel_gain(diverse, k, alpha, rel, max, attention)
        if normalised:
            return total, _novel_gain(diverse.ideal(alpha, rel, max), k, alpha, rel, max, attention)
        depth = len(diverse.ranked) if k is None else k
        most = math.fsum((1 - alpha) ** (rank - 1) * attention(rank) for rank in range(1, depth + 1))
        return total, diverse.total_weight(rel) * most

    return measure


def nrbp(diverse, k=None, alpha=0.5, beta=0.5, rel=1, max=None):
    total = _novel_gain(diverse, k, alpha, rel, max, lambda rank: beta ** (rank - 1))
    return total, diverse.total_weight(rel) / (1 - (1 - alpha) * beta)


def nnrbp(diverse, k=None, alpha=0.5, beta=0.5, rel=1, max=None):
    lists = diverse, diverse.ideal(alpha, rel, max)
    return tuple(_novel_gain(order, k, alpha, rel, max, lambda rank: beta ** (rank - 1)) for order in lists)


def ap_ia(diverse, k=None, rel=1):
    total, ordinals, relevant = [], {}, diverse.relevant(rel)
    for rank, subtopic, _ in diverse.hits(k, rel):
        ordinal = next(ordinals.setdefault(subtopic, count(1)))
        total.append(diverse.weight(subtopic) * ordinal / rank / relevant[subtopic])
    return math.fsum(total), diverse.total_weight(rel)


def p_ia(diverse, k=None, rel=1):
    found = math.fsum(diverse.weight(subtopic) for _, subtopic, _ in diverse.hits(k, rel))
    return found, diverse.total_weight(rel) * (len(diverse.ranked) if k is None else k)


def strec(diverse, k=None, rel=1):
    covered = {subtopic for _, subtopic, _ in diverse.hits(k, rel)}
    return math.fsum(map(diverse.weight, covered)), diverse.total_weight(rel)


def _by_logarithm(rank):
    return 1 / math.log2(rank + 1)


def _by_rank(rank):
    return 1 / rank


OVER_SUBTOPICS = {
    "alpha_dcg": _cascade(_by_logarithm, normalised=False),
    "alpha_ndcg": _cascade(_by_logarithm, normalised=True),
    "ap_ia": ap_ia,
    "err_ia": _cascade(_by_rank, normalised=False),
    "nerr_ia": _cascade(_by_rank, normalised=True),
    "nnrbp": nnrbp,
    "nrbp": nrbp,
    "p_ia": p_ia,
    "strec": strec,
}
"""The measures of a Diverse."""


def _without_subtopics(measure):
    return lambda ranking, **parameters: measure(Diverse.of(ranking), **parameters)


MEASURES = {name: _without_subtopics(measure) for name, measure in OVER_SUBTOPICS.items()}
