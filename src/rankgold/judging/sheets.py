"""Documents to be judged in, a sheet that a person fills in out; a filled-in sheet in, judgements out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from rankgold.data.catalogue_files import frame_of_file
from rankgold.data.columns import ALIASES, check_column_names, find_columns
from rankgold.data.ids import id_series
from rankgold.data.inputs import is_path, read
from rankgold.data.table import Table, check_table
from rankgold.errors import DataError
from rankgold.forked_process import check_polars
from rankgold.judging.result_forms import ResultForms, known
from rankgold.output.csv import csv_table
from rankgold.output.document import Cell, Document, ResultTable

# What the writer of CSV puts in front of a cell that a spreadsheet would take for a formula.
_APOSTROPHE = r"^'([=+\-@＝＋－＠])"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sheet(ResultForms):
    """Documents to be judged: query, document, grade, and what else is known of them. A missing grade is null."""

    frame: pl.DataFrame
    about: str = ""
    """What the other columns mean, in one line."""

    @classmethod
    def of(
        cls, queries: Sequence[Any], documents: Sequence[Any], others: Mapping[str, Any], about: str = ""
    ) -> Sheet:
        """A sheet without grades."""
        columns: dict[str, Any] = {
            "query": id_series(queries, "a query"),
            "document": id_series(documents, "a document"),
            "grade": pl.Series([None] * len(queries), dtype=pl.Float64),
        }
        return cls(pl.DataFrame({**columns, **others}), about)

    def __len__(self) -> int:
        return self.frame.height

    @property
    def judged_share(self) -> float:
        """The share of the documents that have a grade; NaN if there is none."""
        return float("nan") if self.frame.is_empty() else 1 - self.frame["grade"].null_count() / len(self)

    def to_dict(self) -> dict[str, Any]:
        share = self.judged_share
        return {"documents": self.frame.to_dicts(), "count": len(self), "judged_share": known(share)}

    def document(self, digits: int = 4) -> Document:
        rows: list[list[Cell]] = [[_cell(value) for value in row] for row in self.frame.rows()]
        is_text = [dtype == pl.String or name in ("query", "document") for name, dtype in self.frame.schema.items()]
        alignment = "".join("l" if left else "r" for left in is_text)
        table = ResultTable(self.frame.columns, rows, alignment, digits=digits, keys=2)
        return Document([table], notes=[f"note: {self.about}"] if self.about else [])

    def to_tsv(self) -> str:
        """Lines with a tab between columns; tabs and line ends in texts become spaces."""
        text = pl.col(pl.String).str.replace_all(r"[\t\r\n]+", " ")
        return self.frame.with_columns(text).write_csv(separator="\t", quote_style="never")


def with_texts(
    sheet: Sheet, queries: Mapping[Any, str] | None, docs: Mapping[Any, str] | None
) -> Sheet:
    """The sheet with the texts of its queries and documents as the last columns."""
    frame = sheet.frame
    for role, texts in (("query", queries), ("document", docs)):
        if texts is not None:
            known_texts = {str(id_): str(text) for id_, text in texts.items()}
            column = [known_texts.get(id_, "") for id_ in frame[role].cast(pl.String).to_list()]
            frame = frame.with_columns(pl.Series(f"{role}_text", column, dtype=pl.String))
    return replace(sheet, frame=frame)


def judged_rows(source: Any, columns: Mapping[str, str] | None = None) -> Table:
    """The rows of judgements in any form; rows of a table without a grade are skipped. Pairs may be there repeatedly."""
    check_polars()
    named = check_column_names(columns) if columns else {}
    frame = _frame_with_header(source, named)
    if frame is None:
        return read(source, "qrels", columns).table()
    label = os.fspath(source) if is_path(source) else "the judgements"
    found = find_columns(frame.columns, "qrels", named, label)
    if found.number is None:
        raise DataError("there is no column of grades.", label)
    grade = pl.col(found.number)
    if frame.schema[found.number] == pl.String:
        grade = grade.str.strip_chars().replace("", None)
    texts = [name for name in (found.query, found.document) if frame.schema[name] == pl.String]
    frame = frame.with_columns(pl.col(texts).str.replace(_APOSTROPHE, "$1"))
    kept = frame.with_row_index("__row").filter(grade.is_not_null())
    lines = kept["__row"].to_list()
    place = f"{label}:{{}}" if is_path(source) else f"{label}, row {{}}"
    first = 2 if is_path(source) else 1
    return check_table(kept.drop("__row"), "qrels", named, "judge", label, lambda row: place.format(lines[row] + first))


def _frame_with_header(source: Any, named: Mapping[str, str]) -> pl.DataFrame | None:
    """The table with all of its columns; None if the source is of another form."""
    if is_path(source):
        if not os.path.isfile(source):
            return None
        known_names = tuple(name for names in ALIASES.values() for name in names)
        found = frame_of_file(source, known_names)
    elif hasattr(source, "__arrow_c_stream__") and hasattr(source, "columns"):
        found = pl.DataFrame(source)
    else:
        return None
    if not isinstance(found, pl.DataFrame):
        return None
    try:
        find_columns(found.columns, "qrels", named, "")
    except DataError:
        return None
    return found


def _cell(value: Any) -> Cell:
    if value is None:
        return ""
    return value if isinstance(value, float) else str(value)


def sheet_text(sheet: Sheet, format_: str) -> str:
    """The sheet as a file that a person can fill in."""
    return sheet.to_tsv() if format_ == "tsv" else csv_table(sheet.document())
