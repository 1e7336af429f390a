"""Fusion as in ranx: every method of the same name, with every norm, on 100 random cases."""

import numpy as np
import pytest
from ranx import Qrels, Run
from ranx import fuse as their_fuse
from ranx.fusion import bayesfuse_train, mapfuse_train, posfuse_train, probfuse_train, segfuse_train, slidefuse_train

import rankgold

pytestmark = pytest.mark.filterwarnings("ignore:unsafe cast from uint64 to int64", "ignore:.*invalid escape sequence")

NORMS = ["min-max", "min-max-inverted", "max", "sum", "zmuv", "rank", "borda"]
OF_SCORES = {
    "sum": {}, "mnz": {}, "anz": {}, "min": {}, "max": {}, "med": {}, "gmnz": {"gamma": 0.7},
    "wsum": {"weights": [0.2, 0.5, 0.3]}, "wmnz": {"weights": [0.2, 0.5, 0.3]}, "mixed": {"weights": [0.2, 0.5, 0.3]},
}  # fmt: skip
OF_RANKS = {
    "rrf": {"k": 7}, "isr": {}, "log_isr": {}, "logn_isr": {"sigma": 0.2}, "rbc": {"phi": 0.7}, "bordafuse": {},
    "w_bordafuse": {"weights": [0.2, 0.5, 0.3]},
}  # fmt: skip
# Method -> their training, how its result is called, and our and their parameters.
LEARNED = {
    "bayesfuse": (bayesfuse_train, "log_odds", {}, {}),
    "mapfuse": (mapfuse_train, "map_scores", {}, {}),
    "posfuse": (posfuse_train, "probs", {}, {}),
    "probfuse": (lambda qrels, runs: probfuse_train(qrels, runs, 4), "probs", {"segments": 4}, {}),
    "segfuse": (segfuse_train, "probs", {}, {}),
    "slidefuse": (slidefuse_train, "probs", {"window": 2}, {"w": 2}),
}


def case(seed, queries=3, documents=12):
    """Three runs of the same queries, of different lengths, with scores that are not tied, and judgements."""
    random = np.random.default_rng(seed)
    runs = []
    for _ in range(3):
        run = {}
        for query in range(queries):
            count = int(random.integers(2, documents))
            ids = random.permutation(documents)[:count].tolist()
            scores = random.permutation(count) + random.uniform(0.1, 0.9, count)
            run[f"q{query}"] = {f"d{id_:02}": float(score) for id_, score in zip(ids, scores, strict=True)}
        runs.append(run)
    grades = {f"q{query}": {f"d{id_:02}": 1 for id_ in random.permutation(documents)[:4]} for query in range(queries)}
    return runs, grades


def ours(runs, method, *, norm=None, qrels=None, weights=None, **parameters):
    frame = rankgold.fuse(runs, method, norm=norm, qrels=qrels, weights=weights, method_options=parameters)
    return {(query, document): score for query, document, score in frame.iter_rows()}


def theirs(runs, **keywords):
    fused = their_fuse([Run(run) for run in runs], **keywords).to_dict()
    return {(query, document): score for query, scores in fused.items() for document, score in scores.items()}


@pytest.mark.parametrize("seed", range(100))
def test_methods_of_the_same_name_give_the_same_scores(seed):
    runs, _ = case(seed)
    norm = NORMS[seed % len(NORMS)]
    for method, parameters in OF_SCORES.items():
        expected = theirs(runs, norm=norm, method=method, params=parameters)
        assert ours(runs, method, norm=norm, **parameters) == pytest.approx(expected, rel=1e-12, abs=1e-12), method
    for method, parameters in OF_RANKS.items():
        expected = theirs(runs, norm=None, method=method, params=parameters)
        assert ours(runs, method, **parameters) == pytest.approx(expected, rel=1e-12, abs=1e-12), method


@pytest.mark.parametrize("seed", range(100))
def test_methods_that_learn_from_judgements_give_the_same_scores(seed):
    runs, grades = case(seed)
    for method, (train, learned, our_parameters, their_parameters) in LEARNED.items():
        parameters = {learned: train(Qrels(grades), [Run(run) for run in runs]), **their_parameters}
        expected = theirs(runs, norm=None, method=method, params=parameters)
        given = {**our_parameters, **({"norm": "none"} if method == "segfuse" else {})}
        assert ours(runs, method, qrels=grades, **given) == pytest.approx(expected, rel=1e-12, abs=1e-12), method


@pytest.mark.parametrize("seed", range(100))
def test_condorcet_is_the_same_where_majorities_make_one_order(seed):
    """Where they are a cycle, the order of ranx depends on that of a set."""
    random = np.random.default_rng(seed)
    # Each run is the same order with two neighbours swapped, so that two of three runs agree on every pair.
    order = [f"d{number}" for number in random.permutation(8)]
    runs = []
    for swapped in random.permutation(7)[:3].tolist():
        own = [*order[:swapped], order[swapped + 1], order[swapped], *order[swapped + 2 :]]
        runs.append({"q": {document: float(8 - place) for place, document in enumerate(own)}})
    for method, parameters in (("condorcet", {}), ("w_condorcet", {"weights": [0.2, 0.4, 0.3]})):
        assert ours(runs, method, **parameters) == theirs(runs, norm=None, method=method, params=parameters)
