"""The names of measures: the grammar, every alias, the canonical text, and what errors say."""

import math

import numpy as np
import pytest

import rankgold
from rankgold import measures, parse_measure
from tests.cases import for_each


def test_a_name_alone_is_the_metric_with_its_defaults_over_the_whole_list():
    assert parse_measure("ndcg") == measures.ndcg()
    assert parse_measure("ndcg").k is None


def test_text_and_python_make_the_same_measure():
    assert parse_measure("ndcg(gain=exp)@10") == measures.ndcg(gain="exp") @ 10
    assert parse_measure("err(max=4, stop=sigmoid(2, 1.5))@20") == measures.err(max=4, stop="sigmoid(2, 1.5)") @ 20
    assert (
        parse_measure("gap(thresholds=(0.2, 0.8))")
        == measures.gap(thresholds=(0.2, 0.8))
        == measures.gap(thresholds=[0.2, 0.8])
    )
    assert parse_measure("ap@5") == measures.ap @ 5 == measures.ap() @ 5 == measures.ap(k=5)
    assert parse_measure(measures.rr) == measures.rr()
    assert parse_measure(measures.rr @ 3) == measures.rr @ 3


@for_each(
    "text",
    ["ndcg(gain=exp)@10", "nDCG(gain=exp)@10", "NDCG(GAIN=EXP)@10", " ndcg ( gain = exp ) @ 10 ", "ndcg(gain='exp')@10",
     'ndcg(gain="exp",)@10', "ndcg(gain=exp, discount=log2, ideal=judged)@10", "ndcg_cut_10(gain=exp)"],
)  # fmt: skip
def test_case_spaces_quotes_and_defaults_make_no_difference(text):
    assert parse_measure(text) == measures.ndcg(gain="exp") @ 10
    assert str(parse_measure(text)) == "ndcg(gain=exp)@10"


@for_each(
    ("text", "canonical"),
    [
        ("ndcg()", "ndcg"),
        ("p(rel=1)@5", "p@5"),
        ("p(rel=2.0)@5", "p(rel=2)@5"),
        ("f(rel=2, beta=0.5)@5", "f(beta=0.5, rel=2)@5"),
        ("dcg(discount=log)", "dcg(discount=log(e))"),
        ("dcg(discount=log(10.0))", "dcg(discount=log(10))"),
        ("dcg(discount=zipf(1))", "dcg(discount=zipf(1, 1))"),
        ("dcg(discount=exponential)", "dcg(discount=exponential(0.5))"),
        ("err(stop=sigmoid)", "err(stop=sigmoid(1, 0))"),
        ("gap(thresholds=[1,2])", "gap(thresholds=(1, 2))"),
        ("frp(miss=7)@3", "frp(miss=7)@3"),
        ("ap(norm=min)@007", "ap(norm=min)@7"),
    ],
)
def test_the_canonical_text_leaves_defaults_out_and_keeps_the_order_of_the_signature(text, canonical):
    assert str(parse_measure(text)) == canonical
    assert parse_measure(canonical) == parse_measure(text)
    assert hash(parse_measure(canonical)) == hash(parse_measure(text))


# The table of measure names: canonical, with every alias and trec_eval's spellings.
ALIASES = {
    "p": ["precision"],
    "p@10": ["P_10", "precision@10", "P@10", "p.10"],
    "r": ["recall"],
    "r@10": ["recall_10", "recall@10"],
    "f@5": ["f1@5", "F1@5"],
    "hit@3": ["success@3", "hitrate@3", "hit_rate@3", "success_3", "success.3"],
    "rprec": ["r_precision", "Rprec", "R_Precision"],
    "ap": ["map", "average_precision", "MAP"],
    "ap@10": ["map_cut_10", "map@10", "average_precision@10"],
    "ar": ["mar", "average_recall"],
    "gap": ["graded_average_precision"],
    "rr": ["mrr", "recip_rank", "reciprocal_rank", "MRR"],
    "rr@10": ["mrr@10", "recip_rank@10"],
    "err@20": ["merr@20"],
    "mr": ["mean_rank"],
    "frp": ["first_relevant_position"],
    "cg@5": ["cumulative_gain@5"],
    "dcg@5": ["DCG@5"],
    "ndcg@10": ["ndcg_cut_10", "nDCG@10", "ndcg_cut.10"],
    "idcg@5": ["ideal_dcg@5"],
    "auc@5": ["AUC@5"],
    "spearman": ["Spearman"],
    "kendall": ["Kendall"],
}


@for_each(("canonical", "alias"), [(name, alias) for name, every in ALIASES.items() for alias in every])
def test_an_alias_is_the_measure_itself(canonical, alias):
    assert parse_measure(alias) == parse_measure(canonical)
    assert str(parse_measure(alias)) == canonical


@for_each(
    ("theirs", "ours"),
    [
        ("r-precision", "rprec"),
        ("map-l2", "ap(rel=2)"),
        ("precision@5-l2", "p(rel=2)@5"),
        ("F1Beta(beta=2)@5", "f(beta=2)@5"),
        ("PartialAUC@5", "pauc(others=5)"),
        ("PAP@5", "pap(others=5)"),
        ("RecipRank@5", "rr@5"),
        ("AveragePrecision@5", "ap(norm=reachable)@5"),
        ("ndcg_score@10", "ndcg@10"),
        ("average_precision_score", "lrap"),
        ("LAP", "lrap"),
        ("ListLength", "num_ret"),
        ("TestItemCount", "num_rel"),
        ("PrecisionMetric@5", "p(norm=returned)@5"),
        ("RecallMetric@5", "r@5"),
        ("HitsMetric@5", "hit@5"),
        ("MRRMetric@5", "rr@5"),
        ("MeanAveragePrecisionMetric@5", "ap@5"),
        ("DCGMetric@5", "dcg(gain=exp)@5"),
        ("NDCGMetric@5", "ndcg(gain=exp)@5"),
        ("ARPMetric", "arp"),
        ("OPAMetric", "opa"),
        ("PrecisionIAMetric@5", "p_ia@5"),
        ("AlphaDCGMetric@5", "alpha_dcg@5"),
        ("RetrievalRecallAtFixedPrecision(precision=0.8)@10", "r_at_p(precision=0.8)@10"),
    ],
)
def test_spellings_of_other_tools_are_understood(theirs, ours):
    assert str(parse_measure(theirs)) == ours


@for_each(
    ("text", "message"),
    [
        ("ndcg@10-l2", "ndcg has no parameter 'rel'"),
        ("ap(rel=3)-l2", "rel is given twice"),
        ("ap(rel=1)-l2", "rel is given twice"),
        ("map-l0", "rel must be above 0, not '0'"),
        ("map-2", "This is not part of a measure"),
        ("map@10-m2", "A cutoff must be a whole number from 1, not '10-m2'"),
    ],
)
def test_a_wrong_level_at_the_end_of_a_name_is_an_error(text, message):
    with pytest.raises(rankgold.MeasureError, match=message):
        parse_measure(text)


def test_every_measure_of_the_table_is_there():
    assert {metric.name for metric in measures.all()} >= {parse_measure(canonical).metric.name for canonical in ALIASES}


def test_scores_are_found_under_the_text_given_and_under_the_canonical_one():
    scores = rankgold.evaluate(rankgold.from_labels([[0, 1]]), ["ndcg_cut_10", "F1@2", measures.rr])
    assert scores["ndcg_cut_10"] == scores["ndcg@10"] == scores["nDCG@10"] == scores.means["ndcg@10"]
    assert scores["f@2"] == scores[measures.f @ 2] == 2 * 1 / (1 + 2)
    assert scores["mrr"] == scores["rr"] == 1 / 2
    assert scores.per_query.columns == ["query", "ndcg_cut_10", "F1@2", "rr"]
    assert "rr" in scores
    assert "ap" not in scores


def pointed(message, text, at):
    """The message as it is shown, with a caret under the spot."""
    return f"{message}\n  {text}\n  {' ' * at}^"


PARAMETERS = "It takes gain, discount, ideal."
CUTOFF = "A cutoff must be a whole number from 1, not"


@for_each(
    ("text", "message", "at"),
    [
        ("ndgc", "No measure is called 'ndgc'. Did you mean 'ndcg'?", 0),
        ("  ndgc@10", "No measure is called 'ndgc'. Did you mean 'ndcg'?", 2),
        ("NDGC_cut_10", "No measure is called 'NDGC_cut_10'. Did you mean 'ndcg_cut'?", 0),
        ("zzzz", "No measure is called 'zzzz'.", 0),
        ("ndcg(gain=cubic)@10", "gain must be one of linear, exp, binary, not 'cubic'.", 10),
        ("ap(norm=all)", "norm must be one of relevant, retrieved, min, k, returned, reachable, not 'all'.", 8),
        ("p(rel=high)@3", "rel must be a number, not 'high'.", 6),
        ("p(rel=nan)@3", "rel must be a number, not 'nan'.", 6),
        ("dcg(discount=zipf(1, 2, 3))", "zipf takes 2 numbers, and 'zipf(1, 2, 3)' has 3.", 13),
        ("dcg(discount=log(ten))", "'ten' in 'log(ten)' is not a number.", 13),
        ("ndcg@0", f"{CUTOFF} 0.", 5),
        ("ndcg@-3", f"{CUTOFF} -3.", 5),
        ("ndcg@1.5", f"{CUTOFF} '1.5'.", 5),
        ("ndcg@ten", f"{CUTOFF} 'ten'.", 5),
        ("ndcg_cut_0", f"{CUTOFF} 0.", 9),
        ("rprec@5", "rprec takes no cutoff.", 6),
        ("ndcg(gian=exp)", f"ndcg has no parameter 'gian'. Did you mean 'gain'? {PARAMETERS}", 5),
        ("ndcg(k=5)", f"ndcg has no parameter 'k'. {PARAMETERS}", 5),
        ("spearman(rel=1)", "spearman has no parameter 'rel'. It takes none.", 9),
        ("ndcg(gain=exp, gain=exp)", "gain is given twice.", 15),
        ("ndcg(gain=exp", "This parenthesis is not closed.", 4),
        ("dcg(discount=log(2)@5", "This parenthesis is not closed.", 3),
        ("ndcg(exp)@5", "Parameters must be written as name=value, with commas between.", 5),
        ("ndcg@10 please", "This is not part of a measure; the form is name(parameter=value)@k.", 8),
        ("ndcg(gain=exp))", "This is not part of a measure; the form is name(parameter=value)@k.", 14),
        ("ndcg/10", "This is not part of a measure; the form is name(parameter=value)@k.", 4),
        ("@10", "A measure must start with its name, as in 'ndcg@10'.", 0),
        ("", "A measure must start with its name, as in 'ndcg@10'.", 0),
    ],
)
def test_an_error_says_what_is_wrong_and_points_at_it(text, message, at):
    with pytest.raises(rankgold.MeasureError) as error:
        parse_measure(text)
    assert str(error.value) == pointed(message, text, at)


def test_the_errors_of_the_style_guide_are_word_for_word_those():
    with pytest.raises(rankgold.MeasureError) as unknown:
        parse_measure("ndgc")
    assert str(unknown.value).splitlines()[0] == "No measure is called 'ndgc'. Did you mean 'ndcg'?"
    with pytest.raises(rankgold.MeasureError) as choice:
        parse_measure("ndcg(gain=cubic)@10")
    assert str(choice.value).splitlines() == [
        "gain must be one of linear, exp, binary, not 'cubic'.",
        "  ndcg(gain=cubic)@10",
        "            ^",
    ]
    missing = rankgold.MissingDependency("DuckDB", "duckdb")
    assert str(missing) == "This needs DuckDB, which is not installed: pip install duckdb"


@for_each(
    ("text", "canonical"),
    [
        ("top_k_accuracy@5", "hit@5"),
        ("topk_accuracy_5", "hit@5"),
        # The number of set_F is the square of beta, and no cutoff: 0.25 is that of 0.5, and 4 that of 2.
        ("set_F.0.25", "f(beta=0.5)"),
        ("set_F_4", "f(beta=2)"),
        ("set_F@4", "f@4"),
    ],
)
def test_a_name_of_another_tool_with_a_number_is_what_it_is_there(text, canonical):
    assert str(parse_measure(text)) == canonical


@for_each(
    ("text", "hint"),
    [
        ("runid", "It is a text in trec_eval, not a number: 'rankgold trec_eval -q -m runid' prints it."),
        ("relstring_20", "It is a text in trec_eval, not a number: 'rankgold trec_eval -q -m relstring.20' prints it."),
        (
            "prefs_pair",
            "It needs preferences between documents: 'rankgold trec_eval -R prefs -m prefs_pair' prints it.",
        ),
        (
            "P_avgjg_5",
            "It needs the grades of several judges: 'rankgold trec_eval -R qrels_jg -m P_avgjg.5' prints it.",
        ),
        ("official", "It is a list of measures in trec_eval: 'rankgold trec_eval -m official' prints them."),
        (
            "lwlrap",
            "It is lrap with a mean over all relevant labels instead of queries:"
            " numpy.average(scores.values('lrap'), weights=scores.values('num_rel')) computes it.",
        ),
    ],
)
def test_a_measure_of_another_tool_that_is_no_mean_of_grades_is_an_error_with_what_to_do(text, hint):
    with pytest.raises(rankgold.MeasureError) as caught:
        parse_measure(text)
    assert str(caught.value).splitlines()[0] == f"{text!r} cannot be evaluated here. {hint}"


@for_each("k", [0, -1, 1.5, True, "10", [1]])
def test_a_cutoff_in_python_is_a_whole_number_from_1(k):
    with pytest.raises(rankgold.MeasureError, match="A cutoff must be a whole number from 1"):
        measures.ndcg @ k


def test_parameters_in_python_are_checked_as_those_in_text():
    with pytest.raises(rankgold.MeasureError, match=r"ndcg has no parameter 'gian'\. Did you mean 'gain'\?"):
        measures.ndcg(gian="exp")
    with pytest.raises(rankgold.MeasureError, match="gain must be one of linear, exp, binary, not 'cubic'"):
        measures.ndcg(gain="cubic")
    with pytest.raises(rankgold.MeasureError, match="rel must be a number, not True"):
        measures.p(rel=True)
    with pytest.raises(rankgold.MeasureError, match="rprec takes no cutoff"):
        measures.rprec @ 5


def test_a_family_of_functions_with_numbers_out_of_range_is_an_error():
    for text in ("dcg(discount=log(1))", "dcg(discount=zipf(-1))"):
        with pytest.raises(rankgold.MeasureError):
            rankgold.evaluate(rankgold.from_labels([[1]]), [text])
    with pytest.raises(rankgold.MeasureError, match="thresholds must be shares of readers"):
        rankgold.evaluate(rankgold.from_labels([[1]]), ["gap(thresholds=(0.5, -0.5))"])


@pytest.mark.parametrize("given", [10, None, ["ndcg"], b"ndcg"])
def test_what_is_neither_text_nor_a_measure_is_an_error(given):
    with pytest.raises(
        rankgold.MeasureError, match="A measure must be text such as 'ndcg@10' or a rankgold Measure, not"
    ):
        parse_measure(given)


def test_evaluate_asks_for_at_least_one_measure():
    with pytest.raises(rankgold.MeasureError, match="There is no measure"):
        rankgold.evaluate(rankgold.from_labels([[1]]), [])


@for_each(
    "text",
    ["ap" + " " * 100_000, " " * 100_000 + "ap", "ap(rel=2" + " " * 50_000 + "x" + " " * 50_000 + ")", "a" * 100_000,
     "ap(" + "rel=1," * 20_000 + ")", "ap(" * 20_000, "ap@" + "9" * 5_000, "P_" + "9" * 5_000,
     "gap(thresholds=(" + "1," * 20_000 + "))"],
    ids=lambda text: f"{text[:8]}...",
)  # fmt: skip
def test_a_text_of_hostile_length_is_an_error_that_names_the_limit(text):
    with pytest.raises(rankgold.MeasureError, match=f"at most 4,000 characters, and this one has {len(text):,}"):
        parse_measure(text)


def test_the_text_of_a_measure_may_have_as_many_characters_as_the_limit():
    assert parse_measure("ap" + " " * 3_998) == measures.ap()
    thresholds = (0.5,) * 700
    assert parse_measure(str(measures.gap(thresholds=thresholds))) == measures.gap(thresholds=thresholds)


@pytest.mark.parametrize("k", [2**63, 10**400, 10**5000], ids=["2**63", "10**400", "10**5000"])
def test_a_cutoff_beyond_64_bits_is_an_error(k):
    with pytest.raises(rankgold.MeasureError, match="A cutoff must be at most 9,223,372,036,854,775,807, not"):
        measures.ap @ k


@pytest.mark.parametrize("text", ["ap@9223372036854775808", "p_9223372036854775808", "ap@" + "9" * 3_000])
def test_a_cutoff_beyond_64_bits_in_a_text_is_an_error(text):
    with pytest.raises(rankgold.MeasureError, match="A cutoff must be at most 9,223,372,036,854,775,807, not"):
        parse_measure(text)


def test_every_measure_takes_the_deepest_cutoff():
    qrels, run = {"q": {"a": 2, "b": 1, "c": 1}}, {"q": {"b": 3.0, "x": 2.0, "a": 1.0}}
    names = [metric.name for metric in measures.all() if metric.takes_cutoff]
    whole = rankgold.evaluate(qrels, run, names).means
    deepest = rankgold.evaluate(qrels, run, [f"{name}@{2**63 - 1}" for name in names], policy="ties=average").means
    # These divide by the cutoff, or by R or the list, whichever is shorter.
    by_cutoff = {"p": 2 / 2**63, "f": 2 * 2 / 2**63, "unjudged": 1 / 2**63, "p_ia": 2 / 2**63}
    # Or by the gain of a list of that many relevant documents, which counts half from each to the next.
    by_cutoff["alpha_dcg"] = (1 + 0.5 / 2) / math.fsum(0.5 ** (rank - 1) / math.log2(rank + 1) for rank in range(1, 99))
    by_cutoff["err_ia"] = (1 + 0.5 / 3) / (2 * math.log(2))
    assert list(deepest.values()) == pytest.approx(list((whole | by_cutoff).values()), rel=1e-12)


@for_each(
    ("name", "allowed", "refused"),
    [
        ("inst(t={})", ["0.5", "1000000"], ["0.49", "1000001"]),
        ("insq(t={})", ["0.5", "1000000"], ["0.49", "1000001"]),
        ("q(beta={})", ["0", "1e100"], ["-0.1", "2e100"]),
        ("bpm(t={})", ["0.01"], ["0"]),
        ("bpm_dynamic(t={})", ["0.01"], ["0"]),
        ("bpm_dynamic(patience={})", ["1"], ["0.9"]),
        ("bpm_dynamic(hb={})", ["0", "1000000"], ["-0.1", "1000001"]),
        ("bpm_dynamic(hc={})", ["0", "1000000"], ["-0.1", "1000001"]),
        ("bpm_dynamic(middle={})", ["0", "1"], ["-0.1", "1.1"]),
        ("alpha_dcg(alpha={})", ["0", "1"], ["-0.1", "1.1"]),
        ("iprec(recall={})", ["0", "1"], ["-0.1", "1.1"]),
        ("iprec_mean(recalls=({}, 0.5))", ["0", "1"], ["-0.1", "1.1"]),
        ("r_at_p(precision={})", ["0", "1"], ["-0.1", "1.1"]),
        ("rbp(p={})", ["0.01", "0.99"], ["0", "1"]),
        ("compat(p={})", ["0.01", "0.99"], ["0", "1"]),
        ("nrbp(beta={})", ["0.01", "0.99"], ["0", "1"]),
        ("f(beta={})", ["0.01"], ["0"]),
        ("rprec_mult(multiple={})", ["0.01"], ["0"]),
        ("pauc(others={})", ["1"], ["0"]),
        ("accuracy(documents={})", ["1"], ["0"]),
        ("err(max={})", ["0.01"], ["0"]),
        ("alpha_dcg(max={})", ["0.01"], ["0"]),
        ("rbp(worth=graded, max={})", ["0.01"], ["0"]),
        ("frp(miss={})", ["1"], ["0"]),
    ],
)  # fmt: skip
def test_a_parameter_may_have_the_values_up_to_its_bounds_and_none_beyond(name, allowed, refused):
    for number in allowed:
        assert parse_measure(name.format(number)).metric.name == name.partition("(")[0]
    for number in refused:
        with pytest.raises(rankgold.MeasureError, match=f" must be (at least|at most|above|below) .*, not '?{number}"):
            parse_measure(name.format(number))


@for_each(("metric", "name"), [("ap", "rel"), ("err", "max"), ("f", "beta"), ("gap", "thresholds")])
@for_each("number", [10**400, 10**5000], ids=["10**400", "10**5000"])
def test_a_number_beyond_floats_is_an_error(metric, name, number):
    value = (1, number) if name == "thresholds" else number
    with pytest.raises(rankgold.MeasureError, match=rf"{name} must be at most 1\.79e308, not"):
        getattr(measures, metric)(**{name: value})


def test_precision_is_that_of_the_examples_of_tensorflow_ranking():
    # From its documentation: y_true, y_pred, and the result of PrecisionMetric(topn=2).
    one = rankgold.from_arrays([[0.0, 1.0, 1.0]], [[3.0, 1.0, 2.0]])
    ragged = rankgold.from_arrays([0.0, 1.0, 1.0, 2.0, 0.0], [2.0, 1.0, 2.0, 5.0, 4.0], groups=[2, 3])
    assert rankgold.evaluate(one, "PrecisionMetric@2")["PrecisionMetric@2"] == 0.5
    assert rankgold.evaluate(ragged, "PrecisionMetric@2")["PrecisionMetric@2"] == 0.5
    # ARPMetric() of the same lists: 2.5, and a mean of 1.75 in which a list weighs as much as its grades, 1 and 3.
    assert rankgold.evaluate(one, "ARPMetric")["ARPMetric"] == 2.5
    assert np.average(rankgold.evaluate(ragged, "ARPMetric").values("ARPMetric"), weights=[1, 3]) == 1.75


def test_the_label_weighted_mean_of_lrap_is_that_of_scikit_learn_with_weights():
    # lrap is 1 with one relevant label, and (1/2 + 2/3) / 2 = 7/12 with two: (1 * 1 + 2 * 7/12) / 3 = 13/18.
    hits = rankgold.from_arrays([[1, 0, 0], [0, 1, 1]], [[0.9, 0.2, 0.1], [0.9, 0.8, 0.7]])
    scores = rankgold.evaluate(hits, ["lrap", "num_rel"])
    assert np.average(scores.values("lrap"), weights=scores.values("num_rel")) == pytest.approx(13 / 18)
