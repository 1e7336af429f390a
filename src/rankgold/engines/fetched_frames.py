"""Checks a frame that an engine sent to this process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rankgold.data.columns import Kind, find_columns
from rankgold.data.fingerprints import fingerprint_of
from rankgold.data.frames import read_frame
from rankgold.data.matching.table_judgements import TableJudgements
from rankgold.data.rows import Rows
from rankgold.data.table import without_careless_tags
from rankgold.engines.request import Request

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineInput:
    """Judgements or runs that an engine can read: everything known besides their rows."""

    label: str
    """Its name in errors."""
    name: str = "run"
    """The name of the run, where no column of runs names it."""
    is_trec: bool = False
    is_checked: bool = False
    """Whether the columns have the names of their roles, because this process has read and checked the rows."""
    remarks: tuple[str, ...] = ()
    empty_queries: Mapping[str, list[Any]] = field(default_factory=dict)
    """Run -> the queries that it ranks with nothing, which have no rows."""

    def all_runs(self, names: Iterable[str]) -> list[str]:
        """The names of runs that may have no rows, then those found in rows."""
        without_rows = self.empty_queries if len(self.empty_queries) > 1 else ()
        return list(dict.fromkeys((*without_rows, *names)))

    def checked_rows(self, frame: pl.DataFrame, kind: Kind, named: dict[str, str]) -> Rows:
        """The rows of a frame that the engine sent to this process."""
        if self.is_trec and (columns := find_columns(frame.columns, kind, named, self.label)).run is not None:
            frame = without_careless_tags(frame, columns.query, columns.run)
        return replace(read_frame(frame, kind, named), name=self.name)


def prepared_judgements(rows: Rows, request: Request) -> TableJudgements:
    """The judgements of a request, for runs in tables; with their fingerprint, if it is wanted."""
    judged = TableJudgements.of(rows.groups(), request.policy, request.parent, request.topics)
    return replace(judged, fingerprint=fingerprint_of(rows)) if request.fingerprint else judged
