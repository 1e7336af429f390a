"""Scores in batches and shards: the same as of all queries at once, in whatever order they come."""

import math
import pickle
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from tests.cases import for_each
from tests.collections import TIED_SCORES, collections, examples

MEASURES = [
    "ap",
    "ndcg@3",
    "rr",
    "p@2",
    "auc",
    "err(max=3)",
    "gap(thresholds=(0.5, 0.5))",
    "mr",
    "kendall",
    "dcg(gain=exp)",
]
QRELS = {f"q{i}": {f"d{j}": (i * j) % 4 for j in range(1, 8)} for i in range(1, 13)}


def ranking(seed, queries=QRELS):
    choose = random.Random(seed)
    return {query: {f"d{j}": choose.random() for j in range(1, 11)} for query in queries}


RUNS = {"bm25": ranking(1), "dense": ranking(2), "mixed": ranking(3)}


def shards(count, keep=False):
    """Accumulators that hold the queries of QRELS between them."""
    result = [rankgold.Accumulator(MEASURES, per_query=keep) for _ in range(count)]
    for i, query in enumerate(QRELS):
        runs = {name: {query: run[query]} for name, run in RUNS.items()}
        result[i % count].update({query: QRELS[query]}, runs)
    return result


def merged(parts):
    first, *others = parts
    for other in others:
        first.merge(other)
    return first.scores()


@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_means_in_shards_are_those_of_evaluate_to_the_last_bit(count):
    assert merged(shards(count)).means == rankgold.evaluate(QRELS, RUNS, MEASURES).means


def test_variances_are_those_of_the_values_of_the_queries():
    at_once, in_shards = rankgold.evaluate(QRELS, RUNS, MEASURES), merged(shards(4))
    for run in RUNS:
        for measure in MEASURES:
            known = [value for value in at_once.values(measure, run) if not math.isnan(value)]
            assert in_shards.variances[run][measure] == pytest.approx(statistics.variance(known), rel=1e-14)
    assert at_once.variances == in_shards.variances


def test_differences_between_runs_are_those_of_the_values_query_by_query():
    at_once, in_shards = rankgold.evaluate(QRELS, RUNS, MEASURES), merged(shards(5))
    for first, second in [("bm25", "dense"), ("dense", "bm25"), ("mixed", "bm25")]:
        for measure in MEASURES:
            pairs = zip(at_once.values(measure, first), at_once.values(measure, second), strict=True)
            known = [value - other for value, other in pairs if not math.isnan(value - other)]
            difference = in_shards.differences(first, second)[measure]
            assert difference.queries == len(known)
            assert difference.mean == pytest.approx(statistics.mean(known), rel=1e-14)
            assert difference.variance == pytest.approx(statistics.variance(known), rel=1e-14)
        assert at_once.differences(first, second) == in_shards.differences(first, second)


def test_two_runs_may_share_only_some_queries():
    # b leaves q2 out, and missing=skip gives it no value there: only q1 and q3 are compared, 1 - 1/2 and 1 - 1.
    qrels = {f"q{i}": {"x": 1} for i in (1, 2, 3)}
    runs = {
        "a": {f"q{i}": {"x": 2, "y": 1} for i in (1, 2, 3)},
        "b": {"q3": {"x": 2, "y": 1}, "q1": {"x": 1, "y": 2}},
    }
    difference = rankgold.evaluate(qrels, runs, ["rr"], policy="missing=skip").differences("a", "b")["rr"]
    assert (difference.mean, difference.variance, difference.queries) == (0.25, 0.125, 2)


@examples(15)
@given(st.randoms(use_true_random=False), st.integers(1, 6))
def test_the_order_of_merging_changes_nothing(choose, count):
    parts = shards(count)
    choose.shuffle(parts)
    while len(parts) > 1:
        part = parts.pop(choose.randrange(len(parts)))
        parts[choose.randrange(len(parts))].merge(part)
    scores, expected = parts[0].scores(), EXPECTED
    assert scores.to_json() == expected.to_json()
    assert scores.variances == expected.variances
    assert scores.differences("bm25", "mixed") == expected.differences("bm25", "mixed")


EXPECTED = merged(shards(3))


@examples(30)
@given(st.lists(collections(scores=TIED_SCORES), min_size=1, max_size=4))
def test_any_batches_give_the_means_of_one_evaluation(batches):
    accumulator = rankgold.Accumulator(MEASURES, per_query=True)
    qrels, run = {}, {}
    for i, (judged, ranked) in enumerate(batches):
        judged = {f"{i} {query}": row for query, row in judged.items()}
        ranked = {f"{i} {query}": row for query, row in ranked.items()}
        accumulator.update(judged, ranked)
        qrels |= judged
        run |= ranked
    scores, at_once = accumulator.scores(), rankgold.evaluate(qrels, run, MEASURES)
    assert str(scores.means) == str(at_once.means)
    by_query = {row["query"]: str(row) for row in at_once.per_query.to_dicts()}
    assert {row["query"]: str(row) for row in scores.per_query.to_dicts()} == by_query
    ours, theirs = scores.notes.to_dict(), at_once.notes.to_dict()
    for name in (
        "queries",
        "retrieved",
        "unjudged_share",
        "negative_grades",
        "tied_hits",
        "moved_at_32_bits",
        "undefined",
    ):
        assert ours[name] == theirs[name]
    for name in ("without_ranking", "without_judgements", "without_relevant"):
        assert sorted(ours[name]) == sorted(theirs[name])


def test_hits_are_a_batch_as_well_and_several_of_them_are_several_runs():
    accumulator = rankgold.Accumulator(MEASURES)
    for query in QRELS:
        accumulator.update(
            *(rankgold.match({query: QRELS[query]}, {name: {query: run[query]}}) for name, run in RUNS.items())
        )
    assert accumulator.scores().means == rankgold.evaluate(QRELS, RUNS, MEASURES).means


def test_a_training_loop_adds_arrays():
    accumulator = rankgold.Accumulator(["ndcg@2", "rr"])
    for grades, scores in [([[1, 0, 2]], [[0.1, 0.9, 0.5]]), ([[0, 1, 0], [2, 0, 0]], [[3, 2, 1], [5, 1, 1]])]:
        accumulator.update(rankgold.from_arrays(grades, scores))
    # First relevant documents at ranks 2, 2 and 1.
    assert accumulator.scores()["rr"] == pytest.approx((1 / 2 + 1 / 2 + 1) / 3)


def test_an_accumulator_travels_between_processes():
    first, second = (pickle.loads(pickle.dumps(part)) for part in shards(2))
    first.merge(second)
    assert first.scores().to_json() == EXPECTED.to_json()


def test_what_is_kept_does_not_grow_with_the_queries():
    few, many = rankgold.Accumulator(["ap", "ndcg"]), rankgold.Accumulator(["ap", "ndcg"])
    choose = random.Random(7)
    for i in range(400):
        batch = (
            {f"query {i}": {f"d{j}": choose.randint(0, 2) for j in range(5)}},
            {f"query {i}": {f"d{j}": choose.random() for j in range(9)}},
        )
        many.update(*batch)
        if i < 20:
            few.update(*batch)
    assert len(pickle.dumps(many)) < len(pickle.dumps(few)) + 100


def test_values_of_queries_are_there_only_if_they_were_kept():
    scores = merged(shards(2))
    for asked in (lambda: scores.per_query, lambda: scores.values("ap", "bm25"), lambda: scores.to_csv(per_query=True)):
        with pytest.raises(rankgold.DataError, match=r"not kept\. Pass per_query=True"):
            asked()
    assert "per_query" not in scores.to_dict()["runs"]["bm25"]
    assert merged(shards(2, keep=True)).per_query.height == 3 * 12
    assert str(merged(shards(2, keep=True)))


def test_the_means_are_printed_as_those_of_evaluate():
    assert str(merged(shards(3))).splitlines()[:4] == str(rankgold.evaluate(QRELS, RUNS, MEASURES)).splitlines()[:4]


def test_a_query_that_is_added_twice_is_an_error_where_queries_are_kept_and_nothing_changes():
    accumulator = rankgold.Accumulator(["rr"], per_query=True)
    accumulator.update({"q1": {"a": 1}}, {"q1": {"a": 1}})
    before = pickle.dumps(accumulator)
    with pytest.raises(rankgold.DataError, match="query 'q1' was added already"):
        accumulator.update({"q1": {"a": 1}}, {"q1": {"b": 1}})
    assert pickle.dumps(accumulator) == before


def test_a_measure_whose_scale_the_batches_disagree_on_needs_it_as_a_parameter():
    accumulator = rankgold.Accumulator(["err"])
    accumulator.update({"q1": {"a": 2}}, {"q1": {"a": 1}})
    assert accumulator.scores()["err"] == 3 / 4
    accumulator.update({"q2": {"a": 3}}, {"q2": {"a": 1}})
    with pytest.raises(
        rankgold.MeasureError, match=r"err depends on the highest grade .* 2, 3\. Name the scale: err\(max=\.\.\.\)"
    ):
        accumulator.scores()


@for_each(
    ("wrong", "message"),
    [
        (lambda accumulator: accumulator.scores(), "no query was added yet"),
        (lambda accumulator: accumulator.update({"q": {"a": 1}}), r"update\(qrels, run\) or as update\(hits, ...\)"),
        (lambda accumulator: accumulator.update(), r"update\(qrels, run\)"),
        (lambda accumulator: accumulator.merge(accumulator), "merged with itself"),
        (lambda accumulator: accumulator.merge({}), "not with dict"),
        (lambda accumulator: accumulator.merge(rankgold.Accumulator(["ap"])), "differ in their measures"),
        (
            lambda accumulator: accumulator.merge(rankgold.Accumulator(["rr"], "trec_eval")),
            "differ in their measures, their policy",
        ),
        (
            lambda accumulator: accumulator.update(*[rankgold.from_labels([[1]])] * 2),
            "two runs of the batch have the same name",
        ),
    ],
)
def test_what_cannot_be_added_is_an_error_that_says_so(wrong, message):
    with pytest.raises(rankgold.RankgoldError, match=message):
        wrong(rankgold.Accumulator(["rr"]))


def test_runs_that_were_never_in_a_batch_together_have_no_differences():
    accumulator = rankgold.Accumulator(["rr"])
    accumulator.update({"q1": {"a": 1}}, {"x": {"q1": {"a": 1}}})
    accumulator.update({"q2": {"a": 1}}, {"y": {"q2": {"a": 1}}})
    difference = accumulator.scores().differences("x", "y")["rr"]
    assert difference.queries == 0
    assert math.isnan(difference.mean)
    with pytest.raises(rankgold.MeasureError, match="no run 'z'"):
        accumulator.scores().differences("x", "z")


def test_a_value_that_is_not_finite_is_not_lost():
    import numpy as np

    from rankgold.core.exact_sums import Moments

    assert Moments.of(np.array([1.0, math.inf])).mean == math.inf
    assert math.isnan(Moments.of(np.array([1.0, math.inf])).variance)
    assert math.isnan(Moments().mean)


def test_a_run_may_rank_none_of_the_queries_of_a_batch():
    accumulator = rankgold.Accumulator(["rr"])
    accumulator.update({"q1": {"d": 1}}, {"a": {}, "b": {"q1": {"d": 1}}})
    accumulator.update({"q2": {"d": 1}}, {"a": {"q2": {"d": 1}}, "b": {}})
    accumulator.update({"q3": {"d": 1}}, {"a": {}, "b": {}})
    # Found at the top of one query of three each, and never of the same.
    assert accumulator.scores().means == {"a": {"rr": pytest.approx(1 / 3)}, "b": {"rr": pytest.approx(1 / 3)}}
    assert accumulator.scores().differences("a", "b")["rr"].variance == pytest.approx(1.0)
    alone = rankgold.Accumulator(["rr"])
    alone.update({"q1": {"d": 1}, "q2": {"d": 1}}, {})
    assert alone.scores()["rr"] == 0.0


@pytest.mark.parametrize("measure", ["gap", "gap@3"])
def test_gap_of_a_query_does_not_depend_on_the_grades_of_other_queries(measure):
    # Shares of readers are sevenths, which floats round. The first query has the grades 1 and 7, the second others.
    qrels = {"q1": {"a": 1, "b": 7}, "q2": {"a": 7, "b": 2, "c": 5, "d": 3}}
    run = {"q1": {"b": 3, "x": 2, "a": 1}, "q2": {"d": 4, "c": 3, "x": 2, "b": 1}}
    parts = rankgold.Accumulator([measure], per_query=True)
    for query in qrels:
        parts.update({query: qrels[query]}, {query: run[query]})
    whole = rankgold.evaluate(qrels, run, [measure])
    assert parts.scores().values(measure).tolist() == whole.values(measure).tolist()
    # By hand: readers for whom grade 1 is enough, 1/7 of them, see b at rank 1 and a at rank 3; the others only b.
    expected = (1 / 7 * (1 / 1 + 2 / 3) + 6 / 7 * (1 / 1)) / (1 / 7 * 2 + 6 / 7 * 1)
    assert rankgold.evaluate(qrels, run, ["gap"]).values("gap")[0] == pytest.approx(expected, abs=1e-15)


def test_an_unjudged_query_that_is_ranked_with_nothing_is_not_a_run():
    accumulator = rankgold.Accumulator(["rr"])
    accumulator.update({"q": {"a": 1}}, {"q": {"x": 0.7, "a": 0.5}, "other": {}})
    assert (accumulator.scores().runs, accumulator.scores()["rr"]) == (["run"], 0.5)


def test_runs_that_rank_nothing_in_a_batch_score_0():
    accumulator = rankgold.Accumulator(["rr"])
    accumulator.update({"q": {"a": 1}}, {"old": {}, "new": {"q": {"a": 1.0}}})
    accumulator.update({"p": {"a": 1}}, {"old": {}, "new": {}})
    assert accumulator.scores()["rr"] == {"new": 0.5, "old": 0.0}


def test_an_accumulator_that_is_reset_has_no_query_and_the_same_options():
    accumulator = rankgold.Accumulator(["rr"], policy="missing=skip", per_query=True, columns={"query": "frage"})
    accumulator.update({"q1": {"a": 1}}, {"old": {"q1": ["b", "a"]}, "new": {"q1": ["a"]}})
    before = accumulator.scores()
    accumulator.reset()
    with pytest.raises(rankgold.DataError, match="no query was added yet"):
        accumulator.scores()
    # The same query again, which would be an error if it were known: RR = 1/3.
    accumulator.update(
        [{"frage": "q1", "doc": "a", "grade": 1}],
        [{"frage": "q1", "doc": doc, "rank": rank} for rank, doc in enumerate("xya", start=1)],
    )
    scores = accumulator.scores()
    assert scores.per_query.rows() == [("q1", pytest.approx(1 / 3))]
    assert str(scores.policy) == str(before.policy) == "missing=skip"
    # What was returned before stays as it was.
    assert before["rr"] == {"old": 0.5, "new": 1.0}
