"""A derivation and the number of a query or user in, the terms of its value out, each with what it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from rankgold.derivation import Derivation
from rankgold.explanation.derived_value import DerivedTerm
from rankgold.kernels.segments import Ints
from rankgold.listed_items import ListedItems
from rankgold.ranked_pairs import RankedLists, RankedPairs

_ABSENT = "–"

Heading = tuple[str, str]
"""The name of a column, and its alignment: `l` or `r`."""
TextColumns = list[tuple[Heading, Callable[[int], str]]]
"""The columns, and the function from a row to its text."""


@dataclass(frozen=True, slots=True)
class TermTable:
    """The terms of a value, with columns that show their sources."""

    columns: tuple[Heading, ...]
    terms: tuple[DerivedTerm, ...]

    @classmethod
    def of(cls, derivation: Derivation, number: int, sources: Callable[[Mapping[str, Any]], TextColumns]) -> TermTable:
        """The terms of one value. `sources` turns the source of each term into columns."""
        head: tuple[Heading, ...] = ()
        terms: list[DerivedTerm] = []
        running_sum = 0.0
        for part in derivation.parts():
            columns = sources(part.of())
            head = tuple(column for column, _ in columns)
            for row in np.flatnonzero(part.part_of == number).tolist():
                running_sum += float(part.term[row])
                texts = tuple(text(row) for _, text in columns)
                numbers = tuple(part.working.numbers(row))
                terms.append(DerivedTerm(texts, part.working.pattern, numbers, float(part.term[row]), running_sum))
        return cls(head, tuple(terms))


@dataclass(frozen=True, slots=True)
class PairColumns:
    """Columns for terms of a pair of lists: documents with their ranks, or depths with their documents."""

    pairs: RankedPairs
    ids: tuple[list[Any], list[Any]]
    names: tuple[str, str]
    """The names of the two runs."""
    has_order: bool
    """True if the policy gives tied documents different ranks; otherwise they share them."""

    def __call__(self, of: Mapping[str, Ints]) -> TextColumns:
        first_ids, second_ids = self.ids
        if "depth" in of:
            depth = of["depth"]
            lists = zip(self.names, self.ids, strict=True)
            return [
                (("depth", "r"), lambda row: str(depth[row])),
                *(((name, "l"), partial(_document_at, ids, depth)) for name, ids in lists),
            ]
        at, partner = of["first"], of["second"]
        columns: TextColumns = [
            (("document", "l"), lambda row: str(first_ids[at[row]] if at[row] >= 0 else second_ids[partner[row]])),
            ((f"rank in {self.names[0]}", "r"), lambda row: self._rank(self.pairs.first, at[row])),
            ((f"rank in {self.names[1]}", "r"), lambda row: self._rank(self.pairs.second, partner[row])),
        ]
        if "reference" in of:
            columns.append((("reference", "l"), lambda row: self.names[of["reference"][row]]))
        return columns

    def _rank(self, lists: RankedLists, at: int) -> str:
        """The rank of a document; for unordered ties, the ranks that they share."""
        if at < 0:
            return _ABSENT
        first, last = lists.tie_start[at], lists.tie_end[at]
        return str(at + 1) if self.has_order or first == last else f"{first}-{last}"


def _document_at(ids: list[Any], depth: Ints, row: int) -> str:
    """The document of a list at the depth of a row."""
    return str(ids[depth[row] - 1]) if depth[row] <= len(ids) else _ABSENT


@dataclass(frozen=True, slots=True)
class ListColumns:
    """Columns for terms of users' lists: items, categories, groups or other users."""

    lists: ListedItems
    names: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        catalogue = self.lists.catalogue
        categories = None if catalogue.categories is None else catalogue.categories.names
        names = {"user": self.lists.users, "group": catalogue.groups, "category": categories}
        object.__setattr__(self, "names", {**names, "item": catalogue.ids, "other item": catalogue.ids})

    def __call__(self, of: Mapping[str, Ints]) -> TextColumns:
        return [((role, "r" if role == "rank" else "l"), partial(self._text, role, of[role])) for role in of]

    def _text(self, role: str, numbers: Ints, row: int) -> str:
        """The source of a term: a rank as a number, anything else by name."""
        number = int(numbers[row])
        return str(number if role == "rank" else self.names[role][number])
