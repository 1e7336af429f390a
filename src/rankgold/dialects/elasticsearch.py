"""Elasticsearch: its ranking evaluation API, _rank_eval."""

from rankgold.dialects.tool_facts import Dialect, NotRepeated

DIALECT = Dialect(
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
