"""A program of a user who has rankgold installed: scripts/package runs it, and checks its types with mypy and pyright."""

from typing import assert_type

import rankgold
from rankgold import Hits, Measure, Policy, Scores

QRELS = {"q1": {"d1": 1, "d3": 2}}
RUN = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}


def means(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> list[float]:
    scores = rankgold.evaluate(qrels, run, ["ndcg@10", "ap"], policy=Policy(ties="average"))
    assert_type(scores, Scores)
    return [scores["ndcg@10"], scores["ap"]]


def matched_once() -> Scores:
    hits = rankgold.match(QRELS, RUN)
    assert_type(hits, Hits)
    return rankgold.evaluate(hits, rankgold.parse("ndcg(gain=exp)@10"))


def built_in_python() -> str:
    measure = rankgold.measures.ndcg(gain="exp") @ 10
    assert_type(measure, Measure)
    return str(measure)


def explained() -> str:
    return str(rankgold.explain(QRELS, RUN, "ap", "q1"))


def refused() -> str:
    try:
        rankgold.evaluate(QRELS, RUN, ["ndgc"])
    except rankgold.RankgoldError as error:
        return str(error)
    raise AssertionError("there is no such measure")


if __name__ == "__main__":
    print(means(QRELS, RUN), matched_once(), built_in_python(), explained(), refused(), sep="\n")
