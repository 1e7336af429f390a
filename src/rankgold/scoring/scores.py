"""Holds the result of an evaluation."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, cast, overload

import numpy as np

from rankgold.core.derivation import Matched
from rankgold.core.document import Document, ResultTable
from rankgold.core.errors import MeasureError, RankgoldError, listing, nearest
from rankgold.core.exact_sums import Moments
from rankgold.core.notes import Notes
from rankgold.core.policy import Policy
from rankgold.core.result import QueryResult, pandas_frame
from rankgold.core.segments import Floats
from rankgold.data.ids import id_series
from rankgold.measures.metric import Measure
from rankgold.measures.notation import is_measure
from rankgold.scoring.run_scores import (
    Difference,
    Means,
    PairMoments,
    Provenance,
    RunScores,
    ValuesByRun,
    difference_moments,
    family_of,
    label_of,
)

if TYPE_CHECKING:
    import pandas
    import polars
    from typing_extensions import TypeVar

    from rankgold.comparison import CorrectionName, DrawnTest, Interval, IntervalName, TestName, Units
    from rankgold.comparison.comparison_result import Comparison
    from rankgold.comparison.mean_intervals import Intervals
    from rankgold.comparison.slice_scores import SliceScores
    from rankgold.scoring.explanation import Explanation
    from rankgold.scoring.slice_parts import SlicePart

    Value = TypeVar("Value", default=Any)
else:
    from typing import TypeVar

    Value = TypeVar("Value")
T = TypeVar("T")


@dataclass(frozen=True, eq=False, repr=False)
class Scores(QueryResult, Generic[Value]):
    """Scores of one run or of several: to a type checker `Scores[float]`, or `Scores[dict[str, float]]`.

    For one run, `scores["ndcg@10"]` is a float and `scores.means` is a dict from measure to mean. For several runs,
    `scores["bm25"]` is the Scores of that run, `scores["ndcg@10"]` is a dict from run to mean, and `scores.means` is
    a dict from run to its means.
    """

    run_list: Sequence[RunScores]
    measures: dict[str, Measure]
    """The text given for each measure -> the measure."""
    policy: Policy
    pairs: PairMoments = field(default_factory=dict)
    """The differences of pairs of runs, if the values of the queries were not kept."""
    parts: Sequence[SlicePart] = ()
    """The scores of each slice, if there are slices."""
    slice_notes: tuple[str, ...] = ()
    """Remarks on the attributes of queries."""
    provenance: Provenance = field(default_factory=Provenance)
    """The version and data that the scores were computed with."""
    matched: Mapping[str, Matched] = field(default_factory=dict)
    """Run -> its pairs with another run or its lists, of scores without judgements: `explain` shows their terms."""

    @property
    def _runs(self) -> dict[str, RunScores]:
        return {run.name: run for run in self.run_list}

    @property
    def runs(self) -> list[str]:
        """The names of the runs."""
        return list(self._runs)

    @property
    def _only(self) -> RunScores | None:
        return next(iter(self._runs.values())) if len(self._runs) == 1 else None

    def keys(self) -> list[str]:
        """The measures of one run; the names of several runs. `dict(scores)` has these keys."""
        return self.runs if self._only is None else list(self.measures)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    @overload
    def __getitem__(self: Scores[dict[str, float]], key: str) -> Any: ...  # of several runs, a run or a measure
    @overload
    def __getitem__(self, key: str | Measure) -> Value: ...
    def __getitem__(self, key: str | Measure) -> object:
        if isinstance(key, str) and key in self._runs and (self._only is None or key not in self.measures):
            return replace(self, run_list=[self._runs[key]], pairs={})
        label = key if isinstance(key, str) and key in self.measures else self._label_of(key)
        return self._of_only_run({name: run.means[label] for name, run in self._runs.items()})

    def _label_of(self, key: str | Measure) -> str:
        """The label of a measure in any spelling; else an error, which considers that a run may have been meant."""
        try:
            return label_of(key, self.measures, self.policy.dialect)
        except MeasureError as error:
            family = family_of(self.measures)
            if not isinstance(key, str) or not re.fullmatch(r"[\w .-]+", key) or is_measure(key, family):
                raise
            near = nearest(key, [*self.runs, *self.measures, *family.names])
            raise MeasureError(
                f"There is neither a run nor a measure {key!r}.{near}"
                f" Runs: {listing(self.runs)}. Measures: {listing(self.measures)}."
            ) from error

    def _of_only_run(self, by_run: dict[str, T]) -> T | dict[str, T]:
        """The value for the only run, or a dict by run."""
        return ValuesByRun(by_run) if self._only is None else by_run[self._only.name]

    def __contains__(self, key: object) -> bool:
        """Whether `scores[key]` has a value: a run, or a measure in any spelling."""
        try:
            self[key]  # type: ignore[index]  # any object may be asked for; what cannot be a key raises
        except (RankgoldError, TypeError):
            return False
        return True

    def run_scores(self, name: str) -> RunScores:
        """The values, means and notes of one run."""
        return self._runs[name]

    def sorted_by(self, measure: str | Measure) -> Scores:
        """The same scores with the best run of a measure first. Runs for which it is undefined come last.

        >>> import rankgold
        >>> runs = {"old": {"q1": {"a": 1, "b": 2}}, "new": {"q1": {"a": 3, "b": 2}}}
        >>> rankgold.evaluate({"q1": {"a": 1}}, runs, ["rr"]).sorted_by("rr").runs
        ['new', 'old']
        """
        label = self._label_of(measure)
        sign = -1 if self.measures[label].higher_is_better else 1

        def worst_last(run: RunScores) -> tuple[bool, float]:
            mean = run.means[label]
            return math.isnan(mean), 0 if math.isnan(mean) else sign * mean

        return self.of_runs(sorted(self._runs.values(), key=worst_last))

    def of_runs(self, runs: Sequence[RunScores]) -> Scores:
        """The same scores with these runs, in this order."""
        return replace(self, run_list=runs)

    @property
    def means(self) -> dict[str, Value]:
        """Measure -> mean; for several runs, run -> measure -> mean."""
        return self._of_measures(lambda run: run.means)

    @property
    def variances(self) -> dict[str, Value]:
        """Measure -> sample variance of the values of the queries; for several runs, run -> measure -> variance."""
        return self._of_measures(lambda run: {label: run.moments(label).variance for label in self.measures})

    def _of_measures(self, values: Callable[[RunScores], Mapping[str, float]]) -> dict[str, Value]:
        by_run = {run.name: Means(values(run), self.measures, self.policy.dialect) for run in self.run_list}
        return cast("dict[str, Value]", self._of_only_run(by_run))

    def differences(self, first: str, second: str) -> dict[str, Difference]:
        """Measure -> mean, variance and number of the differences: the first run minus the second, query by query.

        >>> import rankgold
        >>> runs = {"old": {"q1": {"a": 1, "b": 2}, "q2": {"c": 1}}, "new": {"q1": {"a": 3, "b": 2}, "q2": {"c": 1}}}
        >>> rankgold.evaluate({"q1": {"a": 1}, "q2": {"c": 1}}, runs, ["rr"]).differences("new", "old")
        {'rr': Difference(mean=0.25, variance=0.125, queries=2)}
        """
        sums = self.difference_sums(first, second)
        return {label: Difference(known.mean, known.variance, known.count) for label, known in sums.items()}

    def difference_sums(self, first: str, second: str) -> dict[str, Moments]:
        """Measure -> the exact sums of the differences."""
        for name in (first, second):
            if name not in self._runs:
                raise MeasureError(self._no_run(name))
        if (first, second) in self.pairs:
            return self.pairs[first, second]
        if (second, first) in self.pairs:
            return {label: -moments for label, moments in self.pairs[second, first].items()}
        if self.has_queries:
            return difference_moments(self._runs[first], self._runs[second])
        return dict.fromkeys(self.measures, Moments())

    def compare(
        self,
        *,
        baseline: str | None = None,
        test: TestName | DrawnTest = "randomization",
        correction: CorrectionName = "holm",
        seed: int = 0,
        interval: IntervalName | Interval = "bca",
        units: Units | None = None,
    ) -> Comparison:
        """Whether one run is better than another, by how much and how certainly; the keywords are those of `compare`.

        >>> import rankgold
        >>> runs = {"old": {"q1": {"a": 1, "b": 2}, "q2": {"c": 1}}, "new": {"q1": {"a": 3, "b": 2}, "q2": {"c": 1}}}
        >>> scores = rankgold.evaluate({"q1": {"a": 1}, "q2": {"c": 1}}, runs, ["rr"])
        >>> scores.compare(baseline="old", interval="percentile").sentences
        ['new may be better than old by 0.250 rr, 95 % CI 0.000 to 0.500, p = 1.000.']
        """
        from rankgold.comparison.choices import ComparisonSettings
        from rankgold.comparison.slice_comparison import compare_with_slices

        return compare_with_slices(self, ComparisonSettings.of(baseline, test, correction, seed, interval, units))

    def intervals(
        self,
        level: float = 0.95,
        method: Literal["bootstrap"] | IntervalName = "bootstrap",
        *,
        draws: int = 10_000,
        seed: int = 0,
    ) -> Intervals:
        """Measure -> the ends of the confidence interval of its mean; for several runs, run -> measure -> ends.

        `method` is bootstrap (bca), percentile, studentized or t.

        >>> import rankgold
        >>> hits = rankgold.from_labels([[1, 0], [0, 1], [1, 0], [0, 1], [0, 0]])
        >>> rankgold.evaluate(hits, ["rr"]).intervals(method="percentile")
        run                       rr
        run  0.6000 [0.3000, 0.9000]
        interval  95 % confidence intervals of the means over queries (percentile), which are too narrow for 5 queries
        """
        from rankgold.comparison.choices import interval_settings
        from rankgold.comparison.mean_intervals import Intervals

        kind = "bca" if method == "bootstrap" else method
        return Intervals(self, interval_settings(kind, level, draws, seed))

    @cached_property
    def slices(self) -> SliceScores:
        """The means of each slice with their confidence intervals, after `evaluate(..., by=...)`.

        >>> import rankgold
        >>> qrels, run = {"q1": {"a": 1}, "q2": {"c": 1}}, {"q1": {"a": 1, "b": 2}, "q2": {"c": 1}}
        >>> scores = rankgold.evaluate(qrels, run, ["rr"], by={"q1": "long", "q2": "short"})
        >>> scores.slices["short"].means
        {'rr': 1.0}
        """
        from rankgold.comparison.slice_scores import slice_scores

        return slice_scores(self)

    @property
    def has_queries(self) -> bool:
        """Whether the values of the queries were kept."""
        return all(run.totals is None for run in self._runs.values())

    @property
    def notes(self) -> Any:
        """Findings in the data and what the policy did about them; for several runs, run -> notes."""
        return self._of_only_run({name: self.notes_of(name) for name in self._runs})

    @property
    def reference(self) -> str | None:
        """The name of the run that all others are compared with; None where runs are measured by themselves."""
        return next((run.notes.reference for run in self.run_list), None)

    def explain(
        self, query: object = None, measure: str | Measure | None = None, *, run: str | None = None
    ) -> Explanation:
        """How a value of `similarity` or `exposure` comes about, term by term, for a query or user.

        `measure` and `run` may be left out if there is one of them. Prints as text; `to_markdown` and `to_html` for
        documents. For scores against judgements use `rankgold.explain`.
        """
        from rankgold.scoring.explanation import explain_scores

        return explain_scores(self, query, measure, run)

    def notes_of(self, name: str) -> Notes:
        """The notes on one run, with remarks on its numbers that depend on the measures."""
        from rankgold.scoring.score_document import number_remarks

        notes = self._runs[name].notes
        return replace(notes, remarks=notes.remarks + number_remarks(notes, self.measures))

    @property
    def per_query(self) -> polars.DataFrame:
        """A Polars frame: query, then one column per measure; for several runs, the run comes first."""
        import polars as pl

        runs = self._runs.values()
        for run in runs:
            run.require_values()
        columns: dict[str, Any] = {}
        if self._only is None:
            columns["run"] = id_series([run.name for run in runs for _ in run.queries], "a run")
        columns["query"] = id_series([query for run in runs for query in run.queries], "a query")
        values = {label: np.concatenate([run.values[label] for run in runs]) for label in self.measures}
        return pl.DataFrame({**columns, **values})

    def run_named(self, name: str | None) -> RunScores:
        """The run of this name, with the values of its queries. If there is only one, the name may be left out."""
        run = self._only if name is None else self._runs.get(name)
        if run is None:
            raise MeasureError(f"Which run? There are {listing(self.runs)}." if name is None else self._no_run(name))
        run.require_values()
        return run

    def _no_run(self, name: str) -> str:
        return f"There is no run {name!r}.{nearest(name, self.runs)} There are {listing(self.runs)}."

    def queries(self, run: str | None = None) -> list[Any]:
        """The queries, in the order of `values`."""
        return list(self.run_named(run).queries)

    def values(self, measure: str | Measure, run: str | None = None) -> Floats:
        """The values of one measure, query by query."""
        return self.run_named(run).values[label_of(measure, self.measures, self.policy.dialect)].copy()

    def best(self, label: str) -> set[str]:
        """The runs with the best mean of a measure. No run is better than another for being more like a third."""
        if self.reference is not None:
            return set()
        label = label_of(label, self.measures, self.policy.dialect)
        known = {name: run.means[label] for name, run in self._runs.items() if not math.isnan(run.means[label])}
        if not known:
            return set()
        top = (max if self.measures[label].higher_is_better else min)(known.values())
        return {name for name, value in known.items() if value == top}

    def to_dict(self, *, per_query: bool = True) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None."""
        from rankgold.scoring.saved_scores import scores_dict

        return scores_dict(self, per_query)

    @staticmethod
    def from_json(source: str | os.PathLike[str]) -> Scores:
        """The scores in a text that `to_json` returned, or in a file of it: the same to the last bit.

        The scores of slices are not restored: they depend on a table that may have changed.

        >>> import rankgold
        >>> scores = rankgold.evaluate({"q1": {"a": 1}}, {"q1": {"b": 2, "a": 1}}, ["rr"])
        >>> rankgold.Scores.from_json(scores.to_json())["rr"]
        0.5
        """
        from rankgold.scoring.saved_scores import scores_from_json

        return scores_from_json(source)

    def to_json(self, *, per_query: bool = True, indent: int | None = 2) -> str:
        """Everything as text that `from_json` reads: values, measures, policy, notes and version.

        It has fingerprints of the data too if they were asked for: `evaluate(..., fingerprint=True)`.
        """
        from rankgold.present.outputs.json import json_text

        return json_text(self.to_dict(per_query=per_query), indent)

    def to_metrics(self) -> dict[str, float]:
        """The means under keys that MLflow, W&B and Lightning take: `ndcg_at_10`; of several runs `bm25/ndcg_at_10`.

        >>> import rankgold
        >>> rankgold.evaluate({"q1": {"a": 1}}, {"q1": {"b": 2, "a": 1}}, ["rr", "ndcg(gain=exp)@10"]).to_metrics()
        {'rr': 0.5, 'ndcg_gain_exp_at_10': 0.6309297535714575}
        """
        from rankgold.scoring.run_scores import metrics_of

        return metrics_of({name: run.means for name, run in self._runs.items()})

    def to_pandas(self) -> pandas.DataFrame:
        """The values of the queries as a pandas frame."""
        return pandas_frame(self.per_query)

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame of the means: run, then one column per measure. `per_query` has the values of queries."""
        import polars as pl

        runs = self._runs.values()
        means = {label: pl.Series([run.means[label] for run in runs], dtype=pl.Float64) for label in self.measures}
        return pl.DataFrame({"run": pl.Series(self.runs, dtype=pl.String), **means})

    def full_table(self, *, per_query: bool = False) -> ResultTable:
        """The rows of `frame`, or of `per_query`."""
        from rankgold.scoring.score_document import means_table, query_table

        return query_table(self) if per_query else means_table(self)

    def document(self, digits: int = 4, *, per_query: bool = False, quiet: bool = False) -> Document:
        """A table of the means, the best run of each measure in bold, with notes unless it is quiet."""
        from rankgold.scoring.score_document import score_document

        return score_document(self, per_query=per_query, digits=digits, quiet=quiet)

    def to_trec_eval(self, *, digits: int = 4, per_query: bool = False) -> str:
        """What trec_eval prints: measure, query or `all`, value."""
        from rankgold.scoring.trec_eval_lines import trec_eval_lines

        return trec_eval_lines(self, per_query, digits)

    def plot(self, name: str | None = None) -> Any:
        """A chart of the scores: of one run by query, of two runs their differences, of more runs all their means.

        `name` selects another plot of rankgold.plots. Call its function there to choose more: the measure, the query.
        """
        from rankgold.present.plots import draw

        return draw(self, name)

    def _repr_html_(self) -> str:
        from rankgold.core.result import notebook_html
        from rankgold.scoring.score_document import means_table, note_lines

        return notebook_html(Document([means_table(self)], notes=[f"policy: {self.policy}", *note_lines(self)]))

    def __rich_console__(self, console: object, options: Any) -> Iterator[object]:
        """How rich prints the means: no wider than its console."""
        from rich.text import Text

        from rankgold.present.terminal import terminal_document
        from rankgold.scoring.score_document import means_table

        yield Text.from_ansi(terminal_document(Document([means_table(self)]), options.max_width, colour=True))

    def __repr__(self) -> str:
        from rankgold.present.outputs.text import shown_document
        from rankgold.scoring.score_document import means_table, note_lines

        notes = note_lines(self)
        if self.parts:
            notes.append(f"slices by {listing(dict.fromkeys(part.attribute for part in self.parts))}: see .slices")
        return shown_document(Document([means_table(self)], notes=notes), colour=False).removesuffix("\n")
