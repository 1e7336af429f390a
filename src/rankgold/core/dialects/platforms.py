"""Lists the conventions of Elasticsearch and Hivemall."""

from rankgold.core.dialects import Dialect, NotRepeated

ELASTICSEARCH = Dialect(
    name="elasticsearch",
    tool="Elasticsearch",
    version="8.19",
    checked="its formulas written out, on 200 random collections",
    measures="dcg err ndcg p r rr",
    policy="ties=input",
    defaults={
        "p": {"norm": "returned"},
        "dcg": {"gain": "exp"},
        "ndcg": {"gain": "exp", "ideal": "reachable"},
    },
    names={
        "precision": "p(norm=returned)@10",
        "recall": "r@10",
        "mean_reciprocal_rank": "rr@10",
        "dcg": "dcg(gain=exp)@10",
        "dcg(normalize=true)": "ndcg(gain=exp, ideal=reachable)@10",
        "expected_reciprocal_rank": "err@10",
    },
    not_repeated=(
        NotRepeated(
            "`dcg` with `unknown_doc_rating=1` of [x, a], where a has grade 1 and x is not judged: x has grade 1 there",
            "1.6309",
            "0.6309",
        ),
    ),
)


HIVEMALL = Dialect(
    name="hivemall",
    tool="Hivemall",
    version="0.6.0",
    checked="its own test cases, and its formulas written out on 200 random collections",
    measures="ap auc hit ndcg p r rr",
    policy="ties=input, missing=skip, duplicates=first",
    defaults={
        "ap": {"norm": "retrieved"},
        "p": {"norm": "returned"},
        "ndcg": {"gain": "binary", "ideal": "reachable"},
    },
    names={
        "recall_at": "r",
        "precision_at": "p(norm=returned)",
        "average_precision": "ap(norm=retrieved)",
        "hitrate": "hit",
        "mrr": "rr",
        "ndcg": "ndcg(gain=binary, ideal=reachable)",
    },
    not_repeated=(
        NotRepeated("`recall_at` of [1, 1, 2], where 1 and 2 are relevant: a document counts each time", "1.5", "1"),
        NotRepeated("`auc` of a list without pairs, because all documents are relevant, or none", "0.5", "undefined"),
        NotRepeated("`auc(rec, truth, 10)` of [1, 3], where 1 is relevant: missing places count", "0.1111", "1"),
        NotRepeated("recall, precision and average precision, where list and truth are empty", "1", "0"),
        NotRepeated("`ndcg` of grades, where the truth is not in its best order", "the given order", "the best order"),
    ),
)


HIVEMALL_DOCS = Dialect(
    name="hivemall_docs",
    tool="Hivemall's page",
    version="0.6.0",
    checked="the numbers of its page, and its formulas written out on 200 random collections",
    measures="ap auc hit ndcg p r rr",
    policy="ties=input, missing=skip, duplicates=first",
    defaults={"ndcg": {"gain": "binary"}, "auc": {"pairs": "all"}},
    names={
        "recall_at": "r",
        "precision_at": "p",
        "average_precision": "ap",
        "hitrate": "hit",
        "mrr": "rr",
        "ndcg": "ndcg(gain=binary)",
    },
    page="hivemall",
)
