"""Runs in, their pool out: the documents that any of them ranks in its first places, to be judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.inputs import read
from rankgold.data.parents import ParentRule
from rankgold.errors import DataError, check_whole_number, counted
from rankgold.fusion.candidates import candidates_of
from rankgold.fusion.run_rows import read_numbered_runs
from rankgold.judging.sheets import Sheet, with_texts
from rankgold.policy import Policy


def pool(
    runs: Any,
    *,
    depth: int = 10,
    qrels: Any = None,
    policy: Policy | str | None = None,
    columns: Mapping[str, str] | None = None,
    parent: Any = None,
    queries: Mapping[Any, str] | None = None,
    docs: Mapping[Any, str] | None = None,
) -> Sheet:
    """The documents that any run ranks at `depth` or better: a sheet with the best rank of each and its number of runs.

    With `qrels`, documents that are judged already have their grade, and `judged_share` is how much of the pool that
    is. The documents of a query are in the order of their ids, so that their place does not influence the judge.

    >>> pool([{"q1": {"d2": 2.0, "d9": 1.0}}, {"q1": {"d1": 2.0, "d2": 1.0}}], depth=1).frame.rows()
    [('q1', 'd1', None, 1, 1), ('q1', 'd2', None, 1, 1)]
    """
    depth = check_whole_number("depth", depth, 1)
    decided = Policy.of(policy)
    if decided.ties == "average":
        raise DataError("ties=average has no single order to pool. Choose ties=descending, ascending or input.")
    candidates = candidates_of(
        read_numbered_runs(runs, decided, columns, ParentRule.of(parent), at_least=1), decided.ties
    )
    ranks = candidates.table([run.rank.astype(np.float64) for run in candidates.runs], np.inf)
    best = ranks.min(axis=0)
    rows = np.flatnonzero(best <= depth)
    number = candidates.query[rows]
    frame = pl.DataFrame(
        {
            "query": candidates.queries.gather(number),
            "document": candidates.documents.gather(rows),
            "grade": pl.Series([None] * len(rows), dtype=pl.Float64),
            "rank": best[rows].astype(np.int64),
            "runs": (ranks[:, rows] <= depth).sum(axis=0),
        }
    ).sort(pl.Series(number), pl.col("document").cast(pl.String))
    if qrels is not None:
        frame = _with_grades(frame, read(qrels, "qrels", columns, decided.repeats).table().frame)
    of_runs = counted(len(candidates.runs), "run")
    sheet = Sheet(frame, f"{counted(frame.height, 'document')} in the first {depth:,} of {of_runs}")
    if qrels is not None and frame.height:
        sheet = replace(sheet, about=f"{sheet.about}; {sheet.judged_share:.1%} judged")
    return with_texts(sheet, queries, docs)


def _with_grades(frame: pl.DataFrame, judged: pl.DataFrame) -> pl.DataFrame:
    """The pool with the grades of what is judged. Of several grades of a document, for subtopics, the highest one."""
    keys = ["query", "document"]
    grades = judged.group_by(*(pl.col(key).cast(pl.String) for key in keys)).agg(pl.col("grade").max())
    texts = frame.select(pl.col(key).cast(pl.String) for key in keys)
    found = texts.join(grades, on=keys, how="left", maintain_order="left")["grade"]
    return frame.with_columns(found.alias("grade"))
