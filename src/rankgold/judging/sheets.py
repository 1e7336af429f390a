"""Documents to be judged in, a sheet that a person fills in out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from rankgold.data.ids import id_series
from rankgold.errors import DataError
from rankgold.output.csv import name_of_field
from rankgold.output.document import Document, ResultTable
from rankgold.output.result_forms import Result, frame_cells, frame_table, known_number

_TSV_SPLITS = re.compile(r"[\t\r\n]+")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sheet(Result):
    """Documents to judge: query, document, grade, and other columns. A missing grade is null."""

    frame: pl.DataFrame = field()  # as a field, it takes the place of the base's property
    about: str = ""
    """What the other columns mean, in one line."""

    @classmethod
    def of(cls, queries: Sequence[Any], documents: Sequence[Any], others: Mapping[str, Any], about: str = "") -> Sheet:
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

    def without_grades(self) -> Sheet:
        """The documents that are not judged yet."""
        return replace(self, frame=self.frame.filter(self.frame["grade"].is_null()))

    def to_dict(self) -> dict[str, Any]:
        share = self.judged_share
        return {"documents": self.frame.to_dicts(), "count": len(self), "judged_share": known_number(share)}

    def _with_short_grades(self) -> pl.DataFrame:
        return self.frame.with_columns(short_grades(self.frame["grade"]))

    def document(self, digits: int = 4) -> Document:
        is_text = [dtype == pl.String or name in ("query", "document") for name, dtype in self.frame.schema.items()]
        alignment = "".join("l" if left else "r" for left in is_text)
        rows = frame_cells(self._with_short_grades())
        table = ResultTable(self.frame.columns, rows, alignment, digits=digits, keys=2)
        return Document([table], notes=[f"note: {self.about}"] if self.about else [])

    def to_tsv(self) -> str:
        """Lines with a tab between columns, quoted as in CSV; tabs and line ends in texts become spaces."""
        self._check_tsv_ids()
        text = pl.col(pl.String).str.replace_all(_TSV_SPLITS.pattern, " ")
        return self._with_short_grades().with_columns(text).write_csv(separator="\t")

    def full_table(self) -> ResultTable:
        """The rows of `frame`, with short grades."""
        return frame_table(self._with_short_grades())

    def _check_tsv_ids(self) -> None:
        """Raises an error on an id that the filled-in sheet would not preserve."""
        for role in ("query", "document"):
            for id_ in self.frame[role].cast(pl.String).unique(maintain_order=True).to_list():
                if _TSV_SPLITS.search(id_) or name_of_field(id_) != id_:
                    raise DataError(f"the {role} {id_!r} cannot be in a line of TSV. Choose --format csv, or to_csv().")


def with_texts(sheet: Sheet, query_texts: Mapping[Any, str] | None, doc_texts: Mapping[Any, str] | None) -> Sheet:
    """The sheet with the texts of its queries and documents as the last columns."""
    frame = sheet.frame
    for role, texts in (("query", query_texts), ("document", doc_texts)):
        if texts is not None:
            if not isinstance(texts, Mapping):
                what = "query_texts" if role == "query" else "doc_texts"
                raise DataError(f"{what} must be a dict from id to text, not {type(texts).__name__}.")
            known_texts = {str(id_): str(text) for id_, text in texts.items()}
            column = [known_texts.get(id_, "") for id_ in frame[role].cast(pl.String).to_list()]
            frame = frame.with_columns(pl.Series(f"{role}_text", column, dtype=pl.String))
    return replace(sheet, frame=frame)


def short_grades(grade: pl.Series) -> pl.Series:
    """Grades as text: 2 and 0.5, not 2.0."""
    return grade.cast(pl.String).str.strip_suffix(".0").alias("grade")
