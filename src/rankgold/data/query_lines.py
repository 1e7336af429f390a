"""A text file with a line for each query in, query -> the text after its id out: its weight or its user."""

from __future__ import annotations

from rankgold.data.columns import has_query
from rankgold.data.text_lines import numbered_lines
from rankgold.errors import DataError


def read_query_lines(path: str, what: str) -> dict[str, str]:
    """Query -> text, from lines of id, tab and text; a header is left out. `what` is the text, for error messages."""
    return {query: text for query, (_, text) in _lines(path, what).items()}


def read_query_numbers(path: str, what: str) -> dict[str, float]:
    """Query -> number, from lines of id, tab and number; a header is left out."""
    found: dict[str, float] = {}
    for query, (number, text) in _lines(path, what).items():
        try:
            found[query] = float(text)
        except ValueError:
            raise DataError(f"{what} must be a number, not {text!r}.", f"{path}:{number}") from None
    return found


def _lines(path: str, what: str) -> dict[str, tuple[int, str]]:
    """Query -> the number of its line, and the text in it."""
    found: dict[str, tuple[int, str]] = {}
    for number, line in numbered_lines(path):
        query, tab, text = line.partition("\t")
        if (not query and not tab) or (number == 1 and has_query([query], {})):
            continue
        if not tab:
            raise DataError(f"a line must have the id of a query, a tab and {what}.", f"{path}:{number}")
        first, known = found.get(query, (number, text))
        if known != text:
            raise DataError(f"query {query!r} has another line (line {first}). Remove one.", f"{path}:{number}")
        found[query] = first, text
    return found
