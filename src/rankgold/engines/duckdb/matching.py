"""Makes Hits of the rows that the statements return."""

import math
from dataclasses import replace

import numpy as np
import polars as pl

from rankgold.core.errors import DataError
from rankgold.core.hits import Hits
from rankgold.core.policy import Policy
from rankgold.core.segments import Floats, Ints
from rankgold.data.exclusion import dropped_remark, duplicate_error
from rankgold.data.ids import to_polars
from rankgold.data.matching.judgements import Retrieval, check_overlap, condenses_first, with_exclusion_remark
from rankgold.data.matching.ranks import AT_32_BITS, Places, round_scores
from rankgold.data.matching.table_judgements import TableJudgements
from rankgold.data.value_faults import id_fault, number_fault
from rankgold.engines.duckdb import statements
from rankgold.engines.duckdb.database import Database
from rankgold.engines.duckdb.inputs import MatchableRun
from rankgold.engines.duckdb.statements import RunQuery

# The memory that a row takes in the sorted lists, with room for the lists to grow. They may fill half of the memory.
_BYTES_A_ROW = 32


def judgements_table(database: Database, judged: TableJudgements) -> str:
    """A temporary table of the judged documents, each with its number, which statements can join."""
    query, documents = judged.judgements.query, to_polars(judged.lookup.documents)
    queries, numbers = to_polars(judged.queries).gather(query), np.arange(len(query))
    return database.copy_of(pl.DataFrame({"query": queries, "document": documents, "judgement": numbers}))


def match_run(
    database: Database,
    judged: TableJudgements,
    judgements: str,
    matchable: MatchableRun,
    policy: Policy,
    excluded: str | None = None,
) -> Hits:
    run, label, remarks = matchable.query, matchable.label, matchable.remarks
    empty_queries = matchable.empty_queries
    total = _checked_count(database, run, label, may_be_empty=bool(empty_queries))
    taken_out = 0
    if excluded is not None:
        counts = database.rows(statements.counts_of_excluded(run, excluded))
        is_judged = judged.numbers([query for query, *_ in counts]) >= 0
        taken_out = sum(count for (_, count, _), judges in zip(counts, is_judged.tolist(), strict=True) if judges)
        empty_queries = [*empty_queries, *(query for query, _, is_all in counts if is_all)]
        run = statements.remaining_rows(run, excluded)
    if policy.repeats != "error":
        dropped = database.table(statements.duplicate_rows(run, policy.repeats))
        if count := database.value(f"SELECT count(*) FROM {dropped}"):
            run = replace(run, kept=f"({run.kept}) AND number NOT IN (SELECT number FROM {dropped})")
            remarks = (*dropped_remark(count, policy), *remarks)
    hits = database.table(statements.join_judgements(run, judgements))
    places = _places_table(database, run, hits, total)
    ranked = database.arrays(f"SELECT query, returned, documents FROM {places}")
    # `documents` counts different hashes. Two documents may share one, so the documents themselves are compared.
    if (ranked["documents"] < ranked["returned"]).any():
        for query, document, (first, second) in database.rows(statements.first_duplicate(run, places)):
            raise duplicate_error(query, "ranks", document, f"{label}, row {first}", f"{label}, row {second}")
    queries = ranked["query"].tolist()
    number, all_queries = judged.numbers(queries), queries + empty_queries
    is_judged = judged.numbers(all_queries) >= 0
    others = sorted((all_queries[i] for i in np.flatnonzero(~is_judged).tolist()), key=str)
    unjudged = judged.judgements.unjudged(others, ())
    check_overlap(int(np.count_nonzero(is_judged)), judged.judgements.queries, unjudged, policy, matchable.name)
    if condenses_first(policy):
        run = run.of_table(hits)
        places = _places_table(database, run, hits, total)
        ranked = database.arrays(f"SELECT query, returned FROM {places}")
        number = judged.numbers(ranked["query"].tolist())
    returned = np.zeros(len(judged.queries), dtype=np.int64)
    returned[number[number >= 0]] = ranked["returned"][number >= 0]
    judgement, score, found, moved = _hit_places(database, run, hits, places, policy, len(judged.judgements.query))
    retrieval = Retrieval(judgement, score, found, returned, unjudged, remarks, moved, excluded=taken_out)
    matched = judged.judgements.hits(retrieval, policy, matchable.name)
    return matched if excluded is None else with_exclusion_remark(matched)


def _checked_count(database: Database, run: RunQuery, label: str, *, may_be_empty: bool) -> int:
    """The number of rows; an error that names the first incomplete row, if any."""
    total, *counts = database.rows(statements.row_counts(run))[0]
    if not total:
        if may_be_empty:
            return 0
        raise DataError("there are no rows.", label)
    conditions = {"query": "query IS NOT NULL", "document": "document IS NOT NULL", "score": "isfinite(score)"}
    for (column, is_right), count in zip(conditions.items(), counts, strict=True):
        if count < total:
            number = database.value(statements.first_bad_row(run, is_right))
            value = database.value(statements.raw_value(run, column, number))
            fault = number_fault(run.score_role, value) if column == "score" else id_fault(column, value)
            raise DataError(fault, f"{label}, row {number}")
    return int(total)


def _places_table(database: Database, run: RunQuery, hits: str, rows: int) -> str:
    """The table of places, filled with as many queries at a time as fit into memory."""
    parts = max(math.ceil(rows * _BYTES_A_ROW / (database.memory_limit / 2)), 1)
    table = database.table(statements.place_lists(run, hits, 0, parts))
    for part in range(1, parts):
        database.rows(f"INSERT INTO {table} {statements.place_lists(run, hits, part, parts)}")
    return table


def _hit_places(
    database: Database, run: RunQuery, hits: str, places: str, policy: Policy, judged: int
) -> tuple[Ints, Floats, Places, int]:
    """The judgement and score of each hit, and its place; and how many hits would have another rank at 32 bits."""
    lists = {"judgements": "judgement", "scores": "score"} | {
        name: name for name in ("above", "below", "higher", "lower")
    }
    columns = ", ".join(f"unnest({name}) AS {column}" for name, column in lists.items())
    hit = database.arrays(f"SELECT returned, {columns} FROM {places} WHERE judgements IS NOT NULL")
    above = hit["above"].astype(np.int64)
    tied = hit["returned"].astype(np.int64) - above - hit["below"].astype(np.int64)
    within = None
    if policy.ties != "average":
        within = np.zeros(judged, dtype=np.int64)
        if (tied > 1).any():
            counted = database.arrays(statements.ties_above_hits(run, hits, places, policy.ties))
            within[counted["judgement"]] = counted["above"]
        within = within[hit["judgement"]]
    judgement, score = hit["judgement"].astype(np.int64), hit["score"].astype(np.float64)
    moved = 0
    if policy.ties == "descending":
        higher, at_32_bits, lower = (round_scores(hit[name], AT_32_BITS) for name in ("higher", "score", "lower"))
        close = judgement[(higher == at_32_bits) | (lower == at_32_bits)]
        if len(close):
            table = database.copy_of(pl.DataFrame({"judgement": close}))
            moved = database.value(statements.moved_at_32_bits(run, hits, table))
    return judgement, score, Places(above, tied, within), moved
