"""A result with a document and a dict in, its text in every format out: what all results that print share."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any

from rankgold.output.document import Cell, Document, ResultTable
from rankgold.output.html import html_document, html_page
from rankgold.output.markdown import markdown_document
from rankgold.output.registry import TABLE_OUTPUTS
from rankgold.output.text import escaped_json, shown_document, text_document

if TYPE_CHECKING:
    import polars


class Printable:
    """Prints as text; `to_markdown` and `to_html` for documents, `to_json` for programs."""

    __slots__ = ()

    def document(self, digits: int = 4) -> Document:
        """The tables of the result, and the text around them."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts, lists and numbers with all digits; an undefined number is None."""
        raise NotImplementedError

    def to_json(self, *, indent: int | None = 2) -> str:
        return json_text(self.to_dict(), indent)

    def to_text(self, *, digits: int = 4) -> str:
        return text_document(self.document(digits)).removesuffix("\n")

    def to_markdown(self, *, digits: int = 4) -> str:
        return markdown_document(self.document(digits)).removesuffix("\n")

    def to_html(self, *, digits: int = 4) -> str:
        """A page of its own."""
        return html_page(self.document(digits)).removesuffix("\n")

    def __repr__(self) -> str:
        return shown_document(self.document(), colour=False).removesuffix("\n")

    def _repr_html_(self) -> str:
        return html_document(self.document())


class ResultForms(Printable):
    """Text, Markdown, LaTeX, HTML, CSV and JSON of a result that is a table."""

    __slots__ = ()

    def document_for(self, output: str, digits: int = 4, **choices: Any) -> Document:
        """What is written in a format: the document, unless a result has another one for it."""
        return self.document(digits, **choices)

    def to_json(self, *, indent: int | None = 2, **choices: Any) -> str:
        return json_text(self.to_dict(**choices), indent)

    def to_latex(self, *, digits: int = 4) -> str:
        """Tables for the package booktabs."""
        return TABLE_OUTPUTS["latex"](self.document_for("latex", digits)).removesuffix("\n")

    def to_csv(self, *, raw_ids: bool = False) -> str:
        """One table, with all digits.

        An id that a spreadsheet would take for a formula gets an apostrophe in front; with `raw_ids` it does not.
        """
        return TABLE_OUTPUTS["csv"](replace(self.document_for("csv"), raw_ids=raw_ids)).removesuffix("\n")


def row_frame(kind: type, rows: Sequence[Any]) -> polars.DataFrame:
    """A Polars frame of rows that are dataclasses of one kind: a column for each field, a str, an int or a float."""
    import polars as pl

    types = {"str": pl.String, "int": pl.Int64, "float": pl.Float64}
    schema = {field.name: types[str(field.type)] for field in fields(kind)}
    return pl.DataFrame({name: [getattr(row, name) for row in rows] for name in schema}, schema=schema)


def frame_document(frame: polars.DataFrame) -> Document:
    """All columns of a frame as one table, for CSV."""
    return Document([ResultTable(frame.columns, frame_cells(frame), "l" * frame.width)])


def frame_cells(frame: polars.DataFrame) -> list[list[Cell]]:
    """The rows of a frame for a table: floats as numbers, all else as text, and nothing for null."""
    return [
        ["" if value is None else value if isinstance(value, float) else str(value) for value in row]
        for row in frame.rows()
    ]


def json_text(content: Any, indent: int | None = 2) -> str:
    """JSON of what `to_dict` returns. Ids that are neither numbers nor text are written as text."""
    return escaped_json(json.dumps(content, indent=indent, allow_nan=False, ensure_ascii=False, default=str))


def known_fields(row: Any) -> dict[str, Any]:
    """The fields of a dataclass for JSON, by name."""
    return known_values(asdict(row))


def known_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """The same values for JSON: an undefined or infinite float is None."""
    return {name: known_number(value) if isinstance(value, float) else value for name, value in row.items()}


def known_number(number: float) -> float | None:
    """A number for JSON, which has none for undefined and infinite values."""
    return float(number) if math.isfinite(number) else None
