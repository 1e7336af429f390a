"""Holds the lists of all users, and what is known of each item."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.derivation import Column, Derivation, Matched, Terms
from rankgold.core.errors import DataError
from rankgold.core.hits import Ids
from rankgold.core.notes import Notes
from rankgold.core.policy import DEFAULT, Policy
from rankgold.core.segments import Bools, Floats, Ints, positions, ranges, starts_of, sums

if TYPE_CHECKING:
    from rankgold.measures.metric import Measure


_ITEMS = "items=, the catalogue (--items FILE at the shell)"
_TRAIN = "train=, what users had before (--train FILE at the shell)"


class MissingFactError(Exception):
    """Raised where a measure needs something that the user did not pass. The text says what."""


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """What is known of every item. An item is a number, the same in all arrays."""

    n_items: int
    """The number of all items: those of the catalogue, and others that were recommended or had."""
    listed: Bools | None = None
    """Whether each item is in the catalogue; None if there is no catalogue."""
    categories: Sets | None = None
    vectors: Floats | None = None
    """A row of numbers for each item; NaN where they are not known."""
    group: Ints | None = None
    """The group of each item; -1 for an item without one."""
    groups: tuple[str, ...] = ()
    """The names of the groups."""
    ids: Ids | None = None
    """The ids of the items, which only explanations read."""


@dataclass(frozen=True, slots=True, eq=False)
class Sets:
    """A set of categories for each item: those of item i are `members[starts[i]:starts[i + 1]]`, ascending."""

    starts: Ints
    members: Ints
    n_members: int
    names: Ids | None = None
    """The names of the categories, which only explanations read."""

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

    def of(self, item: Ints) -> tuple[Ints, Ints]:
        """The categories of these items, one item after the other, and the position of each one's item."""
        lengths = self.sizes[item]
        return self.members[ranges(self.starts[item], lengths)], np.repeat(np.arange(len(item)), lengths)

    def vectors(self, item: Ints) -> Floats:
        """A row for each of these items: 1 for its categories, 0 for all others; NaN for an item without categories."""
        matrix = np.zeros((len(item), self.n_members))
        members, row = self.of(item)
        matrix[row, members] = 1.0
        matrix[self.sizes[item] == 0] = np.nan
        return matrix


@dataclass(frozen=True, slots=True, eq=False)
class TrainingCounts:
    """What users had before: how many users had each item. A user and an item count once."""

    counts: Ints
    n_users: int
    is_known: Bools
    """Whether each user with a list is among these users."""

    @property
    def n_pairs(self) -> int:
        return int(self.counts.sum())

    def head(self, share: float) -> Bools:
        """The items of the short head: the most popular ones that together have this share of all interactions.

        Items that are as popular as the last one of them are in it too, so that their order does not matter.
        In miniature: counts 5 3 1 1 and a share of 0.8 give the first two, since 5 + 3 is 8 of 10.
        """
        falling = np.sort(self.counts)[::-1]
        reached = np.searchsorted(np.cumsum(falling), share * self.n_pairs - 1e-9)
        lowest = falling[min(int(reached), len(falling) - 1)] if len(falling) else 0
        is_head: Bools = self.counts >= max(int(lowest), 1)
        return is_head


@dataclass(frozen=True, slots=True, eq=False)
class ListedItems(Matched):
    """The items that each user is shown, from the first rank down: those of user i are `starts[i]:starts[i + 1]`."""

    unit, where = "user", "in the run"
    queries: Sequence[Any]
    """The users."""
    starts: Ints
    item: Ints
    catalogue: Catalogue
    training: TrainingCounts | None = None
    grade: Floats | None = None
    """How each item was judged for its user; NaN if it was not. None if there are no judgements."""
    name: str = "run"
    policy: Policy = DEFAULT
    notes: ListNotes = field(default_factory=lambda: ListNotes())

    def derived(self, measure: Measure) -> Derivation:
        """The values of a measure. If it needs a catalogue and there is none, that is the items of the training set."""
        try:
            return Matched.derived(self, measure)
        except MissingFactError:
            of_train = self.with_catalogue_of_train()
            try:
                derived = Matched.derived(of_train, measure)
            except MissingFactError as missing:
                raise DataError(f"{measure} needs {missing}.") from None
            items = f"{int(of_train.in_catalogue.sum()):,} items"
            remark = f"the catalogue is the {items} of train. Pass items= for another one"
            return replace(derived, remarks=(*derived.remarks, remark))

    @property
    def all_lists(self) -> str:
        """What a value of all lists is of, in words."""
        return f"all lists{self._in_run}"

    def subject(self, number: int) -> str:
        return f"user {self.queries[number]}{self._in_run}"

    def columns(self, terms: Terms, measure: Measure) -> list[Column]:
        """Ranks and items, categories, groups or other users."""
        catalogue, sets = self.catalogue, self.catalogue.categories
        names: dict[str, Any] = {"user": self.queries, "group": catalogue.groups, "item": catalogue.ids}
        names |= {"other item": catalogue.ids, "category": None if sets is None else sets.names}

        def text(role: str, numbers: Ints, i: int) -> str:
            number = int(numbers[i])
            return str(number if role == "rank" else names[role][number])

        of = terms.of()
        return [Column(role, "r" if role == "rank" else "l", partial(text, role, of[role])) for role in of]

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

    @property
    def user(self) -> Ints:
        """The position of each row's user."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @property
    def rank(self) -> Ints:
        return positions(self.starts) + 1

    def top(self, k: int | None) -> ListedItems:
        """The first k items of each list."""
        if k is None or not len(self.item) or k >= self.sizes.max():
            return self
        kept = self.rank <= k
        grade = None if self.grade is None else self.grade[kept]
        return replace(self, starts=starts_of(np.minimum(self.sizes, k)), item=self.item[kept], grade=grade)

    def sums(self, values: Floats | Ints | Bools) -> Floats:
        """The sum of the values of the rows of each user."""
        return sums(values.astype(np.float64), self.user, len(self))

    def totals(self, weights: Floats | None = None) -> Floats:
        """How many lists contain each item, or the sum of the weights of its rows."""
        return np.bincount(self.item, weights, self.catalogue.n_items).astype(np.float64)

    def with_catalogue_of_train(self) -> ListedItems:
        """The same lists; without a catalogue, the items of the training set serve as one."""
        if self.catalogue.listed is not None or self.training is None:
            return self
        return replace(self, catalogue=replace(self.catalogue, listed=self.training.counts > 0))

    @property
    def in_catalogue(self) -> Bools:
        if self.catalogue.listed is None:
            raise MissingFactError(f"{_ITEMS}, or train=, whose items it then is")
        return self.catalogue.listed

    @property
    def had(self) -> TrainingCounts:
        """What users had before, for a measure of popularity."""
        if self.training is None:
            raise MissingFactError(f"{_TRAIN}, by which items are popular")
        return self.training

    @property
    def users_before(self) -> TrainingCounts:
        """What users had before, for measures that count users. Its error names what they need."""
        if self.training is None:
            raise MissingFactError(f"{_TRAIN}, which names all users")
        return self.training

    @property
    def judged(self) -> Floats:
        if self.grade is None:
            raise MissingFactError("qrels=, what was relevant to users (--qrels FILE at the shell)")
        return self.grade

    @property
    def categories(self) -> Sets:
        if self.catalogue.categories is None:
            raise MissingFactError("categories of the items: a column of text or lists in items=, such as genres")
        return self.catalogue.categories

    def vectors(self, item: Ints) -> Floats:
        """The numbers of these items; without any, their categories as zeros and ones."""
        if self.catalogue.vectors is not None:
            return self.catalogue.vectors[item]
        if self.catalogue.categories is not None:
            return self.catalogue.categories.vectors(item)
        raise MissingFactError("features of the items: columns of numbers, embeddings or categories in items=")

    @property
    def group(self) -> Ints:
        if self.catalogue.group is None:
            raise MissingFactError("groups of the items: a column in items= called group, or columns={'group': NAME}")
        return self.catalogue.group


@dataclass(frozen=True, slots=True, eq=False)
class ListNotes(Notes):
    """Notes on the lists. The fields on judgements stay empty."""

    recommended: int = 0
    """The number of different items in the lists."""
    items: int = 0
    """The number of items in the catalogue."""
    outside: int = 0
    """The number of recommended items that are not in the catalogue."""
    cold: int = 0
    """The number of recommended items that nobody had before."""
    empty_lists: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {
            "users": self.queries,
            "retrieved": self.retrieved,
            "excluded": self.excluded,
            "recommended": self.recommended,
            "items": self.items,
            "outside": self.outside,
            "cold": self.cold,
            "empty_lists": self.empty_lists,
            "undefined": dict(self.undefined),
            "remarks": list(self.remarks),
        }


def gini_weights(amounts: Floats) -> tuple[Ints, Ints]:
    """The amounts above 0, from the lowest, by position; and the weight of each in the Gini coefficient.

    With amounts x1 <= x2 <= ... <= xn the coefficient is  sum of (2 i - n - 1) xi / (n * sum of xi): 0 if all amounts
    are the same, near 1 if one holds all. In miniature: 0, 1, 3 give (-2 * 0 + 0 * 1 + 2 * 3) / (3 * 4) = 1/2.
    """
    rising = np.argsort(amounts, kind="stable")
    weight = 2 * np.arange(1, len(amounts) + 1) - len(amounts) - 1
    first = int(np.searchsorted(amounts[rising], 0, side="right"))
    return rising[first:], weight[first:]


def shares(amounts: Floats) -> tuple[Ints, Floats]:
    """The amounts above 0, by position, and the share that each has of all."""
    at = np.flatnonzero(amounts > 0)
    return at, amounts[at] / math.fsum(amounts)


def surprisal(share: Floats) -> Floats:
    """The contribution of each share to the Shannon entropy, in bits."""
    bits: Floats = 0.0 - share * np.log2(share)
    return bits
