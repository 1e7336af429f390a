"""A Job in, the fingerprints of its data noted: rows are hashed on the executors, and only sums come back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from rankgold.data.fingerprints import Fingerprint, Fingerprints, fingerprint_of_columns, fingerprint_of_queries
from rankgold.engines.spark import payloads
from rankgold.engines.spark.dataframes import aliased
from rankgold.engines.spark.job import Job
from rankgold.engines.spark.rows import InputRows
from rankgold.engines.spark.session import arrow_settings

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame


def source_fingerprints(job: Job) -> list[Fingerprints | None]:
    """Those of each run and its judgements, if the request wants them."""
    empty_queries, judged = job.runs.empty_queries, job.judgements.broadcast
    if not job.request.fingerprint:
        return [None] * len(empty_queries)
    known = Fingerprint() if judged is None or judged.fingerprint is None else judged.fingerprint
    shuffled = job.judgements.shuffled
    with arrow_settings(job.session):
        if shuffled is not None:
            known = _hashed(_without_only_subtopic(shuffled), shuffled.frame, "0")[0]
        of_rows = _sums(_hashed(run.rows, *run.numbered(job.session)) for run in job.runs.frames)
    return [
        Fingerprints(known, of_rows.get(number, Fingerprint()) + fingerprint_of_queries(queries))
        for number, queries in enumerate(empty_queries)
    ]


def _without_only_subtopic(rows: InputRows) -> InputRows:
    """The same rows. One subtopic for all rows, without a weight, does not count: most TREC files have 0 there."""
    subtopic = rows.of_subtopics.get("subtopic")
    if subtopic is None or "weight" in rows.of_subtopics:
        return rows
    lowest, highest = rows.frame.selectExpr(f"min({subtopic})", f"max({subtopic})").collect()[0]
    return replace(rows, of_subtopics={}) if lowest == highest else rows


def _hashed(rows: InputRows, frame: DataFrame, number: str) -> dict[int, Fingerprint]:
    """The number of a run -> the fingerprint of its rows."""
    # A trusted rank is not turned into a score for matching. Elsewhere the score of a rank is less than 0.
    value = f"-({rows.value})" if "rank" in rows.faults else rows.value
    expressions = rows.expressions(as_text=True) | {"value": value, "run": f"cast({number} as int)"}
    hashed = frame.selectExpr(*aliased(expressions)).mapInArrow(_hash_rows, payloads.SCHEMA)
    return _sums(payloads.unpickled(hashed))


def _sums(parts: Iterable[dict[int, Fingerprint]]) -> dict[int, Fingerprint]:
    """The number of a run -> the sum of its fingerprints in all parts."""
    sums: dict[int, Fingerprint] = {}
    for part in parts:
        for run, fingerprint in part.items():
            sums[run] = sums.get(run, Fingerprint()) + fingerprint
    return sums


def _hash_rows(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """The fingerprints of the runs in one partition. Spark calls it on the executors."""
    frames = (pl.DataFrame(batch).partition_by("run", as_dict=True) for batch in batches)
    return payloads.pickled([_sums({run: _fingerprint(rows) for (run,), rows in runs.items()} for runs in frames)])


def _fingerprint(rows: pl.DataFrame) -> Fingerprint:
    subtopic, weight = (rows.get_column(role, default=None) for role in ("subtopic", "weight"))
    weights = None if weight is None else weight.to_numpy()
    return fingerprint_of_columns(rows["query"], rows["document"], rows["value"].to_numpy(), subtopic, weights)
