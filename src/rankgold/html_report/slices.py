"""Scores and what a user passes as slices in, the parts of a report out: all queries, and each slice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankgold.accepted import By
from rankgold.data.slices import Slices
from rankgold.scoring.scores import Scores
from rankgold.scoring.slice_parts import slice_title, sliced_by_table

ALL = "all queries"


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """All queries or those of a slice, and their scores."""

    name: str
    queries: tuple[str, ...]
    scores: Scores


Divide = Callable[[Scores], tuple[list[Part], Sequence[str]]]
"""From scores to their parts, and notes on the slices."""


def division_by(by: By, columns: Mapping[str, str] | None, data: Sequence[Any], *, of_all: bool) -> Divide:
    """How scores are divided. `data` are the judgements and the runs, whose columns may have the attributes."""
    slices = Slices.of(by)

    def divide(scores: Scores) -> tuple[list[Part], Sequence[str]]:
        everything = Part(ALL, _queries(scores), scores)
        if slices is None:
            return [everything], ()
        divided = sliced_by_table(scores, slices, columns=columns, data=data, of_all=of_all)
        parts = [
            Part(slice_title(part.attribute, part.name), _queries(part.scores), part.scores) for part in divided.parts
        ]
        return [everything, *parts], divided.slice_notes

    return divide


def _queries(scores: Scores) -> tuple[str, ...]:
    """The queries of all runs."""
    return tuple(dict.fromkeys(str(query) for name in scores.runs for query in scores.run_scores(name).queries))
