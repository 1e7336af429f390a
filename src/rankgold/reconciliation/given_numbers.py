"""A number as it was printed in, the number and how near another one has to be out; for all queries, or for each."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankgold.data.inputs import is_path
from rankgold.declaration.metric import Measure
from rankgold.declaration.parsing import is_measure, parse_text
from rankgold.errors import DataError, brief

_NUMBER = re.compile(r"[+-]?(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?|[+-]?\.(\d+)(?:[eE]([+-]?\d+))?")

# Sums in another order, or of 32 bits, differ by so much at most.
_ROUNDING = 1e-9
_QUERY_NAMES = ("query", "query_id", "qid", "topic", "user", "user_id", "userid")
_VALUE_NAMES = ("value", "score", "result")


@dataclass(frozen=True, slots=True)
class GivenNumber:
    """A number with the digits that it was given with."""

    value: float
    tolerance: float
    """Half of the last digit."""
    text: str

    @classmethod
    def of(cls, given: Any, digits: int | None = None) -> GivenNumber:
        """A number or its text; `digits` are its decimals, if there are fewer or more than it shows."""
        text = given.strip() if isinstance(given, str) else repr(float(given)) if _is_number(given) else ""
        found = _NUMBER.fullmatch(text)
        if found is None or not math.isfinite(float(text)):
            raise DataError(f"a value is a number such as 0.412, not {brief(given)}.")
        decimals = len(found[2] or found[4] or "") - int(found[3] or found[5] or 0)
        shown = decimals if digits is None else digits
        return cls(float(text), 0.5 * 10.0**-shown + _ROUNDING, text)

    def admits(self, number: float) -> bool:
        """Whether a number is printed like this one."""
        return abs(number - self.value) <= self.tolerance


def _is_number(given: Any) -> bool:
    return isinstance(given, (int, float)) and not isinstance(given, bool) and math.isfinite(given)


def read_per_query(given: Any, measure: Measure) -> dict[str, GivenNumber]:
    """The value of each query: a dict, or a file as tools print it (trec_eval -q, CSV, TSV or JSON)."""
    if isinstance(given, Mapping):
        return _from_mapping(given, measure, "the values of queries")
    if not is_path(given):
        raise DataError(f"the values of queries are a dict or a path, not {type(given).__name__}.")
    path = Path(given)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise DataError("this is not UTF-8 text.", str(path)) from None
    except OSError as error:
        raise DataError(f"{error.strerror or error}.", str(path)) from None
    if text.lstrip().startswith(("{", "[")):
        try:
            # Numbers stay text, so that 0.50 has two digits.
            content = json.loads(text, parse_float=str, parse_int=str)
        except ValueError as error:
            raise DataError(f"this is not JSON: {error}.", str(path)) from None
        return _from_json(content, measure, str(path))
    return _from_lines(text, measure, str(path))


def _from_json(content: Any, measure: Measure, place: str) -> dict[str, GivenNumber]:
    if isinstance(content, dict) and isinstance(content.get("runs"), dict):
        runs = list(content["runs"].values())
        if len(runs) != 1 or not isinstance(runs[0], dict) or "per_query" not in runs[0]:
            raise DataError("these scores need one run, saved with the values of its queries (per_query).", place)
        content = runs[0]["per_query"]
    if isinstance(content, list):
        if not all(isinstance(record, dict) for record in content):
            raise DataError("a list of values has an object for each query.", place)
        content = {_field(record, _QUERY_NAMES, place): record for record in content}
    return _from_mapping(content, measure, place)


def _from_mapping(content: Mapping[Any, Any], measure: Measure, place: str) -> dict[str, GivenNumber]:
    values: dict[str, GivenNumber] = {}
    for query, value in content.items():
        number = _of_measure(value, measure, place) if isinstance(value, Mapping) else value
        if number is not None:
            values[str(query)] = _number_at(number, f"{place}, query {query!r}")
    return _checked(values, measure, place)


def _of_measure(row: Mapping[Any, Any], measure: Measure, place: str) -> Any:
    """The value of the measure among several, under any of its names; the only one, if there is one."""
    for name, value in row.items():
        if is_measure(str(name)) and _is_same(parse_text(str(name)), measure):
            return value
    values = [row[name] for name in row if str(name).lower() in _VALUE_NAMES]
    if not values:
        values = [value for name, value in row.items() if str(name).lower() not in _QUERY_NAMES]
    if len(values) != 1:
        raise DataError(f"there are several measures, and none is called {measure}: {', '.join(map(str, row))}.", place)
    return values[0]


def _is_same(named: Measure, measure: Measure) -> bool:
    """Whether a name of another tool can mean the measure: its parameters are what is looked for."""
    return named.metric is measure.metric and named.k == measure.k


def _field(record: Mapping[str, Any], names: tuple[str, ...], place: str) -> Any:
    for name, value in record.items():
        if name.lower() in names:
            return value
    raise DataError(f"an object has no query: one of {', '.join(names)} is needed.", place)


def _from_lines(text: str, measure: Measure, place: str) -> dict[str, GivenNumber]:
    """Lines of `measure query value`, as trec_eval -q prints them, or of a table with a header."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise DataError("the file is empty.", place)
    separator = next((mark for mark in ("\t", ",", ";") if mark in lines[0][1]), None)
    rows = [(number, _cells(line, separator)) for number, line in lines]
    head = rows[0][1]
    if any(cell.lower() in _QUERY_NAMES for cell in head):
        records = [dict(zip(head, cells, strict=False)) for _, cells in rows[1:]]
        return _from_json(records, measure, place)
    values: dict[str, GivenNumber] = {}
    for number, cells in rows:
        if len(cells) == 3:
            name, query, value = cells
            if not is_measure(name) or not _is_same(parse_text(name), measure):
                continue
        elif len(cells) == 2:
            query, value = cells
            if number == rows[0][0] and not _NUMBER.fullmatch(value):
                continue  # a header
        else:
            raise DataError("a line has a query and a value, or a measure, a query and a value.", f"{place}:{number}")
        if query != "all":
            values[query] = _number_at(value, f"{place}:{number}")
    return _checked(values, measure, place)


def _cells(line: str, separator: str | None) -> list[str]:
    """The cells of a line: between separators, with quotes as in CSV, or between spaces."""
    cells = line.split() if separator is None else next(csv.reader([line], delimiter=separator))
    return [cell.strip() for cell in cells]


def _number_at(value: Any, place: str) -> GivenNumber:
    try:
        return GivenNumber.of(value)
    except DataError as error:
        raise DataError(str(error), place) from None


def _checked(values: dict[str, GivenNumber], measure: Measure, place: str) -> dict[str, GivenNumber]:
    if not values:
        raise DataError(f"there is no value of {measure} for any query.", place)
    return values
