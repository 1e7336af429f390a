"""What the user passes as a run or as judgements -> something that DuckDB can select from."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from karat.data.files import separator_of
from karat.data.paths import stem_and_ending
from karat.data.schema import TREC_FIELDS, WHAT, Kind
from karat.engines.duckdb.database import Database, literal, quoted
from karat.errors import DataError, nearest

_CSV = "header = true, all_varchar = true, quote = '\"', escape = '\"'"
_TREC = "header = false, auto_detect = false, quote = '', escape = '', null_padding = false"
_READERS = {
    ".parquet": "read_parquet({path})",
    ".pq": "read_parquet({path})",
    ".json": "read_json({path})",
    ".jsonl": "read_json({path}, format = 'newline_delimited')",
    ".ndjson": "read_json({path}, format = 'newline_delimited')",
}
_DATABASES = (".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3")


@dataclass(frozen=True, slots=True)
class Relation:
    """What stands after FROM, and what is known of it."""

    sql: str
    types: Mapping[str, str]
    label: str
    """How errors call it."""
    name: str = "run"
    """The run's, where no column says otherwise."""
    is_text: bool = False
    """Whether every reading of it is slow, so that it is read once."""
    is_trec: bool = False


def relation(database: Database, source: Any, kind: Kind, named: Mapping[str, str]) -> Relation:
    """A table or view of the database, a file or several by a pattern, or something in Python."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        table = table_named(database, path)
        if table is not None:
            return Relation(table, database.types(table), path, path.rpartition(".")[2].strip('"'))
        return _file(database, path, kind, named)
    table = _of_python(database, source, kind)
    return Relation(table, database.types(table), WHAT[kind])


def table_named(database: Database, name: str) -> str | None:
    """The table or view of this name, which may be that of its schema or database and dots before it.

    The name is looked up among those that are there, as it is: nothing that a user writes becomes SQL.
    """
    known = database.rows(
        "SELECT table_catalog, table_schema, table_name FROM information_schema.tables"
        " WHERE ? IN (table_name, table_schema || '.' || table_name, table_catalog || '.' || table_name,"
        " table_catalog || '.' || table_schema || '.' || table_name)"
        " ORDER BY table_catalog = 'temp' DESC, table_catalog = current_database() DESC,"
        " table_schema = current_schema() DESC, 1, 2, 3",
        [name],
    )
    return ".".join(map(quoted, known[0])) if known else None


def _file(database: Database, path: str, kind: Kind, named: Mapping[str, str]) -> Relation:
    if not (os.path.isfile(path) or "://" in path or glob.glob(path)):
        names = [name for (name,) in database.rows("SELECT table_name FROM information_schema.tables")]
        raise DataError(f"there is neither such a table nor such a file.{nearest(path, names)}", path)
    stem, ending = stem_and_ending(path)
    if ending in _DATABASES:
        raise DataError(
            "this is a database. Pass a connection to it as engine= (--database at the shell) and name a table.", path
        )
    if ending in _READERS:
        reader = _READERS[ending].format(path=literal(path))
        return Relation(reader, database.types(reader, path), path, stem, is_text="parquet" not in reader)
    line = _first_line(database, path)
    separator = separator_of(line, kind, named, is_table=ending in (".csv", ".tsv"))
    if separator is not None:
        reader = f"read_csv({literal(path)}, delim = {literal(separator)}, {_CSV})"
    else:
        # TREC's formats, with single spaces or tabs between the fields.
        columns = ", ".join(f"{literal(field)}: 'VARCHAR'" for field in TREC_FIELDS[kind])
        blank = literal("\t" if "\t" in line else " ")
        reader = f"read_csv({literal(path)}, delim = {blank}, columns = {{{columns}}}, {_TREC})"
    return Relation(reader, database.types(reader, path), path, stem, is_text=True, is_trec=separator is None)


def _first_line(database: Database, path: str) -> str:
    """The first line of a text file, packed or not."""
    whole = f"read_csv({literal(path)}, delim = '\x01', columns = {{'line': 'VARCHAR'}}, {_TREC})"
    first = database.rows(f"SELECT line FROM {whole} LIMIT 1", place=path)
    return str(first[0][0]) if first else ""


def _of_python(database: Database, source: Any, kind: Kind) -> str:
    """Something in Python, where DuckDB can select from it."""
    if type(source).__name__ == "DuckDBPyRelation":
        try:
            view = database.view(source)
            database.types(view)
            return view
        except DataError:  # a relation of another connection
            return database.copied(source)
    from karat.data.sources import read

    if isinstance(source, Mapping):
        from karat.matching.tabular import table_of_dict

        content: Any = read(source, kind)
        return database.copied(table_of_dict(content, kind).frame)
    from karat.data.frames import frame_of

    return database.copied(frame_of(source, kind))
