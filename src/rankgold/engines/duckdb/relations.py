"""What the user passes as a run or as judgements in; a relation out, which DuckDB can select from."""

import glob
import mmap
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rankgold.data.columns import WHAT, Kind, find_columns
from rankgold.data.formats.registry import Head, header_columns, recognise
from rankgold.data.inputs import is_path, is_read_here, read
from rankgold.data.line_lengths import ZSTD, long_line_in
from rankgold.data.paths import is_utf8, stem_and_ending
from rankgold.engines.duckdb.database import Database, literal, quoted
from rankgold.errors import DataError, nearest

# DuckDB's own limits for a line of text, and for the part of a file that it reads at once.
_LONGEST_ROW, _BUFFER = 2_000_000, 32_000_000

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
    # An existing file is that file, even if its name could be a pattern. DuckDB takes a ~ in front for a home folder.
    pattern = literal(glob.escape(os.path.abspath(path)) if is_file else path)
    head = Head(kind, named, ending, lambda: _first_line(database, pattern, path))
    try:
        format_ = recognise(head)
        if format_.duckdb is not None and not (format_.is_one_object and is_file):
            if not format_.magic:
                _check_lines([path] if is_file else glob.glob(path))
            sql = format_.duckdb(pattern, head)
            types = database.types(sql, path)
            if is_file and _has_lists_in_json(database, sql, types):
                return local_copy(database, path, kind, named, repeats)
            # DuckDB takes another line for the header, if too long lines come after it.
            is_right = not format_.is_delimited or list(types) == header_columns(head.first_line, named)
            if is_right or not is_file:
                return Relation(sql, types, path, name, is_text=not format_.magic, is_trec=format_.is_trec)
    except DataError:
        if not is_file:
            raise
    return local_copy(database, path, kind, named, repeats)


def _has_lists_in_json(database: Database, sql: str, types: Mapping[str, str]) -> bool:
    """Whether a column of JSON holds lists, which DuckDB leaves as they are written."""
    conditions = [f"bool_or(json_type({quoted(name)}) = 'ARRAY')" for name, kind in types.items() if kind == "JSON"]
    return bool(conditions) and any(database.rows(f"SELECT {', '.join(conditions)} FROM (FROM {sql} LIMIT 100)")[0])


def _check_lines(paths: list[str]) -> None:
    """Raises an error on a line that is too long for DuckDB: one that does not fit into its buffer may be left out."""
    for path in paths:
        if not os.path.isfile(path) or not os.path.getsize(path):
            continue
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            line = None if content[:4] == ZSTD else long_line_in(content, _LONGEST_ROW, _BUFFER)
        if line is not None:
            raise DataError(
                f"this line is longer than {_LONGEST_ROW // 10**6} MB, the most that DuckDB reads. Check the file,"
                " or pass its own name instead of a pattern.",
                f"{path}:{line}",
            )


def _first_line(database: Database, pattern: str, path: str) -> str:
    """The first line of a text file, compressed or not."""
    options = "header = false, auto_detect = false, quote = '', escape = ''"
    lines = f"read_csv({pattern}, delim = '\x01', columns = {{'line': 'VARCHAR'}}, {options})"
    first = database.rows(f"SELECT line FROM {lines} LIMIT 1", place=path)
    return str(first[0][0]) if first else ""


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
