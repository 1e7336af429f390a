"""A task with slices and its queries in, the queries of each slice out: attributes are joined and grouped in DuckDB."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.attributes import (
    DATA_COLUMNS,
    WHAT,
    attribute_columns,
    missing_query,
    query_column,
    read_attributes,
    repeated_rows,
    several_values,
    sources_with,
    table_of_data,
)
from rankgold.data.columns import check_column_names
from rankgold.data.inputs import given_runs, is_file, is_path
from rankgold.data.slice_queries import Division, divide, division_of
from rankgold.data.slices import Slices
from rankgold.engines.duckdb import statements
from rankgold.engines.duckdb.database import Database, quoted
from rankgold.engines.duckdb.relations import Relation, is_duckdb_relation, parquet_file, relation_of, table_named
from rankgold.engines.protocol import Task


@dataclass(frozen=True, slots=True)
class _AttributeRows:
    """A temporary table with the query of each row as text under `rankgold_query`, and the attributes."""

    table: str
    names: list[str]
    label: str


_QUERY, _NUMBER = "rankgold_query", "rankgold_number"


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
    relation = _stored_relation(database, slices.table, task)
    if relation is None:
        return None
    names = attribute_columns([*relation.types], _query_of(relation, task), relation.label)
    return _AttributeRows(database.table(_selected(relation, task, names), relation.label), names, relation.label)


def _columns_of_data(database: Database, task: Task, slices: Slices) -> _AttributeRows:
    """The attributes in the columns of the judgements and the runs, each query once."""
    names = slices.base_names()
    data = (task.qrels, *(source for _, source in given_runs(task.run, task.columns)))
    sources = [found for source in data if (found := _source(database, source, task, names)) is not None]
    whole = ""
    for name in names:
        selected = " UNION ALL ".join(_selected(relation, task, [name]) for relation in sources_with(name, sources))
        pairs = database.table(f"SELECT DISTINCT * FROM ({selected}) WHERE {quoted(name)} IS NOT NULL")
        _check_one_value(database, pairs, name)
        whole = database.table(f"SELECT * FROM {whole} FULL JOIN {pairs} USING ({_QUERY})") if whole else pairs
    return _AttributeRows(whole, names, DATA_COLUMNS)


def _source(database: Database, source: Any, task: Task, names: list[str]) -> tuple[Relation, list[str]] | None:
    """A relation with the wanted columns of judgements or a run, and the names of all columns; None without columns."""
    relation = _stored_relation(database, source, task)
    if relation is not None:
        return relation, [*relation.types]
    table = table_of_data(source)
    if table is None:
        return None
    copy = database.copy_of(table.with_queries(names, check_column_names(task.columns)))
    return Relation(copy, database.types(copy), label=DATA_COLUMNS), table.frame.columns


def _stored_relation(database: Database, source: Any, task: Task) -> Relation | None:
    """What the database reads itself, with all of its columns: tables, relations, Parquet and patterns; else None."""
    if is_duckdb_relation(source):
        return replace(relation_of(database, source, "pairs", {}, "first"), label=WHAT)
    if not is_path(source):
        return None
    path, named = os.fspath(source), check_column_names(task.columns)
    if table_named(database, path) is None and is_file(path):
        with open(path, "rb") as file:
            if file.read(4) != b"PAR1":
                return None
        return parquet_file(database, path, named)
    if path == "-" or os.path.exists(path):
        return None
    relation = relation_of(database, source, "pairs", named, "first")
    return None if relation.is_checked else relation


def _query_of(relation: Relation, task: Task) -> str:
    return query_column([*relation.types], check_column_names(task.columns), relation.label)


def _selected(relation: Relation, task: Task, names: Sequence[str]) -> str:
    """The query of each row as text, and these columns."""
    query = _query_of(relation, task)
    statements.id_type(relation.types[query], "query", relation.label)
    ids = statements.id_column(query, relation.types[query], "VARCHAR")
    columns = ", ".join([f"{ids} AS {_QUERY}", *map(quoted, names)])
    return f"SELECT {columns} FROM {relation.sql}"


def _check_once(database: Database, rows: _AttributeRows) -> None:
    """Raises an error for a row without a query, and for a query with several rows."""
    if database.rows(f"SELECT 1 FROM {rows.table} WHERE {_QUERY} IS NULL LIMIT 1"):
        raise missing_query(rows.label)
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
