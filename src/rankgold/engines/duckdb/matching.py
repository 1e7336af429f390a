"""Matching in DuckDB: statements in, Hits out."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.table import number_fault
from rankgold.engines.duckdb import statements
from rankgold.engines.duckdb.database import Database
from rankgold.engines.duckdb.statements import Run
from rankgold.errors import DataError
from rankgold.hits import Hits
from rankgold.kernels.segments import Ints
from rankgold.matching.judgements import Retrieval, check_overlap
from rankgold.matching.ranks import Places
from rankgold.matching.repeats import dropped_remark, duplicate_error
from rankgold.matching.tables import TableJudgements
from rankgold.policy import Policy

# What a row takes in the lists that are sorted, with room for these to grow; they may fill half of the memory.
_BYTES_A_ROW = 32


def judgements_table(database: Database, judged: TableJudgements) -> str:
    """The judged documents where DuckDB can join them, each with its number."""
    frame = pl.DataFrame(
        {
            "query": judged.queries.to_polars().gather(judged.judgements.query),
            "document": judged.lookup.documents.to_polars(),
            "judgement": np.arange(len(judged.judgements.query)),
        }
    )
    return database.copied(frame)


def match_run(
    database: Database, judged: TableJudgements, judgements: str, run: Run, policy: Policy, name: str, label: str
) -> Hits:
    """The Hits of one run."""
    remarks: tuple[str, ...] = ()
    total = _checked(database, run, label)
    if policy.duplicates != "error":
        dropped = database.table(statements.repeats(run, policy.duplicates))
        if count := database.rows(f"SELECT count(*) FROM {dropped}")[0][0]:
            run = replace(run, kept=f"({run.kept}) AND number NOT IN (SELECT number FROM {dropped})")
            remarks = (dropped_remark(count, policy),)
    hits = database.table(statements.found(run, judgements))
    placed = _placed(database, run, hits, total)
    ranked = database.arrays(f"SELECT query, returned, documents FROM {placed}")
    # Hashes of documents were counted: where two are the same, the documents may be.
    if (ranked["documents"] < ranked["returned"]).any():
        for query, document, (first, second) in database.rows(statements.first_repeated(run, placed)):
            raise duplicate_error(query, "ranks", document, f"{label}, row {first}", f"{label}, row {second}")
    queries = ranked["query"].tolist()
    number = judged.numbers(queries)
    unjudged = tuple(sorted((queries[i] for i in np.flatnonzero(number < 0).tolist()), key=str))
    check_overlap(int(np.count_nonzero(number >= 0)), judged.judgements.queries, unjudged, policy)
    if policy.unjudged == "condensed":
        run = run.of_table(hits)
        placed = _placed(database, run, hits, total)
        ranked = database.arrays(f"SELECT query, returned FROM {placed}")
        number = judged.numbers(ranked["query"].tolist())
    returned = np.zeros(len(judged.queries), dtype=np.int64)
    returned[number[number >= 0]] = ranked["returned"][number >= 0]
    rows, score, places = _places(database, run, hits, placed, policy, len(judged.judgements.query))
    return judged.judgements.hits(Retrieval(rows, score, places, returned, unjudged, remarks), policy, name)


def _checked(database: Database, run: Run, label: str) -> int:
    """How many rows the run has; an error that names the first row with something missing."""
    total, queries, documents, scores = database.rows(statements.checks(run))[0]
    if not total:
        raise DataError("there are no rows.", label)
    for column, count, is_right in (
        ("query", queries, "query IS NOT NULL"),
        ("document", documents, "document IS NOT NULL"),
        ("score", scores, "isfinite(score)"),
    ):
        if count < total:
            at = database.rows(statements.first_wrong(run, is_right))[0][0]
            value = database.rows(statements.raw_value(run, column, at))[0][0]
            if column == "score":
                wrong = number_fault(run.score_is, value)
            elif value is None:
                wrong = f"the {column} is missing. Give every row one, or remove the row."
            else:
                wrong = f"the {column} {value!r} is not an id. Ids are integers or text."
            raise DataError(wrong, f"{label}, row {at}")
    return int(total)


def _placed(database: Database, run: Run, hits: str, rows: int) -> str:
    """The table of places, made for as many queries at a time as memory allows."""
    parts = max(math.ceil(rows * _BYTES_A_ROW / (database.memory_limit / 2)), 1)
    placed = database.table(statements.places(run, hits, 0, parts))
    for part in range(1, parts):
        database.rows(f"INSERT INTO {placed} {statements.places(run, hits, part, parts)}")
    return placed


def _places(
    database: Database, run: Run, hits: str, placed: str, policy: Policy, judged: int
) -> tuple[Ints, Any, Places]:
    """The judgement and score of each hit, and its place."""
    hit = database.arrays(
        "SELECT returned, unnest(judgements) AS judgement, unnest(scores) AS score, unnest(above) AS above,"
        f" unnest(below) AS below FROM {placed} WHERE judgements IS NOT NULL"
    )
    above = hit["above"].astype(np.int64)
    tied = hit["returned"].astype(np.int64) - above - hit["below"].astype(np.int64)
    within = None
    if policy.ties != "average":
        within = np.zeros(judged, dtype=np.int64)
        if (tied > 1).any():
            counted = database.arrays(statements.tied_above(run, hits, placed, policy.ties))
            within[counted["judgement"]] = counted["above"]
        within = within[hit["judgement"]]
    return hit["judgement"].astype(np.int64), hit["score"].astype(np.float64), Places(above, tied, within)
