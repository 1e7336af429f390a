"""Judgements in, the bytes of a file out: TREC, CSV, JSON or Parquet, which `evaluate` reads."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from rankgold.fusion.saved_run import check_trec_ids, nested_json, parquet_bytes
from rankgold.judging.sheets import short_grades


def trec_qrels(judgements: pl.DataFrame) -> bytes:
    """Lines of query, 0, document and grade; whole grades without decimals. An id with a space cannot be written."""
    check_trec_ids({"query": judgements["query"], "document": judgements["document"]})
    lines = judgements.select("query", pl.lit("0").alias("iteration"), "document", short_grades(judgements["grade"]))
    return lines.write_csv(include_header=False, separator=" ", quote_style="never").encode()


WRITERS: dict[str, Callable[[pl.DataFrame], bytes]] = {
    "trec": trec_qrels,
    "csv": lambda judgements: judgements.write_csv().encode(),
    "json": lambda judgements: nested_json(judgements, "grade"),
    "parquet": parquet_bytes,
}
"""Format -> the function that writes it."""
