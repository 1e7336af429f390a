"""Random data for learning to rank: a seed in; features, grades and sizes of queries out, with tied predictions."""

import numpy as np


def ranking_data(seed, queries=50):
    """Features of few values, so that documents share leaves and scores; the first query has no relevant document."""
    random = np.random.default_rng(seed)
    groups = random.integers(1, 40, queries)
    features = random.integers(0, 6, (groups.sum(), 3)).astype(float)
    grades = np.clip(features[:, 0] + random.integers(-4, 2, groups.sum()), 0, 4).astype(int)
    grades[: groups[0]] = 0
    return features, grades, groups


def ids_of(groups):
    """The query of each document."""
    return np.repeat(np.arange(len(groups)), groups)
