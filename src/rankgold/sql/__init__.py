"""Ranking measures as SQL functions.

>>> import duckdb
>>> import rankgold
>>> connection = duckdb.connect()
>>> rankgold.sql.install(connection)
>>> connection.sql("select recall_at([1, 3, 2, 6], [1, 2, 4], 2) as recall").fetchall()
[(0.3333333333333333,)]
"""

from __future__ import annotations

from rankgold.sql.execution import run
from rankgold.sql.installation import install
from rankgold.sql.list_macros import FUNCTIONS, NOT_IN_SQL, Function
from rankgold.sql.script import FLAVOURS, Flavour
from rankgold.sql.script import script as script
from rankgold.sql.translation import translated

__all__ = ["FLAVOURS", "FUNCTIONS", "NOT_IN_SQL", "Flavour", "Function", "install", "run", "script", "translated"]
