"""Holds the values of one run, where they come from, and their keys for trackers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgold import __version__
from rankgold.core.errors import DataError, MeasureError, listing
from rankgold.core.exact_sums import Moments
from rankgold.core.notes import Notes
from rankgold.core.segments import Floats
from rankgold.data.fingerprints import Fingerprint, Fingerprints
from rankgold.measures.metric import Measure
from rankgold.measures.notation import parse_in_family
from rankgold.measures.registry import FAMILIES, Registry

if TYPE_CHECKING:
    from rankgold.data.selection import ParentRule, Topics


@dataclass(frozen=True, slots=True, eq=False)
class RunScores:
    """The scores of one run: for each label the values of its queries, NaN where one is undefined."""

    name: str
    queries: Sequence[Any]
    values: dict[str, Floats]
    means: dict[str, float]
    notes: Notes
    totals: dict[str, Moments] | None = None
    """Label -> sums over the queries, if the values themselves were not kept."""

    def require_values(self) -> None:
        """Raises an error if the values of the queries were not kept."""
        if self.totals is not None:
            raise DataError("the values of the queries were not kept. Pass per_query=True to keep them.")

    def rows(self) -> Iterator[tuple[Any, tuple[float, ...]]]:
        """Each query with its values, in the order of the labels."""
        self.require_values()
        return zip(self.queries, zip(*(column.tolist() for column in self.values.values()), strict=True), strict=True)

    def by_query(self, label: str) -> dict[str, float]:
        """The id of each query as text -> the value of a measure."""
        self.require_values()
        return dict(zip(map(str, self.queries), self.values[label].tolist(), strict=True))

    def moments(self, label: str) -> Moments:
        return Moments.of(self.values[label]) if self.totals is None else self.totals[label]


class Means(dict[str, float]):
    """Measure -> mean, found under any spelling of the measure."""

    def __init__(self, means: Mapping[str, float], measures: Mapping[str, Measure], dialect: str) -> None:
        super().__init__(means)
        self._measures = measures
        self._dialect = dialect

    def __missing__(self, key: str) -> float:
        return self[label_of(key, self._measures, self._dialect)]


class ValuesByRun(dict[str, Any]):
    """Run -> its value, such as its means."""

    def __missing__(self, key: str) -> Any:
        run = next(iter(self))
        hint = ""
        if isinstance(self[run], Means):
            hint = f" For one run write [{run!r}][{str(key)!r}]; scores[{str(key)!r}] holds the means of all runs."
        raise MeasureError(f"There is no run {str(key)!r}. The runs are {listing(self)}.{hint}")


def label_of(measure: str | Measure, measures: Mapping[str, Measure], dialect: str = "rankgold") -> str:
    """The label of the same measure, however it is spelled. A text has the defaults of the dialect."""
    if isinstance(measure, str) and measure in measures:
        return measure
    wanted = parse_in_family(measure, family_of(measures), dialect)
    for label, known in measures.items():
        if known == wanted:
            return label
    raise MeasureError(f"{str(measure)!r} was not evaluated. Evaluated were {listing(measures)}.")


def family_of(measures: Mapping[str, Measure]) -> Registry:
    """The family of measures that were evaluated together."""
    return FAMILIES[next(iter(measures.values())).metric.family]


def metric_key(text: str) -> str:
    """The text with only letters, digits and underscores, as MLflow and W&B require.

    >>> metric_key("ndcg(gain=exp)@10")
    'ndcg_gain_exp_at_10'
    """
    key = re.sub(r"[^A-Za-z0-9]+", "_", text.replace("@", "_at_")).strip("_") or "_"
    return f"_{key}" if key[0].isdigit() else key


def distinct_keys(texts: Iterable[str]) -> dict[str, str]:
    """Text -> its key, with a number at its end if an earlier text has the same key.

    >>> distinct_keys(["bm25+rm3", "bm25 rm3"])
    {'bm25+rm3': 'bm25_rm3', 'bm25 rm3': 'bm25_rm3_2'}
    """
    keys: dict[str, str] = {}
    for text in texts:
        key, number = metric_key(text), 1
        while (f"{key}_{number}" if number > 1 else key) in keys.values():
            number += 1
        keys[text] = f"{key}_{number}" if number > 1 else key
    return keys


def metrics_of(means_of_runs: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Key -> mean, of all runs; with several runs, the run comes first: `bm25/ndcg_at_10`."""
    runs = distinct_keys(means_of_runs)
    labels = distinct_keys(next(iter(means_of_runs.values())))
    return {
        f"{runs[run]}/{labels[label]}" if len(runs) > 1 else labels[label]: float(mean)
        for run, means in means_of_runs.items()
        for label, mean in means.items()
    }


OPTION_NAMES = ("parent", "topics", "exclude")
"""The options of an evaluation that decide which rows count."""

HOW_TO_FINGERPRINT = "`rankgold evaluate ... --save FILE`, or evaluate(..., fingerprint=True) in Python"


@dataclass(frozen=True, slots=True, eq=False)
class Provenance:
    """The version and data that scores were computed with."""

    version: str = __version__
    judgements: Fingerprint | None = None
    """The fingerprint of the judgements; None if it was not asked for."""
    runs: Mapping[str, Fingerprint | None] = field(default_factory=dict)
    """Run -> its fingerprint."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What else decided which rows counted, under OPTION_NAMES; of `exclude`, only whether there was one."""

    @classmethod
    def of(
        cls,
        runs: Mapping[str, Fingerprints | None],
        parent: ParentRule | None,
        topics: Topics | None,
        has_exclude: bool,
    ) -> Provenance:
        options = options_of(parent, topics, has_exclude)
        known = {name: found for name, found in runs.items() if found is not None}
        judgements = next((found.judgements for found in known.values()), None)
        return cls(judgements=judgements, runs={name: found.run for name, found in known.items()}, options=options)

    def run(self, name: str) -> Fingerprint | None:
        """The fingerprint of a run; None if it was not asked for."""
        return self.runs.get(name)


def options_of(parent: ParentRule | None, topics: Topics | None, has_exclude: bool) -> dict[str, Any]:
    """The options that decide which rows count; a chunk rule is kept if it is a separator."""
    options: dict[str, Any] = {}
    if parent is not None:
        options["parent"] = parent.separator
    if topics is not None:
        options["topics"] = list(topics.ids)
    if has_exclude:
        options["exclude"] = True
    return options


PairMoments = dict[tuple[str, str], dict[str, Moments]]
"""Two runs -> label -> the sums of the values of the first less those of the second, query by query."""


class Difference(NamedTuple):
    """The values of one run minus those of another, query by query."""

    mean: float
    variance: float
    """The sample variance of the differences; NaN for fewer than two."""
    queries: int
    """How many queries have a value in both runs."""


def difference_moments(first: RunScores, second: RunScores) -> dict[str, Moments]:
    """Label -> the sums of the differences over the queries that both runs have."""
    if list(first.queries) == list(second.queries):
        return {label: Moments.of(values - second.values[label]) for label, values in first.values.items()}
    place = {str(query): i for i, query in enumerate(second.queries)}
    shared = [(i, place[str(query)]) for i, query in enumerate(first.queries) if str(query) in place]
    rows, other_rows = np.array(shared, dtype=np.int64).reshape(-1, 2).T
    return {
        label: Moments.of(values[rows] - second.values[label][other_rows]) for label, values in first.values.items()
    }
