"""Two or more runs in any form in, how alike their rankings are out: without judgements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rankgold.data.dicts import DictRows
from rankgold.data.named_runs import read_runs
from rankgold.data.parents import Parent, ParentRule
from rankgold.data.rows import Rows
from rankgold.data.topics import Topics
from rankgold.declaration.metric import Measure
from rankgold.engines.fetched_data import data_here
from rankgold.engines.protocol import Progress, ReadingOptions
from rankgold.errors import DataError
from rankgold.matching.run_pairs import SortedRun, pair_runs
from rankgold.policy import Policy
from rankgold.ranked_pairs import PairNotes, RankedPairs
from rankgold.scoring.similarity_scores import SimilarityScores, check_ties, score_pairs
from rankgold.scoring.system_rankings import Boards, boards_to_compare, measure_by_measure, named_leaderboards
from rankgold.scoring.values import measures_by_label, policy_with_depth
from rankgold.similarities import SIMILARITIES

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rankgold.explanation.derived_value import DerivedValue

DEFAULT_MEASURES = ("rbo", "overlap@10", "kendall")

_Compared = tuple[str, RankedPairs, PairNotes]
_Sort = Callable[[str, Rows], SortedRun]


def similarity(
    first: Any,
    second: Any = None,
    measures: Any = None,
    *,
    policy: Policy | str | None = None,
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    parent: Parent | None = None,
    depth: int | None = None,
    topics: Any = None,
    engine: Any = None,
    memory_limit: str | None = None,
) -> SimilarityScores:
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
    request = _Request.of(
        first,
        second,
        policy=policy,
        columns=columns,
        parent=parent,
        depth=depth,
        topics=topics,
        engine=engine,
        memory_limit=memory_limit,
    )
    reference, pairs = request.compared(progress)
    return score_pairs(reference, pairs, wanted, request.policy, partial(_explain, request))


def explain_similarity(
    first: Any,
    second: Any,
    measures: Any,
    query: Any,
    progress: Progress | None = None,
    **options: Unpack[ReadingOptions],
) -> list[DerivedValue]:
    """How the values of a query come about, for each measure and run. The arguments are those of `similarity`."""
    wanted = measures_by_label(measures, SIMILARITIES, DEFAULT_MEASURES)
    return _explain(_Request.of(first, second, **options), wanted.values(), query, None, progress)


def _explain(
    request: _Request, measures: Iterable[Measure], query: Any, run: str | None, progress: Progress | None = None
) -> list[DerivedValue]:
    """The derivations of the values for a query, of one run or of all. The data are read once."""
    from rankgold.explanation.list_values import explain_pair

    check_ties({str(measure): measure for measure in measures}, request.policy)
    reference, pairs = request.compared(progress)
    runs = [(name, lists) for name, lists, _ in pairs if run in (None, name)]
    return [
        explain_pair(lists, (reference, name), measure, query, request.policy)
        for measure in measures
        for name, lists in runs
    ]


@dataclass(frozen=True, slots=True)
class _Request:
    """What the user asks for: the runs to compare, and how they are read."""

    first: Any
    second: Any
    policy: Policy
    columns: Mapping[str, str] | None
    parent: ParentRule | None
    topics: Topics | None
    engine: Any
    memory_limit: str | None

    @classmethod
    def of(cls, first: Any, second: Any, **options: Unpack[ReadingOptions]) -> _Request:
        decided, rule = policy_with_depth(options.get("policy"), options.get("depth")), options.get("parent")
        return cls(
            first,
            second,
            policy=decided if rule is None else replace(decided, chunks="best"),
            columns=options.get("columns"),
            parent=ParentRule.of(rule),
            topics=Topics.of(options.get("topics")),
            engine=options.get("engine"),
            memory_limit=options.get("memory_limit"),
        )

    def compared(self, progress: Progress | None) -> tuple[str, Iterator[_Compared]]:
        """The name of the first run or leaderboard, and the pairs of it with each of the others."""
        sort = partial(self._sorted, progress)
        sources = (self.first, self.second)
        with data_here(self.engine, sources, self.columns, self.policy, self.memory_limit) as here:
            first, second = (None if source is None else here.runs(source) for source in sources)
        boards, others = named_leaderboards(first), named_leaderboards(second)
        if boards and (others or second is None):
            return _compare_leaderboards(boards, others, sort)
        if boards or others:
            raise DataError(
                "one side is a leaderboard, with a score for each system, and the other a run. Pass two alike."
            )
        repeats = self.policy.repeats
        own = read_runs(first, self.columns, repeats)
        return _compare_runs(own, None if second is None else read_runs(second, self.columns, repeats), sort)

    def _sorted(self, progress: Progress | None, name: str, rows: Rows) -> SortedRun:
        if progress is not None:
            progress(f"sorting {name}", 0.0, 0)
        lists = rows.groups()
        if self.topics is not None:
            chosen = self.topics.among(lists.queries.to_list())
            if not chosen.any():
                raise DataError(f"none of the topics is a query of {name}. Check that the ids are the same.")
            lists = lists.of_queries(chosen)
        return SortedRun.of(name, lists, self.policy, self.parent)


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
