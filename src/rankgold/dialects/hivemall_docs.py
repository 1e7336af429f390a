"""Apache Hivemall as its page defines the measures."""

from rankgold.dialects.tool_facts import Dialect

DIALECT = Dialect(
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
