"""Scores how alike rankings or leaderboards are, without judgements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rankgold.data.dicts import DictRows
from rankgold.data.rows import Rows
from rankgold.engines.request import Request
from rankgold.errors import DataError
from rankgold.matching.run_pairs import SortedRun, pair_runs
from rankgold.ranked_pairs import RankedPairs
from rankgold.scoring.scores import Scores
from rankgold.scoring.system_rankings import Boards, boards_to_compare, measure_by_measure, named_leaderboards
from rankgold.scoring.values import measures_by_label, score_all
from rankgold.similarities import SIMILARITIES

DEFAULT_MEASURES = ("rbo", "overlap@10", "kendall")

_Sort = Callable[[str, Rows], SortedRun]


def scored_pairs(request: Request, measures: Any) -> Scores:
    """The similarity scores of the rankings of a request."""
    wanted = measures_by_label(measures, SIMILARITIES, DEFAULT_MEASURES)
    return score_all(_compared_pairs(request), wanted, keep=True)


def _compared_pairs(request: Request) -> Iterator[RankedPairs]:
    """The pairs of the first run or leaderboard with each of the others."""
    with request.data_here() as here:
        first, second = (None if source is None else here.runs(source) for source in request.data.values())
        exclusion = here.exclusion(request.exclude)
    boards, others = named_leaderboards(first), named_leaderboards(second)

    def sort(name: str, rows: Rows) -> SortedRun:
        groups = request.groups(name, rows)
        return SortedRun.of(name, groups if exclusion is None else exclusion.remaining(groups), request.policy)

    if boards and (others or second is None):
        return _compare_leaderboards(boards, others, sort)
    if boards or others:
        raise DataError(
            "one side is a leaderboard (a score for each system), the other a run. Pass two of the same kind."
        )
    return _compare_runs(request.runs(first), None if second is None else request.runs(second), sort)


def _compare_runs(
    first: Iterator[tuple[str, Rows]], second: Iterable[tuple[str, Rows]] | None, sort: _Sort
) -> Iterator[RankedPairs]:
    """The pairs of the first run with each of the others."""
    reference = sort(*next(first))
    surplus = next(first, None)
    if second is None:
        if surplus is None:
            raise DataError("there is one run. Pass another one to compare it with.")
        second = (run for runs in ([surplus], first) for run in runs)
    elif surplus is not None:
        raise DataError(
            f"the first argument holds several runs ({reference.name}, {surplus[0]}, ...). Pass the one that others are"
            " compared with as the first argument, and the others as the second."
        )
    return (pair_runs(reference, sort(name, rows)) for name, rows in second)


def _compare_leaderboards(
    first: list[tuple[str, Boards]], second: list[tuple[str, Boards]], sort: _Sort
) -> Iterator[RankedPairs]:
    """The same for leaderboards; without others, for the measures of the first."""
    if len(first) > 1:
        raise DataError("the first argument holds several leaderboards. Pass one, and others as the second argument.")
    if not second:
        first, second = measure_by_measure(first[0][1])
    name, own = first[0]
    for other_name, other in second:
        rows, other_rows = (DictRows.of(boards, "run") for boards in boards_to_compare(own, other))
        yield pair_runs(sort(name, rows), sort(other_name, other_rows))
