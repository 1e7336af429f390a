"""The rows of a table with each query's side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from rankgold.data.table import Table, boundaries
from rankgold.errors import DataError
from rankgold.kernels.segments import Bools, Floats, Ints, starts_of
from rankgold.matching.hash_lookup import Keys, perhaps_repeated
from rankgold.policy import Policy

_SOME = 10_000


@dataclass(frozen=True, slots=True)
class Grouped:
    """Rows by query: query i's are `starts[i]:starts[i + 1]`."""

    queries: pl.Series
    starts: Ints
    documents: pl.Series
    numbers: Floats
    """Grades or scores."""
    row: Ints | None = None
    """Where each row stands in the table it comes from; None where they stand in the same order."""

    @classmethod
    def of(cls, table: Table, number: str) -> Grouped:
        """The rows of a table: queries in the order of their first rows, a query's rows in the order they have."""
        frame = table.frame
        starts = boundaries(frame["query"]) if table.starts is None else table.starts
        queries = frame["query"].gather(starts[:-1])
        if not _come_again(queries):
            return cls(queries, starts, frame["document"].rechunk(), frame[number].to_numpy())
        by_query = frame.with_row_index("row").group_by("query", maintain_order=True).agg("document", number, "row")
        return cls(
            by_query["query"],
            starts_of(by_query["row"].list.len().to_numpy()),
            by_query["document"].explode().rechunk(),
            by_query[number].explode().to_numpy(),
            by_query["row"].explode().to_numpy().astype(np.int64),
        )

    @property
    def lengths(self) -> Ints:
        return np.diff(self.starts)

    def spread(self, per_query: Ints) -> Ints:
        """A number per query, for each row."""
        return np.repeat(per_query, self.lengths)

    def group(self, at: Ints) -> Ints:
        """The query of each of these rows."""
        return np.searchsorted(self.starts, at, side="right") - 1

    def keep(self, which: Bools) -> Grouped:
        """Only some rows; a query may be left without any."""
        return replace(
            self,
            starts=np.concatenate(([0], np.cumsum(which)))[self.starts],
            documents=self.documents.filter(pl.Series(which)),
            numbers=self.numbers[which],
            row=np.flatnonzero(which) if self.row is None else self.row[which],
        )

    def source_row(self, at: int) -> int:
        """Where a row stands in the table it comes from."""
        return at if self.row is None else int(self.row[at])


def _come_again(queries: pl.Series) -> bool:
    """Whether any of these is there twice; where rows are interleaved, the first of them tell already."""
    return any(some.n_unique() < len(some) for some in (queries[:_SOME], queries))


def without_duplicates(rows: Grouped, hashes: Keys, table: Table, policy: Policy) -> tuple[Grouped, tuple[str, ...]]:
    """The rows with each document once in a query, as the policy says, and a remark if any were dropped.

    Equal hashes are looked for first, and ids are compared only where there are some.
    """
    suspects = perhaps_repeated(hashes, rows.starts)
    if not len(suspects):
        return rows, ()
    pairs = pl.DataFrame({"query": rows.group(suspects), "document": rows.documents.gather(suspects), "at": suspects})
    repeats = pairs.filter(pl.struct("query", "document").is_duplicated())
    if not repeats.height:
        return rows, ()
    if policy.duplicates == "error":
        raise _duplicate(repeats, rows, table)
    once = repeats.unique(["query", "document"], keep=policy.duplicates, maintain_order=True)
    dropped = np.setdiff1d(repeats["at"].to_numpy(), once["at"].to_numpy())
    kept = np.ones(len(hashes), dtype=bool)
    kept[dropped] = False
    return rows.keep(kept), (dropped_remark(len(dropped), policy),)


def dropped_remark(rows: int, policy: Policy) -> str:
    """What Notes say of rows that were dropped because they repeat a document."""
    many = "1 row that repeats" if rows == 1 else f"{rows} rows that repeat"
    kept = policy.duplicates
    return f"{many} a document of a query: dropped, the {kept} kept (policy duplicates={kept})"


def _duplicate(repeats: pl.DataFrame, rows: Grouped, table: Table) -> DataError:
    query, document = repeats["query"][0], repeats["document"][0]
    at = repeats.filter((pl.col("query") == query) & (pl.col("document") == document))["at"]
    first, second = (table.place(rows.source_row(at[i])) for i in (0, 1))
    verb = "ranks" if "score" in table.frame.columns else "judges"
    return duplicate_error(rows.queries[query], verb, document, first, second)


def duplicate_error(query: object, verb: str, document: object, first: str, second: str) -> DataError:
    """A document that stands twice in a query, and at which two places."""
    line = first.rpartition(":")[2]
    fault = f"query {query!r} {verb} document {document!r} twice"
    if first == second:  # Rows without places have no order either, so there is no first one.
        return DataError(f"{fault}. Remove one of the rows.", second)
    return DataError(
        f"{fault}"
        f" (first at {f'line {line}' if line.isdigit() else first.rpartition(', ')[2]})."
        " Remove one, or pass --policy duplicates=first (policy='duplicates=first' in Python).",
        second,
    )
