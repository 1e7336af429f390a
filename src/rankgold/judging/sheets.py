"""Makes pools and sheets that people fill in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from rankgold.core.accepted import TextsById
from rankgold.core.document import Document, ResultTable, name_of_field
from rankgold.core.errors import DataError, check_whole_number, counted
from rankgold.core.result import Result, frame_cells, frame_table, known_number
from rankgold.data.ids import id_series
from rankgold.data.inputs import read
from rankgold.data.texts_by_id import texts_by_id
from rankgold.data.written_files import short_grades
from rankgold.engines.request import Request, read_here
from rankgold.judging.candidates import candidates_of, read_numbered_runs

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


def with_texts(sheet: Sheet, query_texts: TextsById | None, doc_texts: TextsById | None) -> Sheet:
    """The sheet with the texts of its queries and documents as the last columns."""
    frame = sheet.frame
    for role, name, texts in (("query", "query_texts", query_texts), ("document", "doc_texts", doc_texts)):
        if texts is not None:
            known_texts = texts_by_id(texts, name)
            column = [known_texts.get(id_, "") for id_ in frame[role].cast(pl.String).to_list()]
            frame = frame.with_columns(pl.Series(f"{role}_text", column, dtype=pl.String))
    return replace(sheet, frame=frame)


def pooled(request: Request, k: int) -> Sheet:
    """The documents that any run of a request ranks among its first k."""
    k = check_whole_number("k", k, 1)
    policy = request.policy
    if policy.ties == "average":
        raise DataError("ties=average has no single order to pool. Choose ties=descending, ascending or input.")
    if policy.depth is not None:
        k = min(k, policy.depth)
    request = read_here(request)
    candidates = candidates_of(read_numbered_runs(request, at_least=1), policy.ties)
    ranks = candidates.table([run.rank.astype(np.float64) for run in candidates.runs], np.inf)
    best = ranks.min(axis=0)
    rows = np.flatnonzero(best <= k)
    number = candidates.query[rows]
    frame = pl.DataFrame(
        {
            "query": candidates.queries.gather(number),
            "document": candidates.documents.gather(rows),
            "grade": pl.Series([None] * len(rows), dtype=pl.Float64),
            "rank": best[rows].astype(np.int64),
            "runs": (ranks[:, rows] <= k).sum(axis=0),
        }
    ).sort(pl.Series(number), pl.col("document").cast(pl.String))
    is_judged = request.qrels is not None
    if is_judged:
        frame = _with_grades(frame, read(request.qrels, "qrels", request.columns, policy.repeats).table().frame)
    of_runs = counted(len(candidates.runs), "run")
    sheet = Sheet(frame, f"{counted(frame.height, 'document')} in the first {k:,} of {of_runs}")
    if is_judged and frame.height:
        sheet = replace(sheet, about=f"{sheet.about}; {sheet.judged_share:.1%} judged")
    return sheet


def _with_grades(frame: pl.DataFrame, judged: pl.DataFrame) -> pl.DataFrame:
    """The pool with the grades of what is judged. Of several grades of a document, for subtopics, the highest one."""
    keys = ["query", "document"]
    grades = judged.group_by(*(pl.col(key).cast(pl.String) for key in keys)).agg(pl.col("grade").max())
    texts = frame.select(pl.col(key).cast(pl.String) for key in keys)
    found = texts.join(grades, on=keys, how="left", maintain_order="left")["grade"]
    return frame.with_columns(found.alias("grade"))
