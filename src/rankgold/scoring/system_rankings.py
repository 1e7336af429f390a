"""Scores of several systems in, in Python or in a file that `evaluate` wrote; a leaderboard for each measure out."""

from __future__ import annotations

import csv
import json
import math
import os
import re
from collections.abc import Mapping
from numbers import Real
from typing import Any

from rankgold.data.inputs import is_file, is_path, unused_name
from rankgold.data.paths import stem_and_ending
from rankgold.declaration.parsing import is_measure, parse_text
from rankgold.errors import DataError, listing
from rankgold.output.csv import name_of_field
from rankgold.scoring.run_scores import Means
from rankgold.scoring.scores import Scores

Boards = dict[str, dict[str, float]]
"""Measure -> system -> score, higher for better. It is a run, with measures for queries and systems for documents."""

_Means = Mapping[str, Mapping[str, float | None]]
_UNNAMED = "systems"
_START = 100  # characters of a JSON file that show whether it may hold scores


def named_leaderboards(source: Any) -> list[tuple[str, Boards]]:
    """The given leaderboards by name; none if the input is something else."""
    if (boards := _leaderboards(source)) is not None:
        return [(_name(source), boards)]
    if isinstance(source, Mapping):
        named = [(str(name), value) for name, value in source.items()]
    else:
        named = [(_name(value), value) for value in source] if isinstance(source, (list, tuple)) else []
    found: list[tuple[str, Boards]] = []
    for name, value in named:
        # A dict in a dict is a list of documents, and not the scores of systems.
        if (not isinstance(value, Scores) and not is_path(value)) or (boards := _leaderboards(value)) is None:
            return []
        found.append((unused_name(name, [taken for taken, _ in found]), boards))
    return found


def boards_to_compare(first: Boards, second: Boards) -> tuple[Boards, Boards]:
    """The leaderboards to compare: the only one of each side, else those of each shared measure."""
    if len(first) == len(second) == 1:
        (own, systems), (other, others) = *first.items(), *second.items()
        name = own if own == other else f"{own} / {other}"
        return {name: systems}, {name: others}
    if not first.keys() & second.keys():
        raise DataError(
            f"the leaderboards have no measure in common: {listing(first)} on one side, {listing(second)} on the other."
            ' To compare two measures, pass the scores of each: scores["ndcg@10"], scores["ap"].'
        )
    return first, second


def measure_by_measure(boards: Boards) -> tuple[list[tuple[str, Boards]], list[tuple[str, Boards]]]:
    """The leaderboard of the first measure, and those of all others, each under the name of its measure."""
    named = [(measure, {_UNNAMED: systems}) for measure, systems in boards.items()]
    if len(named) == 1:
        raise DataError("there is one leaderboard, of one measure. Pass another one to compare it with.")
    return named[:1], named[1:]


def _name(source: Any) -> str:
    return stem_and_ending(os.fspath(source))[0] if is_path(source) else "run"


def _leaderboards(source: Any) -> Boards | None:
    """The leaderboards of all measures in one source; None for anything else, such as a run."""
    if isinstance(source, Scores):
        rows = {name: source.run_scores(name).means for name in source.runs}
        return _by_measure(rows, {label: measure.higher_is_better for label, measure in source.measures.items()})
    if isinstance(source, Mapping) and source:
        values = source.values()
        if all(isinstance(value, Real) and not isinstance(value, bool) for value in values):
            return {_UNNAMED: {str(system): float(score) for system, score in source.items() if score == score}}
        return _by_measure(source) if all(isinstance(value, Means) for value in values) else None
    if is_file(source):
        ending = os.path.splitext(source)[1].lower()
        written = _means_in_json(source) if ending == ".json" else _means_in_csv(source) if ending == ".csv" else {}
        return _by_measure(written) if written else None
    return None


def _by_measure(means: _Means, rises: Mapping[str, bool] | None = None) -> Boards:
    """Measure -> run -> mean. Undefined means are left out, and the best system gets the highest score."""
    boards: Boards = {}
    for system, row in means.items():
        for label, mean in row.items():
            is_higher = parse_text(label).higher_is_better if rises is None else rises[label]
            if mean is not None and not math.isnan(mean):
                boards.setdefault(label, {})[system] = mean if is_higher else -mean
    if not boards:
        raise DataError("no system of this leaderboard has a score.")
    return boards


def _means_in_json(path: Any) -> _Means:
    """The means that `evaluate --format json` wrote; empty for other files."""
    with open(path, encoding="utf-8", errors="replace") as file:
        start = file.read(_START)
        text = start + file.read() if re.match(r'\s*{\s*("kind"\s*:\s*"rankgold scores"|"runs"\s*:)', start) else "{}"
    try:
        content = json.loads(text)
        means = {name: dict(run["means"]) for name, run in content["runs"].items() if content["measures"]}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}
    for name, row in means.items():
        if not all(mean is None or isinstance(mean, (int, float)) for mean in row.values()):
            raise DataError(f"the means of {name!r} are not all numbers. Write this leaderboard again.", path)
    return means


def _means_in_csv(path: Any) -> _Means:
    """The means that `evaluate --format csv` wrote; empty for other files."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        rows = csv.reader(file)
        header = next(rows, [])
        if len(header) < 2 or header[0] != "run" or not all(map(is_measure, header[1:])):
            return {}
        try:
            return {
                name_of_field(row[0]): {
                    label: float(cell) if cell else None for label, cell in zip(header[1:], row[1:], strict=True)
                }
                for row in rows
                if row
            }
        except ValueError:
            raise DataError("a row of this leaderboard is not a name and a number for each measure.", path) from None
