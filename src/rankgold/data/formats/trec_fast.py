"""Small TREC files without Polars, whose loading would take longer than the work.

Whatever is not plain here (comments, blank lines, a document twice, a number that is none, several tags) is left to the
careful reader: None means "not mine".
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from rankgold.data.columns import TREC_FIELDS, Kind
from rankgold.data.paths import stem_and_ending

# So much is read before loading Polars pays; one that is loaded is used at once.
_MOST = 4 << 20
_SMALL = 4 << 20
_read_so_far = 0
# How much is split into words at once.
_PIECE = 1 << 15
_END = "\0"
_PRINTABLE = bytes(range(32, 127)) + b"\n\t"
_ENDINGS = ("", ".txt", ".trec", ".run", ".res", ".qrels", ".qrel", ".out")


def read_small(path: str | os.PathLike[str], kind: Kind) -> dict[str, Any] | None:
    """The judgements of a file as a dict of dicts; of a run, that by its tag."""
    global _read_so_far
    if _polars_is_loaded() or _read_so_far > _MOST or stem_and_ending(path)[1] not in _ENDINGS:
        return None
    try:
        if not os.path.isfile(path) or not 0 < (size := os.path.getsize(path)) <= _SMALL:
            return None
        _read_so_far += size
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return _parsed(text, kind)


def _polars_is_loaded() -> bool:
    return "polars" in sys.modules


def _parsed(text: str, kind: Kind) -> dict[str, Any] | None:
    if _END in text or "\ufeff" in text or not _is_printable(text):
        return None
    table: dict[str, dict[str, float]] = {}
    tags: set[str] = set()
    if not all(_added(piece, kind, table, tags) for piece in _pieces(text.removesuffix("\n") + "\n")):
        return None
    if any(query[0] == "#" for query in table):
        return None
    if kind == "qrels":
        return table
    return {tags.pop(): table} if len(tags) == 1 else None


def _pieces(text: str) -> Iterator[str]:
    """The text in stretches of whole lines, the words of which are still in the cache when they are looked at."""
    first = 0
    while first < len(text):
        last = text.find("\n", first + _PIECE) + 1 or len(text)
        yield text[first:last]
        first = last


def _added(text: str, kind: Kind, table: dict[str, dict[str, float]], tags: set[str]) -> bool:
    """Puts the rows into the table, if every line is regular."""
    # With a mark at the end of each line, every word of a regular file has its place among all of them.
    words = text.replace("\n", f" {_END} ").split()
    fields = len(TREC_FIELDS[kind])
    lines, irregular = divmod(len(words), fields + 1)
    if irregular or words[fields :: fields + 1].count(_END) != lines:
        return False
    numbers = _numbers(words[(fields - 1 if kind == "qrels" else 4) :: fields + 1])
    tags.update(words[fields - 1 :: fields + 1])
    return numbers is not None and _put(words[0 :: fields + 1], words[2 :: fields + 1], numbers, table)


def _put(queries: list[str], documents: list[str], numbers: list[float], table: dict[str, dict[str, float]]) -> bool:
    """Puts the rows into the table, if no query has a document twice."""
    first = 0
    for query, stretch in groupby(queries):
        last = first + len(list(stretch))
        known = table.setdefault(query, {})
        before = len(known)
        known.update(zip(documents[first:last], numbers[first:last], strict=True))
        if len(known) - before < last - first:
            return False
        first = last
    return True


def _is_printable(text: str) -> bool:
    """Whether there is nothing but printable characters, blanks, tabs and ends of lines."""
    if text.isascii():
        return not text.encode().translate(None, _PRINTABLE)
    return text.replace("\n", " ").replace("\t", " ").isprintable()


def _numbers(texts: list[str]) -> list[float] | None:
    """Finite numbers as every reader of numbers takes them: Python alone takes 1_000 and digits of other scripts."""
    together = " ".join(texts)
    if not together.isascii() or "_" in together:
        return None
    try:
        numbers = list(map(float, texts))
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None
