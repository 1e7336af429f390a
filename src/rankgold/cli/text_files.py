"""A file with the texts of queries or documents in, texts by id out."""

from __future__ import annotations

import json

from rankgold.cli.parser import Parser
from rankgold.errors import DataError

_IDS = ("_id", "id", "doc_id", "docid", "docno", "document", "query_id", "query")
_TEXTS = ("title", "text", "contents", "body")

FORM = "a line for each, the id, a tab and the text; or JSON lines with id, title and text"


def add_texts(parser: Parser) -> None:
    """Adds --queries and --docs."""
    parser.add_input("--queries", metavar="FILE", help=f"The text of queries: {FORM}.")
    parser.add_input("--docs", metavar="FILE", help="The text of documents, in the same form.")


def read_texts(path: str) -> dict[str, str]:
    """Id -> text, from lines of id, tab and text, or from JSON lines."""
    texts = {}
    try:
        with open(path, encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                id_, text = _json_line(line, f"{path}:{number}") if line.startswith("{") else _line(line, path, number)
                texts[id_] = text
    except UnicodeDecodeError:
        raise DataError("this is not UTF-8 text.", path) from None
    except OSError as error:
        raise DataError(f"{error.strerror or error}.", path) from None
    return texts


def _line(line: str, path: str, number: int) -> tuple[str, str]:
    id_, tab, text = line.rstrip("\r\n").partition("\t")
    if not tab:
        raise DataError("a line has an id, a tab and a text.", f"{path}:{number}")
    return id_, text


def _json_line(line: str, place: str) -> tuple[str, str]:
    try:
        record = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise DataError("this is not JSON.", place) from None
    id_ = next((record[name] for name in _IDS if name in record), None)
    if id_ is None:
        raise DataError("the record has no id. Name it id or _id.", place)
    return str(id_), " ".join(str(record[name]) for name in _TEXTS if record.get(name))
