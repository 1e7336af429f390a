"""Runs in any form in, their rows by query out: checked, each document once in a query, ids of one type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from rankgold.data.ids import to_polars
from rankgold.data.inputs import given_runs, is_pattern, read, run_name, unused_name
from rankgold.data.parents import ParentRule
from rankgold.data.query_groups import QueryGroups
from rankgold.errors import FusionError
from rankgold.forked_process import check_polars
from rankgold.matching.hash_lookup import hashes_of
from rankgold.matching.ranks import round_scores
from rankgold.matching.tables import distinct_rows
from rankgold.policy import Policy

if TYPE_CHECKING:
    from rankgold.data.ids import Keys


@dataclass(frozen=True, slots=True, eq=False)
class RunRows:
    """The rows of one run, and the hash of each document."""

    name: str
    rows: QueryGroups
    queries: pl.Series
    documents: pl.Series
    hashes: Keys


def read_runs(
    source: Any, policy: Policy, columns: Mapping[str, str] | None, parent: ParentRule | None
) -> list[RunRows]:
    """The rows of two or more runs: a list, a dict by name, or one source that holds several."""
    check_polars()
    given = given_runs(source, columns)
    if any(is_pattern(run) for _, run in given):
        from rankgold.data.patterns import runs_of_patterns

        given = runs_of_patterns(given)
    runs: dict[str, RunRows] = {}
    for name, run in given:
        parts = read(run, "run", columns, policy.repeats).split_runs()
        for part in parts:
            unused = unused_name(run_name(name, part.name, len(parts)), runs)
            runs[unused] = _distinct(unused, part.groups(), policy, parent)
    if len(runs) < 2:
        raise FusionError(f"fusing needs two or more runs, and there is {len(runs)}. Pass a list: fuse([run1, run2]).")
    return _of_one_type(list(runs.values()))


def _distinct(name: str, rows: QueryGroups, policy: Policy, parent: ParentRule | None) -> RunRows:
    """The rows with each document once in a query."""
    if parent is not None:
        rows = replace(rows, documents=parent.in_column(to_polars(rows.documents)).rechunk())
    rows, hashes = distinct_rows(rows, "ranks", policy)
    rows = replace(rows, numbers=round_scores(rows.numbers, policy))
    return RunRows(name, rows, to_polars(rows.queries), to_polars(rows.documents), hashes)


def _of_one_type(runs: list[RunRows]) -> list[RunRows]:
    """The runs with queries, and documents, that are all integers or all text."""
    queries = _same_type([run.queries for run in runs])
    documents = _same_type([run.documents for run in runs])
    return [
        replace(run, queries=query, documents=document, hashes=run.hashes if document is run.documents else hashes_of(document))
        for run, query, document in zip(runs, queries, documents, strict=True)
    ]


def _same_type(columns: list[pl.Series]) -> list[pl.Series]:
    """Columns of integers, or of text if some are text. An empty column has no type of its own."""
    types = {column.dtype for column in columns if len(column)}
    wanted = types.pop() if len(types) == 1 else pl.String()
    return [column if column.dtype == wanted else column.cast(wanted) for column in columns]
