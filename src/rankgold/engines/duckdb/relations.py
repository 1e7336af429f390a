"""What the user passes as a run or as judgements in; a relation out, which DuckDB can select from."""

import glob
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

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
    with_folders,
    without_blank_lines,
)
from rankgold.errors import DataError, nearest

_DATABASES = (".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3")


@dataclass(frozen=True, slots=True)
class Relation:
    """A table, view, file or frame that may follow FROM in a statement, and what is known about it."""

    sql: str
    types: Mapping[str, str]
    label: str
    """What errors call it."""
    name: str = "run"
    """The name of the run, where no column of runs names it."""
    is_text: bool = False
    """Whether it is text, which is slow to read, and therefore read only once."""
    is_trec: bool = False
    remarks: tuple[str, ...] = ()
    is_checked: bool = False
    """Whether the columns have the names of their roles, because this process has read and checked the rows."""
    empty_queries: Mapping[str, list[Any]] = field(default_factory=dict)
    """Run -> the queries that it ranks with nothing, which have no rows."""

    @property
    def list_columns(self) -> list[str]:
        """The columns that hold a list in each row."""
        return [column for column, kind in self.types.items() if kind.endswith("]")]


def with_rows_of_lists(database: Database, at: Relation, named: Mapping[str, str]) -> Relation:
    """A run with a row for each document. One that has them in lists is read as the local engine reads it."""
    lists = at.list_columns
    if not lists:
        return at
    columns = find_columns(list(at.types), "run", named, at.label, lists=lists)
    if columns.document not in lists:
        return at
    used = ", ".join(quoted(name) for name in columns.roles.values() if name is not None)
    copied = local_copy(database, database.frame(f"SELECT {used} FROM {at.sql}", at.label), "run", named, "error")
    nothing = copied.empty_queries if columns.run is not None else {at.name: copied.empty_queries.get("run", [])}
    return replace(copied, label=at.label, name=at.name, empty_queries=nothing)


def relation(database: Database, source: Any, kind: Kind, named: Mapping[str, str], repeats: str) -> Relation:
    """A table or view of the database, a file or several by a pattern, or something in Python."""
    if is_path(source):
        path = os.fspath(source)
        table = table_named(database, path)
        if table is not None:
            at = ".".join(map(quoted, table))
            return Relation(at, database.types(at, path), path, table[-1])
        return (
            local_copy(database, path, kind, named, repeats)
            if is_read_here(path)
            else _file(database, path, kind, named, repeats)
        )
    if type(source).__name__ != "DuckDBPyRelation":
        return local_copy(database, source, kind, named, repeats)
    view = _view_of_relation(database, source)
    return Relation(view, database.types(view), WHAT[kind])


def table_named(database: Database, name: str) -> tuple[str, str, str] | None:
    """Database, schema and name of a table or view. Its name may be written with its schema and database in front.

    The name is looked up among the existing ones, without regard to case, as DuckDB does: nothing that a user writes
    becomes SQL.
    """
    if not is_utf8(name):
        return None
    whole = "table_catalog || '.' || table_schema || '.' || table_name"
    known = database.rows(
        "SELECT table_catalog, table_schema, table_name FROM information_schema.tables WHERE lower($1) IN"
        " (lower(table_name), lower(table_schema || '.' || table_name), lower(table_catalog || '.' || table_name),"
        f" lower({whole})) ORDER BY ends_with({whole}, $1) DESC, table_catalog = 'temp' DESC,"
        " table_catalog = current_database() DESC, table_schema = current_schema() DESC, 1, 2, 3",
        [name],
    )
    return (known[0][0], known[0][1], known[0][2]) if known else None


def _file(database: Database, path: str, kind: Kind, named: Mapping[str, str], repeats: str) -> Relation:
    if os.path.isdir(path):
        raise DataError("this is a directory. Name a file in it, or a pattern such as FOLDER/*.parquet.", path)
    if not (os.path.isfile(path) or "://" in path or glob.glob(path)):
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
            at = _relation_of_files(database, path, head, format_)
            if not (is_file and _is_local(database, at, format_, head)):
                return replace(at, name=name)
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
    return Relation(sql, types, path, is_text=not format_.magic, is_trec=format_.is_trec)


def _is_local(database: Database, at: Relation, format_: Format, head: Head) -> bool:
    """Whether only this process reads a file as it is meant."""
    if format_.is_delimited:
        # DuckDB takes another line for the header, if too long lines come after it.
        return list(at.types) != header_columns(head.first_line, head.named)
    if format_.magic or format_.is_trec:
        return False
    # A column of JSON may hold lists, which DuckDB leaves as they are written.
    find_columns(list(at.types), head.kind, head.named, at.label)
    return _has_lists_in_json(database, at)


def parquet_file(database: Database, path: str, named: Mapping[str, str]) -> Relation:
    """A Parquet file with all of its columns."""
    sql = f"read_parquet({arguments_of(path, by_name=True)})"
    types = database.types(sql, path)
    check_case(database, path, types, named)
    return Relation(sql, types, path)


def _has_lists_in_json(database: Database, at: Relation) -> bool:
    conditions = [f"bool_or(json_type({quoted(name)}) = 'ARRAY')" for name, kind in at.types.items() if kind == "JSON"]
    return bool(conditions) and any(database.rows(f"SELECT {', '.join(conditions)} FROM (FROM {at.sql} LIMIT 100)")[0])


def _view_of_relation(database: Database, source: Any) -> str:
    """A view of a relation of DuckDB's; a copy, where it belongs to another connection."""
    try:
        view = database.view_of(source)
        database.types(view)
        return view
    except DataError:
        return database.copy_of(source)


def local_copy(database: Database, source: Any, kind: Kind, named: Mapping[str, str], repeats: str) -> Relation:
    """A temporary table of what DuckDB cannot read: it is read as the local engine reads it, and copied."""
    rows = read(source, kind, named, repeats)
    table = rows.table()
    at = database.copy_of(table.frame)
    return Relation(
        at,
        database.types(at),
        WHAT[kind],
        table.name,
        remarks=table.remarks,
        is_checked=True,
        empty_queries=rows.empty_queries(),
    )
