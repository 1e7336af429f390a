"""What rankgold does in the benchmarks: each function prepares, and returns the work to be timed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import made_data
import plain_functions
import rankgold

FIVE = ["ap", "ndcg", "p@10", "rr", "r@100"]
LIKE_PYTREC_EVAL = "pytrec_eval"
Work = Callable[[], dict[str, float]]


def _means(scores: Any) -> dict[str, float]:
    return {name: float(value) for name, value in scores.means.items()}


def files(qrels: str, run: str, measures: list[str] | None = None, policy: str = LIKE_PYTREC_EVAL) -> Work:
    return lambda: _means(rankgold.evaluate(qrels, run, measures or FIVE, policy=policy))


def several_files(qrels: str, runs: list[str]) -> Work:
    """The means over all runs, so that one number stands for twelve."""

    def work() -> dict[str, float]:
        scores = rankgold.evaluate(qrels, runs, FIVE, policy=LIKE_PYTREC_EVAL)
        return {measure: float(np.mean(list(scores[measure].values()))) for measure in FIVE}

    return work


def duckdb_files(qrels: str, run: str, memory_limit: str) -> Work:
    return lambda: _means(
        rankgold.evaluate(qrels, run, FIVE, policy=LIKE_PYTREC_EVAL, engine=rankgold.DuckDB(memory_limit=memory_limit))
    )


def reading(qrels: str, run: str) -> Work:
    def work() -> dict[str, float]:
        rankgold.match(qrels, run, policy=LIKE_PYTREC_EVAL)
        return {}

    return work


def evaluating(qrels: str, run: str) -> Work:
    hits = rankgold.match(qrels, run, policy=LIKE_PYTREC_EVAL)
    return lambda: _means(rankgold.evaluate(hits, FIVE))


def dicts(qrels: str, run: str) -> Work:
    judged, ranked = _nested(rankgold.read_qrels(qrels), "grade", int), _nested(rankgold.read_run(run), "score", float)
    return lambda: _means(rankgold.evaluate(judged, ranked, FIVE, policy=LIKE_PYTREC_EVAL))


def ir_measures_interface(qrels: str, run: str) -> Work:
    from rankgold.compat import ir_measures

    judged, ranked = _nested(rankgold.read_qrels(qrels), "grade", int), _nested(rankgold.read_run(run), "score", float)
    asked = dict(zip(map(ir_measures.parse_measure, ("AP", "nDCG", "P@10", "RR", "R@100")), FIVE, strict=True))

    def work() -> dict[str, float]:
        values = ir_measures.calc_aggregate(list(asked), judged, ranked)
        return {ours: values[measure] for measure, ours in asked.items()}

    return work


def _nested(frame: Any, number: str, kind: type) -> dict[str, dict[str, float]]:
    nested: dict[str, dict[str, float]] = {}
    for query, document, value in frame.select("query", "document", number).iter_rows():
        nested.setdefault(query, {})[document] = kind(value)
    return nested


def pandas_frames(qrels: str, run: str) -> Work:
    judged, ranked = rankgold.read_qrels(qrels).to_pandas(), rankgold.read_run(run).to_pandas()
    return lambda: _means(rankgold.evaluate(judged, ranked, FIVE))


def polars_frames(qrels: str, run: str) -> Work:
    judged, ranked = rankgold.read_qrels(qrels), rankgold.read_run(run)
    return lambda: _means(rankgold.evaluate(judged, ranked, FIVE))


def arrays(queries: int, documents: int, policy: str) -> Work:
    grades, scores = made_data.dense(queries, documents)
    return lambda: _means(rankgold.evaluate(rankgold.from_arrays(grades, scores, policy=policy), ["ndcg@10"]))


def tied_arrays(documents: int) -> Work:
    grades, scores = made_data.tied(documents)
    return lambda: _means(
        rankgold.evaluate(rankgold.from_arrays(grades, scores, policy="ties=average"), ["ndcg", "ap"])
    )


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
    return lambda: _means(rankgold.evaluate(liked, run, ["p@10", "r@10", "rr@10"]))


def duckdb_functions(lists: int, depth: int) -> Work:
    """The SQL functions over lists in DuckDB."""
    connection = _lists_in_duckdb(lists, depth)
    rankgold.sql.install(connection)
    calls = {
        "r@10": "recall_at(rec, truth, 10)",
        "p@10": "precision_at(rec, truth, 10)",
        "ap": "average_precision(rec, truth)",
        "rr": "mrr(rec, truth)",
        "ndcg@10": "ndcg(rec, truth, 10)",
    }
    return _averages(connection, calls, "lists")


def python_functions(lists: int, depth: int) -> Work:
    """The same as Python functions that DuckDB calls with every row, one for each measure."""
    connection = _lists_in_duckdb(lists, depth)
    calls = {}
    for name, function in plain_functions.EACH.items():
        connection.create_function(f"plain_{function.__name__}", function, ["BIGINT[]", "BIGINT[]"], "DOUBLE")
        calls[name] = f"plain_{function.__name__}(rec, truth)"
    return _averages(connection, calls, "lists")


def one_python_function(lists: int, depth: int) -> Work:
    """The same as one Python function that goes through the list once and gives all five values."""
    connection = _lists_in_duckdb(lists, depth)
    connection.create_function("all_five", plain_functions.all_five, ["BIGINT[]", "BIGINT[]"], "DOUBLE[]")
    calls = {name: f"five[{i}]" for i, name in enumerate(plain_functions.EACH, 1)}
    return _averages(connection, calls, "(SELECT all_five(rec, truth) AS five FROM lists)")


def _lists_in_duckdb(lists: int, depth: int) -> Any:
    """Lists of integer ids, each with ten relevant ones of which eight are found."""
    import duckdb

    connection = duckdb.connect()
    connection.execute(
        f"""CREATE TABLE lists AS SELECT
            list_transform(range({depth}), lambda x: (i * 7919 + x * 104729) % 1000003) AS rec,
            list_transform(range(10), lambda x: (i * 7919 + x * {depth // 8} * 104729) % 1000003) AS truth
        FROM range({lists}) AS made(i)"""
    )
    return connection


def _averages(connection: Any, calls: dict[str, str], table: str) -> Work:
    query = f"SELECT {', '.join(f'avg({call})' for call in calls.values())} FROM {table}"
    return lambda: dict(zip(calls, connection.execute(query).fetchall()[0], strict=True))


def spark(qrels: str, run: str) -> Work:
    from spark_sessions import session

    here = session()
    judged, ranked = here.read.parquet(qrels), here.read.parquet(run)
    return lambda: _means(rankgold.evaluate(judged, ranked, FIVE, per_query=False))


def fusing(runs: int, queries: int, depth: int) -> Work:
    import polars as pl

    frames = []
    for run in made_data.runs_to_fuse(runs, queries, depth):
        lists = pl.DataFrame(list(run), orient="row", schema=["query", "document", "score"])
        frames.append(lists.explode("document", "score"))

    def work() -> dict[str, float]:
        fused = rankgold.fuse(frames, "rrf", k=60)
        return {"documents": fused.height, "highest": fused["score"].max()}

    return work


def comparing(runs: int, queries: int, depth: int, permutations: int) -> Work:
    judged, made = made_data.judged_runs(runs, queries, depth)
    named = {f"run {i}": run for i, run in enumerate(made)}
    measures = ["ap", "ndcg@10", "p@10", "rr", "r@100"]
    test, interval = rankgold.Randomization(draws=permutations), rankgold.Interval(draws=permutations)

    def work() -> dict[str, float]:
        found = rankgold.compare(judged, named, measures, test=test, correction="none", interval=interval)
        return {f"{row.measure} {row.a}": row.mean_a for row in found}

    return work


def permuting(columns: int, queries: int, permutations: int) -> Work:
    """The randomisation test of so many pairs and measures."""
    from rankgold.comparison.paired_values import Draws, UnitSums
    from rankgold.comparison.significance_tests import randomization

    units = UnitSums.of(np.random.default_rng(0).normal(size=(queries, columns)))

    def work() -> dict[str, float]:
        randomization(units, Draws(permutations, 0))
        return {}

    return work


def matrix_product(columns: int, queries: int, permutations: int) -> Work:
    """What the test at least has to do: signs times differences."""
    random = np.random.default_rng(0)
    signs = random.integers(0, 2, (permutations, queries)) * 2.0 - 1.0
    differences = random.normal(size=(queries, columns))

    def work() -> dict[str, float]:
        np.matmul(signs, differences)
        return {}

    return work
