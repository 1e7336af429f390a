"""Names of tables and views, patterns and addresses in, their rows in this process out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankgold.data.columns import Kind, check_column_names, find_columns
from rankgold.data.inputs import is_path, is_read_here
from rankgold.data.pairs import ids_of
from rankgold.data.rows import Rows
from rankgold.engines.duckdb import statements
from rankgold.engines.duckdb.database import Database, quoted
from rankgold.engines.duckdb.relations import Relation, relation_of, table_named
from rankgold.policy import Policy

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class DuckDBReader:
    """Reads what a database has, or reads by a pattern or an address."""

    database: Database

    def holds(self, source: object) -> bool:
        """Whether the database reads this: a path that is not a plain file may be a table, a pattern, or an address."""
        if not is_path(source) or is_read_here(source):
            return False
        return not os.path.isfile(source) or table_named(self.database, os.fspath(source)) is not None

    def rows(self, source: object, kind: Kind, columns: Mapping[str, str] | None, policy: Policy) -> Rows:
        named = ids_of(columns) if kind == "pairs" else check_column_names(columns)
        repeats = "first" if kind == "pairs" else policy.repeats
        relation = relation_of(self.database, source, kind, named, repeats)
        return relation.checked_rows(used_columns(self.database, relation, kind, named), kind, named)

    def all_columns(self, source: object) -> pl.DataFrame:
        relation = relation_of(self.database, source, "pairs", {}, "first")
        return self.database.frame(f"SELECT * FROM {relation.sql}", relation.label)


def used_columns(database: Database, relation: Relation, kind: Kind, named: dict[str, str]) -> pl.DataFrame:
    """The columns that are read of judgements, pairs or a run.

    Ids that are neither integers nor text become DuckDB's text, as where runs are matched. Lists stay as they are, and
    so do floats and bytes, whose errors show the value.
    """
    columns = find_columns(list(relation.types), kind, named, relation.label, lists=relation.list_columns)
    has_lists = columns.document in relation.list_columns
    selected = {}
    for role, column in columns.present.items():
        expression = statements.plain_column(column, relation.types[column])
        if role in ("query", "document", "subtopic") and not has_lists:
            id_type = id_type_of(database, relation, relation.sql, role, column)
            if relation.types[column] not in statements.UNSURE_IDS:
                expression = statements.id_column(column, relation.types[column], id_type)
        selected[column] = f"{expression} AS {quoted(column)}"
    return database.frame(f"SELECT {', '.join(selected.values())} FROM {relation.sql}", relation.label)


def id_type_of(database: Database, relation: Relation, rows: str, role: str, column: str) -> str:
    """The type in which the ids of a column are compared. `rows` is a table of its rows."""
    column_type = relation.types[column]
    id_type = statements.id_type(column_type, role, relation.label)
    if column_type == "JSON" and database.value(statements.are_json_integers(rows, column), relation.label):
        return "BIGINT"
    return id_type
