"""The functions apk and mapk of ml_metrics, which recommender challenges follow."""

from rankgold.dialects.tool_facts import Dialect, NotRepeated

DIALECT = Dialect(
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
