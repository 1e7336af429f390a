"""Files of preferences, or of grades by several judges, in; their lines, checked, out."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator

from rankgold.compat.trec_eval.preference_values import Preference
from rankgold.errors import DataError

_FIELDS = {
    "prefs": ("query", "group", "set", "document", "level"),
    "qrels_prefs": ("query", "group", "document", "level"),
    "qrels_jg": ("query", "group", "document", "level"),
}


def read_preferences(path: str | os.PathLike[str], format: str) -> Iterator[tuple[str, Preference]]:
    """The query of each line, and what stands on it."""
    fields = _FIELDS[format]
    label = os.fspath(path)
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                words = line.split()
                if not words or words[0].startswith("#"):
                    continue
                place = f"{label}:{number}"
                if len(words) != len(fields):
                    raise DataError(f"there are {len(words)} fields. A line has {', '.join(fields)}.", place)
                query, group, document, level = words[0], words[1], words[-2], words[-1]
                members = words[2] if "set" in fields else ""
                yield query, Preference(group, members, document, _level(level, place))
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"the file cannot be read: {error}.", label) from None


def _level(text: str, place: str) -> float:
    try:
        level = float(text)
    except ValueError:
        level = math.nan
    if not math.isfinite(level):
        raise DataError(f"{text!r} is not a level. A level is a number.", place)
    return level
