"""Exports the functions for SQL users.

>>> import duckdb
>>> import rankgold
>>> connection = duckdb.connect()
>>> rankgold.sql.install(connection)
>>> connection.sql("select recall_at([1, 3, 2, 6], [1, 2, 4], 2) as recall").fetchall()
[(0.3333333333333333,)]
"""

from rankgold.engines.protocol import Flavour
from rankgold.engines.sql.execution import run
from rankgold.engines.sql.functions import FUNCTIONS, NOT_IN_SQL, Function
from rankgold.engines.sql.macro_script import FLAVOURS, install, script
from rankgold.engines.sql.translation import translated

__all__ = ["FLAVOURS", "FUNCTIONS", "NOT_IN_SQL", "Flavour", "Function", "install", "run", "script", "translated"]
