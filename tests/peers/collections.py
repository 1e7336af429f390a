"""Random collections for the comparison with other tools: a seed in, judgements and a run out, as dicts or as arrays."""

import numpy as np

SEEDS = range(20)


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
