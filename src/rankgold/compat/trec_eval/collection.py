"""Files in the formats of trec_eval and its options in, the hits of the queries that are evaluated out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import polars as pl

from rankgold.data.inputs import read
from rankgold.data.table import Table
from rankgold.errors import DataError
from rankgold.evaluation import match
from rankgold.hits import Hits
from rankgold.policy import Policy

_Path = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Depth:
    """Which documents of a run count."""

    documents: int | None = None
    """The number of documents of each query, judged or not; None for all."""
    judged_only: bool = False
    score_bits: Literal[32, 64] = 64


def read_ranking(path: _Path, depth: Depth) -> tuple[pl.DataFrame, str]:
    """The documents of a run that count, and its tag."""
    rows = read(path, "run").table()
    check_once(rows, "ranks")
    ranked, tag = rows.frame, rows.name
    if "run" in ranked.columns:
        tag = str(ranked.sort("query", maintain_order=True)["run"][-1])
    ranked = ranked.select("query", "document", "score")
    if depth.documents is not None:
        width = pl.Float32 if depth.score_bits == 32 else pl.Float64
        order = pl.col("score").cast(width), pl.col("document").cast(pl.String)
        ranked = ranked.sort(*order, descending=True).group_by("query", maintain_order=True).head(depth.documents)
    return ranked, tag


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
    )


@dataclass(frozen=True, slots=True)
class Collection:
    """Judgements and one run, as trec_eval sees them."""

    qrels: pl.DataFrame
    run: pl.DataFrame
    tag: str
    policy: Policy

    @classmethod
    def of(cls, judgements: pl.DataFrame, run: pl.DataFrame, tag: str, depth: Depth) -> Collection:
        policy = Policy(missing="skip", undefined="zero", score_bits=depth.score_bits)
        if depth.judged_only:  # a negative grade marks a document that was not judged
            judgements = judgements.filter(pl.col("grade") >= 0)
            policy = replace(policy, unjudged="condensed")
        return cls(judgements, run, tag, policy)

    def hits(self, gains: Sequence[tuple[float, float]] = ()) -> Hits:
        """The hits, with gains in place of grades."""
        judgements = self.qrels
        if gains:
            grades, gained = zip(*gains, strict=True)
            judgements = judgements.with_columns(pl.col("grade").replace(list(grades), list(gained)))
        return match(judgements, self.run, policy=self.policy)

    def queries(self, *, complete: bool) -> list[Any]:
        """The queries to evaluate, in the order of their bytes; with `complete`, also those without a ranking."""
        judged = sorted(self.qrels["query"].unique().to_list(), key=lambda query: str(query).encode())
        if complete:
            return judged
        ranked = set(self.run["query"].unique().to_list())
        found = [query for query in judged if query in ranked]
        if not found:
            raise DataError("no query has both results and judgements.")
        return found
