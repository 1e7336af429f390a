"""torchmetrics: its retrieval metrics, which see only the documents of a list."""

from rankgold.dialects.tool_facts import Dialect, NotRepeated

DIALECT = Dialect(
    name="torchmetrics",
    tool="torchmetrics",
    version="1.9.0",
    checked="the tool itself with 64-bit numbers, on 200 random collections",
    measures="ap auc fallout hit ndcg p r r_at_p rprec rr",
    policy="ties=average, missing=skip, unretrieved=dropped, undefined=zero",
    defaults={"ap": {"norm": "retrieved"}},
    names={
        "RetrievalMAP": "ap(norm=retrieved)",
        "RetrievalPrecision(adaptive_k=True)": "p(norm=returned)",
    },
    not_repeated=(
        NotRepeated(
            "`RetrievalMAP`, `RetrievalMRR`, `RetrievalPrecision`, `RetrievalRecall` of a relevant document at rank 1"
            " whose score is not above 0",
            "0",
            "1",
        ),
        NotRepeated("`RetrievalMRR` of rank 3: 32 bits", "0.33333334327", "0.33333333333"),
        NotRepeated("tied documents, but in `RetrievalNormalizedDCG`: its sort is not stable", "any order", "averaged"),
    ),
)
