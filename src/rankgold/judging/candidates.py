"""Numbers the documents that any of several runs ranks for a query.

The rows of a document are brought together by 64-bit keys, the hash of its id plus a constant that differs by query,
and verified by the ids. Every row goes to the cell of its key's leading bits in a table; the first row of a cell stays
there. Rows that find another key in their cell try again with other bits. In miniature, with 4-bit keys and 2 leading
bits: the rows 0111, 0100, 0111 all go to cell 01, where row 0 stays. Row 2 has its key, so it is the same document. Row
1 has another key; with other bits it finds a cell of its own.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankgold.core.errors import FusionError
from rankgold.core.policy import Policy
from rankgold.core.segments import Floats, Ints, positions, ranges, starts_of
from rankgold.data.exclusion import Exclusion
from rankgold.data.ids import equal_ids, of_one_type, positions_among, to_polars
from rankgold.data.inputs import read_runs
from rankgold.data.matching.hash_lookup import hashes_of
from rankgold.data.matching.ranks import best_order, round_scores
from rankgold.data.matching.table_judgements import distinct_rows
from rankgold.data.polars_guard import check_polars
from rankgold.data.query_groups import QueryGroups
from rankgold.data.rows import Rows
from rankgold.engines.request import Request

if TYPE_CHECKING:
    from numpy.typing import NDArray

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


_MIX = np.uint64(0x9E3779B97F4A7C15)
_CELLS_PER_ROW = 2


@dataclass(frozen=True, slots=True, eq=False)
class CandidateRun:
    """The rows of one run, those of each query side by side."""

    name: str
    query: Ints
    """The number of the query of each group of rows."""
    starts: Ints
    candidate: Ints
    """The candidate that each row is about."""
    score: Floats
    rank: Ints

    @property
    def lengths(self) -> Ints:
        """The number of rows of each group."""
        return np.diff(self.starts)

    def per_row(self, of_groups: Floats | Ints) -> NDArray[Any]:
        """The values of the groups, repeated for their rows."""
        return np.asarray(np.repeat(of_groups, self.lengths))


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """All documents that may be in the fused lists, in the order in which the runs have them."""

    queries: pl.Series
    starts: Ints
    """The candidates of query i are `starts[i]:starts[i + 1]`."""
    documents: pl.Series
    runs: tuple[CandidateRun, ...]

    @property
    def names(self) -> list[str]:
        return [run.name for run in self.runs]

    @property
    def lengths(self) -> Ints:
        """The number of candidates of each query."""
        return np.diff(self.starts)

    @property
    def query(self) -> Ints:
        """The number of the query of each candidate."""
        return np.repeat(np.arange(len(self.queries)), self.lengths)

    def table(self, values: list[Floats], absent: float = 0.0) -> Floats:
        """A row for each run, a column for each candidate: the values of the rows of the runs, else `absent`."""
        table = np.full((len(self.runs), len(self.documents)), absent)
        for line, run, value in zip(table, self.runs, values, strict=True):
            line[run.candidate] = value
        return table

    def counts(self) -> Ints:
        """The number of runs that rank each candidate."""
        counts = np.zeros(len(self.documents), dtype=np.int64)
        for run in self.runs:
            counts[run.candidate] += 1
        return counts

    def frame(self, scores: Floats, ties: str) -> pl.DataFrame:
        """The fused lists: query, document, score, the best document of each query first."""
        order = best_order(scores, self.starts, self.documents, ties)
        return pl.DataFrame(
            {
                "query": self.queries.gather(self.query),
                "document": self.documents.gather(order),
                "score": scores[order],
            }
        )


def candidates_of(runs: NumberedRuns, ties: str, *, lowest_first: bool = False) -> Candidates:
    """The candidates of all queries. With `lowest_first`, low scores are good ones, such as distances."""
    lengths = runs.lengths
    # The rows of a query stand side by side, those of the first run first.
    joint = starts_of(lengths.sum(axis=0))
    offsets = joint[:-1] + np.cumsum(lengths, axis=0) - lengths
    places = [
        np.repeat(offset[run.query], np.diff(run.starts)) + positions(run.starts)
        for run, offset in zip(runs.runs, offsets, strict=True)
    ]
    numbers, starts, documents = _numbered_candidates(runs.runs, places, joint)
    ranked = []
    for run, candidate in zip(runs.runs, numbers, strict=True):
        order = best_order(-run.scores if lowest_first else run.scores, run.starts, run.documents, ties)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = positions(run.starts) + 1
        ranked.append(CandidateRun(run.name, run.query, run.starts, candidate, run.scores, rank))
    return Candidates(runs.queries, starts, documents, tuple(ranked))


def _numbered_candidates(runs: list[RunRows], places: list[Ints], joint: Ints) -> tuple[list[Ints], Ints, pl.Series]:
    """The candidate of each row of each run, where the candidates of each query start, and their documents."""
    keys = np.empty(int(joint[-1]), dtype=np.uint64)
    source = np.empty(len(keys), dtype=np.int64)
    at = 0
    for run, place in zip(runs, places, strict=True):
        keys[place] = run.hashes + np.repeat(run.query.astype(np.uint64) * _MIX, np.diff(run.starts))
        source[place] = np.arange(at, at + len(place))
        at += len(place)
    rows = pl.concat([run.documents for run in runs], rechunk=True)

    def numbered(first: Ints) -> tuple[list[Ints], Ints, pl.Series]:
        is_first = first == np.arange(len(first))
        number = np.concatenate(([0], np.cumsum(is_first)))
        candidate = number[first]
        return [candidate[place] for place in places], number[joint], rows.gather(source[np.flatnonzero(is_first)])

    numbers, starts, documents = numbered(_first_rows(keys))
    if equal_ids(documents.gather(np.concatenate(numbers)), rows).all():
        return numbers, starts, documents
    return numbered(_first_rows_by_id(rows.gather(source), joint))


def _first_rows(keys: Keys) -> Ints:
    """For each row, the first row with the same key."""
    # Small numbers: memory is what takes time here.
    first: Ints = np.arange(len(keys), dtype=np.int32 if len(keys) < 1 << 31 else np.int64)
    rows, tried = first, keys
    bits = max((len(keys) * _CELLS_PER_ROW).bit_length(), 10)
    cells = np.empty(1 << bits, dtype=first.dtype)
    while len(rows):
        cell = (tried >> np.uint64(64 - bits)).view(np.int64)
        cells[cell[::-1]] = rows[::-1]  # the last one to be written stays
        found = cells[cell]
        is_same = keys[found] == keys[rows]
        first[rows] = np.where(is_same, found, rows)
        again = np.flatnonzero(~is_same)
        rows, tried = rows[again], tried[again] * _MIX
    return first


def _first_rows_by_id(documents: pl.Series, joint: Ints) -> Ints:
    """As `_first_rows`, by the ids, for the rare case that two have the same key."""
    rows = pl.DataFrame({"query": np.repeat(np.arange(len(joint) - 1), np.diff(joint)), "document": documents})
    first = rows.with_row_index("row").select(pl.col("row").min().over("query", "document"))["row"]
    return first.to_numpy().astype(np.int64)
