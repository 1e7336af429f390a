"""Values of queries in, as a dict or a file of any tool, the number of each query out."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from rankgold.data.files import open_file
from rankgold.data.formats.columnar import frame_of_columns
from rankgold.data.formats.registry import READABLE
from rankgold.data.input_file import InputFile
from rankgold.data.inputs import is_path
from rankgold.declaration.metric import Measure
from rankgold.declaration.parsing import is_measure, parse_text
from rankgold.errors import DataError, brief
from rankgold.reconciliation.given_numbers import GivenNumber, is_number

# Without case, spaces, hyphens and underscores.
_QUERY_NAMES = ("query", "queryid", "qid", "topic", "topicid", "user", "userid")
_MEASURE_NAMES = ("measure", "metric")
_VALUE_NAMES = ("value", "score", "result")
_SUMMARY = "all"
_MISSING = ("", "nan", "none", "null", "na", "n/a")

Record = tuple[str, Mapping[Any, Any]]
"""A place, and names with their values."""


def read_per_query(given: object, measure: Measure) -> dict[str, GivenNumber]:
    """The value of each query: a dict, or a file as tools write it (trec_eval -q, CSV, TSV, JSON, Parquet, Arrow)."""
    if isinstance(given, Mapping):
        return _Values(measure, "the values of queries").of_mapping(given)
    if not is_path(given):
        raise DataError(f"the values of queries must be a dict or a path, not {type(given).__name__}.")
    file = open_file(given, "pairs", {})
    values = _Values(measure, file.label)
    content = _content(file)
    if not isinstance(content, str):
        return values.of_json(content)
    is_json = content.lstrip().startswith(("{", "["))
    return values.of_json(_parsed(content, file.label)) if is_json else values.of_lines(content)


def _content(file: InputFile) -> str | list[dict[str, Any]]:
    """The text of a file, unpacked, or the rows of its table."""
    with file.translated_faults():
        if (frame := frame_of_columns(file)) is not None:
            return frame.to_dicts()
        if b"\0" in file.head() and not file.packing:
            raise DataError(f"this is a binary file of no known format. {READABLE}", file.label)
        return file.text()


def _parsed(text: str, place: str) -> Any:
    """The content of JSON, or a list of the objects of JSON lines. Numbers stay text, so that 0.50 has two digits."""
    try:
        return json.loads(text, parse_float=str, parse_int=str)
    except RecursionError:
        raise DataError("this JSON is nested too deep.", place) from None
    except ValueError as error:
        problem = error
    try:
        return [json.loads(line, parse_float=str, parse_int=str) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        raise DataError(f"this is not JSON: {problem}.", place) from None


class _Values:
    """The values of one measure, which are collected from one place."""

    def __init__(self, measure: Measure, place: str) -> None:
        self._measure = measure
        self._place = place
        self._values: dict[str, GivenNumber] = {}

    def of_json(self, content: Any) -> dict[str, GivenNumber]:
        if isinstance(content, dict) and isinstance(content.get("runs"), dict):
            runs = list(content["runs"].values())
            if len(runs) != 1 or not isinstance(runs[0], dict) or not isinstance(runs[0].get("per_query"), dict):
                message = "these scores need one run, saved with the values of its queries (per_query)."
                raise DataError(message, self._place)
            content = runs[0]["per_query"]
        if isinstance(content, dict):
            return self.of_mapping(content)
        if not all(isinstance(record, dict) for record in content):
            raise DataError("a list of values must have an object for each query.", self._place)
        return self._of_records((f"{self._place}, object {i}", record) for i, record in enumerate(content, 1))

    def of_mapping(self, content: Mapping[Any, Any]) -> dict[str, GivenNumber]:
        """Query -> value, query -> measure -> value, or measure -> query -> value."""
        by_measure = [name for name, row in content.items() if isinstance(row, Mapping) and self._is_named(name)]
        if len(by_measure) == 1 and not any(self._is_named(name) for name in content[by_measure[0]]):
            content = content[by_measure[0]]
        for query, value in content.items():
            number = self._in_row(value, self._place) if isinstance(value, Mapping) else value
            self._add(query, number, f"{self._place}, query {brief(query)}")
        return self._checked()

    def of_lines(self, text: str) -> dict[str, GivenNumber]:
        """Lines of `measure query value`, as trec_eval -q prints them, or of a table with or without a header."""
        lines = [(f"{self._place}:{number}", line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        if not lines:
            raise DataError("the file is empty.", self._place)
        separator = _separator(lines[0][1])
        rows = [(place, _cells(line, separator, place)) for place, line in lines]
        head = rows[0][1]
        if _is_header(head):
            names = head if any(_is_among(name, _QUERY_NAMES) for name in head) else ["query", *head[1:]]
            for place, cells in rows[1:]:
                if len(cells) != len(names):
                    raise DataError(f"the header has {len(names)} fields, and this line has {len(cells)}.", place)
            return self._of_records((place, dict(zip(names, cells, strict=True))) for place, cells in rows[1:])
        # trec_eval has the measure first, and ir_measures the query.
        three = [cells for _, cells in rows if len(cells) == 3]
        at = int(sum(self._is_named(cells[1]) for cells in three) > sum(self._is_named(cells[0]) for cells in three))
        for place, cells in rows:
            if len(cells) not in {2, 3}:
                raise DataError("a line must have a query and a value, or a measure, a query and a value.", place)
            if len(cells) == 2:
                if place != rows[0][0] or is_number(cells[1]):  # else a header
                    self._add(cells[0], cells[1], place)
            elif self._is_named(cells[at]):
                self._add(cells[1 - at], cells[2], place)
        return self._checked()

    def _of_records(self, records: Iterable[Record]) -> dict[str, GivenNumber]:
        for place, record in records:
            query = _field(record, _QUERY_NAMES)
            if query is None:
                raise DataError(f"there is no query: one of {', '.join(_QUERY_NAMES)} is needed.", place)
            named = _field(record, _MEASURE_NAMES)
            if named is None or self._is_named(named):
                self._add(query, self._in_row(record, place), place)
        return self._checked()

    def _in_row(self, row: Mapping[Any, Any], place: str) -> Any:
        """The value of the measure among several, under any of its names; the only one, if there is one."""
        for name, value in row.items():
            if self._is_named(name):
                return value
        values = [value for name, value in row.items() if _is_among(name, _VALUE_NAMES)]
        if not values:
            values = [value for name, value in row.items() if not _is_among(name, _QUERY_NAMES)]
        if len(values) != 1:
            what = "are several measures" if values else "is no measure"
            raise DataError(f"there {what}, and none is called {self._measure}: {', '.join(map(str, row))}.", place)
        return values[0]

    def _is_named(self, name: object) -> bool:
        """True if a name of any tool can mean the measure, whatever its parameters."""
        if not is_measure(str(name)):
            return False
        named = parse_text(str(name))
        return named.metric is self._measure.metric and named.k == self._measure.k

    def _add(self, query: object, value: object, place: str) -> None:
        """Adds a value. A query without one is left out, and so is the line of the mean."""
        is_nan = isinstance(value, float) and math.isnan(value)
        if str(query) == _SUMMARY or value is None or is_nan or str(value).strip().lower() in _MISSING:
            return
        if str(query) in self._values:
            raise DataError(f"query {brief(query)} has two values. Remove one of them.", place)
        try:
            self._values[str(query)] = GivenNumber.of(value)
        except DataError as error:
            raise DataError(str(error), place) from None

    def _checked(self) -> dict[str, GivenNumber]:
        if not self._values:
            raise DataError(f"there is no value of {self._measure} for any query.", self._place)
        return self._values


def _separator(line: str) -> str | None:
    """The separator between cells: a semicolon if there are decimal commas."""
    marks = ("\t", ";", ",") if is_number(line.rpartition(";")[2].strip()) else ("\t", ",", ";")
    return next((mark for mark in marks if mark in line), None)


def _cells(line: str, separator: str | None, place: str) -> list[str]:
    """The cells of a line: between separators, with quotes as in CSV, or between spaces."""
    try:
        cells = line.split() if separator is None else next(csv.reader([line], delimiter=separator))
    except csv.Error as error:
        raise DataError(f"this line cannot be read: {error}.", place) from None
    return [cell.strip() for cell in cells]


def _is_header(cells: list[str]) -> bool:
    """True if cells are column names: one names the query, or all but the first name measures."""
    if any(_is_among(cell, _QUERY_NAMES) for cell in cells):
        return True
    return len(cells) > 1 and all(map(is_measure, cells[1:]))


def _field(record: Mapping[Any, Any], names: tuple[str, ...]) -> Any:
    return next((value for name, value in record.items() if _is_among(name, names)), None)


def _is_among(name: object, names: tuple[str, ...]) -> bool:
    return re.sub(r"[\s_-]", "", str(name)).lower() in names
