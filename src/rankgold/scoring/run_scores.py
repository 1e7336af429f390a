"""The values of one run in, RunScores out; and how its means are found, however a measure is spelled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankgold.declaration.dialect_measures import parse_in_family
from rankgold.declaration.families import FAMILIES, Registry
from rankgold.declaration.metric import Measure
from rankgold.errors import DataError, MeasureError, listing
from rankgold.kernels.exact_sums import Moments
from rankgold.kernels.segments import Floats
from rankgold.notes import Notes


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
