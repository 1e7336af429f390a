"""The rows of several runs in, Candidates out: the documents that any run ranks for a query, each with its place in them.

Documents are brought together by 64-bit hashes, and verified by their ids. The leading bits of a hash and the position of
its row in the query make one number, so sorting numbers, which is far cheaper than finding an order, puts the rows of a
document side by side. In miniature, with 4 bits of hash and 2 of position: the rows a, b | a of two runs, with a = 1011
and b = 0110, become 1011|00, 0110|01, 1011|10. Sorted they are 0110|01, 1011|00, 1011|10: b in row 1, a in rows 0 and 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from rankgold.data.ids import equal_ids
from rankgold.fusion.best_order import best_order, ranks_of
from rankgold.fusion.run_rows import RunRows
from rankgold.kernels.segments import Floats, Ints, blocks, positions, starts_of

_LAST = 2**64 - 1


@dataclass(frozen=True, slots=True, eq=False)
class RankedRun:
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

    def per_row(self, of_groups: Floats | Ints) -> Floats | Ints:
        """What holds for each group, repeated for its rows."""
        return np.repeat(of_groups, self.lengths)


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """All documents that may be in the fused lists, in the order in which the runs have them."""

    queries: pl.Series
    starts: Ints
    """The candidates of query i are `starts[i]:starts[i + 1]`."""
    documents: pl.Series
    runs: tuple[RankedRun, ...]

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


def candidates_of(runs: list[RunRows], ties: str, *, lowest_first: bool = False) -> Candidates:
    """The candidates of all queries. With `lowest_first`, low scores are good ones, such as distances."""
    queries = pl.concat([run.queries for run in runs]).unique(maintain_order=True)
    number = pl.DataFrame({"query": queries, "number": np.arange(len(queries))})
    numbers = [
        run.queries.to_frame("query").join(number, on="query", how="left", maintain_order="left")["number"].to_numpy()
        for run in runs
    ]
    lengths = np.zeros((len(runs), len(queries)), dtype=np.int64)
    for line, run, query in zip(lengths, runs, numbers, strict=True):
        line[query] = np.diff(run.rows.starts)
    # The rows of a query stand side by side, those of the first run first.
    joint = starts_of(lengths.sum(axis=0))
    offsets = joint[:-1] + np.cumsum(lengths, axis=0) - lengths
    places = [
        np.repeat(offset[query], np.diff(run.rows.starts)) + positions(run.rows.starts)
        for run, query, offset in zip(runs, numbers, offsets, strict=True)
    ]
    candidate, starts, documents = _numbered(runs, places, joint)
    ranked = []
    for run, query, place in zip(runs, numbers, places, strict=True):
        scores = -run.rows.numbers if lowest_first else run.rows.numbers
        rank = ranks_of(best_order(scores, run.rows.starts, run.documents, ties), run.rows.starts)
        ranked.append(RankedRun(run.name, query, run.rows.starts, candidate[place], run.rows.numbers, rank))
    return Candidates(queries, starts, documents, tuple(ranked))


def _numbered(runs: list[RunRows], places: list[Ints], joint: Ints) -> tuple[Ints, Ints, pl.Series]:
    """The candidate of each row of all runs, where the candidates of each query start, and their documents."""
    total = int(joint[-1])
    documents = pl.concat([run.documents for run in runs])
    source, hashes = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.uint64)
    at = 0
    for run, place in zip(runs, places, strict=True):
        source[place] = np.arange(at, at + len(place))
        hashes[place] = run.hashes
        at += len(place)
    first = _first_rows(hashes, joint)
    repeats = np.flatnonzero(first != np.arange(total))
    if not equal_ids(documents.gather(source[repeats]), documents.gather(source[first[repeats]])).all():
        first = _first_rows_by_id(documents.gather(source), joint)
    is_first = first == np.arange(total)
    number = np.cumsum(is_first) - 1
    starts = np.concatenate(([0], number + 1))[joint]
    return number[first], starts, documents.gather(source[is_first])


def _first_rows(hashes: Ints, joint: Ints) -> Ints:
    """For each row, the first row of its query with the same leading bits of the hash."""
    bits = np.uint64(int(np.diff(joint).max(initial=1)).bit_length())
    position = positions(joint).astype(np.uint64)
    keys = (hashes >> bits << bits) | position
    ordered = np.empty_like(keys)
    for block in blocks(joint):
        block.put(ordered, np.sort(block.of(keys, _LAST), axis=1))
    row = (ordered & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64) + np.repeat(joint[:-1], np.diff(joint))
    leading = ordered >> bits
    begins = np.ones(len(row), dtype=bool)
    begins[1:] = leading[1:] != leading[:-1]
    begins[joint[:-1][np.diff(joint) > 0]] = True
    first = np.empty(len(row), dtype=np.int64)
    first[row] = row[begins][np.cumsum(begins) - 1]
    return first


def _first_rows_by_id(documents: pl.Series, joint: Ints) -> Ints:
    """The same by the ids, for the rare case that two of them have the same leading bits of the hash."""
    rows = pl.DataFrame({"query": np.repeat(np.arange(len(joint) - 1), np.diff(joint)), "document": documents})
    first = rows.with_row_index("row").select(pl.col("row").min().over("query", "document"))["row"]
    return first.to_numpy().astype(np.int64)
