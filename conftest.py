"""What the examples in docstrings may use without importing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import rankgold


def one_query(labels: Sequence[float]) -> rankgold.Hits:
    """The hits of a single query, from the grades of its documents in ranked order."""
    return rankgold.from_labels([labels])


def subtopic_query(subtopics: Sequence[Sequence[str]]) -> rankgold.Hits:
    """The hits of a single query, from the subtopics that its documents are relevant to, in ranked order."""
    documents = {f"d{rank}": dict.fromkeys(names, 1) for rank, names in enumerate(subtopics, start=1)}
    return rankgold.match({"q1": documents}, {"q1": list(documents)})


@pytest.fixture(autouse=True)
def _in_examples(doctest_namespace: dict[str, Any]) -> None:
    doctest_namespace["one_query"] = one_query
    doctest_namespace["subtopic_query"] = subtopic_query
