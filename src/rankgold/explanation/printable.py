"""A result that makes a document of itself in, its text in every output of explanations out."""

from __future__ import annotations

from rankgold.output.document import Document
from rankgold.output.html import html_document
from rankgold.output.markdown import markdown_document
from rankgold.output.text import shown_document, text_document


class Printable:
    """Prints as text; `to_markdown` and `to_html` for documents."""

    __slots__ = ()

    def document(self, digits: int = 4) -> Document:
        """The title, the formula, the table of the terms, and how they give the value."""
        raise NotImplementedError

    def to_text(self, *, digits: int = 4) -> str:
        return text_document(self.document(digits)).removesuffix("\n")

    def to_markdown(self, *, digits: int = 4) -> str:
        return markdown_document(self.document(digits)).removesuffix("\n")

    def to_html(self, *, digits: int = 4) -> str:
        return html_document(self.document(digits)).removesuffix("\n")

    def __repr__(self) -> str:
        return shown_document(self.document(), colour=False).removesuffix("\n")

    def _repr_html_(self) -> str:
        return self.to_html()
