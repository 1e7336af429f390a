"""Hits with tied documents and a formula in, its contributions averaged over all orders of these documents out.

This is for formulas that have no closed form for tied documents: the best precision below a rank, a logarithm of a sum.
Every order is written out as a query of its own, the formula is applied to all of them, and the terms are averaged.

In miniature: a document of grade 2 and two of grade 0 share the ranks 1 to 3. Documents of the same grade are alike, so
there are three orders, 2 0 0, 0 2 0 and 0 0 2, each with chance 1/3. A term of 1/rank for the document of grade 2
becomes three rows: it stands at rank 1 with the term 1/3, at rank 2 with 1/6, and at rank 3 with 1/9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from itertools import combinations
from math import comb, prod

import numpy as np

from rankgold.errors import MeasureError
from rankgold.hits import Contributions, Hits, Ranking, Working
from rankgold.kernels.segments import Bools, Floats, Ints, changes, positions, ranges, starts_at, sums
from rankgold.tied_ranking import TiedRanking

Formula = Callable[[Hits], Contributions]

_MOST_ORDERS = 10_000
_ROWS_AT_ONCE = 1 << 18


def average_over_orders(hits: Hits, formula: Formula, name: str, k: int | None = None) -> Contributions:
    """The contributions of a formula, averaged over all orders of tied documents; `name` is for messages.

    The order of documents below rank k does not matter to the formula.
    """
    if not isinstance(hits.system, TiedRanking):
        return formula(hits)
    limit = min((limit for limit in (k, hits.system.depth) if limit is not None), default=None)
    orders = hits.once(("orders", limit), lambda: _Orders.of(hits, limit))
    tied = orders.tied
    plain = formula(orders.first)
    # Queries without tied documents keep what the formula gave; the rows of the others are replaced.
    parts = [tied.rows(plain, plain.of.query, plain.term).keep(tied.orders[plain.of.query] == 1)]
    norm = np.array(np.broadcast_to(plain.norm, len(hits)), dtype=np.float64)
    missed = None if plain.missed is None else plain.missed.copy()
    for queries, query, written in orders.written_out(hits, name):
        result = formula(written)
        chance = 1 / tied.orders[query].astype(np.float64)
        of_query = query[result.of.query]
        parts.append(tied.rows(result, of_query, result.term * chance[result.of.query]).added_up())
        norms = np.broadcast_to(result.norm, len(query))
        # Most ideal rankings do not depend on the order of the system's, and their sum is kept to the last bit.
        changed = queries if plain.ideal is None else np.unique(query[norms != norm[query]])
        norm[changed] = sums(norms * chance, query, len(hits))[changed]
        if missed is not None and result.missed is not None:
            missed[queries] = sums(result.missed * chance, query, len(hits))[queries]
    of, term, subtopic = tied.documents(_Rows.join(parts))
    is_constant = not isinstance(plain.norm, np.ndarray)
    return replace(
        plain,
        term=term,
        of=of,
        working=Working("{}", term),
        norm=plain.norm if is_constant else norm,
        missed=missed,
        subtopic=None if plain.subtopic is None else subtopic,
    )


# Queries, the query of each of their orders, and the hits with every order as a query of its own.
_Written = tuple[Ints, Ints, Hits]


@dataclass(frozen=True, slots=True, eq=False)
class _Orders:
    """The orders of tied documents down to a rank, for all formulas."""

    tied: _TiedUnits
    first: Hits
    """In the order that has the best documents of each group first."""
    depth: int | None
    """After how many documents each order is cut off."""
    _kept: list[_Written] = field(default_factory=list)
    """All orders, unless they take several batches."""

    @classmethod
    def of(cls, hits: Hits, k: int | None) -> _Orders:
        system = hits.system
        assert isinstance(system, TiedRanking)
        kind = system.single.grade
        if hits.subtopics is not None:
            kind = hits.subtopics.kinds(system.single.row).astype(np.float64)
        tied = _TiedUnits.of(system, kind, k)
        return cls(tied, replace(hits, system=tied.first_order().top(system.depth)), system.depth)

    def written_out(self, hits: Hits, name: str) -> Iterable[_Written]:
        """All orders of the queries that have more than one, some queries at a time."""
        if self._kept:
            return self._kept
        batches = self.tied.batches(hits, name)
        written = (self._write_out(hits, queries) for queries in batches)
        if len(batches) == 1:
            self._kept.extend(written)
            return self._kept
        return written

    def _write_out(self, hits: Hits, queries: Ints) -> _Written:
        query, rows = self.tied.written_out(queries)
        ranked, judged = rows.top(self.depth), _repeated(hits.ideal.whole, query)
        names = [hits.queries[i] for i in query]
        return queries, query, replace(hits, queries=names, system=ranked, ideal=judged, returned=hits.returned[query])


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Terms, with the query, the rank, the unit and the subtopic of each."""

    query: Ints
    rank: Ints
    unit: Ints
    subtopic: Ints
    """0 where there are no subtopics."""
    term: Floats

    def keep(self, which: Bools) -> _Rows:
        return _Rows(*(getattr(self, column.name)[which] for column in fields(self)))

    def added_up(self) -> _Rows:
        """The terms of the same query, rank, unit and subtopic as one."""
        order = np.lexsort((self.subtopic, self.unit, self.rank, self.query))
        query, rank, unit, subtopic = (keys[order] for keys in (self.query, self.rank, self.unit, self.subtopic))
        first = np.flatnonzero(changes(query, rank, unit, subtopic))
        term = np.add.reduceat(self.term[order], first) if len(first) else self.term
        return _Rows(query[first], rank[first], unit[first], subtopic[first], term)

    @classmethod
    def join(cls, parts: list[_Rows]) -> _Rows:
        return cls(*(np.concatenate([getattr(part, column.name) for part in parts]) for column in fields(cls)))


@dataclass(frozen=True, slots=True, eq=False)
class _TiedUnits:
    """Tied documents in units: those of one group of the same kind, which are alike to the measure.

    Documents of the same grade are of the same kind; with subtopics, those of the same grades for the same subtopics.
    """

    single: Ranking
    """Each document once, at the first rank of its group; the documents of a unit side by side."""
    unit: Ints
    """The unit of each document."""
    group_size: Ints
    """The number of documents in the group of each document, with those that are not judged; 1 if one order will do."""
    lead: Ints
    """The position among all documents of the first one of each unit, which stands for all of them in a formula."""
    orders: Ints
    """The number of orders of each query, in Python's integers: there may be very many."""

    @classmethod
    def of(cls, system: TiedRanking, kind: Floats, k: int | None) -> _TiedUnits:
        single = system.single
        order = np.lexsort((-kind, -single.grade, single.rank, single.query))
        ordered, kind = single.keep(order), kind[order]
        size = system.group_size[order]
        if k is not None:
            size = np.where(ordered.rank > k, 1, size)
        unit = np.cumsum(changes(ordered.query, ordered.rank, kind)) - 1
        lead = ordered.row[changes(unit)]
        orders = np.ones(single.n_queries, dtype=object)
        for group in _groups(ordered, np.arange(len(ordered))):
            if size[group[0]] > 1:
                orders[ordered.query[group[0]]] *= _count(int(size[group[0]]), _counts(unit[group]))
        return cls(ordered, unit, size, lead, orders)

    def rows(self, of: Contributions, query: Ints, term: Floats) -> _Rows:
        """Terms of a formula that was given the first document of a unit for each of them."""
        unit = np.argsort(self.lead)[np.searchsorted(self.lead, of.of.row, sorter=np.argsort(self.lead))]
        subtopic = np.zeros_like(unit) if of.subtopic is None else of.subtopic
        return _Rows(query, of.of.rank, unit, subtopic, term)

    def first_order(self) -> Ranking:
        """The ranking in which the best documents of each group come first."""
        rank = self.single.rank + positions(starts_at(changes(self.single.query, self.single.rank)))
        return replace(self.single, rank=rank, row=self.lead[self.unit])

    def batches(self, hits: Hits, name: str) -> list[Ints]:
        """The queries with more than one order, some at a time: their orders take about 250,000 rows."""
        queries = np.flatnonzero(self.orders > 1)
        if len(queries) and (most := int(self.orders[queries].max())) > _MOST_ORDERS:
            raise MeasureError(
                f"{name} has no closed form for tied documents. It is averaged over their orders one by one, and a"
                f" query can have {_MOST_ORDERS:,} orders; this one has {_brief(most)}. Use another choice for ties,"
                f" such as ties=descending."
            )
        rows = (hits.ideal.sizes + self.single.sizes)[queries] * self.orders[queries].astype(np.int64)
        batch = np.cumsum(rows) // _ROWS_AT_ONCE
        return np.split(queries, np.flatnonzero(np.diff(batch)) + 1) if len(queries) else []

    def written_out(self, queries: Ints) -> tuple[Ints, Ranking]:
        """Every order of these queries as a query of its own: the query of each order, and the ranking of all."""
        starts = self.single.starts
        order_rows, order_ranks = [], []
        for query in queries.tolist():
            rows = np.arange(starts[query], starts[query + 1])
            ranks = self._orders_of(rows, int(self.orders[query]))
            sorting = np.argsort(ranks, axis=1)
            order_rows.append(rows[sorting].reshape(-1))
            order_ranks.append(np.take_along_axis(ranks, sorting, axis=1).reshape(-1))
        orders = self.orders[queries].astype(np.int64)
        lengths = np.repeat(self.single.sizes[queries], orders)
        row = np.concatenate(order_rows)
        ranking = replace(
            self.single.keep(row),
            query=np.repeat(np.arange(len(lengths)), lengths),
            rank=np.concatenate(order_ranks),
            row=self.lead[self.unit[row]],
            n_queries=len(lengths),
        )
        return np.repeat(queries, orders), ranking

    def _orders_of(self, rows: Ints, n_orders: int) -> Ints:
        """The ranks of the documents of one query, a line for each order."""
        ranks = np.empty((n_orders, len(rows)), dtype=np.int64)
        repeats = 1
        for group in _groups(self.single, rows):
            size = int(self.group_size[group[0]])
            places = _arrangements(size, _counts(self.unit[group])) if size > 1 else np.arange(len(group))[None]
            # The orders of the groups are combined as digits are: the later group changes more slowly.
            digit = np.arange(n_orders) // repeats % len(places)
            ranks[:, group - rows[0]] = self.single.rank[group[0]] + places[digit]
            repeats *= len(places)
        return ranks

    def documents(self, rows: _Rows) -> tuple[Ranking, Floats, Ints]:
        """A row for each document of a unit, with its share of the unit's term and the subtopic, by query and rank."""
        starts = starts_at(changes(self.unit))
        count = np.diff(starts)[rows.unit]
        of = np.repeat(np.arange(len(count)), count)
        place = ranges(starts[rows.unit], count)
        query, rank = rows.query[of], rows.rank[of]
        order = np.lexsort((rows.subtopic[of], place, rank, query))
        found = self.single.keep(place[order])
        of_rank = replace(found, query=query[order], rank=rank[order])
        return of_rank, (rows.term / count)[of][order], rows.subtopic[of][order]


def _groups(ranking: Ranking, rows: Ints) -> Iterator[Ints]:
    """The rows of each group of documents that share a rank."""
    if len(rows):
        new = changes(ranking.query[rows], ranking.rank[rows])
        yield from np.split(rows, np.flatnonzero(new)[1:])


def _counts(unit: Ints) -> tuple[int, ...]:
    """The number of documents of each unit."""
    return tuple(np.bincount(unit - unit[0]).tolist())


def _count(size: int, counts: tuple[int, ...]) -> int:
    """The number of orders of a group: the ways to place its units on its ranks."""
    return prod(comb(size - sum(counts[:i]), count) for i, count in enumerate(counts))


@lru_cache(maxsize=256)
def _arrangements(size: int, counts: tuple[int, ...]) -> Ints:
    """The places, from 0, of the documents of all units, a line for each order."""
    lines: list[tuple[int, ...]] = [()]
    for count in counts:
        free = [[place for place in range(size) if place not in line] for line in lines]
        lines = [
            line + chosen for line, places in zip(lines, free, strict=True) for chosen in combinations(places, count)
        ]
    return np.array(lines, dtype=np.int64).reshape(len(lines), sum(counts))


def _repeated(ranking: Ranking, query: Ints) -> Ranking:
    """The rows of these queries, each as a query of its own."""
    lengths, starts = ranking.sizes[query], ranking.starts
    rows = ranking.keep(ranges(starts[query], lengths))
    return replace(rows, query=np.repeat(np.arange(len(query)), lengths), n_queries=len(query))


def _brief(number: int) -> str:
    return f"{number:,}" if number < 10**12 else "very many"
