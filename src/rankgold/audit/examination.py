"""Reads what can be read and runs every check."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

import polars as pl

from rankgold.audit import id_checks, judgement_checks, row_checks, score_checks  # noqa: F401  they fill CHECKS
from rankgold.audit.examined_data import CHECKS, ExaminedData, ExaminedRun, InspectedRows, chosen_checks
from rankgold.audit.findings import Diagnosis
from rankgold.core.accepted import Measures
from rankgold.core.errors import DataError
from rankgold.data.columns import NUMBER, WHAT, Kind
from rankgold.data.dicts import DictRows
from rankgold.data.exclusion import read_pairs
from rankgold.data.files import runs_of_patterns
from rankgold.data.frames import judged_and_ranked
from rankgold.data.ids import id_series
from rankgold.data.inputs import given_runs, is_path, is_pattern, is_pipe, read, run_name, unused_name
from rankgold.data.polars_guard import check_polars
from rankgold.data.records import table_of_values
from rankgold.data.rows import RowFaults, Rows
from rankgold.data.selection import ParentRule, Topics
from rankgold.data.table import Table, TableSource, places_of
from rankgold.engines.request import Request, read_here
from rankgold.scoring.scorer import measures_by_label


def check_exists(source: object) -> None:
    """Raises an error for a path that does not exist: that is a typing mistake, not a fault of the data."""
    if is_path(source) and os.fspath(source) != "-" and not is_pattern(source) and not os.path.exists(source):
        raise DataError("there is no such file.", os.fspath(source))


def inspected_table(
    source: object, columns: Mapping[str, str] | None
) -> tuple[InspectedRows, dict[str, InspectedRows]] | None:
    """The judgements and the runs of one table that has grades and scores; None if this is no such table."""
    if isinstance(source, Mapping) or is_pipe(source):
        return None
    faults = RowFaults()
    try:
        judged, ranked = judged_and_ranked(source, columns, faults)
    except DataError:
        return None
    name = _label(source, WHAT["labelled"])
    runs = {run.name: InspectedRows(name, run) for run in ranked.split_runs()}
    return InspectedRows(name, judged, faults), runs


def inspected_judgements(source: object, columns: Mapping[str, str] | None) -> InspectedRows:
    """The judgements that can be read."""
    faults = RowFaults()
    table = _table(read(source, "qrels", columns, faults=faults), "qrels", faults)
    return InspectedRows(_label(source, WHAT["qrels"]), table, faults)


def _label(source: object, otherwise: str) -> str:
    return os.fspath(source) if is_path(source) else otherwise


def inspected_runs(
    source: object, columns: Mapping[str, str] | None
) -> tuple[dict[str, InspectedRows], list[DataError]]:
    """The runs by name, with the rows that can be read; and why other sources cannot be read at all."""
    runs: dict[str, InspectedRows] = {}
    unreadable = []
    for given, run in runs_of_patterns(given_runs(source, columns)):
        check_exists(run)
        label = _label(run, given or WHAT["run"])
        faults = RowFaults()
        try:
            rows = read(run, "run", columns, faults=faults).whole()
            tables = [_table(part, "run", faults) for part in rows.split_runs()]
        except DataError as error:
            unreadable.append(error if error.place else DataError(str(error), label))
            continue
        for table in tables:
            name = unused_name(run_name(given, table.name, len(tables)), runs)
            # What is wrong with the rows of a file with several runs is said once.
            known = InspectedRows(label, table, faults) if table is tables[0] else InspectedRows(label, table)
            runs[name] = known
    return runs, unreadable


def with_documents(run: InspectedRows, parent: ParentRule) -> InspectedRows:
    """The run with documents in place of their chunks: the best chunk stands for its document."""
    frame = run.table.frame.with_row_index("row").drop("rank", strict=False)
    frame = frame.with_columns(parent.in_column(frame["document"]).alias("document"))
    best = frame.sort("score", descending=True, maintain_order=True)
    best = best.unique(["query", "document"], keep="first", maintain_order=True).sort("row")
    return _with_rows(run, best)


def of_topics(rows: InspectedRows, topics: Topics) -> InspectedRows:
    """The rows of the selected queries."""
    frame = rows.table.frame.with_row_index("row")
    nothing = {run: queries.filter(topics.among(queries.to_list())) for run, queries in rows.table.nothing.items()}
    chosen = _with_rows(rows, frame.filter(topics.among(frame["query"].to_list())))
    return replace(chosen, table=replace(chosen.table, nothing=nothing))


def without_pairs(run: InspectedRows, pairs: pl.DataFrame) -> InspectedRows:
    """The run without documents that are excluded from the lists of their queries."""
    keys = ["query", "document"]
    as_text = pl.col(keys).cast(pl.String)
    frame = run.table.frame.with_row_index("row")
    kept = frame.with_columns(as_text).join(pairs.with_columns(as_text), on=keys, how="anti", maintain_order="left")
    return _with_rows(run, frame[kept["row"]])


def _with_rows(rows: InspectedRows, kept: pl.DataFrame) -> InspectedRows:
    """Some of the rows; the column `row` has their places among all."""
    place = places_of(rows.table.place, kept["row"])
    return replace(rows, table=replace(rows.table, frame=kept.drop("row"), place=place, starts=None))


def _table(rows: Rows, kind: Kind, faults: RowFaults) -> Table:
    if not isinstance(rows, DictRows):
        return rows.table()
    try:
        table = rows.table()
    except DataError:
        table = _table_of_faulty_dicts(rows, kind, faults)
    empty = [query for queries in rows.empty_queries().values() for query in queries]
    if not empty:
        return table
    queries = id_series(empty)
    if not table.frame.height:  # without rows, the column has no type of its own
        table = replace(table, frame=table.frame.with_columns(pl.col("query").cast(queries.dtype)))
    return replace(table, nothing={rows.name: queries.cast(table.frame["query"].dtype)})


def _table_of_faulty_dicts(rows: DictRows, kind: Kind, faults: RowFaults) -> Table:
    """The table of dicts in which some numbers are none. Rows of tables are checked one by one."""
    queries = rows.as_dicts()
    values = {
        "query": [query for query, row in queries.items() for _ in row],
        "document": list(chain.from_iterable(queries.values())),
        NUMBER[kind]: list(chain.from_iterable(row.values() for row in queries.values())),
    }

    def place(row: int) -> str:
        return f"{WHAT[kind]}, query {values['query'][row]!r}, document {values['document'][row]!r}"

    return table_of_values(values, TableSource(kind, {}, WHAT[kind], place, rows.name, faults))


def nothing_judged() -> Table:
    """Judgements without a row, in place of a file that cannot be read."""
    schema = {"query": pl.String, "document": pl.String, "grade": pl.Float64}
    return Table(pl.DataFrame(schema=schema), "run", lambda row: WHAT["qrels"])


def examined(
    request: Request, measures: Measures | None, scale: tuple[float, float] | None, ignore: Iterable[str]
) -> Diagnosis:
    """What the checks find in the data of a request."""
    check_polars()
    decided, columns = request.policy.taking_repeats(), request.columns
    wanted = measures_by_label(measures, rel=request.rel, dialect=decided.dialect)
    checks, scale = chosen_checks(ignore), _checked_scale(scale)
    request.report("reading judgements")
    request = read_here(request)
    qrels, runs, train = request.qrels, request.run, request.data["train"]
    check_exists(qrels)
    table = inspected_table(qrels, columns) if runs is None else None
    try:
        judged, ranked = table or (inspected_judgements(qrels, columns), {})
    except DataError as error:
        nothing = ExaminedData(InspectedRows("", nothing_judged()), [], wanted, decided, unreadable=(error,))
        return Diagnosis(CHECKS["unreadable"].findings(nothing), {}, 0)
    unreadable: list[DataError] = []
    if runs is not None:
        request.report("reading runs")
        ranked, unreadable = inspected_runs(runs, columns)
    if request.topics is not None:
        judged = of_topics(judged, request.topics)
        ranked = {name: of_topics(rows, request.topics) for name, rows in ranked.items()}
    if request.parent is not None:
        ranked = {name: with_documents(rows, request.parent) for name, rows in ranked.items()}
    if request.exclude is not None:
        excluded = read_pairs(request.exclude, columns)
        ranked = {name: without_pairs(rows, excluded) for name, rows in ranked.items()}
    examined = [ExaminedRun(name, rows, judged.table, wanted, decided) for name, rows in ranked.items()]
    seen = None if train is None else read_pairs(train, columns)
    collection = ExaminedData(judged, examined, wanted, decided, scale, seen, tuple(unreadable))
    findings = []
    for number, check in enumerate(checks):
        request.report("looking for faults", number / len(checks))
        findings += check.findings(collection)
    sizes = {run.name: run.frame.height for run in examined}
    return Diagnosis(findings, sizes, collection.judgements.height)


def _checked_scale(scale: Any) -> tuple[float, float] | None:
    if scale is None:
        return None
    try:
        low, high = (float(grade) for grade in scale)
    except (TypeError, ValueError):
        raise DataError(f"scale must be the lowest and the highest grade, such as (0, 3), not {scale!r}.") from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise DataError(f"scale must be the lowest grade and then a higher one, such as (0, 3), not {scale!r}.")
    return low, high
