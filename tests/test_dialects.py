"""The dialects of tools: their names, and their numbers where the tool cannot be installed. Others are in peers/."""

import re
from typing import get_args

import numpy as np
import pytest

import rankgold
from rankgold import Policy
from rankgold.core.dialects import DialectName, all_tables, names_of_dialects, table_of
from rankgold.measures.notation import parse_in_dialect
from tests.cases import for_each
from tests.charts import title
from tests.dialect_formulas import FORMULAS
from tests.peers.collections import all_collections, in_order, values
from tests.report_blocks import blocks_of

REC, TRUTH = {"u": [1, 3, 2, 6]}, {"u": [1, 2, 4]}


def test_the_same_list_has_three_values_of_ap_at_2():
    # Of 1, 3, 2, 6 with 1, 2, 4 relevant, the first is a hit: 1 over R = 3, over min(k, R) = 2, or over 1 hit.
    by_value = {}
    for name in names_of_dialects():
        value = rankgold.evaluate(TRUTH, REC, "ap@2", policy=name)["ap@2"]
        by_value.setdefault(round(value, 3), set()).add(name)
    assert by_value[0.333] >= {"rankgold", "trec_eval", "trec_eval_9", "pytrec_eval", "ranx", "ir_measures", "rectools"}
    assert by_value[0.5] >= {"spark", "lenskit", "ml_metrics"}
    assert by_value[1.0] >= {"hivemall", "torchmetrics"}


def test_type_checkers_know_every_dialect():
    assert get_args(DialectName) == names_of_dialects()


@for_each("name", FORMULAS)
def test_the_numbers_of_its_formulas_on_200_collections(name):
    qrels, run = all_collections(ties=name != "tensorflow_ranking")
    ranked = {query: in_order(row) for query, row in run.items()}
    if name == "elasticsearch":  # a query that finds nothing
        ranked |= {query: [] for query in qrels if query not in ranked}
    for k in (1, 4, 10, 40):
        expected = {
            query: FORMULAS[name]([row.get(document) for document in ranked[query]], list(row.values()), k)
            for query, row in qrels.items()
            if query in ranked
        }
        names = list(next(iter(expected.values())))
        ours = rankgold.evaluate(qrels, ranked, names, policy=name)
        for measure in names:
            theirs = {query: row[measure] for query, row in expected.items()}
            assert values(ours, measure) == pytest.approx(theirs, abs=1e-9), measure


@for_each("table", all_tables(), ids=lambda table: table.name)
def test_a_table_says_what_it_was_checked_against_and_its_names_mean_what_it_says(table):
    assert table.tool
    assert table.checked
    assert table.measures.split() == sorted(table.measures.split())
    assert {rankgold.parse_measure(name).metric.name for name in table.measures.split()} == {*table.measures.split()}
    assert {*table.defaults} <= {*table.measures.split(), "dcg"}
    assert re.fullmatch(r"\d+(\.\d+)+", table.version)
    assert Policy.of(table.name) == Policy.of(table.policy, f"dialect={table.name}" if table.changes_measures else None)
    for spelled, text in table.names.items():
        measure = rankgold.parse_measure(text)
        assert parse_in_dialect(spelled, table.name) == measure
        # The text in full means the same inside the dialect.
        assert parse_in_dialect(text, table.name) == measure
    for metric, parameters in table.defaults.items():
        assert dict(parse_in_dialect(metric, table.name).chosen).keys() == parameters.keys()


def test_a_parameter_that_is_given_wins_and_a_measure_built_in_python_is_taken_as_it_is():
    scores = rankgold.evaluate(TRUTH, REC, ["ap(norm=relevant)@2", "ap@2"], policy="spark")
    assert scores.means == {"ap(norm=relevant)@2": pytest.approx(1 / 3), "ap@2": 0.5}
    assert rankgold.evaluate(TRUTH, REC, [rankgold.measures.ap @ 2], policy="spark").means == {
        "ap@2": pytest.approx(1 / 3)
    }


def test_names_are_called_as_in_the_tool():
    spelled = {
        ("lenskit", "NDCG(10, gain='rating')"): "ndcg(discount=jk)@10",
        ("rectools", "MAP(k=5, divide_by_k=True)"): "ap(norm=k)@5",
        ("torchmetrics", "RetrievalPrecision(top_k=3, adaptive_k=True)"): "p(norm=returned)@3",
        ("spark", "ndcgAt(7)"): "ndcg(gain=binary)@7",
        ("elasticsearch", "precision"): "p(norm=returned)@10",
        ("elasticsearch", "precision@5"): "p(norm=returned)@5",
        ("lightgbm", "map@3"): "ap(norm=min)@3",
        ("ranx", "hits@3-l2"): "hits(rel=2)@3",
        ("spark", "ap(norm=relevant)@10-l2"): "ap(rel=2)@10",
        ("ml_metrics", "mapk"): "ap(norm=min)@10",
        ("lenskit", "ndcg(discount=zipf(1, 0.5))@5"): "ndcg(gain=binary, discount=zipf(1, 0.5))@5",
    }
    assert {key: str(parse_in_dialect(text, dialect)) for key in spelled for dialect, text in [key]} == spelled


def test_a_cutoff_of_thousands_of_digits_is_an_error():
    with pytest.raises(rankgold.MeasureError, match="at most 4,000 characters"):
        parse_in_dialect(f"ndcgAt({'9' * 5000})", "spark")


def test_a_dialect_holds_in_every_function_that_takes_a_policy():
    hits = rankgold.match(TRUTH, REC, policy="hivemall")
    assert rankgold.evaluate(hits, ["ap@2"])["ap@2"] == 1
    assert rankgold.explain(hits, measure="ap@2").value == 1
    assert rankgold.diff(TRUTH, REC, {"u": [3, 1]}, "ap@2", policy="hivemall").measure == rankgold.parse_measure(
        "ap(norm=retrieved)@2"
    )
    total = rankgold.Accumulator(["ap@2"], policy="hivemall")
    total.update(TRUTH, REC)
    assert total.scores()["ap@2"] == 1
    assert rankgold.evaluate(TRUTH, REC, ["ap@2"], policy="hivemall", engine="duckdb")["ap@2"] == 1
    found = rankgold.doctor(TRUTH, {"u": ["d1", "d3", "d2"]}, "average_precision@2", policy="hivemall")
    assert found.findings[1].effect.values == {"average_precision@2": (0, 1)}  # with the prefix removed
    page = rankgold.report(TRUTH, REC, measures=["ap@2"], policy="hivemall").html
    assert list(blocks_of(page)["core"]["values"]["ap@2"][0]) == [1]


def test_scores_are_asked_for_measures_in_the_dialect_of_their_policy():
    # Over the one hit found, average precision is 1; over the 3 relevant documents it is 1/3.
    scores = rankgold.evaluate(TRUTH, REC, ["ap(norm=relevant)@2", "ap@2"], policy="hivemall")
    assert scores["average_precision@2"] == scores.means["average_precision@2"] == 1
    assert scores.values("average_precision@2").tolist() == [1]
    assert rankgold.Scores.from_json(scores.to_json())["average_precision@2"] == 1
    assert scores["average_precision(norm=relevant)@2"] == pytest.approx(1 / 3)
    assert "average_precision@3" not in scores
    two = rankgold.evaluate(TRUTH, {"a": {"u": [3, 1]}, "b": REC}, ["ap(norm=relevant)@2", "ap@2"], policy="hivemall")
    assert two.sorted_by("average_precision@2").runs == ["b", "a"]
    assert two.best("average_precision@2") == {"b"}
    assert rankgold.evaluate(TRUTH, REC, ["ap@2"])["average_precision@2"] == pytest.approx(1 / 3)


def test_intervals_are_asked_for_measures_in_the_dialect_of_their_policy():
    # Reciprocals of the ranks of the only hits: 1, 1/2 and 1/3 over one hit, but 1/2, 1/4 and 1/6 over 2 documents.
    truth = {query: ["a", "b"] for query in "xyz"}
    run = {"x": ["a"], "y": ["-", "a"], "z": ["-", "+", "a"]}
    intervals = rankgold.evaluate(truth, run, ["ap(norm=relevant)@9", "ap@9"], policy="hivemall").intervals()
    assert intervals["average_precision@9"] == intervals["ap@9"] != intervals["ap(norm=relevant)@9"]


def test_the_scores_say_what_a_name_means():
    scores = rankgold.evaluate(TRUTH, REC, ["ap@2", "rr"], policy="spark")
    assert "as in Spark MLlib, ap@2 is ap(norm=min)@2" in repr(scores)
    assert scores.to_dict()["policy"]["dialect"] == "spark"
    assert "as in" not in repr(rankgold.evaluate(TRUTH, REC, ["ap@2"], policy="trec_eval"))


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_judged_documents_that_were_not_retrieved_are_dropped(engine):
    # R is 1 without the documents that the list does not have: ap = 1 / 2, and the ideal ranking is one document.
    qrels, run = {"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"x": 2.0, "a": 1.0}}
    found = rankgold.evaluate(qrels, run, ["ap", "r", "ndcg"], policy="unretrieved=dropped", engine=engine).means
    assert found == pytest.approx({"ap": 1 / 2, "r": 1.0, "ndcg": 1 / np.log2(3)})


def test_a_list_is_held_against_what_its_length_can_reach():
    # Two of three relevant documents fit into a list of two: 1 / 2 of the precisions, 1 / (1 + 1 / log2(3)) of the gains.
    qrels, run = {"q": ["a", "b", "c"]}, {"q": ["a", "x"]}
    names = ["ap(norm=reachable)@5", "ndcg(ideal=reachable)@5"]
    assert list(rankgold.evaluate(qrels, run, names).means.values()) == pytest.approx([1 / 2, 1 / (1 + 1 / np.log2(3))])


def test_an_unknown_dialect_is_an_error_that_names_those_there_are():
    with pytest.raises(rankgold.PolicyError, match=r"No policy is called 'lensket'\. Did you mean 'lenskit'\?"):
        rankgold.evaluate(TRUTH, REC, ["ap"], policy="lensket")


def test_a_dialect_is_suggested_by_the_name_of_its_tool():
    with pytest.raises(rankgold.PolicyError, match=r"Did you mean 'sklearn'\?.* elasticsearch, lightgbm, ml_metrics;"):
        Policy.of("scikit-learn")


def test_a_dialect_after_other_choices_is_an_error_as_they_would_not_count():
    for text in ("ties=average, spark", "lenskit, spark"):
        with pytest.raises(rankgold.PolicyError, match="Write 'spark' first, and single choices after it"):
            Policy.of(*text.split(","))


def there(tool, start):
    """The number of the tool in the first case that is not repeated and starts so."""
    return next(float(case.there) for case in table_of(tool).not_repeated if case.case.startswith(start))


def test_spark_counts_a_repeated_document_each_time_and_takes_labels_as_the_ideal_ranking():
    labels, predictions = {1, 2}, [1, 1, 2]
    assert sum(each in labels for each in predictions) / len(labels) == there("spark", "`recallAt(3)`")
    once = rankgold.evaluate({"u": [1, 2]}, {"u": predictions}, ["recallAt(3)"], policy="spark, duplicates=first")
    assert once["recallAt(3)"] == 1
    gains = {"b": 2**1 - 1, "a": 2**2 - 1}
    best, found = (sum(gains[each] / np.log2(i + 2) for i, each in enumerate(order)) for order in ("ba", "ab"))
    assert round(found / best, 4) == there("spark", "`ndcgAt(2)`")
    graded = {"u": {"b": 1, "a": 2}}, {"u": ["a", "b"]}
    assert rankgold.evaluate(*graded, ["ndcg(gain=exp)@2"], policy="spark").means == {"ndcg(gain=exp)@2": 1}


def test_elasticsearch_can_give_a_grade_to_documents_without_a_judgement():
    gain = 2**1 - 1
    assert round(gain / np.log2(2) + gain / np.log2(3), 4) == there("elasticsearch", "`dcg` with")
    dcg = rankgold.evaluate({"q": {"a": 1}}, {"q": ["x", "a"]}, ["dcg"], policy="elasticsearch")["dcg"]
    assert dcg == pytest.approx(gain / np.log2(3))


def test_ml_metrics_keeps_the_place_of_a_repeated_document():
    actual, predicted = [1, 2], [1, 1, 2]
    hits, total = 0, 0.0
    for i, each in enumerate(predicted):
        if each in actual and each not in predicted[:i]:
            hits += 1
            total += hits / (i + 1)
    assert round(total / min(len(actual), 3), 4) == there("ml_metrics", "`apk([1, 2]")
    run = {"u": predicted}
    assert rankgold.evaluate({"u": actual}, run, ["apk@3"], policy="ml_metrics, duplicates=first")["apk@3"] == 1
    with pytest.raises(rankgold.DataError, match="twice"):
        rankgold.evaluate({"u": actual}, run, ["apk@3"], policy="ml_metrics")


def test_the_tables_of_the_tools_that_are_not_repeated_have_examples():
    cases = [case for table in all_tables() for case in table.not_repeated]
    assert len(cases) > 25
    assert all(case.case and case.there and case.here for case in cases)


@pytest.mark.plots
def test_the_plot_of_average_precision_is_that_of_the_dialect():
    hits = rankgold.match(TRUTH, REC, policy="hivemall")
    shown = title(rankgold.plots.average_precision(hits, "average_precision@2"))
    assert shown[0] == "Average precision@2 (norm=retrieved) of query u: 1.0000"


@pytest.mark.spark
@pytest.mark.filterwarnings("ignore:Deprecated in 3.0.0")  # of Spark, in RankingMetrics
def test_spark_itself_gives_the_means_of_its_dialect(spark):
    from pyspark.mllib.evaluation import RankingMetrics

    qrels, run = all_collections()
    ranked = {query: [int(document[1:]) for document in in_order(row)] for query, row in run.items() if query in qrels}
    labels = {query: [int(d[1:]) for d, grade in qrels[query].items() if grade >= 1] for query in ranked}
    queries = [{*ranked}, *({query} for query in list(ranked)[:2])]
    for chosen in queries:
        pairs = [([float(d) for d in ranked[q]], [float(d) for d in labels[q]]) for q in chosen]
        theirs = RankingMetrics(spark.sparkContext.parallelize(pairs, 1))
        judged = {query: dict.fromkeys(labels[query], 1) or {-1: 0} for query in chosen}
        names = [
            f"{name}({k})"
            for name in ("precisionAt", "recallAt", "meanAveragePrecisionAt", "ndcgAt")
            for k in (1, 4, 10)
        ]
        ours = rankgold.evaluate(
            judged, {query: ranked[query] for query in chosen}, [*names, "meanAveragePrecision"], policy="spark"
        )
        for name in names:
            function, k = name.rstrip(")").split("(")
            assert ours[name] == pytest.approx(getattr(theirs, function)(int(k)), abs=1e-9), (name, chosen)
        assert ours["meanAveragePrecision"] == pytest.approx(theirs.meanAveragePrecision, abs=1e-9)
