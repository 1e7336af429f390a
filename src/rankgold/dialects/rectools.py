"""RecTools."""

from rankgold.dialects.tool_facts import Dialect, NotRepeated

DIALECT = Dialect(
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
