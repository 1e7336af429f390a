"""ir_measures, query by query: numbers agree to 1e-9."""

import ir_measures
import pytest

import rankgold
from tests.peers.collections import SEEDS, dicts

# As ir_measures writes a measure, and as it is written here.
SAME = {
    "P@5": "p@5",
    "P(rel=2)@10": "p(rel=2)@10",
    "R@10": "r@10",
    "AP": "ap",
    "AP@10": "ap@10",
    "AP(rel=2)": "ap(rel=2)",
    "RR": "rr",
    "RR(rel=2)@10": "rr(rel=2)@10",
    "nDCG": "ndcg",
    "nDCG@10": "ndcg@10",
    "Rprec": "rprec",
    "Success@3": "hit@3",
}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_query_scores_as_in_ir_measures(seed):
    qrels, run = dicts(seed)
    ours = rankgold.evaluate(qrels, run, list(SAME.values())).per_query
    rows = list(ir_measures.iter_calc(map(ir_measures.parse_measure, SAME), qrels, run))
    for name, measure in SAME.items():
        expected = {row.query_id: row.value for row in rows if str(row.measure) == name}
        assert dict(zip(ours["query"], ours[measure], strict=True)) == pytest.approx(expected, abs=1e-9), measure


def test_its_spelling_of_a_measure_is_understood():
    for name in ("P@5", "R@10", "AP", "AP(rel=2)", "RR(rel=2)@10", "nDCG@10", "Rprec", "Success@3"):
        assert str(rankgold.parse_measure(name)) == SAME[name]
