"""`rankgold.compat.ir_measures` gives what ir_measures gives, under the same names, to 1e-9."""

import logging
import math
import random

import ir_measures as original
import pandas as pd
import pytest

from rankgold.compat import ir_measures as ours

DOCUMENTS = [f"d{i}" for i in range(40)]
MEASURES = [
    "P@5", "P(rel=2)@10", "P(judged_only=True)@3", "Precision@1", "R@5", "R(rel=2)@10", "R(judged_only=True)@4",
    "Success@1", "Success(rel=2,judged_only=True)@5", "AP", "AP@5", "AP(rel=2)", "AP(judged_only=True)",
    "AP(rel=2,judged_only=True)@7", "RR", "RR@3", "RR@10", "RR(rel=2)@5", "RR(judged_only=True)", "Rprec",
    "Rprec(rel=2)", "Rprec(judged_only=True)", "nDCG", "nDCG@5", "nDCG(judged_only=True)@5",
    "nDCG(gains={0:0,1:3,2:7})@5", "Bpref", "Bpref(rel=2)", "infAP", "infAP(rel=2)", "IPrec@0.0", "IPrec@0.1",
    "IPrec@0.33", "IPrec(rel=2)@0.5", "SetP", "SetP(rel=2)", "SetP(relative=True)", "SetRelP", "SetR", "SetR(rel=2)",
    "SetF", "SetF(beta=2.0)", "SetF(beta=0.5,rel=2)", "SetAP", "SetAP(rel=2)", "SetAP(judged_only=True)", "NumQ",
    "NumRel", "NumRet", "NumRet(rel=1)", "NumRelRet", "NumRet(rel=2)", "Judged", "Judged@5", "Judged@10", "RBP(rel=1)",
    "RBP(rel=2,p=0.95)", "BPM(max_rel=3)@10", "BPM(T=2.0,max_rel=3,min_rel=1)@5", "SDCG(max_rel=3)@10",
    "SDCG(max_rel=2,min_rel=1)@5", "NERR8(max_rel=3)@10", "NERR9(max_rel=3)@10", "NERR10(max_rel=3)",
    "NERR10(p=0.5,max_rel=2)", "NERR11(max_rel=3)", "INST(max_rel=3)", "INST(T=3.0,max_rel=3,min_rel=1)",
    "INSQ(max_rel=3)", "INSQ(T=2.0,max_rel=2)",
]  # fmt: skip
# gdeval prints five decimals, and reads queries that are numbers.
ROUNDED = ["ERR@5", "ERR@20", "nDCG(dcg='exp-log2')@5", "nDCG(dcg='exp-log2')@10"]


def collections():
    """200 collections with ties, negative grades, unjudged documents, and queries on one side only: as one of all."""
    qrels, run = {}, {}
    for seed in range(200):
        chosen = random.Random(seed)
        for number in range(6):
            query = str(10 * seed + number)
            if number != 5:
                judged = chosen.sample(DOCUMENTS, chosen.randint(1, 15))
                qrels[query] = {document: chosen.choice([-1, 0, 0, 1, 1, 2, 3]) for document in judged}
            if number != 0:
                ranked = chosen.sample(DOCUMENTS, chosen.randint(1, 30))
                run[query] = {document: chosen.choice([1.0, 2.0, 3.5, 0.83 + 1e-9, 0.83]) for document in ranked}
    return qrels, run


@pytest.fixture(scope="module", autouse=True)
def quiet():
    """cwl_eval warns of grades outside the scale, which is what the tests are about."""
    logging.getLogger("ir_measures.cwl_eval").setLevel("ERROR")


def values(library, measures, qrels, run):
    """(query, measure) -> value."""
    wanted = [library.parse_measure(measure) for measure in measures]
    return {(metric.query_id, str(metric.measure)): metric.value for metric in library.iter_calc(wanted, qrels, run)}


def test_every_measure_of_every_query_is_the_same():
    # One measure at a time: of many at once, ir_measures gives other values under some hash seeds.
    qrels, run = collections()
    expected = {key: value for measure in MEASURES for key, value in values(original, [measure], qrels, run).items()}
    found = values(ours, MEASURES, qrels, run)
    assert len(expected) == 1000 * len({str(original.parse_measure(measure)) for measure in MEASURES})
    assert found == pytest.approx(expected, abs=1e-9)


def test_interpolated_precision_of_judged_documents_is_the_same_where_it_is_a_number():
    measures = ["IPrec(judged_only=True)@0.5", "IPrec(rel=2,judged_only=True)@0.1"]
    expected = {
        key: 0.0 if math.isnan(value) else value for key, value in values(original, measures, *collections()).items()
    }
    assert values(ours, measures, *collections()) == pytest.approx(expected, abs=1e-9)


def test_the_measures_of_gdeval_are_the_same_in_the_digits_that_it_prints():
    expected = values(original, ROUNDED, *collections())
    assert values(ours, ROUNDED, *collections()) == pytest.approx(expected, abs=5.1e-6)


@pytest.mark.parametrize("measure", ["Accuracy", "Accuracy@5", "Accuracy(rel=2)"])
def test_accuracy_is_the_same_where_ir_measures_does_not_divide_by_zero(measure):
    qrels, run = collections()
    found = values(ours, [measure], qrels, run)
    expected = {}
    for query in qrels.keys() & run.keys():
        try:
            expected |= values(original, [measure], {query: qrels[query]}, {query: run[query]})
        except ZeroDivisionError:
            assert (query, measure) not in found
    assert len(expected) > 300
    assert found == pytest.approx(expected, abs=1e-9)


def test_numbers_of_all_queries_are_the_same():
    qrels, run = collections()
    asked = map(original.parse_measure, MEASURES)
    expected = {measure: original.calc_aggregate([measure], qrels, run)[measure] for measure in asked}
    found = ours.calc_aggregate(map(ours.parse_measure, MEASURES), qrels, run)
    assert {str(measure): value for measure, value in found.items()} == pytest.approx(
        {str(measure): value for measure, value in expected.items()}, abs=1e-9
    )


@pytest.mark.parametrize("text", [*MEASURES, *ROUNDED, "MAP@3", "MRR", "NDCG@7", "RPrec", "BPref", "Recall@2"])
def test_measures_are_written_the_same(text):
    assert str(ours.parse_measure(text)) == str(original.parse_measure(text))
    assert ours.parse_measure(str(ours.parse_measure("P(rel=2)@5"))) == ours.P(rel=2) @ 5


@pytest.mark.parametrize(
    "name",
    ["map", "P", "P_5", "P.5,10", "ndcg_cut", "ndcg_cut_10", "recall_100", "iprec_at_recall", "set_F", "success"],
)
def test_names_of_trec_eval_stand_for_the_same(name):
    expected = list(map(str, original.parse_trec_measure(name)))
    assert list(map(str, ours.parse_trec_measure(name))) == expected


def test_nicknames_of_trec_eval_stand_for_the_same():
    for name in ("official", "set", "all_trec"):
        expected = set(map(str, original.parse_trec_measure(name)))
        assert set(map(str, ours.parse_trec_measure(name))) == expected


def test_its_own_records_and_frames_are_read():
    qrels, run = collections()
    judged = [original.Qrel(query, document, grade) for query, row in qrels.items() for document, grade in row.items()]
    ranked = [
        original.ScoredDoc(query, document, score) for query, row in run.items() for document, score in row.items()
    ]
    expected = values(ours, ["AP", "nDCG@5"], qrels, run)
    assert values(ours, ["AP", "nDCG@5"], judged, ranked) == expected
    assert values(ours, ["AP", "nDCG@5"], pd.DataFrame(judged), pd.DataFrame(ranked)) == expected


# What ir_measures does and we do not; docs/coming-from/ir_measures.md lists it.


def test_interpolated_precision_without_judged_and_relevant_documents_is_not_a_number_there_and_0_here():
    qrels, run, measure = {"1": {"a": 0}}, {"1": {"x": 1.0}}, "IPrec(judged_only=True)@0.5"
    assert math.isnan(values(original, [measure], qrels, run)["1", measure])
    assert values(ours, [measure], qrels, run) == {("1", measure): 0}


def test_accuracy_depends_on_other_measures_there_and_divides_by_zero():
    qrels, run = {"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 2.0, "x": 1.0}, "2": {"x": 1.0}}
    alone = original.calc_aggregate([original.Accuracy], qrels, run)[original.Accuracy]
    beside = original.calc_aggregate([original.Accuracy, original.AP], qrels, run)[original.Accuracy]
    assert (alone, beside) == (1, 0.5)
    assert ours.calc_aggregate([ours.Accuracy, ours.AP], qrels, run)[ours.Accuracy] == 1
    with pytest.raises(ZeroDivisionError):
        original.calc_aggregate([original.Accuracy], {"1": {"a": 1}}, {"1": {"a": 2.0}})
    assert list(ours.iter_calc([ours.Accuracy], {"1": {"a": 1}}, {"1": {"a": 2.0}})) == []


def test_rows_of_a_query_that_do_not_stand_together_are_several_rankings_in_cwl_eval():
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    rows = [("1", "x", 3.0), ("2", "x", 1.0), ("1", "a", 1.0)]
    there = original.iter_calc([original.RBP(rel=1)], qrels, [original.ScoredDoc(*row) for row in rows])
    assert [(metric.query_id, pytest.approx(metric.value)) for metric in there] == [("1", 0), ("2", 0), ("1", 0.2)]
    here = ours.iter_calc([ours.RBP(rel=1)], qrels, [ours.ScoredDoc(*row) for row in rows])
    assert [(metric.query_id, metric.value) for metric in here] == [("1", pytest.approx(0.16)), ("2", 0)]


def test_rbp_of_a_patient_reader_ends_at_1000_documents_in_cwl_eval():
    # Every document is relevant. A reader with p = 0.999 goes past the end of the list of 1,000 documents.
    qrels = {"1": {f"d{i}": 1 for i in range(1000)}}
    run = {"1": {f"d{i}": 1000.0 - i for i in range(1000)}}
    measure = "RBP(rel=1,p=0.999)"
    assert values(original, [measure], qrels, run)["1", measure] == pytest.approx(1)
    assert values(ours, [measure], qrels, run)["1", measure] == pytest.approx(1 - 0.999**1000)


@pytest.mark.parametrize("measure", ["RBP", "RBP(rel=1)@10", "NumRel(rel=2)", "ERR", "RR(judged_only=True)@5"])
def test_measures_without_a_provider_there_have_values_here(measure):
    qrels, run = {"1": {"a": 1, "b": 2}}, {"1": {"x": 3.0, "b": 2.0, "a": 1.0}}
    with pytest.raises(ValueError, match="Unsupported measures"):
        values(original, [measure], qrels, run)
    assert values(ours, [measure], qrels, run)["1", measure] > 0
