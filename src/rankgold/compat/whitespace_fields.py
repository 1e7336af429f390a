"""Lines whose fields are separated by white space in, their fields, checked, out."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence

from rankgold.errors import DataError, brief, listing

# What strtod of C takes, whole. Python's float takes 1_000 besides, and digits of other scripts.
_NUMBER = re.compile(
    r"[+-]?(inf(inity)?|nan|0x([0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(p[+-]?[0-9]+)?"
    r"|([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?)",
    re.IGNORECASE | re.ASCII,
)


def split_fields(line: str, number: int, count: int) -> list[str]:
    """The fields of a line; an error with its number if they are not as many as they should be."""
    words = line.split()
    if len(words) != count:
        raise DataError(f"line {number} has {len(words)} fields, and should have {count}.")
    return words


def rows(path: str | os.PathLike[str], fields: Sequence[str], *, more: bool = False) -> Iterator[tuple[str, list[str]]]:
    """The place of each row, and its fields, with `more` perhaps others after them.

    Empty lines, and lines that begin with #, are left out.
    """
    label = os.fspath(path)
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, start=1):
                words = [word.decode() for word in line.split()]
                if not words or words[0].startswith("#"):
                    continue
                place = f"{label}:{number}"
                if len(words) < len(fields) or (len(words) > len(fields) and not more):
                    raise DataError(f"there are {len(words)} fields. A line must have {listing(fields)}.", place)
                yield place, words
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"the file cannot be read: {error}.", label) from None


def field_number(text: str, place: str) -> float:
    """The number that a field has, as C reads it: also inf, nan, and 0x10 or 0x1.8p3, which are 16 and 12."""
    if not _NUMBER.fullmatch(text):
        raise DataError(f"{brief(text)} is not a number.", place)
    if "x" not in text.lower():
        return float(text)
    try:
        return float.fromhex(text)
    except OverflowError:
        return -math.inf if text.startswith("-") else math.inf


def finite_number(text: str, place: str) -> float:
    """The number that a field has, and which is finite."""
    value = field_number(text, place)
    if not math.isfinite(value):
        raise DataError(f"{brief(text)} is not a finite number.", place)
    return value
