"""The engine DuckDB: judgements and runs in, Hits out. Rows are matched by SQL statements in the database."""
