"""Reads the numbers to explain, of all queries or of each, and says how near is near."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from rankgold.audit.outcomes import ConventionOutcome
from rankgold.core.errors import DataError, brief
from rankgold.core.segments import Bools, Floats, Ints
from rankgold.data.files import open_file
from rankgold.data.formats.columnar import frame_of_columns
from rankgold.data.formats.registry import READABLE
from rankgold.data.input_file import InputFile
from rankgold.data.inputs import is_path
from rankgold.measures.metric import Measure
from rankgold.measures.notation import is_measure, parse_text

_NUMBER = re.compile(r"[+-]?(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d{1,3}))?(\s*%)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"([+-]?\d*),(\d+)(\s*%)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)

# Sums in another order, or of 32 bits, differ by so much at most.
_ROUNDING = 1e-9
_MOST_DIGITS = 300


@dataclass(frozen=True, slots=True)
class GivenNumber:
    """A number with the digits that it was given with."""

    value: float
    tolerance: float
    """Half of the last digit."""
    text: str

    @classmethod
    def of(cls, given: object, digits: int | None = None) -> GivenNumber:
        """A number or its text; `digits` are its decimals, if there are fewer or more than it shows.

        >>> GivenNumber.of("41,2 %").value, GivenNumber.of("0.4120").text
        (0.41200000000000003, '0.4120')
        """
        text = given.strip() if isinstance(given, str) else _shown(given)
        found = _NUMBER.fullmatch(_with_point(text))
        number = math.nan if found is None else float(found[0].rstrip("% "))
        if found is None or not math.isfinite(number):
            raise DataError(f"a value must be a number such as 0.412, not {brief(given)}.")
        decimals = len(found[2] or found[3] or "") - int(found[4] or 0)
        shown = max(-_MOST_DIGITS, min(decimals if digits is None else _checked(digits), _MOST_DIGITS))
        scale = 100 if found[5] else 1
        return cls(number / scale, 0.5 * 10.0**-shown / scale + _ROUNDING, text)

    def admits(self, number: float) -> bool:
        """True if a number prints like this one."""
        return abs(number - self.value) <= self.tolerance

    @property
    def fraction(self) -> GivenNumber:
        """The number, if it was a percentage."""
        return GivenNumber(self.value / 100, self.tolerance / 100, self.text)


def is_number(text: str) -> bool:
    """Whether a text is a number that can be given."""
    return _NUMBER.fullmatch(_with_point(text)) is not None


def _shown(given: object) -> str:
    """A number of Python or NumPy with all its digits: 32-bit floats have fewer."""
    if isinstance(given, bool) or not isinstance(given, Real):
        return ""
    try:
        return str(float(given) if isinstance(given, Integral) else given)
    except OverflowError:
        return ""


def _with_point(text: str) -> str:
    """The text with a decimal point in place of a decimal comma; 1,234 may be either, and stays as it is."""
    found = None if _THOUSANDS.fullmatch(text) else _DECIMAL_COMMA.fullmatch(text)
    return text if found is None else f"{found[1]}.{found[2]}{found[3] or ''}"


def _checked(digits: object) -> int:
    if isinstance(digits, bool) or not isinstance(digits, int) or digits < 0:
        raise DataError(f"digits= must be a whole number from 0, not {brief(digits)}.")
    return digits


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """What the search looks for: a number, values of queries, or both."""

    number: GivenNumber | None
    at: Ints
    """The places of the queries with a value among all judged queries."""
    values: Floats
    tolerance: Floats
    unknown: tuple[str, ...]
    """The queries with a value that are not judged."""

    @classmethod
    def of(cls, number: GivenNumber | None, per_query: dict[str, GivenNumber], queries: list[Any]) -> Target:
        place = {str(query): i for i, query in enumerate(queries)}
        judged = {place[query]: given for query, given in per_query.items() if query in place}
        return cls(
            number,
            np.array(list(judged), dtype=np.int64),
            np.array([given.value for given in judged.values()]),
            np.array([given.tolerance for given in judged.values()]),
            tuple(query for query in per_query if query not in place),
        )

    def as_percentages(self) -> tuple[Target, tuple[str, ...]]:
        """The target with values above 1 divided by 100, and notes on that."""
        target, notes = self, []
        if self.number is not None and self.number.value > 1:
            target = replace(target, number=self.number.fraction)
            notes.append("the number was taken as a percentage")
        if self.values.max(initial=0) > 1:
            target = replace(target, values=self.values / 100, tolerance=self.tolerance / 100)
            notes.append("the values of queries were taken as percentages")
        return target, tuple(notes)

    def agreeing(self, outcome: ConventionOutcome) -> Bools:
        """Which of the given values of queries the convention gives."""
        close: Bools = np.abs(outcome.values[self.at] - self.values) <= self.tolerance
        return close

    def count_agreeing(self, outcome: ConventionOutcome) -> int | None:
        """How many of the given values of queries the convention gives; None if none were given."""
        return int(self.agreeing(outcome).sum()) if len(self.at) else None

    def difference(self, outcome: ConventionOutcome) -> float:
        return math.nan if self.number is None else outcome.number - self.number.value

    def admits(self, outcome: ConventionOutcome) -> bool:
        """True if the convention gives the number and all per-query values."""
        is_near = self.number is None or self.number.admits(outcome.number)
        return is_near and bool(self.agreeing(outcome).all())

    def order(self, group: list[ConventionOutcome]) -> tuple[float, float, float]:
        """Queries that do not agree, then steps from what was written, then the distance of the number."""
        missed = int((~self.agreeing(group[0])).sum())
        away = 0.0 if self.number is None else abs(self.difference(group[0]))
        return missed, min(outcome.candidate.steps for outcome in group), math.inf if math.isnan(away) else away

    def distance(self, group: list[ConventionOutcome]) -> tuple[float, float]:
        """The distance of conventions when none fits."""
        missed, steps, away = self.order(group)
        return (missed, steps) if len(self.at) else (away, steps)


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
