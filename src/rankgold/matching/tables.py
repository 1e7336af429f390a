"""Matching tables: the rows of judged documents are found by their keys, and only they are ranked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.columns import NUMBER
from rankgold.data.table import Table
from rankgold.hits import Hits
from rankgold.kernels.segments import Floats, Ints
from rankgold.matching.hash_lookup import Lookup, hashes_of
from rankgold.matching.judgements import Judged
from rankgold.matching.queries import IDS_AS_TEXT, at_width, check_queries
from rankgold.matching.query_groups import Grouped, without_duplicates
from rankgold.matching.ranks import Places, counts
from rankgold.matching.tie_order import tied_above
from rankgold.policy import Policy

# From so many queries on they are numbered by a join, whose table takes longer to build than to use.
_MANY = 100_000


@dataclass(frozen=True, slots=True)
class JudgedTable:
    """Judgements in a table, ready to be matched with tables."""

    judged: Judged
    queries: pl.Series
    number: dict[Any, int]
    """The place of each query among the judged ones."""
    lookup: Lookup

    @classmethod
    def of(cls, judged: Judged, queries: pl.Series, lookup: Lookup) -> JudgedTable:
        return cls(judged, queries, dict(zip(queries.to_list(), range(len(queries)), strict=True)), lookup)

    def with_text_ids(self) -> JudgedTable:
        lookup = Lookup.of(self.lookup.documents.cast(pl.String), self.lookup.starts)
        return JudgedTable.of(self.judged, self.queries.cast(pl.String), lookup)

    def numbers(self, queries: list[Any]) -> Ints:
        """The place of each of these queries among the judged ones, -1 where it is none of them."""
        if len(queries) > _MANY:
            known = pl.DataFrame({"query": self.queries, "number": np.arange(len(self.queries))})
            asked = pl.DataFrame({"query": pl.Series(queries, dtype=self.queries.dtype)})
            return asked.join(known, on="query", how="left", maintain_order="left")["number"].fill_null(-1).to_numpy()
        return np.fromiter((self.number.get(query, -1) for query in queries), dtype=np.int64, count=len(queries))


@dataclass(frozen=True, slots=True)
class Found:
    """What a run, or a part of it that holds whole queries, has of the judged documents."""

    judgement: Ints
    score: Floats
    places: Places
    query: Ints
    """The judged queries that are ranked, by number, and how many documents each has."""
    lengths: Ints
    unjudged: tuple[Any, ...]
    remarks: tuple[str, ...]


_NONE = np.zeros(0, dtype=np.int64)
_NOTHING = Found(_NONE, np.zeros(0), Places(_NONE, _NONE, None), _NONE, _NONE, (), ())


def judged_from_table(table: Table, policy: Policy) -> JudgedTable:
    rows = Grouped.of(table, NUMBER["qrels"])
    rows, remarks = without_duplicates(rows, hashes_of(rows.documents), table, policy)
    query = rows.spread(np.arange(len(rows.queries)))
    judged = Judged.of(rows.queries.to_list(), query, rows.numbers, rows.documents, table.remarks + remarks)
    return JudgedTable.of(judged, rows.queries, Lookup.of(rows.documents, rows.starts))


def match_tables(qrels: JudgedTable, parts: Iterable[Table], policy: Policy, name: str) -> Hits:
    """The Hits of a run in a table, or in several that hold whole queries each."""
    hits, common = match_some(qrels, parts, policy, name)
    check_queries(common, qrels.judged.queries, hits.notes.without_judgements, policy)
    return hits


def match_some(qrels: JudgedTable, parts: Iterable[Table], policy: Policy, name: str) -> tuple[Hits, int]:
    """The same for some of the queries of a run, which may rank none of them; and how many it does rank."""
    found = [_NOTHING]
    for part in parts:
        # Once the judgements' ids are text they stay text, so they are converted for the first part only.
        qrels, same, remarks = _same_ids(qrels, part)
        found.append(found_in(qrels, same, policy, remarks))
    returned = np.zeros(len(qrels.queries), dtype=np.int64)
    for one in found:
        returned[one.query] = one.lengths
    unjudged = tuple(query for one in found for query in one.unjudged)
    within = [one.places.within for one in found if one.places.within is not None]
    hits = qrels.judged.hits(
        np.concatenate([one.judgement for one in found]),
        np.concatenate([one.score for one in found]),
        Places(
            np.concatenate([one.places.above for one in found]),
            np.concatenate([one.places.tied for one in found]),
            np.concatenate(within) if within else None,
        ),
        returned,
        policy,
        name,
        unjudged,
        tuple(dict.fromkeys(remark for one in found for remark in one.remarks)),
    )
    return hits, sum(len(one.query) for one in found)


def found_in(qrels: JudgedTable, run: Table, policy: Policy, remarks: tuple[str, ...]) -> Found:
    """The judged documents among the rows of a table with ids of the same type, and their places."""
    rows = Grouped.of(run, NUMBER["run"])
    queries = rows.queries.to_list()
    number = qrels.numbers(queries)
    hashes = hashes_of(rows.documents)
    rows, dropped = without_duplicates(rows, hashes, run, policy)
    if dropped:
        hashes = hashes_of(rows.documents)
    at, judgement = qrels.lookup.found(rows.documents, hashes, rows.starts, number)
    if policy.unjudged == "condensed":
        kept = np.zeros(len(rows.numbers), dtype=bool)
        kept[at] = True
        rows, at = rows.keep(kept), np.cumsum(kept)[at] - 1
    scores = at_width(rows.numbers, policy)
    group, score = rows.group(at), scores[at]
    above, tied = counts(scores, rows.starts, group, score, at)
    within = None
    if policy.ties != "average":
        within = tied_above(rows, scores, group, at, Places(above, tied, None), policy.ties)
    is_judged = number >= 0
    return Found(
        judgement,
        score,
        Places(above, tied, within),
        number[is_judged],
        rows.lengths[is_judged],
        tuple(queries[i] for i in np.flatnonzero(~is_judged).tolist()),
        run.remarks + remarks + dropped,
    )


def _same_ids(qrels: JudgedTable, run: Table) -> tuple[JudgedTable, Table, tuple[str, ...]]:
    """Both sides with ids of the same type: integers, or text where the two differ."""
    types = run.frame["query"].dtype, run.frame["document"].dtype
    if types == (qrels.queries.dtype, qrels.lookup.documents.dtype):
        return qrels, run, ()
    as_text = run.frame.with_columns(pl.col("query", "document").cast(pl.String))
    return qrels.with_text_ids(), replace(run, frame=as_text), (IDS_AS_TEXT,)
