"""Frames with any columns in, checked tables of query, document and number out."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.columns import WHAT, Columns, Kind, find_columns
from rankgold.data.id_faults import RUN_MISSING, id_fault, id_type_fault
from rankgold.data.ids import id_series, of_one_type
from rankgold.data.inspection import is_inspecting, readable_rows
from rankgold.data.numbers import number_fault
from rankgold.data.query_groups import QueryGroups
from rankgold.data.rows import Place, ReportProgress, Rows
from rankgold.errors import DataError
from rankgold.kernels.segments import Ints, starts_of

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

    def chunks(self, report: ReportProgress) -> Generator[Table]:
        yield self

    def groups(self) -> QueryGroups:
        frame, number = self.frame, "score" if "score" in self.frame.columns else "grade"
        starts = stretches(frame["query"]) if self.starts is None else self.starts
        queries, row = frame["query"].gather(starts[:-1]), None
        of_subtopics = [role for role in ("subtopic", "weight") if role in frame.columns]
        if _has_repeats(queries):
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


def _has_repeats(queries: pl.Series) -> bool:
    """Whether a query has several stretches of rows. Interleaved rows show that in their first stretches already."""
    return any(part.n_unique() < len(part) for part in (queries[:_FIRST], queries))


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
    """What a table is read from: all that reading knows besides its rows."""

    kind: Kind
    named: Mapping[str, str]
    """Columns as the user named them, role -> name."""
    label: str
    """What errors call the source."""
    place: Place
    name: str = "run"
    """What the run is called, unless a column of runs names it."""

    @classmethod
    def of_object(cls, kind: Kind, named: Mapping[str, str]) -> TableSource:
        """The source of an object in memory."""
        return cls(kind, named, WHAT[kind], row_places(WHAT[kind]))

    def find_columns(self, names: Sequence[str], lists: Collection[str]) -> Columns:
        return find_columns(names, self.kind, self.named, self.label, lists=lists)

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
        from rankgold.data.list_tables import table_of_lists

        return table_of_lists(selected, columns, source)
    return table_of_columns(selected, columns, source)


def table_of_columns(selected: pl.DataFrame, columns: Columns, source: TableSource) -> Table:
    """The table of columns under the names of their roles, with a document in each row."""
    if source.kind == "labelled":
        from rankgold.data.labelled import labelled_table

        return labelled_table(selected, columns, source)
    checked, place = check_rows(selected, columns, source.place)
    return Table(checked, source.name, place, columns.remarks)


def select_columns(frame: pl.LazyFrame, columns: Columns) -> pl.LazyFrame:
    """The columns under the names of their roles."""
    return frame.select(
        **{role: pl.lit(1.0) if column is None else pl.col(column) for role, column in columns.roles.items()}
    )


def check_rows(selected: pl.DataFrame, columns: Columns, place: Place) -> tuple[pl.DataFrame, Place]:
    """The rows with ids and numbers of the types that matching needs, and their places; an error names the first fault.

    While data are inspected, rows with faults are left out.
    """
    role = "grade" if columns.number_is == "grade" else "score"
    if is_inspecting():
        selected, place = _readable_rows(selected, role, columns.number_is, place)
    ids = [checked_ids(selected[name], name, place) for name in ("query", "document")]
    checked = _with_numbers(selected.with_columns(ids), role, place, columns.number_is)
    if "subtopic" in checked.columns:
        checked = _with_subtopics(checked, place)
    if "run" in checked.columns and (row := _first(checked["run"].is_null())) is not None:
        raise DataError(RUN_MISSING, place(row))
    return checked.with_columns(score=-pl.col("score")) if columns.is_rank else checked, place


def _readable_rows(frame: pl.DataFrame, role: str, number_is: str, place: Place) -> tuple[pl.DataFrame, Place]:
    """The rows that have ids and a number. The others are noted."""
    for name in ("query", "document"):
        frame, place = readable_rows(frame, frame[name].is_null(), place, partial(_missing_id, name))
    numbers = _numbers(frame[role], role, number_is, place)
    texts = _stripped(frame[role])
    return readable_rows(frame, ~_are_finite(numbers), place, lambda row: number_fault(number_is, texts[row]))


def _with_subtopics(frame: pl.DataFrame, place: Place) -> pl.DataFrame:
    """The frame with subtopics as text, and their weights as numbers from 0."""
    # An empty field of CSV is missing, and so is an empty text anywhere else.
    subtopic = frame["subtopic"]
    given = subtopic if subtopic.dtype != pl.String else subtopic.replace("", None)
    frame = frame.with_columns(checked_ids(given, "subtopic", place).cast(pl.String))
    if "weight" in frame.columns:
        frame = _with_numbers(frame, "weight", place, "weight")
        if (row := _first((frame["weight"] < 0) | (frame["weight"] > HEAVIEST))) is not None:
            raise DataError(
                f"the weight of a subtopic is from 0 to {HEAVIEST:g}, not {frame['weight'][row]:g}.", place(row)
            )
    return frame


def checked_ids(column: pl.Series, role: str, place: Place) -> pl.Series:
    """A column of ids as integers or text, none missing."""
    if (row := _first(column.is_null())) is not None:
        raise DataError(id_fault(role, None), place(row))
    return _as_ids(column, role, place)


def _missing_id(role: str, _row: int) -> str:
    return id_fault(role, None)


def _as_ids(column: pl.Series, role: str, place: Place) -> pl.Series:
    if column.dtype == pl.String or column.dtype == pl.Int64:
        return column
    if column.dtype == pl.Object:
        return id_series(column.to_list(), f"{place(0)}: a {role}").alias(role)
    if column.dtype == pl.Binary:
        return _text_of_bytes(column, role, place)
    if column.dtype.is_nested() or column.dtype == pl.Boolean:
        raise DataError(id_type_fault(role, column.dtype), place(0))
    if column.dtype.is_integer():
        try:
            return column.cast(pl.Int64)
        except pl.exceptions.InvalidOperationError:
            return column.cast(pl.String)
    if column.dtype.is_float():
        if (row := _first((column != column.floor()).fill_null(True) | ~(column.abs() < 2.0**63))) is not None:
            raise DataError(id_fault(role, column[row]), place(row))
        return column.cast(pl.Int64)
    try:
        return _text_of_times(column) if column.dtype in (pl.Time, pl.Datetime) else column.cast(pl.String)
    except (pl.exceptions.InvalidOperationError, pl.exceptions.ComputeError):
        raise DataError(id_type_fault(role, column.dtype), place(0)) from None


def _text_of_times(column: pl.Series) -> pl.Series:
    """Times as text, without the zeros at the end of the seconds, as other engines write them; in UTC, if they have a
    time zone."""
    is_zoned = isinstance(column.dtype, pl.Datetime) and column.dtype.time_zone is not None
    if is_zoned:
        column = column.dt.convert_time_zone("UTC")
    date = "" if column.dtype == pl.Time else "%Y-%m-%d "
    text = column.dt.to_string(f"{date}%H:%M:%S%.f").str.replace(r"(\.\d*?)0+$", "$1").str.strip_chars_end(".")
    return text + "+00:00" if is_zoned else text


def _text_of_bytes(column: pl.Series, role: str, place: Place) -> pl.Series:
    try:
        text = column.cast(pl.String)
        row = _first(text.str.contains(r"[\x00-\x1f]"))
    except pl.exceptions.ComputeError:
        row = next(row for row, id_ in enumerate(column) if "\ufffd" in id_.decode(errors="replace"))
    if row is not None:
        raise DataError(
            f"the {role} column is of type Binary, and {column[row][:20]!r} is not text. Ids are integers or text:"
            " write UUIDs as text.",
            place(row),
        )
    return text


def _with_numbers(frame: pl.DataFrame, role: str, place: Place, number_is: str) -> pl.DataFrame:
    """The frame with its grades or scores as finite floats; `number_is` is what errors call them."""
    number = _numbers(frame[role], role, number_is, place)
    if (row := _first(~_are_finite(number))) is not None:
        raise DataError(number_fault(number_is, _stripped(frame[role])[row]), place(row))
    return frame.with_columns(number.alias(role))


def _numbers(column: pl.Series, role: str, number_is: str, place: Place) -> pl.Series:
    """The column as floats; null where the text is not a number."""
    if column.dtype == pl.Boolean and role == "grade":
        column = column.cast(pl.Float64)
    if column.dtype in (pl.Categorical, pl.Enum):
        column = column.cast(pl.String)
    if not (column.dtype.is_numeric() or column.dtype == pl.String or column.dtype == pl.Null):
        raise DataError(
            f"the {number_is} is a number, and this column is of type {column.dtype}. Convert it to numbers.", place(0)
        )
    return _stripped(column).cast(pl.Float64, strict=False)


def _stripped(column: pl.Series) -> pl.Series:
    return column.str.strip_chars() if column.dtype == pl.String else column


def _are_finite(numbers: pl.Series) -> pl.Series:
    return numbers.is_finite().fill_null(False)


def _first(wrong: pl.Series) -> int | None:
    return wrong.arg_max() if wrong.any() else None


def without_careless_tags(frame: pl.DataFrame, query: str, run: str) -> pl.DataFrame:
    """The rows of TREC files. Several tags are several runs if a query has more than one; else they are careless."""
    is_careless = frame[run].n_unique() > 1 and frame.select(query, run).n_unique() == frame[query].n_unique()
    return frame.drop(run) if is_careless else frame
