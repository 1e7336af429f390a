"""A run in the database in, its fingerprint out: its rows come to this process, some at a time, and are hashed here."""

from __future__ import annotations

from rankgold.data.fingerprints import Fingerprint, fingerprint_of_columns, fingerprint_of_queries
from rankgold.engines.duckdb.database import Database
from rankgold.engines.duckdb.inputs import MatchableRun

# About 100 MB.
_ROWS_AT_ONCE = 2_000_000


def fingerprint_of_run(database: Database, run: MatchableRun) -> Fingerprint:
    rows = run.given.sql
    parts = database.value(f"SELECT count(*) FROM {rows}") // _ROWS_AT_ONCE + 1
    total = fingerprint_of_queries(run.empty_queries)
    for part in range(parts):
        frame = database.frame(f"SELECT query, document, score FROM {rows} WHERE hash(query) % {parts} = {part}")
        database.drop_newest()
        total += fingerprint_of_columns(frame["query"], frame["document"], frame["score"].to_numpy())
    return total
