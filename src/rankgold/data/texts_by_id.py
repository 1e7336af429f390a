"""Reads texts, weights and users of queries or documents by id."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rankgold.core.errors import DataError
from rankgold.data.columns import has_query
from rankgold.data.inputs import is_path, numbered_lines, parsed_json

_IDS = ("_id", "id", "doc_id", "docid", "docno", "document", "query_id", "query")
_TITLES = ("title", "name", "headline")
_TEXTS = ("text", "contents", "body", "abstract", "description", "passage", "content")
# The first line of some files names their columns.
_HEADS = ("query", "qid", "id", "query_id", "topic", "document", "docid", "doc_id", "docno")


class TitledText(NamedTuple):
    """The title and text of a query or document."""

    title: str
    text: str

    @property
    def joined(self) -> str:
        return " ".join(filter(None, self))


def texts_by_id(source: object, name: str = "query_texts") -> dict[str, str]:
    """Id -> text, from a dict or a file: lines of id, tab and text, or JSON lines. `name` is for error messages."""
    if source is None:
        return {}
    if isinstance(source, Mapping):
        return {str(query): str(text) for query, text in source.items()}
    if not is_path(source):
        raise DataError(f"{name} must be a dict from id to text, or the path of a file, not {type(source).__name__}.")
    return {name: text.joined for name, text in _records(os.fspath(source), titled=False)}


def document_texts(source: object, wanted: set[str], longest: int) -> dict[str, TitledText]:
    """Document -> title and text of the wanted documents, each cut to `longest` characters.

    The source is a dict from id to text, or to a record with a title and a text; a file of JSON lines of such records;
    or a TSV file with the id, the title if there are three columns, and the text.
    """
    if source is None:
        return {}
    if isinstance(source, Mapping):
        records: Iterator[tuple[str, TitledText]] = ((str(name), _of_record(value)) for name, value in source.items())
    elif is_path(source):
        records = _records(os.fspath(source), titled=True)
    else:
        raise DataError(
            f"doc_texts must be a dict, or the path of a file of JSON lines or TSV, not {type(source).__name__}."
        )
    return {name: TitledText(*(_shortened(part, longest) for part in text)) for name, text in records if name in wanted}


def _records(path: str, *, titled: bool) -> Iterator[tuple[str, TitledText]]:
    """Ids and texts. If lines may be `titled`, three columns are id, title and text."""
    for number, line in numbered_lines(path):
        place = f"{path}:{number}"
        if not line.strip():
            continue
        if line.startswith("{"):
            yield _json_line(line, place)
            continue
        name, tab, rest = line.partition("\t")
        if not tab:
            raise DataError("a line must have an id, a tab and a text.", place)
        if number == 1 and name.lower() in _HEADS:
            continue
        title, second_tab, text = rest.partition("\t") if titled else ("", "", "")
        yield name, TitledText(title, text) if second_tab else TitledText("", rest)


def _json_line(line: str, place: str) -> tuple[str, TitledText]:
    record = parsed_json(line, place)
    name = _first_of(record, _IDS)
    if name is None:
        raise DataError("the record has no id. Name it id or _id.", place)
    return str(name), _of_record(record)


def _of_record(record: object) -> TitledText:
    if not isinstance(record, Mapping):
        return TitledText("", str(record))
    return TitledText(str(_first_of(record, _TITLES) or ""), str(_first_of(record, _TEXTS) or ""))


def _first_of(record: Mapping[str, Any], names: tuple[str, ...]) -> object:
    return next((record[name] for name in names if record.get(name) is not None), None)


def _shortened(text: str, longest: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


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
