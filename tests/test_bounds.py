"""Bounds of measures over what unjudged documents could be: sound for every measure, and tight where that is claimed."""

import itertools
import json
import math
import random

import numpy as np
import pytest

import rankgold
from rankgold.core.errors import DataError, PolicyError
from rankgold.engines.request import Request
from rankgold.judging import extremes, grade_assignments
from rankgold.judging.difference_bounds import difference_bounds
from rankgold.judging.extremes import Extremes, Scale
from rankgold.judging.open_documents import open_runs as runs_of_request
from rankgold.judging.score_bounds import bounds_of, mean_bound
from rankgold.measures.metric import GEOMETRIC_MEAN, MEAN, SUM
from rankgold.scoring.scorer import values_of_queries
from tests.all_measures import METRICS, measures
from tests.cases import for_each
from tests.shell import printed, refused

NEAR = 1e-12
DEFAULTS = [metric() for metric in METRICS if not metric.over_subtopics]
WITH_CUTOFF = [measure @ 3 for measure in DEFAULTS if measure.metric.takes_cutoff]
ALL = [measure for measure in measures(cutoffs=(1, 3)) if not measure.metric.over_subtopics]


def open_runs(qrels, runs, policy=None, **choices):
    return runs_of_request(Request.of({"qrels": qrels, "run": runs}, policy=policy), **choices)


def small_case(rng, tied=False):
    """Judgements, two runs and the highest grade; one query has a few unjudged documents, some of one run only."""
    highest = rng.choice([1, 2, 3])
    documents = [f"d{i}" for i in range(rng.randint(3, 6))]
    opened = set(rng.sample(documents, rng.randint(1, 3)))
    judged = {d: rng.choice([-1, 0, 0, 1, highest]) for d in documents if d not in opened}
    missed = {f"m{i}": rng.choice([1, highest]) for i in range(rng.randint(0, 1))}
    qrels = {"q": {**judged, **missed}, "z": {"a": highest}}
    ranked = rng.sample(documents, rng.randint(1, len(documents)))
    scores = {d: float(rng.choice([1, 2, 3]) if tied else -i) for i, d in enumerate(ranked)}
    return qrels, {"a": {"q": scores, "z": {"a": 1.0}}, "b": {"q": dict.fromkeys(documents, 1.0)}}, highest


def all_values(qrels, runs, name, wanted, options, policy=None):
    """Measure -> the values of a run for the query q, with each of these grades of each of its unjudged documents.

    All grades are tried at once: each choice of them makes a query of its own.
    """
    unjudged = sorted({document for run in runs.values() for document in run["q"]} - {*qrels["q"]})
    judged = dict(qrels)
    for number, grades in enumerate(itertools.product(options, repeat=len(unjudged))):
        given = {d: grade for d, grade in zip(unjudged, grades, strict=True) if not math.isnan(grade)}
        judged[f"q{number}"] = qrels["q"] | given
    run = runs[name]
    hits = rankgold.match(judged, {query: run.get(query, run["q"]) for query in judged}, policy=policy)
    tried = [place for place, query in enumerate(hits.queries) if query not in qrels]
    return {measure: values[tried] for measure, values in values_of_queries(hits, wanted).items()}


def up_to(highest):
    """No grade, and all whole grades up to the highest."""
    return [math.nan, *map(float, range(highest + 1))]


def compare_with_all_grades(wanted, cases, seed, policy=None, tight=True):
    rng = random.Random(seed)
    for _ in range(cases):
        qrels, runs, highest = small_case(rng, tied=policy == "ties=average")
        run = open_runs(qrels, runs, policy=policy)[0]
        query = list(run.hits.queries).index("q")
        found = extremes.extremes(run, wanted, Scale.of(run))
        for measure, values in all_values(qrels, runs, "a", wanted, up_to(highest), policy).items():
            known = values[~np.isnan(values)]
            low, high = found[measure].low[query], found[measure].high[query]
            if not len(known):
                assert not tight or math.isnan(low), measure
                continue
            assert low <= known.min() + NEAR, (measure, qrels, runs)
            assert high >= known.max() - NEAR, (measure, qrels, runs)
            assert len(known) == len(values) or found[measure].is_optional[query], measure
            if tight:
                assert low == pytest.approx(known.min(), abs=1e-9), (measure, qrels, runs)
                assert high == pytest.approx(known.max(), abs=1e-9), (measure, qrels, runs)


def test_bounds_of_every_measure_are_the_extremes_over_all_grades():
    compare_with_all_grades(DEFAULTS + WITH_CUTOFF, 3, seed=1)
    compare_with_all_grades([rankgold.parse_measure("nerr(stop=sigmoid)")], 2, seed=3)


@pytest.mark.slow
def test_bounds_are_the_extremes_over_all_grades_under_other_policies():
    compare_with_all_grades(DEFAULTS, 1, seed=2, policy="ties=average")
    compare_with_all_grades(
        [*DEFAULTS, rankgold.parse_measure("ndcg(ideal=ones)")], 2, seed=3, policy="no_relevant=undefined"
    )
    compare_with_all_grades(DEFAULTS, 1, seed=4, policy="no_relevant=one")
    compare_with_all_grades(DEFAULTS, 1, seed=12, policy="unretrieved=dropped")


@pytest.mark.slow
@pytest.mark.parametrize("policy", [None, "ties=average"])
def test_bounds_of_every_measure_with_every_parameter_are_the_extremes_over_all_grades(policy):
    compare_with_all_grades(ALL, 1, seed=5, policy=policy)


@pytest.mark.parametrize(
    ("name", "policy", "judged", "lists"),
    [
        ("q", None, {"d0": 0, "d2": 3}, ["d0 d1 d2 d3 d4"]),
        ("q(gain=exp)", None, {"d2": 1, "d4": 3}, ["d0 d3 d4 d1"]),
        # A relevant document that only the other run ranks gives the query a value, and a second one lowers it.
        ("yaap", "no_relevant=undefined", {"d1": -1, "d2": 0}, ["d1", "d0 d1 d2 d3"]),
    ],
)
def test_bounds_are_the_extremes_where_a_better_document_in_a_higher_place_can_be_worse(name, policy, judged, lists):
    qrels, wanted = {"q": judged, "z": {"a": 3}}, [rankgold.parse_measure(name)]
    runs = {str(i): {"q": dict.fromkeys(text.split(), 0.0), "z": {"a": 1.0}} for i, text in enumerate(lists)}
    for run in runs.values():
        run["q"] = {document: -float(rank) for rank, document in enumerate(run["q"])}
    run = open_runs(qrels, runs, policy=policy)[0]
    found = extremes.extremes(run, wanted, Scale.of(run))[wanted[0]]
    values = all_values(qrels, runs, "0", wanted, up_to(3), policy)[wanted[0]]
    query = list(run.hits.queries).index("q")
    assert (found.low[query], found.high[query]) == pytest.approx((np.nanmin(values), np.nanmax(values)), abs=1e-9)


def test_bounds_of_a_difference_hold_where_one_grade_changes_the_worth_of_another_document():
    # d has grade 1 and is on top of b, x is below it. Not judged: 0.2 * 1. Of grade 1: 0.2 * (1 + 0.8) = 0.36. Of grade
    # 3, d is worth a third: 0.2 * (1/3 + 0.8) = 0.2267. The runs are the same for w, so the mean is half of it.
    qrels = {"q": {"d": 1, "z": 0}, "w": {"y": 3}}
    runs = {"a": {"q": ["z"], "w": ["y"]}, "b": {"q": ["d", "x"], "w": ["y"]}}
    [bound] = rankgold.compare(qrels, runs, ["rbp(worth=relative)"], bounds=True).bounds
    assert (bound.low, bound.high) == pytest.approx((0.1, 0.18))


@pytest.fixture
def hardly_any_tried(monkeypatch):
    """Of all numbers of relevant documents, only 0, 1, 3 and 7 are tried."""
    for name, value in (("FEW", 2), ("MOST", 2), ("SMALL_COUNTS", 1)):
        monkeypatch.setattr(grade_assignments, name, value)
        monkeypatch.setattr(extremes, name, value)
    monkeypatch.setattr(grade_assignments, "STEP", 2)
    grade_assignments._some_counts.cache_clear()
    yield
    grade_assignments._some_counts.cache_clear()


def test_bounds_contain_all_values_where_grades_are_too_many_to_be_tried(hardly_any_tried):
    compare_with_all_grades(DEFAULTS + WITH_CUTOFF, 2, seed=6, tight=False)
    # The sum and norm of yaap do not both grow; auc and mcc are undefined with some grades between the ends.
    for name, seed in (("yaap", 24), ("auc", 9), ("auc@3", 8), ("mcc", 9)):
        compare_with_all_grades([rankgold.parse_measure(name)], 2, seed=seed, tight=False)


def test_bounds_contain_the_values_between_the_numbers_of_relevant_documents_that_are_tried(hardly_any_tried):
    rng = random.Random(14)
    wanted = [
        rankgold.parse_measure(name) for name in ("ap", "r", "f", "bing", "mr", "p(norm=min)@9", "ndcg", "ap@5", "gmap")
    ]
    between = 0
    for _ in range(8):
        ids = [f"d{i}" for i in range(9)]
        judged = {d: rng.choice([0, 1]) for d in rng.sample(ids, 3)}
        qrels, runs = {"q": {**judged, "missed": 1}}, {"a": {"q": {d: float(-i) for i, d in enumerate(ids)}}}
        run = open_runs(qrels, runs)[0]
        found = extremes.extremes(run, wanted, Scale.of(run))
        for measure, values in all_values(qrels, runs, "a", wanted, [math.nan, 1.0]).items():
            assert found[measure].low[0] - NEAR <= values.min(), measure
            assert values.max() <= found[measure].high[0] + NEAR, measure
            between += found[measure].low[0] > 0 or found[measure].high[0] < 1
    assert between > 30


def collection(rng, queries=4, documents=9):
    """Complete judgements of all documents that two runs rank, and the runs."""
    qrels, runs = {}, {"a": {}, "b": {}}
    for i in range(queries):
        ids = [f"d{j}" for j in range(documents)]
        for run in runs.values():
            run[f"q{i}"] = {d: rng.random() for d in rng.sample(ids, 6)}
        ranked = {d for run in runs.values() for d in run[f"q{i}"]}
        qrels[f"q{i}"] = {d: rng.choice([0, 0, 1, 2]) for d in ids if d in ranked}
    qrels["q0"]["d0"] = 2
    return qrels, runs


def check_hidden(truth, hidden, runs, wanted, **options):
    """The true values, of queries and of their mean, are within the bounds of what is left of the judgements."""
    found = rankgold.bounds(hidden, runs, wanted, max_grade=2, **options)
    policy = options.get("policy")
    scores = rankgold.evaluate(truth, runs, wanted, policy=policy)
    for run in found.runs:
        true = scores.run_scores(run.name)
        place = {query: i for i, query in enumerate(run.queries)}
        for label in found.measures:
            for query, value in zip(true.queries, true.values[label].tolist(), strict=True):
                low, high = run.low[label][place[query]], run.high[label][place[query]]
                assert math.isnan(value) or low - NEAR <= value <= high + NEAR, (label, query)
            mean = true.means[label]
            assert math.isnan(mean) or run.mean_low[label] - NEAR <= mean <= run.mean_high[label] + NEAR, label


@pytest.mark.parametrize("policy", [None, "no_relevant=skip"])
def test_true_values_are_within_the_bounds_after_judgements_are_hidden(policy):
    rng = random.Random(7)
    truth, runs = collection(rng)
    hidden = {q: {d: g for d, g in row.items() if rng.random() < 0.8} for q, row in truth.items()}
    hidden["q0"]["d0"] = 2
    wanted = [*map(str, DEFAULTS + WITH_CUTOFF), "alpha_ndcg", "strec@3"]
    check_hidden(truth, hidden, runs, wanted, policy=policy)


def test_relevant_documents_that_no_run_ranks_are_within_the_bounds_if_they_are_allowed_for():
    rng = random.Random(8)
    truth, runs = collection(rng, queries=3)
    hidden = {q: dict(row) for q, row in truth.items()}
    for row in truth.values():
        row["nowhere"] = 2
    value = rankgold.evaluate(truth, runs["a"], ["r"])["r"]
    assert rankgold.bounds(hidden, runs["a"], ["r"]).means["r"][0] > value
    check_hidden(truth, hidden, runs, ["r", "ndcg@3", "ap", "num_rel", "rr", "rprec"], unseen=1)


def test_bounds_worked_by_hand():
    # x, d1 (grade 2), y; d1 is judged, x and y are not.
    found = rankgold.bounds({"q": {"d1": 2}}, {"q": {"x": 3, "d1": 2, "y": 1}}, ["rr", "p@2", "ap", "r@1", "ndcg"])
    assert found.means["rr"] == (0.5, 1.0)
    assert found.means["p@2"] == (0.5, 1.0)
    # Lowest with y relevant: (1/2 + 2/3) / 2 = 7/12; or with none: 1/2. Highest with x and y relevant: 1.
    assert found.means["ap"] == (0.5, 1.0)
    # One document at rank 1, of one (x not relevant: 0) to: x relevant, y not: 1 of 2.
    assert found.means["r@1"] == (0.0, 0.5)
    # x 0, y 0: 1/log2(3) = 0.6309. x 0, y 2: (0.6309 + 0.5) / (1 + 0.6309) = 0.6934. x 2: 1.
    assert found.means["ndcg"] == (pytest.approx(1 / math.log2(3)), 1.0)


# d is judged and not relevant, x and y are not judged: the query is left out until one of these is relevant.
SKIPPED = ({"q": {"d": 0}}, {"q": ["d", "x", "y"]})


def test_bounds_of_counts_are_of_queries_that_are_not_left_out():
    for policy in ("no_relevant=skip", "no_relevant=skip, unretrieved=dropped"):
        found = rankgold.bounds(*SKIPPED, ["judged", "unjudged@3", "num_rel", "num_rel_ret"], policy=policy)
        # Lowest with one of x and y judged, 2 of 3; highest with both.
        assert found.means["judged"] == (2 / 3, 1.0)
        assert found.means["unjudged@3"] == pytest.approx((0.0, 1 / 3))
        assert found.means["num_rel"] == found.means["num_rel_ret"] == (1.0, 2.0)
    # A document of grade 1 keeps the query, and is not relevant from grade 2 on.
    qrels = {"q": {"d": 0}, "r": {"d": 2}}
    found = rankgold.bounds(
        qrels, SKIPPED[1] | {"r": ["d"]}, ["num_rel(rel=2)", "utility(rel=2)"], policy="no_relevant=skip"
    )
    assert (found.runs[0].low["num_rel(rel=2)"][0], found.runs[0].high["num_rel(rel=2)"][0]) == (0.0, 2.0)
    # All three lose 1, or d alone does and x and y gain 1.
    assert (found.runs[0].low["utility(rel=2)"][0], found.runs[0].high["utility(rel=2)"][0]) == (-3.0, 1.0)


def test_bounds_contain_what_the_policy_gives_in_place_of_an_undefined_value():
    # Without a document that has a gain, arp is 0/0, which is 0 here. With a gain at rank 1 alone it is 1.
    run = {"q": [f"x{i}" for i in range(30)]}
    for policy, low in (("no_relevant=undefined, undefined=zero", 0.0), ("no_relevant=undefined", 1.0)):
        found = rankgold.bounds({"q": {"d": 0}}, run, ["arp(miss=last)"], policy=policy)
        assert found.means["arp(miss=last)"] == (low, math.inf)


def test_bounds_after_dropping_allow_for_every_scale():
    # x has no grade or 0: the scale goes to 1, and a stops 1/2. x has grade 1: 1/2 + 1/2 * 1/2 / 2 = 5/8. On the longer
    # scales a stops 1/4 or 1/8: 1/4 + 3/4 * 3/4 / 2 and 1/8 + 7/8 * 7/8 / 2 are less than 5/8, and 1/8 is the least.
    qrels, run = {"q": {"a": 1, "z": 3}, "r": {"b": 0}}, {"q": ["a", "x"], "r": ["b", "y"]}
    found = rankgold.bounds(qrels, run, ["err", "err(max=3)"], policy="unretrieved=dropped").runs[0]
    assert (found.values["err"][0], found.low["err"][0], found.high["err"][0]) == (1 / 2, 1 / 8, 5 / 8)
    assert (found.low["err(max=3)"][0], found.high["err(max=3)"][0]) == (1 / 8, 1 / 8 + 7 / 8 * 7 / 8 / 2)
    # y of grade 3 makes 1/8 of a.
    judged = {"q": qrels["q"], "r": {"b": 0, "y": 3}}
    assert rankgold.evaluate(judged, run, ["err"], policy="unretrieved=dropped").values("err")[0] == 1 / 8
    # A scale that is named is the only one; with more than ten grades, only the limits of the measure are known.
    named = rankgold.bounds(qrels, run, ["err"], policy="unretrieved=dropped", max_grade=3).runs[0]
    assert (named.low["err"][0], named.high["err"][0]) == (1 / 8, 1 / 8 + 7 / 8 * 7 / 8 / 2)
    fine = {"q": {"a": 0.5, **{f"z{i}": i / 7 for i in range(1, 15)}}}
    assert rankgold.bounds(fine, {"q": ["a", "x"]}, ["err"], policy="unretrieved=dropped").means["err"] == (0.0, 1.0)


@pytest.mark.parametrize("policy", ["no_relevant=skip", "unretrieved=dropped", "unretrieved=dropped, no_relevant=skip"])
def test_true_values_with_all_grades_of_two_queries_are_within_the_bounds(policy):
    # The documents of one query can change the scale of the other. `c` and `e` are not judged.
    qrels, run = {"q": {"a": 1, "b": 0, "z": 2}, "r": {"d": 0}}, {"q": ["b", "c", "a"], "r": ["d", "e"]}
    wanted = [str(measure) for measure in DEFAULTS + WITH_CUTOFF]
    found = rankgold.bounds(qrels, run, wanted, policy=policy).runs[0]
    for c, e in itertools.product(up_to(2), repeat=2):
        judged = {
            "q": qrels["q"] | ({} if math.isnan(c) else {"c": c}),
            "r": qrels["r"] | ({} if math.isnan(e) else {"e": e}),
        }
        scores = rankgold.evaluate(judged, run, wanted, policy=policy)
        for label in wanted:
            for query, value in zip(scores.queries(), scores.values(label).tolist(), strict=True):
                place = found.queries.index(query)
                low, high = found.low[label][place], found.high[label][place]
                assert math.isnan(value) or low - NEAR <= value <= high + NEAR, (label, query, c, e)
            mean = scores[label]
            assert math.isnan(mean) or found.mean_low[label] - NEAR <= mean <= found.mean_high[label] + NEAR, (
                label,
                c,
                e,
            )


def test_documents_that_another_run_ranks_count_only_there_after_dropping():
    # b ranks x below d, and a does not. If x is relevant, dcg of b grows by 1/log2(3).
    qrels, runs = {"q": {"d": 1}}, {"a": {"q": ["d"]}, "b": {"q": ["d", "x"]}}
    [bound] = rankgold.compare(qrels, runs, ["dcg"], bounds=True, policy="unretrieved=dropped").bounds
    assert (bound.low, bound.high) == pytest.approx((0.0, 1 / math.log2(3)))
    # If nothing that a run ranks is relevant, no_relevant=one gives it 1. With x relevant, rbp(p=0.5) of b is 1/2 less.
    runs = {"a": {"q": ["y"]}, "b": {"q": ["x"]}}
    policy = "unretrieved=dropped, no_relevant=one"
    [bound] = rankgold.compare(qrels, runs, ["rbp(p=0.5)"], bounds=True, policy=policy).bounds
    assert (bound.low, bound.high) == (-0.5, 0.5)
    # The lists of q are the same. The scale of a, which has z, goes to 3, that of b to 1: stops of 1/8 and 1/2.
    qrels = {"q": {"d": 1}, "r": {"d": 0, "z": 3}}
    runs = {"a": {"q": ["d"], "r": ["z"]}, "b": {"q": ["d"], "r": ["d"]}}
    [bound] = rankgold.compare(qrels, runs, ["err"], bounds=True, policy="unretrieved=dropped").bounds
    assert (bound.low, bound.high) == pytest.approx([((1 / 2 - 1 / 8) + (0 - 7 / 8)) / 2] * 2)


def test_the_difference_of_runs_with_averaged_ties_is_within_its_bounds():
    # x is at rank 1 or 2 in a, and at rank 1 in b. If it is relevant, p@1 is 1/2 in a and 1 in b.
    qrels, runs = {"q": {"d": 0}}, {"a": {"q": {"x": 1.0, "d": 1.0}}, "b": {"q": {"x": 1.0}}}
    [bound] = rankgold.compare(qrels, runs, ["p@1"], bounds=True, policy="ties=average").bounds
    assert bound.low <= 0.0 <= 0.5 <= bound.high


def test_bounds_of_a_mean_rank_contain_the_0_of_an_undefined_value_where_grades_are_too_many(hardly_any_tried):
    # If only m, which another run has, is relevant, the mean rank of the first is 0/0.
    runs = {"a": {"q": ["x", "y", "z"]}, "b": {"q": ["m"]}}
    found = rankgold.bounds({"q": {"d": 0}}, runs, ["mr"], policy="no_relevant=one, undefined=zero").runs[0]
    judged = {"q": {"d": 0, "m": 1}}
    value = rankgold.evaluate(judged, runs["a"], ["mr"], policy="no_relevant=one, undefined=zero")["mr"]
    assert found.mean_low["mr"] == value == 0.0


def test_bounds_of_a_share_of_ones_are_not_limited_by_1(hardly_any_tried):
    # Documents of grade 2 gain twice as much as the ideal list of ones.
    qrels, run = {"q": {"d": 0, "e": 2}}, {"q": ["x", "y", "z"]}
    found = rankgold.bounds(qrels, run, ["ndcg(ideal=ones)"], policy="no_relevant=undefined")
    assert found.means["ndcg(ideal=ones)"][1] >= 2.0


def test_a_judgement_of_a_document_that_is_not_retrieved_changes_nothing_after_dropping():
    qrels, runs = {"q": {"a": 1, "z": 3}}, {"one": {"q": ["a", "x"]}, "two": {"q": ["a", "y"]}}
    [now, then] = rankgold.if_judged(qrels, runs, ["r"], policy="unretrieved=dropped")["value_if"].to_list()
    assert now == then == 1.0
    # With x or y of the highest grade, 3, err is 1/8 + 7/8 * 7/8 / 2 in place of 1/2 in one of the runs.
    sheet = rankgold.judge_next(qrels, runs, "err", policy="unretrieved=dropped").frame
    assert sheet["document"].to_list() == ["x", "y"]
    assert sheet["effect"].to_list() == pytest.approx([1 / 8 + 7 / 8 * 7 / 8 / 2 - 1 / 2] * 2)


def test_a_relevant_document_far_down_is_the_worst_case_of_a_share():
    # d is relevant and n is not. With x relevant at rank 3, ap is (1 + 2/3) / 2 and ndcg (1 + 1/2) / (1 + 1/log2(3)).
    found = rankgold.bounds({"q": {"d": 1, "n": 0}}, {"q": {"d": 3, "n": 2, "x": 1}}, ["ap", "ndcg", "r@2"])
    assert found.means["ap"] == (pytest.approx(5 / 6), 1.0)
    assert found.means["ndcg"] == (pytest.approx(1.5 / (1 + 1 / math.log2(3))), 1.0)
    # x is below the cutoff: it can only be missed.
    assert found.means["r@2"] == (0.5, 1.0)


def ideal(count):
    """The sum of the discounts of so many ranks."""
    return sum(1 / math.log2(rank + 1) for rank in range(1, count + 1))


def test_all_open_documents_can_be_the_worst_case():
    # d at rank 1, x at 100 and y at 101, below the cutoff. Of none, x, y and both, both relevant are the worst.
    judged = {"d": 1} | {f"n{i}": 0 for i in range(98)}
    low, high = rankgold.bounds({"q": judged}, {"q": [*judged, "x", "y"]}, ["ndcg@100"]).means["ndcg@100"]
    assert (low, high) == (pytest.approx((1 + 1 / math.log2(101)) / ideal(3)), 1.0)


def test_grades_of_10_documents_on_a_scale_of_4_and_relevance_of_200_documents_are_all_tried():
    def highest(measure, count, grade):
        run = {"q": {f"x{i}": -i for i in range(count)}}
        return rankgold.bounds({"q": {"missed": grade}}, run, [measure]).means[measure][1]

    # At best, all that are ranked have the highest grade, and the one that is missed is in the norm alone.
    assert highest("ndcg", 10, 4) == pytest.approx(ideal(10) / ideal(11), abs=1e-12)
    assert highest("ndcg", 11, 4) == 1.0  # 1,365 falling sequences of grades are not tried
    assert highest("ap", 200, 1) == pytest.approx(200 / 201, abs=1e-12)
    assert highest("ap", 201, 1) > 201 / 202 + 1e-9
    # With 30 missed, recall of 300 is at most 300 / 330; the numbers that are tried are 5 % apart.
    missed = {"q": {f"m{i}": 1 for i in range(30)}}
    low, high = rankgold.bounds(missed, {"q": {f"x{i}": -i for i in range(300)}}, ["r"]).means["r"]
    assert low == 0.0
    assert 300 / 330 <= high < 300 / 330 * 1.06
    # With d at rank 1, ndcg of n others at the end is 0.4 or more, however many of 300 they are.
    low, high = rankgold.bounds({"q": {"d": 1}}, {"q": ["d", *(f"x{i}" for i in range(300))]}, ["ndcg"]).means["ndcg"]
    worst = min((1 + ideal(301) - ideal(301 - n)) / ideal(n + 1) for n in range(301))
    assert worst * 0.95 < low <= worst + 1e-12
    assert high == 1.0


@for_each(
    ("grades", "levels"),
    [
        ([10, 3], tuple(map(float, range(1, 11)))),
        ([11, 3], (3.0, 11.0)),
        ([3, 1.5], (1.5, 3.0)),
        ([2.5, 1], (1.0, 2.5)),
        ([1, -1, 0], (1.0,)),
        ([i / 10 for i in range(11)], tuple(i / 10 for i in range(1, 11))),
        ([i / 11 for i in range(12)], None),
    ],
)
def test_a_scale_has_whole_grades_up_to_10_or_those_that_were_given(grades, levels):
    qrels = {"q": {f"d{i}": grade for i, grade in enumerate(grades)}}
    assert Scale.of(open_runs(qrels, {"a": {"q": {"x": 1}}})[0]) == Scale(max(grades), levels)


def test_bounds_of_differences_of_shares_worked_by_hand():
    second = 1 / math.log2(3)

    def both(qrels, a, b):
        [bound] = rankgold.compare(qrels, {"a": {"q": a}, "b": {"q": b}}, ["ndcg"], bounds=True).bounds
        return bound.low, bound.high

    # d is at rank 3 of both, and x at rank 1 or 2. With x relevant the sums differ by 1 - 0.6309, and the norm is 1 at least.
    qrels = {"q": {"d": 1, "n": 0}}
    assert both(qrels, ["x", "n", "d"], ["n", "x", "d"]) == pytest.approx((second - 1, 0.0))
    assert both(qrels, ["n", "x", "d"], ["x", "n", "d"]) == pytest.approx((0.0, 1 - second))
    # Without a relevant document both are 0, and the norm is: with x relevant, b is 1 and a 0.6309.
    assert both({"q": {"n": 0}}, ["n", "x"], ["x", "n"]) == (0.0, 1.0)
    assert both({"q": {"n": 0}}, ["x", "n"], ["n", "x"]) == (-1.0, 0.0)


def test_bounds_of_one_run_and_of_several_as_dicts_and_tables():
    qrels, runs = {"q": {"d": 1}}, {"a": {"q": ["x", "d"]}, "b": {"q": ["d"]}}
    one, two = rankgold.bounds(qrels, runs["a"], ["rr"]), rankgold.bounds(qrels, runs, ["rr"])
    assert one.means == {"rr": (0.5, 1.0)}
    assert two.means == {"a": {"rr": (0.5, 1.0)}, "b": {"rr": (1.0, 1.0)}}
    assert "per_query" not in two.to_dict()["runs"]["a"]
    assert two.to_dict(per_query=True)["runs"]["a"]["per_query"] == {
        "q": {"rr": {"value": 0.5, "low": 0.5, "high": 1.0}}
    }
    assert [(table.keys, table.digits) for table in two.document().tables] == [(2, 4)]
    queries, means = two.document(3, per_query=True).tables
    assert (queries.header[:3], queries.keys, queries.digits) == (["run", "query", "measure"], 3, 3)
    assert queries.rows[0] == ["a", "q", "rr", 0.5, 0.5, 1.0, "1"]
    assert means.header[:2] == ["run", "measure"]
    assert two.document().notes[0] == "note: a: 1 of 2 retrieved documents are not judged"
    assert "any grades from 0 to 1 of the documents" in two.document().notes[-1]
    assert not two.document(quiet=True).notes
    assert not any(note.startswith("note: inf") for note in two.document().notes)
    # 3 ** 8 choices of no grade, 0 and 1 are too many, and a utility has no limit.
    many = rankgold.bounds(qrels, {"q": [f"x{i}" for i in range(8)]}, ["utility"])
    assert many.means["utility"] == (-math.inf, math.inf)
    assert many.document().notes[-1].startswith("note: inf: the measure has no limit")


def test_a_grade_between_none_and_the_highest_can_be_the_best():
    # Grades 3, 1, ?, 1: only the grade 1 makes this the ideal order; with 0 or 3 there is a better one.
    run = {"q": {"a": 4, "b": 3, "x": 2, "c": 1}}
    found = rankgold.bounds({"q": {"a": 3, "b": 1, "c": 1}}, run, ["ndcg"])
    assert found.means["ndcg"][1] == 1.0


def test_a_query_that_may_be_undefined_is_in_the_mean_only_where_that_moves_it():
    low, high = np.array([0.5, 0.1, 0.9]), np.array([0.6, 0.2, 1.0])
    optional = np.array([False, True, True])
    found = Extremes(low, high, optional)
    assert mean_bound(MEAN, found, -1) == pytest.approx((0.5 + 0.1) / 2)
    assert mean_bound(MEAN, found, 1) == pytest.approx((0.6 + 1.0) / 2)
    assert mean_bound(SUM, Extremes(np.array([1.0, -2.0]), high[:2], np.array([False, True])), -1) == -1.0
    assert mean_bound(GEOMETRIC_MEAN, found, -1) == pytest.approx(math.sqrt(0.5 * 0.1))
    assert math.isnan(mean_bound(MEAN, Extremes(np.array([math.nan]), np.array([math.nan]), np.array([True])), 1))


def test_without_unjudged_documents_low_and_high_are_the_value():
    qrels = {"q": {"a": 1, "b": 0}, "r": {"a": 0, "b": 2}}
    runs = {"x": {"q": {"a": 2, "b": 1}, "r": {"a": 2, "b": 1}}}
    found = bounds_of(open_runs(qrels, runs), {str(measure): measure for measure in DEFAULTS})
    for row in found.frame.rows():
        assert row[2] == row[3] == row[4] or math.isnan(row[2]), row


def test_the_difference_of_two_runs_is_within_its_bounds_for_all_grades_and_tight_for_sums_of_gains():
    rng = random.Random(9)
    wanted = {str(measure): measure for measure in DEFAULTS + WITH_CUTOFF}
    for _ in range(1):
        qrels, runs, highest = small_case(rng)
        values = {name: all_values(qrels, runs, name, wanted.values(), up_to(highest)) for name in runs}
        alone = open_runs({"q": qrels["q"]}, {n: {"q": r["q"]} for n, r in runs.items()}, max_grade=highest)
        for bound in difference_bounds(alone, wanted, [("a", "b")]):
            both = values["b"][wanted[bound.measure]] - values["a"][wanted[bound.measure]]
            known = both[~np.isnan(both)]
            if len(known):
                assert bound.low - NEAR <= known.min() <= known.max() <= bound.high + NEAR, bound
            if bound.measure in ("dcg", "dcg@3", "cg@3", "p@3", "sdcg"):
                assert (bound.low, bound.high) == pytest.approx((known.min(), known.max())), bound


def test_compare_says_whether_the_winner_could_change():
    qrels = {f"q{i}": {"d": 1} for i in range(3)}
    behind = {f"q{i}": {"x": 3, "d": 2} for i in range(3)}
    ahead = {f"q{i}": {"d": 2} for i in range(3)}
    found = rankgold.compare(qrels, {"behind": behind, "ahead": ahead}, ["rr", "dcg"], bounds=True)
    # rr: 1 less 1/2, or with x relevant 1 less 1. dcg: 1 less 0.6309; with x relevant, 1 less 1.6309.
    assert [(bound.low, bound.high) for bound in found.bounds] == pytest.approx(
        [(0.0, 0.5), (1 - 1 - 1 / math.log2(3), 1 - 1 / math.log2(3))]
    )
    assert [bound.winner_can_change for bound in found.bounds] == [False, True]
    assert found.bounds[0].sentence().startswith("The winner stays the same: ")
    assert "The winner may change: whatever the unjudged documents are, the difference in dcg" in repr(found)
    assert json.loads(found.to_json())["bounds"][1]["winner_can_change"] is True
    assert "bounds" not in rankgold.compare(qrels, {"a": behind, "b": ahead}, ["rr"]).to_dict()


def test_runs_with_the_same_lists_have_no_difference_to_bound():
    # d is judged and x is not. The lists of q0 are the same; in q1 the reciprocal ranks are 1/2, or 1 if x is relevant.
    qrels = {"q0": {"d": 1}, "q1": {"d": 1}}
    behind = {"q0": {"x": 2, "d": 1}, "q1": {"x": 2, "d": 1}}
    ahead = {"q0": {"x": 2, "d": 1}, "q1": {"d": 1}}
    [same] = rankgold.compare(qrels, {"a": behind, "b": behind}, ["rr"], bounds=True).bounds
    assert same.sentence() == (
        "The draw stays the same: whatever the unjudged documents are, the difference in rr of b and a is from 0.000 to"
        " 0.000."
    )
    [bound] = rankgold.compare(qrels, {"a": behind, "b": ahead}, ["rr"], bounds=True).bounds
    assert (bound.low, bound.high) == (0.0, 0.25)


def test_bounds_of_a_difference_that_is_undefined_name_no_winner():
    # No document is relevant: undefined. With x relevant, ap of a is 1/2 and that of b is 0.
    qrels, longer = {"q": {"d": 0}}, {"q": {"d": 2, "x": 1}}
    runs = {"a": longer, "b": {"q": {"d": 2}}}
    [open_] = rankgold.compare(qrels, runs, ["ap"], bounds=True, policy="no_relevant=undefined").bounds
    assert open_.sentence() == (
        "There is no winner yet: the difference is undefined; whatever the unjudged documents are, the difference in ap of"
        " b and a is from -0.500 to -0.500, or undefined."
    )
    runs = {"a": {"q": {"d": 2}}, "b": {"q": {"d": 2}}}
    [closed] = rankgold.compare(qrels, runs, ["ap"], bounds=True, policy="no_relevant=undefined").bounds
    assert closed.sentence() == (
        "There is no winner: the difference in ap of b and a is undefined, whatever the unjudged documents are."
    )


def test_bounds_do_not_take_weights():
    runs = {"a": {"q": {"d": 1}}, "b": {"q": {"d": 1}}}
    with pytest.raises(rankgold.ComparisonError, match="all queries count the same"):
        rankgold.compare({"q": {"d": 1}}, runs, ["rr"], bounds=True, units=rankgold.Units(weights={"q": 2}))


def test_what_if_has_the_values_of_an_evaluation_with_the_judgement():
    rng = random.Random(10)
    truth, runs = collection(rng, queries=2)
    hidden = {q: {d: g for d, g in row.items() if rng.random() < 0.5} for q, row in truth.items()}
    hidden["q0"]["d0"] = 2
    wanted = ["ndcg@5", "ap", "rr"]
    found = rankgold.if_judged(hidden, runs, wanted)
    assert found.height == 3 * sum(d not in hidden[q] for run in runs.values() for q, row in run.items() for d in row)
    for row in rng.sample(found.to_dicts(), 15):
        judged = {**hidden, row["query"]: {**hidden[row["query"]], row["document"]: 2}}
        scores = rankgold.evaluate(judged, runs[row["run"]], [row["measure"]], topics=[row["query"]])
        assert row["value_if"] == scores[row["measure"]]
        assert row["change"] == row["value_if"] - row["value"]


@for_each("policy", ["depth=4", "unretrieved=dropped", "sklearn", "ties=average", "missing=skip", "duplicates=first"])
def test_the_value_between_the_bounds_is_that_of_an_evaluation(policy):
    rng = random.Random(11)
    truth, runs = collection(rng, queries=3)
    hidden = {q: {d: g for d, g in row.items() if rng.random() < 0.5} for q, row in truth.items()}
    hidden["q0"]["d0"], hidden["not ranked"] = 2, {"d1": 1}
    wanted = ["ndcg@5", "ap", "rr", "err", "bpref"]
    found = rankgold.bounds(hidden, runs, wanted, policy=policy)
    scores = rankgold.evaluate(hidden, runs, wanted, policy=policy)
    for run in found.runs:
        assert run.means == pytest.approx(scores.means[run.name])
        assert all(run.mean_low[m] <= run.means[m] + NEAR and run.means[m] <= run.mean_high[m] + NEAR for m in wanted)


def test_chunks_topics_and_excluded_documents_are_as_in_an_evaluation():
    qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    run = {"q1": {"x#1": 9, "x#2": 8, "d1#1": 7, "had": 6}, "q2": {"d2": 1}}
    found = rankgold.bounds(qrels, run, ["p@3"], parent="#", topics=["q1"], exclude=[("q1", "had")])
    # x and d1 are left: one of three places, or two.
    assert found.means["p@3"] == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert found.runs[0].queries == ["q1"]


def test_ids_of_different_types_are_the_same_document():
    assert rankgold.bounds({1: {7: 1}}, {"1": {"7": 2.0, "8": 1.0}}, ["p@2"]).means["p@2"] == (0.5, 1.0)


def test_grades_of_any_number_of_kinds_give_sound_bounds():
    grades = {f"d{i}": i / 16 for i in range(17)}
    run = {"q": {**{d: float(i) for i, d in enumerate(grades)}, "x": 99.0}}
    found = rankgold.bounds({"q": grades}, run, ["ndcg", "dcg@1", "q"])
    assert found.means["dcg@1"] == (0.0, 1.0)
    for name in ("ndcg", "q"):
        for grade in (0.0, 0.03, 0.5, 1.0):
            value = rankgold.evaluate({"q": {**grades, "x": grade}}, run, [name])[name]
            assert found.means[name][0] <= value <= found.means[name][1]


def test_the_shell_prints_bounds_in_every_format(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    (tmp_path / "a.trec").write_text("q1 Q0 x 1 2 a\nq1 Q0 d1 2 1 a\nq2 Q0 d2 1 1 a\n")
    files = [str(tmp_path / "qrels.txt"), str(tmp_path / "a.trec")]
    content = json.loads(printed("evaluate", *files, "--bounds", "-m", "rr", "-q", "-f", "json"))
    assert content["runs"]["a"]["bounds"] == {"rr": {"low": 0.75, "high": 1.0}}
    assert content["runs"]["a"]["per_query"]["q1"]["rr"] == {"value": 0.5, "low": 0.5, "high": 1.0}
    assert printed("evaluate", *files, "--bounds", "-m", "rr", "-f", "csv").splitlines() == [
        "run,measure,value,low,high",
        "a,rr,0.75,0.75,1.0",
    ]
    assert "| a" in printed("evaluate", *files, "--bounds", "-m", "rr", "-f", "markdown")
    assert "1 of 3 retrieved documents are not judged" in printed("evaluate", *files, "--bounds", "-m", "rr")
    assert "is for --bounds" in refused("evaluate", *files, "--max-grade", "3")
    assert "needs judgements and runs" in refused("evaluate", files[0], "--bounds")


def test_what_cannot_be_bounded_is_an_error_that_says_what_to_do():
    qrels, run = {"q": {"d": 2}}, {"q": {"d": 1.0}}
    with pytest.raises(PolicyError, match="Leave unjudged=condensed out"):
        rankgold.bounds(qrels, run, ["ap"], policy="unjudged=condensed")
    with pytest.raises(DataError, match="the judgements have a grade of 2"):
        rankgold.bounds(qrels, run, ["ap"], max_grade=1)
    for odd in (math.nan, 0, -1, True, "2"):
        with pytest.raises(DataError, match="max_grade must be a number above 0"):
            rankgold.bounds({"q": {"d": 0}}, run, ["ap"], max_grade=odd)
    with pytest.raises(DataError, match="unseen must be a whole number from 0"):
        rankgold.bounds(qrels, run, ["ap"], unseen=-1)
    with pytest.raises(DataError, match="unseen must be a whole number from 0 to 10,000, not 1000000000"):
        rankgold.bounds(qrels, run, ["ap"], unseen=10**9)


def test_a_comparison_with_bounds_takes_slices_and_topics():
    qrels, a, b = {"q": {"d": 1}, "r": {"d": 1}}, {"q": ["d"], "r": ["d"]}, {"q": ["x", "d"], "r": ["d"]}
    choices = {"by": {"q": "de", "r": "en"}, "topics": ["q"], "rel": 1}
    [bound] = rankgold.compare(qrels, {"a": a, "b": b}, ["rr"], bounds=True, **choices).bounds
    # 1/2 less 1; with x relevant, 1 less 1.
    assert (bound.low, bound.high) == (-0.5, 0.0)


def test_progress_rises_from_0_to_1():
    def told(*measures):
        shares = []
        run = {"q": ["x", "d"]}
        rankgold.bounds({"q": {"d": 1}}, run, measures, progress=lambda what, share, rows: shares.append(share))
        return shares

    # x without a grade, with 0 and with 1.
    assert told("rr")[-3:] == pytest.approx([0, 1 / 3, 2 / 3])
    assert told("rr", "ap") == sorted(told("rr", "ap"))
