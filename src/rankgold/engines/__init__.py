"""Runs matching where the data is: in this process, in DuckDB or on Spark.

An engine hands out hits, or runs the work that it is given where the hits are.
"""
