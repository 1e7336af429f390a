"""Lists the conventions of scikit-learn, LightGBM, torchmetrics and TensorFlow Ranking."""

from rankgold.core.dialects import Dialect, NotRepeated

SKLEARN = Dialect(
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


LIGHTGBM = Dialect(
    name="lightgbm",
    tool="LightGBM",
    version="4.7.0",
    checked="the tool itself, on 200 random collections",
    measures="ap ndcg",
    policy="ties=input, missing=skip, no_relevant=one, unretrieved=dropped",
    defaults={"ndcg": {"gain": "exp"}, "dcg": {"gain": "exp"}, "ap": {"norm": "min"}},
    not_repeated=(NotRepeated("a grade above 30 without `label_gain`", "an error", "2^grade - 1"),),
)


TORCHMETRICS = Dialect(
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


TENSORFLOW_RANKING = Dialect(
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
