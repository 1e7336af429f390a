"""Ranking measures as SQL functions: an engine or a query in, functions or results out.

>>> import duckdb
>>> import rankgold
>>> connection = duckdb.connect()
>>> rankgold.sql.install(connection)
>>> connection.sql("select recall_at([1, 3, 2, 6], [1, 2, 4], 2) as recall").fetchall()
[(0.3333333333333333,)]
"""

from rankgold.sql.execution import run
from rankgold.sql.functions import FUNCTIONS, NOT_IN_SQL, Function
from rankgold.sql.installation import install
from rankgold.sql.macro_script import FLAVOURS, Flavour, script
from rankgold.sql.translation import translated

__all__ = ["FLAVOURS", "FUNCTIONS", "NOT_IN_SQL", "Flavour", "Function", "install", "run", "script", "translated"]
