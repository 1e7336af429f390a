"""Rows by query in, the same rows with each document once in a query out."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import polars as pl

from rankgold.data.ids import to_polars
from rankgold.data.query_groups import QueryGroups
from rankgold.errors import DataError
from rankgold.forked_process import check_polars
from rankgold.kernels.segments import Ints, groups_at
from rankgold.policy import Policy


def drop_repeats(rows: QueryGroups, suspects: Ints, verb: str, policy: Policy) -> QueryGroups:
    """The rows with each document once in a query, as the policy says, and a remark if rows were dropped.

    Judgements for subtopics have each document once for each subtopic. Only the `suspects` can be repeats, such as the
    rows of queries in which two hashes are equal. `verb` is for errors.
    """
    check_polars()
    keys = {"query": groups_at(rows.starts, suspects), "document": to_polars(rows.documents.gather(suspects))}
    if rows.subtopics is not None:
        keys["subtopic"] = rows.subtopics.gather(suspects)
    of_rows = pl.DataFrame(keys)
    repeats = of_rows.with_columns(at=suspects).filter(of_rows.is_duplicated())
    if not repeats.height:
        return rows
    if policy.repeats == "error":
        raise _first_repeat(repeats, rows, verb)
    if policy.repeats == "best":
        numbers = pl.Series(rows.numbers[repeats["at"].to_numpy()])
        repeats = repeats.with_columns(number=numbers).sort("number", descending=True, maintain_order=True)
    keep: Literal["first", "last"] = "last" if policy.repeats == "last" else "first"
    once = repeats.unique(list(keys), keep=keep, maintain_order=True)
    dropped = np.setdiff1d(repeats["at"].to_numpy(), once["at"].to_numpy())
    kept = np.ones(len(rows.numbers), dtype=bool)
    kept[dropped] = False
    return replace(rows.keep(kept), remarks=(*rows.remarks, *dropped_remark(len(dropped), policy)))


def dropped_remark(rows: int, policy: Policy) -> tuple[str, ...]:
    """The remark on dropped rows that repeat a document; repeated chunks are expected."""
    if policy.chunks == "best":
        return ()
    many = "1 row that repeats" if rows == 1 else f"{rows} rows that repeat"
    kept = policy.duplicates
    return (f"{many} a document of a query: dropped, the {kept} kept (policy duplicates={kept})",)


def _first_repeat(repeats: pl.DataFrame, rows: QueryGroups, verb: str) -> DataError:
    repeat = repeats.drop("at").row(0, named=True)
    first, second = map(rows.place_of, repeats.filter(**repeat)["at"][:2])
    verb = f"{verb} for subtopic {repeat['subtopic']!r}" if "subtopic" in repeat else verb
    return duplicate_error(rows.queries[repeat["query"]], verb, repeat["document"], first, second)


def duplicate_error(query: object, verb: str, document: object, first: str, second: str) -> DataError:
    """The error for a document that is in a query twice, with both places."""
    line = first.rpartition(":")[2]
    fault = f"query {query!r} {verb} document {document!r} twice"
    if str(document) == "-1":
        return DataError(f"{fault}. If -1 marks places without a document, remove these rows.", second)
    if first == second:  # rows without places, as on Spark, have no order
        return DataError(f"{fault}. Remove one of the rows.", second)
    judges = " If several judges graded it, rankgold merge-qrels makes one grade of theirs." if verb == "judges" else ""
    return DataError(
        f"{fault}"
        f" (first at {f'line {line}' if line.isdigit() else first.rpartition(', ')[2]})."
        f" Remove one, or pass --policy duplicates=first (policy='duplicates=first' in Python).{judges}",
        second,
    )
