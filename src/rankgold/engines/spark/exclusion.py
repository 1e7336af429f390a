"""The documents to take out of the lists, and rows of runs, in; the same rows with those documents marked out.

A row of an excluded document stays, without document and value: its query is ranked, even if nothing of it is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from rankgold.data.inputs import is_path
from rankgold.data.pairs import ids_of, read_pairs
from rankgold.engines.request import Request
from rankgold.engines.spark.dataframes import to_spark
from rankgold.engines.spark.inputs import spark_input
from rankgold.engines.spark.rows import InputRows
from rankgold.engines.spark.session import is_spark_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def excluded_pairs(request: Request, session: SparkSession) -> DataFrame | None:
    """A frame of the excluded queries and documents, as text; None if nothing is excluded."""
    source = request.exclude
    if source is None:
        return None
    if is_spark_frame(source) or is_path(source):
        named = ids_of(request.columns)
        rows = InputRows.of(spark_input(source, "pairs", session, named, "first"), "pairs", named)
        if fault := rows.fault():
            raise fault
        ids = rows.expressions(as_text=True)
        pairs = rows.frame.selectExpr(f"{ids['query']} as excluded_query", f"{ids['document']} as excluded_document")
    else:
        here = read_pairs(source, request.columns).select(pl.all().cast(pl.String).name.prefix("excluded_"))
        pairs = to_spark(here, session)
    return pairs.distinct()


def mark_out(rows: DataFrame, excluded: DataFrame) -> DataFrame:
    """The rows of runs (query, document, value, run), those of excluded documents without document and value."""
    same_query = rows["query"].cast("string") == excluded["excluded_query"]
    same_document = rows["document"].cast("string") == excluded["excluded_document"]
    kept = "case when excluded_query is null then {0} end as {0}"
    joined = rows.join(excluded, same_query & same_document, "left")
    return joined.selectExpr("query", kept.format("document"), kept.format("value"), "run")
