"""Reads JSON and JSON lines.

JSON is `{query: {document: number}}`, `{query: [document, ...]}`, one of these for each run by name, or a list of
records. Judgements for subtopics are `{query: {document: {subtopic: grade}}}`. JSON lines have one record in each line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from rankgold.core.errors import DataError
from rankgold.data.columns import NO_RUN
from rankgold.data.dicts import DictRows, holds_named_runs, holds_subtopics
from rankgold.data.input_file import InputFile
from rankgold.data.matching.subtopic_judgements import table_of_subtopics
from rankgold.data.query_lists import ListReader, chosen_rows
from rankgold.data.records import table_of_records
from rankgold.data.rows import Rows, refuse_repeat, refuse_row
from rankgold.data.table import Table, row_places
from rankgold.data.value_faults import described

_SURROGATE = re.compile(r"\\ud[89a-f]", re.IGNORECASE)


def read_json(file: InputFile) -> Rows:
    """The rows of an object, or of a list of records."""
    text = file.text()
    parse = _parser(lambda pairs: _object(pairs, file))
    try:
        content = parse(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return read_json_lines(file)
        raise DataError(f"this is not JSON: {error.msg}.", f"{file.label}:{error.lineno}") from None
    except _UnreadableError as error:
        raise DataError(str(error), file.label) from None
    if isinstance(content, list) and content and all(isinstance(record, dict) for record in content):
        return table_of_records(content, file.source(row_places(file.label)))
    if not isinstance(content, dict):
        raise DataError("this JSON is not {query: {document: number}}, nor a list of records.", file.label)
    if file.kind == "labelled":
        raise DataError(NO_RUN, file.label)
    if file.kind == "qrels" and holds_subtopics(content, file.named):
        return table_of_subtopics(content, file.named, file.name, file.label, file.faults)
    several = file.kind == "run" and holds_named_runs(content)
    runs = content if several else {file.name: content}
    for name, run in runs.items():
        if not isinstance(run, dict):
            form = "Several runs in a file must be {run: {query: {document: score}}}."
            raise DataError(f"the run {name!r} has {described(run)}. {form}", file.label)
    return DictRows.of_runs(runs, ListReader(file.kind, file.repeats, file.label, file.named, file.faults))


def read_json_lines(file: InputFile) -> Table:
    """The table of one record per line."""
    records: list[dict[str, Any]] = []
    numbers = []
    parse = _parser(_record)
    for number, line in enumerate(file.lines(), start=1):
        if not line.strip("\ufeff \t\r"):
            continue
        try:
            records.append(_line_record(parse, line))
            numbers.append(number)
        except _UnreadableError as error:
            refuse_row(DataError(str(error), f"{file.label}:{number}"), file.faults)
    if not records:
        raise DataError("the file is empty.", file.label)
    return table_of_records(records, file.source(lambda row: f"{file.label}:{numbers[row]}"))


def _line_record(parse: Callable[[str], Any], line: str) -> dict[str, Any]:
    try:
        record = parse(line.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise _UnreadableError(f"this line is not JSON: {error}.") from None
    if not isinstance(record, dict):
        example = '{"query": "q1", "doc": "d1", "score": 0.5}'
        raise _UnreadableError(f"a line must be an object such as {example}.")
    return record


class _UnreadableError(Exception):
    """JSON that Python does not read, or text in it that is not text."""


def _parser(make_object: Callable[[list[tuple[str, Any]]], Any]) -> Callable[[str], Any]:
    """A function that parses JSON, and raises _UnreadableError if it cannot."""
    decoder = json.JSONDecoder(object_pairs_hook=make_object)

    def parse(text: str) -> Any:
        try:
            content = decoder.decode(text)
            if _SURROGATE.search(text):
                json.dumps(content, ensure_ascii=False).encode()
        except (json.JSONDecodeError, DataError):
            raise
        except RecursionError:
            raise _UnreadableError("this is nested too deeply. The form is {query: {document: number}}.") from None
        except UnicodeEncodeError as error:
            half = error.object[error.start].encode("unicode_escape").decode()
            raise _UnreadableError(f"{half} is half of a character, and not text. Correct the text.") from None
        except ValueError:  # Python has a limit, against attacks
            raise _UnreadableError("a number has thousands of digits. Shorten it.") from None
        return content

    return parse


def _object(pairs: list[tuple[str, Any]], file: InputFile) -> dict[str, Any]:
    """An object; a name may occur twice only if the policy decides which one counts."""
    content = dict(pairs)
    if len(content) == len(pairs):
        return content
    are_numbers = not any(isinstance(value, (dict, list)) for _, value in pairs)
    if file.repeats == "error" or (file.repeats == "best" and not are_numbers):
        refuse_repeat(
            DataError(
                f"{_repeated(pairs)!r} twice in one object. Remove one, or pass --policy duplicates=first"
                " (policy='duplicates=first' in Python).",
                file.label,
            ),
            file.faults,
        )
    names, values = zip(*pairs, strict=True)
    return chosen_rows(names, values, file.repeats)


def _record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise _UnreadableError(f"{_repeated(pairs)!r} twice in one object. Remove one.")
    return record


def _repeated(pairs: list[tuple[str, Any]]) -> str:
    names = [name for name, _ in pairs]
    return next(name for name in names if names.count(name) > 1)
