"""Five measures of one list as plain Python, as one would write them for a database that calls them with every row."""

from __future__ import annotations

import math

CUTOFF = 10


def recall(rec: list[int], truth: list[int]) -> float:
    relevant = set(truth)
    return sum(document in relevant for document in rec[:CUTOFF]) / len(relevant)


def precision(rec: list[int], truth: list[int]) -> float:
    relevant = set(truth)
    return sum(document in relevant for document in rec[:CUTOFF]) / CUTOFF


def average_precision(rec: list[int], truth: list[int]) -> float:
    relevant = set(truth)
    found, total = 0, 0.0
    for rank, document in enumerate(rec, 1):
        if document in relevant:
            found += 1
            total += found / rank
    return total / len(relevant)


def reciprocal_rank(rec: list[int], truth: list[int]) -> float:
    relevant = set(truth)
    for rank, document in enumerate(rec, 1):
        if document in relevant:
            return 1 / rank
    return 0.0


def ndcg(rec: list[int], truth: list[int]) -> float:
    relevant = set(truth)
    gained = sum(1 / math.log2(rank + 1) for rank, document in enumerate(rec[:CUTOFF], 1) if document in relevant)
    return gained / sum(1 / math.log2(rank + 1) for rank in range(1, min(CUTOFF, len(relevant)) + 1))


EACH = {"r@10": recall, "p@10": precision, "ap": average_precision, "rr": reciprocal_rank, "ndcg@10": ndcg}


def all_five(rec: list[int], truth: list[int]) -> list[float]:
    relevant = set(truth)
    found, top, first, total, gained = 0, 0, 0, 0.0, 0.0
    for rank, document in enumerate(rec, 1):
        if document in relevant:
            found += 1
            total += found / rank
            first = first or rank
            if rank <= CUTOFF:
                top += 1
                gained += 1 / math.log2(rank + 1)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(CUTOFF, len(relevant)) + 1))
    return [top / len(relevant), top / CUTOFF, total / len(relevant), 1 / first if first else 0.0, gained / ideal]
