"""Random collections for the comparison with other tools: a seed in, judgements and a run out, as dicts or as arrays."""

import random
from functools import cache

import numpy as np

SEEDS = range(20)
COLLECTIONS = range(200)
DOCUMENTS = [f"d{i}" for i in range(40)]


def collection(seed):
    """Six queries with ties, negative grades, unjudged documents, judged ones that were missed, few or no relevant ones.

    One query is judged and not ranked, one is ranked and not judged.
    """
    chosen = random.Random(seed)
    qrels, run = {}, {}
    for number in range(5):
        judged = chosen.sample(DOCUMENTS, chosen.randint(1, 15))
        # A grade of 0 at least: pytrec_eval writes past its memory on queries with negative grades only.
        grades = [chosen.choice([0, 1, 2]), *(chosen.choice([-1, 0, 0, 1, 1, 2, 3]) for _ in judged[1:])]
        qrels[f"q{number}"] = dict(zip(judged, grades, strict=True))
    for number in range(1, 6):
        ranked = chosen.sample(DOCUMENTS, chosen.randint(1, 30))
        run[f"q{number}"] = {document: chosen.choice([-1.5, 0.0, 1.0, 2.0, 3.5, 0.83 + 1e-9]) for document in ranked}
    return qrels, run


@cache
def all_collections(ties=True):
    """Every collection as one: its queries are named after its seed. Without ties, no two scores of a query are equal."""
    qrels, run = {}, {}
    for seed in COLLECTIONS:
        judged, ranked = collection(seed)
        qrels |= {f"{seed}.{query}": row for query, row in judged.items()}
        run |= {f"{seed}.{query}": row if ties else apart(row) for query, row in ranked.items()}
    return qrels, run


def apart(row):
    """The same documents with scores that differ, above 0."""
    return {document: float(score) for score, document in enumerate(reversed(in_order(row)), 1)}


def in_order(row):
    """The documents of a query, best first: by score, then by id, both descending, as trec_eval has them."""
    return sorted(row, key=lambda document: (row[document], document), reverse=True)


def values(scores, measure):
    """The value of each query."""
    return dict(zip(scores.per_query["query"], scores.per_query[measure], strict=True))


def dicts(seed):
    """Forty queries of 1 to 60 documents: some not retrieved, some not judged, no two of a query with equal scores."""
    random = np.random.default_rng(seed)
    qrels, run = {}, {}
    for number in range(40):
        documents = [f"d{i}" for i in random.permutation(60)[: random.integers(2, 61)]]
        judged = documents[: random.integers(1, len(documents))]
        ranked = random.permutation(documents)[: random.integers(1, len(documents))]
        # The first judged document is relevant: tools differ on queries without any, which the policy tests are about.
        grades = [int(random.integers(1, 4)), *map(int, random.integers(0, 4, len(judged) - 1))]
        qrels[f"q{number}"] = dict(zip(judged, grades, strict=True))
        run[f"q{number}"] = dict(zip(map(str, ranked), map(float, distinct(random, len(ranked))), strict=True))
    return qrels, run


def arrays(seed, top_grade=3, queries=30, documents=25):
    """Grades and scores of a table with a query in each row; every query has a relevant document, no scores are tied."""
    random = np.random.default_rng(seed)
    grades = random.integers(0, top_grade + 1, (queries, documents))
    grades[:, 0], grades[:, 1] = top_grade, 0
    return grades, np.stack([distinct(random, documents) for _ in range(queries)])


def distinct(random, count):
    """Positive scores that also differ as 32-bit floats."""
    return random.permutation(count) * 0.5 + random.uniform(0.1, 0.4)
