"""The head of a file in, its format out: every format that can be read, for all engines, in one table.

To add a format, add a line to FORMATS and the function that reads it. This module imports no heavy library: readers
are imported when a file of their format is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from rankgold.data.columns import ALIASES, Kind, normal_name
from rankgold.data.formats.trec_lines import is_trec_line, may_be_trec_line

if TYPE_CHECKING:
    from rankgold.data.input_file import InputFile
    from rankgold.data.rows import Rows

_SEPARATORS = ("\t", ",", ";")


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a file before it is read."""

    kind: Kind
    named: Mapping[str, str]
    """Columns as the user named them, role -> name."""
    ending: str
    """Such as '.csv', without the ending of a packed file."""
    first_line: str = ""
    """The first line of text that is not blank."""
    first_bytes: bytes = b""


@dataclass(frozen=True, slots=True)
class Format:
    """One format: what its files are called, how they are recognised, how they are read."""

    name: str
    endings: tuple[str, ...]
    recognises: Callable[[Head], bool]
    reader: str
    """The function of this package that reads a file: `module.function`."""
    magic: bytes = b""
    """How every file of a binary format begins."""

    def read(self, file: InputFile) -> Rows:
        module, _, function = self.reader.rpartition(".")
        rows: Rows = getattr(import_module(f"{__package__}.{module}"), function)(file)
        return rows


def _begins_with(magic: bytes) -> Callable[[Head], bool]:
    return lambda head: head.first_bytes.startswith(magic)


def _is_json(head: Head) -> bool:
    if head.ending == ".json":
        return True
    looks_like_json = head.first_line.lstrip().startswith(("{", "[")) and not is_trec_line(head.first_line, head.kind)
    return looks_like_json and not _is_known(head.ending)


def _is_trec(head: Head) -> bool:
    line, kind = head.first_line, head.kind
    if is_trec_line(line, kind):
        return True
    is_named_table = head.ending in (".csv", ".tsv")
    return not _has_header(line, head.named) and (not is_named_table or may_be_trec_line(line, kind))


FORMATS = (
    Format("Parquet", (".parquet", ".pq"), _begins_with(b"PAR1"), "columnar.read_parquet", b"PAR1"),
    Format("Arrow", (".arrow", ".ipc", ".feather"), _begins_with(b"ARROW1"), "columnar.read_arrow", b"ARROW1"),
    Format(
        "JSON lines",
        (".jsonl", ".ndjson"),
        lambda head: head.ending in (".jsonl", ".ndjson"),
        "json.read_json_lines",
    ),
    Format("JSON", (".json",), _is_json, "json.read_json"),
    Format("TREC text", (), _is_trec, "trec.read_trec"),
    Format("CSV", (".csv",), lambda head: True, "delimited.read_delimited"),
    Format("TSV", (".tsv",), lambda head: True, "delimited.read_delimited"),
)
"""Every format, in the order in which they are tried: the first one that recognises a file reads it."""

READABLE = "rankgold reads TREC text, CSV, TSV, JSON, JSON lines, Parquet and Arrow, text also as .gz and .zst."


def recognise(head: Head) -> Format:
    """The format of a file."""
    return next(format_ for format_ in FORMATS if format_.recognises(head))


def separator_of(header: str, named: Mapping[str, str]) -> str:
    """What separates the columns of a table with this header."""
    known = next((separator for separator in _SEPARATORS if _is_header(header, separator, named)), None)
    return known or next((separator for separator in _SEPARATORS if separator in header), ",")


def _is_known(ending: str) -> bool:
    return any(ending in format_.endings for format_ in FORMATS)


def _has_header(line: str, named: Mapping[str, str]) -> bool:
    return any(_is_header(line, separator, named) for separator in _SEPARATORS)


def _is_header(line: str, separator: str, named: Mapping[str, str]) -> bool:
    known = {alias for role in ("query", "document") for alias in ALIASES[role]}
    columns = [column.strip().strip('"') for column in line.split(separator)]
    return len(columns) > 1 and any(normal_name(column) in known or column in named.values() for column in columns)
