"""Reads attributes on Spark and codes the slice of each query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from rankgold.core.errors import DataError
from rankgold.data.attributes import (
    DATA_COLUMNS,
    WHAT,
    QueryAttributes,
    attribute_columns,
    query_column,
    read_attributes,
    repeated_rows,
    several_values,
    sources_with,
    table_of_data,
)
from rankgold.data.columns import check_column_names
from rankgold.data.inputs import given_runs, is_path
from rankgold.data.slice_scheme import Division, SliceScheme, divide, notes_on_others, notes_without, scheme_of
from rankgold.data.slices import Slices
from rankgold.engines.request import Request
from rankgold.engines.spark.dataframes import first_repeated_row, in_backticks, to_spark, union
from rankgold.engines.spark.inputs import is_small_file, spark_input, table_on_spark
from rankgold.engines.spark.rows import id_text
from rankgold.engines.spark.session import is_spark_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


FIRST_ATTRIBUTE = -3
"""What `run` is in a row with the code of a query's slice under the first attribute; -4 is the second, and so on."""

_NO_VALUES = ("array", "map", "struct", "binary", "variant")
"""Types whose values cannot be compared."""


@dataclass(frozen=True)
class SparkAttributes:
    """The attributes of queries on Spark: a frame with the query as text, and a column for each attribute."""

    frame: DataFrame
    """The columns are `text`, and a0, a1 and so on."""
    names: tuple[str, ...]
    label: str

    @classmethod
    def of(cls, request: Request, slices: Slices, session: SparkSession) -> SparkAttributes:
        named = check_column_names(request.columns)
        if slices.table is None:
            return _columns_of_data(request, slices, session, named)
        found = _frame_of(slices.table, request, session)
        if found is None:
            here = read_attributes(slices, request.columns)
            known_types = {name: values for name, values in here.values.items() if values.dtype != pl.Object}
            values = {f"a{i}": column for i, column in enumerate(known_types.values())}
            sent = to_spark(pl.DataFrame({"text": here.queries, **values}), session)
            return cls(sent, tuple(known_types), here.label)
        frame, label = found
        query = query_column(frame.columns, named, label)
        names = tuple(attribute_columns(frame.columns, query, label))
        columns = [f"{in_backticks(name)} as a{i}" for i, name in enumerate(names)]
        attributes = cls(frame.selectExpr(f"{id_text(frame, query, label)} as text", *columns), names, label)
        attributes._check_once()
        return attributes

    def _check_once(self) -> None:
        """Raises an error for a row without a query, and for a query with several rows."""
        if self.frame.where("text is null").limit(1).collect():
            raise DataError("the query is missing, or is not an id. Give every row one, or remove the row.", self.label)
        if (repeated := first_repeated_row(self.frame, "text")) is not None:
            raise repeated_rows(repeated["text"], repeated["count"], self.label)

    def division(self, queries: Sequence[Any], slices: Slices, session: SparkSession, of_all: bool) -> Division:
        """The slices of these queries, whose attributes are fetched into this process."""
        texts = to_spark(pl.DataFrame({"text": pl.Series(list(map(str, queries)), dtype=pl.String)}), session)
        found = pl.DataFrame(self.frame.join(texts, "text", "left_semi").toArrow())
        values = {name: found[f"a{i}"] for i, name in enumerate(self.names)}
        divided = divide(QueryAttributes(found["text"], values, self.label), queries, slices)
        others = self.frame.join(texts, "text", "left_anti").select("text")
        notes = notes_on_others(*_some_texts(others)) if of_all else []
        return replace(divided, notes=(*divided.notes, *notes))


@dataclass(frozen=True)
class SparkSlices:
    """The slices of the judged queries, found on Spark."""

    scheme: SliceScheme
    rows: DataFrame
    """A frame of query, value (the code of a slice) and run (the number of an attribute, as in FIRST_ATTRIBUTE)."""
    notes: tuple[str, ...]

    @classmethod
    def of(
        cls, attributes: SparkAttributes, slices: Slices, judged: DataFrame, session: SparkSession, of_all: bool
    ) -> SparkSlices:
        """`judged` is a frame of the judged queries, each once, with their text: query, text."""
        matched = judged.join(attributes.frame, "text")
        wanted = {name for columns in slices.crossed(attributes.names, attributes.label) for name in columns}
        column = {name: f"a{i}" for i, name in enumerate(attributes.names) if name in wanted}
        types = dict(attributes.frame.dtypes)
        no_values = {name: types[column[name]] for name in column if types[column[name]].startswith(_NO_VALUES)}
        notes = [f"{name} is not an attribute: it is of type {dtype}" for name, dtype in no_values.items()]
        groups = {
            name: matched.groupBy(column[name]).count().withColumnRenamed(column[name], "known").toArrow()
            for name in column
            if name not in no_values
        }
        values = {name: pl.DataFrame(group) for name, group in groups.items()}
        counts = {name: (rows["known"], rows["count"].to_numpy()) for name, rows in values.items()}
        scheme, notes = scheme_of(counts, slices, attributes.label, notes)
        rows = []
        for number, (name, found) in enumerate(scheme.attributes.items()):
            codes = pl.Series(found.codes(values[name]["known"]).astype(float)).to_arrow()
            known = session.createDataFrame(groups[name].drop_columns(["count"]).append_column("code", codes))
            joined = matched.join(known, matched[column[name]].eqNullSafe(known["known"]))
            rows.append(joined.selectExpr("query", "code as value", f"{FIRST_ATTRIBUTE - number} as run"))
        return cls(scheme, union(rows), (*notes, *_notes(attributes, judged, of_all)))


def _notes(attributes: SparkAttributes, judged: DataFrame, of_all: bool) -> list[str]:
    without = judged.join(attributes.frame, "text", "left_anti")
    count, some = _some_texts(without)
    notes = notes_without(judged.count() if count else 1, count, some, attributes.label)
    others = attributes.frame.join(judged, "text", "left_anti")
    return notes + (notes_on_others(*_some_texts(others)) if of_all else [])


def _some_texts(frame: DataFrame) -> tuple[int, list[str]]:
    """The number of queries, and the first three of them."""
    count = frame.count()
    return count, [row.text for row in frame.orderBy("text").limit(3).collect()] if count else []


def _frame_of(source: object, request: Request, session: SparkSession) -> tuple[DataFrame, str] | None:
    """A table that is on Spark, or that Spark reads, and its label; None for one that is read in this process."""
    if is_spark_frame(source):
        return source, WHAT
    if (table := table_on_spark(source, session)) is not None:
        return table, str(source)
    if not is_path(source) or is_small_file(source):
        return None
    found = spark_input(source, "pairs", session, request.columns, "first")
    return None if found.is_checked else (found.frame, found.label)


def _columns_of_data(request: Request, slices: Slices, session: SparkSession, named: dict[str, str]) -> SparkAttributes:
    """The attributes in the columns of the judgements and the runs, each query once."""
    names = slices.base_names()
    data = (request.qrels, *(source for _, source in given_runs(request.run, request.columns)))
    sources = [found for source in data if (found := _source(source, request, session, names, named)) is not None]
    whole = None
    for i, name in enumerate(names):
        selected = []
        for frame in sources_with(name, sources):
            query = id_text(frame, query_column(frame.columns, named, "the data"), "the data")
            selected.append(frame.selectExpr(f"{query} as text", f"{in_backticks(name)} as a{i}"))
        pairs = union(selected).where(f"a{i} is not null").distinct()
        if (repeated := first_repeated_row(pairs, "text")) is not None:
            query = repeated["text"]
            first, second = sorted(row[f"a{i}"] for row in pairs.where(pairs["text"] == query).limit(2).collect())
            raise several_values(query, name, first, second)
        whole = pairs if whole is None else whole.join(pairs, "text", "full")
    return SparkAttributes(whole, tuple(names), DATA_COLUMNS)


def _source(
    source: object, request: Request, session: SparkSession, names: list[str], named: dict[str, str]
) -> tuple[DataFrame, list[str]] | None:
    """A frame with the wanted columns of judgements or a run, and the names of all columns; None without columns."""
    found = _frame_of(source, request, session)
    if found is not None:
        return found[0], found[0].columns
    table = table_of_data(source)
    return None if table is None else (to_spark(table.with_queries(names, named), session), table.frame.columns)
