"""Names of tables and views, patterns and addresses in, their rows in this process out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rankgold.data.columns import Kind, check_column_names, find_columns
from rankgold.data.frames import read_frame
from rankgold.data.pairs import ids_of
from rankgold.data.rows import Rows
from rankgold.data.table import without_careless_tags
from rankgold.engines.duckdb.database import Database
from rankgold.engines.duckdb.inputs import id_frame, is_in_database
from rankgold.engines.duckdb.relations import relation
from rankgold.policy import Policy


@dataclass(frozen=True, slots=True)
class DuckDBReader:
    """Reads what a database has, or reads by a pattern or an address."""

    database: Database

    def holds(self, source: Any) -> bool:
        return is_in_database(self.database, source)

    def rows(self, source: Any, kind: Kind, columns: Mapping[str, str] | None, policy: Policy) -> Rows:
        named = ids_of(columns) if kind == "pairs" else check_column_names(columns)
        at = relation(self.database, source, kind, named, policy.repeats)
        frame = id_frame(self.database, at, kind, named)
        if at.is_trec and (run := find_columns(frame.columns, kind, named, at.label)).run is not None:
            frame = without_careless_tags(frame, run.query, run.run)
        return replace(read_frame(frame, kind, named), name=at.name)

    def all_columns(self, source: Any) -> Any:
        at = relation(self.database, source, "pairs", {}, "first")
        return self.database.frame(f"SELECT * FROM {at.sql}", at.label)
