"""Files: what format one has, and the table it holds."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from rankgold.data import chunks
from rankgold.data.chunks import Parts
from rankgold.data.columns import ALIASES, NUMBER, TREC_FIELDS, Kind, normal
from rankgold.data.formats.delimited import read_delimited
from rankgold.data.formats.json import read_json, read_json_lines
from rankgold.data.formats.trec import read_trec
from rankgold.data.input_file import COMPRESSED, Source
from rankgold.data.large_tables import parts_of
from rankgold.data.paths import stem_and_ending
from rankgold.data.table import Table, rows_of
from rankgold.errors import DataError

_FORMATS = {
    ".csv": "csv", ".tsv": "csv", ".parquet": "parquet", ".pq": "parquet", ".arrow": "ipc", ".ipc": "ipc",
    ".feather": "ipc", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl",
}  # fmt: skip
_SEPARATORS = ("\t", ",", ";")
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "ipc"}
_READABLE = "rankgold reads TREC text, CSV, TSV, JSON, JSON lines, Parquet and Arrow, text also as .gz and .zst."


def read_file(
    path: str | os.PathLike[str], kind: Kind, named: dict[str, str], duplicates: str = "error"
) -> Table | Parts | dict[str, Any]:
    """What a file holds: a table, the parts of a large one, or for JSON a dict."""
    label = os.fspath(path)
    if not label:
        raise DataError("the name of a file is empty.")
    if label == "-":
        return _read(Source(_standard_input(), kind, named, "standard input", "stdin", duplicates), "")
    file = Path(path)
    if file.is_dir():
        raise DataError("this is a directory. Name a file in it.", label)
    if not file.exists():
        raise DataError("there is no such file.", label)
    name, ending = stem_and_ending(file)
    try:
        # A pipe can be read only once, so all of it is taken.
        content = label if file.is_file() else file.read_bytes()
        return _read(Source(content, kind, named, label, name, duplicates), ending)
    except PermissionError:
        raise DataError("this file may not be read: permission denied.", label) from None


_read_already = False


def _standard_input() -> bytes:
    global _read_already
    if sys.stdin is None:
        raise DataError("it is closed. Name a file, or give something to read.", "standard input")
    content = sys.stdin.buffer.read()
    if not content and _read_already:
        raise DataError(
            "it was read already, and can be read only once. Put one of the two into a file.", "standard input"
        )
    _read_already = True
    return content


def _read(source: Source, ending: str) -> Table | Parts | dict[str, Any]:
    head = source.head()[:4096]
    if not head:
        raise DataError("the file is empty.", source.label)
    packed = next((name for magic, name in COMPRESSED.items() if head.startswith(magic)), None)
    format_ = next((known for magic, known in _MAGIC.items() if head.startswith(magic)), None)
    if format_ is None and _FORMATS.get(ending) in ("parquet", "ipc"):
        raise DataError(f"this cannot be read: it is no {ending[1:]} file, whatever its name says.", source.label)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError("this is UTF-16 text. Convert the file to UTF-8.", source.label)
    if format_ is None and not packed and b"\0" in head:
        raise DataError(f"this is a binary file of no known format. {_READABLE}", source.label)
    with _faults_told(source, packed):
        content = _content(source, format_, ending)
    if not isinstance(content, Parts):
        return content

    def whole() -> Table:
        with _faults_told(source, packed):
            return content.whole()

    return replace(content, whole=whole)


def _content(source: Source, format_: str | None, ending: str) -> Table | Parts | dict[str, Any]:
    if format_ is not None:
        scan = pl.scan_parquet if format_ == "parquet" else pl.scan_ipc
        return _read_columns(source, scan(source.content))
    return _read_text(source, _FORMATS.get(ending))


@contextmanager
def _faults_told(source: Source, packed: str | None) -> Iterator[None]:
    """What Polars says of a file that it cannot read, said as an error of ours."""
    try:
        yield
    except (pl.exceptions.PolarsError, OSError) as error:
        short = str(error).strip().partition("\n")[0].rstrip(".")
        fault = f"this {packed} file cannot be unpacked: it is damaged or cut off" if packed else "this cannot be read"
        raise DataError(f"{fault} ({short}). {'Copy it again.' if packed else _READABLE}", source.label) from None


def _read_columns(source: Source, scan: pl.LazyFrame) -> Table | Parts:
    """A file that holds a table by columns and knows how long it is."""
    place = rows_of(source.label)
    rows = int(scan.select(pl.len()).collect().item()) if source.kind == "run" else 0
    if rows > chunks.LARGE_TABLE:
        return parts_of(scan, rows, source, place, lambda: source.table(scan, place))
    return source.table(scan, place)


def _read_text(source: Source, format_: str | None) -> Table | Parts | dict[str, Any]:
    first = next(source.first_lines(), "")
    if format_ == "jsonl":
        return read_json_lines(source)
    looks_like_json = first.lstrip().startswith(("{", "[")) and not is_trec_row(first, source.kind)
    if format_ == "json" or (format_ is None and looks_like_json):
        return read_json(source)
    separator = separator_of(first, source.kind, source.named, is_table=format_ == "csv")
    return read_trec(source) if separator is None else read_delimited(source, separator)


def separator_of(line: str, kind: Kind, named: Mapping[str, str], *, is_table: bool) -> str | None:
    """What stands between the columns of a table with this first line; None where it is a line of TREC's.

    `is_table` says that the file's name is that of a table.
    """
    if is_trec_row(line, kind):
        return None
    header = next((one for one in _SEPARATORS if _is_header(line, one, named)), None)
    if header is not None or not is_table or _is_trec(line, kind):
        return header
    return next((one for one in _SEPARATORS if one in line), ",")


def _is_header(line: str, separator: str, named: Mapping[str, str]) -> bool:
    known = {alias for role in ("query", "document") for alias in ALIASES[role]}
    columns = [column.strip().strip('"') for column in line.split(separator)]
    return len(columns) > 1 and any(normal(column) in known or column in named.values() for column in columns)


def is_trec_row(line: str, kind: Kind) -> bool:
    """Whether this is a line of TREC's, even if an id in it is called like a column: it has a number in its place."""
    fields = line.split()
    if len(fields) != len(TREC_FIELDS[kind]):
        return False
    try:
        float(fields[TREC_FIELDS[kind].index(NUMBER[kind])])
    except ValueError:
        return False
    return True


def _is_trec(line: str, kind: Kind) -> bool:
    """MS MARCO and others give TREC files the ending .tsv."""
    return len(line.split()) == len(TREC_FIELDS[kind]) and "," not in line
