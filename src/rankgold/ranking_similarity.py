"""Two or more runs in any form in, how alike their rankings are out: without judgements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from rankgold.data.dicts import DictRows
from rankgold.data.rows import Rows
from rankgold.engines.list_request import ListRequest
from rankgold.engines.protocol import ListKeywords
from rankgold.errors import DataError
from rankgold.evaluation import takes_keywords
from rankgold.matching.run_pairs import SortedRun, pair_runs
from rankgold.ranked_pairs import RankedPairs
from rankgold.scoring.scores import Scores
from rankgold.scoring.system_rankings import Boards, boards_to_compare, measure_by_measure, named_leaderboards
from rankgold.scoring.values import measures_by_label, score_all
from rankgold.similarities import SIMILARITIES

DEFAULT_MEASURES = ("rbo", "overlap@10", "kendall")

_Sort = Callable[[str, Rows], SortedRun]


@takes_keywords(ListKeywords)
def similarity(first: Any, second: Any = None, measures: Any = None, **keywords: Unpack[ListKeywords]) -> Scores:
    """How alike two rankings are, query by query, without judgements: `rbo`, `tau_ap`, `overlap@10` and others.

    `first` is a run and `second` a run or several by name, in all forms that `evaluate` takes. Each of several is
    compared with the first run, and has its own row in the result. Without `second`, `first` holds several runs, and
    the first of them is the one that the others are compared with. Queries that only one of two runs ranks are left out
    and noted. `policy`, `columns`, `parent`, `depth` and `topics` are those of `evaluate`. With `engine`, a DuckDB
    connection or a Spark session, a run may be a table there: its rows are read, and compared in this process.

    `similarity(...).explain("q1")` shows the working behind a value.

    Leaderboards are compared in the same way: `Scores` of several runs, a dict from system to score, or a file that
    `rankgold evaluate` wrote as JSON or CSV, in place of a run. Each measure is then a query, and the systems are its
    documents. Without `second`, the measures of one leaderboard are compared with its first measure.

    >>> similarity({"q1": ["a", "b", "c"]}, {"q1": ["b", "a", "c"]}, ["overlap@2", "kendall"]).means
    {'overlap@2': 1.0, 'kendall': 0.3333333333333333}
    >>> similarity({"bm25": 0.3, "dense": 0.4, "fused": 0.5}, {"bm25": 0.1, "dense": 0.3, "fused": 0.2}, "tau_ap").means
    {'tau_ap': 0.0}
    """
    wanted = measures_by_label(measures, SIMILARITIES, DEFAULT_MEASURES)
    return score_all(_Request(first, second, ListRequest.of(keywords)).compared(), wanted, keep=True)


@dataclass(frozen=True, slots=True)
class _Request:
    """What the user asks for: the runs to compare, and how they are read."""

    first: Any
    second: Any
    reading: ListRequest

    def compared(self) -> Iterator[RankedPairs]:
        """The pairs of the first run or leaderboard with each of the others."""
        sources = (self.first, self.second)
        with self.reading.data_here(sources) as here:
            first, second = (None if source is None else here.runs(source) for source in sources)
        boards, others = named_leaderboards(first), named_leaderboards(second)
        if boards and (others or second is None):
            return _compare_leaderboards(boards, others, self._sorted)
        if boards or others:
            raise DataError(
                "one side is a leaderboard, with a score for each system, and the other a run. Pass two alike."
            )
        runs, others_to_read = self.reading.runs(first), None if second is None else self.reading.runs(second)
        return _compare_runs(runs, others_to_read, self._sorted)

    def _sorted(self, name: str, rows: Rows) -> SortedRun:
        return SortedRun.of(name, self.reading.groups(name, rows), self.reading.policy)


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
