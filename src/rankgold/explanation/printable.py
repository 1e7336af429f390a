"""A result that makes a document of itself in, its text in every output of explanations out."""

from __future__ import annotations

import json
import math
from typing import Any

from rankgold.output.document import Document
from rankgold.output.html import html_document, html_page
from rankgold.output.markdown import markdown_document
from rankgold.output.text import escaped_json, shown_document, text_document


class Printable:
    """Prints as text; `to_markdown` and `to_html` for documents, `to_json` for programs."""

    __slots__ = ()

    def document(self, digits: int = 4) -> Document:
        """The title, the formula, the table of the terms, and how they give the value."""
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


def json_text(content: Any, indent: int | None = 2) -> str:
    """JSON of what `to_dict` returns. Ids that are neither numbers nor text are written as text."""
    return escaped_json(json.dumps(content, indent=indent, allow_nan=False, ensure_ascii=False, default=str))


def known_number(number: float) -> float | None:
    """A number for JSON: None if it is undefined."""
    return None if math.isnan(number) else number
