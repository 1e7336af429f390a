"""Good Parquet and Arrow files out, as Polars, pyarrow and DuckDB write them: what mutated files are made from."""

import io
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet

_IDS = [f"document {i % 37:03}" for i in range(240)]
RUN = pa.table(
    {
        "query": pa.array([f"q{i // 40}" for i in range(240)]),
        "doc": pa.array([f"{id_} {i}" if i % 40 > 36 else id_ for i, id_ in enumerate(_IDS)]),
        "score": pa.array([float((i * 31) % 97) for i in range(240)]),
        "title": pa.array([None if i % 5 == 0 else f"a title of its own, number {i}" for i in range(240)]),
        "tokens": pa.array([None if i % 7 == 0 else list(range(i % 4)) for i in range(240)], pa.list_(pa.int32())),
    }
)
"""A run of 6 queries with 40 documents each, with nulls and lists in columns that are not read."""


def columnar_files(folder: Path) -> dict[str, bytes]:
    """Name -> content. The ending of the name is that of the format; DuckDB needs a folder to write to."""
    return {**_parquet_by_pyarrow(), **_parquet_by_duckdb(folder), **_arrow_by_pyarrow(), **_by_polars()}


def _with_dictionary() -> pa.Table:
    columns = {"query": RUN["query"].dictionary_encode(), "doc": RUN["doc"].dictionary_encode()}
    return pa.table({**columns, "score": RUN["score"], "title": RUN["title"]})


def _integers() -> pa.Table:
    codes = RUN["doc"].dictionary_encode().combine_chunks().indices
    return pa.table(
        {"query": pa.array([i // 40 for i in range(240)]), "doc": codes, "score": RUN["score"].cast("float")}
    )


def _listed() -> pa.Table:
    """Documents in a list: not an id, and an error of ours."""
    return pa.table({"query": RUN["query"], "doc": RUN["tokens"], "score": RUN["score"]})


_TABLES = {"text": lambda: RUN, "dictionary": _with_dictionary, "integers": _integers, "lists": _listed}


def _parquet_by_pyarrow() -> dict[str, bytes]:
    options = {
        "plain": {"compression": "none", "use_dictionary": False, "row_group_size": 100},
        "snappy": {"compression": "snappy", "row_group_size": 60, "data_page_size": 300, "write_page_index": True},
        "gzip": {"compression": "gzip", "data_page_version": "2.0"},
        "zstd": {"compression": "zstd", "use_byte_stream_split": ["score"], "use_dictionary": ["doc"]},
    }
    deltas = {"text": "DELTA_BYTE_ARRAY", "dictionary": "DELTA_LENGTH_BYTE_ARRAY", "integers": "DELTA_BINARY_PACKED"}
    files = {}
    for table, make in _TABLES.items():
        encodings = {"query": deltas.get(table), "doc": deltas.get(table)}
        if table in deltas:
            options["delta"] = {"compression": "none", "use_dictionary": False, "column_encoding": encodings}
        for name, chosen in options.items():
            out = io.BytesIO()
            pyarrow.parquet.write_table(make(), out, **chosen)
            files[f"pyarrow-{table}-{name}.parquet"] = out.getvalue()
        options.pop("delta", None)
    return files


def _parquet_by_duckdb(folder: Path) -> dict[str, bytes]:
    files = {}
    for table, make in _TABLES.items():
        frame = make()
        for codec in ("uncompressed", "zstd", "lz4_raw"):
            path = folder / f"duckdb-{table}-{codec}.parquet"
            with duckdb.connect() as connection:
                connection.register("run", frame)
                connection.execute(f"COPY run TO '{path}' (FORMAT parquet, COMPRESSION {codec}, ROW_GROUP_SIZE 2048)")
            files[path.name] = path.read_bytes()
    return files


def _arrow_by_pyarrow() -> dict[str, bytes]:
    files = {}
    for table, make in _TABLES.items():
        for codec in (None, "lz4", "zstd"):
            out = io.BytesIO()
            options = pa.ipc.IpcWriteOptions(compression=codec)
            with pa.ipc.new_file(out, make().schema, options=options) as writer:
                writer.write_table(make(), max_chunksize=100)
            files[f"pyarrow-{table}-{codec or 'plain'}.arrow"] = out.getvalue()
    return files


def _by_polars() -> dict[str, bytes]:
    files = {}
    frames = {table: pl.DataFrame(make()) for table, make in _TABLES.items()}
    for table, frame in frames.items():
        for codec in ("uncompressed", "snappy", "zstd", "lz4"):
            out = io.BytesIO()
            frame.write_parquet(out, compression=codec, row_group_size=100, statistics=codec != "lz4")
            files[f"polars-{table}-{codec}.parquet"] = out.getvalue()
        for codec in ("uncompressed", "lz4", "zstd"):
            out = io.BytesIO()
            frame.write_ipc(out, compression=codec, record_batch_size=100)
            files[f"polars-{table}-{codec}.arrow"] = out.getvalue()
    return files
