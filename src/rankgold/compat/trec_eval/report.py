"""The values of queries in, the lines that trec_eval prints out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rankgold.compat.trec_eval.names import Line
from rankgold.declaration.metric import GEOMETRIC_MEAN

# The lowest value that goes into a geometric mean.
_LOWEST = 0.00001


class ValuesOfQueries(Protocol):
    """Judgements of any format and a run, and what measures make of them."""

    @property
    def tag(self) -> str:
        """The name of the run."""

    def queries(self, *, complete: bool) -> list[Any]:
        """The queries to print; with `complete`, also those that are judged and not in the run."""

    def values(self, line: Line) -> dict[Any, float]:
        """The value of each query."""

    def texts(self, line: Line) -> dict[Any, str]:
        """For a line without a number, the text of each query."""

    def total(self, line: Line) -> float | None:
        """With -c, a number for all queries that is not made of their values; None for most."""


@dataclass(frozen=True, slots=True)
class Report:
    """What is printed: each query or not, all queries or not, and whether judged queries without a ranking count."""

    by_query: bool
    for_all: bool
    complete: bool

    def text(self, data: ValuesOfQueries, lines: Sequence[Line]) -> Iterator[str]:
        """The lines of each query, and those of all queries."""
        queries = data.queries(complete=self.complete)
        values = {line: data.values(line) for line in lines if line.is_number}
        if self.by_query:
            shown = [line for line in lines if line.name.is_printed_by_query]
            texts = {line: data.texts(line) for line in shown if not line.is_number}
            for query in queries:
                for line in shown:
                    text = _number(line, values[line][query]) if line.is_number else f"'{texts[line][query]}'"
                    yield _text(line.label, query, text)
        if self.for_all:
            for line in lines:
                if line.name.is_printed_for_all:
                    total = data.total(line) if self.complete else None
                    if line.is_number and total is None:
                        total = _total(line, [values[line][query] for query in queries])
                    yield _text(line.label, "all", data.tag if total is None else _number(line, total))


def _text(label: str, query: Any, value: str) -> str:
    return f"{label:<22}\t{query}\t{value}\n"


def _number(line: Line, value: float) -> str:
    return f"{int(value)}" if line.name.is_count else f"{value:6.4f}"


def _total(line: Line, values: Sequence[float]) -> float:
    """The number for all queries, added up from the first to the last as trec_eval does."""
    if line.measure is not None and line.measure.metric.aggregate is GEOMETRIC_MEAN:
        return math.exp(sum(math.log(max(value, _LOWEST)) for value in values) / len(values))
    total = sum(values)
    return total if line.name.is_count else total / len(values)
