"""The name of an output in, its writer out. A new output is a module of this package and a line in one of the dicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rankgold.output.csv import csv_table
from rankgold.output.document import Document
from rankgold.output.html import html_page
from rankgold.output.latex import latex_tables
from rankgold.output.markdown import markdown_document
from rankgold.output.text import text_document

Writer = Callable[[Document], str]

TABLE_OUTPUTS: dict[str, Writer] = {
    "csv": csv_table,
    "markdown": markdown_document,
    "latex": latex_tables,
    "html": html_page,
}
"""For results that are tables, such as scores."""

ENDINGS = {
    "txt": "text", "text": "text", "table": "text", "json": "json", "csv": "csv", "html": "html", "htm": "html",
    "md": "markdown", "markdown": "markdown", "tex": "latex", "latex": "latex",
    "xml": "junit",
}  # fmt: skip
"""The ending of a file, or a short name -> the format. `text` is the first format of a command, text or table."""

TEXT_OUTPUTS: dict[str, Writer] = {"text": text_document, "markdown": markdown_document, "html": html_page}
"""For results with text around their tables, such as explanations."""


def written_documents(output: str, documents: Sequence[Document]) -> str:
    """Several documents as one text; in HTML, as one page."""
    if output == "html":
        return html_page(*documents)
    return "\n".join(map({**TABLE_OUTPUTS, **TEXT_OUTPUTS}[output], documents))
