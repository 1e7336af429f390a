"""Judgements and runs made ready for the statements: which columns, what types, how many runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from rankgold.data.columns import Columns, check_column_names, find_columns
from rankgold.data.inputs import read
from rankgold.engines import Work
from rankgold.engines.duckdb import statements
from rankgold.engines.duckdb.database import Database, literal, quoted
from rankgold.engines.duckdb.relations import Relation, relation, table_named
from rankgold.engines.duckdb.statements import Run
from rankgold.errors import DataError
from rankgold.matching.judgements import IDS_AS_TEXT
from rankgold.matching.tables import TableJudgements

_SQL_TYPE = {pl.String: "VARCHAR", pl.Int64: "BIGINT"}


def judgements(database: Database, work: Work) -> TableJudgements:
    """The judgements, which are read here: the ideal ranking needs them all."""
    source: Any = work.qrels
    if isinstance(source, (str, os.PathLike)) and not _is_plain_file(database, source):
        source = _judged_in_database(
            database, relation(database, source, "qrels", check_column_names(work.columns)), work
        )
    return TableJudgements.of(read(source, "qrels", work.columns, work.policy.duplicates).table(), work.policy)


def _is_plain_file(database: Database, path: str | os.PathLike[str]) -> bool:
    return os.fspath(path) == "-" or (os.path.isfile(path) and table_named(database, os.fspath(path)) is None)


def _judged_in_database(database: Database, at: Relation, work: Work) -> pl.DataFrame:
    """The rows of judgements, with ids that are neither integers nor text as DuckDB writes them: so it does in runs."""
    columns = find_columns(list(at.types), "qrels", check_column_names(work.columns), at.label)
    ids = {_name(columns, role): _type(at, columns, role) for role in ("query", "document")}
    kept = {name: statements.id_type(kind, name, at.label) for name, kind in ids.items()}
    as_text = [quoted(name) for name, kind in kept.items() if kind == "VARCHAR"]
    replaced = ", ".join(f"CAST({name} AS VARCHAR) AS {name}" for name in as_text)
    return database.frame(f"SELECT *{f' REPLACE ({replaced})' if replaced else ''} FROM {at.sql}")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run that the statements can work on."""

    name: str
    run: Run
    label: str
    remarks: tuple[str, ...]
    as_text: bool
    """Whether ids have to be compared as text, because the judgements have others."""


def runs(database: Database, work: Work, judged: TableJudgements, source: Any) -> Iterator[Prepared]:
    """The runs in what was passed as one: several, where a column tells them apart."""
    named = check_column_names(work.columns)
    at = relation(database, source, "run", named)
    columns = find_columns(list(at.types), "run", named, at.label)
    ids = {role: statements.id_type(_type(at, columns, role), role, at.label) for role in ("query", "document")}
    judged_ids = [_SQL_TYPE[type(ids.to_polars().dtype)] for ids in (judged.queries, judged.lookup.documents)]
    as_text = list(ids.values()) != judged_ids
    expressions = {
        role: statements.id_column(_name(columns, role), _type(at, columns, role), "VARCHAR" if as_text else kind)
        for role, kind in ids.items()
    }
    score_is = "rank" if columns.is_rank else "score"
    score = statements.number_column(_name(columns, "score"), _type(at, columns, "score"), score_is, at.label)
    expressions["score"] = statements.at_width(f"-{score}" if columns.is_rank else score, work.policy)
    if columns.run is not None:
        expressions["run"] = f"CAST({quoted(_name(columns, 'run'))} AS VARCHAR)"
    raw = {role: quoted(_name(columns, role)) for role in expressions}
    table = database.table(f"SELECT {', '.join(raw.values())} FROM {at.sql}", at.label) if at.is_text else at.sql
    policy = work.policy
    numbered = policy.ties == "input" or policy.duplicates != "error"
    run = Run(table, expressions, raw, score_is, numbered)
    remarks = at.remarks + columns.remarks + ((IDS_AS_TEXT,) if as_text else ())
    for name, one in _one_each(database, run, at):
        yield Prepared(name, one, at.label, remarks, as_text)


def _one_each(database: Database, run: Run, at: Relation) -> Iterator[tuple[str, Run]]:
    if "run" not in run.columns:
        yield at.name, run
        return
    names = [name for (name,) in database.rows(statements.runs(run))]
    if at.is_trec and len(names) > 1 and not database.rows(statements.holds_several(run))[0][0]:
        yield at.name, run
        return
    if None in names:
        number = database.rows(statements.first_wrong(run, "run IS NOT NULL"))[0][0]
        raise DataError(
            "the run is missing. Name the run in every row, or remove the column.", f"{at.label}, row {number}"
        )
    if not names:
        yield at.name, run
    for name in names:
        yield name, replace(run, kept=f"run = {literal(name)}") if len(names) > 1 else run


def _name(columns: Columns, role: str) -> str:
    """The column that holds what the role asks for."""
    return str(columns.roles[role])


def _type(at: Relation, columns: Columns, role: str) -> str:
    return at.types[_name(columns, role)]
