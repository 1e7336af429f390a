"""Judgements, a run, measures and a policy in, every value out: the definitions written out, for clarity and not for speed.

All forms and engines are compared with this. Nothing here comes from the package under test. A collection is
`{query: [(document, number), ...]}` on both sides, in the order of the input; a document may occur twice. Two ids are the
same if they are the same as text. A measure is
given as its name, its cutoff and its parameters, of which only those that differ from the default need be there.

Every measure is a function of one ranking, and returns a sum and a norm. The value is sum / norm.
"""

import math
from dataclasses import dataclass, replace
from itertools import product
from struct import pack, unpack

from tests import reference_of_diversity as diversity
from tests import reference_of_labels as labels
from tests import reference_of_readers as readers
from tests import reference_of_trec_eval as trec_eval

MOST_ORDERS = 1000
TOO_MANY_ORDERS = "too many orders of tied documents"


@dataclass(frozen=True)
class Ranking:
    """One query: the grades of the returned documents from the top down, beside all grades of its judgements."""

    grades: tuple[float | None, ...]
    """None for a document without a judgement."""
    scores: tuple[float, ...]
    judged: tuple[float, ...]
    """The grades of all judged documents, retrieved or not, the best first."""
    max_grade: float
    """The highest grade of all queries, at least 0."""

    def top(self, k):
        """(rank, grade) of the documents in the top k; of all of them without a cutoff."""
        return list(enumerate(self.grades[:k], start=1))

    def hits(self, k):
        """(rank, grade) of the judged documents in the top k."""
        return [(rank, grade) for rank, grade in self.top(k) if grade is not None]

    def relevant(self, k, rel):
        """The ranks of the relevant documents in the top k."""
        return [rank for rank, grade in self.hits(k) if grade >= rel]

    def total_relevant(self, rel):
        """R: how many judged documents are relevant."""
        return sum(grade >= rel for grade in self.judged)


# Measures that count relevant documents.


def precision(ranking, k=None, rel=1, norm="k"):
    return len(ranking.relevant(k, rel)), _places(ranking, k, rel, norm)


def recall(ranking, k=None, rel=1, norm="relevant"):
    R = ranking.total_relevant(rel)
    return len(ranking.relevant(k, rel)), min(R, k) if norm == "min" and k else R


def f_measure(ranking, k=None, rel=1, beta=1, norm="k"):
    found = len(ranking.relevant(k, rel))
    return (1 + beta**2) * found, beta**2 * ranking.total_relevant(rel) + _places(ranking, k, rel, norm)


def _places(ranking, k, rel, norm):
    """What precision divides by."""
    if norm == "min":
        R = ranking.total_relevant(rel)
        return min(R, k) if k else R
    return k if norm == "k" and k else len(ranking.top(k))


def r_precision(ranking, rel=1):
    R = ranking.total_relevant(rel)
    return len(ranking.relevant(R, rel)), R


def hit(ranking, k=None, rel=1):
    return bool(ranking.relevant(k, rel)), 1


def reciprocal_rank(ranking, k=None, rel=1):
    return sum(1 / rank for rank in ranking.relevant(k, rel)[:1]), 1


def first_relevant_position(ranking, k=None, rel=1, miss=None):
    found = ranking.relevant(k, rel)
    if miss is None and k is not None:
        miss = k + 1
    if found:
        return found[0], 1
    return (0, 0) if miss is None else (miss, 1)


def mean_rank(ranking, k=None, rel=1, miss="skip"):
    found = ranking.relevant(k, rel)
    if miss == "skip":
        return sum(found), len(found)
    if k is None and not ranking.grades:
        return 0, 0
    R, after_the_last = ranking.total_relevant(rel), (len(ranking.grades) if k is None else k) + 1
    return sum(found) + (R - len(found)) * after_the_last, R


def average_precision(ranking, k=None, rel=1, norm="relevant"):
    found, R = ranking.relevant(k, rel), ranking.total_relevant(rel)
    norms = {
        "relevant": R,
        "retrieved": len(found),
        "min": min(R, k) if k else R,
        "k": k or len(ranking.grades),
        "returned": len(ranking.top(k)),
        "reachable": min(R, len(ranking.top(k))),
    }
    return math.fsum(ordinal / rank for ordinal, rank in enumerate(found, start=1)), norms[norm]


def average_recall(ranking, k=None, rel=1):
    found, R = ranking.relevant(k, rel), ranking.total_relevant(rel)
    return math.fsum(ordinal / R for ordinal in range(1, len(found) + 1)), len(found)


def area_under_the_curve(ranking, k=None, rel=1, pairs="retrieved"):
    found = ranking.relevant(k, rel)
    others = [rank for rank, _ in ranking.top(k) if rank not in found]
    in_order = sum(rank < other for rank in found for other in others)
    return in_order, (len(found) if pairs == "retrieved" else ranking.total_relevant(rel)) * len(others)


# Measures that use grades.


def graded_average_precision(ranking, k=None, thresholds=None):
    total = norm = 0.0
    for grade, share in _readers(ranking, thresholds):
        found = ranking.relevant(k, grade)
        total += share * math.fsum(ordinal / rank for ordinal, rank in enumerate(found, start=1))
        norm += share * ranking.total_relevant(grade)
    return total, norm


def _readers(ranking, thresholds):
    """(grade at which relevance starts, share of the readers): all grades from 1 to the highest are as likely.

    Readers between two grades that occur see the same documents as relevant, so they are taken together.
    """
    if thresholds is not None:
        return list(enumerate(thresholds, start=1))
    levels = sorted({math.floor(grade) for grade in ranking.judged if grade >= 1})
    highest = max(math.floor(ranking.max_grade), 1)
    return [(level, (level - below) / highest) for below, level in zip([0, *levels], levels, strict=False)]


def expected_reciprocal_rank(ranking, k=None, max=None, stop="exp"):
    top = ranking.max_grade if max is None else max
    total, reached = 0.0, 1.0
    for rank, grade in ranking.hits(k):
        stops = _stop(grade, stop, top)
        total += reached * stops / rank
        reached *= 1 - stops
    return total, 1


def normalised_expected_reciprocal_rank(ranking, k=None, max=None, stop="exp"):
    ideal = replace(ranking, grades=ranking.judged)
    return tuple(expected_reciprocal_rank(order, k, max, stop)[0] for order in (ranking, ideal))


def q_measure(ranking, k=None, gain="linear", beta=1):
    best = [_gain(grade, gain) for grade in ranking.judged if _gain(grade, gain) > 0]
    total, gained, ordinal = 0.0, 0.0, 0
    for rank, grade in ranking.hits(k):
        if _gain(grade, gain) > 0:
            gained, ordinal = gained + _gain(grade, gain), ordinal + 1
            total += (ordinal + beta * gained) / (rank + beta * math.fsum(best[:rank]))
    return total, len(best)


def compatibility(ranking, p=0.95, norm="ideal"):
    """A document is a pair of its grade and a number, and those that were not retrieved have the last numbers."""
    returned = [(grade or 0, number) for number, grade in enumerate(ranking.grades)]
    missed = list(ranking.judged)
    for grade in ranking.grades:
        if grade is not None:
            missed.remove(grade)
    relevant = [*returned, *((grade, len(returned) + number) for number, grade in enumerate(missed))]
    ideal = sorted((pair for pair in relevant if pair[0] > 0), key=lambda pair: (-pair[0], pair[1]))
    depths = range(1, max(len(returned), len(ideal)) + 1)

    def overlap(one, other):
        return math.fsum(p ** (d - 1) * len(set(one[:d]) & set(other[:d])) / d for d in depths)

    weights = math.fsum(p ** (d - 1) for d in depths)
    return overlap(returned, ideal), overlap(ideal, ideal) if norm == "ideal" else weights


def average_relevance_position(ranking, gain="linear", miss="skip"):
    found = [(rank, _gain(grade, gain)) for rank, grade in ranking.hits(None)]
    gained = math.fsum(value for _, value in found)
    total = math.fsum(rank * value for rank, value in found)
    if miss == "skip":
        return total, gained
    if not ranking.grades:
        return 0, 0
    all_gains = math.fsum(_gain(grade, gain) for grade in ranking.judged)
    return total + (all_gains - gained) * (len(ranking.grades) + 1), all_gains


def cumulative_gain(ranking, k=None, gain="linear"):
    return _dcg([grade for _, grade in ranking.top(k)], gain, discount=None), 1


def discounted_cumulative_gain(ranking, k=None, gain="linear", discount="log2"):
    return _dcg([grade for _, grade in ranking.top(k)], gain, discount), 1


def ideal_discounted_cumulative_gain(ranking, k=None, gain="linear", discount="log2"):
    return _dcg(ranking.judged[:k], gain, discount), 1


def normalised_discounted_cumulative_gain(ranking, k=None, gain="linear", discount="log2", ideal="judged"):
    ideals = {
        "judged": ranking.judged[:k],
        "retrieved": sorted((grade for _, grade in ranking.hits(None)), reverse=True)[:k],
        "ones": [1] * (len(ranking.grades) if k is None else k),
        "reachable": ranking.judged[: len(ranking.top(k))],
    }
    # Relevant documents that were all missed are worth 0, also where the ideal ranking does not have them.
    return _dcg([grade for _, grade in ranking.top(k)], gain, discount), _dcg(ideals[ideal], gain, discount) or 1


def _dcg(grades, gain, discount):
    """The sum of the discounted gains of grades that stand at the ranks 1, 2, ...; None is a document not judged."""
    return math.fsum(
        _gain(grade, gain) / (1 if discount is None else _discount(rank, discount))
        for rank, grade in enumerate(grades, start=1)
        if grade is not None
    )


# Correlations: over the judged documents that were retrieved, whatever the policy for ties.


def spearman(ranking):
    scores, grades = _judged_pairs(ranking)
    n = len(grades)
    x, y = _mean_ranks(scores), _mean_ranks(grades)
    middle = (n + 1) / 2
    total = math.fsum((a - middle) * (b - middle) for a, b in zip(x, y, strict=True))
    return total, math.sqrt(math.fsum((a - middle) ** 2 for a in x) * math.fsum((b - middle) ** 2 for b in y))


def kendall(ranking):
    scores, grades = _judged_pairs(ranking)
    pairs = [(i, j) for j in range(len(grades)) for i in range(j)]
    agreement = sum(_sign(scores[i], scores[j]) * _sign(grades[i], grades[j]) for i, j in pairs)
    untied = [sum(values[i] != values[j] for i, j in pairs) for values in (scores, grades)]
    return agreement, math.sqrt(untied[0] * untied[1])


def _judged_pairs(ranking):
    pairs = [pair for pair in zip(ranking.scores, ranking.grades, strict=True) if pair[1] is not None]
    return [score for score, _ in pairs], [grade for _, grade in pairs]


def _mean_ranks(values):
    """The rank of each value from the highest; equal values share the mean of their ranks."""
    return [sum(other > value for other in values) + (values.count(value) + 1) / 2 for value in values]


def _sign(a, b):
    return (a > b) - (a < b)


# Named functions of measures, with their numbers in brackets: `exp`, `log(10)`, `zipf(1, 0.5)`.


def _gain(grade, choice):
    grade = max(grade, 0)
    if choice == "exp" and grade > 1000:
        raise Refused("2^grade is beyond what a number can hold")
    return {"linear": lambda: grade, "exp": lambda: 2.0**grade - 1, "binary": lambda: float(grade > 0)}[choice]()


def _discount(rank, choice):
    name, numbers = _named(choice)
    functions = {
        "log2": lambda: math.log2(rank + 1),
        "log": lambda base=math.e: math.log(rank + 1) / math.log(base),
        "jk": lambda: math.log2(max(rank, 2)),
        "linear": lambda: rank,
        "exponential": lambda rate=0.5: math.exp(rate * (rank - 1)),
        "zipf": lambda p=0, s=1: (rank + p) ** s,
    }
    return functions[name](*numbers)


def _with_functions(measure):
    """A measure that takes its gain and discount as functions, called with their names."""

    def called(ranking, gain="linear", discount="log2"):
        return measure(ranking, lambda grade: _gain(grade, gain), lambda rank: _discount(rank, discount))

    return called


def _stop(grade, choice, top):
    name, numbers = _named(choice)
    functions = {
        # (2^grade - 1) / 2^top, for scales of any length.
        "exp": lambda: 2.0 ** (min(max(grade, 0), top) - top) - 2.0**-top,
        "sigmoid": lambda alpha=1, beta=0: 1 / (1 + math.exp(-alpha * (max(grade, 0) - beta))),
        "identity": lambda: min(max(grade, 0), 1),
    }
    return functions[name](*numbers)


def _named(choice):
    name, _, inside = choice.rstrip(")").partition("(")
    return name, [math.e if number.strip() == "e" else float(number) for number in inside.split(",") if number]


MEASURES = {
    "ap": average_precision,
    "ar": average_recall,
    "arp": average_relevance_position,
    "auc": area_under_the_curve,
    "cg": cumulative_gain,
    "compat": compatibility,
    "dcg": discounted_cumulative_gain,
    "err": expected_reciprocal_rank,
    "f": f_measure,
    "frp": first_relevant_position,
    "gap": graded_average_precision,
    "hit": hit,
    "idcg": ideal_discounted_cumulative_gain,
    "kendall": kendall,
    "mr": mean_rank,
    "nerr": normalised_expected_reciprocal_rank,
    "ndcg": normalised_discounted_cumulative_gain,
    "p": precision,
    "q": q_measure,
    "r": recall,
    "rprec": r_precision,
    "rr": reciprocal_rank,
    "spearman": spearman,
    **diversity.MEASURES,
    **labels.MEASURES,
    **readers.MEASURES,
    **trec_eval.MEASURES,
    **{name: _with_functions(measure) for name, measure in trec_eval.GRADED.items()},
}
LOWER_IS_BETTER = {"arp", "coverage_error", "mr", "frp", "ranking_loss"} | trec_eval.LOWER_IS_BETTER
NEVER_WITHOUT_RELEVANT = {"arp", "spearman", "kendall", "opa"} | trec_eval.NEVER_WITHOUT_RELEVANT
"""Measures that do not look for relevant documents."""
WITHOUT_THRESHOLD = {"cg", "compat", "dcg", "idcg", "ndcg", "err", "nerr", "q", *readers.MEASURES, *trec_eval.GRADED}
"""Measures to which every grade above 0 is relevant."""


@dataclass(frozen=True)
class Measure:
    """A measure as the reference takes it."""

    name: str
    k: int | None = None
    parameters: tuple[tuple[str, object], ...] = ()

    @classmethod
    def of(cls, measure):
        """From a measure of the package: only its name and its parameters are read."""
        parameters = tuple(
            (name, value if value is None or isinstance(value, (int, float, tuple)) else str(value))
            for name, value in measure.chosen
        )
        return cls(measure.metric.name, measure.k, parameters)

    def parts(self, ranking):
        """The sum and the norm."""
        cutoff = {} if self.k is None else {"k": self.k}
        return MEASURES[self.name](ranking, **cutoff, **dict(self.parameters))

    def value(self, orders):
        """The mean sum over the mean norm, over all orders of tied documents; NaN for 0/0."""
        parts = [self.parts(order) for order in orders]
        total, norm = (math.fsum(column) / len(parts) for column in zip(*parts, strict=True))
        if self.name == "ar" or ("norm", "retrieved") in self.parameters:
            norm = max(norm, 1.0)
        return total / norm if norm else math.nan

    def is_without_relevant(self, ranking):
        """Whether the judgements have no document that is relevant to this measure."""
        if self.name in NEVER_WITHOUT_RELEVANT:
            return False
        if self.name == "gap":
            return self.parts(ranking)[1] == 0
        if self.name in WITHOUT_THRESHOLD:
            return not any(grade > 0 for grade in ranking.judged) or self.parts(ranking)[1] == 0
        if self.name == "rbp" and dict(self.parameters).get("worth", "binary") != "binary":
            return not any(grade > 0 for grade in ranking.judged)
        return ranking.total_relevant(dict(self.parameters).get("rel", 1)) == 0


class Refused(Exception):
    """The collection is an error under the policy, or has too many orders of tied documents to be averaged here."""


def evaluate(qrels, run, measures, policy):
    """{query: {measure: value}} of the queries that the policy keeps, in the order of the judgements."""
    qrels, run = (_without_repeats(side, policy) for side in (qrels, run))
    if not any(query in qrels for query in run):
        raise Refused("no query in common")
    if policy.unjudged_queries == "error" and any(query not in qrels for query in run):
        raise Refused("a query without judgements")
    max_grade = max((0.0, *(grade for row in qrels.values() for _, grade in row)))
    values = {}
    for query, judgements in qrels.items():
        orders = _rankings(dict(judgements), run.get(query, []), max_grade, policy)
        is_empty = not orders[0].grades
        has_relevant = any(grade > 0 for grade in orders[0].judged)
        if (is_empty and policy.missing == "skip") or (not has_relevant and policy.no_relevant == "skip"):
            continue
        values[query] = {measure: _decided(measure, orders, policy) for measure in measures}
    return values


def means(values):
    """{measure: mean} over the queries where the value is defined; NaN where there is none."""
    columns = {}
    for row in values.values():
        for measure, value in row.items():
            columns.setdefault(measure, []).extend([] if math.isnan(value) else [value])
    return {measure: _aggregate(measure.name, column) for measure, column in columns.items()}


def _aggregate(name, column):
    """The mean of the values of all queries; the sum of counts, the geometric mean where a measure asks for it."""
    if name in trec_eval.SUMS:
        return math.fsum(column)
    if not column:
        return math.nan
    if name in trec_eval.GEOMETRIC_MEANS:
        return math.exp(math.fsum(math.log(max(value, 0.00001)) for value in column) / len(column))
    return math.fsum(column) / len(column)


def notes(qrels, run, policy):
    """What is noted about the data, except for counts of ties and of undefined values."""
    qrels, run = (_without_repeats(side, policy) for side in (qrels, run))
    judged = {query: {document for document, _ in rows} for query, rows in qrels.items()}
    returned = {query: [document for document, _ in run.get(query, [])] for query in qrels}
    if policy.unjudged == "condensed":
        returned = {query: [d for d in documents if d in judged[query]] for query, documents in returned.items()}
    retrieved = sum(map(len, returned.values()))
    unjudged = sum(d not in judged[query] for query, documents in returned.items() for d in documents)
    grades = [float(grade) for rows in qrels.values() for _, grade in rows]
    return {
        "queries": len(qrels),
        "without_ranking": {query for query, documents in returned.items() if not documents},
        "without_judgements": {query for query in run if query not in qrels},
        "retrieved": retrieved,
        "unjudged_share": unjudged / retrieved if retrieved else None,
        "judged": len(grades),
        "lowest_grade": min(grades, default=None),
        "highest_grade": max(grades, default=None),
        "negative_grades": sum(grade < 0 for grade in grades),
        "partial_grades": sum(0 < grade < 1 for grade in grades),
    }


def _without_repeats(side, policy):
    """All ids as text, and each document once in a query: its first or its last row counts."""
    kept = {}
    for query, entries in side.items():
        rows = [(str(document), number) for document, number in entries]
        documents = [document for document, _ in rows]
        if len(set(documents)) < len(documents) and policy.duplicates == "error":
            raise Refused("a document twice in a query")
        first = policy.duplicates == "first"
        kept[str(query)] = [
            row
            for place, row in enumerate(rows)
            if row[0] not in (documents[:place] if first else documents[place + 1 :])
        ]
    return kept


def _rankings(judged, retrieved, max_grade, policy):
    """The ranking of one query; with averaged ties, its rankings in all orders of the tied documents."""
    if policy.unjudged == "condensed":
        retrieved = [(document, score) for document, score in retrieved if document in judged]
    rows = [(_rounded(score, policy.score_bits), document) for document, score in retrieved]
    if policy.ties == "descending":
        rows.sort(key=lambda row: row[1], reverse=True)
    elif policy.ties == "ascending":
        rows.sort(key=lambda row: row[1])
    rows.sort(key=lambda row: -row[0])
    ranking = Ranking(
        grades=tuple(judged.get(document) for _, document in rows),
        scores=tuple(score for score, _ in rows),
        judged=tuple(sorted(_counted(judged, rows, policy), reverse=True)),
        max_grade=max_grade,
    )
    if policy.ties != "average":
        return [ranking]
    groups = {}
    for score, grade in zip(ranking.scores, ranking.grades, strict=True):
        groups.setdefault(score, []).append(grade)
    if number_of_orders(groups.values()) > MOST_ORDERS:
        raise Refused(TOO_MANY_ORDERS)
    orders = product(*(list(_distinct_orders(group)) for group in groups.values()))
    # Correlations handle ties themselves: the scores stand beside the grades of the same group in every order.
    return [replace(ranking, grades=sum(map(tuple, order), ())) for order in orders]


def _counted(judged, rows, policy):
    """The grades of the judged documents, or of those that were retrieved."""
    if policy.unretrieved == "counted":
        return judged.values()
    return [judged[document] for _, document in rows if document in judged]


def number_of_orders(groups):
    """How many different orders of grades the groups have."""
    return math.prod(
        math.factorial(len(group)) // math.prod(math.factorial(group.count(grade)) for grade in set(group))
        for group in groups
    )


def _distinct_orders(grades):
    """All orders of the grades of tied documents; equal grades can be told apart by no measure."""
    if not grades:
        yield ()
    for grade in set(grades):
        others = list(grades)
        others.remove(grade)
        for order in _distinct_orders(others):
            yield (grade, *order)


def _rounded(score, bits):
    """The score at the width at which scores are compared; all beyond 32 bits are the same number.

    It is not infinite, which is the score of documents that were not retrieved.
    """
    if bits == 64:
        return float(score)
    try:
        return unpack("f", pack("f", score))[0]
    except OverflowError:
        return math.copysign(1e39, score)


def _decided(measure, orders, policy):
    """The value of a measure after the policy has decided the open cases."""
    value = measure.value(orders)
    is_better_higher = measure.name not in LOWER_IS_BETTER
    if not orders[0].grades and is_better_higher and measure.name not in trec_eval.DEFINED_WITHOUT_RANKING:
        value = 0.0
    if measure.is_without_relevant(orders[0]):
        if policy.no_relevant == "skip":
            return math.nan
        if is_better_higher or policy.no_relevant != "zero":
            value = {"zero": 0.0, "one": 1.0, "undefined": math.nan}[policy.no_relevant]
    return 0.0 if math.isnan(value) and policy.undefined == "zero" else value
