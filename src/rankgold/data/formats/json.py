"""JSON: `{query: {document: number}}`, `{query: [document, ...]}`, a list of records; and JSON lines, a record each."""

from __future__ import annotations

import json
from typing import Any

from rankgold.data.frames import frame_of_records
from rankgold.data.input_file import Source
from rankgold.data.table import Table, rows_of
from rankgold.errors import DataError


def read_json(source: Source) -> Table | dict[str, Any]:
    """A dict, or the table of a list of records."""
    text = "\n".join(source.lines()).removeprefix("\ufeff")
    try:
        content = json.loads(text, object_pairs_hook=lambda pairs: _object(pairs, source))
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return read_json_lines(source)
        raise DataError(f"this is not JSON: {error.msg}.", f"{source.label}:{error.lineno}") from None
    except RecursionError:
        raise DataError("this is nested too deeply. The form is {query: {document: number}}.", source.label) from None
    if isinstance(content, list) and content and all(isinstance(record, dict) for record in content):
        return source.table(frame_of_records(content), rows_of(source.label))
    if not isinstance(content, dict):
        raise DataError("this JSON is not {query: {document: number}}, nor a list of records.", source.label)
    return content


def _object(pairs: list[tuple[str, Any]], source: Source) -> dict[str, Any]:
    """An object, in which a name may stand twice only if the policy says which one counts."""
    content = dict(pairs) if source.duplicates != "first" else dict(reversed(pairs))
    if len(content) == len(pairs):
        return dict(pairs)
    if source.duplicates == "error":
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(
            f"{twice!r} twice in one object. Remove one, or pass --policy duplicates=first"
            " (policy='duplicates=first' in Python).",
            source.label,
        )
    return {name: content[name] for name, _ in pairs}


def read_json_lines(source: Source) -> Table:
    """The table of a record a line."""
    records: list[dict[str, Any]] = []
    numbers = []
    for number, line in enumerate(source.lines(), start=1):
        if not line.strip("\ufeff \t\r"):
            continue
        try:
            record = json.loads(line.removeprefix("\ufeff"))
        except (json.JSONDecodeError, RecursionError) as error:
            raise DataError(f"this line is not JSON: {error}.", f"{source.label}:{number}") from None
        if not isinstance(record, dict):
            example = '{"query": "q1", "doc": "d1", "score": 0.5}'
            raise DataError(f"a line is an object such as {example}.", f"{source.label}:{number}")
        records.append(record)
        numbers.append(number)
    if not records:
        raise DataError("the file is empty.", source.label)
    return source.table(frame_of_records(records), lambda row: f"{source.label}:{numbers[row]}")
