"""LensKit."""

from rankgold.dialects.tool_facts import Dialect, NotRepeated

DIALECT = Dialect(
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
