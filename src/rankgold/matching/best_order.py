"""Scores of groups in, the rows of each group from best to worst out; tied documents in the order of the policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rankgold.data.ids import IdColumn, order_as_text
from rankgold.kernels.segments import Bools, Floats, Ints, best_first, changes, is_descending
from rankgold.matching.ranks import in_tie_order, round_scores
from rankgold.policy import Policy


def best_order(scores: Floats, starts: Ints, documents: IdColumn, ties: str) -> Ints:
    """The rows, sorted within each group from high to low scores.

    In miniature: the scores 1 2 2 of the documents c, a, b give the rows 2 1 0 with ties=descending: b comes before a.
    """
    order: Ints = np.arange(len(scores))
    if not is_descending(scores, starts):
        order = best_first(scores, starts, is_stable=ties == "input")
    if ties == "input":
        return order
    is_first = first_of_ties(scores[order], starts)
    is_tied = ~is_first
    is_tied[:-1] |= ~is_first[1:]
    if is_tied.any():
        tied = np.flatnonzero(is_tied)
        rows, group = order[tied], (np.cumsum(is_first) - 1)[tied]
        order[tied] = rows[order_as_text(documents.gather(rows), group, descending=ties == "descending")]
    return order


def first_of_ties(ordered: Floats, starts: Ints) -> Bools:
    """Whether a score is the first of its group with this value. The groups must be sorted."""
    is_first = changes(ordered)
    is_first[starts[:-1][np.diff(starts) > 0]] = True
    return is_first


def ids_best_first(ids: Sequence[Any], scores: Floats, policy: Policy) -> list[Any]:
    """The ids of one list from best to worst. Python's sort keeps the order of equal keys."""
    rounded = round_scores(scores, policy).tolist()
    rows = in_tie_order(range(len(ids)), policy.ties, lambda row: str(ids[row]))
    return [ids[row] for row in sorted(rows, key=lambda row: rounded[row], reverse=True)]
