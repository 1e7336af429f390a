"""The result of an evaluation: a value for every run, query and measure, with what the policy did along the way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, overload

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.errors import DataError, MeasureError, RankgoldError, listing
from rankgold.hits import Notes
from rankgold.kernels.exact_sums import Moments
from rankgold.kernels.segments import Floats
from rankgold.measures import parse
from rankgold.policy import Policy

if TYPE_CHECKING:
    import pandas
    import polars
    from typing_extensions import TypeVar

    Value = TypeVar("Value", default=Any)
else:
    from typing import TypeVar

    Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class RunScores:
    """What one run scored: for each label the value of every query, NaN where there is none."""

    name: str
    queries: Sequence[Any]
    values: dict[str, Floats]
    means: dict[str, float]
    notes: Notes
    totals: dict[str, Moments] | None = None
    """The sums over the queries of each label, where the values themselves were not kept."""

    def moments(self, label: str) -> Moments:
        return Moments.of(self.values[label]) if self.totals is None else self.totals[label]


Pairs = dict[tuple[str, str], dict[str, Moments]]
"""For two runs and each label, the sums of the first one's values less the second one's, query by query."""


class Difference(NamedTuple):
    """One run's values less another's, query by query."""

    mean: float
    variance: float
    """Of the differences as a sample; NaN of fewer than two."""
    queries: int
    """How many queries both runs have a value for."""


def paired(first: RunScores, second: RunScores) -> dict[str, Moments]:
    """The sums of the differences in the queries that two runs share."""
    if list(first.queries) == list(second.queries):
        return {label: Moments.of(values - second.values[label]) for label, values in first.values.items()}
    place = {query: i for i, query in enumerate(second.queries)}
    shared = [(i, place[query]) for i, query in enumerate(first.queries) if query in place]
    here, there = np.array(shared, dtype=np.int64).reshape(-1, 2).T
    return {label: Moments.of(values[here] - second.values[label][there]) for label, values in first.values.items()}


class Means(dict[str, float]):
    """Measure -> mean, found under any spelling of the measure."""

    def __missing__(self, key: str) -> float:
        wanted = parse(key)
        for label, value in self.items():
            if parse(label) == wanted:
                return value
        raise MeasureError(f"{key!r} was not evaluated. Evaluated were {listing(self)}.")


class Scores(Generic[Value]):
    """Scores of one run or of several: to a type checker `Scores[float]`, or `Scores[dict[str, float]]`.

    Of one run, `scores["ndcg@10"]` is a float and `scores.means` a dict from measure to mean. Of several,
    `scores["bm25"]` are the Scores of that run, `scores["ndcg@10"]` is a dict from run to mean, and `scores.means`
    a dict from run to the means.
    """

    def __init__(
        self, runs: Sequence[RunScores], measures: dict[str, Measure], policy: Policy, pairs: Pairs | None = None
    ) -> None:
        self._runs = {run.name: run for run in runs}
        self._pairs = pairs or {}
        self.measures = measures
        """The text given for each measure -> the measure."""
        self.policy = policy

    @property
    def runs(self) -> list[str]:
        """The names of the runs."""
        return list(self._runs)

    @property
    def _only(self) -> RunScores | None:
        return next(iter(self._runs.values())) if len(self._runs) == 1 else None

    @overload
    def __getitem__(self: Scores[dict[str, float]], key: str) -> Any: ...  # of several runs, a run or a measure
    @overload
    def __getitem__(self, key: str | Measure) -> Value: ...
    def __getitem__(self, key: str | Measure) -> Any:
        if isinstance(key, str) and key in self._runs and (self._only is None or key not in self.measures):
            return Scores([self._runs[key]], self.measures, self.policy)
        wanted = str(key) if isinstance(key, Measure) else key
        values = {name: Means(run.means)[wanted] for name, run in self._runs.items()}
        return self._of_only_run(values)

    def _of_only_run(self, by_run: dict[str, Any]) -> Any:
        """What the only run has; of several runs, all of it by run."""
        return by_run if self._only is None else by_run[self._only.name]

    def __contains__(self, key: object) -> bool:
        try:
            self[key]  # type: ignore[index]  # whatever is not a key is not in here
        except (RankgoldError, TypeError):
            return False
        return True

    def run_scores(self, name: str) -> RunScores:
        """All there is of one run."""
        return self._runs[name]

    def of_runs(self, runs: Sequence[RunScores]) -> Scores:
        """The same with these runs, in this order, in place of those of the same name."""
        return Scores(runs, self.measures, self.policy, self._pairs)

    @property
    def means(self) -> dict[str, Value]:
        """Measure -> mean; of several runs, run -> measure -> mean."""
        means: dict[str, Value] = self._of_only_run({name: Means(run.means) for name, run in self._runs.items()})
        return means

    @property
    def variances(self) -> dict[str, Value]:
        """Measure -> variance of the queries' values as a sample; of several runs, run -> measure -> variance."""
        by_run = {
            name: Means({label: run.moments(label).variance for label in self.measures})
            for name, run in self._runs.items()
        }
        variances: dict[str, Value] = self._of_only_run(by_run)
        return variances

    def differences(self, first: str, second: str) -> dict[str, Difference]:
        """Measure -> the first run's values less the second's, query by query: their mean, variance and number.

        >>> import rankgold
        >>> runs = {"old": {"q1": {"a": 1, "b": 2}, "q2": {"c": 1}}, "new": {"q1": {"a": 3, "b": 2}, "q2": {"c": 1}}}
        >>> rankgold.evaluate({"q1": {"a": 1}, "q2": {"c": 1}}, runs, ["rr"]).differences("new", "old")
        {'rr': Difference(mean=0.25, variance=0.125, queries=2)}
        """
        for name in (first, second):
            if name not in self._runs:
                raise MeasureError(f"There is no run {name!r} here. There are {listing(self.runs)}.")
        if (first, second) in self._pairs:
            sums = self._pairs[first, second]
        elif (second, first) in self._pairs:
            sums = {label: -moments for label, moments in self._pairs[second, first].items()}
        elif self.has_queries:
            sums = paired(self._runs[first], self._runs[second])
        else:
            sums = dict.fromkeys(self.measures, Moments())
        return {label: Difference(one.mean, one.variance, one.count) for label, one in sums.items()}

    @property
    def has_queries(self) -> bool:
        """Whether the value of each query was kept."""
        return all(run.totals is None for run in self._runs.values())

    def _require_queries(self) -> None:
        if not self.has_queries:
            raise DataError("the values of the queries were not kept: that is done with per_query=True.")

    @property
    def notes(self) -> Any:
        """What was found in the data and what the policy made of it; of several runs, run -> notes."""
        return self._of_only_run({name: run.notes for name, run in self._runs.items()})

    @property
    def per_query(self) -> polars.DataFrame:
        """A Polars frame: query, then one column per measure; of several runs, with the run in front."""
        import polars as pl

        self._require_queries()
        frames = []
        for run in self._runs.values():
            columns: dict[str, Any] = {} if self._only is not None else {"run": [run.name] * len(run.queries)}
            columns["query"] = pl.Series("query", list(run.queries), strict=False)
            frames.append(pl.DataFrame({**columns, **{label: pl.Series(v) for label, v in run.values.items()}}))
        return pl.concat(frames)

    def _run(self, name: str | None) -> RunScores:
        """The run of this name; the only one needs none."""
        if name is None and self._only is not None:
            return self._only
        if name not in self._runs:
            raise MeasureError(f"Which run? There are {listing(self.runs)}.")
        return self._runs[name]

    def queries(self, run: str | None = None) -> list[Any]:
        """The queries, in the order of `values`."""
        self._require_queries()
        return list(self._run(run).queries)

    def values(self, measure: str | Measure, run: str | None = None) -> Floats:
        """The values of one measure, query by query."""
        self._require_queries()
        one = self._run(run)
        wanted = parse(measure)
        for label, known in self.measures.items():
            if known == wanted:
                return one.values[label].copy()
        raise MeasureError(f"{str(measure)!r} was not evaluated. Evaluated were {listing(self.measures)}.")

    def best(self, label: str) -> set[str]:
        """The runs with the best mean of a measure."""
        known = {name: run.means[label] for name, run in self._runs.items() if not math.isnan(run.means[label])}
        if not known:
            return set()
        top = (max if self.measures[label].higher_is_better else min)(known.values())
        return {name for name, value in known.items() if value == top}

    def to_dict(self, *, per_query: bool = True) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None."""
        runs: dict[str, Any] = {}
        for name, run in self._runs.items():
            runs[name] = {"means": {label: _defined(value) for label, value in run.means.items()}}
            if per_query and self.has_queries:
                rows = zip(*(column.tolist() for column in run.values.values()), strict=True)
                runs[name]["per_query"] = {
                    _plain(query): {label: _defined(value) for label, value in zip(run.values, row, strict=True)}
                    for query, row in zip(run.queries, rows, strict=False)
                }
        return {
            "runs": runs,
            "measures": list(self.measures),
            "policy": self.policy.to_dict(),
            "notes": {name: run.notes.to_dict() for name, run in self._runs.items()},
        }

    def to_json(self, *, per_query: bool = True, indent: int | None = 2) -> str:
        import json

        return json.dumps(
            self.to_dict(per_query=per_query), indent=indent, allow_nan=False, ensure_ascii=False, default=str
        )

    def to_pandas(self) -> pandas.DataFrame:
        """The values per query as a pandas frame."""
        import pandas as pd

        frame = self.per_query
        return pd.DataFrame({column: frame[column].to_list() for column in frame.columns})

    def to_markdown(self, *, digits: int = 4, per_query: bool = False) -> str:
        """A Markdown table of the means, the best run of each measure in bold."""
        from rankgold.output.rendering import markdown_table

        return markdown_table(self, digits, per_query)

    def to_latex(self, *, digits: int = 4, per_query: bool = False) -> str:
        """A LaTeX table of the means (booktabs), the best run of each measure in bold."""
        from rankgold.output.rendering import latex_table

        return latex_table(self, digits, per_query)

    def to_csv(self, *, per_query: bool = False) -> str:
        from rankgold.output.rendering import csv_table

        return csv_table(self, per_query)

    def to_trec_eval(self, *, per_query: bool = False) -> str:
        """What trec_eval prints: measure, query or `all`, value."""
        from rankgold.output.rendering import trec_eval_lines

        return trec_eval_lines(self, per_query)

    def plot(self, name: str | None = None, **options: Any) -> Any:
        """A chart of what was scored: of one run query by query, of two their differences, of more all their means.

        Another plot of rankgold.plots is drawn by its name, and options go to it.
        """
        from rankgold.plots import drawn

        return drawn(self, name, options)

    def _repr_html_(self) -> str:
        from rankgold.output.rendering import html_table

        return html_table(self)

    def __rich__(self) -> object:
        from rankgold.output.terminal import means_table

        return means_table(self)

    def __str__(self) -> str:
        from rankgold.output.rendering import text_table

        return text_table(self)

    def __repr__(self) -> str:
        return str(self)


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _plain(query: Any) -> Any:
    return query.item() if isinstance(query, np.generic) else query
