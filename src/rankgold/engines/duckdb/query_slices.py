"""A request with slices in, the attributes of its queries out: a few values for each query come from DuckDB."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace

import polars as pl

from rankgold.data.attributes import (
    WHAT,
    QueryAttributes,
    WholeTable,
    attribute_columns,
    attributes_of_table,
    columns_of_data,
    query_column,
    read_attributes,
    table_of_data,
)
from rankgold.data.columns import check_column_names
from rankgold.data.inputs import given_runs, is_file, is_path
from rankgold.data.slices import Slices
from rankgold.engines.duckdb import statements
from rankgold.engines.duckdb.database import Database, quoted
from rankgold.engines.duckdb.relations import Relation, is_duckdb_relation, parquet_file, relation_of, table_named
from rankgold.engines.request import Request


def attributes_of_queries(database: Database, request: Request, slices: Slices) -> QueryAttributes:
    """The attributes in a table of their own, or in the columns of the judgements and the runs."""
    named = check_column_names(request.columns)
    if slices.table is None:
        data = (request.qrels, *(source for _, source in given_runs(request.run, request.columns)))
        return columns_of_data(slices, [_table(database, source, slices, named) for source in data], named)
    relation = _stored_relation(database, slices.table, named)
    if relation is None:
        return read_attributes(slices, request.columns)
    names = attribute_columns([*relation.types], _query_of(relation, named), relation.label)
    wanted = dict.fromkeys(name for columns in slices.crossed(names, relation.label) for name in columns)
    columns = [f"{expression} AS {quoted(name)}" for name, expression in _expressions(relation, named, wanted).items()]
    frame = database.frame(f"SELECT {', '.join(columns)} FROM {relation.sql}", relation.label)
    return attributes_of_table(WholeTable(frame), named, relation.label)


def _table(database: Database, source: object, slices: Slices, named: Mapping[str, str]) -> WholeTable | None:
    """Judgements or a run with their attributes; None if they have no columns."""
    relation = _stored_relation(database, source, named)
    if relation is None:
        return table_of_data(source)
    names = [name for name in slices.base_names() if name in relation.types]
    if not names:  # and the others may be of types that Polars does not read
        return WholeTable(pl.DataFrame(), names=tuple(relation.types))
    query = _query_of(relation, named)
    select = lowest_and_highest(relation.sql, query, _expressions(relation, named, names))
    return WholeTable(database.frame(select, relation.label), names=tuple(relation.types))


def lowest_and_highest(rows: str, query: str, expressions: Mapping[str, str]) -> str:
    """The statement that finds the values of each query. It has two rows, which are the same for one value.

    An attribute has one value for a query, and several are an error: so two of many values are enough.
    """
    values = [
        f"unnest([min({value}), max({value})]) AS {quoted(name)}"
        for name, value in expressions.items()
        if name != query
    ]
    return f"SELECT {', '.join([f'{expressions[query]} AS {quoted(query)}', *values])} FROM {rows} GROUP BY 1"


def _expressions(relation: Relation, named: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Column -> expression: of the queries, as text, and of these columns."""
    query = _query_of(relation, named)
    statements.id_type(relation.types[query], "query", relation.label)
    # Polars reads no intervals of DuckDB: these are numbers of seconds.
    values = {name: f"epoch({quoted(name)})" if relation.types[name] == "INTERVAL" else quoted(name) for name in names}
    return values | {query: statements.id_column(query, relation.types[query], "VARCHAR")}


def _query_of(relation: Relation, named: Mapping[str, str]) -> str:
    return query_column([*relation.types], named, relation.label)


def _stored_relation(database: Database, source: object, named: Mapping[str, str]) -> Relation | None:
    """What the database reads itself, with all columns: tables, relations, Parquet and patterns; else None."""
    if is_duckdb_relation(source):
        return replace(relation_of(database, source, "pairs", {}, "first"), label=WHAT)
    if not is_path(source):
        return None
    path = os.fspath(source)
    if table_named(database, path) is None and is_file(path):
        with open(path, "rb") as file:
            if file.read(4) != b"PAR1":
                return None
        return parquet_file(database, path, named)
    if path == "-" or os.path.exists(path):
        return None
    relation = relation_of(database, source, "pairs", named, "first")
    return None if relation.is_checked else relation
