"""The queries that there are, and the one that a user names, in; its number out, or an error that helps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rankgold.errors import UnknownQueryError, listing, nearest


def query_number(query: Any, queries: Sequence[Any], *, what: str = "query", where: str = "in the judgements") -> int:
    """The number of a query or user. If there is only one, its name may be left out."""
    names = list(queries)
    if query is None:
        if len(names) == 1:
            return 0
        raise UnknownQueryError(f"Which {what}? There are {len(names)}: {listing(names, 5)}.")
    for i, name in enumerate(names):
        if name == query or str(name) == str(query):
            return i
    raise UnknownQueryError(
        f"No {what} is called {str(query)!r} {where}.{nearest(str(query), map(str, names))}"
        f" There are {len(names)}: {listing(names, 5)}."
    )
