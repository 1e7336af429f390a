"""scikit-learn: its ranking metrics, which see only the documents of a list."""

from rankgold.dialects.tool_facts import Dialect, NotRepeated

DIALECT = Dialect(
    name="sklearn",
    tool="scikit-learn",
    version="1.9.1",
    checked="the tool itself, on 200 random collections",
    measures="auc coverage_error dcg hit lrap ndcg ranking_loss",
    policy="ties=average, missing=skip, unretrieved=dropped, undefined=zero",
    names={"average_precision": "lrap"},
    not_repeated=(
        NotRepeated("`label_ranking_average_precision_score` of a row without relevant labels", "1", "0"),
        NotRepeated("`ndcg_score` of one document", "an error", "1"),
        NotRepeated(
            "`roc_auc_score(max_fpr=0.5)` of grades 1, 0, 1, 0 from the top, and `pauc@1`: it scales the area so that a"
            " random order has 0.5",
            "0.6667",
            "0.5",
        ),
        NotRepeated(
            "`ndcg_score(ignore_ties=True)` of tied documents: its sort is not stable", "any order", "averaged"
        ),
    ),
    page="scikit-learn",
)
