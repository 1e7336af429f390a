"""Divides scores into those of each slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.notes import Notes
from rankgold.core.segments import Ints
from rankgold.scoring.run_scores import RunScores
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    from rankgold.data.slices import Slices
    from rankgold.engines.protocol import Divide
    from rankgold.measures.metric import Measure


@dataclass(frozen=True, slots=True, eq=False)
class SlicePart:
    """The scores of the queries of one slice."""

    attribute: str
    name: str
    scores: Scores

    def of_runs(self, names: Sequence[str]) -> SlicePart:
        """The slice with these runs, in this order."""
        kept = [self.scores.run_scores(name) for name in names]
        pairs = {pair: sums for pair, sums in self.scores.pairs.items() if {*pair} <= {*names}}
        return replace(self, scores=replace(self.scores, run_list=kept, pairs=pairs))


def slice_title(attribute: str, name: str) -> str:
    """The title of a slice: language = de."""
    return f"{attribute} = {name}"


def sliced(scores: Scores, divide_queries: Divide) -> Scores:
    """The scores with those of each slice."""
    division = divide_queries(judged_queries(scores))
    runs = [scores.run_scores(name) for name in scores.runs]
    found: dict[tuple[int, int], dict[str, Ints]] = {}
    for run in runs:
        for number, code, positions in division.scheme.groups(division.codes_of(run.queries)):
            found.setdefault((number, code), {})[run.name] = positions
    nothing = np.zeros(0, dtype=np.int64)
    parts = []
    for key in sorted(found):
        of_slice = [run_of_queries(run, found[key].get(run.name, nothing), scores.measures) for run in runs]
        title = division.scheme.title(*key)
        parts.append(SlicePart(*title, Scores(of_slice, scores.measures, scores.policy)))
    return replace(scores, parts=parts, slice_notes=division.notes)


def sliced_by_table(
    scores: Scores,
    slices: Slices,
    *,
    columns: Mapping[str, str] | None = None,
    data: Sequence[Any] = (),
    of_all: bool = True,
) -> Scores:
    """As `sliced`, with attributes read in this process; `data` are the judgements and the runs.

    Unless the scores are `of_all` queries, there is no note on attributes of other queries.
    """
    from rankgold.data.attributes import read_attributes
    from rankgold.data.slice_scheme import divide

    attributes = read_attributes(slices, columns, data)
    return sliced(scores, lambda queries: divide(attributes, queries, slices, of_all=of_all))


def judged_queries(scores: Scores) -> list[Any]:
    """All judged queries, even those that the policy leaves out: bins do not depend on it."""
    known: dict[str, Any] = {}
    for name in scores.runs:
        run = scores.run_scores(name)
        for queries in (run.queries, run.notes.without_ranking, run.notes.without_relevant):
            known.update((str(query), query) for query in queries)
    return list(known.values())


def run_of_queries(run: RunScores, positions: Ints, measures: dict[str, Measure]) -> RunScores:
    """The scores of some queries of a run."""
    values = {label: column[positions] for label, column in run.values.items()}
    means = {label: measures[label].metric.aggregate(column) for label, column in values.items()}
    undefined = {label: int(np.isnan(column).sum()) for label, column in values.items()}
    notes = Notes(queries=len(positions), undefined={label: count for label, count in undefined.items() if count})
    queries = [run.queries[i] for i in positions.tolist()]
    return RunScores(run.name, queries, values, means, notes)
