"""Ranking measures as SQL functions.

>>> import duckdb
>>> import karat
>>> connection = duckdb.connect()
>>> karat.sql.install(connection)
>>> connection.sql("select recall_at([1, 3, 2, 6], [1, 2, 4], 2) as recall").fetchall()
[(0.3333333333333333,)]
"""

from __future__ import annotations

from typing import Any

from karat.errors import DataError
from karat.sql.functions import FUNCTIONS, NOT_IN_SQL, Function
from karat.sql.functions import script as script

__all__ = ["FUNCTIONS", "NOT_IN_SQL", "Function", "install", "script"]


def install(connection: Any) -> None:
    """Makes the functions known to a DuckDB connection, for as long as it is open."""
    if not hasattr(connection, "execute") or not type(connection).__module__.partition(".")[0].endswith("duckdb"):
        raise DataError(f"install takes a DuckDB connection, not {type(connection).__name__}.")
    connection.execute(script(temporary=True))
