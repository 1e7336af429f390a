"""A pandas Series in, whether it holds documents or a number for each document in its index out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgold.data.columns import ALIASES, normal_name
from rankgold.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

_INTEGERS = ("int", "uint")
_NUMBERS = (*_INTEGERS, "float")


def is_series(documents: object) -> bool:
    return hasattr(documents, "to_dict") and hasattr(getattr(documents, "index", None), "dtype")


def has_numbers(series: pd.Series, query: object, what: str) -> bool:
    """Whether it holds a number for each document in its index, rather than documents.

    An index of integers may hold documents, or may only count the rows of the frame that the documents come from.
    """
    index = series.index
    if not _is(index, _INTEGERS) or index.name is not None:
        return True
    counts_rows = type(index).__name__ == "RangeIndex" or normal_name(str(series.name)) in ALIASES["document"]
    if counts_rows or not _is(series, _NUMBERS):
        return False
    raise DataError(
        f"query {query!r} has a Series that may hold documents, or a number for each document in its index. Pass"
        " series.to_list() for the one, series.to_dict() for the other.",
        what,
    )


def _is(column: pd.Series | pd.Index, kinds: tuple[str, ...]) -> bool:
    return str(column.dtype).lower().startswith(kinds)
