"""Ranking measures as SQL functions.

>>> import duckdb
>>> import karat
>>> connection = duckdb.connect()
>>> karat.sql.install(connection)
>>> connection.sql("select recall_at([1, 3, 2, 6], [1, 2, 4], 2) as recall").fetchall()
[(0.3333333333333333,)]
"""

from __future__ import annotations

from karat.sql.functions import FUNCTIONS, NOT_IN_SQL, Function
from karat.sql.installing import install
from karat.sql.running import run
from karat.sql.script import FLAVOURS, Flavour
from karat.sql.script import script as script
from karat.sql.translation import translated

__all__ = ["FLAVOURS", "FUNCTIONS", "NOT_IN_SQL", "Flavour", "Function", "install", "run", "script", "translated"]
