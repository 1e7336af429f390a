"""Evaluation on Spark against evaluation here: the same numbers, whatever the path the rows take."""

import math
from contextlib import contextmanager
from functools import cache

import polars as pl
import pytest
from hypothesis import given

import rankgold
from rankgold.engines.request import Request
from rankgold.engines.spark import prepared_data
from rankgold.scoring.evaluation import hits_of
from tests.all_measures import METRICS
from tests.cases import for_each
from tests.collections import NUMERIC_IDS, collections, examples
from tests.spark import frame, sessions
from tests.test_contract import MEASURES

pytestmark = pytest.mark.spark

FIVE = ["ap", "ndcg@10", "p@5", "rr", "err"]


@pytest.fixture(scope="module", params=["classic", "connect"])
def session(request):
    return sessions()[request.param]


@pytest.fixture(scope="module")
def classic():
    return sessions()["classic"]


@contextmanager
def judgements_get_there(way):
    with pytest.MonkeyPatch.context() as patch:
        if way == "shuffled":
            patch.setattr(prepared_data, "BROADCAST_LIMIT", 0)
        yield way


@pytest.fixture(scope="class")
def way(session):
    """How the judgements get to the tasks: one of the ways for each of the two kinds of session."""
    with judgements_get_there("sent" if session is sessions()["classic"] else "shuffled") as way:
        yield way


def test_tests_of_spark_share_a_process_and_so_a_session(request):
    # xdist puts the name of the group behind that of the test. With some versions of pytest it leaves it out.
    grouped = request.config.getoption("loadgroup", default=False)
    assert request.node.nodeid.endswith("@spark") == grouped


@cache
def many(as_integers=False):
    """Random collections as one large one, each under its own names of queries: one job of Spark for all of them."""
    numeric = {"ids": NUMERIC_IDS, "queries": ("10", "200", "3000", "40000")}
    made = []

    @examples(50)
    @given(collections(**(numeric if as_integers else {})))
    def collect(collection):
        made.append(collection)

    collect()
    assert len(made) >= 50
    sides = [[{f"{i}{name}": rows for name, rows in side.items()} for side in both] for i, both in enumerate(made, 1)]
    return tuple({name: rows for side in part for name, rows in side.items()} for part in zip(*sides, strict=True))


@cache
def many_evaluated_here():
    return rankgold.evaluate(*many(), MEASURES)


@cache
def many_on(session):
    """Both sides as frames of Spark's in three parts, which are computed once."""
    return tuple(
        frame(session, side, number).repartition(3).cache()
        for side, number in zip(many(), ("grade", "score"), strict=True)
    )


def assert_same_values(ours, theirs):
    assert ours.runs == theirs.runs
    frames = [scores.per_query.with_columns(pl.col("query").cast(pl.String)).sort("query") for scores in (ours, theirs)]
    keys = [name for name in ("run", "query") if name in frames[0].columns]
    ours_frame, theirs_frame = (frame.sort(keys) for frame in frames)
    assert ours_frame.columns == theirs_frame.columns
    assert ours_frame.select(keys).equals(theirs_frame.select(keys))
    for label in ours.measures:
        values = zip(ours_frame[label], theirs_frame[label], strict=True)
        apart = [(a, b) for a, b in values if not (abs(a - b) <= 1e-12 or (math.isnan(a) and math.isnan(b)))]
        assert not apart, label


def assert_same_notes(ours, theirs):
    for our_notes, their_notes in zip(_notes(ours), _notes(theirs), strict=True):
        for name, value in their_notes.items():
            same = (
                sorted(map(str, our_notes[name])) == sorted(map(str, value))
                if isinstance(value, list)
                else our_notes[name] == value
            )
            assert same, (name, our_notes[name], value)


def _notes(scores):
    return [{**run["notes"]} for run in ({"notes": note} for note in scores.to_dict()["notes"].values())]


def test_every_measure_of_every_query_is_that_of_the_local_engine(session, way):
    ours = rankgold.evaluate(*many_on(session), MEASURES)
    assert_same_values(ours, many_evaluated_here())
    assert_same_notes(ours, many_evaluated_here())


def test_ids_may_be_integers(session, way):
    qrels, run = many(as_integers=True)
    # Ids are matched before measures see them, so one variant of each metric is enough.
    measures = [metric() for metric in METRICS]
    ours = rankgold.evaluate(
        frame(session, qrels, "grade", as_integers=True), frame(session, run, "score", as_integers=True), measures
    )
    assert ours.per_query["query"].dtype == pl.Int64
    assert_same_values(ours, rankgold.evaluate(qrels, run, measures))


def test_integers_on_one_side_and_text_on_the_other_are_compared_as_text(session, way):
    qrels, run = many(as_integers=True)
    ours = rankgold.evaluate(frame(session, qrels, "grade", as_integers=True), frame(session, run, "score"), FIVE)
    as_integers = {int(query): {int(d): grade for d, grade in rows.items()} for query, rows in qrels.items()}
    theirs = rankgold.evaluate(as_integers, run, FIVE)
    assert ours.per_query["query"].dtype == pl.Int64
    assert_same_values(ours, theirs)
    assert "ids are integers on one side and text on the other: all were compared as text" in ours.notes.remarks


POLICIES = [
    "ties=ascending",
    "ties=average",
    "missing=skip",
    "no_relevant=skip",
    "no_relevant=one",
    "no_relevant=undefined",
    "unjudged=condensed",
    "undefined=zero",
    "score_bits=32",
    "trec_eval, unjudged=condensed, ties=average",
]


@pytest.fixture
def either_way(request, monkeypatch):
    """One way for every other policy: what a policy decides is decided after the rows have come together."""
    if POLICIES.index(request.node.callspec.params["policy"]) % 2:
        monkeypatch.setattr(prepared_data, "BROADCAST_LIMIT", 0)


@pytest.mark.parametrize("policy", POLICIES)
def test_policies_are_kept_alike(classic, either_way, policy):
    ours = rankgold.evaluate(*many_on(classic), [*FIVE, "auc", "mr"], policy=policy)
    theirs = rankgold.evaluate(*many(), [*FIVE, "auc", "mr"], policy=policy)
    assert_same_values(ours, theirs)
    assert_same_notes(ours, theirs)


def test_hits_that_would_move_at_32_bits_are_counted_alike(session, way):
    # 1 and 1 + 2^-30 are the same 32-bit float: then b, the higher id, would stand above a in both queries.
    qrels = {query: {"a": 1} for query in ("q1", "q2")}
    run = {query: {"a": 1 + 2**-30, "b": 1.0} for query in qrels}
    frames = frame(session, qrels, "grade"), frame(session, run, "score")
    assert rankgold.evaluate(*frames, ["rr"], per_query=way == "sent").notes.moved_at_32_bits == 2
    assert rankgold.evaluate(qrels, run, ["rr"]).notes.moved_at_32_bits == 2


@pytest.mark.parametrize("policy", ["ties=input", "duplicates=first", "duplicates=last"])
def test_what_depends_on_the_order_of_rows_is_refused_with_the_reason(classic, policy):
    qrels, run = frame(classic, QRELS, "grade"), frame(classic, RUN, "score")
    with pytest.raises(
        rankgold.PolicyError, match=f"Spark does not support {policy}: the rows of a frame on Spark have no"
    ):
        rankgold.evaluate(qrels, run, ["ap"], policy=policy)


def test_hits_are_those_of_the_local_engine(session, way):
    collection = many(as_integers=True)
    # Judgements have integers and the run has text, so ids are compared as text; Hits keep those of the judgements.
    qrels = {int(query): {int(d): grade for d, grade in rows.items()} for query, rows in collection[0].items()}
    frames = frame(session, collection[0], "grade", as_integers=True), frame(session, collection[1], "score")
    policy = "ties=descending" if way == "sent" else "ties=average, unjudged=condensed"
    ours, theirs = rankgold.match(*frames, policy=policy), rankgold.match(qrels, collection[1], policy=policy)
    assert list(ours.queries) == sorted(qrels)
    scores = rankgold.evaluate(ours, MEASURES), rankgold.evaluate(theirs, MEASURES)
    assert_same_values(*scores)
    assert_same_notes(*scores)
    for query in list(qrels)[:3]:
        explained = [str(rankgold.explain(hits, measure="ndcg@5", query=query)) for hits in (ours, theirs)]
        assert explained[0] == explained[1]


def test_hits_of_several_runs_and_of_trusted_ranks(session, way):
    qrels = frame(session, {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}, "grade")
    run = ranked(session, [("q1", "a", 2), ("q1", "x", 5), ("q1", "b", 7), ("q2", "c", 3)])
    data = {"qrels": qrels, "run": {"one": run, "two": run}}
    found = list(hits_of(Request.of(data, engine=rankgold.Spark(trust_ranks=True))))
    assert [hits.name for hits in found] == ["one", "two"]
    for hits in found:
        assert hits.system.whole.rank.tolist() == [2, 7, 3]
        assert [hits.system.whole.documents[row] for row in hits.system.whole.row] == ["a", "b", "c"]
        assert hits.returned.tolist() == [3, 1]


QRELS = {"q1": {"a": 1, "b": 3}, "q2": {"c": 1, "d": 0}, "q3": {"z": 2}, "q4": {"y": 0}}
RUN = {"q1": {"b": 3.0, "x": 2.0, "a": 2.0}, "q2": {"d": 1.0, "c": 0.5}, "q9": {"c": 1.0}}


def test_means_and_variances_alone_are_the_same_to_the_last_bit(session, way):
    qrels, run = many()
    other = {query: dict.fromkeys(rows, 1.0) for query, rows in run.items()}
    judged, ranked = many_on(session)
    runs = {"one": ranked, "other": frame(session, other, "score")}
    ours = rankgold.evaluate(judged, runs, FIVE, per_query=False)
    theirs = rankgold.evaluate(qrels, {"one": run, "other": other}, FIVE)
    assert ours.means == theirs.means
    assert ours.variances == theirs.variances
    assert ours.differences("one", "other") == theirs.differences("one", "other")
    assert not ours.has_queries
    with pytest.raises(rankgold.DataError, match="not kept"):
        _ = ours.per_query


def test_notes_of_means_alone_tell_how_many_queries_are_meant(session, way):
    ours = rankgold.evaluate(frame(session, QRELS, "grade"), frame(session, RUN, "score"), ["ap"], per_query=False)
    assert set(ours.notes.remarks) == {
        "2 queries judged but not ranked",
        "1 query ranked but not judged",
        "1 query without a relevant document",
    }
    assert (ours.notes.queries, ours.notes.retrieved, ours.notes.unjudged_share) == (4, 5, pytest.approx(0.2))


def ranked(session, rows, types="query string, document string, rank int"):
    return session.createDataFrame(rows, types)


def test_ranks_that_are_trusted_are_taken_as_they_are(session, way):
    # Ranks 2 and 7, with nothing said of the others: ap = (1/2 + 2/7)/2, rr = 1/2; q2's document is at rank 3.
    qrels = frame(session, {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"d": 1}}, "grade")
    run = ranked(
        session, [("q1", "a", 2), ("q1", "x", 5), ("q1", "b", 7), ("q2", "c", 3), ("q2", "y", 9), ("q8", "c", 1)]
    )
    measures = ["ap", "rr", "p(norm=returned)"]
    scores = rankgold.evaluate(
        qrels, run, measures, engine=rankgold.Spark(trust_ranks=True), per_query=way == "shuffled"
    )
    assert scores.means == pytest.approx(
        {
            "ap": ((1 / 2 + 2 / 7) / 2 + 1 / 3) / 3,
            "rr": (1 / 2 + 1 / 3) / 3,
            "p(norm=returned)": (2 / 3 + 1 / 2) / 3,
        }
    )
    assert scores.notes.retrieved == 5
    assert any("ranks were trusted" in remark for remark in scores.notes.remarks)
    # Without unjudged documents the ranks of q1 are 1 and 2, and that of q2 is 1.
    condensed = rankgold.evaluate(
        qrels, run, ["ap"], engine=rankgold.Spark(trust_ranks=True), policy="unjudged=condensed"
    )
    assert condensed.means == pytest.approx({"ap": 2 / 3})


def test_trusted_ranks_without_ties_give_the_numbers_of_the_scores_behind_them(session, way):
    listed = []
    for query, documents in many()[1].items():
        best = sorted(documents, key=lambda d: (documents[d], d), reverse=True)
        listed += [(query, document, rank) for rank, document in enumerate(best, start=1)]
    # The columns have other names, and there is a score that must not be looked at.
    frame_of_ranks = ranked(session, listed).selectExpr(
        "query as user", "document as item", "rank as place", "0.5D as score"
    )
    ours = rankgold.evaluate(
        many_on(session)[0],
        frame_of_ranks.repartition(4),
        MEASURES,
        engine=rankgold.Spark(trust_ranks=True),
        columns={"rank": "place"},
    )
    theirs = many_evaluated_here()
    # A measure that handles ties compares the scores themselves, which are not looked at where ranks are trusted.
    measures = [str(measure) for measure in MEASURES if not measure.metric.handles_ties]
    values = ours.per_query.sort("query").select(measures), theirs.per_query.sort("query").select(measures)
    for measure in measures:
        assert values[0][measure].to_list() == pytest.approx(values[1][measure].to_list(), abs=1e-12, nan_ok=True)


def test_a_column_of_ranks_that_are_not_trusted_is_ranked_by_them(classic):
    run = ranked(classic, [("q1", "a", 2), ("q1", "x", 5), ("q1", "b", 7)])
    scores = rankgold.evaluate({"q1": {"a": 1, "b": 1}}, run, ["ap"])
    assert scores["ap"] == pytest.approx((1 / 1 + 2 / 3) / 2)


FAULTS_OF_ROWS = {
    "a score that is NaN": ([("q1", "a", float("nan"))], "the run, query 'q1', document 'a': the score is nan."),
    "a score that is infinite": ([("q1", "a", float("-inf"))], "the run, query 'q1', document 'a': the score is -inf."),
    "no score": ([("q9", "a", None), ("q1", "a", 1.0)], "the run, query 'q9', document 'a': the score is missing."),
    "no query": ([(None, "a", 1.0), ("q1", "a", 1.0)], "the run, document 'a': the query is missing."),
    "no document": ([("q1", None, 1.0), ("q1", "a", 1.0)], "the run, query 'q1': the document is missing."),
}  # fmt: skip
FAULTS_OF_RUNS = {
    "a document twice": ([("q1", "a", 1.0), ("q1", "b", 2.0), ("q1", "a", 0.5)],
                         "the run: query 'q1' ranks document 'a' twice. Remove one of the rows."),
    "no query in common": ([("q8", "a", 1.0)], "the run has no query in common with the judgements. Judged: 'q1'"),
    "nothing at all": ([], "the run: there are no rows."),
}  # fmt: skip


@for_each(("rows", "message"), FAULTS_OF_ROWS.values(), ids=FAULTS_OF_ROWS)
def test_faults_of_rows_are_reported_as_here_and_without_a_stack(classic, rows, message):
    check_fault(classic, rows, message)


@for_each(("rows", "message"), FAULTS_OF_RUNS.values(), ids=FAULTS_OF_RUNS)
def test_faults_of_runs_are_reported_as_here_and_without_a_stack(session, way, rows, message):
    check_fault(session, rows, message, per_query=way == "sent")


def test_a_faulty_row_is_found_through_connect_and_with_shuffled_judgements():
    with judgements_get_there("shuffled"):
        check_fault(sessions()["connect"], *FAULTS_OF_ROWS["no score"], per_query=False)


def test_an_interval_is_not_an_id(classic):
    run = classic.sql("select 'q1' as query, interval '1' day as document, 1.0D as score")
    with pytest.raises(rankgold.DataError, match="the document column is of type interval day"):
        rankgold.evaluate(QRELS, run, ["ap"])


def check_fault(session, rows, message, **options):
    run = session.createDataFrame(rows, "query string, document string, score double")
    with pytest.raises(rankgold.DataError) as caught:
        rankgold.evaluate(frame(session, QRELS, "grade"), run, ["ap"], **options)
    assert str(caught.value).startswith(message)
    assert "Traceback" not in str(caught.value)
    assert "java" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_faults_of_judgements_are_reported(session, way):
    run = frame(session, RUN, "score")
    twice = session.createDataFrame([("q1", "a", 1), ("q1", "a", 2)], "query string, doc string, rel int")
    with pytest.raises(rankgold.DataError, match="the judgements: query 'q1' judges document 'a' twice"):
        rankgold.evaluate(twice, run, ["ap"])
    text = session.createDataFrame([("q1", "a", "1"), ("q1", "b", "good")], "query string, doc string, rel string")
    with pytest.raises(
        rankgold.DataError, match="query 'q1', document 'b': the grade must be a finite number, not 'good'"
    ):
        rankgold.evaluate(text, run, ["ap"])


def test_columns_are_recognised_as_here(classic):
    run = frame(classic, RUN, "score")
    with pytest.raises(rankgold.DataError, match="cannot tell which column holds the document of a run"):
        rankgold.evaluate(QRELS, run.withColumnRenamed("document", "what.is it`?"), ["ap"])
    named = run.withColumnRenamed("document", "what.is it`?").withColumnRenamed("query", "Query-ID")
    assert (
        rankgold.evaluate(QRELS, named, FIVE, columns={"document": "what.is it`?"}).means
        == rankgold.evaluate(QRELS, RUN, FIVE).means
    )
    with pytest.raises(rankgold.DataError, match="there is no column of ranks to trust"):
        rankgold.evaluate(QRELS, run, ["ap"], engine=rankgold.Spark(trust_ranks=True))
    with pytest.raises(rankgold.DataError, match=r"the query column is of type array<string>"):
        rankgold.evaluate(QRELS, run.selectExpr("array(query) as query", "document", "score"), ["ap"])
    with pytest.raises(rankgold.DataError, match="the score must be a number, and this column is of type boolean"):
        rankgold.evaluate(QRELS, run.selectExpr("query", "document", "score > 1 as score"), ["ap"])


def tagged(run):
    """The same rows under two names of systems."""
    return run.selectExpr("*", "'a' as system").union(run.selectExpr("*", "'b' as system"))


def test_runs_have_the_names_they_have_here(classic):
    run = frame(classic, RUN, "score")
    here = rankgold.evaluate(QRELS, {"x a": RUN, "x b": RUN, "y": RUN}, FIVE)
    assert_same_values(rankgold.evaluate(QRELS, {"x": tagged(run), "y": run}, FIVE), here)
    assert rankgold.evaluate(QRELS, [run, run], FIVE).runs == ["run", "run (2)"]
    with pytest.raises(rankgold.DataError, match="the run is missing"):
        rankgold.evaluate(QRELS, tagged(run).union(run.selectExpr("*", "null as system")), FIVE)


def test_a_column_names_the_runs(session):
    ours = rankgold.evaluate(QRELS, tagged(frame(session, RUN, "score")), FIVE)
    assert_same_values(ours, rankgold.evaluate(QRELS, {"a": RUN, "b": RUN}, FIVE))


def test_a_run_without_any_ranking_of_a_query_scores_0_there_beside_one_that_has_some(session, way):
    half = {"q1": RUN["q1"]}
    runs = {"all": frame(session, RUN, "score"), "half": frame(session, half, "score")}
    ours = rankgold.evaluate(frame(session, QRELS, "grade"), runs, ["rr"], per_query=way == "sent")
    assert ours.means == rankgold.evaluate(QRELS, {"all": RUN, "half": half}, ["rr"]).means
    assert ours.means == {"all": {"rr": (1 + 1 / 2) / 4}, "half": {"rr": 1 / 4}}


def test_judgements_may_be_here_and_the_run_on_spark(classic, tmp_path):
    (tmp_path / "q.txt").write_text("".join(f"{q} 0 {d} {g}\n" for q, docs in QRELS.items() for d, g in docs.items()))
    run = frame(classic, RUN, "score")
    theirs = rankgold.evaluate(QRELS, RUN, FIVE)
    for qrels in (QRELS, tmp_path / "q.txt", rankgold.read_qrels(tmp_path / "q.txt").to_pandas()):
        ours = rankgold.evaluate(qrels, run, FIVE)
        assert_same_values(ours, theirs)
        assert ours.per_query["query"].to_list() == list(QRELS)


def test_both_may_be_here(session):
    assert_same_values(rankgold.evaluate(QRELS, RUN, FIVE, engine=session), rankgold.evaluate(QRELS, RUN, FIVE))
