"""Rows of a run with trusted ranks in, Hits out: only the rows of judged documents are used, others are counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankgold.data.table import Table, stretches
from rankgold.engines.spark.broadcast import BroadcastJudgements
from rankgold.engines.spark.query_batches import frames_of_batches
from rankgold.hits import Hits
from rankgold.kernels.segments import Floats, Ints
from rankgold.matching.hash_lookup import Lookup, hashes_of
from rankgold.matching.judgements import Retrieval, condenses_first
from rankgold.matching.ranks import Places
from rankgold.matching.table_judgements import TableJudgements
from rankgold.policy import Policy

if TYPE_CHECKING:
    import pyarrow

COUNT = -1
_ROWS_AT_ONCE = 200_000
SCHEMA = "key bigint, run int, judgement bigint, value double"


@dataclass(frozen=True)
class HitFinder:
    """Finds judged documents before the shuffle. Spark sends it to the executors and calls it for each partition.

    A record is made for each judged document, with its rank as value; and one for each query and run, with COUNT as
    judgement and the number of its documents as value.
    """

    judgements: BroadcastJudgements

    def __call__(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for rows in frames_of_batches(batches, _ROWS_AT_ONCE):
            for (run,), rows_of_run in rows.partition_by("run", as_dict=True).items():
                records = self._records(rows_of_run, int(run))
                yield from records.to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches()

    def _records(self, rows: pl.DataFrame, run: int) -> pl.DataFrame:
        rows = rows.sort("key", maintain_order=True)
        if run < 0:
            return _records(rows["key"].to_numpy(), run, np.full(rows.height, COUNT), np.zeros(rows.height))
        starts = stretches(rows["key"])
        number = rows["key"].gather(starts[:-1]).to_numpy()
        at, judged_starts = self.judgements.rows_of(number)
        lookup = Lookup.of(self.judgements.rows[at]["document"], judged_starts)
        documents = rows["document"].rechunk()
        found, judgement = lookup.find(documents, hashes_of(documents), starts, np.arange(len(number)))
        hits = _records(rows["key"].to_numpy()[found], run, at[judgement], rows["value"].to_numpy()[found])
        return pl.concat([hits, _records(number, run, np.full(len(number), COUNT), np.diff(starts))])


def _records(key: Ints, run: int, judgement: Ints, value: Floats | Ints) -> pl.DataFrame:
    return pl.DataFrame(
        {"key": key, "run": np.full(len(key), run, np.int32), "judgement": judgement, "value": value},
        schema_overrides={"key": pl.Int64, "judgement": pl.Int64, "value": pl.Float64},
    )


@dataclass(frozen=True, slots=True)
class TrustedRanks:
    """The judged documents that a run ranks, and their ranks as the run gives them."""

    judgement: Ints
    rank: Floats
    returned: Ints
    """How many documents the run has for each judged query."""
    unjudged: tuple[Any, ...] = ()
    """The queries that the run ranks and nobody judged."""

    @classmethod
    def of_records(cls, records: pl.DataFrame, judgements: BroadcastJudgements, numbers: Ints) -> TrustedRanks:
        """From what HitFinder found; `numbers` are the judged queries."""
        is_count = records["judgement"].to_numpy() == COUNT
        query = np.searchsorted(numbers, records["key"].to_numpy())
        value = records["value"].to_numpy()
        returned = np.bincount(query[is_count], value[is_count], len(numbers)).astype(np.int64)
        # A judgement's position among all judgements -> its position among those of these queries.
        _, starts = judgements.rows_of(numbers)
        hit = query[~is_count]
        judgement = records["judgement"].to_numpy()[~is_count] - judgements.starts[numbers[hit]] + starts[hit]
        return cls(judgement, value[~is_count], returned)

    @classmethod
    def of_rows(cls, run: Table, judged: TableJudgements) -> TrustedRanks:
        """From the rows of whole queries, with the ranks as scores."""
        rows = run.groups()
        found = judged.find(rows, hashes_of(rows.documents))
        return cls(found.judgement, rows.numbers[found.at], found.returned, found.unjudged_queries)

    def hits(self, judged: TableJudgements, policy: Policy, name: str) -> tuple[Hits, int]:
        """The Hits; and how many of the judged queries the run ranks."""
        query = judged.judgements.query[self.judgement]
        places = Places.without_ties(self.rank.astype(np.int64) - 1)
        retrieval = Retrieval(self.judgement, None, places, self.returned, self.unjudged)
        if condenses_first(policy):
            retrieval = retrieval.condensed(query)
        return judged.judgements.hits(retrieval, policy, name), int(np.count_nonzero(self.returned))
