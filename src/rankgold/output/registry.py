"""The name of an output in, its writer out. A new output is a module of this package and a line in OUTPUTS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rankgold.output.csv import csv_table
from rankgold.output.document import Document
from rankgold.output.html import html_document
from rankgold.output.latex import latex_tables
from rankgold.output.markdown import markdown_document
from rankgold.output.text import text_document

Content = Literal["scores", "explanation"]


@dataclass(frozen=True, slots=True)
class Output:
    """A form of results, and the results that the command line offers in it."""

    write: Callable[[Document], str]
    offered_for: tuple[Content, ...]


OUTPUTS = {
    "text": Output(text_document, ("explanation",)),
    "csv": Output(csv_table, ("scores",)),
    "markdown": Output(markdown_document, ("scores", "explanation")),
    "latex": Output(latex_tables, ("scores",)),
    "html": Output(html_document, ("explanation",)),
}


def output_names(content: Content) -> tuple[str, ...]:
    """The outputs that the command line offers for such a result."""
    return tuple(name for name, output in OUTPUTS.items() if content in output.offered_for)
