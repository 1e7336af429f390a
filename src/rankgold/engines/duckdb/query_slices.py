"""A task with slices and its queries in, the queries of each slice out: attributes are joined and grouped in DuckDB."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.attributes import (
    WHAT,
    no_such_column,
    query_column,
    read_attributes,
    repeated_rows,
    several_values,
    table_of_data,
)
from rankgold.data.columns import check_column_names
from rankgold.data.inputs import given_runs, is_file, is_path
from rankgold.data.slice_queries import Division, divide, division_of
from rankgold.data.slices import Slices
from rankgold.engines.duckdb import statements
from rankgold.engines.duckdb.database import Database, quoted
from rankgold.engines.duckdb.relations import Relation, parquet_file, relation, table_named
from rankgold.engines.protocol import Task
from rankgold.errors import DataError


@dataclass(frozen=True, slots=True)
class _AttributeRows:
    """A temporary table with the query of each row as text under `rankgold_query`, and the attributes."""

    table: str
    names: list[str]
    label: str


_QUERY, _NUMBER = "rankgold_query", "rankgold_number"
_DATA = "the columns of the data"


def divided(database: Database, task: Task, slices: Slices, queries: Sequence[Any]) -> Division:
    """The slices of queries. What comes back is a row for each value of an attribute, with its queries."""
    texts = list(map(str, queries))
    rows = _attribute_rows(database, task, slices)
    if rows is None:
        return divide(read_attributes(slices, task.columns), queries, slices, of_all=task.topics is None)
    _check_once(database, rows)
    names = [name for columns in slices.crossed(rows.names, rows.label) for name in columns]
    judged = database.copy_of(pl.DataFrame({_QUERY: pl.Series(texts, dtype=pl.String), _NUMBER: np.arange(len(texts))}))
    found = database.table(f"SELECT * FROM {judged} JOIN {rows.table} USING ({_QUERY})")
    types = database.types(found)
    groups = {name: database.frame(grouped_values(found, name, types[name])) for name in dict.fromkeys(names)}
    known = np.zeros(len(texts), dtype=bool)
    known[database.arrays(f"SELECT {_NUMBER} FROM {found}")[_NUMBER]] = True
    unknown: list[str] = []
    if task.topics is None:
        others = f"SELECT {_QUERY} FROM {rows.table} ANTI JOIN {judged} USING ({_QUERY}) ORDER BY 1"
        unknown = [query for (query,) in database.rows(others)]
    return division_of(groups, texts, slices, rows.label, known, unknown)


def grouped_values(rows: str, name: str, kind: str = "") -> str:
    """The statement that finds the queries of each value of an attribute."""
    # Polars reads no intervals of DuckDB: these are numbers of seconds.
    value = f"epoch({quoted(name)})" if kind == "INTERVAL" else quoted(name)
    return f"SELECT {value} AS value, list({_NUMBER}) AS queries FROM {rows} GROUP BY {value}"


def _attribute_rows(database: Database, task: Task, slices: Slices) -> _AttributeRows | None:
    """The attributes in the database; None for a table that it does not read."""
    if slices.table is None:
        return _columns_of_data(database, task, slices)
    at = _relation_of(database, slices.table, task)
    if at is None:
        return None
    return _AttributeRows(database.table(_selected(at, task, [*at.types]), at.label), _others(at, task), at.label)


def _columns_of_data(database: Database, task: Task, slices: Slices) -> _AttributeRows:
    """The attributes in the columns of the judgements and the runs, each query once."""
    names = slices.base_names()
    sources, columns = [], []
    for source in (task.qrels, *(source for _, source in given_runs(task.run, task.columns))):
        at, found = _source(database, source, task, names)
        columns += found
        sources += [] if at is None else [at]
    parts = {name: [_selected(at, task, [name]) for at in sources if name in at.types] for name in names}
    for name, found in parts.items():
        if not found:
            raise no_such_column(name, columns)
    queries = " UNION ".join(_selected(at, task, []) for at in sources if {*at.types} & {*names})
    table = database.table(queries)
    for name, found in parts.items():
        pairs = database.table(f"SELECT * FROM ({' UNION '.join(found)}) WHERE {quoted(name)} IS NOT NULL")
        _check_one_value(database, pairs, name)
        table = database.table(f"SELECT * FROM {table} LEFT JOIN {pairs} USING ({_QUERY})")
    return _AttributeRows(table, names, _DATA)


def _source(database: Database, source: Any, task: Task, names: list[str]) -> tuple[Relation | None, list[str]]:
    """Judgements or a run as far as they have columns: a relation with those that are wanted, and the names of all."""
    at = _relation_of(database, source, task)
    if at is not None:
        return at, [*at.types]
    table = table_of_data(source)
    if table is None:
        return None, []
    query = query_column(table.frame.columns, check_column_names(task.columns), _DATA)
    kept = {name: table.column(name) for name in names if name in table.frame.columns and name != query}
    copy = database.copy_of(pl.DataFrame({query: table.frame[query], **kept}))
    return Relation(copy, database.types(copy), _DATA), table.frame.columns


def _relation_of(database: Database, source: Any, task: Task) -> Relation | None:
    """What the database reads itself, with all of its columns: tables, relations, Parquet and patterns; else None."""
    if type(source).__name__ == "DuckDBPyRelation":
        return replace(relation(database, source, "pairs", {}, "first"), label=WHAT)
    if not is_path(source):
        return None
    path = os.fspath(source)
    if table_named(database, path) is None and is_file(path):
        with open(path, "rb") as file:
            if file.read(4) != b"PAR1":
                return None
        return parquet_file(database, path, check_column_names(task.columns))
    if path == "-" or os.path.exists(path):
        return None
    at = relation(database, source, "pairs", check_column_names(task.columns), "first")
    return None if at.is_checked else at


def _query_of(at: Relation, task: Task) -> str:
    return query_column([*at.types], check_column_names(task.columns), at.label)


def _others(at: Relation, task: Task) -> list[str]:
    query = _query_of(at, task)
    names = [name for name in at.types if name != query]
    if not names:
        raise DataError("there is no column besides the queries. Add one for each attribute.", at.label)
    return names


def _selected(at: Relation, task: Task, names: Sequence[str]) -> str:
    """The query of each row as text, and these columns, each row once."""
    query = _query_of(at, task)
    statements.id_type(at.types[query], "query", at.label)
    ids = statements.id_column(query, at.types[query], "VARCHAR")
    columns = [quoted(name) for name in names if name != query]
    distinct = "" if len(names) > 1 else "DISTINCT "
    return f"SELECT {distinct}{', '.join([f'{ids} AS {_QUERY}', *columns])} FROM {at.sql}"


def _check_once(database: Database, rows: _AttributeRows) -> None:
    """Raises an error for a row without a query, and for a query with several rows."""
    if database.rows(f"SELECT 1 FROM {rows.table} WHERE {_QUERY} IS NULL LIMIT 1"):
        raise DataError("the query is missing, or is not an id. Give every row one, or remove the row.", rows.label)
    repeated = database.rows(
        f"SELECT {_QUERY}, count(*) FROM {rows.table} GROUP BY {_QUERY} HAVING count(*) > 1 ORDER BY 1 LIMIT 1"
    )
    if repeated:
        query, count = repeated[0]
        raise repeated_rows(query, count, rows.label)


def _check_one_value(database: Database, pairs: str, name: str) -> None:
    several = database.rows(
        f"SELECT {_QUERY}, list({quoted(name)} ORDER BY {quoted(name)}) FROM {pairs} GROUP BY {_QUERY}"
        " HAVING count(*) > 1 ORDER BY 1 LIMIT 1"
    )
    if several:
        query, (first, second, *_) = several[0]
        raise several_values(query, name, first, second)
