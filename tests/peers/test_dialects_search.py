"""The dialects of pytrec_eval, ir_measures and ranx: their names and their numbers, query by query, on 200 collections."""

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from ranx import Qrels, Run, evaluate

import rankgold
from rankgold.core.dialects import table_of
from tests.peers.collections import all_collections, apart, values
from tests.peers.installed import is_checked_version


@pytest.mark.parametrize("dialect", ["pytrec_eval", "trec_eval_9"])
def test_pytrec_eval(dialect):
    assert is_checked_version("pytrec_eval-terrier", table_of("pytrec_eval"))
    qrels, run = all_collections()
    theirs = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    names = [name for name in next(iter(theirs.values())) if not name.startswith(("runid", "relstring"))]
    assert len(names) > 90
    ours = rankgold.evaluate(qrels, run, names, policy=dialect)
    for name in names:
        found = values(ours, name)
        if name.startswith("gm_"):  # the logarithm, which is in `not_repeated`
            found = {query: np.log(max(value, 0.00001)) for query, value in found.items()}
        assert found == pytest.approx({query: row[name] for query, row in theirs.items()}, abs=1e-9), name


# With scores that differ, and with tied ones where pytrec_eval computes the measure.
OF_PYTREC_EVAL = ("AP", "AP@10", "AP(rel=2)", "P@5", "P(rel=2)@10", "R@10", "RR", "nDCG", "nDCG@10", "Rprec", "Success@3",
                  "Bpref", "infAP", "IPrec@0.1", "SetP", "SetR", "SetF", "NumRet", "NumRelRet")  # fmt: skip
OF_OTHERS = ("RR@10", "RR(rel=2)@5", "RBP(rel=1)", "RBP(rel=1, p=0.5)")


@pytest.mark.parametrize(("names", "ties"), [(OF_PYTREC_EVAL, True), (OF_OTHERS, False)], ids=["ties", "no ties"])
def test_ir_measures(names, ties):
    assert is_checked_version("ir_measures", table_of("ir_measures"))
    qrels, run = all_collections(ties)
    ours = rankgold.evaluate(qrels, run, list(names), policy="ir_measures")
    parsed = {name: ir_measures.parse_measure(name) for name in names}
    theirs = {name: {} for name in names}
    for row in ir_measures.iter_calc(parsed.values(), qrels, run):
        theirs[next(name for name in names if parsed[name] == row.measure)][row.query_id] = row.value
    for name in names:
        assert values(ours, name) == pytest.approx(theirs[name], abs=1e-9), name


def test_the_names_of_ir_measures_that_another_program_computes_there():
    # gdeval prints five digits; the values are compared in test_ir_measures_interface.py.
    qrels, run = all_collections(ties=False)
    ours = rankgold.evaluate(qrels, run, ["ERR@20", "nDCG(dcg='exp-log2')@20"], policy="ir_measures")
    assert [str(measure) for measure in ours.measures.values()] == ["err(max=4)@20", "ndcg(gain=exp)@20"]


NAMES_OF_RANX = ("hits", "hits@3", "hit_rate@3", "precision", "precision@5", "recall@10", "recall@10-l2", "f1@5", "r-precision",
                 "mrr", "mrr@5", "mrr-l2", "map", "map@10", "map-l2", "dcg@10", "dcg_burges@10", "ndcg", "ndcg@10",
                 "ndcg_burges", "ndcg_burges@10")  # fmt: skip


@pytest.mark.filterwarnings("ignore:unsafe cast from uint64 to int64")
@pytest.mark.parametrize("ties", [False, True], ids=["no ties", "ties"])
def test_ranx(ties):
    assert is_checked_version("ranx", table_of("ranx"))
    qrels, run = all_collections()
    # Up to 15 documents its sort is stable; longer lists have different scores here.
    run = {query: row if ties and len(row) <= 15 else apart(row) for query, row in run.items()}
    theirs = Run({query: dict(row) for query, row in run.items()})
    evaluate(Qrels(qrels), theirs, list(NAMES_OF_RANX), make_comparable=True)
    ours = rankgold.evaluate(qrels, run, list(NAMES_OF_RANX), policy="ranx")
    for name in NAMES_OF_RANX:
        assert values(ours, name) == pytest.approx(dict(theirs.scores[name]), abs=1e-9), name
