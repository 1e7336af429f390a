"""What the other tools do in the benchmarks: each function prepares, and returns the work to be timed."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

import made_data

Work = Callable[[], dict[str, float]]
FIVE = {"map": "ap", "ndcg": "ndcg", "P_10": "p@10", "recip_rank": "rr", "recall_100": "r@100"}


def _parsed(qrels: str, run: str) -> tuple[Any, Any]:
    import pytrec_eval

    with open(qrels) as judgements, open(run) as ranking:
        return pytrec_eval.parse_qrel(judgements), pytrec_eval.parse_run(ranking)


def _evaluated(qrels: Any, run: Any) -> dict[str, float]:
    import pytrec_eval

    values = pytrec_eval.RelevanceEvaluator(qrels, set(FIVE)).evaluate(run)
    return {ours: statistics.fmean(query[theirs] for query in values.values()) for theirs, ours in FIVE.items()}


def pytrec_files(qrels: str, run: str) -> Work:
    return lambda: _evaluated(*_parsed(qrels, run))


def pytrec_several_files(qrels: str, runs: list[str]) -> Work:
    """The runs one after the other; the judgements are read once."""
    import pytrec_eval

    def work() -> dict[str, float]:
        with open(qrels) as judgements:
            judged = pytrec_eval.parse_qrel(judgements)
        values = []
        for path in runs:
            with open(path) as ranking:
                values.append(_evaluated(judged, pytrec_eval.parse_run(ranking)))
        return {ours: statistics.fmean(run[ours] for run in values) for ours in FIVE.values()}

    return work


def pytrec_reading(qrels: str, run: str) -> Work:
    def work() -> dict[str, float]:
        _parsed(qrels, run)
        return {}

    return work


def pytrec_dicts(qrels: str, run: str) -> Work:
    judged, ranked = _parsed(qrels, run)
    return lambda: _evaluated(judged, ranked)


def ir_measures_files(qrels: str, run: str) -> Work:
    import ir_measures
    from ir_measures import AP, RR, P, R, nDCG

    asked = {AP: "ap", nDCG: "ndcg", P @ 10: "p@10", RR: "rr", R @ 100: "r@100"}

    def work() -> dict[str, float]:
        values = ir_measures.calc_aggregate(
            list(asked), ir_measures.read_trec_qrels(qrels), ir_measures.read_trec_run(run)
        )
        return {ours: float(values[measure]) for measure, ours in asked.items()}

    return work


def ir_measures_dicts(qrels: str, run: str) -> Work:
    import ir_measures

    judged, ranked = _parsed(qrels, run)
    asked = dict(zip(map(ir_measures.parse_measure, ("AP", "nDCG", "P@10", "RR", "R@100")), FIVE.values(), strict=True))

    def work() -> dict[str, float]:
        values = ir_measures.calc_aggregate(list(asked), judged, ranked)
        return {ours: float(values[measure]) for measure, ours in asked.items()}

    return work


def ranx_files(qrels: str, run: str) -> Work:
    from ranx import Qrels, Run

    return lambda: _ranx(Qrels.from_file(qrels, kind="trec"), Run.from_file(run, kind="trec"))


def ranx_frames(qrels: str, run: str, polars: bool = False) -> Work:
    from ranx import Qrels, Run

    judged, ranked = _frames(qrels, run)
    if polars:
        import polars as pl

        judged, ranked = pl.from_pandas(judged), pl.from_pandas(ranked)

    def work() -> dict[str, float]:
        left, right = (judged.to_pandas(), ranked.to_pandas()) if polars else (judged, ranked)
        return _ranx(
            Qrels.from_df(left, q_id_col="query", doc_id_col="document", score_col="grade"),
            Run.from_df(right, q_id_col="query", doc_id_col="document", score_col="score"),
        )

    return work


def _frames(qrels: str, run: str) -> tuple[Any, Any]:
    import pandas as pd

    names = ["query", "zero", "document", "grade"], ["query", "q0", "document", "rank", "score", "tag"]
    judged, ranked = (
        pd.read_csv(path, sep=" ", names=columns) for path, columns in zip((qrels, run), names, strict=True)
    )
    return judged.drop(columns="zero"), ranked[["query", "document", "score"]]


def _ranx(qrels: Any, run: Any) -> dict[str, float]:
    from ranx import evaluate

    asked = {"map": "ap", "ndcg": "ndcg", "precision@10": "p@10", "mrr": "rr", "recall@100": "r@100"}
    values = evaluate(qrels, run, list(asked), make_comparable=True)
    return {ours: float(values[theirs]) for theirs, ours in asked.items()}


def sklearn_arrays(queries: int, documents: int, ignore_ties: bool) -> Work:
    from sklearn.metrics import ndcg_score

    grades, scores = made_data.dense(queries, documents)
    return lambda: {"ndcg@10": float(ndcg_score(grades, scores, k=10, ignore_ties=ignore_ties))}


def sklearn_tied_arrays(documents: int) -> Work:
    from sklearn.metrics import ndcg_score

    grades, scores = made_data.tied(documents)
    return lambda: {"ndcg": float(ndcg_score(grades, scores))}


def torchmetrics_arrays(queries: int, documents: int) -> Work:
    import torch
    from torchmetrics.retrieval import RetrievalNormalizedDCG

    grades, scores = map(torch.tensor, made_data.dense(queries, documents))
    query = torch.arange(queries).repeat_interleave(documents)

    def work() -> dict[str, float]:
        metric = RetrievalNormalizedDCG(top_k=10)
        metric.update(scores.reshape(-1), grades.reshape(-1), indexes=query)
        return {"ndcg@10": float(metric.compute())}

    return work


def rectools_recommending(users: int, depth: int) -> Work:
    import pandas as pd
    from rectools import Columns
    from rectools.metrics import MRR, Precision, Recall, calc_metrics

    made = np.load(made_data.recommendations(users, depth))
    items, wanted = made["items"], made["wanted"]
    reco = pd.DataFrame(
        {
            Columns.User: np.repeat(np.arange(users), depth),
            Columns.Item: items.reshape(-1),
            Columns.Rank: np.tile(np.arange(1, depth + 1), users),
        }
    )
    liked = pd.DataFrame({Columns.User: np.repeat(np.arange(users), wanted.shape[1]), Columns.Item: wanted.reshape(-1)})
    metrics = {"p@10": Precision(k=10), "r@10": Recall(k=10), "rr@10": MRR(k=10)}
    return lambda: {name: float(value) for name, value in calc_metrics(metrics, reco=reco, interactions=liked).items()}


def spark_ranking_evaluator(qrels: str, run: str) -> Work:
    from pyspark.ml.evaluation import RankingEvaluator
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    from spark_sessions import session

    here = session()
    judged, ranked = here.read.parquet(qrels), here.read.parquet(run)
    best_first = Window.partitionBy("query").orderBy(F.desc("score"), F.desc(F.col("document").cast("string")))
    document = F.col("document").cast("double").alias("document")
    evaluator = RankingEvaluator(predictionCol="prediction", labelCol="label", metricName="meanAveragePrecision")

    def work() -> dict[str, float]:
        ranks = ranked.withColumn("rank", F.row_number().over(best_first))
        pairs = F.sort_array(F.collect_list(F.struct("rank", document)))
        lists = ranks.groupBy("query").agg(pairs.getField("document").alias("prediction"))
        labels = judged.where("grade >= 1").groupBy("query").agg(F.collect_list(document).alias("label"))
        return {"ap": float(evaluator.evaluate(lists.join(labels, "query")))}

    return work


def ranx_fusing(runs: int, queries: int, depth: int) -> Work:
    from ranx import Run, fuse

    made = [
        Run({query: dict(zip(documents, scores, strict=True)) for query, documents, scores in run})
        for run in made_data.runs_to_fuse(runs, queries, depth)
    ]

    def work() -> dict[str, float]:
        # Without a norm, which RRF does not need.
        fused = fuse(made, norm=None, method="rrf", params={"k": 60})
        found = fused.run.values()
        return {"documents": sum(map(len, found)), "highest": max(next(iter(scores.values())) for scores in found)}

    return work


def ranx_comparing(runs: int, queries: int, depth: int, permutations: int) -> Work:
    from ranx import Qrels, Run, compare

    judged, made = made_data.judged_runs(runs, queries, depth)
    qrels, named = Qrels(judged), [Run(run, name=f"run {i}") for i, run in enumerate(made)]
    asked = {"map": "ap", "ndcg@10": "ndcg@10", "precision@10": "p@10", "mrr": "rr", "recall@100": "r@100"}

    def work() -> dict[str, float]:
        found = compare(qrels, named, list(asked), stat_test="fisher", n_permutations=permutations).to_dict()
        return {
            f"{ours} {run.name}": float(found[run.name]["scores"][theirs])
            for theirs, ours in asked.items()
            for run in named[:-1]
        }

    return work
