"""TensorFlow Ranking: its metrics, which see only the documents of a list."""

from rankgold.dialects.tool_facts import Dialect, NotRepeated

DIALECT = Dialect(
    name="tensorflow_ranking",
    tool="TensorFlow Ranking",
    version="0.5.5",
    checked="its formulas written out, on 200 random collections",
    measures="ap arp dcg hit ndcg opa p r rr",
    policy="ties=average, missing=skip, unretrieved=dropped, undefined=zero",
    defaults={"ndcg": {"gain": "exp"}, "dcg": {"gain": "exp"}, "p": {"norm": "returned"}},
    names={
        "NDCGMetric": "ndcg(gain=exp)",
        "DCGMetric": "dcg(gain=exp)",
        "MRRMetric": "rr",
        "HitsMetric": "hit",
        "hits": "hit",
        "PrecisionMetric": "p(norm=returned)",
        "RecallMetric": "r",
        "MeanAveragePrecisionMetric": "ap",
    },
    not_repeated=(
        NotRepeated("tied documents: their order is random", "any order", "averaged"),
        NotRepeated("`MRRMetric` of rank 3: 32 bits", "0.33333334327", "0.33333333333"),
        NotRepeated(
            "`ARPMetric` and `OPAMetric` over queries: the mean is weighted by grades and by pairs",
            "weighted",
            "`arp`, `opa`",
        ),
    ),
)
