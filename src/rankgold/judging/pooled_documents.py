"""Runs in, their pool out: the documents that any of them ranks in its first places, to be judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from rankgold.data.inputs import read
from rankgold.engines.fetched_data import read_here
from rankgold.engines.request import Request
from rankgold.errors import DataError, check_whole_number, counted
from rankgold.fusion.candidates import candidates_of
from rankgold.fusion.run_rows import read_numbered_runs
from rankgold.judging.sheets import Sheet


def pooled(request: Request, k: int) -> Sheet:
    """The documents that any run of a request ranks among its first k."""
    k = check_whole_number("k", k, 1)
    policy = request.policy
    if policy.ties == "average":
        raise DataError("ties=average has no single order to pool. Choose ties=descending, ascending or input.")
    if policy.depth is not None:
        k = min(k, policy.depth)
    request = read_here(request)
    candidates = candidates_of(read_numbered_runs(request, at_least=1), policy.ties)
    ranks = candidates.table([run.rank.astype(np.float64) for run in candidates.runs], np.inf)
    best = ranks.min(axis=0)
    rows = np.flatnonzero(best <= k)
    number = candidates.query[rows]
    frame = pl.DataFrame(
        {
            "query": candidates.queries.gather(number),
            "document": candidates.documents.gather(rows),
            "grade": pl.Series([None] * len(rows), dtype=pl.Float64),
            "rank": best[rows].astype(np.int64),
            "runs": (ranks[:, rows] <= k).sum(axis=0),
        }
    ).sort(pl.Series(number), pl.col("document").cast(pl.String))
    is_judged = request.qrels is not None
    if is_judged:
        frame = _with_grades(frame, read(request.qrels, "qrels", request.columns, policy.repeats).table().frame)
    of_runs = counted(len(candidates.runs), "run")
    sheet = Sheet(frame, f"{counted(frame.height, 'document')} in the first {k:,} of {of_runs}")
    if is_judged and frame.height:
        sheet = replace(sheet, about=f"{sheet.about}; {sheet.judged_share:.1%} judged")
    return sheet


def _with_grades(frame: pl.DataFrame, judged: pl.DataFrame) -> pl.DataFrame:
    """The pool with the grades of what is judged. Of several grades of a document, for subtopics, the highest one."""
    keys = ["query", "document"]
    grades = judged.group_by(*(pl.col(key).cast(pl.String) for key in keys)).agg(pl.col("grade").max())
    texts = frame.select(pl.col(key).cast(pl.String) for key in keys)
    found = texts.join(grades, on=keys, how="left", maintain_order="left")["grade"]
    return frame.with_columns(found.alias("grade"))
