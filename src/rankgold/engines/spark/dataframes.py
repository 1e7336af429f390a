"""Polars frames, names and expressions in; Spark DataFrames, and parts of their SQL, out: what several modules need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

INTEGERS = ("tinyint", "smallint", "int", "bigint")
"""Spark's names for the types of integers."""


def to_spark(frame: pl.DataFrame, session: SparkSession) -> DataFrame:
    return session.createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest()))


def union(frames: Iterable[DataFrame]) -> DataFrame:
    """The rows of all frames. Columns are matched by name."""
    return reduce(lambda whole, frame: whole.unionByName(frame), frames)


def first_repeated_row(frame: DataFrame, *columns: str) -> Row | None:
    """The first values of these columns that several rows share, with their `count`; None if each row has its own."""
    repeated = frame.groupBy(*columns).count().where("`count` > 1").orderBy(*columns).limit(1).collect()
    return repeated[0] if repeated else None


def in_backticks(column: str) -> str:
    """A column's name in Spark's SQL, whatever characters it has."""
    return "`" + column.replace("`", "``") + "`"


def in_utc(column: str, dtype: str) -> str:
    """A column as it is; times with a time zone as text in UTC. Spark's own text is in the zone of the session."""
    name = in_backticks(column)
    if dtype != "timestamp":
        return name
    return f"cast(timestampadd(microsecond, unix_micros({name}), timestamp_ntz'1970-01-01') as string) || '+00:00'"


def aliased(expressions: Mapping[str, str]) -> list[str]:
    """Name -> expression as Spark's SQL selects them."""
    return [f"{expression} as {name}" for name, expression in expressions.items()]
