"""A file with the texts of queries in, a dict from query to text out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli.parser import Parser
from rankgold.errors import DataError


def add_query_texts(parser: Parser) -> None:
    parser.add_input(
        "--queries", metavar="FILE", help="The text of queries: a line for each, the id, a tab and the text."
    )


def query_texts(options: Namespace) -> dict[str, str] | None:
    """Query -> text, from lines of id, tab and text; None if no file was named."""
    path = options.queries
    if path is None:
        return None
    texts = {}
    try:
        with open(path, encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                query, tab, text = line.rstrip("\r\n").partition("\t")
                if not query and not tab:
                    continue
                if not tab:
                    raise DataError("a line has the id of a query, a tab and its text.", f"{path}:{number}")
                texts[query] = text
    except UnicodeDecodeError:
        raise DataError("this is not UTF-8 text.", path) from None
    except OSError as error:
        raise DataError(f"{error.strerror or error}.", path) from None
    return texts
