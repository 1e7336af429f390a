"""Turns paths, tables and frames into relations, leaving DuckDB nothing to guess."""

from __future__ import annotations

import glob
import mmap
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeGuard

from rankgold.core.errors import DataError, nearest
from rankgold.data.columns import WHAT, Kind, check_unique, find_columns, names_of_roles, normal_name
from rankgold.data.formats.registry import READABLE, Format, Head, header_columns, recognise
from rankgold.data.input_file import GZIP, ZSTD, long_line_in
from rankgold.data.inputs import NO_VALUE, folder_names, is_path, is_read_here, is_utf8, read, stem_and_ending
from rankgold.engines.duckdb.database import Database, literal, quoted
from rankgold.engines.fetched_frames import EngineInput

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


# DuckDB's own limits for a line of text, and for the part of a file that it reads at once.
_LONGEST_ROW, _BUFFER = 2_000_000, 32_000_000

_FILE = "rankgold_file"
# The first space is beside a quote that opens a field, the second beside one that closes it.
_LOOSE_QUOTE = r'(^|[,;\t]) +"|" +([,;\t]|\r?$)'


def pattern_of(path: str) -> str:
    """A path as a literal. An existing file is that file, even if its name could be a pattern.

    DuckDB takes a ~ in front for a home folder.
    """
    return literal(glob.escape(os.path.abspath(path)) if os.path.isfile(path) else path)


def arguments_of(path: str, *, by_name: bool) -> str:
    """The first arguments of a function that reads files: names of folders are not columns.

    With `by_name`, the columns of several files are matched by name, and have a type that holds all values. By itself,
    DuckDB reads 3.4 as 3 if the first file has whole numbers.
    """
    together = ", union_by_name = true" if by_name and not os.path.isfile(path) else ""
    return f"{pattern_of(path)}, hive_partitioning = false{together}"


def paths_of(path: str) -> list[str]:
    """The files of this machine that a path or pattern stands for; none for an address."""
    return [path] if os.path.isfile(path) else glob.glob(path, recursive=True)


def first_line(database: Database, path: str) -> str:
    """The first line of a text file, compressed or not."""
    first = database.rows(f"SELECT line FROM {_lines(path)} LIMIT 1", place=path)
    return str(first[0][0]) if first else ""


def _lines(path: str) -> str:
    options = "header = false, auto_detect = false, quote = '', escape = '', hive_partitioning = false"
    return f"read_csv({pattern_of(path)}, delim = '\x01', columns = {{'line': 'VARCHAR'}}, {options})"


def check_text(path: str) -> None:
    """Raises an error on a file that is not text, and on a line that is too long for DuckDB.

    A line that does not fit into its buffer may be left out.
    """
    for name in paths_of(path):
        if not os.path.isfile(name) or not os.path.getsize(name):
            continue
        with open(name, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            if b"\0" in content[:4096] and not _is_packed(content):
                raise DataError(f"this is a binary file of no known format. {READABLE}", name)
            line = None if content[:4] == ZSTD else long_line_in(content, _LONGEST_ROW, _BUFFER)
        if line is not None:
            raise DataError(
                f"this line is longer than {_LONGEST_ROW // 10**6} MB, the most that DuckDB reads. Check the file,"
                " or pass its own name instead of a pattern.",
                f"{name}:{line}",
            )


def check_quotes(database: Database, path: str) -> None:
    """Raises an error on a space beside a quote that encloses a field: DuckDB drops it, and other readers keep it."""
    paths = paths_of(path)
    if paths and not any(map(_may_have_quotes, paths)):
        return
    if database.rows(f"SELECT 1 FROM {_lines(path)} WHERE regexp_matches(line, {literal(_LOOSE_QUOTE)}) LIMIT 1"):
        raise DataError("a space is beside a quote that encloses a field. Remove the space.", path)


def _may_have_quotes(path: str) -> bool:
    if not os.path.getsize(path):
        return False
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return _is_packed(content) or content.find(b'"') >= 0


def _is_packed(content: mmap.mmap) -> bool:
    return content[:2] == GZIP or content[:4] == ZSTD


def without_blank_lines(rows: str, types: Mapping[str, str]) -> str:
    """The rows of a text file without those of nothing but separators."""
    return f"(FROM {rows} WHERE {' OR '.join(f'{quoted(column)} IS NOT NULL' for column in types)})"


def check_case(database: Database, path: str, types: Mapping[str, str], named: Mapping[str, str]) -> None:
    """Raises an error if columns are called the same but for case, as `score` and `Score`, in Parquet or JSON.

    DuckDB takes them for one name, and calls the second `score_1`.
    """
    known = names_of_roles(named)
    for column in types:
        first = re.sub(r"(_\d+)+$", "", column)
        twin = next((other for other in types if other != column and other.lower() == first.lower()), None)
        if twin is None or not {first, normal_name(first)} & known or _is_in_parquet(database, path, column):
            continue
        raise DataError(
            f"two columns are called {twin!r} but for case, which DuckDB does not tell apart. Rename one of them.", path
        )


def _is_in_parquet(database: Database, path: str, column: str) -> bool:
    try:
        schema = f"parquet_schema({pattern_of(path)})"
        return bool(database.rows(f"SELECT 1 FROM {schema} WHERE name = {literal(column)} LIMIT 1"))
    except DataError:  # these are not Parquet files
        return False


def with_folders(database: Database, path: str, types: Mapping[str, str], read: Callable[[str], str]) -> str:
    """The files of a pattern with a column for each folder such as `run=bm25`, unless the files have this column.

    `read` makes the SQL of these files with more arguments for the function that reads them. DuckDB would prefer the
    folder to the column in the file, and rewrite what looks like a number or a date.
    """
    files = [file for (file,) in database.rows(f"SELECT file FROM glob({pattern_of(path)})", place=path)]
    in_files = {column.lower() for column in types}
    added = [name for name in folder_names(files) if name.lower() not in in_files]
    if not added:
        return read("")
    values = [f"url_decode({_folder_value(name)}) AS {quoted(name)}" for name in added]
    rows = read(f", filename = {literal(_FILE)}")
    return f"(SELECT * EXCLUDE ({_FILE}), {', '.join(values)} FROM {rows})"


def _folder_value(name: str) -> str:
    """The value of a folder of this name, after the equals sign; NULL if a file is in no such folder."""
    folder = r"(?:^|[/\\])" + re.escape(name) + r"=([^/\\]*)[/\\]"
    return f"nullif(nullif(regexp_extract({_FILE}, {literal(folder)}, 1), ''), '{NO_VALUE}')"


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
