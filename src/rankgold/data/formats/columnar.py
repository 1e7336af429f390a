"""A Parquet or Arrow file in, its rows out: files that hold a table by columns and know their length."""

from __future__ import annotations

import polars as pl

from rankgold.data import chunks
from rankgold.data.input_file import InputFile
from rankgold.data.rows import Rows
from rankgold.data.table import row_places


def read_parquet(file: InputFile) -> Rows:
    return _read(file, pl.scan_parquet(file.content))


def read_arrow(file: InputFile) -> Rows:
    return _read(file, pl.scan_ipc(file.content))


def _read(file: InputFile, scan: pl.LazyFrame) -> Rows:
    place = row_places(file.label)
    rows = int(scan.select(pl.len()).collect().item()) if file.kind == "run" else 0
    if rows > chunks.LARGE_TABLE:
        return chunks.table_chunks(scan, rows, file, place, lambda: file.check_table(scan, place))
    return file.check_table(scan, place)
