"""Scores of groups in, the rows of each group from best to worst out; tied documents in the order of the policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rankgold.errors import PolicyError
from rankgold.kernels.segments import Floats, Ints, best_first, is_descending, positions

if TYPE_CHECKING:
    import polars as pl

    from rankgold.policy import Policy


def check_policy(policy: Policy) -> None:
    """Raises an error if the policy has no single order of tied documents, or has a depth, which is for evaluations."""
    if policy.depth is not None:
        raise PolicyError("the policy's depth is for evaluations. Pass depth to fuse: it cuts off the fused lists.")
    if policy.ties == "average":
        raise PolicyError("ties=average has no single order to fuse. Choose ties=descending, ascending or input.")


def best_order(scores: Floats, starts: Ints, documents: pl.Series, ties: str) -> Ints:
    """The rows, sorted within each group from high to low scores."""
    order: Ints = np.arange(len(scores))
    if not is_descending(scores, starts):
        order = best_first(scores, starts, is_stable=ties == "input")
    if ties == "input":
        return order
    ordered = scores[order]
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = ordered[1:] != ordered[:-1]
    begins[starts[:-1][np.diff(starts) > 0]] = True
    if begins.all():
        return order
    is_tied = ~begins
    is_tied[:-1] |= ~begins[1:]
    tied = np.flatnonzero(is_tied)
    order[tied] = _by_id(order[tied], np.cumsum(begins)[tied], documents, descending=ties == "descending")
    return order


def _by_id(rows: Ints, stretch: Ints, documents: pl.Series, *, descending: bool) -> Ints:
    """The rows, sorted within each stretch of tied ones by the ids as text."""
    import polars as pl

    text = documents.gather(rows).cast(pl.String)
    tied = pl.DataFrame({"stretch": stretch, "document": text, "row": rows})
    return tied.sort("stretch", "document", descending=[False, descending])["row"].to_numpy()


def ranks_of(order: Ints, starts: Ints) -> Ints:
    """The rank of each row in its group, from 1."""
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = positions(starts) + 1
    return ranks
