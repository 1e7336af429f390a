"""What was read in, tables or dicts out: the one shape that reading returns, whole or some queries at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgold.data.query_groups import QueryGroups
    from rankgold.data.table import Table

Nested = dict[Any, dict[Any, float]]
"""{query: {document: grade or score}}."""

Place = Callable[[int], str]
"""Where a row comes from, as people look it up: `FILE:LINE`, or a description of the row."""

ReportProgress = Callable[[float, int], None]
"""Called from time to time with the share of the rows that was read, and their number."""


class Rows(ABC):
    """Checked judgements, or the checked rows of one or more runs."""

    name: str
    """The name of the run, unless the user gives it another."""

    @abstractmethod
    def split_runs(self) -> Sequence[Rows]:
        """The rows of each run."""

    def whole(self) -> Rows:
        """The same rows, read at once instead of in chunks."""
        return self

    @abstractmethod
    def table(self) -> Table:
        """All rows."""

    def groups(self) -> QueryGroups:
        """All rows, with those of each query side by side: queries in the order of their first rows."""
        return self.table().groups()

    def empty_queries(self) -> dict[str, list[Any]]:
        """Run -> the queries that it ranks with nothing, which the table lacks. Only dicts have such queries."""
        return {}

    @abstractmethod
    def chunks(self, report: ReportProgress) -> Generator[Rows]:
        """All rows, some queries at a time. Raises ReadAgain if the rows turn out not to allow it."""


class ReadAgain(Exception):
    """A signal between stages: the rows cannot be read this way; `rows` holds the same rows to read instead."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
