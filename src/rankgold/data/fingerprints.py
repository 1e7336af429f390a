"""Fingerprints judgements and runs: equal for equal rows in any order and from any engine.

A fingerprint is the number of rows and the sum of their hashes. A row is a query, a document and a grade or score; and
the subtopic with its weight, if there are subtopics. A query that is ranked or judged with nothing is a row too. Ids
are hashed as text, since two ids are the same if they are the same as text.

The texts stand side by side in one piece of memory. A hash starts with the length of the text. Its words of 8 bytes
follow one after the other, the last one filled up with zeros: each is mixed in by the finisher of SplitMix64 (Steele,
Lea and Flood 2014, doi:10.1145/2660193.2660195). In miniature, with words of 2 bytes: `abc` is mix(mix(3 ^ "ab") ^
"c0"). The loop is over the words of the longest text; very long texts are hashed one by one, by BLAKE2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgold.core.errors import DataError, brief
from rankgold.core.segments import Floats, Ints, starts_of
from rankgold.data.columns import Kind
from rankgold.data.dicts import DictRows
from rankgold.data.dicts import numbers as numbers_of
from rankgold.data.ids import ByteIds, IdColumn, plain_ids
from rankgold.data.query_groups import QueryGroups
from rankgold.data.rows import Nested, Rows

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray


if TYPE_CHECKING:
    Keys = NDArray[np.uint64]

_WORD = 8
_LONG = 256
_MASKS = np.array([(1 << 8 * width) - 1 for width in range(_WORD + 1)], dtype=np.uint64)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def scrambled(keys: Keys) -> Keys:
    """Numbers of 64 bits in another order: a change of one bit changes about half of the bits."""
    keys = (keys ^ (keys >> np.uint64(30))) * _FIRST
    keys = (keys ^ (keys >> np.uint64(27))) * _SECOND
    return keys ^ (keys >> np.uint64(31))


def text_hashes(content: bytes, starts: Ints, lengths: Ints) -> Keys:
    """The hash of each text; text i is the bytes `starts[i]:starts[i] + lengths[i]` of the content."""
    # One word for each place at which one can begin. They overlap, and are read without a copy.
    words = np.ndarray(len(content) + 1, dtype="<u8", buffer=content + bytes(_WORD), strides=(1,))
    keys = lengths.astype(np.uint64)
    short = np.flatnonzero(lengths <= _LONG)
    begun = 0
    while len(short := short[lengths[short] > begun]):
        rest = np.minimum(lengths[short] - begun, _WORD)
        keys[short] = scrambled(keys[short] ^ (words[starts[short] + begun].astype(np.uint64) & _MASKS[rest]))
        begun += _WORD
    for i in np.flatnonzero(lengths > _LONG).tolist():
        keys[i] = _hash_of_long(content[starts[i] : starts[i] + lengths[i]])
    return keys


def _hash_of_long(text: bytes) -> int:
    from hashlib import blake2b  # which loads OpenSSL

    return int.from_bytes(blake2b(text, digest_size=_WORD).digest(), "little")


def number_keys(numbers: Floats) -> Keys:
    """The bits of each number as a float of 64 bits. Both zeros are one number."""
    return (numbers.astype(np.float64) + 0.0).view(np.uint64)


def row_sum(query: Keys, document: Keys, *more: Keys) -> int:
    """The sum of the hashes of rows, as a number of 64 bits: the order of the rows does not matter."""
    keys = scrambled(scrambled(query + _FIRST) ^ document)
    for part in more:
        keys = scrambled(keys ^ part)
    return int(keys.sum(dtype=np.uint64))


# So many rows at a time stay in the processor's cache.
_AT_ONCE = 1 << 16
_FORM = re.compile("[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A hash of data: equal if and only if the rows are, up to a chance of 1 in 2 ** 64."""

    rows: int = 0
    total: int = 0
    """The sum of the hashes of the rows, a number of 64 bits."""

    def __add__(self, other: Fingerprint) -> Fingerprint:
        return Fingerprint(self.rows + other.rows, (self.total + other.total) % (1 << 64))

    def __str__(self) -> str:
        return f"{self.total:016x}"

    def to_dict(self) -> dict[str, Any]:
        return {"rows": self.rows, "hash": str(self)}

    @classmethod
    def from_dict(cls, content: object) -> Fingerprint:
        rows, text = (content.get("rows"), content.get("hash")) if isinstance(content, Mapping) else (None, None)
        if type(rows) is not int or rows < 0 or not isinstance(text, str) or not _FORM.fullmatch(text):
            raise DataError(
                f"a fingerprint must have a number of rows and a hash of 16 digits; this is {brief(content)}."
            )
        return cls(rows, int(text, 16))


class Fingerprints(NamedTuple):
    """The fingerprints of the judgements and of a run."""

    judgements: Fingerprint
    run: Fingerprint


def fingerprint_of(rows: Rows) -> Fingerprint:
    """The fingerprint of judgements, or of one run."""
    if isinstance(rows, DictRows):
        return _of_dicts(rows.as_dicts(), rows.kind)
    return fingerprint_of_groups(rows.groups())


class HashedChunks:
    """The chunks of a run, with the fingerprint of those used so far."""

    def __init__(self, chunks: Iterable[Rows]) -> None:
        self._chunks = chunks
        self.fingerprint = Fingerprint()

    def __iter__(self) -> Iterator[Rows]:
        for chunk in self._chunks:
            self.fingerprint += fingerprint_of(chunk)
            yield chunk


def fingerprint_of_groups(rows: QueryGroups) -> Fingerprint:
    """The fingerprint of rows by query."""
    lengths = np.diff(rows.starts)
    query = id_keys(rows.queries)
    weights = None if rows.weights is None else rows.weights.to_numpy()
    known = _of_keys(np.repeat(query, lengths), rows.documents, rows.numbers, rows.subtopics, weights)
    return known + _of_empty_queries(query[lengths == 0])


def fingerprint_of_columns(
    query: pl.Series,
    documents: pl.Series,
    numbers: Floats,
    subtopics: pl.Series | None = None,
    weights: Floats | None = None,
) -> Fingerprint:
    """The fingerprint of rows as they come from an engine, each with its query."""
    return _of_keys(id_keys(query), documents, numbers, subtopics, weights)


def _of_keys(
    query: Keys, documents: IdColumn, numbers: Floats, subtopics: pl.Series | None, weights: Floats | None
) -> Fingerprint:
    known = Fingerprint()
    for first in range(0, len(query), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        more = [number_keys(numbers[part])]
        if subtopics is not None:
            more.append(id_keys(subtopics[part]))
        if weights is not None:
            more.append(number_keys(weights[part]))
        keys = query[part]
        known += Fingerprint(len(keys), row_sum(keys, id_keys(_slice(documents, part)), *more))
    return known


def fingerprint_of_queries(queries: Sequence[Any]) -> Fingerprint:
    """What queries without a document add to a fingerprint."""
    return _of_empty_queries(_keys_of_list(queries)) if queries else Fingerprint()


def _of_empty_queries(query: Keys) -> Fingerprint:
    return Fingerprint(len(query), row_sum(query, np.zeros(len(query), dtype=np.uint64)))


def _of_dicts(tables: Nested, kind: Kind) -> Fingerprint:
    value = numbers_of(tables, tables, kind)
    lengths = np.array([len(row) for row in tables.values()], dtype=np.int64)
    query = _keys_of_list(plain_ids(tables, "a query"))
    document = _keys_of_list(plain_ids([document for row in tables.values() for document in row], "a document"))
    rows = Fingerprint(len(value), row_sum(np.repeat(query, lengths), document, number_keys(value)))
    return rows + _of_empty_queries(query[lengths == 0])


def id_keys(ids: IdColumn) -> Keys:
    """The hash of each id as text."""
    if isinstance(ids, ByteIds):
        width = ids.texts.itemsize
        return text_hashes(ids.texts.tobytes(), np.arange(len(ids)) * width, np.char.str_len(ids.texts))
    texts = ids.cast(str)
    lengths = texts.str.len_bytes().to_numpy().astype(np.int64)
    return text_hashes((texts.str.join("").item() or "").encode(), _starts(lengths), lengths)


def _keys_of_list(ids: Sequence[Any]) -> Keys:
    texts = list(map(str, ids))
    joined = "".join(texts)
    if joined.isascii():
        content, lengths = joined.encode(), np.fromiter(map(len, texts), np.int64, len(texts))
    else:
        coded = [text.encode("utf-8", "surrogatepass") for text in texts]
        content, lengths = b"".join(coded), np.fromiter(map(len, coded), np.int64, len(coded))
    return text_hashes(content, _starts(lengths), lengths)


def _starts(lengths: Ints) -> Ints:
    return starts_of(lengths)[:-1]


def _slice(ids: IdColumn, part: slice) -> IdColumn:
    return replace(ids, texts=ids.texts[part]) if isinstance(ids, ByteIds) else ids[part]
