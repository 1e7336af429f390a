"""ranx, query by query: numbers agree to 1e-12."""

import pytest
from ranx import Qrels, Run, evaluate

import rankgold
from tests.peers.collections import SEEDS, dicts

# ranx is compiled by Numba, which warns of its own casts.
pytestmark = pytest.mark.filterwarnings("ignore:unsafe cast from uint64 to int64")

SAME = {
    "precision@5": "p@5",
    "recall@10": "r@10",
    "f1@5": "f@5",
    "hit_rate@3": "hit@3",
    "r-precision": "rprec",
    "map": "ap",
    "map@10": "ap@10",
    "mrr": "rr",
    "mrr@5": "rr@5",
    "ndcg": "ndcg",
    "ndcg@10": "ndcg@10",
    "ndcg_burges@10": "ndcg(gain=exp)@10",
    "dcg@10": "dcg@10",
}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_query_scores_as_in_ranx(seed):
    qrels, run = dicts(seed)
    theirs = Run(run)
    evaluate(Qrels(qrels), theirs, list(SAME), make_comparable=True)
    ours = rankgold.evaluate(qrels, run, list(SAME.values())).per_query
    for name, measure in SAME.items():
        expected = dict(theirs.scores[name])
        assert dict(zip(ours["query"], ours[measure], strict=True)) == pytest.approx(expected, abs=1e-12), measure
