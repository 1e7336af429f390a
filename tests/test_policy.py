"""Every row of the policy table with each of its choices, on cases small enough to be worked by hand."""

import math

import polars as pl
import pytest

import rankgold
from rankgold import Policy
from rankgold.core.policy import PRESETS, choices_of_fields
from tests.cases import for_each


def value(qrels, run, measure, policy=None):
    return rankgold.evaluate(qrels, run, [measure], policy=policy)[measure]


# Tied scores. "9" is relevant; as text the ids ascend 10, 100, 9; the input has 10, 9, 100.
@for_each(
    ("ties", "expected"),
    [("descending", 1 / 1), ("ascending", 1 / 3), ("input", 1 / 2), ("average", (1 + 1 / 2 + 1 / 3) / 3)],
)
@for_each("kind", [str, int])
def test_tied_documents_stand_in_the_order_of_the_policy(ties, expected, kind):
    run = {"q": {kind("10"): 0.5, kind("9"): 0.5, kind("100"): 0.5}}
    assert value({"q": {kind("9"): 1}}, run, "rr", f"ties={ties}") == pytest.approx(expected, rel=1e-15)


def test_tied_documents_are_by_default_in_the_order_of_trec_eval():
    qrels, run = {"q": {"9": 1}}, {"q": {"10": 0.5, "9": 0.5, "100": 0.5}}
    assert value(qrels, run, "rr") == value(qrels, run, "rr", "trec_eval") == 1.0
    assert rankgold.evaluate(qrels, run, ["rr"]).notes.tied_hits == 1


def test_documents_of_different_scores_are_not_touched_by_the_tie_rule():
    for ties in ("descending", "ascending", "input", "average"):
        assert value({"q": {"b": 1}}, {"q": {"a": 1.0, "b": 2.0, "c": 3.0}}, "rr", f"ties={ties}") == 1 / 2


# A query that is judged but not ranked: AP is 1 for q1, and q2 is not there.
TWO_QUERIES = {"q1": {"a": 1}, "q2": {"a": 1}}
ONE_RANKED = {"q1": {"a": 1.0}}


@pytest.mark.parametrize(("missing", "mean", "queries"), [("zero", 1 / 2, ["q1", "q2"]), ("skip", 1.0, ["q1"])])
def test_a_query_without_ranking_scores_0_or_is_left_out(missing, mean, queries):
    scores = rankgold.evaluate(TWO_QUERIES, ONE_RANKED, ["ap"], policy=f"missing={missing}")
    assert scores["ap"] == mean
    assert scores.per_query["query"].to_list() == queries
    assert scores.notes.without_ranking == ("q2",)


def test_a_query_without_ranking_has_its_own_value_where_the_formula_says_so():
    # R = 2, and nothing was found: yaap is log((1 + 0) / (1 + 2)).
    scores = rankgold.evaluate(
        {"q1": {"a": 1, "b": 1}, "q2": {"a": 1}}, {"q2": {"a": 1.0}}, ["num_rel", "num_q", "yaap"]
    )
    assert scores.per_query.rows()[0] == pytest.approx(("q1", 2, 1, math.log(1 / 3)))


def test_a_query_with_an_empty_ranking_is_one_without_ranking():
    scores = rankgold.evaluate(TWO_QUERIES, {**ONE_RANKED, "q2": {}}, ["ap"])
    assert (scores["ap"], scores.notes.without_ranking) == (1 / 2, ("q2",))


def test_a_query_without_ranking_is_not_given_the_best_value_where_lower_is_better():
    # q1 is 1 in all of them. For q2 a 0 would be better than anything: FRP@5 is 5 + 1, FRP and MR are undefined.
    scores = rankgold.evaluate(TWO_QUERIES, ONE_RANKED, ["frp@5", "frp", "mr"])
    assert scores.means == {"frp@5": (1 + 6) / 2, "frp": 1.0, "mr": 1.0}
    assert scores.notes.undefined == {"frp": 1, "mr": 1}


# A query that is ranked but not judged.
def test_a_query_without_judgements_is_left_out_and_noted():
    scores = rankgold.evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}, "q7": {"a": 1.0}}, ["ap"])
    assert scores["ap"] == 1.0
    assert scores.notes.without_judgements == ("q7",)


def test_a_query_without_judgements_is_an_error_if_the_policy_says_so():
    with pytest.raises(rankgold.MatchError, match="the run ranks queries without judgements: 'q7'"):
        value({"q1": {"a": 1}}, {"q1": {"a": 1.0}, "q7": {"a": 1.0}}, "ap", "unjudged_queries=error")


# A query without a relevant document: AP is 1 for q1, and q2 has only a document of grade 0.
@pytest.mark.parametrize(
    ("no_relevant", "values"),
    [("zero", [1.0, 0.0]), ("one", [1.0, 1.0]), ("skip", [1.0]), ("undefined", [1.0, math.nan])],
)
def test_a_query_without_relevant_documents_scores_what_the_policy_says(no_relevant, values):
    run = {"q1": {"a": 1.0}, "q2": {"a": 1.0}}
    scores = rankgold.evaluate({"q1": {"a": 1}, "q2": {"a": 0}}, run, ["ap"], policy=f"no_relevant={no_relevant}")
    assert scores.values("ap").tolist() == pytest.approx(values, nan_ok=True)
    defined = [value for value in values if not math.isnan(value)]
    assert scores["ap"] == sum(defined) / len(defined)
    assert scores.notes.without_relevant == ("q2",)
    assert scores.notes.undefined == ({"ap": 1} if no_relevant == "undefined" else {})


def test_whether_a_query_has_relevant_documents_depends_on_rel():
    run = {"q1": {"a": 1.0}, "q2": {"a": 1.0}}
    scores = rankgold.evaluate(
        {"q1": {"a": 2}, "q2": {"a": 1}}, run, ["rr", "rr(rel=2)"], policy="no_relevant=undefined"
    )
    assert scores.values("rr").tolist() == [1.0, 1.0]
    assert scores.values("rr(rel=2)").tolist() == pytest.approx([1.0, math.nan], nan_ok=True)


def test_correlations_do_not_ask_for_relevant_documents():
    # Scores 3, 2, 1 for the grades 0, -1, -2: the same order.
    for choice in ("zero", "one", "undefined"):
        assert (
            value(
                {"q": {"a": 0, "b": -1, "c": -2}}, {"q": {"a": 3, "b": 2, "c": 1}}, "kendall", f"no_relevant={choice}"
            )
            == 1
        )


@pytest.mark.parametrize("choice", ["zero", "one", "undefined"])
def test_measures_that_can_do_without_relevant_documents_do_not_ask_for_them(choice):
    # The list is a, x, b with the grades 0, none, 0.
    scores = rankgold.evaluate(
        {"q": {"a": 0, "b": 0}},
        {"q": {"a": 3.0, "x": 2.0, "b": 1.0}},
        ["num_rel", "num_rel_ret", "num_ret", "num_q", "num_nonrel_judged_ret", "judged", "unjudged", "utility", "arp",
         "opa", "rbp_resid(p=0.5)"],
        policy=f"no_relevant={choice}",
    )  # fmt: skip
    assert scores.means == pytest.approx({
        "num_rel": 0, "num_rel_ret": 0, "num_ret": 3, "num_q": 1, "num_nonrel_judged_ret": 2, "judged": 2 / 3,
        "unjudged": 1 / 3, "utility": -3, "arp": math.nan, "opa": math.nan, "rbp_resid(p=0.5)": 1 - 1 / 2 - 1 / 8,
    }, nan_ok=True)  # fmt: skip
    assert scores.notes.without_relevant == ()


# A document without a judgement: x stands above the relevant a.
@pytest.mark.parametrize(("unjudged", "expected"), [("nonrelevant", 1 / 2), ("condensed", 1 / 1)])
def test_a_document_without_judgement_is_not_relevant_or_taken_out_of_the_list(unjudged, expected):
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}
    assert value(qrels, run, "rr", f"unjudged={unjudged}") == expected


def test_a_condensed_list_is_as_long_as_its_judged_documents():
    # Of x, a, b, y two are judged: precision over the whole list is 1/4, and 1/2 where it is condensed.
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"x": 4.0, "a": 3.0, "b": 2.0, "y": 1.0}}
    assert value(qrels, run, "p") == 1 / 4
    assert value(qrels, run, "p", "unjudged=condensed") == 1 / 2
    assert rankgold.evaluate(qrels, run, ["p"]).notes.unjudged_share == 1 / 2


# That a query has no relevant document is about its judgements: q1 has one, which the run missed.
@for_each("no_relevant", ["zero", "one", "undefined", "skip"])
@for_each("ideal", ["judged", "retrieved", "ones"])
@for_each("run", [{"x": 1.0, "b": 0.5}, {}], ids=["missed", "not ranked"])
def test_a_query_whose_relevant_document_was_missed_has_one(run, ideal, no_relevant):
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0}}
    scores = rankgold.evaluate(
        qrels, {"q1": run, "q2": {"a": 1.0}}, [f"ndcg(ideal={ideal})"], policy=f"no_relevant={no_relevant}"
    )
    rows = dict(scores.per_query.rows())
    assert rows.pop("q1") == 0.0
    expected = {"zero": {"q2": 0.0}, "one": {"q2": 1.0}, "undefined": {"q2": math.nan}, "skip": {}}[no_relevant]
    assert rows == pytest.approx(expected, nan_ok=True)
    assert scores.notes.without_relevant == ("q2",)


# A negative grade.
def test_a_negative_grade_is_not_relevant_and_has_no_gain():
    # The list is -2, 1: DCG = 1/log2(3), of the ideal 1, -2: 1. AP = 1/2.
    scores = rankgold.evaluate(
        {"q": {"a": -2, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}, ["dcg", "ndcg", "ap", "dcg(gain=exp)"]
    )
    discounted = 1 / math.log2(3)
    assert scores.means == {"dcg": discounted, "ndcg": discounted, "ap": 1 / 2, "dcg(gain=exp)": discounted}
    assert scores.notes.negative_grades == 1


# The same document twice. First kept: a at rank 1, b at 2. Last kept: b at rank 1, a at 2.
@pytest.mark.parametrize(("duplicates", "expected"), [("first", 1 / 1), ("last", 1 / 2)])
def test_of_a_document_that_is_there_twice_the_first_or_the_last_counts(duplicates, expected, tmp_path):
    file = tmp_path / "twice.run"
    file.write_text("q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 a 3 1 t\n", encoding="utf-8")
    frame = pl.DataFrame({"query": ["q"] * 3, "document": ["a", "b", "a"], "score": [3.0, 2.0, 1.0]})
    for run in ({"q": ["a", "b", "a"]}, frame, str(file)):
        assert value({"q": {"a": 1}}, run, "rr", f"duplicates={duplicates}") == expected


def test_a_document_that_is_there_twice_is_an_error_that_names_both_places(tmp_path):
    file = tmp_path / "twice.run"
    file.write_text("q Q0 a 1 3 t\n\nq Q0 b 2 2 t\nq Q0 a 3 1 t\n", encoding="utf-8")
    with pytest.raises(rankgold.DataError) as from_file:
        value({"q": {"a": 1}}, str(file), "rr")
    assert str(from_file.value).startswith(
        f"{file}:4: query 'q' ranks document 'a' twice (first at line 1). Remove one, or pass --policy duplicates=first"
    )
    with pytest.raises(rankgold.DataError, match=r"lists document 'a' twice, at places 1 and 3\. Remove one, or pass"):
        value({"q": {"a": 1}}, {"q": ["a", "b", "a"]}, "rr")


# A score that is NaN or missing.
@pytest.mark.parametrize("score", [math.nan, None, math.inf])
def test_a_score_that_is_no_number_is_an_error_that_names_the_place(score):
    with pytest.raises(
        rankgold.DataError, match=r"the run: query 'q', document 'b': the score must be a finite number"
    ):
        value({"q": {"a": 1}}, {"q": {"a": 1.0, "b": score}}, "rr")
    with pytest.raises(rankgold.DataError, match="row 2"):
        value({"q": {"a": 1}}, pl.DataFrame({"query": ["q", "q"], "document": ["a", "b"], "score": [1.0, score]}), "rr")


# An undefined value. q1 has its relevant document at rank 2, q2 has none in the list: no mean rank.
@pytest.mark.parametrize(
    ("undefined", "second", "mean", "null"), [("nan", math.nan, 2.0, None), ("zero", 0.0, 1.0, 0.0)]
)
def test_an_undefined_value_is_left_out_of_the_mean_or_0(undefined, second, mean, null):
    run = {"q1": {"x": 2.0, "a": 1.0}, "q2": {"x": 1.0}}
    scores = rankgold.evaluate(TWO_QUERIES, run, ["mr"], policy=f"undefined={undefined}")
    assert scores.values("mr").tolist() == pytest.approx([2.0, second], nan_ok=True)
    assert scores["mr"] == mean
    assert scores.notes.undefined == {"mr": 1}
    assert scores.to_dict()["runs"]["run"]["per_query"]["q2"] == {"mr": null}


def test_scores_are_compared_at_the_width_of_the_policy():
    # 1 and 1 + 2^-30 are the same 32-bit float: then b, the higher id, stands first.
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1 + 2**-30, "b": 1.0}}
    assert [value(qrels, run, "rr", f"score_bits={bits}") for bits in (64, 32)] == [1.0, 0.5]


# Beyond what 32 bits hold, scores are equal: b and c are tied behind a, and the later id or position is first.
# AP of b and c at the ranks 2 and 3: (1/2 + 2/3) / 2 = 7/12. The longer query beside it makes the groups uneven.
LOW_GRADES, LOW_SCORES = {"a": 0, "b": 1, "c": 1}, {"a": 1.0, "b": -3.5e38, "c": -1.7e308}
LONGER = {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}


@pytest.mark.filterwarnings("error")
@for_each("ties", ["descending", "ascending", "input", "average"])
@for_each("engine", ["arrays", "local", "duckdb"])
def test_scores_beyond_32_bits_are_equal_and_stay_in_the_list(ties, engine):
    policy, measures = f"score_bits=32, ties={ties}", ["ap", "kendall", "spearman", "rr@2"]
    if engine == "arrays":
        grades, scores = [*LOW_GRADES.values(), 1, 0, 0, 0], [*LOW_SCORES.values(), *LONGER.values()]
        found = rankgold.evaluate(rankgold.from_arrays(grades, scores, groups=[3, 4], policy=policy), measures)
    else:
        qrels, run = {"1": LOW_GRADES, "2": {"a": 1}}, {"1": LOW_SCORES, "2": LONGER}
        found = rankgold.evaluate(qrels, run, measures, policy=policy, engine=engine)
    # Kendall: a is above both and should be below; 2 pairs tied in neither: -2 / sqrt(2 * 2).
    assert found.per_query.row(0)[1:] == pytest.approx((7 / 12, -1.0, -1.0, 1 / 2), rel=1e-15)


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_the_highest_number_of_32_bits_is_below_those_beyond(engine):
    # 3.4028234e38 is the highest; 3.40282351e38 is rounded to it, so a is tied with b; c and d are beyond.
    scores = {"a": 3.4028234663852886e38, "b": 3.40282351e38, "c": 1e39, "d": 1e308}
    run, documents = dict.fromkeys(scores, scores), list(scores)
    qrels = {document: {document: 1} for document in documents}
    found = rankgold.evaluate(qrels, run, ["mr"], policy="score_bits=32, ties=ascending", engine=engine)
    assert dict(found.per_query.rows()) == {"a": 3.0, "b": 4.0, "c": 1.0, "d": 2.0}


@pytest.mark.filterwarnings("error")
def test_correlations_of_the_highest_numbers_do_not_overflow():
    # Scores from high to low: a, c, b; grades: b, a, c. Of the pairs, a-c agrees, a-b and c-b do not: -1/3.
    # Ranks 1, 2, 3 against 2, 3, 1: 1 - 6 * (1 + 1 + 4) / 24 = -1/2.
    qrels, run = {"q": {"a": 1, "b": 2, "c": 0}}, {"q": {"a": 1.7e308, "b": -1.7e308, "c": 0}}
    found = rankgold.evaluate(qrels, run, ["kendall", "spearman"]).means
    assert found == pytest.approx({"kendall": -1 / 3, "spearman": -1 / 2}, rel=1e-15)


# A judged document that was not retrieved. Of the grades 1 and 3 only the 1 is retrieved: the scale goes to 1, where a
# reader stops at it with a chance of 1/2. On a scale to 3 that is 1/8.
MISSED_BEST = {"q": {"a": 1, "z": 3}}
ON_A_SCALE = [metric for metric in rankgold.measures.all() if metric.scale == "max"]


def dropping(qrels, run, measure, more=""):
    return value(qrels, run, measure, f"unretrieved=dropped, {more}")


def test_a_document_that_was_not_retrieved_is_not_on_the_scale_if_it_is_dropped():
    assert value(MISSED_BEST, {"q": ["a"]}, "err") == 1 / 8
    assert dropping(MISSED_BEST, {"q": ["a"]}, "err") == 1 / 2
    assert dropping(MISSED_BEST, {"q": ["a"]}, "rbp(worth=graded, p=0.5)") == 1 / 2
    # A scale that is given stays.
    assert dropping(MISSED_BEST, {"q": ["a"]}, "err(max=3)") == 1 / 8
    # If nothing is left, nobody stops.
    assert dropping(MISSED_BEST, {"q": ["x"]}, "err") == 0.0


@for_each("metric", ON_A_SCALE, ids=lambda metric: metric.name)
def test_what_is_left_after_dropping_has_the_values_of_labels_that_know_nothing_else(metric):
    measure = metric(worth="graded") if metric.name == "rbp" else metric()
    labels = rankgold.evaluate(rankgold.from_labels([[1, 0, 2]]), [measure, measure.with_parameters(max=2)])
    left = dropping({"q": {"a": 1, "c": 2, "z": 3}}, {"q": ["a", "b", "c"]}, str(measure))
    assert left == labels[str(measure)] == labels[str(measure.with_parameters(max=2))]


def test_the_scale_after_dropping_is_that_of_all_queries_and_of_each_run_alone():
    # The first run retrieves the grades 1 and 2, the second 1 and 0: stops of 1/4 and 1/2 for the grade 1.
    qrels = {"q1": {"a": 1, "z": 3}, "q2": {"b": 2, "c": 0}}
    runs = {"two": {"q1": ["a"], "q2": ["b"]}, "one": {"q1": ["a"], "q2": ["c"]}}
    for engine in ("local", "duckdb"):
        scores = rankgold.evaluate(qrels, runs, ["err"], policy="unretrieved=dropped", engine=engine)
        assert scores.values("err", "two").tolist() == [1 / 4, 3 / 4]
        assert scores.values("err", "one").tolist() == [1 / 2, 0.0]
    # The lists of the selected queries are all that there is.
    assert rankgold.evaluate(qrels, runs["two"], ["err"], policy="unretrieved=dropped", topics=["q1"])["err"] == 1 / 2


def test_a_document_beyond_the_depth_is_dropped_from_the_scale_and_the_ideal_ranking():
    grades, scores = {"a": 1, "b": 3}, {"a": 2.0, "b": 1.0}
    policy = "unretrieved=dropped, depth=1"
    forms = {
        "dicts": rankgold.match({"q": grades}, {"q": scores}, policy=policy),
        "lists": rankgold.from_lists([["a", "b"]], [grades], policy=policy),
        "labels": rankgold.from_labels([[1, 3]], policy=policy),
        "arrays": rankgold.from_arrays([[1, 3]], [[2.0, 1.0]], policy=policy),
        "duckdb": rankgold.match({"q": grades}, {"q": scores}, policy=policy, engine="duckdb"),
    }
    for form, hits in forms.items():
        # Only a is left: it alone is ideal, and grade 1 is the highest.
        assert rankgold.evaluate(hits, ["err", "ndcg", "r"]).means == {"err": 1 / 2, "ndcg": 1.0, "r": 1.0}, form


def test_notes_on_scores_in_arrays_are_about_the_documents_down_to_the_depth():
    # The first two scores are the same; the next two are, and only one of them is within the depth.
    scores = [5.0, 5.0, 4.0, 4.0, 3.0]
    for ties in ("input", "average"):
        hits = rankgold.from_arrays([[1, 0, 1, 0, 1]], [scores], policy=f"ties={ties}, depth=3")
        # With averaged ties, either of the two at the cut may be left.
        assert hits.notes.tied_hits == {"input": 3, "average": 4}[ties]
        assert (hits.notes.scores.lowest, hits.notes.scores.highest) == (4.0, 5.0)


def test_the_scale_after_dropping_goes_to_the_highest_grade_that_any_order_of_tied_documents_leaves():
    # Of a and b, one is left in each order. The scale goes to 3, so stops are 1/8 and 7/8.
    grades, scores = {"a": 1, "b": 3, "z": 4}, {"a": 1.0, "b": 1.0}
    policy = "unretrieved=dropped, ties=average, depth=1"
    assert value({"q": grades}, {"q": scores}, "err", policy) == pytest.approx((1 / 8 + 7 / 8) / 2, rel=1e-15)
    arrays = rankgold.from_arrays([[1, 3]], [[1.0, 1.0]], policy=policy)
    assert rankgold.evaluate(arrays, ["err"])["err"] == pytest.approx((1 / 8 + 7 / 8) / 2, rel=1e-15)


def test_batches_know_the_scale_of_each_run_after_dropping():
    qrels = {"q1": {"a": 1, "z": 3}, "q2": {"a": 1, "z": 3}}
    runs = {"poor": {query: {"a": 1.0} for query in qrels}, "good": {query: {"z": 1.0} for query in qrels}}
    batches = rankgold.Accumulator(["err"], "unretrieved=dropped")
    for query, row in qrels.items():
        batches.update({query: row}, {name: {query: run[query]} for name, run in runs.items()})
    assert batches.scores()["err"] == {"poor": 1 / 2, "good": 7 / 8}
    batches.update({"q3": {"a": 1}}, {name: {"q3": {"a": 1.0}} for name in runs})
    with pytest.raises(rankgold.MeasureError, match=r"differs between the batches: 1, 3\. Name the scale: err\(max="):
        batches.scores()


def test_relevant_or_not_needs_no_scale_in_batches():
    batches = rankgold.Accumulator(["rbp"])
    for query, grade in (("q1", 1), ("q2", 3)):
        batches.update({query: {"a": grade}}, {query: {"a": 1.0}})
    assert batches.scores()["rbp"] == pytest.approx(0.2, rel=1e-15)


# The policy itself.
@for_each(("field", "choice"), [(f, c) for f, choices in choices_of_fields().items() for c in choices])
def test_every_choice_is_made_by_text_as_in_python_and_its_text_makes_it_again(field, choice):
    policy = Policy.of(f"{field}={choice}")
    assert policy == Policy(**{field: choice})
    assert policy.to_dict() == {**Policy().to_dict(), field: choice}
    assert Policy.of(str(policy)) == policy


def test_later_parts_of_a_policy_come_before_earlier_ones():
    wanted = Policy(ties="ascending", missing="skip", dialect="trec_eval")
    assert Policy.of("trec_eval", "ties=ascending") == Policy.of(" trec_eval , ties = ascending ") == wanted
    given = Policy(missing="skip", dialect="trec_eval")
    assert Policy.of(given, None, "ties=input", "ties=ascending") == wanted
    assert Policy.of() == Policy.of(None) == Policy.of("") == Policy.of("rankgold") == Policy()


def test_the_text_of_a_policy_tells_what_differs_from_the_default():
    assert str(Policy()) == "rankgold"
    assert str(Policy(duplicates="last", ties="input")) == "ties=input, duplicates=last"
    assert str(PRESETS["trec_eval"]) == "missing=skip, dialect=trec_eval"


@for_each(
    ("wrong", "message"),
    [
        ("trec_evil", "No policy is called 'trec_evil'. Did you mean 'trec_eval'?"),
        ("tie=input", "No policy field is called 'tie'. Did you mean 'ties'?"),
        ("ties=random", "ties must be one of descending, ascending, input, average, not 'random'."),
        ("score_bits=16", "score_bits must be one of 64, 32, not '16'."),
        (7, "A policy must be a rankgold.Policy or text such as 'trec_eval', not int."),
    ],
)
def test_a_policy_that_does_not_exist_is_an_error_that_says_what_does(wrong, message):
    with pytest.raises(rankgold.PolicyError) as error:
        Policy.of(wrong)
    assert str(error.value).startswith(message)


def test_hits_keep_the_choices_they_were_matched_with():
    hits = rankgold.match(TWO_QUERIES, ONE_RANKED)
    assert rankgold.evaluate(hits, ["ap"], policy="missing=skip")["ap"] == 1.0
    with pytest.raises(rankgold.PolicyError, match="matched with ties=descending, which cannot be changed"):
        rankgold.evaluate(hits, ["ap"], policy="ties=input")


def test_the_policy_travels_with_the_scores():
    assert rankgold.evaluate(TWO_QUERIES, ONE_RANKED, ["ap"], policy="trec_eval").policy == Policy(
        missing="skip", dialect="trec_eval"
    )


def test_a_run_that_returned_nothing_for_any_query_scores_0_and_is_noted():
    scores = rankgold.evaluate({"q1": {"d1": 1}}, {"q1": {}}, ["ap"])
    assert scores["ap"] == 0.0
    assert scores.notes.without_ranking == ("q1",)
    assert rankgold.evaluate(rankgold.from_lists([[]], [["d1"]]), ["ap"])["ap"] == 0.0


def test_the_policy_of_hivemall_does_what_its_queries_do():
    # A user whom one table lacks falls out in the join, an item that stands twice is taken once, and ties stay.
    qrels = {"u1": {"a": 1}, "u2": {"a": 1}, "u3": {"b": 1}}
    run = {"u1": ["b", "a", "b"], "u3": {"a": 1.0, "b": 1.0}, "u9": ["a"]}
    scores = rankgold.evaluate(qrels, run, ["rr"], policy="hivemall")
    assert scores.per_query.rows() == [("u1", 1 / 2), ("u3", 1 / 2)]


@pytest.mark.parametrize(
    "text", ["," * 200_000, "ties=average," * 20_000, "x" * 10_000, "ties" + " " * 9_000 + "=input"]
)
def test_a_policy_of_hostile_length_is_an_error_that_names_the_limit(text):
    with pytest.raises(rankgold.PolicyError, match=f"at most 4,000 characters, and this one has {len(text):,}"):
        Policy.of(text)
