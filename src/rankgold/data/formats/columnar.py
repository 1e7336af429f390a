"""A Parquet or Arrow file in, its rows out: files that hold a table by columns and know their length."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable

import polars as pl

from rankgold.data import chunks
from rankgold.data.columns import find_columns
from rankgold.data.formats.arrow_sizes import check_arrow
from rankgold.data.formats.file_sizes import DamagedError, UnreadableTypeError
from rankgold.data.formats.hidden_panics import hidden_panics
from rankgold.data.formats.parquet_sizes import check_parquet
from rankgold.data.formats.registry import ARROW, PARQUET
from rankgold.data.input_file import InputFile
from rankgold.data.rows import Rows
from rankgold.data.table import check_table, row_places
from rankgold.errors import DataError


def frame_of_columns(file: InputFile) -> pl.DataFrame | None:
    """All columns of a Parquet or Arrow file; None if the file is of another format."""
    head = file.head()
    if head.startswith(PARQUET):
        _check(file, lambda content: check_parquet(content, lambda names: names))
        with hidden_panics():
            return pl.read_parquet(file.content, glob=False)
    if head.startswith(ARROW):
        _check(file, check_arrow)
        with hidden_panics():
            return pl.read_ipc(file.content)
    return None


def read_parquet(file: InputFile) -> Rows:
    def used(names: list[str]) -> list[str]:
        try:
            columns = find_columns(names, file.kind, file.named, file.label)
        except DataError:  # which columns hold lists is not known yet
            return names
        return [name for name in columns.roles.values() if name is not None]

    _check(file, lambda content: check_parquet(content, used))
    with hidden_panics():
        return _read(file, pl.scan_parquet(file.content, glob=False))


def read_arrow(file: InputFile) -> Rows:
    _check(file, check_arrow)
    with hidden_panics():
        return _read(file, pl.scan_ipc(file.content, glob=False))


def _check(file: InputFile, check_sizes: Callable[[bytes | mmap.mmap], None]) -> None:
    """Raises an error on a damaged file, before Polars reads it and ends the process."""
    try:
        with file.mapped() as content:
            check_sizes(content)
    except DamagedError as error:
        raise file.damage(f"since {error}") from None
    except UnreadableTypeError as error:
        name, kind = error.args
        raise DataError(
            f"the column {name!r} is of type {kind}, which cannot be read. Convert it, or leave it out.", file.label
        ) from None
    except DataError:  # a ValueError
        raise
    # The bytes in the place of metadata have another form.
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError, struct.error):
        raise file.damage("since its metadata cannot be read") from None


def _read(file: InputFile, scan: pl.LazyFrame) -> Rows:
    source = file.source(row_places(file.label))
    rows = int(scan.select(pl.len()).collect().item()) if file.kind == "run" else 0
    if rows > chunks.LARGE_TABLE:
        read_whole = file.translated_faults()(hidden_panics()(lambda: check_table(scan, source)))
        return chunks.table_chunks(scan, rows, source, read_whole)
    return check_table(scan, source)
