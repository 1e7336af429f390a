"""Matching tables: an inner join of the run with the judgements gives the hits, and only they are ranked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from karat.data.table import Table
from karat.errors import DataError
from karat.hits import Hits
from karat.matching.common import IDS_AS_TEXT, at_width, check_queries
from karat.matching.judged import Judged
from karat.matching.ties import Places, counts
from karat.policy import Policy
from karat.segments import Floats, Ints

_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class JudgedTable:
    """Judgements in a table, ready to be matched with tables."""

    frame: pl.DataFrame
    """query (its index), document, row (of the judgement)."""
    names: pl.Series
    judged: Judged


def judged_from_table(table: Table, policy: Policy) -> JudgedTable:
    frame, remarks = _without_duplicates(table, policy)
    names = frame["query"].unique(maintain_order=True)
    index = pl.DataFrame({"query": names, "index": np.arange(len(names), dtype=np.int64)})
    frame = (
        frame.join(index, on="query", how="left", maintain_order="left")
        .sort("index", maintain_order=True)
        .select(query="index", document="document", grade="grade")
        .with_columns(row=pl.int_range(pl.len(), dtype=pl.Int64))
    )
    judged = Judged.of(
        names.to_list(),
        frame["query"].to_numpy(),
        frame["grade"].to_numpy(),
        frame["document"],
        table.remarks + remarks,
    )
    return JudgedTable(frame.select("query", "document", "row"), names, judged)


def match_tables(qrels: JudgedTable, run: Table, policy: Policy) -> Hits:
    """The Hits of a run in a table."""
    qrels, frame, remarks = _same_ids(qrels, run.frame)
    frame, dropped = _without_duplicates(Table(frame, run.name, run.place), policy)
    frame, starts = _by_query(frame)
    segments = frame["query"].gather(starts[:-1])
    index = pl.DataFrame({"query": qrels.names, "index": np.arange(len(qrels.names), dtype=np.int64)})
    query_of = pl.DataFrame({"query": segments}).join(index, on="query", how="left", maintain_order="left")["index"]
    unjudged = tuple(segments.filter(query_of.is_null()))
    check_queries(len(segments) - len(unjudged), qrels.judged.queries, unjudged, policy)

    lengths = np.diff(starts)
    scores = at_width(frame["score"].to_numpy(), policy)
    left = pl.DataFrame(
        {
            "query": pl.Series(np.repeat(query_of.fill_null(-1).to_numpy(), lengths)),
            "document": frame["document"],
            "at": np.arange(frame.height, dtype=np.int64),
        }
    )
    found = left.join(qrels.frame, on=["query", "document"], how="inner").select("at", "row")
    at, rows = found["at"].to_numpy(), found["row"].to_numpy()
    documents = frame["document"]
    if policy.unjudged == "condensed":
        kept = np.sort(at)
        lengths = np.bincount(np.searchsorted(starts, kept, side="right") - 1, minlength=len(segments))
        starts = np.concatenate(([0], np.cumsum(lengths)))
        scores, documents = scores[kept], documents.gather(kept)
        at = np.searchsorted(kept, at)
    group = np.searchsorted(starts, at, side="right") - 1
    score = scores[at]
    above, tied = counts(scores, starts, group, score)
    within = None
    if policy.ties != "average":
        within = _tied_above(documents, scores, starts, group, at, tied, policy)
    returned = np.zeros(len(qrels.names), dtype=np.int64)
    known = ~query_of.is_null().to_numpy()
    returned[query_of.to_numpy()[known].astype(np.int64)] = lengths[known]
    return qrels.judged.hits(
        rows, score, Places(above, tied, within), returned, policy, run.name, unjudged, run.remarks + remarks + dropped
    )


def _same_ids(qrels: JudgedTable, run: pl.DataFrame) -> tuple[JudgedTable, pl.DataFrame, tuple[str, ...]]:
    """Both sides with ids of the same type: integers, or text where the two differ."""
    same_queries = qrels.names.dtype == run["query"].dtype
    same_documents = qrels.frame["document"].dtype == run["document"].dtype
    if same_queries and same_documents:
        return qrels, run, ()
    names = qrels.names.cast(pl.String)
    frame = qrels.frame.with_columns(pl.col("document").cast(pl.String))
    run = run.with_columns(pl.col("query", "document").cast(pl.String))
    return JudgedTable(frame, names, qrels.judged), run, (IDS_AS_TEXT,)


def _by_query(frame: pl.DataFrame) -> tuple[pl.DataFrame, Ints]:
    """The rows with each query's side by side, in their order, and where each query starts."""
    starts = _boundaries(frame["query"])
    if frame["query"].gather(starts[:-1]).n_unique() < len(starts) - 1:
        first_seen = frame["query"].unique(maintain_order=True)
        order = pl.DataFrame({"query": first_seen, "index": np.arange(len(first_seen), dtype=np.int64)})
        frame = frame.join(order, on="query", how="left", maintain_order="left").sort("index", maintain_order=True)
        starts = _boundaries(frame["query"])
    return frame.rechunk(), starts


def _boundaries(column: pl.Series) -> Ints:
    changes = (column != column.shift(1)).fill_null(True).arg_true().to_numpy().astype(np.int64)
    return np.append(changes, len(column))


def _tied_above(
    documents: pl.Series, scores: Floats, starts: Ints, group: Ints, at: Ints, tied: Ints, policy: Policy
) -> Ints:
    """How many documents of the same score the policy puts above each hit."""
    within = np.zeros(len(at), dtype=np.int64)
    hits = np.flatnonzero(tied > 1)
    if not len(hits):
        return within
    involved = np.unique(group[hits])
    rows = np.concatenate([np.arange(starts[one], starts[one + 1]) for one in involved])
    mates = pl.DataFrame(
        {
            "group": np.repeat(involved, np.diff(starts)[involved]),
            "score": scores[rows],
            "row": rows,
            "document": documents.gather(rows).cast(pl.String),
        }
    )
    key = "row" if policy.ties == "input" else "document"
    place = (
        mates.sort("group", "score", key, descending=[False, True, policy.ties == "descending"])
        .with_columns(within=pl.int_range(pl.len()).over("group", "score"))
        .sort("row")
    )
    within[hits] = place["within"].to_numpy()[np.searchsorted(place["row"].to_numpy(), at[hits])]
    return within


def _without_duplicates(table: Table, policy: Policy) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The rows with each document once in a query, as the policy says, and a remark if any were dropped."""
    frame = table.frame
    if not _has_duplicates(frame):
        return frame, ()
    if policy.duplicates == "error":
        raise _duplicate(table)
    once = frame.unique(["query", "document"], keep=policy.duplicates, maintain_order=True)
    return once, (f"{frame.height - once.height} rows that repeat a document were dropped ({policy.duplicates} kept)",)


def _has_duplicates(frame: pl.DataFrame) -> bool:
    """Whether a document stands twice in a query: equal hashes are sought first, ids compared only there."""
    keys = _hashes(frame)
    ordered = np.sort(keys)
    repeated = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(repeated):
        return False
    suspects = frame.select("query", "document").filter(pl.Series(np.isin(keys, repeated)))
    return bool(suspects.is_duplicated().any())


def _hashes(frame: pl.DataFrame) -> np.ndarray[Any, np.dtype[np.uint64]]:
    with np.errstate(over="ignore"):
        return frame["document"].hash(1).to_numpy() + frame["query"].hash(2).to_numpy() * _MIX


def _duplicate(table: Table) -> DataError:
    twice = (
        table.frame.select("query", "document")
        .with_row_index("row")
        .filter(pl.struct("query", "document").is_duplicated())
    )
    query, document = twice.row(0, named=True)["query"], twice.row(0, named=True)["document"]
    rows = twice.filter((pl.col("query") == query) & (pl.col("document") == document))["row"]
    verb = "ranks" if "score" in table.frame.columns else "judges"
    first, second = table.place(rows[0]), table.place(rows[1])
    where = f"line {first.rpartition(':')[2]}" if first.rpartition(":")[2].isdigit() else first.rpartition(", ")[2]
    return DataError(
        f"query {query!r} {verb} document {document!r} twice (first at {where})."
        " Remove one, or pass --policy duplicates=first (policy='duplicates=first' in Python).",
        second,
    )
