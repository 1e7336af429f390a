"""Checks frames with any columns into tables of query, document and number."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from rankgold.core.errors import DataError
from rankgold.core.segments import Ints, starts_of
from rankgold.data.checked_columns import are_finite, as_numbers, checked_ids, checked_numbers, first_wrong, stripped
from rankgold.data.columns import WHAT, Columns, Kind, find_columns
from rankgold.data.ids import of_one_type
from rankgold.data.query_groups import QueryGroups
from rankgold.data.rows import Place, RowFaults, Rows, readable_rows
from rankgold.data.value_faults import RUN_MISSING, id_fault, number_fault

_FIRST = 10_000
# The largest weight of a subtopic. Sums of such weights stay finite.
HEAVIEST = 1e100


@dataclass(frozen=True, slots=True)
class Table(Rows):
    """Judgements (query, document, grade) or rankings (query, document, score), checked: no null, no NaN.

    Judgements for subtopics have the column `subtopic`, and may have `weight`.
    """

    frame: pl.DataFrame
    name: str
    place: Place
    remarks: tuple[str, ...] = ()
    starts: Ints | None = None
    """Where each stretch of rows with the same query begins, and the end, if that is known already."""
    nothing: Mapping[str, pl.Series] = field(default_factory=dict)
    """Run -> the queries that it ranks with nothing, or that are judged with nothing: those with an empty list."""
    is_numbered: bool = False
    """Whether documents are the numbers of rows, since there is no column of documents."""

    def split_runs(self) -> list[Table]:
        if "run" not in self.frame.columns:
            return [self]
        by_run = self.frame.with_row_index("row").partition_by(
            "run", maintain_order=True, include_key=False, as_dict=True
        )
        runs = {
            str(run): replace(self, frame=frame.drop("row"), name=str(run), place=places_of(self.place, frame["row"]))
            for (run,), frame in by_run.items()
        }
        for run, nothing in self.nothing.items():
            known = runs.get(run) or replace(self, frame=self.frame.clear().drop("run"), name=run)
            runs[run] = replace(known, nothing={run: nothing})
        return [run if run.name in self.nothing else replace(run, nothing={}) for run in runs.values()]

    def empty_queries(self) -> dict[str, list[Any]]:
        return {run: queries.to_list() for run, queries in self.nothing.items()}

    def table(self) -> Table:
        return self

    def groups(self) -> QueryGroups:
        frame, number = self.frame, "score" if "score" in self.frame.columns else "grade"
        starts = stretches(frame["query"]) if self.starts is None else self.starts
        queries, row = frame["query"].gather(starts[:-1]), None
        of_subtopics = [role for role in ("subtopic", "weight") if role in frame.columns]
        # A query may have several stretches of rows. Interleaved rows show that in their first stretches already.
        if any(part.n_unique() < len(part) for part in (queries[:_FIRST], queries)):
            used = ("document", number, "row", *of_subtopics)
            by_query = frame.with_row_index("row").group_by("query", maintain_order=True).agg(*used)
            queries, starts = by_query["query"], starts_of(by_query["row"].list.len().to_numpy())
            frame = pl.DataFrame([by_query[name].explode() for name in used])
            row = frame["row"].to_numpy().astype(np.int64)
        for nothing in self.nothing.values():
            queries = pl.concat([queries, nothing])
            starts = np.concatenate((starts, np.full(len(nothing), starts[-1])))
        subtopics, weights = (frame[role] if role in of_subtopics else None for role in ("subtopic", "weight"))
        # One subtopic for all is none: the second column of most TREC files is 0 throughout. With weights it is one.
        if subtopics is not None and weights is None and _is_constant(subtopics):
            subtopics = None
        return QueryGroups(
            queries,
            starts,
            frame["document"].rechunk(),
            frame[number].to_numpy(),
            self.place,
            self.remarks,
            row,
            subtopics,
            weights,
        )


def _is_constant(column: pl.Series) -> bool:
    return column.is_empty() or not (column != column.first()).any()


def stretches(column: pl.Series) -> Ints:
    """Where each stretch of rows with the same id begins, and the end."""
    changes = column[1:].ne_missing(column[:-1]).arg_true().to_numpy().astype(np.int64) + 1
    return np.concatenate(([0], changes, [len(column)])) if len(column) else np.zeros(1, dtype=np.int64)


def places_of(place: Place, rows: pl.Series) -> Place:
    """The places of rows that were selected from a table."""
    return lambda row: place(rows[row])


def joined_tables(tables: list[Table]) -> Table:
    """One table of the rows of several. If their ids are of different types, all are text."""
    starts = starts_of(np.array([table.frame.height for table in tables], dtype=np.int64))
    frames = [table.frame for table in tables]
    for role in ("query", "document"):
        columns = of_one_type([frame[role] for frame in frames])
        frames = [frame.with_columns(column) for frame, column in zip(frames, columns, strict=True)]
    for role, without in (("subtopic", "0"), ("weight", 1.0)):
        if any(role in frame.columns for frame in frames):
            frames = [
                frame if role in frame.columns else frame.with_columns(pl.lit(without).alias(role)) for frame in frames
            ]

    def place(row: int) -> str:
        table = int(np.searchsorted(starts, row, side="right")) - 1
        return tables[table].place(row - int(starts[table]))

    remarks = tuple(remark for table in tables for remark in table.remarks)
    return Table(pl.concat([frame.select(frames[0].columns) for frame in frames]), tables[0].name, place, remarks)


def row_places(label: str) -> Place:
    """The places of rows in something without lines."""
    return lambda row: f"{label}, row {row + 1}"


@dataclass(frozen=True, slots=True)
class TableSource:
    """The source of a table: everything known besides its rows."""

    kind: Kind
    named: Mapping[str, str]
    """Columns as the user named them, role -> name."""
    label: str
    """The name of the source in errors."""
    place: Place
    name: str = "run"
    """The name of the run, unless a column of runs names it."""
    faults: RowFaults | None = None
    """Where rows with faults are noted, and left out; None if they are errors."""

    @classmethod
    def of_object(cls, kind: Kind, named: Mapping[str, str], faults: RowFaults | None = None) -> TableSource:
        """The source of an object in memory."""
        return cls(kind, named, WHAT[kind], row_places(WHAT[kind]), faults=faults)

    def find_columns(self, names: Sequence[str], lists: Collection[str]) -> Columns:
        return find_columns(names, self.kind, self.named, self.label, lists=lists, faults=self.faults)

    def columns_of_frame(self, frame: pl.DataFrame | pl.LazyFrame) -> tuple[Columns, bool]:
        """The columns of a frame, and whether the column of documents holds a list in each row."""
        types = frame.collect_schema()
        lists = [column for column, dtype in types.items() if isinstance(dtype, (pl.List, pl.Array))]
        columns = self.find_columns(types.names(), lists)
        return columns, columns.document in lists


def check_table(frame: pl.DataFrame | pl.LazyFrame, source: TableSource) -> Table:
    """The table that a frame with any columns holds."""
    columns, has_lists = source.columns_of_frame(frame)
    selected = select_columns(frame.lazy(), columns).collect()
    if has_lists and source.kind != "labelled":
        from rankgold.data.records import table_of_lists

        return table_of_lists(selected, columns, source)
    return table_of_columns(selected, columns, source)


def table_of_columns(selected: pl.DataFrame, columns: Columns, source: TableSource) -> Table:
    """The table of columns under the names of their roles, with a document in each row."""
    if source.kind == "labelled":
        from rankgold.data.frames import labelled_table

        return labelled_table(selected, columns, source)
    checked, place = check_rows(selected, columns, source.place, source.faults)
    return Table(checked, source.name, place, columns.remarks)


def select_columns(frame: pl.LazyFrame, columns: Columns) -> pl.LazyFrame:
    """The columns under the names of their roles."""
    return frame.select(
        **{role: pl.lit(1.0) if column is None else pl.col(column) for role, column in columns.roles.items()}
    )


def check_rows(
    selected: pl.DataFrame, columns: Columns, place: Place, faults: RowFaults | None = None
) -> tuple[pl.DataFrame, Place]:
    """The rows with ids and numbers of the types that matching needs, and their places.

    The first row with a fault is an error; where faults are collected, all rows that have one are left out.
    """
    role = "grade" if columns.number_is == "grade" else "score"
    if faults is not None:
        selected, place = _readable_rows(selected, role, columns.number_is, place, faults)
    ids = [checked_ids(selected[name], name, place) for name in ("query", "document")]
    checked = selected.with_columns(*ids, checked_numbers(selected[role], role, columns.number_is, place))
    if "subtopic" in checked.columns:
        checked = _with_subtopics(checked, place)
    if "run" in checked.columns and (row := first_wrong(checked["run"].is_null())) is not None:
        raise DataError(RUN_MISSING, place(row))
    return checked.with_columns(score=-pl.col("score")) if columns.is_rank else checked, place


def _readable_rows(
    frame: pl.DataFrame, role: str, number_is: str, place: Place, faults: RowFaults
) -> tuple[pl.DataFrame, Place]:
    """The rows that have ids and a number. The others are noted."""
    for name in ("query", "document"):
        frame, place = readable_rows(frame, frame[name].is_null(), place, partial(_missing_id, name), faults)
    numbers = as_numbers(frame[role], role, number_is, place)
    texts = stripped(frame[role])
    return readable_rows(frame, ~are_finite(numbers), place, lambda row: number_fault(number_is, texts[row]), faults)


def _with_subtopics(frame: pl.DataFrame, place: Place) -> pl.DataFrame:
    """The frame with subtopics as text, and their weights as numbers from 0."""
    # An empty field of CSV is missing, and so is an empty text anywhere else.
    subtopic = frame["subtopic"]
    given = subtopic if subtopic.dtype != pl.String else subtopic.replace("", None)
    frame = frame.with_columns(checked_ids(given, "subtopic", place).cast(pl.String))
    if "weight" in frame.columns:
        frame = frame.with_columns(checked_numbers(frame["weight"], "weight", "weight", place))
        if (row := first_wrong((frame["weight"] < 0) | (frame["weight"] > HEAVIEST))) is not None:
            raise DataError(
                f"the weight of a subtopic must be from 0 to {HEAVIEST:g}, not {frame['weight'][row]:g}.", place(row)
            )
    return frame


def _missing_id(role: str, _row: int) -> str:
    return id_fault(role, None)


def without_careless_tags(frame: pl.DataFrame, query: str, run: str) -> pl.DataFrame:
    """The rows of TREC files. Several tags mean several runs only if one query has more than one."""
    is_careless = frame[run].n_unique() > 1 and frame.select(query, run).n_unique() == frame[query].n_unique()
    return frame.drop(run) if is_careless else frame
