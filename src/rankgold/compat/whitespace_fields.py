"""Lines whose fields are separated by white space in, their fields, checked, out."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence

from rankgold.errors import DataError, brief, listing


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
                    raise DataError(f"there are {len(words)} fields. A line has {listing(fields)}.", place)
                yield place, words
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"the file cannot be read: {error}.", label) from None


def field_number(text: str, place: str) -> float:
    """The number that a field has; it may be NaN."""
    try:
        return float(text)
    except ValueError:
        raise DataError(f"{brief(text)} is not a number.", place) from None


def finite_number(text: str, place: str) -> float:
    """The number that a field has, and which is finite."""
    value = field_number(text, place)
    if not math.isfinite(value):
        raise DataError(f"{brief(text)} is not a finite number.", place)
    return value
