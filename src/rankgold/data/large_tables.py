"""Large runs in tables (CSV, Parquet, Arrow), read in parts."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from rankgold.data.chunks import Parts
from rankgold.data.input_file import Source
from rankgold.data.irregular import NotRegularError
from rankgold.data.table import Table, wanted_columns
from rankgold.errors import DataError


def parts_of(
    scan: pl.LazyFrame, rows: int, source: Source, place: Callable[[int], str], whole: Callable[[], Table]
) -> Parts | Table:
    """The run in a large table. What is not as it should be is left to `whole`, which tells of it."""
    columns = wanted_columns(scan.collect_schema().names(), source.kind, source.named, source.label)
    picked = scan.select(**columns.wanted)
    types = picked.collect_schema()
    only = picked.select("run").head(1).collect()["run"].to_list() if "run" in types else []
    if only == [None]:
        return whole()

    def cleaned(batch: pl.DataFrame, _: pl.Series) -> pl.DataFrame:
        if only and (batch["run"].null_count() or not (batch["run"] == only[0]).all()):
            raise NotRegularError
        try:
            checked = columns.checked(batch, place)
        except DataError:
            raise NotRegularError from None
        for role in ("query", "document"):
            if checked[role].dtype == pl.String and types[role] not in (pl.String, pl.Categorical):
                raise NotRegularError  # such as integers that are too large in some of the parts
        return checked.select("query", "document", "score")

    return Parts(picked, str(only[0]) if only else source.name, cleaned, place, whole, rows, columns.remarks)
