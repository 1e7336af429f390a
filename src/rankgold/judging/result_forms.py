"""A result with a document and a dict in, its text in every format out: what all results that are tables share."""

from __future__ import annotations

import math
from typing import Any

from rankgold.explanation.printable import Printable, json_text
from rankgold.output.document import Document
from rankgold.output.registry import TABLE_OUTPUTS


class ResultForms(Printable):
    """Text, Markdown, LaTeX, HTML, CSV and JSON of a result that is a table."""

    __slots__ = ()

    def document_for(self, output: str, digits: int = 4, **choices: Any) -> Document:
        """What is written in a format: the document, unless a result has another one for it."""
        return self.document(digits, **choices)

    def to_json(self, *, indent: int | None = 2, **choices: Any) -> str:
        return json_text(self.to_dict(**choices), indent)

    def to_latex(self, *, digits: int = 4) -> str:
        return TABLE_OUTPUTS["latex"](self.document_for("latex", digits)).removesuffix("\n")

    def to_csv(self) -> str:
        """The first table, with all digits."""
        return TABLE_OUTPUTS["csv"](self.document_for("csv")).removesuffix("\n")


def known(value: float) -> float | None:
    """The number for JSON, which has none for undefined and infinite values."""
    return float(value) if math.isfinite(value) else None
