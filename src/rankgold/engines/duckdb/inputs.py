"""What the user passed in; judgements, and runs as queries with known columns and types out."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from rankgold.data.columns import Columns, Kind, check_column_names, find_columns
from rankgold.data.fingerprints import fingerprint_of
from rankgold.data.ids import to_polars
from rankgold.data.inputs import is_pattern, is_read_here, read
from rankgold.data.pairs import ids_of
from rankgold.data.parents import ParentRule
from rankgold.data.paths import folder_names
from rankgold.engines.duckdb import statements
from rankgold.engines.duckdb.database import Database, literal, quoted
from rankgold.engines.duckdb.relations import Relation, local_copy, relation, table_named, with_rows_of_lists
from rankgold.engines.duckdb.statements import RunQuery
from rankgold.engines.duckdb.stored_files import paths_of
from rankgold.engines.protocol import Task
from rankgold.errors import DataError
from rankgold.matching.exclusion import Exclusion
from rankgold.matching.judgements import IDS_AS_TEXT
from rankgold.matching.table_judgements import TableJudgements

# Names that no column of the user's has: expressions over these columns stand beside them.
_NUMBER, _CHUNK, _DOCUMENT = "rankgold_number", "rankgold_chunk", "rankgold_document"
_SQL_TYPE = {pl.String: "VARCHAR", pl.Int64: "BIGINT"}


def read_judgements(database: Database, task: Task) -> TableJudgements:
    """The judgements, read into this process: the ideal ranking needs them all."""
    source: Any = task.qrels
    if is_in_database(database, source) and not _are_files_of_pattern(database, source):
        named = check_column_names(task.columns)
        source = id_frame(database, relation(database, source, "qrels", named, task.policy.repeats), "qrels", named)
    rows = read(source, "qrels", task.columns, task.policy.repeats)
    if task.log is not None:
        task.log.judgements = fingerprint_of(rows)
    return TableJudgements.of(rows.groups(), task.policy, task.parent, task.topics)


def excluded_documents(database: Database, task: Task) -> str | None:
    """A temporary table of the queries and documents that are taken out of the run, as text; None if there are none."""
    source: Any = task.exclude
    if source is None:
        return None
    if is_in_database(database, source):
        named = ids_of(task.columns)
        source = id_frame(database, relation(database, source, "pairs", named, "first"), "pairs", named)
    return database.copy_of(Exclusion.of(source, task.columns).pairs())


def is_in_database(database: Database, source: Any) -> bool:
    """Whether the database reads this: a path that is not a plain file may be a table, a pattern, or an address."""
    return isinstance(source, (str, os.PathLike)) and not _is_plain_file(database, source)


def _is_plain_file(database: Database, path: str | os.PathLike[str]) -> bool:
    return is_read_here(path) or (os.path.isfile(path) and table_named(database, os.fspath(path)) is None)


def _are_files_of_pattern(database: Database, source: Any) -> bool:
    """Whether these are several files of this machine, which are read as the local engine reads them.

    Only DuckDB reads columns from the names of their folders.
    """
    path = os.fspath(source)
    paths = paths_of(path) if is_pattern(path) and table_named(database, path) is None else []
    return bool(paths) and not folder_names(paths)


def id_frame(database: Database, at: Relation, kind: Kind, named: dict[str, str]) -> pl.DataFrame:
    """The columns that are read of judgements, pairs or a run.

    Ids that are neither integers nor text become DuckDB's text, as where runs are matched.
    """
    lists = at.list_columns
    columns = find_columns(list(at.types), kind, named, at.label, lists=lists)
    if columns.document in lists:
        used = [name for name in columns.roles.values() if name is not None]
        return database.frame(f"SELECT {', '.join(map(quoted, used))} FROM {at.sql}", at.label)
    chosen = {columns.query: "query", columns.document: "document"}
    more = {columns.number: "number", columns.run: "run", columns.subtopic: "subtopic", columns.weight: "weight"}
    chosen |= {column: role for column, role in more.items() if column is not None}
    selected = []
    for column, role in chosen.items():
        expression = _text_or_itself(column, at.types[column])
        if role in ("query", "document", "subtopic"):
            id_type = _id_type(database, at.sql, column, role, at)
            expression = statements.id_column(column, at.types[column], id_type)
        selected.append(f"{expression} AS {quoted(column)}")
    return database.frame(f"SELECT {', '.join(selected)} FROM {at.sql}", at.label)


def _text_or_itself(column: str, kind: str) -> str:
    return statements.unquoted_json(column) if kind == "JSON" else quoted(column)


def _id_type(database: Database, rows: str, column: str, role: str, at: Relation) -> str:
    """The type as which the ids in a column of some rows are compared."""
    kind = statements.id_type(at.types[column], role, at.label)
    if at.types[column] == "JSON" and database.rows(statements.are_json_integers(rows, column), place=at.label)[0][0]:
        return "BIGINT"
    return kind


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
    empty_queries: list[Any]
    """The queries that it ranks with nothing, which have no rows."""
    given: RunQuery
    """Its rows as they were given, of which the fingerprint is made: ids as text, chunks as chunks, all digits."""


def matchable_runs(database: Database, task: Task, judged: TableJudgements, data: Any) -> Iterator[MatchableRun]:
    """The run in what was passed as one; several, where it has a column of runs."""
    named = check_column_names(task.columns)
    at = with_rows_of_lists(database, relation(database, data, "run", named, task.policy.repeats), named)
    table = _stored_rows(database, at, named) if at.is_text else at.sql
    if table is None:
        at = local_copy(database, data, "run", named, task.policy.repeats)
        table = at.sql
    columns = find_columns(list(at.types), "run", {} if at.is_checked else named, at.label)
    column = _columns_by_role(columns)
    ids = {role: _id_type(database, table, column[role], role, at) for role in ("query", "document")}
    judged_ids = [_SQL_TYPE[type(to_polars(column).dtype)] for column in (judged.queries, judged.lookup.documents)]
    as_text = list(ids.values()) != judged_ids
    differ = as_text
    if task.parent is not None and task.parent.separator is None:
        as_text = True
    expressions = {
        role: statements.id_column(column[role], at.types[column[role]], "VARCHAR" if as_text else kind)
        for role, kind in ids.items()
    }
    score = statements.number_column(column["score"], at.types[column["score"]], columns.number_is, at.label)
    score = f"-{score}" if columns.is_rank else score
    expressions["score"] = statements.compared_score(score, task.policy)
    if "run" in column:
        expressions["run"] = f"CAST({statements.text_of(column['run'], at.types[column['run']])} AS VARCHAR)"
    raw = {role: _text_or_itself(column[role], at.types[column[role]]) for role in expressions}
    numbered = task.policy.ties == "input" or task.policy.repeats != "error"
    query = RunQuery(table, expressions, raw, columns.number_is, numbered)
    as_given = {role: f"CAST({expressions[role]} AS VARCHAR)" for role in ids}
    given = replace(query, columns={**expressions, **as_given, "score": score}, numbered=False)
    if task.parent is not None and (as_text or ids["document"] == "VARCHAR"):
        query = _with_parents(database, query, task.parent)
    remarks = at.remarks + columns.remarks + ((IDS_AS_TEXT,) if differ else ())
    for name, query_of_run in _by_name(database, query, at):
        nothing = [str(query) if as_text else query for query in at.empty_queries.get(name, ())]
        rows = replace(given, kept=query_of_run.kept)
        yield MatchableRun(name, query_of_run, at.label, remarks, as_text, nothing, rows)


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
    columns = {**query.columns, "document": document, "number": _NUMBER}
    return replace(query, relation=numbered, columns=columns, numbered=True)


def _columns_by_role(columns: Columns) -> dict[str, str]:
    return {role: name for role, name in columns.roles.items() if name is not None}


def _stored_rows(database: Database, at: Relation, named: dict[str, str]) -> str | None:
    """A temporary table of the rows in a text file; None for a file that only the local engine reads.

    DuckDB wants single separators, and does not know the comments of TREC files.
    """
    column = _columns_by_role(find_columns(list(at.types), "run", named, at.label))
    try:
        table = database.table(f"SELECT {', '.join(map(quoted, column.values()))} FROM {at.sql}", at.label)
    except DataError as error:
        names_a_line = error.place != at.label
        if names_a_line and os.path.isfile(at.label):
            return None
        raise
    if not at.is_trec or not database.rows(statements.has_irregular_lines(table))[0][0]:
        return table
    if os.path.isfile(at.label):
        return None
    raise DataError(
        "these files have comments, or both spaces and tabs between fields, which DuckDB does not read. Name the files"
        " one by one, or use the local engine.",
        at.label,
    )


def _by_name(database: Database, query: RunQuery, at: Relation) -> Iterator[tuple[str, RunQuery]]:
    """The runs in the rows of a query, each with its name."""
    names = [name for (name,) in database.rows(statements.run_names(query))] if "run" in query.columns else []
    if len(at.empty_queries) > 1:
        names = list(dict.fromkeys((*at.empty_queries, *names)))
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
