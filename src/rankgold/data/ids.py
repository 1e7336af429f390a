"""Converts ids of any type to integers or text.

The rule, for all forms of data and all engines: **two ids are the same if they are the same as text.** 7 and "7" are
the same id, "07" is another one. An id is an integer or text. The ids of queries in one collection are all integers or
all text, and so are those of documents. If both occur, all become text. So columns of integers are compared as
integers, which is faster, and the result is the same.

- A float that is a whole number is an integer: 7.0 is 7.
- Bytes are text in UTF-8. A time with a time zone is its text in UTC. Any other object is its text: `str(id)`.
- None, NaN, booleans, all other floats, and objects that cannot be keys of a dict are not ids. Nor is a float of
  2 ** 63 or more, which may not be exact.

A column is a Series of Polars, or bytes in NumPy. Matching uses only the methods that both have. So small files are
matched without loading Polars.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rankgold.core.errors import DataError
from rankgold.core.segments import Bools, Ints
from rankgold.data.polars_guard import check_polars

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray


if TYPE_CHECKING:
    Keys = NDArray[np.uint64]
    Texts = NDArray[np.bytes_]

IdColumn: TypeAlias = "pl.Series | ByteIds"
"""A column of ids, all text or all integers. Only columns of the same type are compared."""

PLAIN = frozenset((int, str))
"""The types of ids that need no conversion."""

_MIX = np.uint64(0xBF58476D1CE4E5B9)


@dataclass(frozen=True, slots=True, eq=False)
class ByteIds:
    """Ids as UTF-8 bytes, all of the same width with zeros at the end. The methods are those of a Series of text."""

    texts: Texts

    def gather(self, rows: Ints) -> ByteIds:
        return ByteIds(self.texts[rows])

    def cast(self, _: type[str]) -> ByteIds:
        return self

    def hash(self) -> Keys:
        """Words of 8 bytes a, b, c give ((c * m + b) * m + a) * m, whose upper half is then mixed into the lower half.

        Words of zeros at the end change nothing: the hash does not depend on the width of the column.
        """
        keys = np.zeros(len(self), dtype=np.uint64)
        for word in self.texts.view(np.uint64).reshape(len(self), self.texts.itemsize // 8).T[::-1]:
            keys = (keys + word) * _MIX
        keys = (keys ^ (keys >> np.uint64(32))) * _MIX
        return keys ^ (keys >> np.uint64(32))

    def gt(self, other: Any) -> Bools:
        """Whether each id comes after the other one. The order of bytes is the order of code points."""
        return np.asarray(self.texts > other.texts)

    def to_list(self) -> list[str]:
        return [text.decode() for text in self.texts.tolist()]

    def __getitem__(self, row: int) -> str:
        return str(self.texts[row], "utf-8")

    def __len__(self) -> int:
        return len(self.texts)


def equal_ids(ids: IdColumn, others: IdColumn) -> Bools:
    """Whether each id equals the other one, in columns of the same type. A null equals nothing."""
    if isinstance(ids, ByteIds) and isinstance(others, ByteIds):
        return np.asarray(ids.texts == others.texts)
    same: Bools = to_polars(ids).eq(to_polars(others)).fill_null(False).to_numpy()
    return same


def is_text(ids: IdColumn) -> bool:
    return isinstance(ids, ByteIds) or not ids.dtype.is_integer()


def differ_in_type(ids: Iterable[IdColumn], others: Iterable[IdColumn]) -> bool:
    """Whether a column has integers where the other one at its place has text."""
    return any(is_text(own) != is_text(other) for own, other in zip(ids, others, strict=True))


def order_as_text(ids: IdColumn, group: Ints, *, descending: bool) -> Ints:
    """The order that sorts the ids by group, and the ids of a group as text, by code points."""
    if isinstance(ids, ByteIds):
        place = np.unique(ids.texts, return_inverse=True)[1]
        return np.lexsort((-place if descending else place, group))
    from polars import DataFrame

    check_polars()
    rows = DataFrame({"group": group, "id": ids.cast(str), "row": np.arange(len(ids))})
    return rows.sort("group", "id", descending=[False, descending])["row"].to_numpy()


def copied_ids(ids: IdColumn) -> IdColumn:
    """A copy of integers, since the user may change their array later; text as it is."""
    if is_text(ids):
        return ids
    from polars import Series

    return Series(to_polars(ids).to_numpy(writable=True))


def to_polars(ids: IdColumn) -> pl.Series:
    if not isinstance(ids, ByteIds):
        return ids
    from polars import Series, String

    return Series(ids.to_list(), dtype=String)


def as_text(ids: IdColumn) -> pl.Series:
    return to_polars(ids).cast(str)


def of_one_type(columns: Sequence[pl.Series]) -> list[pl.Series]:
    """Columns of integers, or of text if some are text. An empty column has no type of its own."""
    from polars import String

    types = {column.dtype for column in columns if len(column)}
    wanted = types.pop() if len(types) == 1 else String()
    return [column if column.dtype == wanted else column.cast(wanted) for column in columns]


def positions_among(ids: pl.Series, known: pl.Series) -> Ints:
    """The position of each id among the known ones, which are of the same type; -1 for an id that is not known."""
    from polars import DataFrame

    numbered = DataFrame({"id": known, "position": np.arange(len(known))})
    found = ids.to_frame("id").join(numbered, on="id", how="left", maintain_order="left")["position"]
    return found.fill_null(-1).to_numpy()


def plain_ids(ids: Iterable[Any], what: str = "an id") -> list[Any]:
    """The ids as all integers or all text; None stays None. `what` is for errors, such as "a document of query 'q1'".

    >>> plain_ids([7, 8.0]), plain_ids([7, b"a", None, "07"])
    ([7, 8], ['7', 'a', None, '07'])
    """
    plain = [id_ if type(id_) in PLAIN or id_ is None else _plain_id(id_, what) for id_ in ids]
    types = set(map(type, plain))
    return [None if id_ is None else str(id_) for id_ in plain] if types >= PLAIN else plain


def _plain_id(id_: object, what: str) -> int | str:
    if isinstance(id_, (bool, np.bool_)) or not isinstance(id_, Hashable) or not is_known(id_):
        raise DataError(f"{what} is {id_!r}. Ids must be integers or text.")
    if isinstance(id_, (int, np.integer)):
        return int(id_)
    if isinstance(id_, (float, np.floating)):
        if not float(id_).is_integer() or abs(float(id_)) >= 2.0**63:
            raise DataError(f"{what} is the float {id_!r}. Ids must be integers or text.")
        return int(id_)
    if isinstance(id_, bytes):
        try:
            return id_.decode("utf-8")
        except UnicodeDecodeError:
            raise DataError(f"{what} is {id_!r}, which is not UTF-8 text. Ids must be integers or text.") from None
    if isinstance(id_, (datetime, time)):
        return _text_of_time(id_)
    # If a class defines no text, the text of its objects is their address.
    is_address = type(id_).__str__ is object.__str__ and type(id_).__repr__ is object.__repr__
    if is_address or isinstance(id_, (complex, np.complexfloating)):
        raise DataError(f"{what} is of type {type(id_).__name__}. Ids must be integers or text.")
    return str(id_)


def _text_of_time(id_: datetime | time) -> str:
    """Without zeros at the end of the seconds; a date with a time zone in UTC: as columns of a frame are read."""
    if isinstance(id_, datetime) and id_.tzinfo is not None:
        return _text_of_time(id_.astimezone(UTC).replace(tzinfo=None)) + "+00:00"
    text = str(id_)
    return text.rstrip("0").rstrip(".") if "." in text else text


def is_known(value: object) -> bool:
    """Whether this is not NaN, and not another mark of a missing value."""
    try:
        return bool(value == value)
    except TypeError:  # pandas' NA
        return False


def id_series(ids: Sequence[Any], what: str = "an id") -> pl.Series:
    """The ids as a column: integers if all of them are integers of 64 bits, else text. None is a null."""
    import polars as pl

    plain = plain_ids(ids, what)
    is_integer = next((type(id_) is int for id_ in plain if id_ is not None), False)
    try:
        if is_integer:
            return pl.Series(plain, dtype=pl.Int64)
    except (OverflowError, TypeError, pl.exceptions.PolarsError):  # integers of more than 64 bits
        plain = [None if id_ is None else str(id_) for id_ in plain]
    try:
        return pl.Series(plain, dtype=pl.String)
    except UnicodeEncodeError as error:
        raise DataError(f"{what} is {error.object!r}, which is not text: half of a UTF-16 character.") from None
