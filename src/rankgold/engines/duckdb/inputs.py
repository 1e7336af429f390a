"""What the user passed in; judgements, and runs as queries with known columns and types out."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from rankgold.data.columns import check_column_names, find_columns
from rankgold.data.ids import to_polars
from rankgold.data.inputs import read
from rankgold.engines.duckdb import statements
from rankgold.engines.duckdb.database import Database, literal, quoted
from rankgold.engines.duckdb.relations import Relation, relation, table_named
from rankgold.engines.duckdb.statements import RunQuery
from rankgold.engines.protocol import Task
from rankgold.errors import DataError
from rankgold.matching.judgements import IDS_AS_TEXT
from rankgold.matching.tables import TableJudgements

_SQL_TYPE = {pl.String: "VARCHAR", pl.Int64: "BIGINT"}


def judged_documents(database: Database, task: Task) -> TableJudgements:
    """The judgements, read into this process: the ideal ranking needs them all."""
    source: Any = task.qrels
    if isinstance(source, (str, os.PathLike)) and not _is_plain_file(database, source):
        source = _judgements_frame(database, source, check_column_names(task.columns))
    return TableJudgements.of(read(source, "qrels", task.columns, task.policy.duplicates).table(), task.policy)


def _is_plain_file(database: Database, path: str | os.PathLike[str]) -> bool:
    return os.fspath(path) == "-" or (os.path.isfile(path) and table_named(database, os.fspath(path)) is None)


def _judgements_frame(database: Database, path: str | os.PathLike[str], named: dict[str, str]) -> pl.DataFrame:
    """The rows of judgements. Ids that are neither integers nor text become DuckDB's text for them, as in runs."""
    at = relation(database, path, "qrels", named)
    columns = find_columns(list(at.types), "qrels", named, at.label)
    ids = (columns.query, columns.document)
    types = {column: statements.id_type(at.types[column], column, at.label) for column in ids}
    as_text = [quoted(column) for column, kind in types.items() if kind == "VARCHAR"]
    replaced = ", ".join(f"CAST({name} AS VARCHAR) AS {name}" for name in as_text)
    return database.frame(f"SELECT *{f' REPLACE ({replaced})' if replaced else ''} FROM {at.sql}")


@dataclass(frozen=True, slots=True)
class MatchableRun:
    """A run that the statements can work on."""

    name: str
    query: RunQuery
    label: str
    """What errors call it."""
    remarks: tuple[str, ...]
    as_text: bool
    """Whether ids are compared as text, because those of the judgements are of another type."""


def matchable_runs(database: Database, task: Task, judged: TableJudgements, data: Any) -> Iterator[MatchableRun]:
    """The run in what was passed as one; several, where it has a column of runs."""
    named = check_column_names(task.columns)
    at = relation(database, data, "run", named)
    columns = find_columns(list(at.types), "run", named, at.label)
    column = {role: name for role, name in columns.roles.items() if name is not None}
    ids = {role: statements.id_type(at.types[column[role]], role, at.label) for role in ("query", "document")}
    judged_ids = [_SQL_TYPE[type(to_polars(column).dtype)] for column in (judged.queries, judged.lookup.documents)]
    as_text = list(ids.values()) != judged_ids
    expressions = {
        role: statements.id_column(column[role], at.types[column[role]], "VARCHAR" if as_text else kind)
        for role, kind in ids.items()
    }
    score = statements.number_column(column["score"], at.types[column["score"]], columns.number_is, at.label)
    expressions["score"] = statements.compared_score(f"-{score}" if columns.is_rank else score, task.policy)
    if "run" in column:
        expressions["run"] = f"CAST({quoted(column['run'])} AS VARCHAR)"
    raw = {role: quoted(column[role]) for role in expressions}
    table = database.table(f"SELECT {', '.join(raw.values())} FROM {at.sql}", at.label) if at.is_text else at.sql
    numbered = task.policy.ties == "input" or task.policy.duplicates != "error"
    query = RunQuery(table, expressions, raw, columns.number_is, numbered)
    remarks = at.remarks + columns.remarks + ((IDS_AS_TEXT,) if as_text else ())
    for name, query_of_run in _by_name(database, query, at):
        yield MatchableRun(name, query_of_run, at.label, remarks, as_text)


def _by_name(database: Database, query: RunQuery, at: Relation) -> Iterator[tuple[str, RunQuery]]:
    """The runs in the rows of a query, each with its name."""
    names = [name for (name,) in database.rows(statements.run_names(query))] if "run" in query.columns else []
    # Tags of a TREC file name runs where a query has several; otherwise they are one run with careless tags.
    may_be_careless = at.is_trec and len(names) > 1
    if not names or (may_be_careless and not database.rows(statements.has_shared_queries(query))[0][0]):
        yield at.name, query
        return
    if None in names:
        number = database.rows(statements.first_bad_row(query, "run IS NOT NULL"))[0][0]
        raise DataError(
            "the run is missing. Name the run in every row, or remove the column.", f"{at.label}, row {number}"
        )
    for name in names:
        yield name, replace(query, kept=f"run = {literal(name)}") if len(names) > 1 else query
