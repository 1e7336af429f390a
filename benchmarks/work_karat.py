"""What karat does in the benchmarks: each function prepares, and returns the work to be timed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import karat
import made_data

FIVE = ["ap", "ndcg", "p@10", "rr", "r@100"]
LIKE_PYTREC_EVAL = "trec_eval, score_bits=32"
Work = Callable[[], dict[str, float]]


def _means(scores: Any) -> dict[str, float]:
    return {name: float(value) for name, value in scores.means.items()}


def files(qrels: str, run: str, measures: list[str] | None = None, policy: str = LIKE_PYTREC_EVAL) -> Work:
    return lambda: _means(karat.evaluate(qrels, run, measures or FIVE, policy=policy))


def reading(qrels: str, run: str) -> Work:
    def work() -> dict[str, float]:
        karat.match(qrels, run, policy=LIKE_PYTREC_EVAL)
        return {}

    return work


def evaluating(qrels: str, run: str) -> Work:
    hits = karat.match(qrels, run, policy=LIKE_PYTREC_EVAL)
    return lambda: _means(karat.evaluate(hits, FIVE))


def dicts(qrels: str, run: str) -> Work:
    judged, ranked = _nested(karat.read_qrels(qrels), "grade", int), _nested(karat.read_run(run), "score", float)
    return lambda: _means(karat.evaluate(judged, ranked, FIVE, policy=LIKE_PYTREC_EVAL))


def _nested(frame: Any, number: str, kind: type) -> dict[str, dict[str, float]]:
    nested: dict[str, dict[str, float]] = {}
    for query, document, value in frame.select("query", "document", number).iter_rows():
        nested.setdefault(query, {})[document] = kind(value)
    return nested


def pandas_frames(qrels: str, run: str) -> Work:
    judged, ranked = karat.read_qrels(qrels).to_pandas(), karat.read_run(run).to_pandas()
    return lambda: _means(karat.evaluate(judged, ranked, FIVE))


def polars_frames(qrels: str, run: str) -> Work:
    judged, ranked = karat.read_qrels(qrels), karat.read_run(run)
    return lambda: _means(karat.evaluate(judged, ranked, FIVE))


def arrays(queries: int, documents: int, policy: str) -> Work:
    grades, scores = made_data.dense(queries, documents)
    return lambda: _means(karat.evaluate(karat.from_arrays(grades, scores, policy=policy), ["ndcg@10"]))


def recommending(users: int, depth: int) -> Work:
    import polars as pl

    made = np.load(made_data.recommendations(users, depth))
    items, wanted = made["items"], made["wanted"]
    run = pl.DataFrame(
        {
            "user": np.repeat(np.arange(users), depth),
            "item": items.reshape(-1),
            "rank": np.tile(np.arange(1, depth + 1), users),
        }
    )
    liked = pl.DataFrame({"user": np.repeat(np.arange(users), wanted.shape[1]), "item": wanted.reshape(-1)})
    return lambda: _means(karat.evaluate(liked, run, ["p@10", "r@10", "rr@10"]))


def spark(qrels: str, run: str) -> Work:
    from spark_sessions import session

    here = session()
    judged, ranked = here.read.parquet(qrels), here.read.parquet(run)
    return lambda: _means(karat.evaluate(judged, ranked, FIVE, per_query=False))
