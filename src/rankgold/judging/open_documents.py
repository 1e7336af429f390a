"""Ranks unjudged documents so that any grade can be tried.

The documents of a query are those that are judged and those that any of the runs ranks. All of them are matched as if
they were judged; the open ones, which nobody judged, get a mark in place of a grade. So the ranks of open documents
come from the same matching as all others, under the same policy, and a measure sees what it would see if they were
judged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rankgold.core.errors import DataError, PolicyError, brief
from rankgold.core.hits import Hits, Ids, RankedDocuments, Ranking
from rankgold.core.segments import Bools, Floats, Ints, positions, ranges, starts_of
from rankgold.core.ties import TiedRanking
from rankgold.data.exclusion import read_pairs
from rankgold.data.ids import id_series, of_one_type
from rankgold.data.inputs import read
from rankgold.data.polars_guard import check_polars
from rankgold.data.rows import Rows
from rankgold.data.selection import ParentRule
from rankgold.data.table import Table
from rankgold.engines.request import Request, read_here
from rankgold.scoring.evaluation import hits_of

NOT_RANKED = np.iinfo(np.int64).max
"""The rank of a document that a run does not have."""

LAST_RANK = NOT_RANKED - 1
"""No document of a run has a lower place."""

# The mark of open documents in place of a grade. No judge gives it.
_OPEN = -(2.0**1000)


@dataclass(frozen=True, slots=True, eq=False)
class OpenRun:
    """One run and all documents of its queries, query by query; a grade of NaN is that of an open document."""

    hits: Hits
    """As it is, with the open documents left out."""
    query: Ints
    """The number of the query of each document."""
    grade: Floats
    rank: Ints
    """The rank of each document, the first of those that tied ones share; NOT_RANKED if the run does not have it."""
    documents: Ids
    _system: RankedDocuments
    """The documents that the run ranks, open ones too."""
    highest: float
    """The highest grade that an open document can have."""
    scale: float | None
    """The highest grade of the scale; None if it is that of the documents which are left after dropping."""

    @classmethod
    def of(cls, hits: Hits, highest: float, scale: float | None, unseen: int = 0) -> OpenRun:
        """The run whose hits were matched with marked judgements; `unseen` more documents of each query are open."""
        everything = hits.ideal.whole
        order = np.argsort(everything.row)
        query, grade = everything.query[order], everything.grade[order]
        rank = np.full(len(query), NOT_RANKED)
        single = hits.system.single
        rank[single.row] = single.rank
        grade = np.where(grade == _OPEN, np.nan, grade)
        documents = everything.documents
        if unseen:
            query = np.concatenate((query, np.repeat(np.arange(len(hits)), unseen)))
            grade = np.concatenate((grade, np.full(unseen * len(hits), np.nan)))
            rank = np.concatenate((rank, np.full(unseen * len(hits), NOT_RANKED)))
        assert documents is not None
        run = cls(hits, query, grade, rank, documents, hits.system, highest, scale)
        return replace(run, hits=run.with_grades(grade))

    @property
    def is_open(self) -> Bools:
        return self.counts & np.isnan(self.grade)

    @property
    def counts(self) -> Bools:
        """True if a judgement of the document counts: not if it is unretrieved and the policy drops those."""
        return self.is_ranked | (self.hits.policy.unretrieved == "counted")

    @property
    def is_ranked(self) -> Bools:
        return self.rank < NOT_RANKED

    @property
    def open_rows(self) -> Ints:
        """The open documents, by query and rank."""
        rows = np.flatnonzero(self.is_open)
        return rows[np.lexsort((self.rank[rows], self.query[rows]))]

    @property
    def open_counts(self) -> Ints:
        """The number of open documents of each query."""
        return np.bincount(self.query[self.is_open], minlength=len(self))

    def __len__(self) -> int:
        return len(self.hits)

    def with_grades(self, grade: Floats) -> Hits:
        """The hits if the documents had these grades; those with NaN are not judged."""
        row = np.flatnonzero(self.counts & ~np.isnan(grade))
        row = row[np.argsort(self.query[row], kind="stable")]
        ideal = self._ideal(row, self.query[row], len(self), grade[row])
        ranked: Ranking = self._system.single
        judged = np.flatnonzero(~np.isnan(grade[ranked.row]))
        kept = ranked.keep(judged)
        kept = replace(kept, grade=grade[kept.row])
        highest = float(kept.grade.max(initial=0.0)) if self.scale is None else self.scale
        return replace(self.hits, system=self._with_ties(kept, judged), ideal=ideal, max_grade=highest)

    def on_scale(self, highest: float) -> OpenRun:
        """The same run on a scale up to this grade, which is also the highest that an open document can have."""
        run = replace(self, highest=highest, scale=highest)
        return replace(run, hits=run.with_grades(self.grade))

    def judged_one_by_one(self, rows: Ints, grade: float) -> Hits:
        """A query for each of these documents: its own, in which it alone gets the grade, and all others stay."""
        query, ranked = self.query[rows], self._system.single
        judged = np.flatnonzero(self.counts & ~np.isnan(self.grade))
        judged = judged[np.argsort(self.query[judged], kind="stable")]
        place = np.full(len(self.grade), -1)
        place[ranked.row] = np.arange(len(ranked))
        kept = np.flatnonzero(~np.isnan(self.grade[ranked.row]))
        chosen, copy = _copied(kept, ranked.query[kept], query, place[rows])
        system = replace(
            ranked.keep(chosen), query=copy, n_queries=len(rows), grade=self._grades(ranked.row[chosen], grade)
        )
        row, copy = _copied(judged, self.query[judged], query, rows)
        return replace(
            self.hits,
            queries=[self.hits.queries[i] for i in query.tolist()],
            system=self._with_ties(system, chosen),
            ideal=self._ideal(row, copy, len(rows), self._grades(row, grade)),
            returned=self.hits.returned[query],
            max_grade=max(self.hits.max_grade, grade) if self.scale is None else self.scale,
            lists=None,
        )

    def _ideal(self, row: Ints, query: Ints, n_queries: int, grade: Floats) -> Ranking:
        """The best order of these documents, which come query by query."""
        rank = positions(starts_of(np.bincount(query, minlength=n_queries))) + 1
        return Ranking(query, rank, grade, n_queries, row, self.documents).in_best_order()

    def _with_ties(self, kept: Ranking, chosen: Ints) -> RankedDocuments:
        """Some documents of the ranking, with the size of their groups of ties, if the policy averages over ties."""
        if isinstance(self._system, TiedRanking):
            return TiedRanking(kept, self._system.group_size[chosen], self._system.depth)
        return kept

    def _grades(self, row: Ints, grade: float) -> Floats:
        """The grades of documents, with this grade for open ones."""
        return np.where(np.isnan(self.grade[row]), grade, self.grade[row])


def _copied(rows: Ints, of_query: Ints, query: Ints, added: Ints) -> tuple[Ints, Ints]:
    """For each query of a list its rows and one more, unless that is -1; and the place in the list, for each row."""
    counts = np.bincount(of_query, minlength=int(query.max(initial=0)) + 1)
    sizes, starts = counts[query], starts_of(counts)[:-1][query]
    copies = rows[ranges(starts, sizes)]
    more = np.flatnonzero(added >= 0)
    found = np.concatenate((copies, added[more]))
    copy = np.concatenate((np.repeat(np.arange(len(query)), sizes), more))
    # Rows are in the order of the ranks already, so their numbers put them in order.
    order = np.lexsort((found, copy))
    return found[order], copy[order]


def open_runs(request: Request, *, unseen: int = 0, max_grade: float | None = None) -> tuple[OpenRun, ...]:
    """All runs with the documents that are judged or that any of them ranks, and `unseen` more of each query.

    `max_grade` is the highest grade of the scale; None for that of the judgements.
    """
    check_polars()
    policy = request.policy
    if request.hits:
        raise DataError("Hits have lost their unjudged documents. Pass the judgements and the runs.")
    if policy.unjudged == "condensed":
        raise PolicyError(
            "With unjudged=condensed, documents without a judgement are not in the list, so there is nothing that they"
            " could change. Leave unjudged=condensed out."
        )
    request = read_here(request)
    judged = read(request.qrels, "qrels", request.columns, policy.repeats)
    ranked = dict(request.runs(request.run))
    exclude = None if request.exclude is None else read_pairs(request.exclude, request.columns)
    marked = _with_open_rows(judged, ranked, request.parent, exclude)
    found = []
    for hits in hits_of_all_documents(replace(request, data={"qrels": marked, "run": ranked})):
        highest = (hits.max_grade if max_grade is None else _highest(max_grade, hits.max_grade)) or 1.0
        is_named = max_grade is not None or policy.unretrieved == "counted"
        found.append(OpenRun.of(hits, highest, highest if is_named else None, unseen))
    return tuple(found)


def hits_of_all_documents(request: Request) -> Iterator[Hits]:
    """The Hits of each run with all judged documents. Those that the policy drops are left out by OpenRun."""
    unretrieved = request.policy.unretrieved
    for hits in hits_of(replace(request, policy=replace(request.policy, unretrieved="counted"))):
        yield replace(hits, policy=replace(hits.policy, unretrieved=unretrieved))


def _highest(given: Any, judged: float) -> float:
    is_number = isinstance(given, (int, float)) and not isinstance(given, bool)
    if not is_number or not math.isfinite(given) or given <= 0:
        raise DataError(f"max_grade must be a number above 0, not {brief(given)}.")
    if given < judged:
        raise DataError(f"max_grade is {given:g}, and the judgements have a grade of {judged:g}. Give a higher one.")
    return float(given)


def _with_open_rows(
    judged: Rows, runs: Mapping[str, Rows], parent: ParentRule | None, exclude: pl.DataFrame | None
) -> Table:
    """The judgements, and a row with the mark for each document that a run ranks for a judged query."""
    table = judged.table()
    without = [query for queries in judged.empty_queries().values() for query in queries]
    ranked = [run.table().frame.select("query", "document") for run in runs.values()]
    if parent is not None:
        ranked = [frame.with_columns(parent.in_column(frame["document"]).alias("document")) for frame in ranked]
    frames = _of_one_type([table.frame, *ranked, *([] if exclude is None else [exclude])])
    known, pairs = frames[0], pl.concat(frames[1 : len(ranked) + 1]).unique(maintain_order=True)
    if exclude is not None:
        pairs = pairs.join(frames[-1], on=["query", "document"], how="anti", maintain_order="left")
    if without and known["query"].dtype != id_series(without).dtype:
        known, pairs = (frame.with_columns(pl.col("query").cast(pl.String)) for frame in (known, pairs))
    nothing = id_series(without).cast(known["query"].dtype)
    pairs = pairs.filter(pl.col("query").is_in(pl.concat([known["query"], nothing]).unique().implode()))
    pairs = pairs.join(known, on=["query", "document"], how="anti", maintain_order="left")
    more = {"subtopic": pl.lit("0"), "weight": pl.lit(1.0)}
    opened = pairs.with_columns(
        grade=pl.lit(_OPEN), **{role: value for role, value in more.items() if role in known.columns}
    )
    nothing = nothing.filter(~nothing.is_in(pairs["query"].implode()))
    frame = pl.concat([known, opened.select(known.columns)])
    return replace(table, frame=frame, starts=None, nothing={table.name: nothing} if len(nothing) else {})


def _of_one_type(frames: list[pl.DataFrame]) -> list[pl.DataFrame]:
    """The frames with ids of one type: text, unless all are integers."""
    for role in ("query", "document"):
        columns = of_one_type([frame[role] for frame in frames])
        frames = [frame.with_columns(column) for frame, column in zip(frames, columns, strict=True)]
    return frames
