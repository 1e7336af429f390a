"""Scores how alike rankings or leaderboards are, without judgements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from rankgold.data.dicts import DictRows
from rankgold.data.rows import Rows
from rankgold.declaration.metric import Measure
from rankgold.engines.request import Request
from rankgold.errors import DataError
from rankgold.matching.run_pairs import SortedRun, pair_runs
from rankgold.ranked_pairs import PairNotes, RankedPairs
from rankgold.scoring.similarity_scores import SimilarityScores, check_ties, score_pairs
from rankgold.scoring.system_rankings import Boards, boards_to_compare, measure_by_measure, named_leaderboards
from rankgold.scoring.values import measures_by_label
from rankgold.similarities import SIMILARITIES

if TYPE_CHECKING:
    from rankgold.explanation.derived_value import DerivedValue

DEFAULT_MEASURES = ("rbo", "overlap@10", "kendall")

_Compared = tuple[str, RankedPairs, PairNotes]
_Sort = Callable[[str, Rows], SortedRun]


def scored_pairs(request: Request, measures: Any) -> SimilarityScores:
    """How alike the rankings of the request are."""
    wanted = measures_by_label(measures, SIMILARITIES, DEFAULT_MEASURES)
    reference, pairs = _compared_pairs(request)
    return score_pairs(reference, pairs, wanted, request.policy, partial(_explain, request))


def explain_similarity(request: Request, measures: Any, query: Any) -> list[DerivedValue]:
    """How the values of a query come about, for each measure and run."""
    wanted = measures_by_label(measures, SIMILARITIES, DEFAULT_MEASURES)
    return _explain(request, wanted.values(), query, None)


def _explain(request: Request, measures: Iterable[Measure], query: Any, run: str | None) -> list[DerivedValue]:
    """The derivations of the values for a query, of one run or of all. The data are read once."""
    from rankgold.explanation.list_values import explain_pair

    policy = request.policy
    check_ties({str(measure): measure for measure in measures}, policy)
    reference, pairs = _compared_pairs(request)
    runs = [(name, lists) for name, lists, _ in pairs if run in (None, name)]
    return [
        explain_pair(lists, (reference, name), measure, query, policy) for measure in measures for name, lists in runs
    ]


def _compared_pairs(request: Request) -> tuple[str, Iterator[_Compared]]:
    """The name of the first run or leaderboard, and the pairs of it with each of the others."""
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
) -> tuple[str, Iterator[_Compared]]:
    """The name of the first run, and the pairs of it with each of the others."""
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
    return reference.name, (_compared(reference, sort(name, rows)) for name, rows in second)


def _compare_leaderboards(
    first: list[tuple[str, Boards]], second: list[tuple[str, Boards]], sort: _Sort
) -> tuple[str, Iterator[_Compared]]:
    """The same for leaderboards; without others, for the measures of the first."""
    if len(first) > 1:
        raise DataError("the first argument holds several leaderboards. Pass one, and others as the second argument.")
    if not second:
        first, second = measure_by_measure(first[0][1])
    name, own = first[0]

    def pairs() -> Iterator[_Compared]:
        for other_name, other in second:
            rows, other_rows = (DictRows.of(boards, "run") for boards in boards_to_compare(own, other))
            yield _compared(sort(name, rows), sort(other_name, other_rows))

    return name, pairs()


def _compared(reference: SortedRun, run: SortedRun) -> _Compared:
    return (run.name, *pair_runs(reference, run))
