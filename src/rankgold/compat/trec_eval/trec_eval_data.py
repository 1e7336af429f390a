"""Judgements, a run and options of trec_eval in, the hits of the queries out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from rankgold.compat.trec_eval.run_file import RankedFile, check_once
from rankgold.data.inputs import read
from rankgold.hits import Hits
from rankgold.policy import Policy
from rankgold.scoring import match

# With -J, the judgement of a query without other ones. No run has the document: fields of files have no spaces.
_NO_DOCUMENT = " "


def read_judgements(path: str | os.PathLike[str]) -> pl.DataFrame:
    """The judgements of a file, of one group. Grades are whole numbers: what is after a decimal point is left out."""
    rows = read(path, "qrels").table()
    check_once(rows, "judges")
    grade = pl.col("grade")
    whole = pl.when(grade >= 0).then(grade.floor()).otherwise(grade.ceil())
    return rows.frame.select(pl.col("query", "document").cast(pl.String), whole.alias("grade"), group=pl.lit(""))


@dataclass(frozen=True, slots=True)
class TrecEvalData:
    """Judgements and one run, as trec_eval sees them."""

    qrels: pl.DataFrame
    run: pl.DataFrame
    policy: Policy
    judged: pl.DataFrame
    """The judgements that count."""

    @classmethod
    def of(cls, judgements: pl.DataFrame, run: RankedFile, policy: Policy, queries: Sequence[str]) -> TrecEvalData:
        judged = judgements.filter(pl.col("query").is_in(queries))
        if policy.unjudged == "condensed":  # a negative grade marks a document that was not judged
            known = judged.filter(pl.col("grade") >= 0)
            lost = judged.join(known, on="query", how="anti").unique("query")
            judged = pl.concat(
                [known, lost.with_columns(document=pl.lit(_NO_DOCUMENT), grade=pl.lit(0.0))], how="vertical_relaxed"
            )
        return cls(judgements, run.rows, policy, judged)

    def with_zero_as_one(self) -> TrecEvalData:
        """The same with a grade of 1 in place of 0. Grades below 0 say that a document was not judged."""
        is_zero = (pl.col("grade") == 0) & (pl.col("document") != _NO_DOCUMENT)
        return replace(
            self, judged=self.judged.with_columns(pl.when(is_zero).then(1.0).otherwise("grade").alias("grade"))
        )

    def hits(self) -> Hits:
        return match(self.judged, self.run, policy=self.policy)

    def levels(self) -> dict[str, dict[int, int]]:
        """Query -> grade -> the number of documents with it; negative grades are left out."""
        counted: dict[str, dict[int, int]] = {}
        known = self.judged.filter(pl.col("grade") >= 0)
        for query, grade, number in known.group_by("query", "grade").len().iter_rows():
            counted.setdefault(query, {})[int(grade)] = number
        return counted
