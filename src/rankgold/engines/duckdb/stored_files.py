"""A path or pattern in, the SQL that reads its files out: nothing is left open that DuckDB would guess about them."""

import glob
import mmap
import os
import re
from collections.abc import Callable, Mapping

from rankgold.data.columns import names_of_roles, normal_name
from rankgold.data.formats.registry import READABLE
from rankgold.data.line_lengths import GZIP, ZSTD, long_line_in
from rankgold.data.paths import NO_VALUE, folder_names
from rankgold.engines.duckdb.database import Database, literal, quoted
from rankgold.errors import DataError

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
