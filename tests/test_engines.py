"""What every engine has in common: the table of engines, how one is chosen, and Hits that are those of the local one."""

import inspect
import sys

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from rankgold.data.formats.registry import FORMATS
from rankgold.engines.protocol import ENGINES, DuckDB
from rankgold.engines.request import Request, chosen_engine
from rankgold.engines.spark.task_results import unite_hits
from rankgold.scoring.evaluation import hits_of
from tests.collections import collections, examples
from tests.test_paths_agree import MEASURES, POLICIES, SCORES, frame

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1}, "q3": {"x": 1}}
RUN = {"q1": {"a": 0.5, "b": 0.9, "d": 0.5, "c": 0.1}, "q2": {"z": 3.0, "a": 2.0}, "q9": {"a": 1.0}}


def values(hits):
    """Every value of every query, as text that shows floats to the last bit."""
    rows = rankgold.evaluate(hits, MEASURES).per_query.sort("query").to_dicts()
    return [{name: value.hex() for name, value in row.items() if name != "query"} for row in rows]


def explanations(hits):
    return [str(rankgold.explain(hits, measure="ndcg@5", query=query)) for query in sorted(hits.queries)]


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_has_all_verbs(name):
    engine = Request.of({}, engine=name).load_engine()
    assert engine.name == name
    for verb, takes in {"match": ["request"], "reduce": ["request", "work"], "plan": ["request", "work"]}.items():
        assert list(inspect.signature(getattr(engine, verb)).parameters) == takes


def test_an_engine_is_chosen_by_its_name_its_connection_or_its_frames():
    with duckdb.connect() as connection:
        assert chosen_engine(connection) == DuckDB(connection)
        relation = connection.from_arrow(frame(RUN, "score").to_arrow())
        # Frames of DuckDB's are read like any other frame, unless the engine is named.
        assert rankgold.plan(QRELS, relation, ["ap"]).startswith(
            "1. The judgements and the run are read in this process"
        )
        assert rankgold.plan(QRELS, relation, ["ap"], engine=connection).startswith("-- 1. Count the rows")
    assert [type(chosen_engine(name)) for name in ENGINES] == list(ENGINES.values())
    with pytest.raises(rankgold.DataError, match=r"'oracle' is not an engine\. Pass local, duckdb, spark, a"):
        chosen_engine("oracle")


def test_an_unknown_keyword_is_a_type_error():
    for function in (rankgold.evaluate, rankgold.plan, rankgold.match):
        with pytest.raises(TypeError, match="unexpected keyword argument 'polcy'"):
            function(QRELS, RUN, polcy="trec_eval")


def test_spark_that_is_not_installed_is_an_error_that_says_so(monkeypatch):
    loaded = [module for module in sys.modules if module.split(".")[0] == "pyspark"]  # by an earlier test
    for module in ["pyspark", "pyspark.errors", *loaded]:
        monkeypatch.setitem(sys.modules, module, None)
    for function in (rankgold.evaluate, rankgold.plan, rankgold.match):
        with pytest.raises(rankgold.MissingDependency, match="PySpark"):
            function(QRELS, RUN, engine="spark")


@examples(30)
@given(st.sampled_from(POLICIES), collections(scores=SCORES))
def test_hits_of_duckdb_are_those_of_the_local_engine(policy, collection):
    tables = frame(collection[0], "grade"), frame(collection[1], "score")
    local, found = (rankgold.match(*tables, policy=policy, engine=engine) for engine in ("local", "duckdb"))
    assert values(found) == values(local)
    assert explanations(found) == explanations(local)


def test_all_runs_are_matched_by_any_engine():
    for engine in ("local", "duckdb"):
        hits = list(hits_of(Request.of({"qrels": QRELS, "run": {"one": RUN, "two": RUN}}, engine=engine)))
        assert [hits_of_run.name for hits_of_run in hits] == ["one", "two"]
        assert values(hits[0]) == values(hits[1])
        assert str(rankgold.explain(QRELS, RUN, "rr", "q1", engine=engine)).startswith("rr of query q1: 0.3333")
    with pytest.raises(rankgold.DataError, match=r"there are 2 runs \(one, two\)\. Match them one by one"):
        rankgold.match(QRELS, {"one": RUN, "two": RUN}, engine="duckdb")


@pytest.mark.parametrize(
    "policy", ["ties=descending", "ties=average", "ties=average,unjudged=condensed", "unretrieved=dropped"]
)
@examples(15)
@given(collection=collections(scores=SCORES), random=st.randoms(use_true_random=False))
def test_hits_that_were_matched_in_parts_are_joined_in_any_order(policy, collection, random):
    qrels, run = collection
    # The first query is always ranked. The unranked ones share its part: a part without a ranked query is an error.
    others = [query for query in list(qrels)[1:] if query in run]
    split = [[query for query in qrels if query not in others], *([query] for query in others)]
    parts = [rankgold.match({query: qrels[query] for query in part}, run, policy=policy) for part in split]
    matched = [query for part in split for query in part]
    order = list(range(len(matched)))
    random.shuffle(order)
    joined, whole = unite_hits(parts, np.array(order)), rankgold.match(qrels, run, policy=policy)
    assert joined.queries == [matched[i] for i in order]
    assert values(joined) == values(whole)
    assert explanations(joined) == explanations(whole)
    for count in ("queries", "retrieved", "unjudged", "negative_grades", "tied_hits", "moved_at_32_bits"):
        assert getattr(joined.notes, count) == getattr(whole.notes, count)
    assert sorted(joined.notes.without_ranking) == sorted(whole.notes.without_ranking)


def test_every_format_is_read_by_some_engine_and_named_once():
    assert len({format_.name for format_ in FORMATS}) == len(FORMATS)
    endings = [ending for format_ in FORMATS for ending in format_.endings]
    assert len(set(endings)) == len(endings)
    assert all(format_.reader or format_.duckdb or format_.spark for format_ in FORMATS)


def test_what_duckdb_does_not_read_itself_is_read_here_and_copied(tmp_path):
    path = tmp_path / "dense.arrow"
    frame(RUN, "score").write_ipc(path)
    scores = rankgold.evaluate(QRELS, str(path), ["rr"], engine="duckdb")
    assert scores.means == rankgold.evaluate(QRELS, RUN, ["rr"]).means
    assert scores.runs == ["dense"]


def test_json_is_recognised_without_an_ending(tmp_path):
    path = tmp_path / "run"
    path.write_text('[{"query": "q1", "doc": "b", "score": 2}, {"query": "q1", "doc": "a", "score": 1}]')
    for engine in ("local", "duckdb"):
        # a, the only relevant document, is at rank 2.
        assert rankgold.evaluate({"q1": {"a": 1}}, str(path), ["rr"], engine=engine)["rr"] == 0.5, engine
