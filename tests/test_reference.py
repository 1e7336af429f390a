"""The plain reference: one value of each measure worked by hand; and the fuzzer finds a fault that was put in."""

from dataclasses import replace
from math import log, log2, sqrt

import pytest

import rankgold
from tests import reference
from tests.cases import for_each
from tests.fuzz import batch, values
from tests.fuzz.forms import FORMS, Form, evaluated, tables, whole

# Measure -> grades in ranked order, all of which are retrieved, and the value.
BY_HAND = {
    "ap": ([1, 0, 1, 0, 1], (1 / 1 + 2 / 3 + 3 / 5) / 3),
    "alpha_dcg": ([1, 1], 1),
    "alpha_ndcg@2": ([0, 1, 1], (0.5**0 / log2(3)) / (1 + 0.5 / log2(3))),
    "ap_ia": ([1, 0, 1], (1 / 1 + 2 / 3) / 2),
    "ar": ([1, 0, 1, 0, 1], (1 / 3 + 2 / 3 + 3 / 3) / 3),
    "auc": ([1, 0, 1, 0], (2 + 1) / (2 * 2)),
    "cg@2": ([3, 2, 3, 0, 1], 3 + 2),
    "dcg(discount=linear)": ([3, 2, 0, 1], 3 / 1 + 2 / 2 + 1 / 4),
    "err(max=3)": ([3, 2, 3, 1, 0], 45295 / 49152),
    "err_ia@2": ([0, 1], (1 / 2) / (1 + 0.5 / 2)),
    "f@5": ([1, 0, 1, 0, 1], 2 * 3 / (3 + 5)),
    "frp": ([0, 0, 1], 3),
    "gap": ([2, 0, 1], (1 + 2 / 3 * 0.5) / (0.5 * 2 + 0.5 * 1)),
    "hit@2": ([0, 1], 1),
    "idcg(discount=linear)": ([1, 2, 3], 3 / 1 + 2 / 2 + 1 / 3),
    "kendall": ([3, 1, 2], (2 - 1) / 3),
    "mr": ([1, 0, 1, 0, 1], (1 + 3 + 5) / 3),
    "ndcg(gain=exp, discount=linear)": ([0, 2, 1], (3 / 2 + 1 / 3) / (3 / 1 + 1 / 2)),
    "p@2": ([1, 0, 1, 0, 1], 1 / 2),
    "r@1": ([1, 0, 1, 0, 1], 1 / 3),
    "rprec": ([1, 0, 1, 0, 1], 2 / 3),
    "rr": ([0, 0, 1], 1 / 3),
    "spearman": ([3, 1, 2], 1 - 6 * 2 / (3 * 8)),
    "arp": ([2, 0, 1], (2 * 1 + 1 * 3) / (2 + 1)),
    # The document of grade 2 counts from its rank 3 on, the one of grade 1 from its place 2 in the ideal ranking.
    "compat(p=0.5)": (
        [1, 0, 2],
        ((0.25 / 3) + (0.5 / 2 + 0.25 / 3)) / ((1 + 0.5 / 2 + 0.25 / 3) + (0.5 / 2 + 0.25 / 3)),
    ),
    "coverage_error": ([1, 0, 1, 0], 3),
    "lrap": ([1, 0, 1], (1 / 1 + 2 / 3) / 2),
    "nerr": ([0, 1], (1 / 2 / 2) / (1 / 2)),
    "nerr_ia": ([0, 1], (1 / 2) / 1),
    "nnrbp": ([0, 1, 1], (0.5 + 0.5 * 0.25) / (1 + 0.5 * 0.5)),
    "nrbp": ([1, 0, 1], (1 + 0.5 * 0.25) * (1 - 0.25)),
    "opa": ([3, 1, 2], 2 / 3),
    "q": ([1, 0, 2], ((1 + 1) / (1 + 2) + (2 + 3) / (3 + 3)) / 2),
    "p_ia@4": ([1, 0, 1, 0], 2 / 4),
    "pap(others=1)": ([1, 0, 1, 0], 1 / (1 * 1)),
    "pauc(others=2)": ([1, 0, 1, 0], (2 + 1) / (2 * 2)),
    "ranking_loss": ([1, 0, 1, 0], 1 / 4),
    "bpm": ([1, 2], (1 / 2 + 1) / 2),
    "bpm_dynamic": ([0, 0, 1, 1], 1 / 3),
    "insq": ([1, 0, 1], (1 + 1 / 4) / sum((2 / (rank + 1)) ** 2 for rank in range(1, 1001))),
    # Below rank 3 the reader goes on with the chances (2/3)^2, (3/4)^2, and so on.
    "inst": ([1, 0, 1], (1 + 1 / 9) / (1 + 1 / 4 + sum(1 / 9 * (2 / n) ** 2 for n in range(2, 1000)))),
    "nerr8": ([1, 2], (1 / 2 + 1 / 2) / (1 + 1 / 2)),
    "nerr9": ([1, 2], (1 / 2 + 1 / 4) / (1 + 1 / 4)),
    "nerr10": ([1, 2], (1 / 2 + 0.9 / 2) / (1 + 0.9 / 2)),
    "nerr11": ([1, 2], (1 / 2 + 2 / 9) / (1 + 2 / 9)),
    "sdcg@3": ([1, 0, 1], (1 + 1 / 2) / (1 + 1 / log2(3) + 1 / 2)),
    "accuracy@2": ([1, 0, 1, 0], (1 + 1) / 4),
    "bing": ([1, 0, 1], (1 / 1 + 1 / log2(3)) / 2),
    "bpref": ([1, 0, 1, 0], (1 + 1 - 1 / 2) / 2),
    "fallout@3": ([1, 0, 1, 0], 1 / 2),
    "g": ([1, 2], (1 / log2(3) + 2 / 1) / 3),
    "gm_bpref": ([1, 0, 1, 0], 3 / 4),
    "gmap": ([1, 0, 1], (1 + 2 / 3) / 2),
    "hits@2": ([1, 0, 2], 1),
    "infap": ([1, -1, 0, 1], (1 + (1 + 3 * (1 + 1e-5) / (2 + 2e-5)) / 4) / 2),
    "iprec(recall=0.5)": ([1, 0, 1, 0, 1], 2 / 3),
    "iprec_mean": ([1, 0, 0, 1], (8 * 1 + 3 * 2 / 4) / 11),
    "judged": ([1, -1, 1, 0], 3 / 4),
    "mcc@1": ([1, 0, 1, 0], (1 * 2 - 0 * 1) / sqrt(1 * 2 * 2 * 3)),
    "ndcg_rel": ([1, 0, 1], (1 + (1 + 1 / 2) / (1 + 1 / log2(3))) / 2),
    "num_nonrel_judged_ret": ([1, 0, -1], 1),
    "num_q": ([1, 0], 1),
    "num_rel": ([1, 0, 2], 2),
    "num_rel_ret@1": ([1, 0, 2], 1),
    "num_ret": ([1, 0, 2], 3),
    "r_at_p(precision=0.6)": ([1, 0, 1, 0, 0, 1], 2 / 3),
    "rbp": ([1, 0, 1], 0.2 * (1 + 0.64)),
    "rbp_resid(p=0.5)": ([1, -1, 0], 1 - 0.5 * (1 + 0.25)),
    "rndcg": ([0, 2, 1], (0 / 2 + (2 / log2(3)) / (2 + 1 / log2(3))) / 2),
    "rprec_mult(multiple=1.5)": ([1, 0, 1, 0], 2 / 3),
    "set_map": ([1, 0, 1], 2 / 3 * 2 / 2),
    "set_relative_p": ([1, 0, 1], 2 / 2),
    "strec@1": ([0, 1], 0),
    "trec_rbp_resid(p=0.5)": ([1, -1, 0], 1 - 0.5 * (1 + 0.25)),
    "unjudged@4": ([1, -1, 1, 0], 1 / 4),
    "utility(worth=(2, -1, 0, 0))": ([1, 0, 1], 2 * 2 - 1),
    "yaap": ([1, 0, 1], log((1 + 5 / 3) / (1 + 2 - 5 / 3))),
}


def values_of(qrels, run, measure, policy=""):
    wanted = reference.Measure.of(rankgold.parse_measure(measure))
    found = reference.evaluate(qrels, run, [wanted], rankgold.Policy.of(policy))
    return {query: row[wanted] for query, row in found.items()}


def test_every_measure_has_a_reference_and_a_value_by_hand():
    names = {metric.name for metric in rankgold.measures.all()}
    assert set(reference.MEASURES) == names
    assert {rankgold.parse_measure(text).metric.name for text in BY_HAND} == names


@for_each("measure", BY_HAND)
def test_the_reference_gives_values_that_were_worked_by_hand(measure):
    grades, expected = BY_HAND[measure]
    rows = list(enumerate(grades))
    ranked = [(document, -document) for document, _ in rows]
    assert values_of({"q": rows}, {"q": ranked}, measure) == {"q": pytest.approx(expected, rel=1e-12)}


@for_each(
    ("policy", "expected"),
    [
        ("ties=descending", {"q": 1 / 3, "poor": 0, "missed": 0}),
        ("ties=ascending", {"q": 1, "poor": 0, "missed": 0}),
        ("ties=input", {"q": 1 / 2, "poor": 0, "missed": 0}),
        ("ties=average", {"q": (1 + 1 / 2 + 1 / 3) / 3, "poor": 0, "missed": 0}),
        ("ties=ascending, missing=skip", {"q": 1, "poor": 0}),
        ("ties=ascending, no_relevant=one", {"q": 1, "poor": 1, "missed": 0}),
        ("ties=ascending, no_relevant=skip", {"q": 1, "missed": 0}),
        ("unjudged=condensed", {"q": 1, "poor": 0, "missed": 0}),
    ],
)
def test_the_reference_decides_open_cases_as_the_policy_says(policy, expected):
    qrels = {"q": [("a", 1)], "poor": [("a", 0)], "missed": [("a", 1)]}
    run = {"q": [("b", 1.0), ("a", 1.0), ("c", 1.0)], "poor": [("a", 1.0)], "unjudged": [("a", 1.0)]}
    assert values_of(qrels, run, "rr", policy) == pytest.approx(expected)


def test_a_form_with_a_fault_is_found_and_its_case_is_small(monkeypatch):
    def blind_to_the_policy(case, folder, random):
        other = replace(case, policy="ties=ascending")
        return evaluated(other, tables(case.qrels), tables(case.run))

    broken = Form("broken", blind_to_the_policy, whole, FORMS["dict of dicts"].can_hold, "local")
    monkeypatch.setitem(FORMS, "broken", broken)
    monkeypatch.setattr(values, "LOCAL", ["broken"])
    monkeypatch.setattr(batch, "SECONDS_TO_SHRINK", 2)
    found = batch.run_batch("values", "a seed", cases=100)
    (kind,) = found.new
    assert kind.startswith("broken: ")
    again = batch.run_batch("values", "a seed", known=(kind,), cases=100)
    assert again.known[kind] > 0
    assert kind not in again.new
