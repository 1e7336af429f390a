"""What the examples in docstrings may use without importing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import rankgold
from rankgold.core.item_lists import ListedItems
from rankgold.core.ranked_pairs import RankedPairs
from rankgold.data.dicts import DictRows
from rankgold.data.matching.run_pairs import SortedRun, pair_runs
from rankgold.engines.request import Request
from rankgold.scoring.list_exposure import lists_of_runs


def one_query(labels: Sequence[float]) -> rankgold.Hits:
    """The hits of a single query, from the grades of its documents in ranked order."""
    return rankgold.from_labels([labels])


def subtopic_query(subtopics: Sequence[Sequence[str]]) -> rankgold.Hits:
    """The hits of a single query, from the subtopics that its documents are relevant to, in ranked order."""
    documents = {f"d{rank}": dict.fromkeys(names, 1) for rank, names in enumerate(subtopics, start=1)}
    return rankgold.match({"q1": documents}, {"q1": list(documents)})


def two_lists(first: str, second: str) -> RankedPairs:
    """The pair of two rankings, from their documents in ranked order. Tied documents have + between them: a b+c d."""
    runs = (DictRows.of({"q": _scored(text)}, "run").groups() for text in (first, second))
    return pair_runs(*(SortedRun.of("run", rows, rankgold.Policy()) for rows in runs))


def _scored(text: str) -> dict[str, float]:
    groups = text.split()
    return {document: -place for place, group in enumerate(groups) for document in group.split("+")}


def lists_of(run: dict[str, str], **known: Any) -> ListedItems:
    """The lists of users, from their items in ranked order: `lists_of({"u1": "a b"}, items="a b c")`."""
    facts = {name: _split(known[name]) if name in known else None for name in ("items", "train", "qrels")}
    return next(lists_of_runs(Request.of({"run": _split(run), **facts})))


def _split(fact: Any) -> Any:
    """Ids in a text as a list; of a dict, those of each user."""
    if isinstance(fact, str):
        return fact.split()
    return {name: value.split() if isinstance(value, str) else value for name, value in fact.items()}


@pytest.fixture(autouse=True)
def _in_examples(doctest_namespace: dict[str, Any]) -> None:
    doctest_namespace["one_query"] = one_query
    doctest_namespace["subtopic_query"] = subtopic_query
    doctest_namespace["two_lists"] = two_lists
    doctest_namespace["lists_of"] = lists_of
