"""Runs in any form in, their rows by query out: checked, each document once in a query, ids of one type."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from rankgold.data.ids import of_one_type, positions_among, to_polars
from rankgold.data.named_runs import read_runs
from rankgold.data.query_groups import QueryGroups
from rankgold.data.rows import Rows
from rankgold.engines.request import Request
from rankgold.errors import FusionError
from rankgold.forked_process import check_polars
from rankgold.kernels.segments import Floats, Ints, ranges, starts_of
from rankgold.matching.exclusion import Exclusion
from rankgold.matching.hash_lookup import hashes_of
from rankgold.matching.ranks import round_scores
from rankgold.matching.table_judgements import distinct_rows
from rankgold.policy import Policy

if TYPE_CHECKING:
    from rankgold.data.ids import Keys


# So many rows are fused at once: few enough to stay in the processor's cache, and more make work for several cores.
_AT_ONCE = 1 << 17


@dataclass(frozen=True, slots=True, eq=False)
class RunRows:
    """The rows of one run, those of each query side by side."""

    name: str
    query: Ints
    """The number of the query of each group of rows, ascending."""
    starts: Ints
    documents: pl.Series
    hashes: Keys
    scores: Floats

    def of_queries(self, first: int, last: int) -> RunRows:
        """The rows of the queries `first:last`, numbered from 0."""
        low, high = np.searchsorted(self.query, [first, last])
        rows = slice(int(self.starts[low]), int(self.starts[high]))
        return RunRows(
            self.name,
            self.query[low:high] - first,
            self.starts[low : high + 1] - rows.start,
            self.documents[rows],
            self.hashes[rows],
            self.scores[rows],
        )


@dataclass(frozen=True, slots=True, eq=False)
class NumberedRuns:
    """The rows of all runs, and the queries by number: in the order in which the runs have them."""

    queries: pl.Series
    runs: list[RunRows]

    @property
    def lengths(self) -> Ints:
        """A row for each run, a column for each query: the number of its rows."""
        lengths = np.zeros((len(self.runs), len(self.queries)), dtype=np.int64)
        for line, run in zip(lengths, self.runs, strict=True):
            line[run.query] = np.diff(run.starts)
        return lengths

    def parts(self) -> list[NumberedRuns]:
        """The same rows, some queries at a time."""
        ends = np.cumsum(self.lengths.sum(axis=0))
        total = int(ends[-1]) if len(ends) else 0
        cuts = sorted({0, *np.searchsorted(ends, np.arange(_AT_ONCE, total, _AT_ONCE)).tolist(), len(ends)})
        return [
            NumberedRuns(self.queries[first:last], [run.of_queries(first, last) for run in self.runs])
            for first, last in pairwise(cuts)
        ]


def read_numbered_runs(request: Request, *, at_least: int = 2) -> NumberedRuns:
    """The rows of several runs: a list, a dict by name, or one source that holds several."""
    check_polars()
    policy = request.policy
    request.report("reading runs")
    runs = dict(read_runs(request.run, request.columns, policy.repeats, small=False))
    if len(runs) < at_least:
        raise FusionError(
            f"fusing needs two or more runs, and there is {len(runs)}. Pass all of them: fuse([run1, run2]),"
            " RUN RUN... at the shell."
        )

    exclusion = None if request.exclude is None else Exclusion.of(request.exclude, request.columns)

    def distinct(run: Rows) -> tuple[QueryGroups, Keys]:
        groups = request.groups(run.name, run)
        return distinct_rows(groups if exclusion is None else exclusion.remaining(groups), "ranks", policy)

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return _numbered(dict(zip(runs, threads.map(distinct, runs.values()), strict=True)), policy)


def _numbered(runs: dict[str, tuple[QueryGroups, Keys]], policy: Policy) -> NumberedRuns:
    """The runs with ids of one type, and their queries numbered."""
    queries = of_one_type([to_polars(rows.queries) for rows, _ in runs.values()])
    documents = of_one_type([to_polars(rows.documents) for rows, _ in runs.values()])
    known = pl.concat(queries).unique(maintain_order=True)
    numbered = []
    for (name, (rows, hashes)), of_run, ids in zip(runs.items(), queries, documents, strict=True):
        if ids.dtype != to_polars(rows.documents).dtype:
            hashes = hashes_of(ids)
        numbers = positions_among(of_run, known)
        run = RunRows(name, numbers, rows.starts, ids, hashes, round_scores(rows.numbers, policy))
        numbered.append(_by_query(run))
    return NumberedRuns(known, numbered)


def _by_query(run: RunRows) -> RunRows:
    """The run with its groups in the order of the queries."""
    if (run.query[1:] > run.query[:-1]).all():
        return run
    order = np.argsort(run.query)
    lengths = np.diff(run.starts)[order]
    rows, starts = ranges(run.starts[:-1][order], lengths), starts_of(lengths)
    return RunRows(run.name, run.query[order], starts, run.documents.gather(rows), run.hashes[rows], run.scores[rows])
