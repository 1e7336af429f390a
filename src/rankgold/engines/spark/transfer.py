"""Spark DataFrames, names of tables, and paths that only Spark reads, in; their rows in this process out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from rankgold.data.columns import Kind, check_column_names, find_columns
from rankgold.data.inputs import is_file, is_path, is_read_here
from rankgold.data.pairs import ids_of
from rankgold.data.rows import Rows
from rankgold.engines.spark.dataframes import in_backticks
from rankgold.engines.spark.inputs import stored_input, table_on_spark
from rankgold.engines.spark.rows import InputRows
from rankgold.engines.spark.session import is_spark_frame, session_for, spark_errors
from rankgold.engines.spark.unordered_rows import check_order
from rankgold.policy import Policy

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class SparkReader:
    """Reads what Spark has. Without a session, one is found or started when it is needed."""

    session: SparkSession | None = None

    def holds(self, source: object) -> bool:
        if is_spark_frame(source):
            return True
        if not is_path(source) or is_read_here(source):
            return False
        with spark_errors():
            return not is_file(source) or table_on_spark(source, session_for(self.session, [])) is not None

    def rows(self, source: object, kind: Kind, columns: Mapping[str, str] | None, policy: Policy) -> Rows:
        check_order(policy)
        named = ids_of(columns) if kind == "pairs" else check_column_names(columns)
        with spark_errors():
            stored = stored_input(source, kind, session_for(self.session, [source]), columns, policy.repeats)
            found = find_columns(stored.frame.columns, kind, named, stored.label, lists=stored.list_columns)
            if stored.is_trec and (fault := InputRows.of(stored, kind, named).fault()):
                raise fault
            used = dict.fromkeys(map(in_backticks, found.present.values()))
            frame = pl.DataFrame(stored.frame.select(*used).toArrow())
        return stored.checked_rows(frame, kind, named)

    def all_columns(self, source: object) -> pl.DataFrame:
        with spark_errors():
            stored = stored_input(source, "pairs", session_for(self.session, [source]), None, "first")
            return pl.DataFrame(stored.frame.toArrow())
