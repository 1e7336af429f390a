"""A parser in, with the options for the texts of queries and documents added; a file with texts in, texts by id out."""

from __future__ import annotations

from rankgold.cli.parser import Parser
from rankgold.data.texts_by_id import query_texts

FORM = "a line for each, the id, a tab and the text; or JSON lines with id, title and text"


def add_texts(parser: Parser) -> None:
    """Adds --queries and --docs."""
    parser.add_input("--queries", metavar="FILE", help=f"The text of queries: {FORM}.")
    parser.add_input("--docs", metavar="FILE", help="The text of documents, in the same form.")


def read_texts(path: str) -> dict[str, str]:
    """Id -> text, from lines of id, tab and text, or from JSON lines."""
    return query_texts(path)
