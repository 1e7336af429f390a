"""What the user passes as a run or as judgements in; a relation out, which DuckDB can select from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeGuard

from rankgold.data.columns import WHAT, Kind, check_unique, find_columns
from rankgold.data.formats.registry import Format, Head, header_columns, recognise
from rankgold.data.inputs import is_path, is_read_here, read
from rankgold.data.paths import is_utf8, stem_and_ending
from rankgold.engines.duckdb.database import Database, quoted
from rankgold.engines.duckdb.stored_files import (
    arguments_of,
    check_case,
    check_quotes,
    check_text,
    first_line,
    paths_of,
    with_folders,
    without_blank_lines,
)
from rankgold.engines.engine_input import EngineInput
from rankgold.errors import DataError, nearest

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

_DATABASES = (".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3")


@dataclass(frozen=True, slots=True)
class Relation(EngineInput):
    """A table, view, file or frame that may follow FROM in a statement, and what is known about it."""

    sql: str
    types: Mapping[str, str]
    """Column -> type."""
    is_text: bool = False
    """Whether it is text, which is slow to read, and therefore read only once."""

    @property
    def list_columns(self) -> list[str]:
        """The columns that hold a list in each row."""
        return [column for column, kind in self.types.items() if kind.endswith("]")]


def relation_of(database: Database, source: object, kind: Kind, named: Mapping[str, str], repeats: str) -> Relation:
    """A table or view of the database, a file or several by a pattern, or something in Python."""
    if is_path(source):
        path = os.fspath(source)
        table = table_named(database, path)
        if table is not None:
            sql = ".".join(map(quoted, table))
            return Relation(sql, database.types(sql, path), label=path, name=table[-1])
        if not is_read_here(path):
            return _relation_of_path(database, path, kind, named, repeats)
    elif is_duckdb_relation(source):
        view = _view_of_relation(database, source)
        return Relation(view, database.types(view), label=WHAT[kind])
    return local_copy(database, source, kind, named, repeats)


def is_duckdb_relation(source: object) -> TypeGuard[DuckDBPyRelation]:
    """Whether this is a relation of DuckDB in Python. Its type is compared by name: DuckDB need not be installed."""
    return type(source).__name__ == "DuckDBPyRelation"


def table_named(database: Database, name: str) -> tuple[str, str, str] | None:
    """Database, schema and name of a table or view. Its name may be written with its schema and database in front.

    The name is looked up among the existing ones, without regard to case, as DuckDB does: nothing that a user writes
    becomes SQL.
    """
    if not is_utf8(name):
        return None
    whole = "table_catalog || '.' || table_schema || '.' || table_name"
    found = database.rows(
        "SELECT table_catalog, table_schema, table_name FROM information_schema.tables WHERE lower($1) IN"
        " (lower(table_name), lower(table_schema || '.' || table_name), lower(table_catalog || '.' || table_name),"
        f" lower({whole})) ORDER BY ends_with({whole}, $1) DESC, table_catalog = 'temp' DESC,"
        " table_catalog = current_database() DESC, table_schema = current_schema() DESC, 1, 2, 3",
        [name],
    )
    return (found[0][0], found[0][1], found[0][2]) if found else None


def _relation_of_path(database: Database, path: str, kind: Kind, named: Mapping[str, str], repeats: str) -> Relation:
    """A file, or several by a pattern."""
    if os.path.isdir(path):
        raise DataError("this is a directory. Name a file in it, or a pattern such as FOLDER/*.parquet.", path)
    if not ("://" in path or paths_of(path)):
        names = [name for (name,) in database.rows("SELECT table_name FROM information_schema.tables")]
        raise DataError(f"there is neither such a table nor such a file.{nearest(path, names)}", path)
    name, ending = stem_and_ending(path)
    if ending in _DATABASES:
        raise DataError(
            "this is a database. Pass a connection to it as engine= (--database at the shell) and name a table.", path
        )
    is_file = os.path.isfile(path)
    head = Head(kind, named, ending, lambda: first_line(database, path))
    try:
        format_ = recognise(head)
        if format_.duckdb is not None and not (format_.is_one_object and is_file):
            relation = _relation_of_files(database, path, head, format_)
            if not (is_file and _is_local(database, relation, format_, head)):
                return replace(relation, name=name)
        elif not is_file:
            raise DataError(f"DuckDB reads {format_.name} only from a single file. Join or convert the files.", path)
    except DataError:
        if not is_file:
            raise
    return local_copy(database, path, kind, named, repeats)


def _relation_of_files(database: Database, path: str, head: Head, format_: Format) -> Relation:
    """Files as DuckDB reads them; an error, if it would not read what is in them."""
    if not format_.magic:
        check_text(path)
    if format_.is_delimited:
        check_unique(header_columns(head.first_line, head.named), head.named, path)
        check_quotes(database, path)

    def read(more: str) -> str:
        files = arguments_of(path, by_name=not format_.is_trec) + more
        return format_.duckdb(files, head) if format_.duckdb is not None else ""

    sql = read("")
    types = database.types(sql, path)
    if not format_.is_delimited:
        check_case(database, path, types, head.named)
    if not os.path.isfile(path):
        sql = with_folders(database, path, types, read)
    if format_.is_delimited:
        sql = without_blank_lines(sql, types)
    types = database.types(sql, path)
    return Relation(sql, types, is_text=not format_.magic, label=path, is_trec=format_.is_trec)


def _is_local(database: Database, relation: Relation, format_: Format, head: Head) -> bool:
    """Whether only this process reads a file as it is meant."""
    if format_.is_delimited:
        # DuckDB takes another line for the header, if too long lines come after it.
        return list(relation.types) != header_columns(head.first_line, head.named)
    if format_.magic or format_.is_trec:
        return False
    # A column of JSON may hold lists, which DuckDB leaves as they are written.
    find_columns(list(relation.types), head.kind, head.named, relation.label)
    return _has_lists_in_json(database, relation)


def parquet_file(database: Database, path: str, named: Mapping[str, str]) -> Relation:
    """A Parquet file with all of its columns."""
    sql = f"read_parquet({arguments_of(path, by_name=True)})"
    types = database.types(sql, path)
    check_case(database, path, types, named)
    return Relation(sql, types, label=path)


def _has_lists_in_json(database: Database, relation: Relation) -> bool:
    columns = [quoted(name) for name, kind in relation.types.items() if kind == "JSON"]
    has_list = " OR ".join(f"bool_or(json_type({column}) = 'ARRAY')" for column in columns)
    return bool(columns) and bool(database.value(f"SELECT {has_list} FROM (FROM {relation.sql} LIMIT 100)"))


def _view_of_relation(database: Database, source: DuckDBPyRelation) -> str:
    """A view of a relation of DuckDB's; a copy, where it belongs to another connection."""
    try:
        view = database.view_of(source)
        database.types(view)
        return view
    except DataError:
        return database.copy_of(source)


def local_copy(database: Database, source: object, kind: Kind, named: Mapping[str, str], repeats: str) -> Relation:
    """A temporary table of what DuckDB cannot read: it is read as the local engine reads it, and copied."""
    rows = read(source, kind, named, repeats)
    table = rows.table()
    copy = database.copy_of(table.frame)
    return Relation(
        copy,
        database.types(copy),
        label=WHAT[kind],
        name=table.name,
        remarks=table.remarks,
        is_checked=True,
        empty_queries=rows.empty_queries(),
    )
