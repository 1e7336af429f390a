"""Judgements of several judges and a line of trec_eval in, the mean over the judges of each query out."""

from __future__ import annotations

from dataclasses import dataclass

from rankgold.compat.trec_eval.grade_values import GradeValues
from rankgold.compat.trec_eval.lines import Line
from rankgold.compat.trec_eval.printed_queries import ValuesOfQueries
from rankgold.kernels.segments import sum_in_order


@dataclass(frozen=True, slots=True)
class GroupValues(ValuesOfQueries):
    """The values of measures over the grades of several judges: each is averaged over the judges of a query."""

    groups: list[GradeValues]
    """The judgements of each judge."""

    def values(self, line: Line) -> dict[str, float]:
        found: dict[str, list[float]] = {}
        for group in self.groups:
            for query, value in group.values(line).items():
                found.setdefault(query, []).append(value)
        return {query: sum_in_order(values) / len(values) for query, values in found.items()}
