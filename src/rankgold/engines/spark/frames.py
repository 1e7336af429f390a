"""What the user passed, as frames of Spark's: paths are read by Spark, and what is local is sent there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankgold.data.columns import WHAT, Kind, check_column_names
from rankgold.data.formats.registry import Head, recognise, separator_of
from rankgold.data.formats.trec_lines import FIELDS, is_trec_line
from rankgold.data.inputs import given_runs, read
from rankgold.data.paths import stem_and_ending
from rankgold.engines.spark.session import is_frame
from rankgold.errors import DataError

_LOCAL_AT_MOST = 10 << 20


@dataclass(frozen=True)
class Source:
    """One frame, what its run is called unless the rows say otherwise, and what errors call it."""

    frame: Any
    name: str
    what: str
    is_trec: bool = False


def runs_given(run: Any) -> list[tuple[str | None, Any]]:
    """The runs that the user passed, with the names given to them."""
    if is_frame(run):
        return [(None, run)]
    if isinstance(run, Mapping) and any(is_frame(one) for one in run.values()):
        return [(str(name), one) for name, one in run.items()]
    if isinstance(run, (list, tuple)) and any(is_frame(one) for one in run):
        return [(None, one) for one in run]
    return given_runs(run)


def is_path(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike))


def is_small_file(source: Any) -> bool:
    """Whether this is a file here that is read sooner than Spark is asked for it."""
    return is_path(source) and os.path.isfile(source) and os.path.getsize(source) <= _LOCAL_AT_MOST


def source_of(one: Any, kind: Kind, session: Any, columns: Mapping[str, str] | None) -> list[Source]:
    """The frame of something that holds judgements or a run; several of a dict that holds several."""
    if is_frame(one):
        if one.isStreaming:
            raise DataError(
                "this is a stream. Evaluate its batches: foreachBatch with rankgold.Accumulator.", WHAT[kind]
            )
        return [Source(one, "run", WHAT[kind])]
    if is_path(one):
        return [_read(os.fspath(one), kind, session, columns)]
    return [Source(frame, name, WHAT[kind]) for name, frame in _sent(one, kind, session, columns)]


def _sent(one: Any, kind: Kind, session: Any, columns: Mapping[str, str] | None) -> list[tuple[str, Any]]:

    table = read(one, kind, columns).table()
    return [("run", session.createDataFrame(table.frame.to_arrow()))]


def _read(path: str, kind: Kind, session: Any, columns: Mapping[str, str] | None) -> Source:
    """A path as Spark reads it: a file, a folder or a pattern, wherever Spark finds it."""
    name, ending = stem_and_ending(path.rstrip("/"))
    reader = session.read
    if ending in (".parquet", ".pq"):
        return Source(reader.parquet(path), name, path)
    if ending == ".orc":
        return Source(reader.orc(path), name, path)
    if ending in (".jsonl", ".ndjson"):
        return Source(reader.json(path), name, path)
    first = reader.text(path).where("trim(value) != '' and not startswith(trim(value), '#')").limit(1).collect()
    if not first:
        raise DataError("the file is empty.", path)
    line = str(first[0].value).strip("\ufeff")
    if line.startswith("PAR1"):
        return Source(reader.parquet(path), name, path)
    looks_like = "" if is_trec_line(line, kind) else line.lstrip()[:1]
    if looks_like == "{":
        return Source(reader.json(path), name, path)
    if looks_like == "[":
        raise DataError("Spark reads JSON as lines, an object each. Convert the file, or use the local engine.", path)
    named = check_column_names(columns)
    if recognise(Head(kind, named, ending, line)).name != "TREC text":
        separator = separator_of(line, named)
        return Source(reader.csv(path, sep=separator, header=True, escape='"', multiLine=False), name, path)
    return Source(_trec(reader.text(path), kind), name, path, is_trec=True)


def _trec(lines: Any, kind: Kind) -> Any:
    """The fields of TREC's lines. One with too few or too many has no query, and its text in place of the document."""
    fields = FIELDS[kind]
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
