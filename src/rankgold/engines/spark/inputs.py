"""Reads what the user passed as Spark frames, and tables of Spark into this process."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import polars as pl

from rankgold.core.errors import DataError, PolicyError
from rankgold.core.policy import Policy
from rankgold.data.columns import WHAT, Kind, check_column_names, find_columns
from rankgold.data.exclusion import ids_of
from rankgold.data.formats.registry import Head, kind_of_pairs, recognise
from rankgold.data.inputs import NO_VALUE, folder_names, is_file, is_path, is_read_here, read, stem_and_ending
from rankgold.data.rows import Rows
from rankgold.engines.spark.dataframes import SparkInput, in_backticks, to_spark, with_rows_of_lists
from rankgold.engines.spark.rows import InputRows
from rankgold.engines.spark.session import is_spark_frame, session_for, spark_errors

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameReader, SparkSession


_LOCAL_AT_MOST = 10 << 20
_TABLE = re.compile(r"(\w+|`[^`]+`)(\.(\w+|`[^`]+`)){0,2}")


def is_small_file(source: object) -> bool:
    """Whether this is a file that is read faster in this process than by Spark."""
    return is_file(source) and os.path.getsize(source) <= _LOCAL_AT_MOST


def spark_input(
    data: object, kind: Kind, session: SparkSession, columns: Mapping[str, str] | None, repeats: str
) -> SparkInput:
    """Judgements or a run, from anything that holds one, with a row for each document."""
    return with_rows_of_lists(stored_input(data, kind, session, columns, repeats), kind, check_column_names(columns))


def stored_input(
    data: Any, kind: Kind, session: SparkSession, columns: Mapping[str, str] | None, repeats: str
) -> SparkInput:
    """The same as it is stored: a row may hold a list of documents."""
    if is_spark_frame(data):
        if data.isStreaming:
            raise DataError(
                "this is a stream. Evaluate its batches: foreachBatch with rankgold.Accumulator.", WHAT[kind]
            )
        return SparkInput(data, label=WHAT[kind])
    if (table := table_on_spark(data, session)) is not None:
        name = os.fspath(data)
        return SparkInput(table, label=name, name=name.rpartition(".")[2].strip("`"))
    if is_path(data) and not is_read_here(data):
        return _read_by_spark(os.fspath(data), kind, session, columns, repeats)
    return _read_here(data, kind, session, columns, repeats)


def table_on_spark(source: object, session: SparkSession) -> DataFrame | None:
    """The table or view of this name, if there is one; schema and catalog may come first."""
    from pyspark.errors import PySparkException

    if not is_path(source) or not _TABLE.fullmatch(os.fspath(source)):
        return None
    name = os.fspath(source)
    try:
        return session.table(name) if session.catalog.tableExists(name) else None
    except PySparkException:  # there is no such schema
        return None


def _read_here(
    data: object, kind: Kind, session: SparkSession, columns: Mapping[str, str] | None, repeats: str
) -> SparkInput:
    """Data read into this process and sent to Spark."""
    rows = read(data, kind, columns, repeats)
    table = rows.table()
    return SparkInput(
        to_spark(table.frame, session),
        label=WHAT[kind],
        name=rows.name,
        is_checked=True,
        remarks=table.remarks,
        empty_queries=rows.empty_queries(),
    )


def _read_by_spark(
    path: str, kind: Kind, session: SparkSession, columns: Mapping[str, str] | None, repeats: str
) -> SparkInput:
    """A path as Spark reads it: a file, a folder or a pattern, wherever Spark finds it."""
    name, ending = stem_and_ending(path.rstrip("/"))
    head = Head(kind, check_column_names(columns), ending, lambda: _first_line(session.read, path))
    if kind == "pairs":
        head = replace(head, kind=kind_of_pairs(head))
    format_ = recognise(head)
    if format_.is_one_object and is_file(path):
        return _read_here(path, kind, session, columns, repeats)
    if format_.spark is None:
        raise DataError(f"Spark does not read {format_.name} files. Convert the file, or use the local engine.", path)
    frame = format_.spark(session.read, path, head)
    folders = [] if is_file(path) else folder_names(frame.inputFiles())
    if folders:
        # Columns that are names of folders (query=007/): Spark makes numbers of them, and takes them instead of the
        # columns of files. It does not know them in a pattern, nor beside the columns of a table of text.
        in_files = format_.spark(session.read.option("recursiveFileLookup", True), path, head)
        known = {column.lower() for column in in_files.columns}
        added = [_folder_name(name) for name in folders if unquote(name).lower() not in known]
        frame = in_files.selectExpr("*", *added) if added else in_files
    return SparkInput(frame, label=path, name=name, is_trec=format_.is_trec)


def _folder_name(quoted: str) -> str:
    """An expression: what follows a name and `=` in the address of a row's file, where names are quoted."""
    before = re.sub(r"(['\\])", r"\\\1", f"/{quoted}=")
    name = f"substring_index(substring_index(_metadata.file_path, '{before}', -1), '/', 1)"
    # Quoted when the folder was written, and once more in the address of the file. A plus is not a space in either.
    for _ in range(2):
        name = f"url_decode(replace({name}, '+', '%2B'))"
    value = f"case when contains(_metadata.file_path, '{before}') then nullif({name}, '{NO_VALUE}') end"
    return f"{value} AS {in_backticks(unquote(quoted))}"


def _first_line(reader: DataFrameReader, path: str) -> str:
    """The first line of text that is neither blank nor a comment."""
    lines = reader.text(path).where("trim(value) != '' and not startswith(trim(value), '#')")
    # As bytes: the first line of a Parquet file is not text.
    first = lines.selectExpr("cast(value as binary) as line").limit(1).collect()
    if not first:
        raise DataError("the file is empty.", path)
    return bytes(first[0].line).decode(errors="replace").strip("\ufeff")


_UNORDERED = {
    ("ties", "input"): "the rows of a frame on Spark have no order by which to rank tied documents",
    ("duplicates", "first"): "the rows of a frame on Spark have no order, so there is no first one",
    ("duplicates", "last"): "the rows of a frame on Spark have no order, so there is no last one",
}
"""The choices of a policy that Spark does not support, and why."""


def check_order(policy: Policy) -> None:
    for (field, choice), reason in _UNORDERED.items():
        if getattr(policy, field) == choice:
            raise PolicyError(f"Spark does not support {field}={choice}: {reason}.")


@dataclass(frozen=True, slots=True)
class SparkReader:
    """Reads what Spark has. Without a session, one is found or started when it is needed."""

    session: SparkSession | None = None

    def holds(self, source: object) -> bool:
        if is_spark_frame(source):
            return True
        if not is_path(source) or is_read_here(source):
            return False
        with spark_errors():
            return not is_file(source) or table_on_spark(source, session_for(self.session, [])) is not None

    def rows(self, source: object, kind: Kind, columns: Mapping[str, str] | None, policy: Policy) -> Rows:
        check_order(policy)
        named = ids_of(columns) if kind == "pairs" else check_column_names(columns)
        with spark_errors():
            stored = stored_input(source, kind, session_for(self.session, [source]), columns, policy.repeats)
            found = find_columns(stored.frame.columns, kind, named, stored.label, lists=stored.list_columns)
            if stored.is_trec and (fault := InputRows.of(stored, kind, named).fault()):
                raise fault
            used = dict.fromkeys(map(in_backticks, found.present.values()))
            frame = pl.DataFrame(stored.frame.select(*used).toArrow())
        return stored.checked_rows(frame, kind, named)

    def all_columns(self, source: object) -> pl.DataFrame:
        with spark_errors():
            stored = stored_input(source, "pairs", session_for(self.session, [source]), None, "first")
            return pl.DataFrame(stored.frame.toArrow())
