"""Lists every format that can be read, and recognises the format of a file.

To add a format, add an entry to FORMATS and the function that reads it into this process. This module imports no heavy
library: that function is imported when a file of the format is read.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankgold.core.errors import DataError
from rankgold.data.columns import ALIASES, Kind, check_unique, normal_name
from rankgold.data.formats import trec_lines
from rankgold.data.value_faults import described

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameReader

    from rankgold.data.input_file import InputFile
    from rankgold.data.rows import Rows


PARQUET, ARROW = b"PAR1", b"ARROW1"
"""The first bytes of the files of these formats."""

_SEPARATORS = ("\t", ",", ";")
_ODD_LINE = "rankgold_line"
_TABLE_ENDINGS = (".csv", ".tsv")
_NUMBERS: dict[Kind, tuple[tuple[str, ...], ...]] = {
    "qrels": (("grade",),),
    "run": (("rank",), ("score",)),
    "labelled": (("grade", "score"),),
    "pairs": ((),),
}
_NO_HEADER = "CSV without a header"
# What is not said, DuckDB guesses. In CSV it takes lines with ids like #1 for comments, and "" for a missing value.
_CSV_AS_WRITTEN = (
    "header = true, all_varchar = true, quote = '\"', escape = '\"', comment = '', skip = 0, nullstr = '',"
    " allow_quoted_nulls = false, null_padding = false, strict_mode = true"
)
# In JSON it guesses types, rewrites ids such as dates, and makes one column of records with many different names.
_JSON_AS_WRITTEN = (
    "records = true, maximum_depth = 1, sample_size = -1, map_inference_threshold = -1, field_appearance_threshold = 0"
)


@dataclass(frozen=True)
class Head:
    """What is known of a file before it is read."""

    kind: Kind
    named: Mapping[str, str]
    """Columns as the user named them, role -> name."""
    ending: str
    """Such as '.csv', without the ending of a packed file."""
    read_first_line: Callable[[], str]
    """Called only for a file that may be text."""
    first_bytes: bytes | None = None
    """None if they are not known, as those of a folder or a pattern."""

    @cached_property
    def first_line(self) -> str:
        """The first line of text that is not blank."""
        return self.read_first_line()


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format: its file names, how to recognise it, how each engine reads it."""

    name: str
    endings: tuple[str, ...] = ()
    magic: bytes = b""
    """The first bytes of every file of a binary format, by which it is recognised."""
    condition: Callable[[Head], bool] | None = None
    """By what a file of any other format is recognised."""
    reader: str | None = None
    """The function of this package that reads a file into this process: `module.function`."""
    duckdb: Callable[[str, Head], str] | None = None
    """The first arguments of a function that reads files -> the relation that DuckDB reads. None: a file is read into
    this process, and copied."""
    spark: Callable[[Any, str, Head], Any] | None = None
    """A DataFrameReader and a path -> a Spark DataFrame."""
    is_one_object: bool = False
    """Whether a file may be one object with all rows. Then all engines read a file of this machine as `local` does."""
    is_delimited: bool = False
    """Whether the first line is a header with the names of the columns."""
    is_trec: bool = False
    """Whether this is TREC's text: the column of runs holds tags, which may differ within one run."""

    def recognises(self, head: Head) -> bool:
        """Whether a file is of this format. A binary one goes by its name, if its first bytes are not known."""
        if self.condition is not None:
            return self.condition(head)
        if head.first_bytes is not None:
            return head.first_bytes.startswith(self.magic)
        is_unnamed = not _is_known(head.ending)
        return head.ending in self.endings or (is_unnamed and head.first_line.startswith(self.magic.decode()))

    def read(self, file: InputFile) -> Rows:
        if self.reader is None:
            raise DataError(f"only Spark reads {self.name} files. Use engine='spark' (--engine spark).", file.label)
        module, _, function = self.reader.rpartition(".")
        rows: Rows = getattr(import_module(f"{__package__}.{module}"), function)(file)
        return rows


def _is_json(head: Head) -> bool:
    if head.ending == ".json":
        return True
    if _is_known(head.ending) or trec_lines.is_trec_line(head.first_line, head.kind):
        return False
    return head.first_line.lstrip().startswith(("{", "["))


def _json_in_spark(reader: DataFrameReader, path: str, head: Head) -> DataFrame:
    if head.first_line.lstrip().startswith("["):
        raise DataError("Spark reads JSON as lines, an object each. Convert the file, or use the local engine.", path)
    return _json_lines_in_spark(reader, path, head)


def _json_lines_in_spark(reader: DataFrameReader, path: str, head: Head) -> DataFrame:
    """The frame of records. Spark alone would read only the first object of a line."""
    # One value and a 0 are a list of 2. NaN and the mark in front of a file are not JSON, but every engine reads them.
    line = "replace(regexp_replace(value, 'NaN|Infinity', '0'), '\ufeff', '')"
    is_one_value = f"coalesce(json_array_length(concat('[', {line}, ', 0]')) = 2, false)"
    odd_lines = reader.text(path).where(f"trim(value) != '' and not {is_one_value}").select("value").limit(1).collect()
    if odd_lines:
        raise DataError(f"a line is not one JSON object: {described(odd_lines[0].value)}.", path)
    return reader.json(path)


def _is_delimited(head: Head) -> bool:
    line, kind = head.first_line, head.kind
    if trec_lines.is_trec_line(line, kind):
        return False
    is_named_table = head.ending in _TABLE_ENDINGS and not trec_lines.may_be_trec_line(line, kind)
    return is_named_table or any(_is_header(line, separator, head.named) for separator in _SEPARATORS)


def _is_headerless(head: Head) -> bool:
    """Whether the first line has the fields of a row where a header would have names."""
    line, kind = head.first_line, head.kind
    is_other = _is_known(head.ending) and head.ending not in _TABLE_ENDINGS
    if head.named or is_other or trec_lines.is_trec_line(line, kind):
        return False
    separator = first_separator(line)
    if separator is None or any(_is_header(line, separator, {}) for separator in _SEPARATORS):
        return False
    fields = fields_of_line(line, separator)
    if len(fields) > 2 and fields[1].strip().lower() in ("0", "q0"):  # a line of a TREC file that lacks fields
        return False
    numbers = [_is_number(field) for field in fields]
    if kind == "qrels":
        return (len(fields) == 3 and numbers[2]) or (len(fields) == 2 and any(numbers))
    return kind == "run" and len(fields) in (3, 4) and all(numbers[2:])


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def header_hint(separator: str, kind: Kind, why: str) -> str:
    """The advice for a file without a header whose columns are ambiguous."""
    headers = [repr(separator.join(("query", "document", *numbers))) for numbers in _NUMBERS[kind]]
    first = " or ".join(headers)
    return f"no header? There are no names of columns in the first line, and {why}. Add a first line: {first}."


def lacks_header(line: str, separator: str) -> bool:
    """Whether a field of the first line is a number, which cannot be the name of a column."""
    return any(map(_is_number, fields_of_line(line, separator)))


def fields_of_line(line: str, separator: str) -> list[str]:
    """The fields of one line of CSV."""
    return next(csv.reader([line.replace("\r", " ")], delimiter=separator), [])


def header_columns(line: str, named: Mapping[str, str]) -> list[str]:
    """The columns in the header of a table."""
    return [column.strip() for column in fields_of_line(line, separator_of(line, named))]


def _delimited_in_duckdb(files: str, head: Head) -> str:
    separator = separator_of(head.first_line, head.named)
    return f"read_csv({files}, delim = '{separator}', {_CSV_AS_WRITTEN})"


def _delimited_in_spark(reader: DataFrameReader, path: str, head: Head) -> DataFrame:
    """The frame of a table. Spark keeps a line with more or fewer fields than the header in a separate column.

    By itself it would leave out the fields that are too many, and take the columns of every file in the order of the
    first one, whatever their names. Bytes that are not UTF-8 become the character U+FFFD.
    """
    separator = separator_of(head.first_line, head.named)
    check_unique(header_columns(head.first_line, head.named), head.named, path)
    header = fields_of_line(head.first_line, separator)
    read = partial(reader.csv, path, sep=separator, header=True, escape='"', multiLine=False)
    if len({name.lower() for name in header}) < len(header):
        return read()  # Spark numbers names that occur twice, and a schema cannot have them
    names = [f"`{name.replace('`', '``')}`" for name in header]
    schema = ", ".join(f"{name} string" for name in (*names, _ODD_LINE))
    table = read(schema=schema, enforceSchema=False, columnNameOfCorruptRecord=_ODD_LINE)
    # A line with too few fields lacks the last one.
    has_too_many = f"{_ODD_LINE} is not null and {names[-1]} is not null"
    too_many = f"raise_error(concat('the header has {len(names)} fields, and this line has more: ', {_ODD_LINE}))"
    not_text = "raise_error(concat('this is not UTF-8 text. Convert the file to UTF-8: ', {name}))"
    checked = "case when {too_many} when contains({name}, '\ufffd') then {not_text} else {name} end as {name}"
    return table.where(f"coalesce({', '.join(names)}) is not null").selectExpr(
        *(
            checked.format(name=name, too_many=f"{has_too_many} then {too_many}", not_text=not_text.format(name=name))
            for name in names
        )
    )


def _delimited(name: str, ending: str) -> Format:
    return Format(
        name=name,
        endings=(ending,),
        condition=_is_delimited,
        reader="delimited.read_delimited",
        duckdb=_delimited_in_duckdb,
        spark=_delimited_in_spark,
        is_delimited=True,
    )


FORMATS = (
    Format(
        name="TREC",
        condition=lambda head: True,
        reader="trec.read_trec",
        duckdb=lambda path, head: trec_lines.in_duckdb(path, head.kind, head.first_line),
        spark=lambda reader, path, head: trec_lines.in_spark(reader.text(path), head.kind),
        is_trec=True,
    ),
    _delimited("CSV", ".csv"),
    _delimited("TSV", ".tsv"),
    Format(
        name=_NO_HEADER,
        condition=_is_headerless,
        reader="delimited.read_headerless",
        is_one_object=True,
    ),
    Format(
        name="JSON",
        endings=(".json",),
        condition=_is_json,
        reader="json.read_json",
        duckdb=lambda path, head: f"read_json({path}, {_JSON_AS_WRITTEN})",
        spark=_json_in_spark,
        is_one_object=True,
    ),
    Format(
        name="JSON lines",
        endings=(".jsonl", ".ndjson"),
        condition=lambda head: head.ending in (".jsonl", ".ndjson"),
        reader="json.read_json_lines",
        duckdb=lambda path, head: f"read_json({path}, format = 'newline_delimited', {_JSON_AS_WRITTEN})",
        spark=_json_lines_in_spark,
    ),
    Format(
        name="Parquet",
        endings=(".parquet", ".pq"),
        magic=PARQUET,
        reader="columnar.read_parquet",
        duckdb=lambda path, head: f"read_parquet({path})",
        spark=lambda reader, path, head: reader.parquet(path),
    ),
    Format(
        name="Arrow",
        endings=(".arrow", ".ipc", ".feather"),
        magic=ARROW,
        reader="columnar.read_arrow",
    ),
    Format(
        name="ORC",
        endings=(".orc",),
        condition=lambda head: head.ending == ".orc",
        spark=lambda reader, path, head: reader.orc(path),
    ),
)
"""Every format, from the most general to the most special: the last one that recognises a file reads it."""

NAMES = tuple(
    format_.name for format_ in FORMATS if format_.reader is not None and (format_.endings or format_.is_trec)
)
READABLE = f"rankgold reads {', '.join(NAMES[:-1])} and {NAMES[-1]}, text also as .gz and .zst."


def recognise(head: Head) -> Format:
    """The format of a file."""
    return next(format_ for format_ in reversed(FORMATS) if format_.recognises(head))


def kind_of_pairs(head: Head) -> Kind:
    """The kind as which a file of pairs is read: TREC and headerless files have the columns of judgements or runs."""
    format_ = recognise(replace(head, kind="qrels"))
    has_names = not (format_.is_trec or format_.name == _NO_HEADER)
    if has_names and not format_.is_delimited:
        return "pairs"
    if trec_lines.is_trec_line(head.first_line, "run"):
        return "run"
    return "pairs" if has_names else "qrels"


def is_binary_format(first_bytes: bytes) -> bool:
    """Whether a file is of a binary format."""
    return any(format_.magic and first_bytes.startswith(format_.magic) for format_ in FORMATS)


def separator_of(header: str, named: Mapping[str, str]) -> str:
    """What separates the columns of a table with this header."""
    known = next((separator for separator in _SEPARATORS if _is_header(header, separator, named)), None)
    return known or first_separator(header) or ","


def first_separator(line: str) -> str | None:
    """The separator of columns that a line has; None if it has none."""
    return next((separator for separator in _SEPARATORS if separator in line), None)


def _is_known(ending: str) -> bool:
    return any(ending in format_.endings for format_ in FORMATS)


def _is_header(line: str, separator: str, named: Mapping[str, str]) -> bool:
    known = {alias for role in ("query", "document") for alias in ALIASES[role]}
    columns = [column.strip().strip('"') for column in line.split(separator)]
    return len(columns) > 1 and any(normal_name(column) in known or column in named.values() for column in columns)
