"""A task with slices in; its attributes on Spark, and the code of the slice of each query, out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import polars as pl

from rankgold.data.attributes import (
    QueryAttributes,
    no_such_column,
    query_column,
    read_attributes,
    repeated_rows,
    several_values,
    table_of_data,
)
from rankgold.data.columns import check_column_names
from rankgold.data.inputs import is_path
from rankgold.data.slice_queries import Division, SliceScheme, divide, left_out, notes_on_others, notes_without
from rankgold.data.slice_values import AttributeSlices
from rankgold.data.slices import Slices
from rankgold.engines.protocol import Task
from rankgold.engines.spark.inputs import is_small_file, runs_on_spark, spark_input, table_on_spark
from rankgold.engines.spark.list_rows import in_backticks
from rankgold.engines.spark.rows import id_text
from rankgold.engines.spark.session import is_spark_frame
from rankgold.errors import DataError

FIRST_ATTRIBUTE = -3
"""What `run` is in a row with the code of a query's slice under the first attribute; -4 is the second, and so on."""

_NO_VALUES = ("array", "map", "struct", "binary", "variant")
"""Types whose values cannot be compared."""


@dataclass(frozen=True)
class SparkAttributes:
    """The attributes of queries on Spark: a frame with the query as text, and a column for each attribute."""

    frame: Any
    """The columns are `text`, and a0, a1 and so on."""
    names: tuple[str, ...]
    label: str

    @classmethod
    def of(cls, task: Task, slices: Slices, session: Any) -> SparkAttributes:
        named = check_column_names(task.columns)
        if slices.table is None:
            return _columns_of_data(task, slices, session, named)
        found = _frame_of(slices.table, task, session)
        if found is None:
            attributes = read_attributes(slices, task.columns)
            known_types = {name: values for name, values in attributes.values.items() if values.dtype != pl.Object}
            values = {f"a{i}": column for i, column in enumerate(known_types.values())}
            sent = _sent(session, pl.DataFrame({"text": attributes.queries, **values}))
            return cls(sent, tuple(known_types), attributes.label)
        frame, label = found
        query = query_column(frame.columns, named, label)
        names = tuple(name for name in frame.columns if name != query)
        if not names:
            raise DataError("there is no column besides the queries. Add one for each attribute.", label)
        columns = [f"{in_backticks(name)} as a{i}" for i, name in enumerate(names)]
        known = cls(frame.selectExpr(f"{id_text(frame, query, label)} as text", *columns), names, label)
        known.check_once()
        return known

    def check_once(self) -> None:
        """Raises an error for a row without a query, and for a query with several rows."""
        if self.frame.where("text is null").limit(1).collect():
            raise DataError("the query is missing, or is not an id. Give every row one, or remove the row.", self.label)
        repeated = self.frame.groupBy("text").count().where("`count` > 1").orderBy("text").limit(1).collect()
        if repeated:
            raise repeated_rows(repeated[0]["text"], repeated[0]["count"], self.label)

    def division(self, queries: Sequence[Any], slices: Slices, session: Any, of_all: bool) -> Division:
        """The slices of these queries, whose attributes come to this process."""
        texts = _sent(session, pl.DataFrame({"text": pl.Series(list(map(str, queries)), dtype=pl.String)}))
        found = pl.DataFrame(self.frame.join(texts, "text", "left_semi").toArrow())
        divided = divide(QueryAttributes(found["text"], self._by_name(found), self.label), queries, slices)
        others = self.frame.join(texts, "text", "left_anti").select("text")
        notes = notes_on_others(*_some_texts(others)) if of_all else []
        return replace(divided, notes=(*divided.notes, *notes))

    def _by_name(self, found: pl.DataFrame) -> dict[str, pl.Series]:
        return {name: found[f"a{i}"] for i, name in enumerate(self.names)}


@dataclass(frozen=True)
class SparkSlices:
    """The slices of the judged queries, found on Spark."""

    scheme: SliceScheme
    rows: Any
    """A frame of query, value (the code of a slice) and run (the number of an attribute, as in FIRST_ATTRIBUTE)."""
    notes: tuple[str, ...]

    @classmethod
    def of(cls, attributes: SparkAttributes, slices: Slices, judged: Any, session: Any, of_all: bool) -> SparkSlices:
        """`judged` is a frame of the judged queries, each once, with their text: query, text."""
        matched = judged.join(attributes.frame, "text")
        label = attributes.label
        wanted = {name for columns in slices.crossed(attributes.names, label) for name in columns}
        found: list[AttributeSlices] = []
        rows: list[Any] = []
        notes: list[str] = []
        types = dict(attributes.frame.dtypes)
        for i, name in enumerate(attributes.names):
            if name not in wanted:
                continue
            if types[f"a{i}"].startswith(_NO_VALUES):
                notes.append(f"{name} is not an attribute: it is of type {types[f'a{i}']}")
                continue
            groups = matched.groupBy(f"a{i}").count().withColumnRenamed(f"a{i}", "known").toArrow()
            values = pl.DataFrame(groups)
            if (reason := left_out(name, values["known"], slices)) is not None:
                notes.append(reason)
                continue
            of_name = AttributeSlices.of(name, values["known"], values["count"].to_numpy(), slices.bins)
            rows.append(_coded_rows(session, matched, i, groups, of_name, FIRST_ATTRIBUTE - len(found)))
            found.append(of_name)
        if not found:
            raise DataError(f"there is no attribute by which to divide the queries: {'; '.join(notes)}.", label)
        scheme = SliceScheme.of(found, slices, label)
        notes += _notes(attributes, judged, of_all)
        return cls(scheme, reduce(lambda union, frame: union.unionByName(frame), rows), tuple(notes))


def _coded_rows(session: Any, matched: Any, i: int, groups: Any, slices: AttributeSlices, number: int) -> Any:
    """The code of each query: a join with the codes of the values."""
    import pyarrow as pa

    codes = slices.codes(pl.DataFrame(groups)["known"]).astype(float)
    table = groups.drop_columns(["count"]).append_column("code", pa.array(codes))
    known = session.createDataFrame(table)
    joined = matched.join(known, matched[f"a{i}"].eqNullSafe(known["known"]))
    return joined.selectExpr("query", "code as value", f"{number} as run")


def _notes(attributes: SparkAttributes, judged: Any, of_all: bool) -> list[str]:
    without = judged.join(attributes.frame, "text", "left_anti")
    count, some = _some_texts(without)
    notes = notes_without(judged.count() if count else 1, count, some, attributes.label)
    others = attributes.frame.join(judged, "text", "left_anti")
    return notes + (notes_on_others(*_some_texts(others)) if of_all else [])


def _some_texts(frame: Any) -> tuple[int, list[str]]:
    """The number of queries, and the first three of them."""
    count = frame.count()
    return count, [row.text for row in frame.orderBy("text").limit(3).collect()] if count else []


def _frame_of(source: Any, task: Task, session: Any) -> tuple[Any, str] | None:
    """A table that is on Spark, or that Spark reads; None for one that is read in this process."""
    if is_spark_frame(source):
        return source, "the attributes"
    if (table := table_on_spark(source, session)) is not None:
        return table, str(source)
    if not is_path(source) or is_small_file(source):
        return None
    found = spark_input(source, "pairs", session, task.columns, "first")
    return None if found.is_checked else (found.frame, found.label)


def _columns_of_data(task: Task, slices: Slices, session: Any, named: dict[str, str]) -> SparkAttributes:
    """The attributes in the columns of the judgements and the runs, each query once."""
    sources = [task.qrels, *(source for _, source in runs_on_spark(task.run, task.columns))]
    frames = [frame for source in sources if (frame := _source_frame(source, task, session, named)) is not None]
    names = slices.base_names()
    whole = None
    for i, name in enumerate(names):
        found = [frame for frame in frames if name in frame.columns]
        if not found:
            raise no_such_column(name, [column for frame in frames for column in frame.columns])
        pairs = [
            frame.selectExpr(
                f"{id_text(frame, query_column(frame.columns, named, 'the data'), 'the data')} as text",
                f"{in_backticks(name)} as a{i}",
            )
            for frame in found
        ]
        distinct = reduce(lambda union, more: union.unionByName(more), pairs).where(f"a{i} is not null").distinct()
        _check_one_value(distinct, i, name)
        whole = distinct if whole is None else whole.join(distinct, "text", "full")
    return SparkAttributes(whole, tuple(names), "the columns of the data")


def _source_frame(source: Any, task: Task, session: Any, named: dict[str, str]) -> Any:
    found = _frame_of(source, task, session)
    if found is not None:
        return found[0]
    table = table_of_data(source)
    if table is None:
        return None
    query = query_column(table.frame.columns, named, "the data")
    return _sent(
        session,
        pl.DataFrame(
            {name: table.frame[name] if name == query else table.column(name) for name in table.frame.columns}
        ),
    )


def _check_one_value(pairs: Any, i: int, name: str) -> None:
    several = pairs.groupBy("text").count().where("`count` > 1").orderBy("text").limit(1).collect()
    if several:
        query = several[0]["text"]
        first, second = sorted(row[f"a{i}"] for row in pairs.where(pairs["text"] == query).limit(2).collect())
        raise several_values(query, name, first, second)


def _sent(session: Any, frame: pl.DataFrame) -> Any:
    return session.createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest()))
