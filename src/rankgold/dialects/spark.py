"""Spark MLlib: RankingMetrics, and RankingEvaluator of spark.ml."""

from rankgold.dialects.table import Dialect, NotRepeated

DIALECT = Dialect(
    name="spark",
    tool="Spark MLlib",
    version="4.3.0",
    checked="the tool itself, on 200 random collections",
    policy="ties=input, missing=skip",
    defaults={"ap": {"norm": "min"}, "ndcg": {"gain": "exp"}, "dcg": {"gain": "exp"}},
    names={
        "meanAveragePrecision": "ap(norm=min)",
        "meanAveragePrecisionAt": "ap(norm=min)",
        "meanAveragePrecisionAtK": "ap(norm=min)@10",
        "precisionAt": "p",
        "precisionAtK": "p@10",
        "recallAt": "r",
        "recallAtK": "r@10",
        "ndcgAt": "ndcg(gain=exp)",
        "ndcgAtK": "ndcg(gain=exp)@10",
    },
    not_repeated=(
        NotRepeated("`recallAt(3)` of [1, 1, 2], where 1 and 2 are relevant: a document counts each time", "1.5", "1"),
        NotRepeated(
            "`ndcgAt(2)` with relevance values in another order than the best: its ideal ranking is in the given order",
            "1.49 for [b, a], labels [a, b] with values [1, 2]",
            "1",
        ),
    ),
    page="spark",
)
