"""The sample collection: short pages of a cooking help site, queries put to it, and judgements of the pages.

Both text files hold entries: a line `id words`, then indented lines that belong to it. The indented lines are the text
of a document, and `grade document document ...` of a query. A grade says how far the document answers the query:
3 fully, 2 it helps a lot, 1 it is on the subject, 0 not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Document:
    """A page of the site."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Query:
    """What a visitor typed, and the grade of each judged document."""

    id: str
    text: str
    grades: dict[str, int]


def documents() -> list[Document]:
    """Every page of the site, in the order of the file."""
    found = [Document(id, title, " ".join(lines)) for id, title, lines in _entries("documents.txt")]
    _check_unique([document.id for document in found])
    return found


def queries() -> list[Query]:
    """Every query with its judgements; each judged document is in the collection."""
    known = {document.id for document in documents()}
    found = [Query(id, text, _grades(id, lines, known)) for id, text, lines in _entries("queries.txt")]
    _check_unique([query.id for query in found])
    return found


def _grades(query: str, lines: list[str], known: set[str]) -> dict[str, int]:
    pairs = [(document, int(grade)) for grade, *ids in map(str.split, lines) for document in ids]
    _check_unique([document for document, _ in pairs])
    if unknown := sorted({document for document, _ in pairs} - known):
        raise ValueError(f"query {query!r} judges {unknown}, not in documents.txt")
    return dict(pairs)


def _entries(name: str) -> Iterator[tuple[str, str, list[str]]]:
    """The id, the words beside it and the indented lines below it, entry by entry."""
    head, body = "", list[str]()
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            body.append(line.strip())
            continue
        if head:
            yield *_halves(head), body
        head, body = line, []
    yield *_halves(head), body


def _halves(head: str) -> tuple[str, str]:
    id, words = head.split(maxsplit=1)
    return id, words


def _check_unique(ids: list[str]) -> None:
    if twice := sorted({id for id in ids if ids.count(id) > 1}):
        raise ValueError(f"{twice} appear twice")
