"""Removes repeated documents, and those that users have already seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeGuard

import numpy as np
import polars as pl

from rankgold.core.errors import DataError
from rankgold.core.policy import Policy
from rankgold.core.segments import Ints, groups_at
from rankgold.data.columns import check_column_names
from rankgold.data.ids import as_text, differ_in_type, id_series, positions_among, to_polars
from rankgold.data.inputs import read
from rankgold.data.matching.hash_lookup import Lookup, hashes_of
from rankgold.data.polars_guard import check_polars
from rankgold.data.query_groups import QueryGroups
from rankgold.data.table import Table

_PAIR = 2


def read_pairs(source: object, columns: Mapping[str, str] | None = None) -> pl.DataFrame:
    """The pairs of a run or of judgements in any form, of a table with any further columns, or of a list of pairs."""
    check_polars()
    if isinstance(source, (Mapping, Sequence, Set)) and not isinstance(source, (str, bytes)) and not source:
        return pl.DataFrame(schema={"query": pl.String, "document": pl.String})
    if isinstance(source, Set):
        source = list(source)
    if _is_list_of_pairs(source):
        queries, documents = zip(*source, strict=True)
        frame = pl.DataFrame({"query": id_series(queries, "a query"), "document": id_series(documents, "a document")})
        if frame.null_count().sum_horizontal()[0]:
            raise DataError("an id cannot be None. Ids must be integers or text.", "the interactions")
    else:
        frame = read(source, "pairs", ids_of(columns), "first").table().frame.select("query", "document")
    return frame.unique(maintain_order=True)


def ids_of(columns: Mapping[str, str] | None) -> dict[str, str]:
    """Of the columns that the user named, those that a table of pairs has."""
    return {role: name for role, name in check_column_names(columns).items() if role in ("query", "document")}


def _is_list_of_pairs(source: object) -> TypeGuard[Sequence[Sequence[Any]]]:
    if not isinstance(source, Sequence) or isinstance(source, (str, bytes)) or not source:
        return False
    return all(isinstance(pair, (tuple, list)) and len(pair) == _PAIR for pair in source)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Documents that are taken out of the lists of their queries before ranks are counted."""

    queries: pl.Series
    lookup: Lookup

    @classmethod
    def of(cls, source: object, columns: Mapping[str, str] | None = None) -> Exclusion:
        """The pairs of query and document in what the user passed."""
        return source if isinstance(source, Exclusion) else cls.of_pairs(read_pairs(source, columns))

    @classmethod
    def of_pairs(cls, pairs: pl.DataFrame) -> Exclusion:
        rows = Table(pairs.with_columns(grade=pl.lit(1.0)), "", lambda row: "the interactions").groups()
        return cls(to_polars(rows.queries), Lookup.of(to_polars(rows.documents), rows.starts))

    def pairs(self) -> pl.DataFrame:
        """All pairs as text."""
        queries = self.queries.gather(np.repeat(np.arange(len(self.queries)), np.diff(self.lookup.starts)))
        return pl.DataFrame({"query": as_text(queries), "document": as_text(self.lookup.documents)})

    def remaining(self, rows: QueryGroups) -> QueryGroups:
        """The rows without the excluded ones; a query may be left without rows."""
        known, queries, documents = self, to_polars(rows.queries), to_polars(rows.documents)
        if differ_in_type((queries, documents), (self.queries, self.lookup.documents)):
            known, queries, documents = self.of_pairs(self.pairs()), as_text(queries), as_text(documents)
        number = positions_among(queries, known.queries)
        at, _ = known.lookup.find(documents, hashes_of(documents), rows.starts, number)
        kept = np.ones(len(rows.numbers), dtype=bool)
        kept[at] = False
        return rows if kept.all() else rows.keep(kept)


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
