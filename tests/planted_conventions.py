"""A seed in; a collection of 50 queries, a measure, and the number of a convention that was planted by hand, out.

The number comes from `rankgold.evaluate` and from data that are changed here, not from what reconcile computes.
"""

import math
import random
from statistics import median

import rankgold

MEASURES = {
    "ap@10": {"norm": ["retrieved", "min", "k", "returned", "reachable"], "rel": [2, 3]},
    "ap": {"norm": ["retrieved", "returned", "reachable"], "rel": [2, 3]},
    "ndcg@10": {"gain": ["exp", "binary"], "discount": ["jk"], "ideal": ["retrieved", "ones", "reachable"]},
    "p@5": {"norm": ["returned", "min"], "rel": [2, 3]},
    "r@10": {"norm": ["min"], "rel": [2, 3]},
    "rr@10": {"rel": [2, 3]},
    "dcg@10": {"gain": ["exp", "binary"], "discount": ["jk", "log(e)"]},
}
POLICIES = {
    "ties": ["ascending", "input", "average"],
    "missing": ["skip"],
    "no_relevant": ["one", "skip"],
    "unjudged": ["condensed"],
    "unretrieved": ["dropped"],
    "score_bits": ["32"],
}
OTHERS = {
    "cutoff": [-1, 1],
    "order": ["reversed", "file"],
    "ids": ["numbers"],
    "duplicates": ["last"],
    "unjudged queries": ["counted"],
    "summary": ["median", "geometric mean", "sum"],
}


def collection(chosen):
    """50 queries with ties, scores that are equal at 32 bits, ids with zeros, repeated and unjudged documents."""
    qrels, run = {}, {}
    names = [f"{i:03d}" if chosen.random() < 0.1 else str(i) for i in range(300)]
    for number in range(50):
        judged = chosen.sample(range(300), chosen.randint(3, 25))
        grades = {names[i]: chosen.choice([0, 0, 0, 1, 1, 2, 3]) for i in judged}
        qrels[f"q{number}"] = grades if number % 12 else dict.fromkeys(grades, 0)
        if number % 9 == 5:
            continue
        found = chosen.sample(judged, chosen.randint(1, len(judged)))
        ranked = list(dict.fromkeys([*found, *chosen.sample(range(300), chosen.randint(0, 25))]))
        chosen.shuffle(ranked)
        # Some documents of the run have their ids without the zeros of the judgements.
        spelled = [str(i) if chosen.random() < 0.5 else names[i] for i in ranked]
        scores = [0.25 * chosen.randint(0, 20) + 1e-9 * chosen.randint(0, 2) for _ in ranked]
        rows = list(zip(spelled, scores, strict=True))
        if number % 7 == 3:
            rows.append((spelled[0], scores[0] - 3))
        run[f"q{number}"] = rows
    for number in range(50, 53):
        run[f"q{number}"] = [(names[i], float(i)) for i in chosen.sample(range(300), 5)]
    return qrels, run


def deviations_of(measure):
    kinds = {**MEASURES[measure], **POLICIES, **OTHERS}
    if "@" not in measure:
        kinds.pop("cutoff")
    return [(axis, choice) for axis, choices in kinds.items() for choice in choices]


def plant(seed, count):
    """Judgements, run as rows, the measure, its number with 4 decimals, what was planted, and the values of queries."""
    chosen = random.Random(seed)
    qrels, run = collection(chosen)
    measure = chosen.choice(list(MEASURES))
    while True:
        planted = dict(chosen.sample(deviations_of(measure), count))
        if len(planted) == count:
            return qrels, run, measure, number_of(qrels, run, measure, planted), planted


def number_of(qrels, run, measure, planted):
    """The number of a measure under deviations: {axis: choice}."""
    name, _, k = measure.partition("@")
    inside = ", ".join(f"{axis}={planted[axis]}" for axis in MEASURES[measure] if axis in planted)
    k = f"@{int(k) + planted.get('cutoff', 0)}" if k else ""
    policy = ", ".join(f"{axis}={planted[axis]}" for axis in POLICIES if axis in planted)
    rows = {query: _once(row, planted.get("duplicates", "first")) for query, row in run.items()}
    if "ids" in planted:
        qrels = {query: {d.zfill(3): grade for d, grade in row.items()} for query, row in qrels.items()}
        rows = {
            query: _once([(d.zfill(3), s) for d, s in row], planted.get("duplicates", "first"))
            for query, row in rows.items()
        }
    if planted.get("order") == "reversed":
        rows = {query: [(d, -score) for d, score in row] for query, row in rows.items()}
    if planted.get("order") == "file":
        rows = {query: [(d, float(-i)) for i, (d, _) in enumerate(row)] for query, row in rows.items()}
    text = f"{name}({inside}){k}"
    scores = rankgold.evaluate(qrels, {query: dict(row) for query, row in rows.items()}, [text], policy=policy)
    values = [value for value in scores.values(text).tolist() if not math.isnan(value)]
    if planted.get("summary") == "median":
        return median(values)
    if planted.get("summary") == "sum":
        return math.fsum(values)
    if planted.get("summary") == "geometric mean":
        return math.exp(math.fsum(math.log(max(value, 0.00001)) for value in values) / len(values))
    unjudged = len(scores.notes.without_judgements) if "unjudged queries" in planted else 0
    return math.fsum(values) / (len(values) + unjudged)


def _once(rows, which):
    """The rows with each document once, at the place of the row that counts."""
    at = {}
    for i, (document, _) in enumerate(rows):
        if which == "last" or document not in at:
            at[document] = i
    return [rows[i] for i in sorted(at.values())]
