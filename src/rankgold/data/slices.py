"""Holds what the user passes as `by`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankgold.core.errors import DataError, brief, listing, nearest
from rankgold.data.formats.registry import FORMATS
from rankgold.data.inputs import stem_and_ending

CROSSING = "*"
"""Between attributes that are crossed: language*device has a slice for each language on each device."""

BINS = 4

_FORM = (
    "by must be a table with a column of queries (a path, a frame, or a dict from query to value), or the names of"
    " columns of the run or the judgements"
)
_ENDINGS = {ending for format_ in FORMATS for ending in format_.endings}


@dataclass(frozen=True, slots=True, eq=False)
class Slices:
    """The slices of queries, such as those of one language: which table has the attributes, and which of them count.

    `table` has a column of queries and attributes: a path, a frame, or a dict from query to value or to a dict of
    values. Without a table, the attributes are columns of the run or of the judgements. Each attribute is taken by
    itself: `attributes` selects some of them, and `"language*device"` crosses two. A numeric attribute with more than
    `bins` values is cut at its quantiles into that number of bins, with about as many queries in each.

    >>> qrels = {"q1": {"d": 1}, "q2": {"d": 1}, "q3": {"d": 1}}
    >>> run = {"q1": {"d": 1}, "q2": {"e": 2, "d": 1}, "q3": {"e": 2, "d": 1}}
    >>> by = Slices({"q1": {"language": "de"}, "q2": {"language": "de"}, "q3": {"language": "en"}})
    >>> import rankgold
    >>> rankgold.evaluate(qrels, run, ["rr"], by=by).slices.frame["slice", "mean"].rows()
    [('de', 0.75), ('en', 0.5)]
    """

    table: Any = None
    attributes: Sequence[str] = ()
    bins: int = BINS

    def __post_init__(self) -> None:
        given = self.attributes
        names = [given] if isinstance(given, str) else given
        if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) and name for name in names):
            raise DataError(f"attributes must be a list of names, not {brief(given)}.")
        object.__setattr__(self, "attributes", tuple(dict.fromkeys(names)))
        if isinstance(self.bins, bool) or not hasattr(self.bins, "__index__") or self.bins < 1:
            raise DataError(f"bins must be a whole number from 1, not {brief(self.bins)}.")
        if self.table is None and not self.attributes:
            raise DataError(f"there is neither a table nor an attribute. {_FORM}.")

    @classmethod
    def of(cls, by: object) -> Slices | None:
        """The slices that the user asked for, or None."""
        if by is None or isinstance(by, Slices):
            return by
        if isinstance(by, str):
            return cls(by) if _is_file_name(by) else cls(None, (by,))
        if isinstance(by, (list, tuple)) and (not by or isinstance(by[0], str)):
            return cls(None, by)
        is_frame = hasattr(type(by), "columns") or hasattr(type(by), "schema")
        if not (is_frame or isinstance(by, (Mapping, os.PathLike, list))):
            hint = " If its index has the queries, pass its to_dict()." if hasattr(by, "to_dict") else ""
            raise DataError(f"{_FORM}, not {type(by).__name__}.{hint}")
        return cls(by)

    def crossed(self, known: Sequence[str], label: str) -> list[tuple[str, ...]]:
        """The columns of each attribute that was selected: several where they are crossed."""
        return [self._columns(name, known, label) for name in self.attributes] or [(name,) for name in known]

    def _columns(self, attribute: str, known: Sequence[str], label: str) -> tuple[str, ...]:
        if attribute in known:
            return (attribute,)
        columns = tuple(name.strip() for name in attribute.split(CROSSING))
        for name in columns:
            if name not in known:
                there_are = listing(map(repr, known), 20)
                raise DataError(
                    f"there is no attribute {name!r}.{nearest(name, known)} Attributes: {there_are}.", label
                )
        return tuple(dict.fromkeys(columns))

    def base_names(self) -> list[str]:
        """The columns behind the attributes, if there is no table."""
        return list(dict.fromkeys(part.strip() for name in self.attributes for part in name.split(CROSSING)))


def _is_file_name(text: str) -> bool:
    """Whether a text is meant as a path, even if there is no such file."""
    return os.path.exists(text) or text == "-" or "/" in text or os.sep in text or stem_and_ending(text)[1] in _ENDINGS
