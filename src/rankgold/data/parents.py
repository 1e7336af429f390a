"""Ids of chunks in, ids of the documents that they belong to out.

The rule is what users pass as `parent`: a separator, a dict from chunk to document, or a function. It is for the ids of
runs; judgements are about documents. An id to which the rule does not apply is that of a document: `d1` with the
separator `#`, or a chunk that the dict does not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from rankgold.data.ids import plain_ids
from rankgold.data.query_lists import chosen_rows
from rankgold.data.rows import Nested
from rankgold.errors import DataError

if TYPE_CHECKING:
    import polars as pl

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
