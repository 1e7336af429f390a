"""Spark MLlib: RankingMetrics, and RankingEvaluator of spark.ml."""

from rankgold.dialects.tool_facts import Dialect, NotRepeated

DIALECT = Dialect(
    name="spark",
    tool="Spark MLlib",
    version="4.3.0",
    checked="the tool itself, on 200 random collections",
    measures="ap ndcg p r",
    policy="ties=input, missing=skip",
    defaults={"ap": {"norm": "min"}, "ndcg": {"gain": "binary"}, "dcg": {"gain": "binary"}},
    names={
        "meanAveragePrecision": "ap(norm=min)",
        "meanAveragePrecisionAt": "ap(norm=min)",
        "meanAveragePrecisionAtK": "ap(norm=min)@10",
        "precisionAt": "p",
        "precisionAtK": "p@10",
        "recallAt": "r",
        "recallAtK": "r@10",
        "ndcgAt": "ndcg(gain=binary)",
        "ndcgAtK": "ndcg(gain=binary)@10",
    },
    not_repeated=(
        NotRepeated("`recallAt(3)` of [1, 1, 2], where 1 and 2 are relevant: a document counts each time", "1.5", "1"),
        NotRepeated(
            "`ndcgAt(2)` of [a, b] in Scala, with the labels [b, a] and their relevance 1 and 2: its gains are those of"
            " `ndcg(gain=exp)`, and its ideal ranking is in the order of the labels",
            "1.2552",
            "1",
        ),
    ),
)
