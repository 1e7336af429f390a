"""Recognises what the user passed and reads it; names the runs."""

from __future__ import annotations

import gzip
import json
import os
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from rankgold.core.errors import DataError
from rankgold.data.columns import WHAT, Kind, check_column_names, has_query
from rankgold.data.dicts import DictRows, holds_subtopics, is_nested
from rankgold.data.formats.plain_trec import read_small_trec
from rankgold.data.polars_guard import check_polars
from rankgold.data.rows import RowFaults, Rows

if TYPE_CHECKING:
    from scipy.sparse import spmatrix

    from rankgold.core.accepted import Frame


PACKED = (".gz", ".zst", ".zstd")
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
"""What Hive, Spark and others write after `name=` for a row without a value."""

_FOLDER = re.compile(r"([^/\\=]+)=[^/\\]*[/\\]")


def stem_and_ending(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The name of the run, and the ending of the format: 'runs/bm25.csv.gz' gives 'bm25' and '.csv'.

    Bytes that are not UTF-8 are escaped in the name.
    """
    stem, ending = os.path.splitext(os.path.basename(os.path.normpath(path)))
    if ending.lower() in PACKED:
        stem, ending = os.path.splitext(stem)
    return stem.encode("utf-8", "backslashreplace").decode(), ending.lower()


def folder_names(files: Iterable[str]) -> list[str]:
    """The names of folders such as `run=bm25`, before the equals sign."""
    return list(dict.fromkeys(name for file in files for name in _FOLDER.findall(file)))


def is_utf8(path: str) -> bool:
    """Whether the name of a file is text. Linux allows any bytes, which Python shows as halves of characters."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


_ACCEPTED = "a path, a dict of dicts, a frame (Polars, pandas, PyArrow, DuckDB), a sparse matrix or a list of records"

_SOUGHT: dict[Kind, str] = {
    "qrels": "judgements",
    "run": "a run",
    "labelled": "a table with grades and scores",
    "pairs": "a table of users and items",
}

SMALL = 4 << 20
"""If the files of an evaluation have no more bytes, they are read without Polars: importing it would take longer."""

_MAGIC = re.compile(r"[*?\[]")


def read(
    source: object,
    kind: Kind,
    columns: Mapping[str, str] | None = None,
    repeats: str = "error",
    *,
    small: bool = False,
    faults: RowFaults | None = None,
) -> Rows:
    """Judgements, or the runs in one source. With `small`, a plain TREC file is read without Polars.

    With `faults`, rows that cannot be read are noted there and left out. Otherwise they are errors.
    """
    what = _SOUGHT[kind]
    if source is None:
        raise DataError(f"None is not {what}. Pass {_ACCEPTED}.")
    named = check_column_names(columns) if columns else {}
    if isinstance(source, Rows):
        return source
    if isinstance(source, Mapping) and not _is_matrix(source):
        if kind == "qrels" and holds_subtopics(source, named):
            from rankgold.data.matching.subtopic_judgements import table_of_subtopics

            check_polars()
            return table_of_subtopics(source, named, "run", WHAT[kind], faults)
        return DictRows.of(source, kind, repeats, named, faults)
    if small and is_path(source) and (rows := read_small_trec(source, kind)) is not None:
        return rows
    check_polars()
    if is_path(source):
        if kind == "qrels" and is_pattern(source):
            from rankgold.data.files import joined_judgements

            return joined_judgements(source, named, repeats, faults)
        from rankgold.data.files import read_file

        return read_file(source, kind, named, repeats, faults)
    if _is_frame(source):
        from rankgold.data.frames import read_frame

        return read_frame(source, kind, named, faults)
    if kind != "labelled" and _is_matrix(source):
        from rankgold.data.records import read_matrix

        return read_matrix(source, kind)
    if isinstance(source, Sequence) and source and all(isinstance(record, Mapping) for record in source):
        from rankgold.data.records import table_of_records
        from rankgold.data.table import TableSource

        return table_of_records(source, TableSource.of_object(kind, named, faults))
    raise DataError(f"this {type(source).__name__} is not {what}. Pass {_ACCEPTED}.{_hint(source)}")


def _hint(source: object) -> str:
    """How a column or an array becomes something that can be read."""
    if hasattr(source, "to_dict"):
        return " If its index has the queries, pass its to_dict()."
    return " For arrays of grades and scores there is from_arrays." if hasattr(source, "__array__") else ""


def is_path(source: object) -> TypeGuard[str | os.PathLike[str]]:
    return isinstance(source, (str, os.PathLike))


def is_file(source: object) -> TypeGuard[str | os.PathLike[str]]:
    """Whether this is the path of a file. `-` is standard input, even if there is a file of this name."""
    return is_path(source) and os.fspath(source) != "-" and os.path.isfile(source)


def is_pipe(source: object) -> bool:
    """Whether this is standard input, or a path that can be read only once: a FIFO, or `<(...)` in a shell."""
    if not is_path(source):
        return False
    path = os.fspath(source)
    return path == "-" or (os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path))


def is_read_here(source: object) -> bool:
    """Whether DuckDB and Spark cannot read this path: a pipe, or a file whose name is not UTF-8."""
    return is_pipe(source) or (is_path(source) and not is_utf8(os.fspath(source)))


def are_small(sources: Collection[Any]) -> bool:
    """Whether all of these are files and dicts, and the files are small in total."""
    files = [source for source in sources if not isinstance(source, Mapping)]
    return all(map(is_file, files)) and sum(map(os.path.getsize, files)) <= SMALL


def given_runs(source: object, columns: Mapping[str, str] | None = None) -> list[tuple[str | None, Any]]:
    """The runs that the user passed, one or several, with the names given to them."""
    if isinstance(source, Mapping) and not _is_matrix(source) and holds_runs(source, columns):
        return [(str(name), run) for name, run in source.items()]
    if isinstance(source, (list, tuple)) and source and _is_run(source[0], columns):
        return [(None, run) for run in source]
    return [(None, source)]


def is_pattern(source: object) -> bool:
    """Whether this is a pattern for files. A file whose name looks like one is that file."""
    return is_path(source) and _MAGIC.search(os.fspath(source)) is not None and not os.path.exists(source)


def holds_runs(source: Mapping[Any, Any], columns: Mapping[str, str] | None = None) -> bool:
    """Whether a dict holds runs by name, rather than queries."""
    return any(_is_run(value, columns) for value in source.values())


def _is_run(value: object, columns: Mapping[str, str] | None) -> bool:
    """Whether an element of a collection is a run, rather than the documents of a query or a record."""
    if hasattr(type(value), "sparkSession"):  # a frame that only Spark reads
        return True
    if type(value) is not dict and (is_path(value) or isinstance(value, Rows) or _is_frame(value) or _is_matrix(value)):
        return True
    if isinstance(value, Mapping):
        return is_nested(value)
    return are_records(value, columns)


def are_records(value: object, columns: Mapping[str, str] | None = None) -> bool:
    """Whether this is a list of records that name their query. Other records are the documents of one query."""
    if not (isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping)):
        return False
    return has_query(value[0], columns or {})


def _is_frame(value: object) -> TypeGuard[Frame]:
    """Whether this is a frame of some kind. A single column has the same Arrow interface, and is not a frame."""
    if hasattr(value, "collect_schema"):
        return True
    is_column = hasattr(value, "__len__") and not (hasattr(value, "columns") or hasattr(value, "schema"))
    return hasattr(value, "__arrow_c_stream__") and not is_column


def _is_matrix(value: object) -> TypeGuard[spmatrix]:
    """Whether this is a sparse matrix, of SciPy or of another library with the same attributes. One kind is a dict."""
    return hasattr(value, "tocsr") or (hasattr(value, "indptr") and hasattr(value, "indices"))


def libraries_in(*sources: object) -> frozenset[str]:
    """The libraries of the objects that the user passed, including those in dicts and lists."""
    types: set[type] = set()
    for source in sources:
        if isinstance(source, (Mapping, list, tuple)):
            types.update(map(type, source.values() if isinstance(source, Mapping) else source))
        else:
            types.add(type(source))
    return frozenset(type_.__module__.partition(".")[0] for type_ in types)


def run_name(given: str | None, name_in_source: str, count: int) -> str:
    """A run's name: the given one, followed by that in its source if several runs were given under one name."""
    if given is None:
        return name_in_source
    return given if count == 1 else f"{given} {name_in_source}"


def unused_name(name: str, taken: Collection[str]) -> str:
    """The name, with ` (2)` and so on if it is taken."""
    number, unused = 1, name
    while unused in taken:
        number += 1
        unused = f"{name} ({number})"
    return unused


def read_runs(
    source: object, columns: Mapping[str, str] | None = None, repeats: str = "error", *, small: bool = True
) -> Iterator[tuple[str, Rows]]:
    """Every run in the source with its name: one run, several by name or in a list, or files with several runs.

    With `small`, plain TREC files are read without Polars if all of them are small.
    """
    runs = given_runs(source, columns)
    if any(is_pattern(run) for _, run in runs):
        from rankgold.data.files import runs_of_patterns

        runs = runs_of_patterns(runs)
    small = small and are_small([run for _, run in runs])
    names: list[str] = []
    for given, run in runs:
        parts = read(run, "run", columns, repeats, small=small).whole().split_runs()
        for part in parts:
            names.append(unused_name(run_name(given, part.name, len(parts)), names))
            yield names[-1], part


def numbered_lines(path: str) -> Iterator[tuple[int, str]]:
    """The lines of a file, which may be packed by gzip, without their ends. The first number is 1."""
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                yield number, line.rstrip("\r\n")
    except UnicodeDecodeError:
        raise DataError("this is not UTF-8 text.", path) from None
    except IsADirectoryError:
        raise DataError("this is a directory. Name a file in it.", path) from None
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{getattr(error, 'strerror', None) or error}.", path) from None


def parsed_json(text: str, place: str) -> Any:
    """The content of a text of JSON; an error if it is not JSON, or has a number of thousands of digits."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise DataError("this is not JSON.", place) from None
