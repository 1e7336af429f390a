"""Small TREC files without Polars, whose loading would take longer than the work.

Whatever is not plain here (comments, blank lines, a document twice, a number that is none, several tags) is left to the
careful reader: None means "not mine".
"""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path
from typing import Any

from karat.data.paths import stem_and_ending
from karat.data.schema import TREC_FIELDS, Kind

_SMALL = 4 << 20
_ENDINGS = ("", ".txt", ".trec", ".run", ".res", ".qrels", ".qrel", ".out")


def read_small(path: str | os.PathLike[str], kind: Kind) -> dict[str, Any] | None:
    """The judgements of a file as a dict of dicts; of a run, that by its tag."""
    if _polars_is_loaded() or stem_and_ending(path)[1] not in _ENDINGS:
        return None
    file = Path(path)
    try:
        if not file.is_file() or not 0 < file.stat().st_size <= _SMALL:
            return None
        text = file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return _parsed(text, kind)


def _polars_is_loaded() -> bool:
    return "polars" in sys.modules


def _parsed(text: str, kind: Kind) -> dict[str, Any] | None:
    queries: dict[str, dict[str, float]] = {}
    tags: set[str] = set()
    count = 0
    for line in text.removesuffix("\n").split("\n"):
        fields = line.split(" ") if "\t" not in line else line.split("\t")
        if (
            len(fields) != len(TREC_FIELDS[kind])
            or not all(fields)
            or line.startswith(("#", "\ufeff"))
            or not line.isprintable()
        ):
            return None
        number = _number(fields[-1] if kind == "qrels" else fields[4])
        if number is None:
            return None
        queries.setdefault(fields[0], {})[fields[2]] = number
        tags.add(fields[-1])
        count += 1
    if count != sum(map(len, queries.values())):
        return None
    if kind == "qrels":
        return queries
    return {tags.pop(): queries} if len(tags) == 1 else None


def _number(text: str) -> float | None:
    """A finite number as every reader of numbers takes it: Python alone takes 1_000 and digits of other scripts."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and text.isascii() and "_" not in text else None
