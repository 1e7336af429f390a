"""Matches runs in DuckDB, and fetches the attributes of queries."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import polars as pl

from rankgold.core.hits import Hits
from rankgold.data.attributes import (
    WHAT,
    QueryAttributes,
    WholeTable,
    attribute_columns,
    attributes_of_table,
    columns_of_data,
    query_column,
    read_attributes,
    table_of_data,
)
from rankgold.data.columns import check_column_names
from rankgold.data.fingerprints import Fingerprint, Fingerprints, fingerprint_of_columns, fingerprint_of_queries
from rankgold.data.inputs import given_runs, is_file, is_path, run_name, unused_name
from rankgold.data.matching.judgements import with_fingerprints
from rankgold.data.matching.table_judgements import TableJudgements
from rankgold.data.slice_scheme import Division, divide
from rankgold.data.slices import Slices
from rankgold.engines.duckdb import statements
from rankgold.engines.duckdb.database import Database, database_for, quoted
from rankgold.engines.duckdb.inputs import (
    DuckDBReader,
    MatchableRun,
    excluded_documents,
    matchable_runs,
    read_judgements,
)
from rankgold.engines.duckdb.matching import judgements_table, match_run
from rankgold.engines.duckdb.relations import Relation, is_duckdb_relation, parquet_file, relation_of, table_named
from rankgold.engines.protocol import Engine, EngineReader, Result, Work
from rankgold.engines.request import Request

# About 100 MB.
_ROWS_AT_ONCE = 2_000_000


def fingerprint_of_run(database: Database, run: MatchableRun) -> Fingerprint:
    rows = run.given.sql
    parts = database.value(f"SELECT count(*) FROM {rows}") // _ROWS_AT_ONCE + 1
    total = fingerprint_of_queries(run.empty_queries)
    for part in range(parts):
        frame = database.frame(f"SELECT query, document, score FROM {rows} WHERE hash(query) % {parts} = {part}")
        database.drop_newest()
        total += fingerprint_of_columns(frame["query"], frame["document"], frame["score"].to_numpy())
    return total


def attributes_of_queries(database: Database, request: Request, slices: Slices) -> QueryAttributes:
    """The attributes in a table of their own, or in the columns of the judgements and the runs."""
    named = check_column_names(request.columns)
    if slices.table is None:
        data = (request.qrels, *(source for _, source in given_runs(request.run, request.columns)))
        return columns_of_data(slices, [_table(database, source, slices, named) for source in data], named)
    relation = _stored_relation(database, slices.table, named)
    if relation is None:
        return read_attributes(slices, request.columns)
    names = attribute_columns([*relation.types], _query_of(relation, named), relation.label)
    wanted = dict.fromkeys(name for columns in slices.crossed(names, relation.label) for name in columns)
    columns = [f"{expression} AS {quoted(name)}" for name, expression in _expressions(relation, named, wanted).items()]
    frame = database.frame(f"SELECT {', '.join(columns)} FROM {relation.sql}", relation.label)
    return attributes_of_table(WholeTable(frame), named, relation.label)


def _table(database: Database, source: object, slices: Slices, named: Mapping[str, str]) -> WholeTable | None:
    """Judgements or a run with their attributes; None if they have no columns."""
    relation = _stored_relation(database, source, named)
    if relation is None:
        return table_of_data(source)
    names = [name for name in slices.base_names() if name in relation.types]
    if not names:  # and the others may be of types that Polars does not read
        return WholeTable(pl.DataFrame(), names=tuple(relation.types))
    query = _query_of(relation, named)
    select = lowest_and_highest(relation.sql, query, _expressions(relation, named, names))
    return WholeTable(database.frame(select, relation.label), names=tuple(relation.types))


def lowest_and_highest(rows: str, query: str, expressions: Mapping[str, str]) -> str:
    """The statement that finds the values of each query. It has two rows, which are the same for one value.

    An attribute has one value for a query, and several are an error: so two of many values are enough.
    """
    values = [
        f"unnest([min({value}), max({value})]) AS {quoted(name)}"
        for name, value in expressions.items()
        if name != query
    ]
    return f"SELECT {', '.join([f'{expressions[query]} AS {quoted(query)}', *values])} FROM {rows} GROUP BY 1"


def _expressions(relation: Relation, named: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Column -> expression: of the queries, as text, and of these columns."""
    query = _query_of(relation, named)
    statements.id_type(relation.types[query], "query", relation.label)
    # Polars reads no intervals of DuckDB: these are numbers of seconds.
    values = {name: f"epoch({quoted(name)})" if relation.types[name] == "INTERVAL" else quoted(name) for name in names}
    return values | {query: statements.id_column(query, relation.types[query], "VARCHAR")}


def _query_of(relation: Relation, named: Mapping[str, str]) -> str:
    return query_column([*relation.types], named, relation.label)


def _stored_relation(database: Database, source: object, named: Mapping[str, str]) -> Relation | None:
    """What the database reads itself, with all columns: tables, relations, Parquet and patterns; else None."""
    if is_duckdb_relation(source):
        return replace(relation_of(database, source, "pairs", {}, "first"), label=WHAT)
    if not is_path(source):
        return None
    path = os.fspath(source)
    if table_named(database, path) is None and is_file(path):
        with open(path, "rb") as file:
            if file.read(4) != b"PAR1":
                return None
        return parquet_file(database, path, named)
    if path == "-" or os.path.exists(path):
        return None
    relation = relation_of(database, source, "pairs", named, "first")
    return None if relation.is_checked else relation


class DuckDBEngine:
    """Runs are matched in the database, on disk where they exceed its memory. Only hits come back."""

    name = "duckdb"

    def match(self, request: Request) -> Iterator[Hits]:
        with database_for(request.engine) as database:
            yield from _hits_by_run(database, request)

    def reduce(self, request: Request, work: Work[Result]) -> Result:
        with database_for(request.engine) as database:
            find = None if request.slices is None else partial(_division, database, request, request.slices)
            return work.whole(list(map(work.of_hits, _hits_by_run(database, request))), find)

    def plan(self, request: Request, work: Work[Any]) -> str:
        """The statements that match the first run, and DuckDB's plan for the one that finds the hits."""
        with database_for(request.engine) as database:
            judged = read_judgements(database, request)
            _, data = given_runs(request.run, request.columns)[0]
            run = next(matchable_runs(database, request, judged, data))
            judgements = judgements_table(database, judged.with_text_ids() if run.as_text else judged)
            count, excluded = statements.row_counts(run.query), excluded_documents(database, request)
            ranked = run.query if excluded is None else statements.remaining_rows(run.query, excluded)
            find, places = statements.join_judgements(ranked, judgements), statements.place_lists(ranked, "HITS", 0, 1)
            steps = {
                "1. Count the rows, and those that have a query, a document and a score": count,
                "2. Find the judged documents among them; kept as the temporary table HITS": find,
                "3. Find their places among the scores of their query; kept as PLACES": places,
            }
            if request.policy.ties != "average":
                title = "4. Where other documents have the score of a hit: count those that stand above it"
                steps[title] = statements.ties_above_hits(ranked, "HITS", "PLACES", request.policy.ties)
            if request.slices is not None:
                title = "5. If attributes are columns of these data: find those of each query; several are an error"
                steps[title] = lowest_and_highest("ROWS", "QUERY", {"QUERY": "QUERY", "ATTRIBUTE": "ATTRIBUTE"})
            own_plan = database.rows(f"EXPLAIN {find}")[0][1]
            parts = [f"-- {title}\n{sql.strip()};\n" for title, sql in steps.items()]
            return "\n".join([*parts, "-- DuckDB's plan for 2", own_plan.rstrip(), ""])

    @contextmanager
    def reader(self, request: Request) -> Iterator[EngineReader]:
        with database_for(request.engine) as database:
            yield DuckDBReader(database)


def _division(database: Database, request: Request, slices: Slices, queries: Sequence[Any]) -> Division:
    request.report("dividing queries into slices")
    attributes = attributes_of_queries(database, request, slices)
    return divide(attributes, queries, slices, of_all=request.topics is None)


def _hits_by_run(database: Database, request: Request) -> Iterator[Hits]:
    request.report("reading judgements")
    judged = read_judgements(database, request)
    excluded = excluded_documents(database, request)
    # Where ids are compared as text, and where they are not: the judgements, and the table that holds them.
    judgements: dict[bool, tuple[TableJudgements, str]] = {}
    names: list[str] = []
    for given, data in given_runs(request.run, request.columns):
        runs = list(matchable_runs(database, request, judged, data))
        for run in runs:
            name = run_name(given, run.name, len(runs))
            request.report(f"matching {name}")
            if run.as_text not in judgements:
                alike = judged.with_text_ids() if run.as_text else judged
                judgements[run.as_text] = alike, judgements_table(database, alike)
            hits = match_run(database, *judgements[run.as_text], replace(run, name=name), request.policy, excluded)
            if judged.fingerprint is not None:
                hits = with_fingerprints(hits, Fingerprints(judged.fingerprint, fingerprint_of_run(database, run)))
            names.append(unused_name(name, names))
            yield replace(hits, name=names[-1])


ENGINE: Engine = DuckDBEngine()
