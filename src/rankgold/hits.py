"""What measures see: judged documents in ranked order, and the contributions they make.

`Ranking` holds (query, rank, grade) of judged documents; `Hits` holds the system's ranking beside the ideal one, with
the few counts that measures divide by; `Contributions` is what a measure returns.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from rankgold.kernels.averaged_ties import Ties
from rankgold.kernels.segments import Bools, Floats, Ints, best_first, products_before, slices, starts_of, sums
from rankgold.policy import DEFAULT, Policy

# Chances such as three times 1/3 add up to a whole number only nearly: what is left beyond these decimals is no count.
_EXACT = 12

# A document of any grade above 0 is relevant to measures that add up gains.
SMALLEST_GRADE = math.ulp(0.0)


class Ids(Protocol):
    """Ids by position: a list, an array, a column of a frame."""

    def __getitem__(self, position: int, /) -> Any: ...


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Judged documents of all queries, sorted by query and then by rank.

    Where tied documents are averaged over their orders, a document stands in several rows, one for each rank it can
    take, and `ties` says with what chance; everywhere else `ties` is None and each document has one row.
    """

    query: Ints
    rank: Ints
    grade: Floats
    n_queries: int
    row: Ints
    """Where the document stands in `documents`."""
    documents: Ids | None = None
    """The ids, which only explanations read; None where documents have no ids."""
    score: Floats | None = None
    ties: Ties | None = None

    def keep(self, which: Bools | Ints) -> Ranking:
        """Some of the rows: those for which it is true, or those at the positions, in that order."""
        if which.dtype == bool:
            if which.all():
                return self
            which = np.flatnonzero(which)
        return replace(
            self,
            query=self.query[which],
            rank=self.rank[which],
            grade=self.grade[which],
            row=self.row[which],
            score=None if self.score is None else self.score[which],
            ties=None if self.ties is None else self.ties.keep(which),
        )

    def relevant(self, rel: float) -> Ranking:
        """The documents of grade `rel` or better."""
        return self.keep(self.grade >= rel)

    def top(self, k: int | Ints | None) -> Ranking:
        """The documents at rank k or better; k may differ by query."""
        if k is None:
            return self
        return self.keep(self.rank <= (k[self.query] if isinstance(k, np.ndarray) else k))

    def of_queries(self, first: int, last: int, starts: Ints) -> Ranking:
        """The rows of the queries from `first` up to `last`, whose number is then counted from 0."""
        here = self.keep(np.arange(starts[first], starts[last]))
        return replace(here, query=here.query - first, n_queries=last - first)

    def at_least(self, rel: float) -> Ints:
        """How many documents of grade `rel` or better each query has, where each has one row."""
        return np.bincount(self.query[self.grade >= rel], minlength=self.n_queries)

    def __len__(self) -> int:
        return len(self.query)

    @property
    def starts(self) -> Ints:
        return starts_of(np.bincount(self.query, minlength=self.n_queries))

    @property
    def chance(self) -> Floats | None:
        """The chance that the document stands at this rank, None where it is certain."""
        return None if self.ties is None else self.ties.chance

    @property
    def count(self) -> Floats:
        """How many documents each query has here."""
        if self.ties is None:
            return np.bincount(self.query, minlength=self.n_queries).astype(np.float64)
        return np.round(sums(self.ties.chance, self.query, self.n_queries), _EXACT)

    @property
    def total(self) -> Floats:
        """How many documents each row's query has here; what is expected given the row, where ties are averaged."""
        if self.ties is not None:
            return np.round(self.ties.total(self.query, self.rank, self.count), _EXACT)
        return self.count[self.query]

    @property
    def ordinal(self) -> Ints | Floats:
        """1 for the first document of a query, 2 for the second; what is expected, where ties are averaged."""
        if self.ties is not None:
            return self.ties.ordinal(self.query, self.rank, self.starts)
        return np.arange(1, len(self) + 1) - self.starts[self.query]

    @property
    def first(self) -> Bools | Floats:
        """Whether the document is the first of its query; the chance of it, where ties are averaged."""
        if self.ties is not None:
            return self.ties.first(self.query, self.rank, self.starts)
        return np.concatenate(([True], self.query[1:] != self.query[:-1]))[: len(self)]

    def passed(self, stop: Floats) -> Floats:
        """The chance that a reader reaches each document, who stops at each one above it with its `stop`."""
        if self.ties is not None:
            return self.ties.passed(self.query, self.rank, self.starts, self.row, stop)
        return products_before(1 - stop, self.starts)

    def in_best_order(self) -> Ranking:
        """The same documents ranked by grade: the ideal ranking of what is here."""
        once = self if self.ties is None else self.keep(self.rank == self.ties.start)
        starts = once.starts
        order = best_first(once.grade, starts)
        rank = np.arange(1, len(once) + 1) - starts[once.query]
        return replace(once, rank=rank, grade=once.grade[order], row=once.row[order], score=None, ties=None)


class LateRanking(ABC):
    """A ranking that is put in order when it is looked at, and only as far down; else it is as a Ranking is."""

    @abstractmethod
    def top(self, k: int | Ints | None) -> Ranking:
        """The documents at rank k or better; k may differ by query."""

    @abstractmethod
    def at_least(self, rel: float) -> Ints:
        """How many documents of grade `rel` or better each query has."""

    @cached_property
    def whole(self) -> Ranking:
        return self.top(None)

    def __len__(self) -> int:
        return len(self.whole)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.whole, name)


@dataclass(frozen=True, slots=True, eq=False)
class Notes:
    """What was found in the data and what the policy made of it."""

    queries: int = 0
    without_ranking: tuple[Any, ...] = ()
    without_judgements: tuple[Any, ...] = ()
    without_relevant: tuple[Any, ...] = ()
    retrieved: int = 0
    unjudged_share: float = float("nan")
    negative_grades: int = 0
    tied_hits: int = 0
    undefined: Mapping[str, int] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @classmethod
    def joined(cls, parts: Sequence[Notes]) -> Notes:
        """The notes on disjoint sets of queries as one."""
        retrieved = sum(part.retrieved for part in parts)
        unjudged = sum(round(part.unjudged_share * part.retrieved) for part in parts if part.retrieved)
        undefined: Counter[str] = sum((Counter(part.undefined) for part in parts), Counter())
        return cls(
            queries=sum(part.queries for part in parts),
            without_ranking=tuple(query for part in parts for query in part.without_ranking),
            without_judgements=tuple(query for part in parts for query in part.without_judgements),
            without_relevant=tuple(query for part in parts for query in part.without_relevant),
            retrieved=retrieved,
            unjudged_share=1 - (retrieved - unjudged) / retrieved if retrieved else float("nan"),
            negative_grades=sum(part.negative_grades for part in parts),
            tied_hits=sum(part.tied_hits for part in parts),
            undefined=dict(undefined),
            remarks=tuple(dict.fromkeys(remark for part in parts for remark in part.remarks)),
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "queries": self.queries,
            "without_ranking": list(self.without_ranking),
            "without_judgements": list(self.without_judgements),
            "without_relevant": list(self.without_relevant),
            "retrieved": self.retrieved,
            "unjudged_share": None if self.unjudged_share != self.unjudged_share else self.unjudged_share,
            "negative_grades": self.negative_grades,
            "tied_hits": self.tied_hits,
            "undefined": dict(self.undefined),
            "remarks": list(self.remarks),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Judgements matched with one ranking: all that any measure needs."""

    queries: Sequence[Any]
    system: Ranking | LateRanking
    ideal: Ranking | LateRanking
    returned: Ints
    """How many documents the system returned for each query; 0 for a query without ranking."""
    max_grade: float
    policy: Policy = DEFAULT
    notes: Notes = field(default_factory=Notes)
    name: str = "run"

    def __len__(self) -> int:
        return len(self.queries)

    def few_queries_each(self) -> Iterator[Hits]:
        """The same a few queries at a time, where these are many: arrays are then small and stay in the cache."""
        if not len(self) or isinstance(self.system, LateRanking) or isinstance(self.ideal, LateRanking):
            yield self
            return
        found, judged = self.system.starts, self.ideal.starts
        for first, last in slices(found + judged):
            yield replace(
                self,
                queries=self.queries[first:last],
                system=self.system.of_queries(first, last, found),
                ideal=self.ideal.of_queries(first, last, judged),
                returned=self.returned[first:last],
            )

    def relevant(self, rel: float) -> Floats:
        """R, the number of relevant documents of each query."""
        return self.ideal.at_least(rel).astype(np.float64)

    def depth(self, k: int | None) -> Ints:
        """How long each query's list is, up to the cutoff."""
        return self.returned if k is None else np.minimum(self.returned, k)

    def plot(self, name: str | None = None, **options: Any) -> Any:
        """A chart of the rankings: of one query its curve beside its documents, of several a grid of all grades.

        Another plot of rankgold.plots is drawn by its name, and options go to it.
        """
        # Looked up by its name: plots are made of hits, and not the other way round.
        return import_module("rankgold.plots").drawn(self, name, options)

    def __repr__(self) -> str:
        return (
            f"<Hits of {self.name!r}: {len(self)} queries, {int(self.returned.sum())} documents returned,"
            f" {len(np.unique(self.system.row))} of them judged>"
        )


def joined_hits(parts: Sequence[Hits], order: Ints, document_id: Callable[[Any], Any] | None = None) -> Hits:
    """The Hits of disjoint sets of queries as one, with the queries in another order.

    Parts with the queries [a, b] and [c], in the order [2, 0, 1]: the queries are [c, a, b]. `document_id` converts
    ids of documents.
    """
    queries = [query for part in parts for query in part.queries]
    new_number = np.empty_like(order)
    new_number[order] = np.arange(len(order))
    first_row = starts_of(np.array([len(part.ideal) for part in parts]))
    rankings = [(part.system.top(None), part.ideal.top(None)) for part in parts]
    ids = [(ideal.documents, len(ideal)) for _, ideal in rankings]
    documents = [None if known is None else known[row] for known, count in ids for row in range(count)]
    if document_id is not None:
        documents = list(map(document_id, documents))
    return replace(
        parts[0],
        queries=[queries[i] for i in order.tolist()],
        system=_joined_rankings([system for system, _ in rankings], new_number, first_row, documents),
        ideal=_joined_rankings([ideal for _, ideal in rankings], new_number, first_row, documents),
        returned=np.concatenate([part.returned for part in parts])[order],
        max_grade=max(part.max_grade for part in parts),
        notes=Notes.joined([part.notes for part in parts]),
    )


def _joined_rankings(parts: Sequence[Ranking], new_number: Ints, first_row: Ints, documents: Ids) -> Ranking:
    first_query = starts_of(np.array([part.n_queries for part in parts]))
    query = new_number[np.concatenate([part.query + first for part, first in zip(parts, first_query, strict=False)])]
    scores = [part.score for part in parts if part.score is not None]
    ties = None
    if any(part.ties is not None for part in parts):
        certain = [part.ties or Ties(part.rank, np.ones_like(part.rank)) for part in parts]
        ties = Ties(np.concatenate([t.start for t in certain]), np.concatenate([t.size for t in certain]))
    return Ranking(
        query,
        np.concatenate([part.rank for part in parts]),
        np.concatenate([part.grade for part in parts]),
        len(new_number),
        np.concatenate([part.row + first for part, first in zip(parts, first_row, strict=False)]),
        documents,
        np.concatenate(scores) if len(scores) == len(parts) else None,
        ties,
    ).keep(np.argsort(query, kind="stable"))


@dataclass(frozen=True, slots=True, eq=False)
class Working:
    """How a term is written out: a pattern such as `{}/{}` and the numbers that fill it, one array a gap."""

    pattern: str
    parts: tuple[Any, ...]

    def __init__(self, pattern: str, *parts: Any) -> None:
        object.__setattr__(self, "pattern", pattern)
        object.__setattr__(self, "parts", parts)

    def numbers(self, i: int) -> list[float]:
        """The numbers behind term i."""
        return [float(part if np.ndim(part) == 0 else part[i]) for part in self.parts]


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """A measure's value for every query: the sum of the terms of its hits, over a norm."""

    term: Floats
    of: Ranking
    norm: Floats | float
    working: Working
    """How each term is written out."""
    norm_is: str
    """Where the norm comes from, in words."""
    missed: Floats | None = None
    """What documents that were not retrieved add to the sum, where a measure counts them."""
    missed_is: str = ""
    ideal: Contributions | None = None
    """The contributions of the ideal ranking, where the norm is their sum."""

    @property
    def weighted(self) -> Floats:
        """Each row's part of the sum: its term, times its chance where ties are averaged."""
        chance = self.of.chance
        return self.term if chance is None else self.term * chance

    @property
    def sums(self) -> Floats:
        """The sum of the terms of each query, added from the top of the ranking down."""
        total = sums(self.weighted, self.of.query, self.of.n_queries)
        return total if self.missed is None else total + self.missed

    @property
    def values(self) -> Floats:
        """The measure of each query; NaN where it is 0/0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.sums / self.norm
