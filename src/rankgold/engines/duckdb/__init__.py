"""Matches in DuckDB.

Rows are matched by SQL statements in the database.
"""
