"""Files: what format one has, and the table it holds."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import polars as pl

from karat.data.frames import frame_of_records
from karat.data.paths import stem_and_ending
from karat.data.schema import ALIASES, Kind, normal
from karat.data.table import Table, checked_table, rows_of
from karat.data.trec import FIELDS, read_trec
from karat.errors import DataError

_FORMATS = {
    ".csv": "csv", ".tsv": "csv", ".parquet": "parquet", ".pq": "parquet", ".arrow": "ipc", ".ipc": "ipc",
    ".feather": "ipc", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl",
}  # fmt: skip
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "ipc"}
_COMPRESSED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_POLARS_FAULTS = (pl.exceptions.PolarsError, OSError)


def read_file(path: str | os.PathLike[str], kind: Kind, named: dict[str, str]) -> Table | dict[str, Any]:
    """What a file holds: a table, or for JSON a dict."""
    label = os.fspath(path)
    if label == "-":
        return _read(sys.stdin.buffer.read(), kind, named, "standard input", "stdin", "")
    file = Path(path)
    if file.is_dir():
        raise DataError("this is a directory. Name a file in it.", label)
    if not file.exists():
        raise DataError("there is no such file.", label)
    name, ending = stem_and_ending(file)
    try:
        return _read(label, kind, named, label, name, ending)
    except PermissionError:
        raise DataError("this file may not be read: permission denied.", label) from None


def _read(
    source: str | bytes, kind: Kind, named: dict[str, str], label: str, name: str, ending: str
) -> Table | dict[str, Any]:
    head = _head(source)
    if not head:
        raise DataError("the file is empty.", label)
    if b"\0" in head and not any(head.startswith(magic) for magic in (*_MAGIC, *_COMPRESSED)):
        raise DataError(
            "this is a binary file of no known format. karat reads TREC text, CSV, TSV, JSON, JSON lines,"
            " Parquet and Arrow, text also as .gz and .zst.",
            label,
        )
    format_ = next((known for magic, known in _MAGIC.items() if head.startswith(magic)), _FORMATS.get(ending))
    try:
        if format_ == "parquet" or format_ == "ipc":
            scan = pl.scan_parquet if format_ == "parquet" else pl.scan_ipc
            return checked_table(scan(source), kind, named, name, label, rows_of(label))
        return _read_text(source, kind, named, label, name, format_)
    except _POLARS_FAULTS as error:
        raise DataError(_fault(error, head), label) from None


def _read_text(
    source: str | bytes, kind: Kind, named: dict[str, str], label: str, name: str, format_: str | None
) -> Table | dict[str, Any]:
    first = next((line for line in _first_lines(source) if line.strip()), "")
    if format_ == "jsonl":
        return _read_json_lines(source, kind, named, label, name)
    if format_ == "json" or (format_ is None and first.lstrip().startswith(("{", "["))):
        return _read_json(source, kind, named, label, name)
    separator = "\t" if "\t" in first else ","
    header = [column.strip().strip('"') for column in first.split(separator)]
    if _is_header(header, kind, named) or (format_ == "csv" and not _is_trec(first, kind)):
        return _read_csv(source, kind, named, label, name, separator)
    return read_trec(source, kind, name, label)


def _is_header(columns: list[str], kind: Kind, named: dict[str, str]) -> bool:
    known = {alias for role in ("query", "document") for alias in ALIASES[role]}
    return len(columns) > 1 and any(normal(column) in known or column in named.values() for column in columns)


def _is_trec(line: str, kind: Kind) -> bool:
    """MS MARCO and others give TREC files the ending .tsv."""
    return len(line.split()) == len(FIELDS[kind]) and "," not in line


def _read_csv(source: str | bytes, kind: Kind, named: dict[str, str], label: str, name: str, separator: str) -> Table:
    frame = pl.read_csv(source, separator=separator, infer_schema=False, glob=False)
    frame = frame.rename({column: column.strip() for column in frame.columns if column != column.strip()})
    blank = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    lines = (~blank).arg_true() + 2
    if not len(lines):
        raise DataError("there is a header and no row after it.", label)
    return checked_table(frame.filter(~blank), kind, named, name, label, lambda row: f"{label}:{lines[row]}")


def _read_json(source: str | bytes, kind: Kind, named: dict[str, str], label: str, name: str) -> Table | dict[str, Any]:
    text = "\n".join(pl.read_lines(source, glob=False)["line"]).removeprefix("\ufeff")
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return _read_json_lines(source, kind, named, label, name)
        raise DataError(f"this is not JSON: {error.msg}.", f"{label}:{error.lineno}") from None
    except RecursionError:
        raise DataError("this is nested too deeply. The form is {query: {document: number}}.", label) from None
    if isinstance(content, list) and content and all(isinstance(record, dict) for record in content):
        return checked_table(frame_of_records(content), kind, named, name, label, rows_of(label))
    if not isinstance(content, dict):
        raise DataError("this JSON is not {query: {document: number}}, nor a list of records.", label)
    return content


def _read_json_lines(source: str | bytes, kind: Kind, named: dict[str, str], label: str, name: str) -> Table:
    records, numbers = [], []
    for number, line in enumerate(pl.read_lines(source, glob=False)["line"], start=1):
        if not line.strip("\ufeff \t\r"):
            continue
        try:
            record = json.loads(line.removeprefix("\ufeff"))
        except (json.JSONDecodeError, RecursionError) as error:
            raise DataError(f"this line is not JSON: {error}.", f"{label}:{number}") from None
        if not isinstance(record, dict):
            raise DataError(
                'a line is an object such as {"query": "q1", "doc": "d1", "score": 0.5}.', f"{label}:{number}"
            )
        records.append(record)
        numbers.append(number)
    if not records:
        raise DataError("the file is empty.", label)
    return checked_table(frame_of_records(records), kind, named, name, label, lambda row: f"{label}:{numbers[row]}")


def _head(source: str | bytes) -> bytes:
    if isinstance(source, bytes):
        return source[:4096]
    with open(source, "rb") as file:
        return file.read(4096)


def _first_lines(source: str | bytes) -> list[str]:
    try:
        return [line.strip("\ufeff\r") for line in pl.read_lines(source, n_rows=20, glob=False)["line"]]
    except pl.exceptions.ComputeError:
        return []


def _fault(error: Exception, head: bytes) -> str:
    compression = next((name for magic, name in _COMPRESSED.items() if head.startswith(magic)), None)
    if compression:
        return f"this {compression} file cannot be unpacked ({_short(error)}): it is damaged or cut off. Copy it again."
    return f"this cannot be read: {_short(error)}."


def _short(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".")
