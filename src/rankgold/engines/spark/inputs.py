"""What the user passed in, Spark DataFrames out: Spark reads paths, and data of this process is sent to Spark."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankgold.data.columns import TREC_FIELDS, WHAT, Kind, checked_columns
from rankgold.data.files import is_trec_row, separator_of
from rankgold.data.inputs import read, runs_in
from rankgold.data.paths import stem_and_ending
from rankgold.engines.spark.session import is_frame
from rankgold.errors import DataError
from rankgold.matching.tabular import as_table

_LOCAL_AT_MOST = 10 << 20


@dataclass(frozen=True)
class SparkInput:
    """Judgements or runs as a Spark DataFrame with any columns."""

    frame: Any
    name: str
    """The name of the run, where no column of runs names it."""
    label: str
    """What errors call it."""
    is_trec: bool = False


def runs_given(run: Any) -> list[tuple[str | None, Any]]:
    """The runs that the user passed, with the names given to them."""
    if is_frame(run):
        return [(None, run)]
    if isinstance(run, Mapping) and any(map(is_frame, run.values())):
        return [(str(name), data) for name, data in run.items()]
    if isinstance(run, (list, tuple)) and any(map(is_frame, run)):
        return [(None, data) for data in run]
    return runs_in(run)


def is_path(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike))


def is_small_file(source: Any) -> bool:
    """Whether this is a file that is read faster in this process than by Spark."""
    return is_path(source) and os.path.isfile(source) and os.path.getsize(source) <= _LOCAL_AT_MOST


def spark_input(data: Any, kind: Kind, session: Any, columns: Mapping[str, str] | None) -> SparkInput:
    """Judgements or a run, from anything that holds one."""
    if is_frame(data):
        if data.isStreaming:
            raise DataError(
                "this is a stream. Evaluate its batches: foreachBatch with rankgold.Accumulator.", WHAT[kind]
            )
        return SparkInput(data, "run", WHAT[kind])
    if is_path(data):
        return _read(os.fspath(data), kind, session, columns)
    table = as_table(read(data, kind, columns), kind)
    return SparkInput(session.createDataFrame(table.frame.to_arrow()), "run", WHAT[kind])


def _read(path: str, kind: Kind, session: Any, columns: Mapping[str, str] | None) -> SparkInput:
    """A path as Spark reads it: a file, a folder or a pattern, wherever Spark finds it."""
    name, ending = stem_and_ending(path.rstrip("/"))
    reader = session.read
    if ending in (".parquet", ".pq"):
        return SparkInput(reader.parquet(path), name, path)
    if ending == ".orc":
        return SparkInput(reader.orc(path), name, path)
    if ending in (".jsonl", ".ndjson"):
        return SparkInput(reader.json(path), name, path)
    first = reader.text(path).where("trim(value) != '' and not startswith(trim(value), '#')").limit(1).collect()
    if not first:
        raise DataError("the file is empty.", path)
    line = str(first[0].value).strip("\ufeff")
    if line.startswith("PAR1"):
        return SparkInput(reader.parquet(path), name, path)
    looks_like = "" if is_trec_row(line, kind) else line.lstrip()[:1]
    if looks_like == "{":
        return SparkInput(reader.json(path), name, path)
    if looks_like == "[":
        raise DataError("Spark reads JSON as lines, an object each. Convert the file, or use the local engine.", path)
    separator = separator_of(line, kind, checked_columns(columns), is_table=ending in (".csv", ".tsv"))
    if separator is not None:
        return SparkInput(reader.csv(path, sep=separator, header=True, escape='"', multiLine=False), name, path)
    return SparkInput(_trec(reader.text(path), kind), name, path, is_trec=True)


def _trec(lines: Any, kind: Kind) -> Any:
    """The fields of TREC lines. A line with too few or too many fields has no query, and its text as document."""
    fields = TREC_FIELDS[kind]
    parts = lines.selectExpr(r"split(trim(BOTH ' \t\r\ufeff' FROM value), '[ \\t]+') as parts").where(
        "parts[0] != '' and not startswith(parts[0], '#')"
    )
    instead = {"document": " else concat_ws(' ', parts)"}
    return parts.selectExpr(
        *(
            f"case when size(parts) = {len(fields)} then parts[{i}]{instead.get(field, '')} end as {field}"
            for i, field in enumerate(fields)
        )
    )
