"""A JSON or JSON lines file in, its rows out.

JSON is `{query: {document: number}}`, `{query: [document, ...]}`, one of these for each run by name, or a list of
records. JSON lines have one record in each line.
"""

from __future__ import annotations

import json
from typing import Any

from rankgold.data.dicts import DictRows, holds_named_runs
from rankgold.data.frames import frame_of_records
from rankgold.data.input_file import InputFile
from rankgold.data.rows import Rows
from rankgold.data.table import Table, row_places
from rankgold.errors import DataError


def read_json(file: InputFile) -> Rows:
    """The rows of an object, or of a list of records."""
    text = "\n".join(file.lines()).removeprefix("\ufeff")
    try:
        content = json.loads(text, object_pairs_hook=lambda pairs: _object(pairs, file))
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return read_json_lines(file)
        raise DataError(f"this is not JSON: {error.msg}.", f"{file.label}:{error.lineno}") from None
    except RecursionError:
        raise DataError("this is nested too deeply. The form is {query: {document: number}}.", file.label) from None
    if isinstance(content, list) and content and all(isinstance(record, dict) for record in content):
        return file.check_table(frame_of_records(content), row_places(file.label))
    if not isinstance(content, dict):
        raise DataError("this JSON is not {query: {document: number}}, nor a list of records.", file.label)
    several = file.kind == "run" and holds_named_runs(content)
    runs = content if several else {file.name: content}
    return DictRows.of_runs(runs, file.kind, file.duplicates, file.label)


def _object(pairs: list[tuple[str, Any]], file: InputFile) -> dict[str, Any]:
    """An object, in which a name may stand twice only if the policy says which one counts."""
    content = dict(pairs) if file.duplicates != "first" else dict(reversed(pairs))
    if len(content) == len(pairs):
        return dict(pairs)
    if file.duplicates == "error":
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(
            f"{twice!r} twice in one object. Remove one, or pass --policy duplicates=first"
            " (policy='duplicates=first' in Python).",
            file.label,
        )
    return {name: content[name] for name, _ in pairs}


def read_json_lines(file: InputFile) -> Table:
    """The table of one record per line."""
    records: list[dict[str, Any]] = []
    numbers = []
    for number, line in enumerate(file.lines(), start=1):
        if not line.strip("\ufeff \t\r"):
            continue
        try:
            record = json.loads(line.removeprefix("\ufeff"))
        except (json.JSONDecodeError, RecursionError) as error:
            raise DataError(f"this line is not JSON: {error}.", f"{file.label}:{number}") from None
        if not isinstance(record, dict):
            example = '{"query": "q1", "doc": "d1", "score": 0.5}'
            raise DataError(f"a line is an object such as {example}.", f"{file.label}:{number}")
        records.append(record)
        numbers.append(number)
    if not records:
        raise DataError("the file is empty.", file.label)
    return file.check_table(frame_of_records(records), lambda row: f"{file.label}:{numbers[row]}")
