"""The notes on a run in, what looks wrong in its data out: what `evaluate` offers the doctor for."""

from __future__ import annotations

from rankgold.hits import Notes
from rankgold.scoring.number_remarks import is_moved_at_32_bits, swapped_remark


def suspicion(notes: Notes) -> str | None:
    """What looks most wrong, in a few words; None if nothing does."""
    if finds_nothing_judged(notes):
        return "no judged document is in the lists"
    if swapped_remark(notes):
        return "the judgements and the run may be swapped"
    if 2 * len(notes.without_ranking) > notes.queries:
        return "most judged queries are not ranked"
    if is_moved_at_32_bits(notes):
        return "scores differ only beyond 32 bits"
    return None


def finds_nothing_judged(notes: Notes) -> bool:
    """Whether documents were retrieved for judged queries, and not one of them is judged."""
    return notes.retrieved > 0 and notes.unjudged == notes.retrieved
