"""`depth`, `rel` and `topics` of an evaluation: the same numbers as of data that were cut, graded and selected by hand."""

from itertools import permutations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from rankgold.core.policy import Policy
from tests.cases import for_each
from tests.collections import TIED_SCORES, collections, examples, rows, write_trec
from tests.shell import printed, refused

MEASURES = [metric.name for metric in rankgold.measures.all()]
QRELS = {"q1": {"a": 1, "b": 2, "c": 0}, "q2": {"d": 1}, "q3": {"e": 3}}
RUN = {"q1": {"x": 4.0, "a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"y": 2.0, "d": 1.0}, "q9": {"a": 1.0}}


def frames(qrels, run):
    """Both as data frames."""
    return (
        pl.DataFrame(rows(qrels), schema=["query", "document", "grade"], orient="row"),
        pl.DataFrame(rows(run), schema=["query", "document", "score"], orient="row"),
    )


def in_every_form(qrels, run, directory, **keywords):
    """The values of all measures: from dicts, frames and files, locally and with DuckDB."""
    forms = [(qrels, run, "local"), (*frames(qrels, run), "local"), (*frames(qrels, run), "duckdb")]
    forms.append((*write_trec(directory, qrels, run), "local"))
    return [rankgold.evaluate(*form[:2], MEASURES, engine=form[2], **keywords) for form in forms]


def values(scores):
    """(query, measure) -> value."""
    return {
        (row["query"], measure): row[measure]
        for row in scores.per_query.iter_rows(named=True)
        for measure in scores.measures
    }


def best(row, depth):
    """The first documents of a ranking: by score, and tied ones by id from z to a."""
    return dict(sorted(sorted(row.items(), reverse=True), key=lambda pair: -pair[1])[:depth])


@given(collection=collections(scores=TIED_SCORES), depth=st.integers(1, 8), condensed=st.booleans())
@examples(12)
def test_a_ranking_with_a_depth_is_one_that_was_cut_by_hand(collection, depth, condensed, tmp_path_factory):
    qrels, run = collection
    cut = {query: best(row, depth) for query, row in run.items()}
    policy = "unjudged=condensed" if condensed else None
    expected = rankgold.evaluate(qrels, cut, MEASURES, policy=policy)
    for found in in_every_form(qrels, run, tmp_path_factory.mktemp("cut"), depth=depth, policy=policy):
        assert values(found) == pytest.approx(values(expected), rel=1e-12, nan_ok=True)
        assert found.notes.retrieved == expected.notes.retrieved
        assert found.notes.unjudged_share == pytest.approx(expected.notes.unjudged_share, nan_ok=True)


@given(collection=collections(), chosen=st.sets(st.sampled_from(["9", "10", "100", "q1", "Q1", "ü"]), min_size=1))
@examples(12)
def test_selected_topics_have_the_values_that_they_have_among_all(collection, chosen, tmp_path_factory):
    qrels, run = collection
    all_values = values(rankgold.evaluate(qrels, run, MEASURES))
    if not (chosen & qrels.keys() and chosen & qrels.keys() & run.keys()):
        with pytest.raises(rankgold.MatchError):
            rankgold.evaluate(qrels, run, MEASURES, topics=chosen)
        return
    for found in in_every_form(qrels, run, tmp_path_factory.mktemp("topics"), topics=sorted(chosen)):
        expected = {key: value for key, value in all_values.items() if key[0] in chosen}
        assert values(found) == pytest.approx(expected, rel=1e-12, nan_ok=True)
        assert set(found.notes.without_judgements) == (chosen & run.keys()) - qrels.keys()
        nowhere = chosen - run.keys() - qrels.keys()
        assert ["nor ranked" in remark for remark in found.notes.remarks].count(True) == bool(nowhere)


def test_the_scale_of_selected_topics_is_that_of_all_judgements(tmp_path):
    # Grade 1 at rank 2 on the scale up to grade 3, which only q3 has: (2^1 - 1) / 2^3 / 2.
    for scores in in_every_form(QRELS, RUN, tmp_path, topics=["q2"]):
        assert scores["err"] == (1 / 8) / 2


def test_averaged_ties_are_averaged_over_the_lists_that_are_left_by_the_cut():
    qrels, run = {"q": {"a": 1, "b": 2, "c": 0}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0, "x": 1.0, "y": 0.5}}
    orders = [(*order, "y") for order in permutations(["a", "b", "c", "x"])]
    # The value of mr depends on which documents are left, and so does its norm: it has no simple average.
    names = ["ap", "rr", "ndcg", "p", "num_rel_ret", "num_nonrel_judged_ret", "bpref", "err(max=4)", "hit", "bpm"]
    each = [rankgold.evaluate(qrels, {"q": list(order[:2])}, names).means for order in orders]
    average = {name: sum(means[name] for means in each) / len(each) for name in names}
    found = rankgold.evaluate(qrels, run, names, depth=2, policy="ties=average")
    assert found.means == pytest.approx(average, abs=1e-12)
    hits = rankgold.from_arrays([[1, 2, 0, 0, 0]], [[1, 1, 1, 1, 0.5]], policy="ties=average, depth=2")
    names = [
        "ap",
        "rr",
        "ndcg",
        "p",
        "num_rel_ret",
        "err(max=4)",
        "hit",
        "bpm",
    ]  # x is judged here, which changes the others
    assert rankgold.evaluate(hits, names).means == pytest.approx({name: average[name] for name in names}, abs=1e-12)


def test_labels_lists_and_arrays_are_cut_by_their_policy():
    assert rankgold.evaluate(rankgold.from_labels([[0, 1, 1]], policy="depth=2"), ["p", "ap"]).means == {
        "p": 1 / 2,
        "ap": 1 / 4,
    }
    listed = rankgold.from_lists([["x", "a", "b"]], [["a", "b"]], policy="depth=2")
    assert rankgold.evaluate(listed, ["num_ret", "r"]).means == {"num_ret": 2, "r": 1 / 2}
    arrays = rankgold.from_arrays([[0, 1, 1]], [[3, 2, 1]], policy="depth=2")
    assert rankgold.evaluate(arrays, ["p", "ap", "num_ret"]).means == {"p": 1 / 2, "ap": 1 / 4, "num_ret": 2}


def test_rel_is_for_measures_that_do_not_say_what_is_relevant():
    # In q1 only b, at rank 3, has grade 2; q2 has no such document, and q3 is not ranked.
    scores = rankgold.evaluate(QRELS, RUN, ["rr", "rr(rel=1)", "ndcg@10"], rel=2)
    assert scores["rr"] == scores["rr(rel=2)"] == pytest.approx(1 / 3 / 3)
    assert scores["rr(rel=1)"] == pytest.approx((1 / 2 + 1 / 2) / 3)
    assert scores["ndcg@10"] == rankgold.evaluate(QRELS, RUN, ["ndcg@10"])["ndcg@10"]
    assert "grades from 2 on are relevant to rr (rel=2)" in scores.notes.remarks
    assert rankgold.evaluate(rankgold.match(QRELS, RUN), ["rr"], rel=2).means == {"rr": pytest.approx(1 / 9)}
    assert rankgold.evaluate(QRELS, RUN, [rankgold.measures.rr(rel=1)], rel=2)["rr"] == pytest.approx(1 / 3)
    assert str(rankgold.explain(QRELS, RUN, "rr", "q1", rel=2).measure) == "rr(rel=2)"


@pytest.mark.parametrize("rel", [0, "high", -1])
def test_a_rel_that_is_no_grade_is_an_error_whatever_the_measures(rel):
    with pytest.raises(rankgold.MeasureError, match="rel"):
        rankgold.evaluate(QRELS, RUN, ["ndcg"], rel=rel)


@for_each("depth", [0, -3, 1.5, "two", True])
def test_a_depth_is_a_whole_number_from_1(depth):
    with pytest.raises(rankgold.PolicyError, match="depth must be a whole number from 1 to"):
        rankgold.evaluate(QRELS, RUN, ["ap"], depth=depth)


def test_the_depth_is_a_field_of_the_policy_and_is_shown_with_it():
    scores = rankgold.evaluate(QRELS, RUN, ["ap"], depth=2)
    assert scores.policy == Policy(depth=2) == Policy.of("depth=2")
    assert str(scores.policy) == "depth=2"
    assert Policy.of("depth=2", "depth=all") == Policy()
    with pytest.raises(rankgold.PolicyError, match="were matched with depth=None, which cannot be changed"):
        rankgold.evaluate(rankgold.match(QRELS, RUN), ["ap"], depth=2)


def test_an_explanation_stops_at_the_depth():
    steps = rankgold.explain(QRELS, RUN, "ap", "q1", depth=2).steps
    assert [(step.rank, step.document) for step in steps] == [(2, "a")]


@for_each(
    "topics",
    ["q1,q9,q77", " q1 , q9,q77,", ["q1", "q9", "q77"], ("q1", "q9", "q77"), pl.Series(["q1", "q9", "q77"])],
    ids=["text", "blanks", "list", "tuple", "series"],
)
def test_topics_are_lists_or_text_and_what_is_nowhere_is_noted(topics):
    scores = rankgold.evaluate(QRELS, RUN, ["rr"], topics=topics)
    assert values(scores) == {("q1", "rr"): 1 / 2}
    assert scores.notes.without_judgements == ("q9",)
    assert scores.notes.remarks == ("1 topic is neither judged nor ranked: 'q77'",)


def test_topics_that_are_integers_are_found_among_text_and_integers():
    for key in (int, str):
        qrels, run = {key(7): {"a": 1}, key(8): {"b": 1}}, {key(7): {"a": 1.0}, key(8): {"x": 1.0}}
        assert rankgold.evaluate(qrels, run, ["rr"], topics=[7]).means == {"rr": 1}
        assert rankgold.evaluate(*frames(qrels, run), ["rr"], topics="7").means == {"rr": 1}


@for_each(
    ("name", "content"),
    [
        ("topics.txt", "q1\nq2\n"),
        ("topics.txt", "\n q1 \n\nq2"),
        ("topics.tsv", "query_id\ttext\nq1\twhat, and why\nq2\thow\n"),
        ("topics.tsv", "q1\twhat, and why\nq2\thow\n"),
        ("topics.csv", 'qid,text\nq1,"what, why"\n"q2",how\n'),
    ],
)
def test_a_file_of_topics_has_ids_on_lines_or_in_its_first_column(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    for given_as in (path, str(path)):
        assert rankgold.evaluate(QRELS, RUN, ["rr"], topics=given_as).queries() == ["q1", "q2"]


def test_topics_that_cannot_be_read_or_found_are_errors(tmp_path):
    with pytest.raises(
        rankgold.MatchError, match=r"none of the topics is judged\. Topics: 'nofile\.txt'\. Judged: 'q1'"
    ):
        rankgold.evaluate(QRELS, RUN, ["rr"], topics="nofile.txt")
    with pytest.raises(rankgold.DataError, match="No such file or directory"):
        rankgold.evaluate(QRELS, RUN, ["rr"], topics=tmp_path / "nofile.txt")
    with pytest.raises(rankgold.DataError, match="this is a directory"):
        rankgold.evaluate(QRELS, RUN, ["rr"], topics=tmp_path)
    with pytest.raises(rankgold.DataError, match="there is no topic"):
        rankgold.evaluate(QRELS, RUN, ["rr"], topics=[])
    with pytest.raises(rankgold.DataError, match=r"topics must be a list of ids.*, not int"):
        rankgold.evaluate(QRELS, RUN, ["rr"], topics=7)
    with pytest.raises(rankgold.DataError, match="Pass topics to match"):
        rankgold.evaluate(rankgold.match(QRELS, RUN), ["rr"], topics=["q1"])
    with pytest.raises(rankgold.MatchError, match=r"no query in common with .* Judged: 'q3'\. Ranked: none"):
        rankgold.evaluate(QRELS, RUN, ["rr"], topics=["q3"])


def test_queries_that_are_not_selected_are_no_unjudged_queries():
    assert rankgold.evaluate(QRELS, RUN, ["rr"], topics=["q1"], policy="unjudged_queries=error")["rr"] == 1 / 2


def test_the_shell_has_the_same_options(tmp_path):
    paths = write_trec(tmp_path, QRELS, RUN)
    topics = tmp_path / "topics.txt"
    topics.write_text("q1\n", encoding="utf-8")
    assert printed("evaluate", *paths, "-m", "rr,p", "--rel", "2", "--depth", "3", "--topics", str(topics)) == (
        "run      rr       p\n"
        "tag  0.3333  0.3333\n"
        "note: 33.3% of 3 retrieved documents are not judged\n"
        "note: grades from 2 on are relevant to rr, p (rel=2)\n"
        "policy: depth=3\n"
    )
    assert "0.5000 / 2 = 0.2500" in printed(
        "explain", *paths, "-m", "ap", "--query", "q1", "--depth", "2", "--rel", "1"
    )
    assert "this is also an input file" in refused("evaluate", *paths, "--topics", str(topics), "-o", str(topics))
    assert "depth must be a whole number from 1" in refused("evaluate", *paths, "--depth", "0")
    assert "must be a whole number, not 'x'" in refused("evaluate", *paths, "--depth", "x")


@pytest.mark.spark
def test_spark_cuts_and_selects_as_others_do(spark, monkeypatch):
    qrels, run = (spark.createDataFrame(frame.to_arrow()) for frame in frames(QRELS, RUN))
    keywords = {"depth": 3, "rel": 2, "topics": "q1,q9,q77"}
    expected = rankgold.evaluate(QRELS, RUN, MEASURES, **keywords)
    for limit in (1_000_000, 1):
        monkeypatch.setattr("rankgold.engines.spark.prepared_data.BROADCAST_LIMIT", limit)
        found = rankgold.evaluate(qrels, run, MEASURES, **keywords)
        assert values(found) == pytest.approx(values(expected), rel=1e-12, nan_ok=True)
        assert found.notes.without_judgements == ("q9",)
        assert found.notes.remarks == expected.notes.remarks
        means = rankgold.evaluate(qrels, run, MEASURES, per_query=False, **keywords)
        assert means.means == pytest.approx(expected.means, rel=1e-12, nan_ok=True)
        assert "1 topic is neither judged nor ranked: 'q77'" in means.notes.remarks
        # q3 is judged and not ranked.
        with pytest.raises(rankgold.MatchError, match=r"no query in common with .* Judged: 'q3'\. Ranked: none"):
            rankgold.evaluate(qrels, run, ["rr"], topics=["q3"], per_query=limit > 1)


def test_a_depth_beyond_any_list_is_an_error_of_ours():
    with pytest.raises(rankgold.PolicyError, match="a whole number from 1 to 1,000,000,000,000,000"):
        rankgold.evaluate({"q": {"d": 1}}, {"q": ["d"]}, ["ap"], depth=10**30)


def test_comparing_and_explaining_take_them_too():
    other = {query: dict(zip(row, reversed(row.values()), strict=True)) for query, row in RUN.items()}
    about = {"depth": 2, "rel": 2, "topics": ["q1", "q3"]}
    scores = rankgold.evaluate(QRELS, {"a": RUN, "b": other}, ["rr"], **about)
    compared = rankgold.compare(QRELS, {"a": RUN, "b": other}, ["rr"], **about)
    assert compared.frame["mean_a"][0] == scores["a"]["rr"]
    found = rankgold.diff(QRELS, RUN, other, "rr", **about)
    assert (found.difference, str(found.measure)) == (scores["b"]["rr"] - scores["a"]["rr"], "rr(rel=2)")
    explained = rankgold.explain(QRELS, RUN, "rr", "q1", **{**about, "depth": 3})
    # Cut after x, a and b, the only document of grade 2 or more is at rank 3.
    assert (explained.value, str(explained.measure)) == (1 / 3, "rr(rel=2)")
    with pytest.raises(rankgold.UnknownQueryError, match="No query is called 'q2'"):
        rankgold.explain(QRELS, RUN, "rr", "q2", topics="q1,q3")
    with pytest.raises(TypeError, match=r"diff\(\) got an unexpected keyword argument 'relevant'"):
        rankgold.diff(QRELS, RUN, other, "rr", relevant=2)


def test_hits_keep_the_grade_that_is_relevant():
    hits = rankgold.match(QRELS, RUN, rel=2)
    assert rankgold.evaluate(hits, MEASURES).means == pytest.approx(
        rankgold.evaluate(QRELS, RUN, MEASURES, rel=2).means, nan_ok=True
    )
    # b of grade 2 is at rank 3 for q1, and a of grade 1 at rank 2; d of grade 1 is at rank 2 for q2; q3 is not ranked.
    found = rankgold.evaluate(hits, ["rr", "rr(rel=1)"]).means
    assert found == pytest.approx({"rr": 1 / 3 / 3, "rr(rel=1)": (1 / 2 + 1 / 2) / 3})
    assert str(rankgold.explain(hits, "rr", query="q1").measure) == "rr(rel=2)"
    assert rankgold.evaluate(hits, ["rr"], rel=3).means == rankgold.evaluate(QRELS, RUN, ["rr"], rel=3).means
    with pytest.raises(rankgold.DataError, match="matched with different grades"):
        rankgold.evaluate([hits, rankgold.match(QRELS, RUN)], ["rr"])
    with pytest.raises(rankgold.MeasureError, match="rel"):
        rankgold.match(QRELS, RUN, rel="many")


def test_batches_of_an_accumulator_are_cut_graded_and_selected():
    about = {"depth": 2, "rel": 2, "topics": ["q1", "q3"]}
    total = rankgold.Accumulator(["rr", "p@2"], **about)
    for query, judged in QRELS.items():
        total.update({query: judged}, {query: RUN.get(query, {})})
    expected = rankgold.evaluate(QRELS, RUN, ["rr", "p@2"], **about)
    assert total.scores().means == expected.means
    assert total.scores().notes.queries == 2
    assert not any("topic" in remark for remark in total.scores().notes.remarks)
    by_rel = rankgold.Accumulator(["rr"], rel=2)
    by_rel.update(rankgold.match(QRELS, RUN, rel=2))
    assert by_rel.scores().means == rankgold.evaluate(QRELS, RUN, ["rr"], rel=2).means
    with pytest.raises(rankgold.DataError, match="matched with rel=3, and the accumulator has rel=2"):
        by_rel.update(rankgold.match(QRELS, RUN, rel=3))
    with pytest.raises(rankgold.DataError, match="Pass topics to match"):
        total.update(rankgold.match(QRELS, RUN))


def test_the_commands_compare_diff_and_explain_take_them(tmp_path):
    qrels, run = write_trec(tmp_path, QRELS, RUN)
    about = ("--depth", "3", "--rel", "2", "--topics", "q1,q3")
    keywords = {"depth": 3, "rel": "2", "topics": "q1,q3"}
    compared = rankgold.compare(str(qrels), [str(run), str(run)], ["rr"], **keywords)
    assert (
        printed("compare", str(qrels), str(run), str(run), "-m", "rr", "-f", "json", *about)
        == compared.to_json() + "\n"
    )
    found = rankgold.diff(str(qrels), str(run), str(run), "rr", **keywords)
    assert printed("diff", str(qrels), str(run), str(run), "-m", "rr", "-f", "json", *about) == found.to_json() + "\n"
    assert printed("explain", str(qrels), str(run), "-m", "rr", "-q", "q1", *about).startswith("rr(rel=2) of query q1")
    assert "No query is called 'q2'" in refused("explain", str(qrels), str(run), "-m", "rr", "-q", "q2", *about)


def test_notes_count_the_documents_that_a_depth_leaves_of_tied_ones_by_their_chance():
    # One of three tied documents is left, a in a third of the orders.
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0, "d": 1.0}}
    scores = rankgold.evaluate(qrels, run, ["judged"], policy="ties=average", depth=1)
    assert scores["judged"] == pytest.approx(1 / 3, rel=1e-12)
    assert scores.notes.unjudged_share == pytest.approx(2 / 3, abs=1e-9)
    assert "66.7% of 1 retrieved document" in str(scores)
    [bounded] = rankgold.bounds(qrels, run, ["ap"], policy="ties=average", depth=1).runs
    assert (bounded.retrieved, bounded.retrieved_unjudged) == (1, 1)


def test_condensed_lists_with_averaged_ties_have_a_depth_where_it_cuts_off_no_tied_documents():
    # a is tied with b, and both are within the depth of 2; x is not judged. Of the orders ab and ba, the mean of rr is 3/4.
    qrels, run = {"q": {"a": 1, "b": 0, "c": 1}}, {"q": {"a": 2.0, "b": 2.0, "x": 1.0, "c": 1.0}}
    policy = "ties=average,unjudged=condensed"
    assert rankgold.evaluate(qrels, run, ["rr"], policy=policy, depth=2)["rr"] == 3 / 4
    with pytest.raises(rankgold.PolicyError, match="cuts off some of tied documents"):
        rankgold.evaluate(qrels, run, ["rr"], policy=policy, depth=3)
