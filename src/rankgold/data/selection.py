"""Selects queries, and maps chunks to the documents they belong to.

The rule is what users pass as `parent`: a separator, a dict from chunk to document, or a function. It is for the ids of
runs; judgements are about documents. An id to which the rule does not apply is that of a document: `d1` with the
separator `#`, or a chunk that the dict does not have.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.errors import DataError, MatchError, listing
from rankgold.core.segments import Bools
from rankgold.data.columns import has_query
from rankgold.data.ids import plain_ids
from rankgold.data.inputs import numbered_lines
from rankgold.data.query_lists import chosen_rows
from rankgold.data.rows import Nested

if TYPE_CHECKING:
    import polars as pl


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


Parent = str | Mapping[Any, Any] | Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class ParentRule:
    """The rule that maps a chunk to its document."""

    find: Callable[[Any], Any]
    """The document of a chunk; can be pickled, for Spark, if the function of the user can."""
    separator: str | None = None
    """What separates the document from the rest of the chunk's id, if that is the rule."""

    @classmethod
    def of(cls, parent: Parent | None) -> ParentRule | None:
        if parent is None or isinstance(parent, ParentRule):
            return parent
        if isinstance(parent, str):
            if not parent:
                raise DataError("parent must be a separator such as '#', and this one is empty.")
            return cls(partial(_before_separator, parent), parent)
        if isinstance(parent, Mapping):
            chunks = plain_ids(parent, "a chunk in parent")
            documents = plain_ids(parent.values(), "a document in parent")
            if None in documents or None in chunks:
                raise DataError("an id in parent is None. Ids must be integers or text.")
            return cls(partial(_known_document, dict(zip(map(str, chunks), documents, strict=True))))
        if callable(parent):
            return cls(partial(_returned_document, parent))
        raise DataError(
            f"parent must be a separator such as '#', a dict from chunk to document, or a function, not"
            f" {type(parent).__name__}."
        )

    @property
    def pattern(self) -> str:
        """The regular expression that finds the document in front of the last separator."""
        return f"(?s)^(.+){re.escape(self.separator or '')}.*$"

    def documents_of(self, chunks: Iterable[Any]) -> dict[Any, Any]:
        """Chunk -> document, with documents that are all integers or all text."""
        known = list(dict.fromkeys(chunks))
        return dict(zip(known, plain_ids(map(self.find, known), "a document of parent"), strict=True))

    def in_column(self, chunks: pl.Series) -> pl.Series:
        """The document of each chunk in a column of ids."""
        import polars as pl

        from rankgold.data.ids import id_series

        if self.separator is not None:
            if chunks.dtype != pl.String:
                return chunks
            return chunks.to_frame("id").select(pl.col("id").str.extract(self.pattern, 1).fill_null(pl.col("id")))["id"]
        known = self.documents_of(chunks.unique(maintain_order=True))
        documents = pl.DataFrame(
            {"id": pl.Series(list(known), dtype=chunks.dtype), "document": id_series(list(known.values()))}
        )
        return chunks.to_frame("id").join(documents, on="id", how="left", maintain_order="left")["document"]

    def in_dicts(self, tables: Nested) -> Nested:
        """The same tables with the best number of each document."""
        document_of = self.documents_of(chunk for row in tables.values() for chunk in row)
        return {
            query: chosen_rows([document_of[chunk] for chunk in row], list(row.values()), "best")
            for query, row in tables.items()
        }


def _before_separator(separator: str, chunk: object) -> object:
    return (chunk.rpartition(separator)[0] or chunk) if isinstance(chunk, str) else chunk


def _known_document(documents: dict[str, Any], chunk: object) -> Any:
    return documents.get(str(chunk), chunk)


def _returned_document(function: Callable[[Any], Any], chunk: object) -> Any:
    try:
        document = function(chunk)
    except Exception as error:
        raise DataError(f"parent fails on the chunk {chunk!r}: {type(error).__name__}: {error}.") from error
    if document is None:
        raise DataError(f"parent gives no document for the chunk {chunk!r}.")
    return document
