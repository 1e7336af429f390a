"""A program of a user who has rankgold installed: scripts/package runs it, and checks its types with mypy and pyright."""

from pathlib import Path
from typing import Any, assert_type

import polars

import rankgold
from rankgold import Hits, Measure, Policy, Scores

QRELS = {"q1": {"d1": 1, "d3": 2}}
RUN = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}


def means(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> list[float]:
    scores = rankgold.evaluate(qrels, run, ["ndcg@10", "ap"], policy=Policy(ties="average"))
    assert_type(scores, Scores[float])
    assert_type(scores.means, dict[str, float])
    assert_type(dict(scores), dict[str, float])
    assert_type(list(scores), list[str])
    assert len(scores) == 2
    assert "ap" in scores
    return [scores["ndcg@10"], scores["ap"]]


def several_runs(paths: list[Path]) -> dict[str, dict[str, float]]:
    by_name = rankgold.evaluate(QRELS, {"bm25": RUN, "dense": RUN}, ["ap"], engine="local", per_query=True)
    assert_type(by_name, Scores[dict[str, float]])
    assert_type(by_name[rankgold.parse_measure("ap")], dict[str, float])
    assert_type(by_name["bm25"], Any)
    assert_type(list(by_name), list[str])
    assert_type(dict(by_name), dict[str, Any])
    assert_type(by_name.sorted_by("ap").runs, list[str])
    if paths:
        assert_type(rankgold.evaluate(QRELS, paths), Scores[dict[str, float]])
        assert_type(rankgold.evaluate(QRELS, {"bm25": paths[0]}), Scores[dict[str, float]])
        assert_type(rankgold.evaluate(QRELS, paths[0])["ap"], float)
        assert_type(rankgold.evaluate(QRELS, polars.read_parquet(paths[0]))["ap"], float)
    return by_name.means


def matched_once() -> Scores:
    hits = rankgold.match(QRELS, RUN)
    assert_type(hits, Hits)
    measure = rankgold.parse_measure("ndcg(gain=exp)@10")
    assert_type(rankgold.evaluate(hits, measure)[measure], float)
    return rankgold.evaluate(hits, measure)


def on_engines(table: polars.DataFrame) -> list[Scores[float]]:
    """Options come with the engine; a table with grades and scores needs no run."""
    engine = rankgold.DuckDB(memory_limit="1GB")
    assert_type(rankgold.evaluate(table, measures="ap", engine=engine), Scores[Any])
    found = rankgold.evaluate(QRELS, RUN, "ap", topics=["q1"], depth=10, by={"q1": "short"}, engine=engine)
    assert_type(rankgold.evaluate(rankgold.match(QRELS, RUN), ["ap"], rel=2, by={"q1": "short"}), Scores[float])
    return [found, rankgold.similarity(RUN, RUN, ["overlap@2"]), rankgold.exposure(RUN, ["coverage@2"], items=["d1"])]


def built_in_python() -> str:
    measure = rankgold.measures.ndcg(gain="exp") @ 10
    assert_type(measure, Measure)
    return str(measure)


def results() -> list[str]:
    """What the other verbs return prints in every format."""
    runs = {"bm25": RUN, "dense": RUN}
    comparison = rankgold.compare(QRELS, runs, "ap", baseline="bm25", test=rankgold.Bootstrap(draws=100))
    assert_type(comparison.frame, polars.DataFrame)
    assert_type(rankgold.fuse(runs), polars.DataFrame)
    doctor, reconciled = rankgold.doctor(QRELS, RUN), rankgold.reconcile(QRELS, RUN, "ap", 0.5, per_query={"q1": 0.5})
    judged = rankgold.bounds(QRELS, RUN), rankgold.pool(runs), rankgold.agreement({"a": QRELS, "b": QRELS})
    changed = rankgold.what_if(QRELS, RUN, remove=[("q1", "d1")])
    found = [comparison, doctor, reconciled, *judged, changed, rankgold.diff(QRELS, RUN, RUN, "ap")]
    return [result.to_markdown() for result in found]


def explained() -> str:
    return str(rankgold.explain(QRELS, RUN, "ap", "q1"))


def refused() -> str:
    try:
        rankgold.evaluate(QRELS, RUN, ["ndgc"])
    except rankgold.RankgoldError as error:
        return str(error)
    raise AssertionError("there is no such measure")


if __name__ == "__main__":
    print(
        means(QRELS, RUN),
        several_runs([]),
        matched_once(),
        built_in_python(),
        explained(),
        refused(),
        *results(),
        sep="\n",
    )
