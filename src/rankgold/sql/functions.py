"""The registry of measures in, the SQL functions out: their names and what they take, the same in every engine."""

from collections.abc import Iterator
from dataclasses import dataclass

from rankgold import measures
from rankgold.declaration.metric import Metric
from rankgold.sql.list_macros import FORMULAS


@dataclass(frozen=True, slots=True)
class Function:
    """A SQL function, called like its measure."""

    name: str
    names: tuple[str, ...]
    """All names: those of the measure, and those of SQL alone, as in Hivemall."""
    takes_k: bool

    @property
    def in_duckdb(self) -> bool:
        """Whether DuckDB has the function: one needs a formula in SQL there. Spark has all."""
        return self.name in FORMULAS

    @property
    def parameters(self) -> str:
        return "rec, truth, k" if self.takes_k else "rec, truth"

    def wrong_number(self, name: str) -> str:
        """The error message for a call with too few or too many arguments."""
        arguments = "a list, its truth and k" if self.takes_k else "a list and its truth"
        return f"{name} takes {arguments}: {name}({self.parameters})"


NOT_IN_SQL = {metric.name: metric.no_sql for metric in measures.all() if metric.no_sql}
"""Measures without a SQL function, and why."""

NAMES_OF_ENGINES = frozenset({"map", "precision"})
"""Names of measures that cannot name a function: `map` is one in every engine, `precision` a word of SQL."""


def _functions() -> Iterator[Function]:
    for metric in measures.all():
        if not metric.no_sql:
            yield Function(metric.name, tuple(_names(metric)), metric.takes_cutoff)


def _names(metric: Metric) -> Iterator[str]:
    for name in (metric.name, *metric.aliases, *metric.sql_names):
        if name not in NAMES_OF_ENGINES and name.isidentifier():
            yield name


FUNCTIONS = tuple(_functions())
BY_NAME = {name: function for function in FUNCTIONS for name in function.names}
