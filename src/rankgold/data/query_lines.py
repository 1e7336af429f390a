"""A text file with a line for each query in, query -> the text after its id out: its weight or its user."""

from __future__ import annotations

import gzip

from rankgold.data.columns import has_query
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
            raise DataError(f"{what} is a number, not {text!r}.", f"{path}:{number}") from None
    return found


def _lines(path: str, what: str) -> dict[str, tuple[int, str]]:
    """Query -> the number of its line, and the text in it."""
    found: dict[str, tuple[int, str]] = {}
    opened = gzip.open if path.endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                query, tab, text = line.rstrip("\r\n").partition("\t")
                if (not query and not tab) or (number == 1 and has_query([query], {})):
                    continue
                if not tab:
                    raise DataError(f"a line has the id of a query, a tab and {what}.", f"{path}:{number}")
                first, known = found.get(query, (number, text))
                if known != text:
                    raise DataError(f"query {query!r} has another line (line {first}). Remove one.", f"{path}:{number}")
                found[query] = first, text
    except UnicodeDecodeError:
        raise DataError("this is not UTF-8 text.", path) from None
    except (OSError, EOFError) as error:
        raise DataError(f"{getattr(error, 'strerror', None) or error}.", path) from None
    return found
