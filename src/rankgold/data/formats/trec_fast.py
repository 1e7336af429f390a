"""A small plain TREC file in, its rows as dicts out, without Polars: loading Polars would take longer than the work.

A file that is not plain is left to the reader for all TREC files: it has comments, blank lines, a document twice in a
query, a number that is not finite, several tags, or characters that are not printable.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from itertools import groupby

from rankgold.data.columns import Kind
from rankgold.data.dicts import DictRows
from rankgold.data.formats.trec_lines import FIELDS
from rankgold.data.paths import stem_and_ending
from rankgold.data.rows import Nested

# The size of the pieces that are split into words at once: they stay in the processor's cache.
_PIECE = 1 << 15
_LINE_END = "\0"
_PRINTABLE = bytes(range(32, 127)) + b"\n\t"
_ENDINGS = ("", ".txt", ".trec", ".run", ".res", ".qrels", ".qrel", ".out")


def read_small_trec(path: str | os.PathLike[str], kind: Kind) -> DictRows | None:
    """The judgements, or the one run, in a plain TREC file; None for any other file."""
    name, ending = stem_and_ending(path)
    if ending not in _ENDINGS:
        return None
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    if not text or _LINE_END in text or "\ufeff" in text or not _is_printable(text):
        return None
    table: Nested = {}
    tags: set[str] = set()
    if not all(_add_rows(piece, kind, table, tags) for piece in _pieces(text.removesuffix("\n") + "\n")):
        return None
    if any(query[0] == "#" for query in table):
        return None
    if kind == "run":
        if len(tags) > 1:
            return None
        name = tags.pop()
    return DictRows(name, kind, {name: table})


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces of whole lines."""
    first = 0
    while first < len(text):
        last = text.find("\n", first + _PIECE) + 1 or len(text)
        yield text[first:last]
        first = last


def _add_rows(text: str, kind: Kind, table: Nested, tags: set[str]) -> bool:
    """Adds the rows to the table, if every line is regular.

    A mark at the end of each line takes one more place among the words. So in a regular file every word has a fixed
    place: with 4 fields, word 0 of 5 is a query, word 2 a document, word 3 a grade, and word 4 the mark.
    """
    words = text.replace("\n", f" {_LINE_END} ").split()
    fields = len(FIELDS[kind])
    lines, rest = divmod(len(words), fields + 1)
    if rest or words[fields :: fields + 1].count(_LINE_END) != lines:
        return False
    numbers = _numbers(words[(fields - 1 if kind == "qrels" else 4) :: fields + 1])
    tags.update(words[fields - 1 :: fields + 1])
    return numbers is not None and _add_numbers(words[0 :: fields + 1], words[2 :: fields + 1], numbers, table)


def _add_numbers(queries: list[str], documents: list[str], numbers: list[float], table: Nested) -> bool:
    """Adds the rows to the table, if no query has a document twice."""
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
    """Whether there are only printable characters, blanks, tabs and line ends."""
    if text.isascii():
        return not text.encode().translate(None, _PRINTABLE)
    return text.replace("\n", " ").replace("\t", " ").isprintable()


def _numbers(texts: list[str]) -> list[float] | None:
    """Finite numbers as all readers accept them: only Python accepts 1_000 and digits of other scripts."""
    together = " ".join(texts)
    if not together.isascii() or "_" in together:
        return None
    try:
        numbers = list(map(float, texts))
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None
