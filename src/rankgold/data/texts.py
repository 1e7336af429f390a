"""Files with the texts of queries or documents in, texts by id out."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rankgold.data.inputs import is_path
from rankgold.errors import DataError

_ID_NAMES = ("id", "_id", "docid", "doc_id", "docno", "document", "document_id", "pid", "asin")
_TITLE_NAMES = ("title", "name", "headline")
_TEXT_NAMES = ("text", "contents", "body", "abstract", "description", "passage", "content")
_QUERY_HEADS = ("query", "qid", "id", "query_id", "topic")


class DocumentText(NamedTuple):
    """What is known of a document besides its id."""

    title: str
    text: str


def query_texts(source: Any) -> dict[str, str]:
    """Query -> text, from a dict or a file with lines of id, tab and text."""
    if source is None:
        return {}
    if isinstance(source, Mapping):
        return {str(query): str(text) for query, text in source.items()}
    if not is_path(source):
        raise DataError(f"queries are a dict from id to text, or the path of a TSV file, not {type(source).__name__}.")
    texts = {}
    for number, line in _lines(os.fspath(source)):
        query, tab, text = line.partition("\t")
        if not query and not tab:
            continue
        if not tab:
            raise DataError("a line has the id of a query, a tab and its text.", f"{source}:{number}")
        if number > 1 or query.lower() not in _QUERY_HEADS:
            texts[query] = text
    return texts


def document_texts(source: Any, wanted: set[str], longest: int) -> dict[str, DocumentText]:
    """Document -> title and text, each of at most so many characters, of the wanted documents.

    The source is a dict from id to text, or to a record with a title and a text; a JSONL file of such records; or a
    TSV file with the id, the title if there are three columns, and the text.
    """
    if source is None:
        return {}
    if isinstance(source, Mapping):
        records: Iterator[tuple[str, Any]] = ((str(name), record) for name, record in source.items())
    elif is_path(source):
        records = _document_records(os.fspath(source))
    else:
        raise DataError(f"docs are a dict, or the path of a JSONL or TSV file, not {type(source).__name__}.")
    return {
        name: DocumentText(*(_shortened(text, longest) for text in _title_and_text(record)))
        for name, record in records
        if name in wanted
    }


def _document_records(path: str) -> Iterator[tuple[str, Any]]:
    is_tsv = path.lower().removesuffix(".gz").endswith((".tsv", ".txt"))
    for number, line in _lines(path):
        if not line.strip():
            continue
        if is_tsv:
            name, *columns = line.split("\t", 2)
            yield name, dict(zip(("title", "text") if len(columns) == 2 else ("text",), columns, strict=True))
            continue
        try:
            record = json.loads(line)
        except ValueError:
            raise DataError(
                "this line is not JSON. A file of documents has a JSON object on each line.", f"{path}:{number}"
            ) from None
        own = _first_of(record, _ID_NAMES) if isinstance(record, dict) else None
        if own is None:
            raise DataError(f"this record has no id. It is called one of {', '.join(_ID_NAMES)}.", f"{path}:{number}")
        yield str(own), record


def _title_and_text(record: Any) -> tuple[str, str]:
    if not isinstance(record, Mapping):
        return "", str(record)
    return str(_first_of(record, _TITLE_NAMES) or ""), str(_first_of(record, _TEXT_NAMES) or "")


def _first_of(record: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((record[name] for name in names if record.get(name) is not None), None)


def _shortened(text: str, longest: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def _lines(path: str) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers, from 1."""
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8-sig")
            if path.endswith(".gz")
            else open(path, encoding="utf-8-sig") as file
        ):
            for number, line in enumerate(file, 1):
                yield number, line.rstrip("\r\n")
    except UnicodeDecodeError:
        raise DataError("this is not UTF-8 text.", path) from None
    except OSError as error:
        raise DataError(f"{error.strerror or error}.", path) from None
