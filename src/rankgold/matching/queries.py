"""What matching does alike, whatever form the data has."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from rankgold.errors import DataError, MatchError, listing
from rankgold.kernels.segments import Floats
from rankgold.policy import Policy

IDS_AS_TEXT = "ids are integers on one side and text on the other: all were compared as text"


def query_names(queries: Iterable[Any] | None, count: int) -> list[Any]:
    """The names given to queries that come without; their numbers from 1 where none are given."""
    if queries is None:
        return list(map(str, range(1, count + 1)))
    if isinstance(queries, (str, bytes)) or not isinstance(queries, Iterable):
        raise DataError(f"queries is a list of names, not {type(queries).__name__}.")
    names = list(queries)
    if len(names) != count:
        raise DataError(f"queries has {len(names)} names, and there are {count} queries.")
    try:
        once = set(names)
    except TypeError as error:
        raise DataError(f"queries gives a name that is none: {error}.") from None
    if len(once) < count:
        raise DataError("queries gives the same name twice.")
    return names


def at_width(scores: Floats, policy: Policy) -> Floats:
    """The scores at the width at which the policy compares them."""
    if policy.score_bits == 64:
        return scores
    with np.errstate(over="ignore"):
        return scores.astype(np.float32).astype(np.float64)


def check_queries(common: int, judged: Collection[Any], unjudged: Collection[Any], policy: Policy) -> None:
    """Fails where the two sides have no query in common, or have unjudged ones that the policy does not allow."""
    if not common:
        raise MatchError(
            f"the run has no query in common with the judgements. Judged: {_some(judged)}. Ranked: {_some(unjudged)}."
            " Check that both files belong to the same collection and that the columns are the right ones."
        )
    if unjudged and policy.unjudged_queries == "error":
        raise MatchError(
            f"the run ranks queries without judgements: {_some(unjudged)}."
            " Judge them, remove them, or pass policy='unjudged_queries=skip'."
        )


def _some(queries: Collection[Any]) -> str:
    return listing([repr(query) for _, query in zip(range(5), queries, strict=False)]) + (
        f" and {len(queries) - 5} more" if len(queries) > 5 else ""
    )
