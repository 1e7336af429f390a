"""The only place where the stages are wired: read, match, measure, and let the policy decide what is open."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.data.paths import stem_and_ending
from karat.data.sources import read, runs_in, unused_name
from karat.errors import DataError, MeasureError, PolicyError
from karat.hits import Hits
from karat.measure import SMALLEST_GAIN, Measure, Metric
from karat.names import parse
from karat.policy import Policy
from karat.scores import RunScores, Scores
from karat.segments import Bools, Floats

if TYPE_CHECKING:
    from karat.data.dicts import Nested
    from karat.data.table import Table

DEFAULT_MEASURES = ("ndcg@10", "ap", "rr", "p@10", "r@100")

# Decided once the hits are there; all other fields of a policy are decided in matching.
_DECIDED_HERE = ("missing", "no_relevant", "undefined")

Progress = Callable[[str], None]


def evaluate(
    qrels: Any,
    run: Any = None,
    measures: Any = None,
    *,
    policy: Policy | str | None = None,
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Scores:
    """Scores of a run, or of several by name, against judgements.

    `qrels` and `run` are paths, dicts of dicts, or frames; `columns` names columns that are not recognised, role ->
    name. In place of the two, the result of `match` or of `from_labels` and its like can be given.

    >>> qrels = {"q1": {"d1": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> evaluate(qrels, run, ["ap", "p@2"]).means
    {'ap': 0.8333333333333333, 'p@2': 0.5}
    """
    if isinstance(qrels, Hits):
        if run is not None and measures is not None:
            raise MeasureError("Hits are matched already: the form is evaluate(hits, measures).")
        wanted = _measures(run if measures is None else measures)
        return _scores([under(qrels, policy)], wanted)
    wanted = _measures(measures)
    if run is None:
        raise DataError("there is no run. The form is evaluate(qrels, run, measures).")
    return _scores(matched(qrels, run, Policy.of(policy), columns, progress), wanted)


def match(
    qrels: Any, run: Any, *, policy: Policy | str | None = None, columns: Mapping[str, str] | None = None
) -> Hits:
    """The Hits of one run: `evaluate(match(qrels, run), measures)` is `evaluate(qrels, run, measures)`."""
    every = list(matched(qrels, run, Policy.of(policy), columns))
    if len(every) > 1:
        raise DataError(
            f"there are {len(every)} runs here ({', '.join(h.name for h in every)}). Match them one by one."
        )
    return every[0]


def matched(
    qrels: Any,
    run: Any,
    policy: Policy,
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Iterator[Hits]:
    """The Hits of every run, the judgements being read and prepared once."""
    tell = progress or (lambda _: None)
    tell(f"reading {_described(qrels, 'judgements')}")
    judgements = _Judgements(read(qrels, "qrels", columns, policy.duplicates), policy)
    taken: list[str] = []
    for given, source in runs_in(run):
        tell(f"reading {_described(source, given or 'run')}")
        for name, one in _named(read(source, "run", columns, policy.duplicates), given, source):
            taken.append(unused_name(name, taken))
            tell(f"matching {taken[-1]}")
            yield judgements.hits(one, taken[-1])


def _described(source: Any, otherwise: str) -> str:
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else otherwise


def _named(content: Table | Nested, given: str | None, source: Any) -> Iterator[tuple[str, Any]]:
    """The runs in what was read, each with its name."""
    if isinstance(content, dict):
        several = runs_in(content)
        if len(several) == 1 and several[0][0] is None:
            named = isinstance(source, (str, os.PathLike))
            yield given or (stem_and_ending(source)[0] if named else "run"), content
        for name, part in several:
            if name is not None:
                yield f"{given} {name}" if given else name, read(part, "run")
        return
    parts = content.one_run_each()
    for table in parts:
        name = table.name if given is None else (given if len(parts) == 1 else f"{given} {table.name}")
        yield name, replace(table, name=name)


class _Judgements:
    """Judgements prepared for runs in tables, in dicts, or both, each only when it is needed."""

    def __init__(self, content: Table | Nested, policy: Policy) -> None:
        self.content = content
        self.policy = policy
        self._of_dict: Any = None
        self._of_table: Any = None

    def hits(self, run: Table | Nested, name: str) -> Hits:
        if isinstance(self.content, dict) and isinstance(run, dict):
            from karat.matching.dicts import judged_from_dict, match_dicts

            self._of_dict = self._of_dict or judged_from_dict(self.content)
            return match_dicts(self.content, self._of_dict, run, self.policy, name)
        from karat.matching.tables import judged_from_table, match_tables
        from karat.matching.tabular import table_of_dict

        if self._of_table is None:
            table = table_of_dict(self.content, "qrels") if isinstance(self.content, dict) else self.content
            self._of_table = judged_from_table(table, self.policy)
        table = table_of_dict(run, "run") if isinstance(run, dict) else run
        return match_tables(self._of_table, replace(table, name=name), self.policy)


def _measures(given: Any) -> dict[str, Measure]:
    """The measures by the text that was given for each."""
    if given is None:
        given = DEFAULT_MEASURES
    if isinstance(given, (str, Measure, Metric)):
        given = [given]
    if not isinstance(given, Iterable):
        raise MeasureError(f"Measures are a list such as ['ndcg@10', 'ap'], not {type(given).__name__}.")
    wanted = {(one.strip() if isinstance(one, str) else str(parse(one))): parse(one) for one in given}
    if not wanted:
        raise MeasureError("There is no measure. Name at least one, such as 'ndcg@10'.")
    return wanted


def under(hits: Hits, policy: Policy | str | None) -> Hits:
    """The hits with another policy, in so far as it is decided after matching."""
    if policy is None:
        return hits
    wanted = Policy.of(policy)
    for field in fields(Policy):
        if field.name not in _DECIDED_HERE and getattr(wanted, field.name) != getattr(hits.policy, field.name):
            raise PolicyError(
                f"These hits were matched with {field.name}={getattr(hits.policy, field.name)}, which cannot be changed"
                f" afterwards. Pass the policy to match, or to the function that made the hits."
            )
    return replace(hits, policy=wanted)


def _scores(every: Iterable[Hits], measures: dict[str, Measure]) -> Scores:
    runs = []
    policy = Policy()
    for hits in every:
        policy = hits.policy
        runs.append(_run_scores(hits, measures))
    return Scores(runs, measures, policy)


def _run_scores(hits: Hits, measures: dict[str, Measure]) -> RunScores:
    kept = _kept(hits)
    columns: dict[Measure, Floats] = {}
    undefined: dict[str, int] = {}
    for label, measure in measures.items():
        if measure not in columns:
            column, open_cases = decided(measure, hits, measure(hits).values)
            columns[measure] = column[kept]
            if count := int(np.count_nonzero(open_cases[kept])):
                undefined[label] = count
    values = {label: columns[measure] for label, measure in measures.items()}
    means = {label: measures[label].metric.aggregate(column[~np.isnan(column)]) for label, column in values.items()}
    queries = [hits.queries[i] for i in np.flatnonzero(kept).tolist()]
    notes = replace(hits.notes, undefined=undefined, without_relevant=_without_relevant(hits, measures.values()))
    return RunScores(hits.name, queries, values, means, notes)


def _without_relevant(hits: Hits, measures: Iterable[Measure]) -> tuple[Any, ...]:
    """The queries that have no document relevant to one of the measures."""
    thresholds = {measure.threshold for measure in measures if measure.metric.wants_relevant}
    nothing = np.zeros(len(hits), dtype=bool)
    for threshold in thresholds:
        nothing |= hits.relevant(threshold) == 0
    return tuple(hits.queries[i] for i in np.flatnonzero(nothing).tolist())


def _kept(hits: Hits) -> Bools:
    """Which queries the policy does not leave out altogether."""
    kept = np.ones(len(hits), dtype=bool)
    if hits.policy.missing == "skip":
        kept &= hits.returned > 0
    if hits.policy.no_relevant == "skip":
        kept &= hits.relevant(SMALLEST_GAIN) > 0
    return kept


def decided(measure: Measure, hits: Hits, values: Floats) -> tuple[Floats, Bools]:
    """The values with every open case decided by the policy, and which of them were 0/0.

    A 0 given by the policy is the worst value. Where lower is better it would be the best, so such a measure keeps
    what it makes of an empty ranking: k + 1 for frp@k, else undefined.
    """
    policy = hits.policy
    values = values.copy()
    if measure.higher_is_better:
        values[hits.returned == 0] = 0.0
    nothing = np.zeros(len(hits), dtype=bool)
    if measure.metric.wants_relevant:
        nothing = measure.relevant(hits) == 0
        given = {"one": 1.0, "undefined": np.nan, "skip": np.nan}.get(policy.no_relevant, 0.0)
        if policy.no_relevant != "zero" or measure.higher_is_better:
            values[nothing] = given
    open_cases = np.isnan(values)
    if policy.no_relevant == "skip":
        open_cases &= ~nothing
    if policy.undefined == "zero":
        values[open_cases] = 0.0
    return values, open_cases
