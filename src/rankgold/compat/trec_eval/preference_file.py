"""Files of preferences, or of grades by several judges, in; their lines, checked, out."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

import polars as pl

from rankgold.compat.whitespace_fields import finite_number, rows
from rankgold.errors import DataError

_FIELDS = {
    "prefs": ("query", "group", "set", "document", "level"),
    "qrels_prefs": ("query", "group", "document", "level"),
    "qrels_jg": ("query", "group", "document", "level"),
}


@dataclass(frozen=True, slots=True)
class Preference:
    """A line of the file: a document and its level, in a set of documents of a group."""

    group: str
    members: str
    document: str
    level: float


def read_preferences(path: str | os.PathLike[str], format: str) -> dict[str, list[Preference]]:
    """The lines of each query."""
    by_query: dict[str, list[Preference]] = {}
    for place, (query, group, *members, document, level) in rows(path, _FIELDS[format]):
        preference = Preference(group, "".join(members), document, finite_number(level, place))
        by_query.setdefault(query, []).append(preference)
    if not by_query:
        raise DataError("there are no judgements.", os.fspath(path))
    return by_query


def judgements_of_groups(path: str | os.PathLike[str]) -> pl.DataFrame:
    """The grades of several judges: group, query, document and grade."""
    seen: set[tuple[str, str, str]] = set()
    found = []
    for query, preferences in read_preferences(path, "qrels_jg").items():
        for preference in preferences:
            row = preference.group, query, preference.document
            if row in seen:
                raise DataError(
                    f"group {row[0]!r} judges document {row[2]!r} of query {query!r} twice. Remove one.",
                    os.fspath(path),
                )
            seen.add(row)
            found.append((*row, math.trunc(preference.level)))
    return pl.DataFrame(found, schema=["group", "query", "document", "grade"], orient="row").sort(
        "group", maintain_order=True
    )
