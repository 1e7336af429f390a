"""Runs whose ranks are trusted: only the rows of judged documents are looked at, and the others are counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from rankgold.data.ids import SeriesIds
from rankgold.data.table import Table, stretches
from rankgold.engines.spark.broadcast import Shipped
from rankgold.engines.spark.query_batches import frames_of
from rankgold.hits import Hits
from rankgold.kernels.segments import Ints, positions, starts_of
from rankgold.matching.hash_lookup import Lookup
from rankgold.matching.judgements import Retrieval
from rankgold.matching.ranks import Places
from rankgold.matching.tables import TableJudgements
from rankgold.policy import Policy

if TYPE_CHECKING:
    import pyarrow

COUNT = -1
_ROWS_AT_ONCE = 200_000
SCHEMA = "key bigint, run int, judgement bigint, value double"


@dataclass(frozen=True)
class Finding:
    """Finds the judged documents where the rows are: a row for each, and one for each query with how many it has."""

    shipped: Shipped

    def __call__(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for rows in frames_of(batches, _ROWS_AT_ONCE):
            for (run,), some in rows.partition_by("run", as_dict=True).items():
                yield from self._found(some, int(run)).to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches()

    def _found(self, rows: pl.DataFrame, run: int) -> pl.DataFrame:
        rows = rows.sort("key", maintain_order=True)
        if run < 0:
            return _records(rows["key"].to_numpy(), run, np.full(rows.height, COUNT), np.zeros(rows.height))
        starts = stretches(rows["key"])
        number = rows["key"].gather(starts[:-1]).to_numpy()
        at, begin = self.shipped.rows_of(number)
        judged = SeriesIds(self.shipped.rows[at]["document"])
        documents = SeriesIds(rows["document"].rechunk())
        found, which = Lookup.of(judged, begin).find(documents, documents.hashes(), starts, np.arange(len(number)))
        hits = _records(rows["key"].to_numpy()[found], run, at[which], rows["value"].to_numpy()[found])
        return pl.concat([hits, _records(number, run, np.full(len(number), COUNT), np.diff(starts))])


def _records(key: Ints, run: int, judgement: Ints, value: object) -> pl.DataFrame:
    return pl.DataFrame(
        {"key": key, "run": np.full(len(key), run, np.int32), "judgement": judgement, "value": value},
        schema_overrides={"key": pl.Int64, "judgement": pl.Int64, "value": pl.Float64},
    )


def ranked_hits(
    judged: TableJudgements, shipped: Shipped, numbers: Ints, rows: pl.DataFrame, policy: Policy, name: str
) -> tuple[Hits, int]:
    """The Hits that were found among rows, from the records of them; and how many of the queries are ranked."""
    is_count = rows["judgement"].to_numpy() == COUNT
    query = np.searchsorted(numbers, rows["key"].to_numpy())
    value = rows["value"].to_numpy()
    returned = np.bincount(query[is_count], value[is_count], len(numbers)).astype(np.int64)
    # A judgement's place among all -> among those of these queries.
    _, begin = shipped.rows_of(numbers)
    hit = query[~is_count]
    judgement = rows["judgement"].to_numpy()[~is_count] - shipped.starts[numbers[hit]] + begin[hit]
    return _at_ranks(judged, judgement, value[~is_count], returned, policy, name), int(np.count_nonzero(returned))


def hits_of_ranks(judged: TableJudgements, run: Table, policy: Policy, name: str) -> tuple[Hits, int]:
    """The Hits of a run whose scores are ranks; and how many of the queries it ranks."""
    rows = run.groups()
    queries = rows.queries.to_list()
    number = judged.numbers(queries)
    at, judgement = judged.lookup.find(rows.documents, rows.documents.hashes(), rows.starts, number)
    returned = np.zeros(len(judged.queries), dtype=np.int64)
    returned[number[number >= 0]] = rows.lengths[number >= 0]
    unjudged = tuple(queries[i] for i in np.flatnonzero(number < 0).tolist())
    hits = _at_ranks(judged, judgement, rows.numbers[at], returned, policy, name, unjudged)
    return hits, int(np.count_nonzero(number >= 0))


def _at_ranks(
    judged: TableJudgements,
    judgement: Ints,
    rank: np.ndarray,
    returned: Ints,
    policy: Policy,
    name: str,
    unjudged: tuple[object, ...] = (),
) -> Hits:
    query = judged.judgements.query[judgement]
    order = np.lexsort((rank, query))
    judgement = judgement[order]
    above: Ints = rank[order].astype(np.int64) - 1
    if policy.unjudged == "condensed":
        returned = np.bincount(query, minlength=len(returned))
        above = positions(starts_of(returned))
    retrieval = Retrieval(judgement, None, Places.without_ties(above), returned, unjudged)
    return judged.judgements.hits(retrieval, policy, name)
