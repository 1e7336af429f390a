"""The tables of Hivemall's page, its queries, and the numbers that it prints for them."""

from pathlib import Path

DATA = Path(__file__).parent / "data"
BINARY = (DATA / "hivemall_binary.sql").read_text(encoding="utf-8")
GRADED = (DATA / "hivemall_graded.sql").read_text(encoding="utf-8")

_RANKED = ((1, 10.0, 5.0), (3, 8.0, 2.0), (2, 6.0, 4.0), (6, 2.0, 1.0), (4, 1.0, 3.0))
_USERS = (1, 2, 3)
TABLES = {
    "dummy_truth": [{"userid": user, "itemid": item} for user in _USERS for item in (1, 2, 4)],
    "dummy_rec": [{"userid": u, "itemid": item, "score": score} for u in _USERS for item, score, _ in _RANKED[:4]],
    "dummy_recrel": [
        {"userid": user, "itemid": item, "score": score, "relscore": grade}
        for user in _USERS
        for item, score, grade in _RANKED
    ],
}

# In the order of the query's columns: each measure for the whole list and for the top 2.
PRINTED = {
    "recall": 0.6666666666666666,
    "recall_at_2": 0.3333333333333333,
    "precision": 0.5,
    "precision_at_2": 0.5,
    "average_precision": 0.5555555555555555,
    "average_precision_at_2": 0.3333333333333333,
    "auc": 0.75,
    "auc_at_2": 1.0,
    "mrr": 1.0,
    "mrr_at_2": 1.0,
    "ndcg": 0.7039180890341349,
    "ndcg_at_2": 0.6131471927654585,
}
PRINTED_GRADED = (0.8128912838590544, 0.9187707805346093)
