"""Writes runs and judgements as TREC, CSV, JSON or Parquet."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping

import polars as pl

from rankgold.core.errors import DataError

# What separates the columns of a TREC file, and characters that some readers take for the end of a line.
_SPACE = r"[\s\x00-\x1f\x85\u2028\u2029]"


def trec_bytes(run: pl.DataFrame, tag: str) -> bytes:
    """Lines of query, Q0, document, rank, score and the tag. An id with a space cannot be written."""
    check_trec_ids({"query": run["query"], "document": run["document"], "tag": pl.Series([tag])})
    rank = pl.int_range(1, pl.len() + 1).over("query")
    lines = run.select("query", pl.lit("Q0").alias("q0"), "document", rank.alias("rank"), "score", tag=pl.lit(tag))
    return lines.write_csv(include_header=False, separator=" ", quote_style="never").encode()


def check_trec_ids(columns: Mapping[str, pl.Series]) -> None:
    """Raises an error for an id that has a space or is empty; `columns` are by role."""
    for role, column in columns.items():
        ids = column.cast(pl.String)
        wrong = ids.str.contains(_SPACE) | (ids.str.len_bytes() == 0)
        row = wrong.arg_max() if wrong.any() else None
        if row is not None:
            raise DataError(
                f"the {role} {ids[row]!r} cannot be in a TREC file, where spaces separate columns. Choose"
                " --format csv, json or parquet."
            )


def nested_json(rows: pl.DataFrame, number: str) -> bytes:
    """An object of queries, each with an object of documents and their numbers."""
    lists = rows.group_by("query", maintain_order=True).agg("document", number)
    nested = {
        str(query): dict(zip(map(str, documents), numbers, strict=True))
        for query, documents, numbers in lists.iter_rows()
    }
    return (json.dumps(nested, ensure_ascii=False, indent=1) + "\n").encode()


def parquet_bytes(rows: pl.DataFrame) -> bytes:
    file = io.BytesIO()
    rows.write_parquet(file)
    return file.getvalue()


RUN_WRITERS: dict[str, Callable[[pl.DataFrame, str], bytes]] = {
    "trec": trec_bytes,
    "csv": lambda run, _: run.write_csv().encode(),
    "json": lambda run, _: nested_json(run, "score"),
    "parquet": lambda run, _: parquet_bytes(run),
}
"""Format -> the function that writes it, from the run and its tag."""


def short_grades(grade: pl.Series) -> pl.Series:
    """Grades as text: 2 and 0.5, not 2.0."""
    return grade.cast(pl.String).str.strip_suffix(".0").alias("grade")


def trec_qrels(judgements: pl.DataFrame) -> bytes:
    """Lines of query, 0, document and grade; whole grades without decimals. An id with a space cannot be written."""
    check_trec_ids({"query": judgements["query"], "document": judgements["document"]})
    lines = judgements.select("query", pl.lit("0").alias("iteration"), "document", short_grades(judgements["grade"]))
    return lines.write_csv(include_header=False, separator=" ", quote_style="never").encode()


QRELS_WRITERS: dict[str, Callable[[pl.DataFrame], bytes]] = {
    "trec": trec_qrels,
    "csv": lambda judgements: judgements.write_csv().encode(),
    "json": lambda judgements: nested_json(judgements, "grade"),
    "parquet": parquet_bytes,
}
"""Format -> the function that writes it."""
