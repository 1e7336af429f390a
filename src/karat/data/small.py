"""Small TREC files without Polars, whose loading would take longer than the work.

Whatever is not plain here (comments, blank lines, a document twice, a number that is none, several tags) is left to the
careful reader: None means "not mine".
"""

from __future__ import annotations

import math
import os
import sys
from itertools import groupby
from typing import Any

from karat.data.paths import stem_and_ending
from karat.data.schema import TREC_FIELDS, Kind

# So much is read before loading Polars pays; one that is loaded is used at once.
_MOST = 4 << 20
_SMALL = 4 << 20
_read_so_far = 0
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
    # With a mark at the end of each line, every word of a regular file has its place among all of them.
    text = text.removesuffix("\n")
    words = f"{text}\n".replace("\n", f" {_END} ").split()
    fields, lines = len(TREC_FIELDS[kind]), text.count("\n") + 1
    ends = words[fields :: fields + 1]
    if len(words) != lines * (fields + 1) or ends.count(_END) != lines:
        return None
    queries, documents = words[0 :: fields + 1], words[2 :: fields + 1]
    numbers = _numbers(words[(fields - 1 if kind == "qrels" else 4) :: fields + 1])
    tags = set(words[fields - 1 :: fields + 1])
    if numbers is None or (kind == "run" and len(tags) > 1) or any(query[0] == "#" for query in set(queries)):
        return None
    table = _by_query(queries, documents, numbers)
    if table is None or kind == "qrels":
        return table
    return {tags.pop(): table}


def _is_printable(text: str) -> bool:
    """Whether there is nothing but printable characters, blanks, tabs and ends of lines."""
    if text.isascii():
        return not text.encode().translate(None, _PRINTABLE)
    return text.replace("\n", " ").replace("\t", " ").isprintable()


def _by_query(queries: list[str], documents: list[str], numbers: list[float]) -> dict[str, dict[str, float]] | None:
    table: dict[str, dict[str, float]] = {}
    first = 0
    for query, stretch in groupby(queries):
        last = first + sum(1 for _ in stretch)
        rows = dict(zip(documents[first:last], numbers[first:last], strict=True))
        known = table.setdefault(query, {})
        before = len(known)
        known.update(rows)
        if len(known) - before < last - first:
            return None
        first = last
    return table


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
