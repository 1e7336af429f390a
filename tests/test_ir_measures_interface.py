"""`rankgold.compat.ir_measures`: names, parsing, forms of data and conventions, without ir_measures installed."""

import math
import subprocess
import sys
from random import Random
from types import MappingProxyType

import pandas as pd
import polars as pl
import pytest

import rankgold
from rankgold.compat import ir_measures
from rankgold.compat.ir_measures import (
    AP,
    ERR,
    RR,
    Accuracy,
    Judged,
    NumQ,
    NumRel,
    NumRet,
    P,
    Qrel,
    R,
    ScoredDoc,
    nDCG,
)
from rankgold.compat.ir_measures.names import ROWS, meaning
from tests.cases import for_each

QRELS = {"q1": {"a": 1, "b": 2, "c": 0}, "q2": {"d": 1}}
RUN = {"q1": {"x": 4.0, "a": 3.0, "b": 2.0}, "q9": {"a": 1.0}}

# All names of ir_measures 0.4.3 for judged rankings, but those of measures of diversity.
NAMES = [
    "Accuracy", "AP", "BPM", "Bpref", "BPref", "Compat", "ERR", "infAP", "INSQ", "INST", "IPrec", "Judged", "MAP", "MRR", "nDCG",
    "NDCG", "NERR10", "NERR11", "NERR8", "NERR9", "NumQ", "NumRel", "NumRelRet", "NumRet", "P", "Precision", "R", "RBP",
    "Recall", "Rprec", "RPrec", "RR", "SDCG", "SetAP", "SetF", "SetP", "SetR", "SetRelP", "Success",
]  # fmt: skip


@for_each("name", NAMES)
def test_every_measure_is_there_under_its_names(name):
    measure = getattr(ir_measures, name)
    assert ir_measures.parse_measure(name) == measure
    assert name in ir_measures.__all__


@for_each(
    ("built", "text"),
    [
        (nDCG @ 10, "nDCG@10"),
        (P(rel=2) @ 5, "P(rel=2)@5"),
        (P @ 5, "P@5"),
        (AP(rel=1), "AP"),
        (AP(rel=2, judged_only=True) @ 7, "AP(rel=2,judged_only=True)@7"),
        (nDCG(dcg="exp-log2") @ 10, "nDCG(dcg='exp-log2')@10"),
        (nDCG(gains={2: 7, 1: 3, 0: 0}), "nDCG(gains={1:3,2:7})"),
        (ir_measures.IPrec @ 0.1, "IPrec@0.1"),
        (ir_measures.NumRelRet, "NumRet(rel=1)"),
        (ir_measures.SetRelP, "SetP(relative=True)"),
        (ir_measures.MAP @ 5, "AP@5"),
        (ir_measures.RBP(p=0.95, rel=1), "RBP(p=0.95,rel=1)"),
    ],
)
def test_a_measure_is_written_as_in_ir_measures(built, text):
    assert str(built) == repr(built) == text
    assert {built: 1}[ir_measures.parse_measure(str(built).replace("1:3,2:7", "0:0,1:3,2:7"))] == 1


def test_measures_are_values():
    assert nDCG @ 10 == nDCG(cutoff=10) == nDCG(cutoff=5) @ 10 != nDCG @ 5
    assert (P @ 5)["cutoff"] == 5
    assert (P @ 5)["rel"] == 1
    assert (P @ 5).NAME == "P"


@for_each(
    ("measure", "message"),
    [
        (P, "P needs cutoff: P@10."),
        (ir_measures.IPrec, "IPrec needs recall: IPrec@0.5."),
        (ir_measures.INST, r"INST needs max_rel: INST(max_rel=...)."),
        (AP(reel=2), "AP has no parameter 'reel'. Did you mean 'rel'? It takes cutoff, rel, judged_only."),
        (AP(rel="2"), "rel of AP must be a whole number, not '2'."),
        (ir_measures.SetF(beta=-1.0), "beta of SetF must be at least 0, not -1.0."),
        (nDCG(dcg="cubic"), "dcg of nDCG must be one of log2, exp-log2, not 'cubic'."),
    ],
)
def test_wrong_parameters_are_errors_that_say_what_is_right(measure, message):
    with pytest.raises(rankgold.MeasureError) as error:
        ir_measures.calc_aggregate([measure], QRELS, RUN)
    assert str(error.value) == message


@for_each("text", ["nDGC@10", "P@", "P(5)", "P@5 AP", "3", "P(rel=[x])", "", "P(**x)", "a.b", "(" * 200])
def test_text_that_is_no_measure_is_an_error(text):
    with pytest.raises(rankgold.MeasureError):
        ir_measures.parse_measure(text)


def test_names_of_trec_eval_become_measures():
    def trec(name):
        return list(map(str, ir_measures.parse_trec_measure(name)))

    assert trec("map") == ["AP"]
    assert trec("P.5,10") == trec("P_5,10") == ["P@5", "P@10"]
    assert trec("ndcg_cut_10") == ["nDCG@10"]
    assert trec("success") == ["Success@1", "Success@5", "Success@10"]
    assert trec("iprec_at_recall_0.1") == ["IPrec@0.1"]
    assert trec("set_relative_P") == ["SetP(relative=True)"]
    assert {"AP", "P@5", "NumRet", "IPrec@0.0", "RR"} <= set(trec("official"))
    for wrong in ("gm_map", "nonsense", "map_5x", f"P_{'9' * 400}"):
        with pytest.raises(rankgold.MeasureError, match="ir_measures has no measure for"):
            ir_measures.parse_trec_measure(wrong)
    with pytest.raises(rankgold.MeasureError, match="Rprec of trec_eval takes no number"):
        ir_measures.parse_trec_measure("Rprec_5")


def test_values_of_queries_and_of_all_queries():
    # q1: a at rank 2 and b at rank 3, of 2 relevant documents; q2 is not ranked, and counts 0.
    result = ir_measures.calc([AP, P @ 2, NumQ, NumRel, NumRet], QRELS, RUN)
    ap = (1 / 2 + 2 / 3) / 2
    assert result.aggregated == pytest.approx({AP: ap / 2, P @ 2: 1 / 4, NumQ: 1, NumRel: 2, NumRet: 3})
    assert [(m.query_id, str(m.measure), m.value) for m in result.per_query][:3] == [
        ("q1", "AP", pytest.approx(ap)),
        ("q1", "P@2", 1 / 2),
        ("q1", "NumQ", 1),
    ]
    assert [m.value for m in result.per_query if m.query_id == "q2"] == [0, 0, 0, 0, 0]
    evaluator = ir_measures.evaluator([AP], QRELS)
    assert evaluator.calc_aggregate(RUN) == {AP: pytest.approx(ap / 2)}
    assert AP.calc_aggregate(QRELS, RUN) == AP.calc(QRELS, RUN).aggregated == pytest.approx(ap / 2)
    assert [metric.value for metric in AP.iter_calc(QRELS, RUN)] == pytest.approx([ap, 0])
    assert ir_measures.calc_aggregate(["AP"], QRELS, RUN) == {AP: pytest.approx(ap / 2)}


def test_all_forms_of_data_give_the_same(tmp_path):
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} {g}\n" for q, row in QRELS.items() for d, g in row.items()))
    (tmp_path / "run.txt").write_text(
        "".join(f"{q} Q0 {d} 1 {s} t\n" for q, row in RUN.items() for d, s in row.items())
    )
    judged = [Qrel(q, d, g) for q, row in QRELS.items() for d, g in row.items()]
    ranked = [ScoredDoc(q, d, s) for q, row in RUN.items() for d, s in row.items()]
    qrels = [
        judged,
        iter(judged),
        pd.DataFrame(judged),
        pd.DataFrame(judged)[["relevance", "doc_id", "query_id"]],
        pl.DataFrame(judged),
        tmp_path / "qrels.txt",
        ir_measures.read_trec_qrels(str(tmp_path / "qrels.txt")),
        ir_measures.read_trec_qrels((tmp_path / "qrels.txt").read_text()),
    ]
    runs = [
        ranked,
        iter(ranked),
        pd.DataFrame(ranked),
        pd.DataFrame(ranked).assign(name="bm25"),
        pl.DataFrame(ranked),
        str(tmp_path / "run.txt"),
        ir_measures.read_trec_run(str(tmp_path / "run.txt")),
        ir_measures.read_trec_run((tmp_path / "run.txt").read_text()),
    ]
    measures = [AP, nDCG @ 2, RR @ 10, ERR @ 20]
    expected = ir_measures.calc_aggregate(measures, QRELS, RUN)
    for judgements, run in zip(qrels, runs, strict=True):
        assert ir_measures.calc_aggregate(measures, judgements, run) == expected


@for_each("wrong", [7, [("q1", "a", 1)], {"q1": ["a"]}, pd.DataFrame({"query_id": ["q1"]}), b"x"])
def test_what_is_neither_qrels_nor_a_run_is_an_error(wrong):
    for qrels, run in ((wrong, RUN), (QRELS, wrong)):
        with pytest.raises(rankgold.DataError, match=r"query_id|doc_id|document:"):
            ir_measures.calc_aggregate([AP], qrels, run)


def test_files_with_wrong_lines_are_errors(tmp_path):
    with pytest.raises(rankgold.DataError, match="line 2 has 3 fields, and should have 4"):
        list(ir_measures.read_trec_qrels("q1 0 a 1\nq1 0 b\n"))
    with pytest.raises(rankgold.DataError, match="the score must be a number, not 'high'"):
        list(ir_measures.read_trec_run("q1 Q0 a 1 high t\n"))
    with pytest.raises(rankgold.DataError, match=r"nothing\.run: No such file or directory"):
        list(ir_measures.read_trec_run(tmp_path / "nothing.run"))


def test_tied_documents_are_in_the_order_of_the_tool_that_ir_measures_uses():
    # pytrec_eval: d c b a; the script of MS MARCO: a b c d; cwl_eval: the order of the run, b c a d.
    qrels, run = {"q": {"b": 1}}, {"q": {"b": 1.0, "c": 1.0, "a": 1.0, "d": 1.0}}
    found = ir_measures.calc_aggregate([RR, RR @ 10, ir_measures.RBP(rel=1)], qrels, run)
    assert list(found.values()) == pytest.approx([1 / 3, 1 / 2, 0.2])


def test_scores_of_pytrec_eval_are_compared_at_32_bits():
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1 + 1e-9, "b": 1.0}}
    assert list(ir_measures.calc_aggregate([RR, RR @ 10], qrels, run).values()) == [1 / 2, 1]


def test_documents_without_a_judgement_are_left_out_on_demand():
    # x is not judged, and neither is y, whose negative grade says so: a is first, b second.
    qrels, run = {"q": {"a": 1, "b": 2, "y": -1}}, {"q": {"x": 4.0, "y": 3.5, "a": 3.0, "b": 2.0}}
    found = ir_measures.calc_aggregate([AP(judged_only=True), AP, P(judged_only=True) @ 2], qrels, run)
    assert list(found.values()) == pytest.approx([1, (1 / 3 + 2 / 4) / 2, 1])


def test_the_conventions_of_single_measures():
    qrels, run = {"q": {"a": 3, "b": 1, "y": -1}}, {"q": {"b": 4.0, "y": 3.5, "a": 3.0, "x": 2.0}}
    found = ir_measures.calc_aggregate(
        [ERR @ 20, Judged @ 4, Accuracy, nDCG(gains={1: 0, 3: 1}), ir_measures.SetF(beta=2.0), R @ 2], qrels, run
    )
    # ERR: the scale ends at 4, whatever the judgements: 1/16 at rank 1, 7/16 at rank 3.
    assert found[ERR @ 20] == pytest.approx(1 / 16 + 15 / 16 * 7 / 16 / 3)
    assert found[Judged @ 4] == 3 / 4
    # b before y and x, a before x: three of four pairs.
    assert found[Accuracy] == 3 / 4
    assert found[nDCG(gains={1: 0, 3: 1})] == pytest.approx(1 / math.log2(4))
    # Precision 2/4, recall 1; beta is the weight itself, not its root: 3 * 1/2 * 1 / (1 + 2 * 1/2).
    assert found[ir_measures.SetF(beta=2.0)] == pytest.approx(3 / 4)
    assert found[R @ 2] == 1 / 2


def test_accuracy_leaves_out_queries_without_pairs():
    qrels, run = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}, {"q1": {"x": 2.0, "a": 1.0}, "q2": {"b": 1.0}}
    assert [metric[::2] for metric in ir_measures.iter_calc([Accuracy], qrels, run)] == [("q1", 0.0)]


def test_without_a_query_in_common_all_values_are_0():
    assert ir_measures.calc_aggregate([AP, NumQ], QRELS, {"q7": {"a": 1.0}}) == {AP: 0, NumQ: 0}
    assert math.isnan(ir_measures.calc_aggregate([AP], {}, RUN)[AP])


def test_a_single_measure_is_no_list_of_measures():
    for single in (AP, "AP", 7):
        with pytest.raises(rankgold.MeasureError, match="Measures must be a list"):
            ir_measures.calc_aggregate(single, QRELS, RUN)


def test_what_is_passed_is_not_changed():
    qrels, run = {"q": {"a": 1, "y": -1}}, {"q": {"a": 1.0, "x": 2.0}}
    ir_measures.calc([AP(judged_only=True), ir_measures.INST(max_rel=4), nDCG(gains={1: 7})], qrels, run)
    assert (qrels, run) == ({"q": {"a": 1, "y": -1}}, {"q": {"a": 1.0, "x": 2.0}})


# One spelling of each measure of ir_measures, with the parameters that it needs, and the ones that another tool computes.
TIED = [
    *(f"{name}@10" for name in ("P", "R", "Success", "BPM(max_rel=3)", "SDCG(max_rel=3)", "NERR8(max_rel=3)", "NERR9(max_rel=3)")),
    "AP", "AP@10", "RR", "RR@10", "Rprec", "nDCG", "nDCG@10", "nDCG(dcg='exp-log2')@10", "ERR@10", "Bpref", "infAP", "IPrec@0.1",
    "SetP", "SetR", "SetF", "SetAP", "NumQ", "NumRel", "NumRet", "NumRet(rel=1)", "Judged@10", "Accuracy", "RBP(rel=1)", "RBP(rel=1, p=0.5)",
    "NERR10(max_rel=3)", "NERR11(max_rel=3)", "INST(max_rel=3)", "INSQ(max_rel=3)", "Compat(p=0.95)", "Compat(p=0.8, normalize=False)",
    "alpha_DCG@10", "alpha_nDCG@10", "ERR_IA@10", "nERR_IA@10", "NRBP", "nNRBP", "AP_IA", "P_IA@10", "StRecall@10", "SetP(relative=True)",
]  # fmt: skip
# The same under the policy, where ir_measures has names that other tools do not understand.
OWN_NAMES = {"NumRet(rel=1)": "num_rel_ret", "SetP(relative=True)": "set_relative_p", "RBP(rel=1)": "rbp(p=0.8)"}


def tied_collection(seed):
    """Scores with many ties, ids in no order, scores that only 64 bits tell apart, and judgements of one subtopic."""
    random = Random(seed)
    documents = [f"d{number}" for number in random.sample(range(100), 30)]
    qrels = {f"q{i}": {"never": 1, **{d: random.randint(0, 3) for d in random.sample(documents, 15)}} for i in range(6)}
    scores = [1.0, 2.0, 2.0 + 1e-9, 3.0]
    run = {q: {d: random.choice(scores) for d in random.sample(documents, 25)} for q in qrels}
    return qrels, run


def test_every_measure_of_ir_measures_is_among_those_with_ties():
    assert {ir_measures.parse_measure(name).NAME for name in TIED} == {row.kind.name for row in ROWS.values()}


@for_each("name", TIED)
def test_the_policy_of_ir_measures_orders_ties_as_its_interface_does(name):
    for seed in range(5):
        qrels, run = tied_collection(seed)
        wanted = ir_measures.calc_aggregate([ir_measures.parse_measure(name)], qrels, run)
        own = OWN_NAMES.get(name, name)
        found = rankgold.evaluate(qrels, run, [own], policy="ir_measures")
        assert [found[own]] == pytest.approx(list(wanted.values()), abs=1e-12)


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_measures_that_are_matched_differently_are_evaluated_together(engine):
    qrels, run = tied_collection(7)
    names = ["Judged@10", "AP", "RR@10", "Compat(p=0.95)", "RR", "nDCG@10"]
    together = rankgold.evaluate(qrels, {"a": run, "b": run}, names, policy="ir_measures", engine=engine)
    assert list(together.measures) == names
    assert together.policy == rankgold.Policy.of("ir_measures")
    for name in names:
        alone = rankgold.evaluate(qrels, run, [name], policy="ir_measures")
        assert together["a"][name] == alone[name]
        assert together["b"].per_query[name].to_list() == alone.per_query[name].to_list()
    sliced = rankgold.evaluate(qrels, run, names, policy="ir_measures", by={q: int(q[1]) % 2 for q in qrels}).slices
    odd = rankgold.evaluate(qrels, run, names, policy="ir_measures", topics=["q1", "q3", "q5"])
    rows = {row["measure"]: row["mean"] for row in sliced.frame.to_dicts() if row["slice"] == "1"}
    assert rows == pytest.approx(odd.means)


def test_a_choice_of_ties_beside_the_policy_of_ir_measures_holds_for_all_measures():
    # Two tied documents, of which a is judged. Ascending ids have it first, descending ones last.
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}
    for policy, expected in {
        "ir_measures": [1, 1 / 2],
        "ir_measures, ties=descending": [1, 1 / 2],
        "ir_measures, ties=ascending": [1, 1],
        "ir_measures, ties=average": [1 / 2, 3 / 4],
    }.items():
        assert list(rankgold.evaluate(qrels, run, ["Judged@1", "RR"], policy=policy).means.values()) == expected


def test_explanations_and_differences_order_ties_as_values_do():
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}
    for name, value in {"RR@10": 1.0, "RR": 0.5, "Judged@1": 1.0}.items():
        assert rankgold.explain(qrels, run, name, "q", policy="ir_measures").value == value
        changed = rankgold.diff(qrels, {"q": {"b": 1.0}}, run, name, policy="ir_measures").frame["change"].sum()
        assert changed == value


def test_what_can_be_read_only_once_is_evaluated_in_all_orders_of_ties(tmp_path):
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 a 1 1 tagged\nq Q0 b 2 1 tagged\n")
    command = f"{sys.executable} -m rankgold evaluate qrels <(cat run) -m RR -m RR@10 -p ir_measures -f csv"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("run,RR,RR@10\ntagged,0.5,1.0\n", "")


# What each measure is here, with the defaults of ir_measures 0.4.3: p of RBP is 0.8, of NERR10 0.9, of Compat 0.95; T is 1,
# alpha and beta are 0.5.
MEANINGS = {
    "P@7": "p@7", "P(rel=2)@7": "p(rel=2)@7", "R@7": "r@7", "Success@7": "hit@7", "AP": "ap", "AP(rel=3)@7": "ap(rel=3)@7",
    "RR": "rr", "RR@7": "rr@7", "Rprec": "rprec", "nDCG@7": "ndcg@7", "nDCG(dcg='exp-log2')": "ndcg(gain=exp)",
    "ERR@7": "err(max=4)@7", "Bpref": "bpref", "infAP": "infap", "IPrec@0.256": "iprec(recall=0.26, rounding=up)",
    "SetP": "p", "SetRelP": "set_relative_p", "SetR": "r", "SetF": "f", "SetF(beta=4)": "f(beta=2)", "SetF(beta=0.25)": "f(beta=0.5)",
    "SetAP": "set_map", "NumQ": "num_q", "NumRel": "num_rel", "NumRet": "num_ret", "NumRelRet": "num_rel_ret",
    "NumRet(rel=2)": "num_rel_ret(rel=2)", "Judged@7": "judged@7", "Accuracy@7": "auc@7",
    "RBP": "rbp(p=0.8, worth=graded)", "RBP(p=0.5, rel=2)@7": "rbp(p=0.5, rel=2)@7",
    "BPM(max_rel=4)@7": "bpm(t=1, max=4)@7", "BPM(T=2, min_rel=1, max_rel=4)@7": "bpm(t=2, max=3)@7",
    "SDCG(max_rel=4)@7": "sdcg(max=4)@7", "NERR8(max_rel=4)@7": "nerr8(max=4)@7", "NERR9(max_rel=4)@7": "nerr9(max=4)@7",
    "NERR10(max_rel=4)": "nerr10(p=0.9, max=4)", "NERR11(max_rel=4)": "nerr11(t=1, max=4)", "INST(max_rel=4)": "inst(t=1, max=4)",
    "INSQ(max_rel=4)": "insq(t=1, max=4)", "Compat": "compat(p=0.95, norm=ideal)", "Compat(p=0.8, normalize=False)": "compat(p=0.8, norm=depth)",
    "alpha_DCG": "alpha_dcg(alpha=0.5)", "alpha_nDCG@7": "alpha_ndcg(alpha=0.5)@7", "ERR_IA@7": "err_ia@7", "nERR_IA@7": "nerr_ia@7",
    "NRBP": "nrbp(alpha=0.5, beta=0.5)", "nNRBP(alpha=0.1, beta=0.2)": "nnrbp(alpha=0.1, beta=0.2)", "AP_IA": "ap_ia",
    "P_IA@7": "p_ia@7", "StRecall@7": "strec@7",
}  # fmt: skip
BY_INPUT = {"Accuracy", "RBP", "BPM", "SDCG", "NERR8", "NERR9", "NERR10", "NERR11", "INST", "INSQ"}
BY_ID = {
    "Judged",
    "Compat",
    "alpha_DCG",
    "alpha_nDCG",
    "ERR_IA",
    "nERR_IA",
    "NRBP",
    "nNRBP",
    "AP_IA",
    "P_IA",
    "StRecall",
}


@for_each("text", MEANINGS)
def test_a_measure_has_the_parameters_and_the_conventions_of_its_tool(text):
    found = meaning(ir_measures.parse_measure(text))
    assert found.measure == rankgold.measures.parse_measure(MEANINGS[text])
    name = text.partition("(")[0].partition("@")[0]
    is_by_id = name in BY_ID or text == "RR@7"
    ties = "input" if name in BY_INPUT else "ascending" if is_by_id else "descending"
    assert found.conventions.policy.ties == ties
    of_gdeval = name == "ERR" or "exp-log2" in text
    assert found.conventions.policy.score_bits == (64 if of_gdeval or ties != "descending" else 32)
    assert found.conventions.of_subtopics == (name in BY_ID - {"Judged", "Compat"})
    assert found.conventions.skips_undefined == (name == "Accuracy")


def test_every_measure_of_ir_measures_is_in_the_table():
    assert {ir_measures.parse_measure(text).NAME for text in MEANINGS} == {*ROWS}


@for_each(("given", "used"), [(-1, 0), (0, 0), (1, 0), (2, 1), (3, 2), (5, 2)])
def test_grades_outside_a_scale_count_as_its_ends(given, used):
    # The scale goes from 1 to 3, and its lowest grade counts 0.
    conventions = meaning(ir_measures.INST(min_rel=1, max_rel=3)).conventions
    assert conventions.grade(given) == used


def test_other_grades_and_gains_are_used_as_they_are():
    assert meaning(Judged @ 5).conventions.grade(-1) == 0
    assert meaning(Judged @ 5).conventions.grade(9) == 9
    assert meaning(AP).conventions.grade(-1) == -1
    gains = meaning(nDCG(gains={1: 7, 2: 9})).conventions
    assert [gains.grade(grade) for grade in (0, 1, 2, 3)] == [0, 7, 9, 3]


def test_a_whole_number_is_a_number_and_no_other_type_is():
    for measure in (ir_measures.SetF(beta=2), ir_measures.RBP(p=0), P(rel=2) @ 3):
        measure.validate_params()
    for measure in (P(rel=1.5) @ 3, P @ 2.5, ir_measures.RBP(p="0.5"), nDCG(dcg=2), AP(judged_only=1), nDCG(gains=[1])):
        with pytest.raises(rankgold.MeasureError, match="must be"):
            measure.validate_params()


def test_a_measure_has_the_attributes_of_ir_measures():
    assert (P.NAME, P.AT_PARAM, P.__name__) == ("P", "cutoff", "P")
    assert ir_measures.IPrec.AT_PARAM == "recall"
    assert list(P.SUPPORTED_PARAMS) == ["cutoff", "rel", "judged_only"]
    assert [(name, info.required, info.default is not None) for name, info in P.SUPPORTED_PARAMS.items()] == [
        ("cutoff", True, True),
        ("rel", False, True),
        ("judged_only", False, True),
    ]
    assert ir_measures.parse_trec_qrels is ir_measures.read_trec_qrels
    assert ir_measures.parse_trec_run is ir_measures.read_trec_run
    assert ir_measures.convert_trec_name is ir_measures.parse_trec_measure
    assert (ir_measures.BaseMeasure, ir_measures.GenericQrel) == (ir_measures.Measure, Qrel)
    assert ir_measures.GenericScoredDoc is ScoredDoc
    for provider in (
        "pytrec_eval",
        "cwl_eval",
        "gdeval",
        "msmarco",
        "ranx",
        "judged",
        "compat",
        "accuracy",
        "pyndeval",
    ):
        tool = getattr(ir_measures, provider)
        assert tool.is_available()
        assert tool.supports(P @ 5)
        assert tool.run_inputs([AP]) == ["query_id", "doc_id", "score"]
        assert tool.qrel_inputs([AP]) == ["query_id", "doc_id", "relevance"]
    assert ir_measures.evaluator([AP, "P@2", AP], QRELS).measures == [AP, P @ 2]
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ir_measures.nothing


def test_aggregators_add_up_or_average():
    for aggregator, result in ((ir_measures.SumAgg(), 3.0), (ir_measures.MeanAgg(), 1.5)):
        for value in (1.0, 2.0):
            aggregator.add(value)
        assert aggregator.result() == result
    assert ir_measures.SumAgg().result() == 0
    assert math.isnan(ir_measures.MeanAgg().result())
    assert ir_measures.MeanAgg(default=0.5).result() == 0.5


def test_rows_of_any_mapping_are_read():
    qrels = MappingProxyType({query: MappingProxyType(row) for query, row in QRELS.items()})
    run = MappingProxyType({query: MappingProxyType(row) for query, row in RUN.items()})
    assert ir_measures.calc_aggregate([AP], qrels, run) == ir_measures.calc_aggregate([AP], QRELS, RUN)


def test_subtopics_are_those_of_the_judgements_or_one():
    judged = [Qrel("q", "a", 1, "s"), Qrel("q", "a", 1, "t"), Qrel("q", "b", 1, "u")]
    measure = ir_measures.StRecall @ 1
    # a has two of three subtopics; without subtopics in the data there is one.
    assert measure.calc_aggregate(judged, {"q": {"a": 2.0, "b": 1.0}}) == pytest.approx(2 / 3)
    assert measure.calc_aggregate({"q": {"a": 1, "b": 1}, "r": {}}, {"q": {"a": 2.0, "b": 1.0}}) == pytest.approx(0.5)


def test_a_measure_is_written_in_at_most_four_thousand_characters():
    assert ir_measures.parse_measure("AP" + " " * 3998) == AP
    for wrong in ("AP" + " " * 3999, 7, None):
        with pytest.raises(rankgold.MeasureError, match="A measure must be written as Name"):
            ir_measures.parse_measure(wrong)


def test_numbers_after_names_of_trec_eval():
    def trec(name):
        return list(map(str, ir_measures.parse_trec_measure(name)))

    assert trec("iprec_at_recall") == [f"IPrec@{n / 10}" for n in range(11)]
    assert trec("P") == [f"P@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]
    assert trec("set_F") == ["SetF"]
    assert trec("set_F.2") == ["SetF(beta=2.0)"]
    assert trec("iprec_at_recall.0.1,0.25") == ["IPrec@0.1", "IPrec@0.25"]
    with pytest.raises(rankgold.MeasureError, match="'gm_map' of trec_eval yet"):
        ir_measures.parse_trec_measure("gm_map")
