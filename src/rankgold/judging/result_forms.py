"""A result with a document and a dict in, its text in every format out: what all results about judging share."""

from __future__ import annotations

import json
import math
from typing import Any

from rankgold.output.document import Document
from rankgold.output.registry import TABLE_OUTPUTS
from rankgold.output.text import escaped_json, shown_document


class ResultForms:
    """Terminal text, Markdown, LaTeX, HTML, CSV and JSON of a result."""

    __slots__ = ()

    def document(self, digits: int = 4) -> Document:
        """Tables, and the text around them."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers."""
        raise NotImplementedError

    def to_json(self, *, indent: int | None = 2, **choices: Any) -> str:
        content = self.to_dict(**choices)
        return escaped_json(json.dumps(content, indent=indent, allow_nan=False, ensure_ascii=False, default=str))

    def to_markdown(self, *, digits: int = 4) -> str:
        return TABLE_OUTPUTS["markdown"](self.document(digits)).removesuffix("\n")

    def to_latex(self, *, digits: int = 4) -> str:
        return TABLE_OUTPUTS["latex"](self.document(digits)).removesuffix("\n")

    def to_html(self, *, digits: int = 4) -> str:
        return TABLE_OUTPUTS["html"](self.document(digits)).removesuffix("\n")

    def to_csv(self) -> str:
        """The first table, with all digits."""
        return TABLE_OUTPUTS["csv"](self.document()).removesuffix("\n")

    def _repr_html_(self) -> str:
        return self.to_html()

    def __repr__(self) -> str:
        return shown_document(self.document(), colour=False).removesuffix("\n")


def known(value: float) -> float | None:
    """The number for JSON, which has none for undefined and infinite values."""
    return float(value) if math.isfinite(value) else None
