"""LightGBM: the metrics of its rankers, which see only the documents of a list."""

from rankgold.dialects.tool_facts import Dialect, NotRepeated

DIALECT = Dialect(
    name="lightgbm",
    tool="LightGBM",
    version="4.7.0",
    checked="the tool itself, on 200 random collections",
    measures="ap ndcg",
    policy="ties=input, missing=skip, no_relevant=one, unretrieved=dropped",
    defaults={"ndcg": {"gain": "exp"}, "dcg": {"gain": "exp"}, "ap": {"norm": "min"}},
    not_repeated=(NotRepeated("a grade above 30 without `label_gain`", "an error", "2^grade - 1"),),
)
