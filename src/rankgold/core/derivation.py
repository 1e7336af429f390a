"""Holds the terms, the norm and the working of a measure's values, for all three families; decides the cases that
formulas leave open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgold.core.errors import MeasureError
from rankgold.core.notes import Notes
from rankgold.core.policy import Policy
from rankgold.core.segments import Bools, Floats, Ints, sums

if TYPE_CHECKING:
    from typing import Self

    from rankgold.core.hits import Ranking
    from rankgold.core.item_lists import ListedItems
    from rankgold.measures.metric import Measure


_ROUNDING = 1e-9
_UNBOUNDED = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True, eq=False)
class Working:
    """How to write out a term: a pattern such as `{}/{}`, and an array of numbers for each gap."""

    pattern: str
    parts: tuple[Any, ...]

    def __init__(self, pattern: str, *parts: object) -> None:
        object.__setattr__(self, "pattern", pattern)
        object.__setattr__(self, "parts", parts)

    def numbers(self, i: int) -> list[float]:
        """The numbers behind term i."""
        return [float(part if np.ndim(part) == 0 else part[i]) for part in self.parts]


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Some of the terms of a measure, in the order of addition."""

    term: Floats | Ints
    part_of: Ints
    """The number of the query or user that each term belongs to."""
    working: Working
    """How each term is written out."""
    of: Callable[[], Mapping[str, Any]] = dict
    """The source of each term by number, such as item or depth: only explanations use it."""
    ranking: Ranking | None = None
    """The judged document that each term comes from, in a measure of rankings."""
    subtopic: Ints | None = None
    """The number of the subtopic that each term belongs to, in a measure of diversity."""

    @property
    def weighted(self) -> Floats | Ints:
        """Each term's part of the sum: with averaged ties, the term times the chance of its rank."""
        chance = None if self.ranking is None else self.ranking.chance
        return self.term if chance is None else self.term * chance


@dataclass(frozen=True, slots=True, eq=False)
class Derivation:
    """A measure's value for each query or user: the sum of its terms (plus a rest, if any), divided by a norm."""

    n_values: int
    parts: Callable[[], Iterable[Terms]]
    """The terms, all at once or, if there are very many, in batches."""
    norm: Floats | Ints | float | None
    """None if it is the number of terms."""
    norm_is: str
    """What the norm is, in words."""
    rest: Floats | None = None
    """What is added to the sum besides the terms, such as what documents that were not retrieved count."""
    rest_is: str = ""
    ideal: Derivation | None = None
    """The derivation of the ideal ranking, if the norm is its sum."""
    bounds: tuple[float, float] = _UNBOUNDED
    """The limits of a value, which only rounding can take it over."""
    n_users: int | None = None
    """The number of users, if there is one value of all lists together."""
    left_out: Bools | None = None
    """The users without a value of their own: those not drawn for a sample; all, if one value is that of all lists."""
    remarks: tuple[str, ...] = ()
    """Remarks for readers of the values, such as that users were sampled."""

    @classmethod
    def of_hits(
        cls,
        found: Ranking,
        term: Floats,
        working: Working,
        norm: Floats | Ints | float | None,
        norm_is: str,
        rest: Floats | None = None,
        rest_is: str = "",
        *,
        ideal: Derivation | None = None,
        subtopic: Ints | None = None,
    ) -> Derivation:
        """A value for each query, with a term for each of these documents."""
        terms = Terms(term, found.query, working, dict, found, subtopic)
        return cls(found.n_queries, lambda: (terms,), norm, norm_is, rest, rest_is, ideal)

    @classmethod
    def count(
        cls, found: Ranking, norm: Floats | float, norm_is: str, rest: Floats | None = None, rest_is: str = ""
    ) -> Derivation:
        """A value for each query, with a term of 1 for each of these documents."""
        return cls.of_hits(found, np.ones(len(found)), Working("1"), norm, norm_is, rest, rest_is)

    @classmethod
    def of_terms(
        cls,
        n_values: int,
        terms: Terms,
        norm: Floats | Ints | float | None,
        norm_is: str,
        rest: Floats | None = None,
        rest_is: str = "",
    ) -> Derivation:
        """A value for each of `n_values` queries or users, from terms of any kind."""
        return cls(n_values, lambda: (terms,), norm, norm_is, rest, rest_is)

    @classmethod
    def of_items(
        cls,
        lists: ListedItems,
        term: Floats | Ints | Bools,
        working: Working,
        norm: Floats | Ints | float,
        norm_is: str,
    ) -> Derivation:
        """A value for each user, with a term for each item of the list."""
        terms = Terms(term.astype(np.float64), lists.user, working, lambda: {"rank": lists.rank, "item": lists.item})
        return cls.of_terms(len(lists), terms, norm, norm_is)

    @classmethod
    def mean(cls, lists: ListedItems, term: Floats | Ints | Bools, working: Working | None = None) -> Derivation:
        """A value for each user: the mean of the terms of the items of the list."""
        return cls.of_items(lists, term, working or Working("{}", term), lists.sizes, "the items of the list")

    @classmethod
    def of_all(
        cls, lists: ListedItems, term: Floats, of: Mapping[str, Any], working: Working, norm: float, norm_is: str
    ) -> Derivation:
        """One value for all lists together, and none for single users."""
        terms = Terms(term, np.zeros(len(term), dtype=np.int64), working, lambda: of)
        left_out = np.ones(len(lists), dtype=bool)
        return cls(1, lambda: (terms,), norm, norm_is, n_users=len(lists), left_out=left_out)

    @classmethod
    def none(cls, lists: ListedItems, reason: str) -> Derivation:
        """No value for all lists; explanations show the reason beside the norm 0."""
        return cls.of_all(lists, np.empty(0), {}, Working(""), 0.0, reason)

    @property
    def terms(self) -> Terms:
        """The terms of a measure that has all of them at once, as measures of rankings do."""
        (terms,) = self.parts()
        return terms

    @property
    def ranking(self) -> Ranking:
        """The judged documents behind the terms of a measure of rankings."""
        ranking = self.terms.ranking
        assert ranking is not None
        return ranking

    @property
    def sums(self) -> Floats:
        """The sum of each value, its terms added from the top down.

        The sum of a value of all lists is exact, and does not depend on an order.
        """
        return self.sums_and_norms[0]

    @property
    def norms(self) -> Floats:
        """The norm of each value."""
        norm = self.sums_and_norms[1] if self.norm is None else self.norm
        return np.broadcast_to(np.asarray(norm, dtype=np.float64), self.n_values)

    @property
    def sums_and_norms(self) -> tuple[Floats, Floats | Ints | float]:
        """The sum and the norm of each value; one norm if it is the same for all."""
        total: Floats | None = None
        count = np.zeros(self.n_values) if self.norm is None else None
        for terms in self.parts():
            if self.n_users is None:
                part = sums(terms.weighted, terms.part_of, self.n_values)
            else:
                part = np.array([math.fsum(terms.term.tolist())])
            total = part if total is None else total + part
            if count is not None:
                count += np.bincount(terms.part_of, minlength=self.n_values)
            if terms.ranking is not None and np.isinf(part).any():
                raise MeasureError(
                    "the terms of a query add up to more than a number can hold, 1.79e308."
                    " Divide all grades by a constant."
                )
        if total is None:
            total = np.zeros(self.n_values)
        norm: Any = self.norm if count is None else count
        return total if self.rest is None else total + self.rest, norm

    @property
    def values(self) -> Floats:
        """The value of each query or user; NaN for 0/0, and where there is only one value for all lists."""
        if self.n_users is not None:
            return np.full(self.n_users, np.nan)
        total, norm = self.sums_and_norms
        with np.errstate(divide="ignore", invalid="ignore"):
            values: Floats = total / norm
        # The terms of averaged ties may add up to 1e-16 instead of 0.
        values[(norm == 0) & (np.abs(total) < _ROUNDING)] = np.nan
        return values if self.bounds is _UNBOUNDED else np.clip(values, *self.bounds)

    @property
    def together(self) -> float | None:
        """The value of all lists together; None if it is the mean of the users."""
        return None if self.n_users is None else float(ratio(self.sums, self.norms)[0])


class Column(NamedTuple):
    """A column that says what terms come from."""

    name: str
    side: str
    """How it is aligned: `l` or `r`."""
    cell: Callable[[int], Any]
    """From the number of a term to what it comes from."""


class Matched:
    """What measures are computed of: the judged rankings of a run, its pairs with another run, or its lists of items.

    Where nothing is judged, 0/0 is the only case that is left to the policy.
    """

    __slots__ = ()

    unit, where = "query", "in the judgements"
    """How messages call a query, and where its name is looked up."""
    queries: Sequence[Any]
    name: str
    """The name of the run."""
    policy: Policy
    notes: Notes

    def __len__(self) -> int:
        return len(self.queries)

    def batches(self) -> Iterator[Self]:
        """The same, a few queries at a time where their values do not depend on other queries."""
        yield self

    def for_query(self, number: int) -> tuple[Self, int]:
        """What the value of a query depends on, and the number of the query there."""
        return self, number

    def derived(self, measure: Measure) -> Derivation:
        """The values of a measure with their terms."""
        derived: Derivation = measure.formula(self)
        return derived

    @property
    def kept(self) -> Bools:
        """The queries that the policy does not leave out."""
        return np.ones(len(self), dtype=bool)

    def cases(self, measure: Measure, derived: Derivation) -> tuple[Bools, Bools]:
        """The queries without a ranking, and those without a document that is relevant to the measure."""
        nowhere = np.zeros(len(self), dtype=bool)
        return nowhere, nowhere

    @property
    def subtopic_facts(self) -> tuple[bool, bool]:
        """Whether the judgements have subtopics, and whether documents share several."""
        return False, False

    @property
    def _in_run(self) -> str:
        return "" if self.name == "run" else f" in {self.name}"

    def subject(self, number: int) -> str:
        """What the value of a query is of, in words."""
        return f"query {self.queries[number]}{self._in_run}"

    def columns(self, terms: Terms, measure: Measure) -> list[Column]:
        """What terms come from, for explanations."""
        raise NotImplementedError


def ratio(part: Floats, whole: Floats | Ints | float) -> Floats:
    """part / whole; NaN where whole is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        quotient: Floats = part / whole
    quotient[whole == 0] = np.nan
    return quotient


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A measure's values, with every open case decided by the policy."""

    values: Floats
    undefined: Bools
    """The queries where the formula gives 0/0 and no other case of the policy applies."""
    unranked: Bools
    without_relevant: Bools
    together: float | None = None
    """The value of all lists together, of a measure that has one."""
    remarks: tuple[str, ...] = ()

    @classmethod
    def join(cls, parts: list[Outcome]) -> Outcome:
        """The outcomes of several batches as one. What has a value of all lists comes in one batch."""
        if len(parts) == 1:
            return parts[0]
        names = ("values", "undefined", "unranked", "without_relevant")
        values, undefined, unranked, nothing = (
            np.concatenate([getattr(part, name) for part in parts]) for name in names
        )
        return cls(values, undefined, unranked, nothing)


def decide(measure: Measure, matched: Matched, derived: Derivation) -> Outcome:
    """The values of a measure with the open cases decided by the policy.

    A 0 given by the policy is meant as the worst value. For a measure where lower is better it would be the best, so
    such a measure keeps its own value of an empty ranking: k + 1 for frp@k, else undefined.
    """
    policy = matched.policy
    values = derived.values
    unranked, nothing = matched.cases(measure, derived)
    if measure.higher_is_better and not measure.metric.defines_empty:
        values[unranked] = 0.0
    if measure.higher_is_better or policy.no_relevant != "zero":
        values[nothing] = {"zero": 0.0, "one": 1.0, "undefined": np.nan, "skip": np.nan}[policy.no_relevant]
    undefined = np.isnan(values)
    if policy.no_relevant == "skip":
        undefined &= ~nothing
    if derived.left_out is not None:
        undefined &= ~derived.left_out
    if policy.undefined == "zero":
        values[undefined] = 0.0
    return Outcome(values, undefined, unranked, nothing, derived.together, derived.remarks)
