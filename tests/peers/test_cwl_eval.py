"""cwl-eval, by itself and as a provider of ir_measures, query by query: numbers agree to 1e-9."""

import ir_measures
import numpy as np
import pytest
from cwl.ruler.measures.cwl_bpm import BPMDCWLMetric
from cwl.ruler.ranking import Ranking
from ir_measures.providers.cwl_eval import CwlEvalProvider

import rankgold
from tests.peers.collections import SEEDS, dicts

MEASURES = [
    "SDCG(max_rel=4)@10", "SDCG(max_rel=4)@1", "INST(T=1,max_rel=4)", "INST(T=3,max_rel=4)", "INSQ(T=1,max_rel=4)",
    "INSQ(T=3,max_rel=4)", "BPM(T=1,max_rel=4)@10", "BPM(T=3,max_rel=4)@5", "NERR8(max_rel=4)@10", "NERR9(max_rel=4)@10",
    "NERR10(p=0.9,max_rel=4)", "NERR10(p=0.5,max_rel=4)", "NERR11(T=1,max_rel=4)", "NERR11(T=3,max_rel=4)",
]  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_every_query_scores_as_in_cwl_eval(seed):
    qrels, run = dicts(seed)
    ours = rankgold.evaluate(qrels, run, MEASURES).per_query
    theirs = [ir_measures.parse_measure(name) for name in MEASURES]
    rows = list(CwlEvalProvider().iter_calc(theirs, qrels, run))
    for name, measure in zip(MEASURES, theirs, strict=True):
        expected = {row.query_id: row.value for row in rows if row.measure == measure}
        column = dict(zip(ours["query"], ours[name], strict=True))
        assert column == pytest.approx(expected, abs=1e-9), name


@pytest.mark.parametrize("seed", SEEDS)
def test_the_dynamic_player_scores_as_in_cwl_eval_which_never_adapts_the_rank(seed):
    labels = np.random.default_rng(seed).integers(0, 5, 30).tolist()
    ranking = Ranking("q", np.array(labels) / 4, np.ones(30))
    for t, patience in ((1, 10), (3, 10), (3, 3)):
        name = f"bpm_dynamic(t={t}, patience={patience}, hc=0, max=4)"
        ours = rankgold.evaluate(rankgold.from_labels([labels]), name)[name]
        assert ours == pytest.approx(BPMDCWLMetric(t, patience).measure(ranking), abs=1e-9)
