"""A file of a run in, its rows and its tag out, also of lines that trec_eval takes and other readers refuse."""

from __future__ import annotations

import os
from collections.abc import Set
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from rankgold.compat.whitespace_fields import field_number, rows
from rankgold.data.inputs import read
from rankgold.data.table import Table
from rankgold.errors import DataError
from rankgold.kernels.segments import Floats
from rankgold.matching.best_order import ids_best_first
from rankgold.policy import Policy

_Path = str | os.PathLike[str]

# With -c, trec_eval 10 evaluates a query that the run does not have as if it had this document alone.
_STAND_IN = "ceci_nest_pas_un_docno"

_FIELDS = "query", "Q0", "document", "rank", "score", "tag"

# The end of a file, which is long enough for its last line.
_END = 1 << 16


@dataclass(frozen=True, slots=True)
class RankedFile:
    """The rows of a run, and its tag: that of the last line."""

    rows: pl.DataFrame
    tag: str

    @classmethod
    def read(cls, path: _Path, score_bits: int = 64) -> RankedFile:
        try:
            table = read(path, "run").table()
        except DataError:
            lenient = _as_c_reads_it(path, score_bits)
            if lenient is None:
                raise
            table = lenient
        check_once(table, "ranks")
        return cls(
            table.frame.select(pl.col("query", "document").cast(pl.String), "score"), _last_tag(path) or table.name
        )

    def queries(self) -> set[str]:
        return set(self.rows["query"].unique().to_list())

    def with_stand_ins(self, missing: Set[str]) -> RankedFile:
        """The run, with a document that nobody judged for each of these queries."""
        added = {"query": sorted(missing), "document": [_STAND_IN] * len(missing), "score": [1.0] * len(missing)}
        return replace(self, rows=pl.concat([self.rows, pl.DataFrame(added, schema=self.rows.schema)]))

    def lists(self, policy: Policy) -> dict[str, list[str]]:
        """The documents of each query from the top down; here, tied ones are in the order of their ids."""
        ascending = replace(policy, ties="ascending")
        by_query = self.rows.group_by("query", maintain_order=True).agg("document", "score")
        return {
            query: ids_best_first(documents, np.array(scores), ascending)[: policy.depth]
            for query, documents, scores in by_query.iter_rows()
        }


def check_once(rows: Table, verb: str) -> None:
    """Raises an error if a document is in a query twice. trec_eval has no choice for this case."""
    pairs = rows.frame.select("query", "document")
    repeated = pairs.is_duplicated().arg_true()
    if not len(repeated):
        return
    query, document = pairs.row(repeated[0])
    first, second = ((pairs["query"] == query) & (pairs["document"] == document)).arg_true()[:2]
    raise DataError(
        f"query {query!r} {verb} document {document!r} twice (first at line {rows.place(first).rpartition(':')[2]})."
        " Remove one.",
        rows.place(second),
    ).with_exit_code(4)


def _as_c_reads_it(path: _Path, score_bits: int) -> Table | None:
    """The rows of a file with more fields on some lines than a run has, or with scores such as inf and 0x10.

    None if the file has another fault. NaN is one: it has no place in an order.
    """
    try:
        lines = [(place, words[0], words[2], words[4]) for place, words in rows(path, _FIELDS, more=True)]
        scores = np.array([field_number(score, place) for place, _, _, score in lines])
    except DataError:
        return None
    if not lines or np.isnan(scores).any():
        return None
    if np.isinf(scores).any():
        scores = _numbered(scores, score_bits)
    places, queries, documents, _ = zip(*lines, strict=True)
    frame = pl.DataFrame({"query": queries, "document": documents, "score": scores})
    return Table(frame, "run", lambda row: places[row])


def _numbered(scores: Floats, score_bits: int) -> Floats:
    """Finite numbers in the order of the scores, equal where these are: 2.5, inf, 2.5 become 0, 1, 0."""
    with np.errstate(over="ignore"):
        compared = scores.astype(np.float32 if score_bits == 32 else np.float64)
    numbers: Floats = np.unique(compared, return_inverse=True)[1].astype(np.float64)
    return numbers


def _last_tag(path: _Path) -> str | None:
    """The tag on the last line of a plain file: there may be others above it."""
    try:
        with open(path, "rb") as file:
            file.seek(max(os.path.getsize(path) - _END, 0))
            lines = [words for line in file if (words := line.split()) and not line.startswith(b"#")]
        *_, score, tag = (word.decode() for word in lines[-1][: len(_FIELDS)])
        field_number(score, "")
        return tag if len(lines[-1]) >= len(_FIELDS) else None
    except (OSError, ValueError, IndexError, DataError):
        return None
