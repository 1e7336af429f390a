"""The documents to take out of the lists, and rows of runs, in; the same rows with those documents marked out.

A row of an excluded document stays, without document and value: its query is ranked, even if nothing of it is left.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from rankgold.data.inputs import is_path
from rankgold.data.pairs import ids_of, read_pairs
from rankgold.engines.protocol import Task
from rankgold.engines.spark.inputs import spark_input
from rankgold.engines.spark.rows import InputRows
from rankgold.engines.spark.session import is_spark_frame


def excluded_pairs(task: Task, session: Any) -> Any:
    """A frame of the excluded queries and documents, as text; None if nothing is excluded."""
    source = task.exclude
    if source is None:
        return None
    if is_spark_frame(source) or is_path(source):
        named = ids_of(task.columns)
        rows = InputRows.of(spark_input(source, "pairs", session, named, "first"), "pairs", named)
        if fault := rows.fault():
            raise fault
        ids = [f"{rows.id_of(role, True)} as excluded_{role}" for role in ("query", "document")]
        pairs = rows.frame.selectExpr(*ids)
    else:
        here = read_pairs(source, task.columns).select(pl.all().cast(pl.String).name.prefix("excluded_"))
        pairs = session.createDataFrame(here.to_arrow(compat_level=pl.CompatLevel.oldest()))
    return pairs.distinct()


def mark_out(rows: Any, excluded: Any) -> Any:
    """The rows of runs (query, document, value, run), those of excluded documents without document and value."""
    same_query = rows["query"].cast("string") == excluded["excluded_query"]
    same_document = rows["document"].cast("string") == excluded["excluded_document"]
    kept = "case when excluded_query is null then {0} end as {0}"
    joined = rows.join(excluded, same_query & same_document, "left")
    return joined.selectExpr("query", kept.format("document"), kept.format("value"), "run")
