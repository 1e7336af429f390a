"""Apache Hivemall as its code behaves, since September 2017."""

from rankgold.dialects.tool_facts import Dialect, NotRepeated

DIALECT = Dialect(
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
