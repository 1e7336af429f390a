"""Turns what the user passed into judgements and queries of runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from rankgold.core.errors import DataError
from rankgold.core.policy import Policy
from rankgold.data.columns import Kind, check_column_names, find_columns
from rankgold.data.exclusion import Exclusion, ids_of
from rankgold.data.ids import to_polars
from rankgold.data.inputs import folder_names, is_path, is_pattern, is_read_here, read
from rankgold.data.matching.judgements import IDS_AS_TEXT
from rankgold.data.matching.table_judgements import TableJudgements
from rankgold.data.rows import Rows
from rankgold.data.selection import ParentRule
from rankgold.data.value_faults import RUN_MISSING
from rankgold.engines.duckdb import statements
from rankgold.engines.duckdb.database import Database, literal, quoted
from rankgold.engines.duckdb.relations import Relation, local_copy, paths_of, relation_of, table_named
from rankgold.engines.duckdb.statements import RunQuery
from rankgold.engines.fetched_frames import prepared_judgements
from rankgold.engines.request import Request

if TYPE_CHECKING:
    from rankgold.core.accepted import Path


@dataclass(frozen=True, slots=True)
class DuckDBReader:
    """Reads what a database has, or reads by a pattern or an address."""

    database: Database

    def holds(self, source: object) -> bool:
        """Whether the database reads this: a path that is not a plain file may be a table, a pattern, or an address."""
        if not is_path(source) or is_read_here(source):
            return False
        return not os.path.isfile(source) or table_named(self.database, os.fspath(source)) is not None

    def rows(self, source: object, kind: Kind, columns: Mapping[str, str] | None, policy: Policy) -> Rows:
        named = ids_of(columns) if kind == "pairs" else check_column_names(columns)
        repeats = "first" if kind == "pairs" else policy.repeats
        relation = relation_of(self.database, source, kind, named, repeats)
        return relation.checked_rows(used_columns(self.database, relation, kind, named), kind, named)

    def all_columns(self, source: object) -> pl.DataFrame:
        relation = relation_of(self.database, source, "pairs", {}, "first")
        return self.database.frame(f"SELECT * FROM {relation.sql}", relation.label)


def used_columns(database: Database, relation: Relation, kind: Kind, named: dict[str, str]) -> pl.DataFrame:
    """The columns that are read of judgements, pairs or a run.

    Ids that are neither integers nor text become DuckDB's text, as where runs are matched. Lists stay as they are, and
    so do floats and bytes, whose errors show the value.
    """
    columns = find_columns(list(relation.types), kind, named, relation.label, lists=relation.list_columns)
    has_lists = columns.document in relation.list_columns
    selected = {}
    for role, column in columns.present.items():
        expression = statements.plain_column(column, relation.types[column])
        if role in ("query", "document", "subtopic") and not has_lists:
            id_type = id_type_of(database, relation, relation.sql, role, column)
            if relation.types[column] not in statements.UNSURE_IDS:
                expression = statements.id_column(column, relation.types[column], id_type)
        selected[column] = f"{expression} AS {quoted(column)}"
    return database.frame(f"SELECT {', '.join(selected.values())} FROM {relation.sql}", relation.label)


def id_type_of(database: Database, relation: Relation, rows: str, role: str, column: str) -> str:
    """The type in which the ids of a column are compared. `rows` is a table of its rows."""
    column_type = relation.types[column]
    id_type = statements.id_type(column_type, role, relation.label)
    if column_type == "JSON" and database.value(statements.are_json_integers(rows, column), relation.label):
        return "BIGINT"
    return id_type


# Names that no column of the user's has: expressions over these columns stand beside them.
_NUMBER, _CHUNK, _DOCUMENT = "rankgold_number", "rankgold_chunk", "rankgold_document"
_SQL_TYPE = {pl.String: "VARCHAR", pl.Int64: "BIGINT"}


def read_judgements(database: Database, request: Request) -> TableJudgements:
    """The judgements, read into this process: the ideal ranking needs them all."""
    source, reader = request.qrels, DuckDBReader(database)
    if reader.holds(source) and not _are_files_of_pattern(database, source):
        source = reader.rows(source, "qrels", request.columns, request.policy)
    return prepared_judgements(read(source, "qrels", request.columns, request.policy.repeats), request)


def excluded_documents(database: Database, request: Request) -> str | None:
    """A temporary table of the queries and documents that are taken out of the run, as text; None if there are none."""
    source, reader = request.exclude, DuckDBReader(database)
    if source is None:
        return None
    if reader.holds(source):
        source = reader.rows(source, "pairs", request.columns, request.policy)
    return database.copy_of(Exclusion.of(source, request.columns).pairs())


def _are_files_of_pattern(database: Database, source: Path) -> bool:
    """Whether these are several files of this machine, which are read as the local engine reads them.

    Only DuckDB reads columns from the names of their folders.
    """
    path = os.fspath(source)
    paths = paths_of(path) if is_pattern(path) and table_named(database, path) is None else []
    return bool(paths) and not folder_names(paths)


@dataclass(frozen=True, slots=True)
class MatchableRun:
    """A run that the statements can work on."""

    name: str
    query: RunQuery
    label: str
    """Its name in errors."""
    remarks: tuple[str, ...]
    as_text: bool
    """Whether ids are compared as text, because those of the judgements are of another type."""
    empty_queries: list[Any]
    """The queries that it ranks with nothing, which have no rows."""
    given: RunQuery
    """Its rows as they were given, of which the fingerprint is made: ids as text, chunks as chunks, all digits."""


def matchable_runs(
    database: Database, request: Request, judged: TableJudgements, data: object
) -> Iterator[MatchableRun]:
    """The run in what was passed as one; several, where it has a column of runs."""
    named = check_column_names(request.columns)
    relation = relation_of(database, data, "run", named, request.policy.repeats)
    relation = _with_rows_of_lists(database, relation, named)
    table = _stored_rows(database, relation, named) if relation.is_text else relation.sql
    if table is None:
        relation = local_copy(database, data, "run", named, request.policy.repeats)
        table = relation.sql
    columns = find_columns(list(relation.types), "run", {} if relation.is_checked else named, relation.label)
    column, types = columns.present, relation.types
    ids = {role: id_type_of(database, relation, table, role, column[role]) for role in ("query", "document")}
    judged_ids = [_SQL_TYPE[type(to_polars(column).dtype)] for column in (judged.queries, judged.lookup.documents)]
    differ = list(ids.values()) != judged_ids
    as_text = differ or (request.parent is not None and request.parent.separator is None)
    expressions = {
        role: statements.id_column(column[role], types[column[role]], "VARCHAR" if as_text else kind)
        for role, kind in ids.items()
    }
    score = statements.number_column(column["score"], types[column["score"]], columns.number_is, relation.label)
    score = f"-{score}" if columns.is_rank else score
    expressions["score"] = statements.compared_score(score, request.policy)
    if "run" in column:
        name = f"CAST({statements.text_of(column['run'], types[column['run']])} AS VARCHAR)"
        expressions["run"] = statements.as_written(name)
    raw = {role: statements.plain_column(column[role], types[column[role]]) for role in expressions}
    numbered = request.policy.ties == "input" or request.policy.repeats != "error"
    query = RunQuery(table, expressions, raw, columns.number_is, numbered)
    as_given = {role: f"CAST({expressions[role]} AS VARCHAR)" for role in ids}
    given = replace(query, columns={**expressions, **as_given, "score": score}, numbered=False)
    if request.parent is not None and (as_text or ids["document"] == "VARCHAR"):
        query = _with_parents(database, query, request.parent)
    remarks = relation.remarks + columns.remarks + ((IDS_AS_TEXT,) if differ else ())
    for name, query_of_run in _by_name(database, query, relation):
        empty = [str(query) if as_text else query for query in relation.empty_queries.get(name, ())]
        rows = replace(given, kept=query_of_run.kept)
        yield MatchableRun(name, query_of_run, relation.label, remarks, as_text, empty, rows)


def _with_rows_of_lists(database: Database, relation: Relation, named: dict[str, str]) -> Relation:
    """A run with a row for each document. One that has them in lists is read as the local engine reads it."""
    lists = relation.list_columns
    if not lists:
        return relation
    columns = find_columns(list(relation.types), "run", named, relation.label, lists=lists)
    if columns.document not in lists:
        return relation
    copy = local_copy(database, used_columns(database, relation, "run", named), "run", named, "error")
    name = relation.name
    empty = copy.empty_queries if columns.run is not None else {name: copy.empty_queries.get("run", [])}
    return replace(copy, label=relation.label, name=name, empty_queries=empty)


def _with_parents(database: Database, query: RunQuery, parent: ParentRule) -> RunQuery:
    """The rows with documents in place of their chunks, whose ids are text."""
    chunk = query.columns["document"]
    if parent.separator is not None:
        return replace(query, columns={**query.columns, "document": statements.document_of(chunk, parent.pattern)})
    # The rows are numbered before they are joined, which does not keep their order.
    numbered = database.table(f"SELECT *, row_number() OVER () AS {_NUMBER} FROM {query.relation}")
    chunks = [id_ for (id_,) in database.rows(f"SELECT DISTINCT {chunk} FROM {numbered}") if id_ is not None]
    document_of = parent.documents_of(chunks)
    documents = pl.Series(map(str, document_of.values()), dtype=pl.String)
    pairs = {_CHUNK: pl.Series(chunks, dtype=pl.String), _DOCUMENT: documents}
    document = f"(SELECT {_DOCUMENT} FROM {database.copy_of(pl.DataFrame(pairs))} WHERE {_CHUNK} = {chunk})"
    columns = {**query.columns, "document": statements.as_written(document), "number": _NUMBER}
    return replace(query, relation=numbered, columns=columns, numbered=True)


def _stored_rows(database: Database, relation: Relation, named: dict[str, str]) -> str | None:
    """A temporary table of the rows in a text file; None for a file that only the local engine reads.

    DuckDB wants single separators, and does not know the comments of TREC files.
    """
    columns = find_columns(list(relation.types), "run", named, relation.label).present
    label = relation.label
    try:
        table = database.table(f"SELECT {', '.join(map(quoted, columns.values()))} FROM {relation.sql}", label)
    except DataError as error:
        names_a_line = error.place != label
        if names_a_line and os.path.isfile(label):
            return None
        raise
    if not relation.is_trec or not database.value(statements.has_irregular_lines(table)):
        return table
    if os.path.isfile(label):
        return None
    raise DataError(
        "these files have comments, or both spaces and tabs between fields, which DuckDB does not read. Name the files"
        " one by one, or use the local engine.",
        label,
    )


def _by_name(database: Database, query: RunQuery, relation: Relation) -> Iterator[tuple[str, RunQuery]]:
    """The runs in the rows of a query, each with its name."""
    found = database.rows(statements.run_names(query)) if "run" in query.columns else []
    names = relation.all_runs(name for (name,) in found)
    # Tags of a TREC file name runs where a query has several; otherwise they are one run with careless tags.
    may_be_careless = relation.is_trec and len(names) > 1
    if not names or (may_be_careless and not database.value(statements.has_shared_queries(query))):
        yield relation.name, query
        return
    if None in names:
        number = database.value(statements.first_bad_row(query, "run IS NOT NULL"))
        raise DataError(RUN_MISSING, f"{relation.label}, row {number}")
    for name in names:
        yield name, replace(query, kept=f"run = {literal(name)}") if len(names) > 1 else query
