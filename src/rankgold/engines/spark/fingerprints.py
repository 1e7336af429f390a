"""A Job in, the fingerprints of its data noted: rows are hashed on the executors, and only sums come back."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from rankgold.data.fingerprints import Fingerprint, fingerprint_of_columns, fingerprint_of_queries
from rankgold.engines.spark.job import Job
from rankgold.engines.spark.rows import InputRows
from rankgold.engines.spark.session import arrow_settings
from rankgold.engines.spark.tasks import SCHEMA

if TYPE_CHECKING:
    import pyarrow


def note_sources(job: Job) -> None:
    """Notes the fingerprints of all runs, and of judgements on Spark, if they are asked for."""
    log = job.task.log
    if log is None:
        return
    shuffled = job.judgements.shuffled
    with arrow_settings(job.session):
        if shuffled is not None:
            log.judgements = _hashed(_without_only_subtopic(shuffled), shuffled.frame, "0")[0]
        known: dict[int, Fingerprint] = {}
        for run in job.runs.frames:
            known |= _hashed(run.rows, *run.numbered(job.session))
    for number, nothing in enumerate(job.runs.empty_queries):
        log.runs.append(known.get(number, Fingerprint()) + fingerprint_of_queries(nothing))


def _without_only_subtopic(rows: InputRows) -> InputRows:
    """The same rows. One subtopic for all without a weight is none: the second column of most TREC files is 0."""
    subtopic = rows.of_subtopics.get("subtopic")
    if subtopic is None or "weight" in rows.of_subtopics:
        return rows
    lowest, highest = rows.frame.selectExpr(f"min({subtopic})", f"max({subtopic})").collect()[0]
    return replace(rows, of_subtopics={}) if lowest == highest else rows


def _hashed(rows: InputRows, frame: Any, number: str) -> dict[int, Fingerprint]:
    """The number of a run -> the fingerprint of its rows."""
    ids = [f"{rows.id_of(role, True)} as {role}" for role in ("query", "document")]
    # A trusted rank is not turned into a score for matching. Elsewhere the score of a rank is less than 0.
    value = f"-({rows.value})" if "rank" in rows.faults else rows.value
    more = [f"{expression} as {role}" for role, expression in rows.of_subtopics.items()]
    selected = frame.selectExpr(*ids, f"{value} as value", f"cast({number} as int) as run", *more)
    known: dict[int, Fingerprint] = {}
    for row in selected.mapInArrow(RowHasher(), SCHEMA).collect():
        for run, part in pickle.loads(bytes(row.payload)).items():
            known[run] = known.get(run, Fingerprint()) + part
    return known


@dataclass(frozen=True)
class RowHasher:
    """Hashes rows. Spark sends it to the executors and calls it for each partition."""

    def __call__(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow as pa

        known: dict[int, Fingerprint] = {}
        for batch in batches:
            frame = pl.DataFrame(batch)
            for (run,), rows in frame.partition_by("run", as_dict=True).items():
                known[run] = known.get(run, Fingerprint()) + _fingerprint(rows)
        yield pa.RecordBatch.from_pydict({"payload": pa.array([pickle.dumps(known)], pa.binary())})


def _fingerprint(rows: pl.DataFrame) -> Fingerprint:
    if "subtopic" not in rows.columns:
        return fingerprint_of_columns(rows["query"], rows["document"], rows["value"].to_numpy())
    return fingerprint_of_columns(
        rows["query"],
        rows["document"],
        rows["value"].to_numpy(),
        rows["subtopic"],
        rows["weight"].to_numpy() if "weight" in rows.columns else None,
    )
