"""Scores how alike rankings or leaderboards are."""

from __future__ import annotations

import csv
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from numbers import Real
from typing import TYPE_CHECKING

from rankgold.core.document import name_of_field
from rankgold.core.errors import DataError, listing
from rankgold.core.ranked_pairs import RankedPairs
from rankgold.data.dicts import DictRows
from rankgold.data.inputs import is_file, is_path, stem_and_ending, unused_name
from rankgold.data.matching.run_pairs import SortedRun, pair_runs
from rankgold.data.rows import Rows
from rankgold.engines.request import Request
from rankgold.measures.notation import is_measure, parse_text
from rankgold.measures.pairs import SIMILARITIES
from rankgold.scoring.run_scores import Means
from rankgold.scoring.scorer import measures_by_label, score_all
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    from rankgold.core.accepted import Measures


Boards = dict[str, dict[str, float]]
"""Measure -> system -> score, higher for better. It is a run, with measures for queries and systems for documents."""

_Means = Mapping[str, Mapping[str, float | None]]
_UNNAMED = "systems"
_START = 100  # characters of a JSON file that show whether it may hold scores


def named_leaderboards(source: object) -> list[tuple[str, Boards]]:
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


def _name(source: object) -> str:
    return stem_and_ending(os.fspath(source))[0] if is_path(source) else "run"


def _leaderboards(source: object) -> Boards | None:
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
        path = os.fspath(source)
        ending = os.path.splitext(path)[1].lower()
        written = _means_in_json(path) if ending == ".json" else _means_in_csv(path) if ending == ".csv" else {}
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


def _means_in_json(path: str) -> _Means:
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


def _means_in_csv(path: str) -> _Means:
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


DEFAULT_MEASURES = ("rbo", "overlap@10", "kendall")

_Sort = Callable[[str, Rows], SortedRun]


def scored_pairs(request: Request, measures: Measures | None) -> Scores:
    """The similarity scores of the rankings of a request."""
    wanted = measures_by_label(measures, SIMILARITIES, DEFAULT_MEASURES)
    return score_all(_compared_pairs(request), wanted, keep=True)


def _compared_pairs(request: Request) -> Iterator[RankedPairs]:
    """The pairs of the first run or leaderboard with each of the others."""
    with request.data_here() as here:
        first, second = (None if source is None else here.runs(source) for source in request.data.values())
        exclusion = here.exclusion(request.exclude)
    boards, others = named_leaderboards(first), named_leaderboards(second)

    def sort(name: str, rows: Rows) -> SortedRun:
        groups = request.groups(name, rows)
        return SortedRun.of(name, groups if exclusion is None else exclusion.remaining(groups), request.policy)

    if boards and (others or second is None):
        return _compare_leaderboards(boards, others, sort)
    if boards or others:
        raise DataError(
            "one side is a leaderboard (a score for each system), the other a run. Pass two of the same kind."
        )
    return _compare_runs(request.runs(first), None if second is None else request.runs(second), sort)


def _compare_runs(
    first: Iterator[tuple[str, Rows]], second: Iterable[tuple[str, Rows]] | None, sort: _Sort
) -> Iterator[RankedPairs]:
    """The pairs of the first run with each of the others."""
    reference = sort(*next(first))
    surplus = next(first, None)
    if second is None:
        if surplus is None:
            raise DataError("there is one run. Pass another one to compare it with.")
        second = (run for runs in ([surplus], first) for run in runs)
    elif surplus is not None:
        raise DataError(
            f"the first argument holds several runs ({reference.name}, {surplus[0]}, ...). Pass the one that others are"
            " compared with as the first argument, and the others as the second."
        )
    return (pair_runs(reference, sort(name, rows)) for name, rows in second)


def _compare_leaderboards(
    first: list[tuple[str, Boards]], second: list[tuple[str, Boards]], sort: _Sort
) -> Iterator[RankedPairs]:
    """The same for leaderboards; without others, for the measures of the first."""
    if len(first) > 1:
        raise DataError("the first argument holds several leaderboards. Pass one, and others as the second argument.")
    if not second:
        first, second = measure_by_measure(first[0][1])
    name, own = first[0]
    for other_name, other in second:
        rows, other_rows = (DictRows.of(boards, "run") for boards in boards_to_compare(own, other))
        yield pair_runs(sort(name, rows), sort(other_name, other_rows))
