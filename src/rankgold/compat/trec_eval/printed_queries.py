"""Prints values and z-scores as trec_eval does."""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rankgold.compat.trec_eval.lenient_files import field_number, rows
from rankgold.compat.trec_eval.measure_lines import Line
from rankgold.scoring.trec_eval_lines import kept_values, total_in_order

_FIELDS = "query", "measure", "mean", "standard deviation"

# What is printed for a measure of a query that is not in the file, or does not vary and has another value.
_MISSING = -1_000_000.0


@dataclass(frozen=True, slots=True)
class ZScores:
    """How far values are from a mean, in standard deviations."""

    known: Mapping[tuple[str, str], tuple[float, float]]
    """Query and measure -> mean and standard deviation over other runs."""

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> ZScores:
        return cls(
            {
                (query, measure): (field_number(mean, place), field_number(deviation, place))
                for place, (query, measure, mean, deviation) in rows(path, _FIELDS)
            }
        )

    def of(self, query: str, label: str, value: float) -> float:
        if (query, label) not in self.known:
            return _MISSING
        mean, deviation = self.known[query, label]
        if deviation:
            return (value - mean) / deviation
        return 0.0 if value == mean else _MISSING


# With -c, trec_eval 10 takes these values of a query that the run does not have for 0; others follow from a list of one
# unjudged document. It looks for these names: utility with parameters is another one.
_NOTHING = {"num_ret", "utility", "rbp_resid", "relstring"}


class ValuesOfQueries(ABC):
    """The values of measures for judgements of some format and a run."""

    @abstractmethod
    def values(self, line: Line) -> dict[str, float]:
        """The value of each judged query; 0 for one without a ranking."""

    def texts(self, line: Line) -> dict[str, str]:
        """For a line without a number, the text of each judged query."""
        return {}

    def total(self, line: Line) -> float | None:
        """With -c, a number for all queries that does not come from their values; None for most measures."""
        return None


@dataclass(frozen=True, slots=True)
class Queries:
    """The queries to evaluate."""

    shown: Sequence[str]
    """In the order in which they are printed."""
    unshown: Sequence[str] = ()
    """Those that count 0 in the numbers for all queries, and are not printed."""
    stand_ins: frozenset[str] = frozenset()
    """Those that the run does not have, and which are evaluated as if it had a document for them."""


@dataclass(frozen=True, slots=True)
class PrintedQueries:
    """Which queries to print, and what."""

    by_query: bool = False
    for_all: bool = True
    complete: bool = False
    """Whether all judged queries count, also those that the run does not have."""
    z_scores: ZScores | None = None

    def text(self, data: ValuesOfQueries, lines: Sequence[Line], queries: Queries, tag: str) -> Iterator[str]:
        """The lines of each query, and those of all queries."""
        values = {line: self._values(data.values(line), line, queries) for line in lines if line.is_number}
        texts = {line: data.texts(line) for line in lines if line.entry.name == "relstring"}
        if self.by_query:
            for query in queries.shown:
                for line in lines:
                    if line.is_number and line.entry.is_printed_by_query:
                        yield self._line(line, query, values[line][query])
                    elif line in texts:
                        text = "" if query in queries.stand_ins and _is_nothing(line) else texts[line][query]
                        yield f"{line.label:<22}\t{query}\t'{text}'\n"
        for line in lines if self.for_all else ():
            if line.is_number:
                total = data.total(line) if self.complete else None
                if total is None:
                    total = total_in_order(
                        line.entry, [values[line][query] for query in (*queries.shown, *queries.unshown)]
                    )
                yield self._line(line, "all", total)
            elif line.entry.is_printed_for_all:
                yield f"{line.label:<22}\tall\t{tag}\n"

    def _values(self, values: Mapping[str, float], line: Line, queries: Queries) -> dict[str, float]:
        """The values as trec_eval keeps them: logarithms for geometric means, and z-scores if they are asked for."""
        nothing = {*queries.unshown, *(queries.stand_ins if _is_nothing(line) else ())}
        counted = kept_values(line.entry, [0.0 if query in nothing else value for query, value in values.items()])
        kept = dict(zip(values, counted, strict=True))
        if self.z_scores is None:
            return kept
        return kept | {query: self.z_scores.of(query, line.label, kept[query]) for query in queries.shown}

    def _line(self, line: Line, query: str, value: float) -> str:
        is_z = self.z_scores is not None
        if math.isnan(value):
            text = f"{'-nan' if math.copysign(1, value) < 0 else 'nan':>6}"
        else:
            text = f"{int(value)}" if line.entry.is_count and not is_z else f"{value:6.4f}"
        return f"{'Z' * is_z}{line.label:<22}\t{query}\t{text}\n"


def _is_nothing(line: Line) -> bool:
    return line.label in _NOTHING or line.label.startswith("unj")
