"""A table with attributes of queries in, slices of the queries of a report out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.inputs import is_path
from rankgold.errors import DataError
from rankgold.kernels.segments import Ints
from rankgold.scoring.scores import RunScores, Scores

ALL = "all queries"


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """Some of the queries, or all."""

    name: str
    queries: tuple[str, ...]
    wanted: frozenset[str] | None
    """The queries; None for all."""

    def rows(self, queries: list[str]) -> Ints:
        """The numbers of its queries, ascending."""
        if self.wanted is None:
            return np.arange(len(queries))
        return np.array([i for i, query in enumerate(queries) if query in self.wanted], dtype=np.int64)

    def of_scores(self, scores: Scores) -> Scores:
        """The scores of its queries."""
        if self.wanted is None:
            return scores
        runs = []
        for run in scores.run_list:
            kept = np.array([str(query) in self.wanted for query in run.queries], dtype=bool)
            values = {label: column[kept] for label, column in run.values.items()}
            means = {label: scores.measures[label].metric.aggregate(column) for label, column in values.items()}
            names = [run.queries[i] for i in np.flatnonzero(kept).tolist()]
            runs.append(RunScores(run.name, names, values, means, run.notes))
        return scores.of_runs(runs)


def slices_of(source: Any, queries: list[str]) -> list[Slice]:
    """A slice for each value of each attribute."""
    if source is None:
        return []
    table = _table(source)
    key = next((name for name in table.columns if name.lower() in ("query", "qid", "query_id", "topic", "id")), None)
    if key is None:
        raise DataError("the table of slices has no column of queries. Call it query.")
    known, slices = table[key].cast(pl.String).to_list(), []
    for attribute in (name for name in table.columns if name != key):
        values = table[attribute].cast(pl.String).to_list()
        for value in sorted({value for value in values if value is not None}):
            wanted = frozenset(query for query, own in zip(known, values, strict=True) if own == value)
            found = tuple(query for query in queries if query in wanted)
            if found:
                slices.append(Slice(f"{attribute}: {value}", found, wanted))
    return slices


def _table(source: Any) -> pl.DataFrame:
    if is_path(source):
        try:
            separator = "\t" if str(source).endswith((".tsv", ".tsv.gz")) else ","
            return pl.read_csv(source, infer_schema=False, separator=separator)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise DataError(f"this cannot be read: {error}.", str(source)) from None
    if isinstance(source, Mapping):
        rows = [
            {"query": str(query), **(own if isinstance(own, Mapping) else {"slice": own})}
            for query, own in source.items()
        ]
        return pl.DataFrame(rows)
    return pl.DataFrame(source)
