"""The queries that a user selects in, as a list or as a file; the Topics that matching looks at out."""

from __future__ import annotations

import csv
import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgold.data.columns import has_query
from rankgold.data.ids import plain_ids
from rankgold.data.text_lines import numbered_lines
from rankgold.errors import DataError, MatchError, listing
from rankgold.kernels.segments import Bools

_FORM = "topics must be a list of ids, a text such as 'q1,q2', or a file with an id on each line"


class NoTopicInBatch(Exception):
    """A signal to the code that collects batches: no topic is judged in this one."""


@dataclass(frozen=True, slots=True)
class Topics:
    """Queries by the text of their ids. All others are left out, as if nobody had judged or ranked them."""

    ids: dict[str, None]
    """In the order of the user."""
    of_batches: bool = False
    """Whether these are the topics of many batches, each of which has some of them."""

    @classmethod
    def of(cls, given: object) -> Topics | None:
        if given is None or isinstance(given, Topics):
            return given
        if isinstance(given, os.PathLike) or (isinstance(given, str) and os.path.exists(given)):
            ids = _ids_of_file(os.fspath(given))
        elif isinstance(given, str):
            ids = [text.strip() for text in given.split(",")]
        elif isinstance(given, Iterable) and not isinstance(given, bytes):
            ids = list(map(str, plain_ids(list(given), "a topic")))
        else:
            raise DataError(f"{_FORM}, not {type(given).__name__}.")
        known = dict.fromkeys(filter(None, ids))
        if not known:
            raise DataError(f"there is no topic. {_FORM}.", None if not isinstance(given, os.PathLike) else str(given))
        return cls(known)

    def __contains__(self, query: object) -> bool:
        return str(query) in self.ids

    def among(self, queries: Collection[Any]) -> Bools:
        """Which of these queries are selected."""
        return np.fromiter((query in self for query in queries), dtype=bool, count=len(queries))

    def of_judged(self, queries: Collection[Any]) -> Bools:
        """Which of the judged queries are selected; an error if none is."""
        selected = self.among(queries)
        if not selected.any():
            if self.of_batches:
                raise NoTopicInBatch
            raise MatchError(
                f"none of the topics is judged. Topics: {_few(self.ids)}. Judged: {_few(queries)}. {_FORM[0].upper()}"
                f"{_FORM[1:]}."
            )
        return selected

    def remarks(self, judged: Collection[Any], ranked: Collection[Any]) -> tuple[str, ...]:
        """The note on topics that are neither judged nor ranked, if there are any."""
        if self.of_batches:
            return ()
        known = {str(query) for queries in (judged, ranked) for query in queries}
        nowhere = [topic for topic in self.ids if topic not in known]
        if not nowhere:
            return ()
        count = "1 topic is" if len(nowhere) == 1 else f"{len(nowhere):,} topics are"
        return (f"{count} neither judged nor ranked: {_few(nowhere)}",)


def _few(queries: Collection[Any]) -> str:
    return listing(map(repr, queries), 5)


def _ids_of_file(path: str) -> list[str]:
    """The first fields of the lines of a file: a list of ids, or a table with tabs or commas. A header is left out."""
    lines = [line for _, line in numbered_lines(path)]
    separator = "\t" if any("\t" in line for line in lines) else ","
    ids = [row[0].strip() if row else "" for row in csv.reader(lines, delimiter=separator)]
    return ids[1:] if ids and has_query(ids[:1], {}) else ids
