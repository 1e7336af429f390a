"""What every plot shows, against values worked by hand, by NumPy alone, or by another tool."""

import math

import numpy as np
import pytest
from scipy import stats

import rankgold
from rankgold.comparison.significance_tests import mean_ranks
from rankgold.data.files import sample
from rankgold.present.plots import PLOTS
from tests.cases import for_each
from tests.charts import rows, tables, title

pytestmark = pytest.mark.plots

plots = rankgold.plots
VALUES = {}

# Relevant at ranks 1 and 3; at rank 2. Both queries have all their relevant documents in the list.
TWO = [[1, 0, 1], [0, 1, 0]]


def shows(name):
    """The test that checks the values of a plot."""

    def declare(test):
        VALUES[name] = test
        return test

    return declare


def test_every_plot_has_a_test_of_its_values():
    assert set(VALUES) == set(PLOTS)


@for_each("name", sorted(PLOTS))
def test_the_chart_holds_the_values_worked_elsewhere(name):
    VALUES[name]()


@shows("grid")
def _():
    chart = plots.grid(TWO)
    assert rows(chart, "query", "value") == [("1", 1), ("2", 1 / 2)]
    assert rows(chart, "mean", "text") == [(3 / 4, "MRR 0.7500")]
    cells = [("1", 1, 1), ("1", 2, 0), ("1", 3, 1), ("2", 1, 0), ("2", 2, 1), ("2", 3, 0)]
    assert rows(chart, "query", "rank", "grade") == cells
    # Of a run: what is not judged has no grade, and the cells end where the list ends.
    chart = plots.grid(rankgold.match({"q": {"a": 2, "b": 0}}, {"q": {"x": 3, "a": 2, "b": 1}}), "frp")
    assert rows(chart, "rank", "grade", "document") == [(1, None, "x"), (2, 2, "a"), (3, 0, "b")]
    assert rows(chart, "query", "value") == [("q", 2)]


@shows("per-query")
def _():
    # AP of the first is (1/1 + 2/3) / 2 = 5/6, of the second 1/2.
    chart = plots.per_query(TWO, "ap")
    assert rows(chart, "query", "value") == [("1", pytest.approx(5 / 6)), ("2", 1 / 2)]
    assert rows(chart, "mean", "text") == [(pytest.approx(2 / 3), "MAP 0.6667")]
    assert title(chart) == ["Average precision per query"]
    # A query without a relevant hit has no first relevant position.
    chart = plots.per_query([[0, 1], [0, 0]], "frp")
    assert rows(chart, "query", "value") == [("1", 2), ("2", None)]
    assert title(chart) == ["First relevant position per query", "1 query without a value"]


@shows("reciprocal-rank")
def _():
    assert rows(plots.reciprocal_rank(depth=5), "rank", "value") == [(i, 1 / i) for i in range(1, 6)]
    lists = [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]]
    chart = plots.reciprocal_rank(lists, depth=2)
    assert rows(chart, "rank", "queries") == [("1", 2), ("2", 1), ("> 2", 1), ("none", 1)]
    # (1 + 1 + 1/2 + 0 + 1/3) / 5
    assert title(chart)[1:] == [
        "5 queries; first relevant document below rank 2 in 1, nowhere in 1",
        "mean reciprocal rank 0.5667",
    ]


@shows("forest")
def _():
    # Reciprocal ranks 1, 1/2 and 1: slice x has queries 1 and 2, and y query 3.
    by = {1: "x", 2: "x", 3: "y"}
    chart = plots.forest([[1, 0], [0, 1], [1, 0]], "rr", by=by)
    fields = ("slice", "value", "low", "high", "queries", "kind")
    # Samples of two queries have the means 1/2, 3/4 and 1, a quarter of them each end.
    assert rows(chart, *fields)[1:] == [
        ("slice = x", 3 / 4, 1 / 2, 1, 2, "same"),
        ("slice = y", 1, None, None, 1, "same"),
    ]
    assert rows(chart, "slice", "value")[0] == ("all queries", pytest.approx(2.5 / 3))
    assert title(chart) == [
        "Reciprocal rank of slices in run",
        "3 queries, 95 % intervals",
        "1 row without an interval: too few queries",
        "2 intervals of fewer than 25 queries: too narrow",
    ]
    runs = {"old": [[1, 0], [0, 1], [1, 0]], "new": [[0, 1], [0, 0, 1], [1, 0]]}
    chart = plots.forest({name: rankgold.from_labels(run) for name, run in runs.items()}, "rr", by=by)
    # -1/2 and -1/6 are below 0 in every sample.
    assert rows(chart, *fields)[1] == (
        "slice = x", pytest.approx(-1 / 3), pytest.approx(-1 / 2), pytest.approx(-1 / 6), 2, "loss",
    )  # fmt: skip
    assert rows(chart, *fields)[2] == ("slice = y", 0, None, None, 1, "same")
    # Less is better: the mean ranks rise from 1 and 2 to 2 and 3.
    chart = plots.forest({name: rankgold.from_labels(run) for name, run in runs.items()}, "mr", by=by)
    assert rows(chart, *fields)[1] == ("slice = x", 1, 1, 1, 2, "loss")
    scores = rankgold.evaluate(rankgold.from_labels(runs["old"]), ["ap", "rr"], by=by)
    assert rows(rankgold.plots.forest(scores, measure="rr"), "value")[1:] == [(3 / 4,), (1,)]
    many = plots.forest([[1]] * 60, "rr", by={i: str(i // 2) if i < 21 else f"n{i}" for i in range(1, 61)})
    assert len(rows(many, "slice")) == 40
    assert "39 of 51 slices: those with most queries" in title(many)
    with pytest.raises(rankgold.PlotError, match="one run or two, not 3"):
        plots.forest({name: [[1]] for name in "abc"})


@shows("curve")
def _():
    chart = plots.curve([1, 0, 1, 0, 1], "p")
    assert rows(chart, "k", "value") == [(1, 1), (2, 1 / 2), (3, 2 / 3), (4, 1 / 2), (5, 3 / 5)]
    strip = [(1, 1, "relevant"), (2, 0, "not relevant"), (3, 1, "relevant"), (4, 0, "not relevant"), (5, 1, "relevant")]
    assert rows(chart, "rank", "grade", "relevance") == strip
    # What counts as relevant is what the measure takes for it: grade 2 here.
    chart = plots.curve(
        rankgold.match({"q": {"a": 2, "b": 1}}, {"q": {"a": 3, "b": 2, "x": 1}}), "p(rel=2)@2", query="q"
    )
    assert rows(chart, "k", "value") == [(1, 1), (2, 1 / 2)]
    assert rows(chart, "document", "relevance") == [("a", "relevant"), ("b", "not relevant")]
    assert title(chart) == ["Precision (rel=2) at k of query q"]


@shows("curves")
def _():
    chart = plots.curves({"top": [[1, 1, 0], [1, 0, 0]], "bottom": [[0, 1, 1], [0, 0, 1]]}, "p")
    means = [
        ("top", 1, 1),
        ("top", 2, 3 / 4),
        ("top", 3, 1 / 2),
        ("bottom", 1, 0),
        ("bottom", 2, 1 / 4),
        ("bottom", 3, 1 / 2),
    ]
    assert rows(chart, "run", "k", "value") == [(run, k, pytest.approx(value)) for run, k, value in means]
    assert title(chart) == ["Precision at k", "mean of 2 queries"]
    # Scores have the cutoffs that were evaluated, and no others.
    scores = rankgold.evaluate(rankgold.from_labels([[1, 1, 0]]), ["p@3", "p@1", "ap"])
    assert rows(plots.curves(scores, "p"), "k", "value") == [(1, 1), (3, pytest.approx(2 / 3))]


@shows("average-precision")
def _():
    chart = plots.average_precision([1, 0, 1, 0, 1])
    points = [(1, 1, True), (2, 1 / 2, False), (3, 2 / 3, True), (4, 1 / 2, False), (5, 3 / 5, True)]
    assert rows(chart, "rank", "precision", "relevant") == points
    # (1 + 2/3 + 3/5) / 3 = 34/45
    assert title(chart)[0] == "Average precision: 0.7556"
    missed = rankgold.from_labels([[1, 0]], n_relevant=4)
    assert title(plots.average_precision(missed))[0::2] == [
        "Average precision: 0.2500",
        "3 relevant documents not found",
    ]
    # With grade 2 asked for, the precision is that of documents of grade 2.
    graded = plots.average_precision([1, 2], "ap(rel=2)")
    assert rows(graded, "precision", "relevant") == [(0, False), (1 / 2, True)]


@shows("ndcg")
def _():
    chart = plots.ndcg([3, 0, 2], "ndcg(gain=exp)")
    gains, best = np.array([7, 0, 3]), np.array([7, 3, 0])
    weights = 1 / np.log2([2, 3, 4])
    expected = np.cumsum(gains * weights) / np.cumsum(best * weights)
    assert rows(chart, "k", "value") == [(k, pytest.approx(value)) for k, value in enumerate(expected, 1)]
    assert rows(chart, "rank", "grade", "height") == [(1, 3, 3), (2, 0, 0), (3, 2, 2)]


@shows("discount")
def _():
    names = ["log2", "log(10)", "jk", "linear", "exponential(0.25)", "zipf(1, 0.5)"]
    r = np.arange(1, 9)
    weights = {
        "log2": 1 / np.log2(r + 1),
        "log(10)": 1 / np.log10(r + 1),
        "jk": np.concatenate(([1, 1], 1 / np.log2(r[2:]))),
        "linear": 1 / r,
        "exponential(0.25)": np.exp(-0.25 * (r - 1)),
        "zipf(1, 0.5)": 1 / np.sqrt(r + 1),
    }
    shown = rows(plots.discount(names, depth=8), "discount", "rank", "weight")
    assert shown == [(name, i, pytest.approx(w)) for name in names for i, w in zip(r, weights[name], strict=True)]
    bars = plots.discount("log2", depth=8)
    assert rows(bars, "rank", "weight") == [(i, pytest.approx(w)) for i, w in zip(r, weights["log2"], strict=True)]
    assert bars.to_dict()["layer"][0]["mark"]["type"] == "bar"


@shows("correlation")
def _():
    # d = 0, 1, 1: rho = 1 - 6 * 2 / 24 = 1/2; two pairs agree and one does not: tau = 1/3. Reversed: -1.
    chart = plots.correlation({"mixed": [3, 1, 2], "reversed": [1, 2, 3]})
    bars = [("mixed", 1 / 2), ("mixed", 1 / 3), ("reversed", -1), ("reversed", -1)]
    assert rows(chart, "run", "value") == [(run, pytest.approx(value)) for run, value in bars]
    lines = [
        ("mixed", 1, 1),
        ("mixed", 2, 3),
        ("mixed", 3, 2),
        ("reversed", 1, 3),
        ("reversed", 2, 2),
        ("reversed", 3, 1),
    ]
    truth = [("True ranking", 1, 1), ("True ranking", 3, 3)]
    drawn = [[tuple(point.values()) for point in table] for table in tables(chart) if "by_grade" in table[0]]
    assert sorted(drawn) == sorted([lines, truth])
    # Tied grades share the mean of their ranks, and nothing is drawn between them.
    tied = plots.correlation([1, 1, 0])
    points = [("run", 1.5, 1), ("run", 1.5, 2), ("run", 3, 3)]
    assert tied.to_dict()["hconcat"][1]["data"]["values"] == [
        {"run": run, "by_grade": true, "by_score": own} for run, true, own in points
    ]
    marks = [layer["mark"]["type"] for layer in tied.to_dict()["hconcat"][1]["layer"]]
    assert marks == ["line", "point"]  # the true ranking, and the documents


@shows("precision-recall")
def _():
    chart = plots.precision_recall([1, 0, 1])
    assert rows(chart, "recall", "precision")[::5] == [(0.0, 1), (0.5, 1), (1.0, pytest.approx(2 / 3))]
    # The definition, tried at every rank: the best precision at any rank where the recall is the level or more.
    qrels, run = sample("qrels.txt"), sample("bm25.trec")
    judged, ranked = {}, {}
    for line in qrels.read_text().splitlines():
        query, _, document, grade = line.split()
        judged.setdefault(query, {})[document] = int(grade)
    for line in run.read_text().splitlines():
        query, _, document, _, score, _ = line.split()
        ranked.setdefault(query, {})[document] = float(score)
    expected = {}
    for query, documents in judged.items():
        order = sorted(ranked[query], key=lambda document: (ranked[query][document], document), reverse=True)
        found = np.cumsum([documents.get(document, 0) >= 1 for document in order])
        relevant = sum(grade >= 1 for grade in documents.values())
        for tenths in range(11):
            enough = found * 10 >= tenths * relevant
            expected[query, tenths] = max((found / np.arange(1, len(found) + 1))[enough], default=0.0)
    chart = plots.precision_recall(rankgold.match(qrels, run))
    ours = {(query, round(recall * 10)): value for query, recall, value in rows(chart, "query", "recall", "precision")}
    assert ours == pytest.approx(expected)
    means = [precision for _, precision in rows(chart, "run", "precision")]
    assert means == pytest.approx([np.mean([expected[query, i] for query in judged]) for i in range(11)])


@shows("difference")
def _():
    old = rankgold.from_labels([[0, 1], [1, 0], [1, 0], [0, 0]], queries=["up", "down", "same", "none"])
    new = rankgold.from_labels([[1, 0], [0, 1], [1, 0], [0, 0]], queries=["up", "down", "same", "none"])
    chart = plots.difference({"old": old, "new": new}, "rr")
    bars = [("up", 1 / 2, "gain"), ("same", 0, "same"), ("none", 0, "same"), ("down", -1 / 2, "loss")]
    assert rows(chart, "query", "difference", "kind") == bars
    # (1/2 + 1 + 1 + 0) / 4 either way.
    assert title(chart)[1] == "better in 1, worse in 1, the same in 2; 0.6250 → 0.6250 in the mean"
    # Where lower is better, going down is a gain; a query without a value in one of them has no difference.
    chart = plots.difference({"old": old, "new": new}, "frp")
    assert rows(chart, "query", "difference", "kind") == [("up", -1, "gain"), ("same", 0, "same"), ("down", 1, "loss")]


@shows("distribution")
def _():
    # RR of 1, 1/2, 1/2, 0: quartiles at 3/8 and 5/8 of the way by NumPy's and everyone's default.
    chart = plots.distribution([[1, 0], [0, 1], [0, 1], [0, 0]], "rr")
    box = (0, 3 / 8, 1 / 2, 5 / 8, 1, 1 / 2)
    assert rows(chart, "least", "lower", "median", "upper", "most", "mean") == [box]
    # The two queries of 1/2 stand on each other.
    dots = [("4", 0, 0), ("2", 1 / 2, 0), ("3", 1 / 2, 0.14), ("1", 1, 0)]
    assert rows(chart, "query", "value", "height") == dots
    assert rows(chart, "middle", "count") == [(1 / 2, 2)]


@shows("scatter")
def _():
    # P@1 against RR.
    chart = plots.scatter([[1, 0], [0, 1], [1, 1]], ["p@1", "rr"])
    assert rows(chart, "query", "x", "y") == [("1", 1, 1), ("2", 0, 1 / 2), ("3", 1, 1)]
    above, beside = (t for t in tables(chart) if "from" in t[0])
    counts = [[(round(bar["from"], 2), bar["queries"]) for bar in bars if bar["queries"]] for bars in (above, beside)]
    assert counts == [[(0, 1), (0.95, 2)], [(0.5, 1), (0.95, 2)]]


@shows("leaderboard")
def _():
    chart = plots.leaderboard({"a": [[0, 1]], "b": [[1, 0]], "c": [[0, 0]]}, ["rr", "frp"])
    reciprocal, first = (t for t in tables(chart))
    assert [(dot["run"], dot["value"], dot["best"]) for dot in reciprocal] == [
        ("b", 1, True),
        ("a", 0.5, False),
        ("c", 0, False),
    ]
    # Lower is better, and c has no first relevant position.
    assert [(dot["run"], dot["value"], dot["best"]) for dot in first] == [
        ("b", 1, True),
        ("a", 2, False),
        ("c", None, False),
    ]


def test_error_bars_are_the_intervals_of_scores_and_of_comparisons():
    runs = [rankgold.match(sample("qrels.txt"), sample(name)) for name in ("bm25.trec", "expanded.trec")]
    scores = rankgold.evaluate(runs, ["ndcg@10"])
    expected = {name: pytest.approx(ends["ndcg@10"]) for name, ends in scores.intervals().items()}
    for chart in (plots.leaderboard(runs, ["ndcg@10"]), plots.leaderboard(scores), plots.distribution(runs, "ndcg@10")):
        assert {run: (low, high) for run, low, high in rows(chart, "run", "low", "high")} == expected
    [row] = scores.compare(baseline="bm25")
    [(mean, low, high)] = rows(plots.difference(runs, "ndcg@10"), "mean", "low", "high")
    assert (mean, low, high) == pytest.approx((row.difference, row.low, row.high))
    assert title(plots.difference(runs, "ndcg@10"))[2] == "mean difference 0.1309, 95 % interval 0.0685 to 0.2049"
    # One query has no interval, and nothing is said about one.
    alone = plots.leaderboard({"a": [[0, 1]], "b": [[1, 0]]}, ["rr"])
    assert rows(alone, "low", "high") == [(None, None)] * 2
    assert title(alone) == ["Runs by reciprocal rank"]


@shows("waterfall")
def _():
    # AP adds 1/1 and 2/3, over 2; a third relevant document that was not found makes it 3.
    chart = plots.waterfall(rankgold.from_labels([[1, 0, 1]], n_relevant=3), "ap")
    bars = [("1", 0, 1 / 3), ("3", 1 / 3, 5 / 9), ("score", 0, 5 / 9)]
    assert rows(chart, "label", "start", "end") == [(label, pytest.approx(a), pytest.approx(b)) for label, a, b in bars]
    assert title(chart) == ["Average precision: 0.5556", "1 relevant document not found"]
    # Kendall of 1, 3, 2: the first is below both others, the second above one, of three pairs: -2/3, then -1/3.
    chart = plots.waterfall([1, 3, 2], "kendall")
    bars = [(0, -2 / 3, "takes"), (-2 / 3, -1 / 3, "adds"), (-1 / 3, -1 / 3, "adds"), (0, -1 / 3, "score")]
    assert rows(chart, "start", "end", "kind") == [(pytest.approx(a), pytest.approx(b), kind) for a, b, kind in bars]
    # Many are added up in one bar: thirty ranks of weight 1/30.
    chart = plots.waterfall([1] * 30, "p")
    assert rows(chart, "label", "part")[-2:] == [
        ("5 more documents", pytest.approx(5 / 30)),
        ("score", pytest.approx(1)),
    ]


@shows("bump")
def _():
    qrels = {"q": {"a": 2, "b": 1, "c": 0, "d": 1}}
    old = rankgold.match(qrels, {"q": {"b": 5, "x": 4, "a": 3, "c": 2}})
    new = rankgold.match(qrels, {"q": {"a": 5, "b": 4, "d": 3}})
    chart = plots.bump({"old": old, "new": new}, query="q")
    ends = {
        (run, document): (rank, grade) for run, document, rank, grade in rows(chart, "run", "document", "rank", "grade")
    }
    assert ends == {
        ("old", "a"): (3, 2), ("new", "a"): (1, 2), ("old", "b"): (1, 1), ("new", "b"): (2, 1),
        ("old", "c"): (4, 0), ("new", "c"): (None, 0), ("old", "d"): (None, 1), ("new", "d"): (3, 1),
    }  # fmt: skip
    assert {text for (text,) in rows(chart, "text") if "(" in text} == {"c (not found)", "d (not found)"}
    # At depth 2 a is a newcomer from rank 3, c and d are in neither.
    chart = plots.bump({"old": old, "new": new}, query="q", depth=2)
    assert ("old", "a", "a (rank 3)") in rows(chart, "run", "document", "text")
    assert {document for (document,) in rows(chart, "document")} == {"a", "b"}


@shows("critical-difference")
def _():
    # Demšar 2006, table 6: four classifiers on 14 data sets. Mean ranks 3.143, 2.000, 2.893 and 1.964; the critical
    # difference at 0.05 is 2.569 * sqrt(4 * 5 / (6 * 14)) = 1.25.
    found = mean_ranks(np.array(DEMSAR))
    assert found.ranks.tolist() == pytest.approx([44 / 14, 28 / 14, 40.5 / 14, 27.5 / 14])
    assert found.critical == pytest.approx(2.569 * math.sqrt(20 / 84), abs=1e-3)
    # Friedman's chi-square is 9.28 there, without a correction for ties: 4 tied once, 2 tied three times.
    assert found.p == pytest.approx(stats.chi2.sf(9.28 / (1 - (60 + 3 * 6) / (14 * 60)), 3), abs=1e-4)
    # The best (1.964) and the worst (3.143) are closer than the critical difference.
    assert found.groups() == [(3, 1, 2, 0)]
    # Values that are equal but for rounding share the mean of their ranks: 2.5 of 2 and 3, twice.
    rounded = mean_ranks(np.array([[0.5, 0.1 + 0.2, 0.3], [0.5, 0.1 + 0.2, 0.3]]))
    assert rounded.ranks.tolist() == [1, 2.5, 2.5]
    # Nine queries rank three runs alike: mean ranks 1, 2, 3, and 2.343 * sqrt(3 * 4 / (6 * 9)) = 1.105 apart.
    runs = {"good": [[1, 0]] * 9, "none": [[0, 0]] * 9, "poor": [[0, 1]] * 9}
    chart = plots.critical_difference(runs, "rr")
    assert rows(chart, "run", "rank") == [("good", 1), ("poor", 2), ("none", 3)]
    assert rows(chart, "from", "to", "at") == [(1, 2, 12), (2, 3, 22)]
    # Where less is better, the lowest is the first.
    first = plots.critical_difference({"a": [[0, 1]] * 3, "b": [[1, 0]] * 3}, "frp")
    assert rows(first, "run", "rank") == [("b", 1), ("a", 2)]


@shows("attribution")
def _():
    qrels = {"q1": {"d1": 1, "d2": 1}, "q2": {"d1": 1}}
    old = rankgold.match(qrels, {"q1": {"d1": 4, "d2": 3, "x": 2, "y": 1}, "q2": {"d1": 1}})
    new = rankgold.match(qrels, {"q1": {"d1": 4, "x": 3, "y": 2, "d2": 1}, "q2": {"d1": 1}})
    # q1 changed most. Its d2 gave (2/2)/2 at rank 2, and gives (2/4)/2 at rank 4.
    chart = plots.attribution({"old": old, "new": new}, "ap")
    bars = [("old", 0, 1, "run"), ("d2 (2 → 4)", 1, 0.75, "loss"), ("new", 0, 0.75, "run")]
    assert rows(chart, "label", "start", "end", "kind") == bars
    assert title(chart) == ["Average precision of query q1: new against old", "1.0000 → 0.7500"]
    assert rows(plots.attribution({"old": old, "new": new}, "ap", query="q2"), "label") == [("old",), ("new",)]
    # 30 documents lose what they gave, 1/30 each: twenty have a bar, and the parts add up to the difference.
    qrels = {"q": {f"d{i}": 1 for i in range(30)}}
    full = rankgold.match(qrels, {"q": {f"d{i}": 1 for i in range(30)}})
    chart = plots.attribution({"full": full, "none": rankgold.match(qrels, {"q": {"x": 1}})}, "r")
    shown = rows(chart, "label", "start", "end", "part")
    assert shown[-2][0] == "10 more documents"
    assert sum(part for *_, part in shown[1:-1]) == pytest.approx(-1)
    assert [start for _, start, *_ in shown[1:-1]] == [end for _, _, end, _ in shown[:-2]]
    # Where less is better, a document that falls is a loss, and its bar goes up.
    ranks = plots.attribution({"old": old, "new": new}, "mr", query="q1")
    assert rows(ranks, "part", "kind") == [(1.5, "run"), (1, "loss"), (2.5, "run")]


# Demšar 2006, table 6: AUC of C4.5 and of three ways to tune it, on 14 data sets. The paper ranks the third and the
# fourth value of the last row but one 2 and 3, although both are printed as 0.975.
DEMSAR = [
    [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
]  # fmt: skip


@shows("stopping")
def _():
    # Stops of 7/8, 3/8 and 0 on a scale to 3: 1/8 of the readers get to the second, 5/64 further.
    chart = plots.stopping([3, 2, 0], "err(max=3)")
    bars = [(1, 1, 7 / 8), (2, 1 / 8, 3 / 64), (3, 5 / 64, 0)]
    assert rows(chart, "rank", "reached", "stop") == [(r, pytest.approx(a), pytest.approx(b)) for r, a, b in bars]
    # 7/8 + 3/64 / 2 = 115/128
    assert title(chart)[0::2] == ["Expected reciprocal rank (max=3): 0.8984", "8% stop at none of the ranks shown"]


@shows("judged")
def _():
    # q1 returns a (relevant), x (not judged), b (judged 0); q2 returns c (relevant) alone; q3 is not ranked.
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}, "q3": {"d": 1}}
    chart = plots.judged(rankgold.match(qrels, {"q1": {"a": 3, "x": 2, "b": 1}, "q2": {"c": 1}}))
    judged = [(1, (1 + 1) / 2), (2, (1 / 2 + 1) / 2), (3, (2 / 3 + 1) / 2)]
    relevant = [(1, (1 + 1) / 2), (2, (1 / 2 + 1) / 2), (3, (1 / 3 + 1) / 2)]
    expected = [("judged", *point) for point in judged] + [("relevant", *point) for point in relevant]
    assert rows(chart, "kind", "k", "share") == [(kind, k, pytest.approx(share)) for kind, k, share in expected]


# --- what several of them share


def test_curves_of_deep_lists_are_drawn_at_some_cutoffs_from_the_first_to_the_last():
    labels = [1] * 100 + [0] * 900
    shown = rows(plots.curve(labels, "p", depth=1000), "k", "value")
    assert (shown[0], shown[-1]) == ((1, 1), (1000, pytest.approx(0.1)))
    assert len(shown) < 40
    assert all(value == pytest.approx(min(k, 100) / k) for k, value in shown)


def test_a_curve_ends_where_the_measure_is_cut():
    assert len(rows(plots.curve([1, 0, 1, 0], "p@2"), "k", "value")) == 2
    assert len(rows(plots.curve([1, 0, 1, 0], "p@2", depth=3), "k", "value")) == 3


def test_cells_of_a_crowded_scatter_count_every_query():
    rng = np.random.default_rng(0)
    labels = (rng.random((3000, 5)) < 0.3).astype(int)
    chart = plots.scatter(labels, ["p@2", "rr"])
    cells = rows(chart, "x", "y", "queries")
    assert sum(queries for *_, queries in cells) == 3000
    both = int((labels[:, 0] & labels[:, 1]).sum())
    assert [queries for x, y, queries in cells if math.isclose(x, 0.95) and math.isclose(y, 0.95)] == [both]


def test_measures_beyond_what_a_page_holds_are_left_out_and_it_is_said():
    measures = [f"p@{k}" for k in range(1, 10)]
    assert title(plots.distribution(TWO, measures))[-1] == "6 of 9 measures"
    runs = {f"run {i}": [[0] * i + [1] + [0] * (50 - i)] for i in range(45)}
    board = plots.leaderboard(runs, ["rr"])
    assert title(board)[-1] == "the best 40 of 45 runs"
    assert rows(board, "run", "value")[:2] == [("run 0", 1), ("run 1", 1 / 2)]


def test_a_policy_decides_what_is_shown():
    qrels, run = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}}
    assert rows(plots.per_query(rankgold.match(qrels, run), "rr"), "query", "value") == [("q1", 1), ("q2", 0)]
    skipped = rankgold.match(qrels, run, policy="missing=skip")
    assert rows(plots.per_query(skipped, "rr"), "query", "value") == [("q1", 1)]
    condensed = rankgold.match({"q": {"a": 1}}, {"q": {"x": 2, "a": 1}}, policy="unjudged=condensed")
    assert rows(plots.curve(condensed, "p"), "rank", "document") == [(1, "a")]


def test_a_value_that_the_policy_decided_says_so():
    assert title(plots.waterfall([0, 0], "ap"))[1] == "the query has no relevant document (policy no_relevant=zero)"


def test_a_query_that_the_policy_leaves_out_has_no_correlation():
    hits = rankgold.match({"q1": {"a": 1}, "q2": {"b": 2}}, {"q1": {"a": 1.0}}, policy="missing=skip")
    chart = plots.correlation(hits, query="q2")
    assert [bar["value"] for bar in chart.hconcat[0].data.values] == [None, None]
