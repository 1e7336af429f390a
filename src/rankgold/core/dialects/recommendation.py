"""Lists the conventions of LensKit, RecTools, ml_metrics and Spark MLlib."""

from rankgold.core.dialects import Dialect, NotRepeated

LENSKIT = Dialect(
    name="lenskit",
    tool="LensKit",
    version="2025.8.1",
    checked="the tool itself, on 200 random collections",
    measures="ap dcg hit ndcg num_rel num_ret p r rbp rr",
    policy="ties=input, no_relevant=skip",
    defaults={
        "p": {"norm": "returned"},
        "r": {"norm": "min"},
        "ap": {"norm": "reachable"},
        "ndcg": {"gain": "binary", "discount": "jk"},
        "dcg": {"gain": "binary", "discount": "jk"},
        "rbp": {"p": "0.85"},
    },
    names={
        "AveragePrecision": "ap(norm=reachable)",
        "NDCG(gain=rating)": "ndcg(gain=linear, discount=jk)",
        "DCG(gain=rating)": "dcg(gain=linear, discount=jk)",
        "RBP(patience=0.5)": "rbp(p=0.5)",
    },
    not_repeated=(
        NotRepeated(
            "`RBP(10, patience=0.5, normalize=True)` of one recommended item, where 6 are relevant: it divides by what"
            " a list of one item could reach",
            "1",
            "0.5079, as `ndcg(gain=binary, discount=exponential(0.6931))@10`",
        ),
        NotRepeated("`Precision` and `AveragePrecision` of an empty list", "NaN", "0"),
    ),
)


RECTOOLS = Dialect(
    name="rectools",
    tool="RecTools",
    version="0.19.0",
    checked="the tool itself, on 200 random collections",
    measures="accuracy ap f hit mcc ndcg p pap pauc r rr",
    policy="ties=input, no_relevant=skip",
    defaults={"ndcg": {"gain": "binary", "ideal": "ones"}, "dcg": {"gain": "binary"}},
    names={
        "NDCG": "ndcg(gain=binary, ideal=ones)",
        "NDCG(divide_by_achievable=True)": "ndcg(gain=binary, ideal=judged)",
        "MAP(divide_by_k=True)": "ap(norm=k)",
        "Precision(r_precision=True)": "p(norm=min)",
    },
    not_repeated=(
        NotRepeated(
            "`Accuracy(k=5)` of one recommended item, the only relevant one of 60: a short list counts as filled up;"
            " `MCC` alike",
            "0.9333",
            "1",
        ),
    ),
)


ML_METRICS = Dialect(
    name="ml_metrics",
    tool="ml_metrics",
    version="0.1.4",
    checked="its formula written out, on 200 random collections",
    measures="ap",
    policy="ties=input, missing=skip",
    defaults={"ap": {"norm": "min"}},
    names={"apk": "ap(norm=min)@10", "mapk": "ap(norm=min)@10"},
    not_repeated=(
        NotRepeated(
            "`apk([1, 2], [1, 1, 2], 3)`: a repeated document is not relevant there, and keeps its place",
            "0.8333",
            "1 with `duplicates=first`, else an error",
        ),
    ),
)


SPARK = Dialect(
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
