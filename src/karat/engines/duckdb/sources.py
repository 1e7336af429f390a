"""What the user passes as a run or as judgements -> something that DuckDB can select from."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from karat.data.paths import stem_and_ending
from karat.data.schema import TREC_FIELDS, WHAT, Kind
from karat.engines.duckdb.database import Database, literal, quoted
from karat.errors import DataError, nearest

_CSV = "header = true, all_varchar = true, quote = '\"', escape = '\"'"
_TREC = "header = false, auto_detect = false, quote = '', escape = '', null_padding = false"
_READERS = {
    ".parquet": "read_parquet({path})",
    ".pq": "read_parquet({path})",
    ".csv": f"read_csv({{path}}, delim = ',', {_CSV})",
    ".tsv": f"read_csv({{path}}, delim = '\t', {_CSV})",
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


def relation(database: Database, source: Any, kind: Kind) -> Relation:
    """A table or view of the database, a file or several by a pattern, or something in Python."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        table = table_named(database, path)
        if table is not None:
            return Relation(table, database.types(table), path, path.rpartition(".")[2].strip('"'))
        return _file(database, path, kind)
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


def _file(database: Database, path: str, kind: Kind) -> Relation:
    if not (os.path.isfile(path) or "://" in path or glob.glob(path)):
        names = [name for (name,) in database.rows("SELECT table_name FROM information_schema.tables")]
        raise DataError(f"there is neither such a table nor such a file.{nearest(path, names)}", path)
    stem, ending = stem_and_ending(path)
    if ending in _DATABASES:
        raise DataError(
            "this is a database. Pass a connection to it as engine= (--database at the shell) and name a table.", path
        )
    trec = ending not in _READERS
    reader = _trec(path, kind) if trec else _READERS[ending].format(path=literal(path))
    types = database.types(reader, path)
    is_text = "parquet" not in reader
    return Relation(reader, types, path, stem, is_text, trec)


def _trec(path: str, kind: Kind) -> str:
    """The reader of TREC's formats, whose fields stand between single spaces or tabs."""
    fields = TREC_FIELDS[kind]
    columns = ", ".join(f"{literal(field)}: 'VARCHAR'" for field in fields)
    return f"read_csv({literal(path)}, delim = {literal(_separator(path))}, columns = {{{columns}}}, {_TREC})"


def _separator(path: str) -> str:
    first = next(iter(sorted(glob.glob(path))), path)
    if not os.path.isfile(first) or first.endswith((".gz", ".zst", ".zstd")):
        return " "
    with open(first, "rb") as file:
        return "\t" if b"\t" in file.readline(1 << 16) else " "


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
