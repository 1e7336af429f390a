"""Averages any measure over every order of tied documents.

The value of a query is the mean of its values over all orders: each order is evaluated as a query of its own, its terms
are divided by its own norm, and the policy decides its open cases. Orders without a value are left out of the mean.
Formulas with a closed form for tied documents need none of this.

In miniature: a document of grade 2 and two of grade 0 share the ranks 1 to 3. Documents of the same grade are alike, so
there are three orders, 2 0 0, 0 2 0 and 0 0 2, each with chance 1/3. A term of 1/rank for the document of grade 2
becomes three rows: it stands at rank 1 with the term 1/3, at rank 2 with 1/6, and at rank 3 with 1/9. If only rank 1
counts, there are two orders: 2 with chance 1/3, and 0 with chance 2/3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from itertools import combinations
from math import comb, factorial, prod

import numpy as np

from rankgold.core.derivation import Derivation, Terms, Working
from rankgold.core.errors import MeasureError
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Bools, Floats, Ints, changes, positions, ranges, starts_at, sums
from rankgold.core.ties import TiedRanking

Formula = Callable[[Hits], Derivation]
Decide = Callable[[Hits, Derivation], Floats]
"""The values of queries after the policy; NaN for those that it leaves out."""

_MOST_ORDERS = 100_000
# All orders of a query, with all its documents: about 1 GB.
_MOST_ROWS = 10_000_000
_ROWS_AT_ONCE = 1 << 18
# The orders of so many ranks are counted first: where they are too many already, all of them are.
_RANKS_COUNTED_FIRST = 60


def average_over_orders(
    hits: Hits, formula: Formula, decide: Decide, name: str, k: int | None = None, rel: float | None = None
) -> Derivation:
    """A derivation whose values are the means over all orders of tied documents; `name` is for messages.

    The order of documents below rank k does not matter to the formula, but which documents are there may. With `rel`,
    all documents of this grade or better are alike to it, and so are all others.
    """
    if not isinstance(hits.system, TiedRanking):
        return formula(hits)
    # What a depth leaves of a group may count even below the cutoff, as in an ideal ranking.
    limit = hits.system.depth if hits.system.is_cut else k
    alike = None if hits.system.is_cut else rel
    orders = hits.memo.once(("orders", limit, alike), lambda: _Orders.of(hits, limit, alike))
    tied = orders.tied
    plain = formula(orders.first)
    # Queries with one order keep what the formula gave; the rows of the others are replaced.
    given = plain.terms
    parts = [tied.rows(given, given.part_of, given.term).keep(tied.orders[given.part_of] == 1)]
    norm = plain.norms.copy()
    rest = np.zeros(len(hits)) if plain.rest is None else plain.rest.copy()
    differs = np.zeros(len(hits), dtype=bool)
    for written in orders.written_out(hits, name):
        average = _Average.of(written, formula(written.hits), decide, norm, len(hits))
        terms = average.result.terms
        order = terms.part_of
        parts.append(tied.rows(terms, written.query[order], terms.term * average.factor[order]).added_up())
        norm[written.queries] = average.norm[written.queries]
        differs |= average.differs
        rest[written.queries] = average.rest[written.queries]
    of, term, subtopic = tied.documents(_Rows.join(parts))
    has_norms = differs.any() or isinstance(plain.norm, np.ndarray)
    return Derivation.of_hits(
        of,
        term,
        Working("{}", term),
        norm if has_norms else plain.norm,
        f"{plain.norm_is}, averaged over orders" if differs.any() else plain.norm_is,
        None if plain.rest is None and not rest.any() else rest,
        plain.rest_is or "orders whose value the policy decides",
        ideal=None if differs.any() else plain.ideal,
        subtopic=None if given.subtopic is None else subtopic,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Average:
    """What the orders of some queries make of a formula: a norm for each query, and a factor for each order's terms.

    The norm is the mean of the norms of the orders, and a term is multiplied by its order's chance, times the norm over
    the order's own norm. So the sum of all terms over the norm is the mean of the values. In miniature: two orders have
    the terms 1 + 1 over the norm 2, and 1/2 over the norm 1. The norm is 3/2, the factors are 1/2 * 3/4 and 1/2 * 3/2,
    and (3/8 + 3/8 + 3/8) / (3/2) = 3/4 is the mean of 1 and 1/2.
    """

    result: Derivation
    """Of all orders."""
    factor: Floats
    norm: Floats
    rest: Floats
    differs: Bools
    """The queries whose norm is not the same in all orders."""

    @classmethod
    def of(cls, written: _Written, result: Derivation, decide: Decide, norm: Floats, n_queries: int) -> _Average:
        query = written.query
        values, by_formula = decide(written.hits, result), result.values
        has_value = ~np.isnan(values)
        left = sums(np.where(has_value, written.chance, 0.0), query, n_queries)
        share = written.chance
        if not has_value.all():
            share = np.where(has_value, written.chance / np.where(left > 0, left, 1.0)[query], 0.0)
        norms = result.norms
        differs = np.zeros(n_queries, dtype=bool)
        differs[query[norms != norm[query]]] = True
        # A norm that all orders share is kept to the last bit. Another one is 0 without any value, which is undefined.
        norm = np.where(differs, sums(norms * share, query, n_queries), norm)
        # Values of the policy need a norm to be a share of, even if 0 is the norm of every order.
        is_decided = np.zeros(n_queries, dtype=bool)
        first = np.flatnonzero(changes(query))
        is_decided[query[first]] = np.fmin.reduceat(values, first) < np.fmax.reduceat(values, first)
        is_decided[query[~has_value]] = True
        is_decided &= (left > 0) & (norm == 0)
        norm[is_decided] = 1.0
        differs |= is_decided
        # An order's value may come from the policy instead of its terms.
        counts = has_value & (values == by_formula)
        factor = np.where(counts, share, 0.0)
        rescaled = counts & differs[query]
        factor[rescaled] *= norm[query[rescaled]] / norms[rescaled]
        rest = np.where(counts | ~has_value, 0.0, np.nan_to_num(values) * share * norm[query])
        if result.rest is not None:
            rest += result.rest * factor
        return cls(result, factor, norm, sums(rest, query, n_queries), differs)


@dataclass(frozen=True, slots=True, eq=False)
class _Written:
    """Some queries with every order written out as a query of its own."""

    queries: Ints
    query: Ints
    """The query that each order belongs to."""
    chance: Floats
    """The chance of each order."""
    hits: Hits


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
    def of(cls, hits: Hits, k: int | None, rel: float | None) -> _Orders:
        system = hits.system
        assert isinstance(system, TiedRanking)
        kind = system.single.grade
        if rel is not None:
            system = system.keep(system.single.grade >= rel)
            kind = np.zeros(len(system.single))
        elif hits.subtopics is not None:
            kind = hits.subtopics.kinds(system.single.row).astype(np.float64)
        tied = _TiedUnits.of(system, kind, k)
        first = replace(hits, system=tied.first_order(tied.lead[tied.unit]).top(system.depth))
        if _drops(hits, system.depth):
            first = replace(first, ideal=tied.first_order(tied.single.row).top(system.depth).in_best_order())
        return cls(tied, first, system.depth)

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
        query, chance, place, rank = self.tied.written_out(queries)
        ranked = self.tied.ranking(place, rank, query).top(self.depth)
        if _drops(hits, self.depth):
            judged = self.tied.ranking(place, rank, query, as_units=False).top(self.depth).in_best_order()
        else:
            judged = _repeated(hits.ideal.whole, query)
        names = [hits.queries[i] for i in query]
        written = replace(hits, queries=names, system=ranked, ideal=judged, returned=hits.returned[query])
        return _Written(queries, query, chance, written)


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Terms, with the query, the rank, the document and the subtopic of each."""

    query: Ints
    rank: Ints
    unit: Ints
    """The unit that the document stands for; -1 for a document that no run retrieved, which stands for itself."""
    row: Ints
    subtopic: Ints
    """0 where there are no subtopics."""
    grade: Floats
    term: Floats | Ints

    def keep(self, which: Bools | Ints) -> _Rows:
        return _Rows(*(getattr(self, column.name)[which] for column in fields(self)))

    def added_up(self) -> _Rows:
        """The terms of the same query, rank, document and subtopic as one."""
        order = np.lexsort((self.subtopic, self.row, self.unit, self.rank, self.query))
        rows = self.keep(order)
        first = np.flatnonzero(changes(rows.query, rows.rank, rows.unit, rows.row, rows.subtopic))
        return replace(rows.keep(first), term=np.add.reduceat(rows.term, first)) if len(first) else rows

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
    limit: int | None
    """The last rank whose document matters."""
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
                orders[ordered.query[group[0]]] *= _count(*_shape(ordered, unit, size, group, k))
        return cls(ordered, unit, size, k, lead, orders)

    def rows(self, of: Terms, query: Ints, term: Floats | Ints) -> _Rows:
        """Terms of a formula that saw the first document of each unit in place of the others."""
        assert of.ranking is not None
        by_lead, row = np.argsort(self.lead), of.ranking.row
        unit = by_lead[np.minimum(np.searchsorted(self.lead, row, sorter=by_lead), len(by_lead) - 1)]
        unit = np.where(self.lead[unit] == row, unit, -1)
        subtopic = np.zeros_like(unit) if of.subtopic is None else of.subtopic
        return _Rows(query, of.ranking.rank, unit, row, subtopic, of.ranking.grade, term)

    def first_order(self, row: Ints) -> Ranking:
        """The ranking in which the best documents of each group come first, with these rows for them."""
        rank = self.single.rank + positions(starts_at(changes(self.single.query, self.single.rank)))
        return replace(self.single, rank=rank, row=row)

    def batches(self, hits: Hits, name: str) -> list[Ints]:
        """The queries with more than one order, some at a time: their orders take about 250,000 rows."""
        queries = np.flatnonzero(self.orders > 1)
        documents = (hits.ideal.sizes + self.single.sizes)[queries]
        too_many = queries[(self.orders[queries] > _MOST_ORDERS) | (self.orders[queries] * documents > _MOST_ROWS)]
        if len(too_many):
            number = int(self.orders[too_many[0]])
            raise MeasureError(
                f"{name} is averaged over the orders of tied documents one by one, and query"
                f" {hits.queries[too_many[0]]!r} has {f'{number:,}' if number < 10**12 else 'very many'}, which is too"
                f" many. Use a lower cutoff, or another choice for ties such as ties=descending."
            )
        rows = documents * self.orders[queries].astype(np.int64)
        batch = np.cumsum(rows) // _ROWS_AT_ONCE
        return np.split(queries, np.flatnonzero(np.diff(batch)) + 1) if len(queries) else []

    def written_out(self, queries: Ints) -> tuple[Ints, Floats, Ints, Ints]:
        """Every order of these queries: its query and its chance; its documents from the top down, and their ranks."""
        starts = self.single.starts
        order_places, order_ranks, chances = [], [], []
        for query in queries.tolist():
            places = np.arange(starts[query], starts[query + 1])
            ranks, chance = self._orders_of(places, int(self.orders[query]))
            sorting = np.argsort(ranks, axis=1)
            order_places.append(places[sorting].reshape(-1))
            order_ranks.append(np.take_along_axis(ranks, sorting, axis=1).reshape(-1))
            chances.append(chance)
        query = np.repeat(queries, self.orders[queries].astype(np.int64))
        return query, np.concatenate(chances), np.concatenate(order_places), np.concatenate(order_ranks)

    def ranking(self, place: Ints, rank: Ints, query: Ints, *, as_units: bool = True) -> Ranking:
        """The written orders as a ranking with a query for each, where the first document of a unit stands for all."""
        lengths = self.single.sizes[query]
        ranking = self.single.keep(place)
        row = self.lead[self.unit[place]] if as_units else ranking.row
        order = np.repeat(np.arange(len(lengths)), lengths)
        return replace(ranking, query=order, rank=rank, row=row, n_queries=len(lengths))

    def _orders_of(self, rows: Ints, n_orders: int) -> tuple[Ints, Floats]:
        """The ranks of the documents of one query, a line for each order; and the chance of each."""
        ranks = np.empty((n_orders, len(rows)), dtype=np.int64)
        chance, repeats = np.ones(n_orders), 1
        for group in _groups(self.single, rows):
            shape = _shape(self.single, self.unit, self.group_size, group, self.limit)
            places, chances = _arrangements(*shape) if shape[0] > 1 else (np.arange(len(group))[None], np.ones(1))
            # The orders of the groups are combined as digits are: the later group changes more slowly.
            digit = np.arange(n_orders) // repeats % len(places)
            ranks[:, group - rows[0]] = self.single.rank[group[0]] + places[digit]
            chance *= chances[digit]
            repeats *= len(places)
        # Rounded once, where all orders are as likely.
        return ranks, np.full(n_orders, 1 / n_orders) if (chance == chance[0]).all() else chance

    def documents(self, rows: _Rows) -> tuple[Ranking, Floats, Ints]:
        """A row for each document of a unit, with its share of the unit's term and the subtopic, by query and rank."""
        starts = starts_at(changes(self.unit))
        is_unit = rows.unit >= 0
        count = np.where(is_unit, np.diff(starts)[rows.unit], 1)
        of = np.repeat(np.arange(len(count)), count)
        place = ranges(np.where(is_unit, starts[rows.unit], 0), count)
        order = np.lexsort((rows.subtopic[of], place, rows.rank[of], rows.query[of]))
        place, of = place[order], of[order]
        score = self.single.score
        found = replace(
            self.single,
            query=rows.query[of],
            rank=rows.rank[of],
            # Documents of a unit may have different grades, unless these are grades for subtopics.
            grade=rows.grade[of]
            if rows.subtopic.any()
            else np.where(is_unit[of], self.single.grade[place], rows.grade[of]),
            row=np.where(is_unit[of], self.single.row[place], rows.row[of]),
            score=None if score is None else np.where(is_unit[of], score[place], np.nan),
        )
        return found, (rows.term / count)[of], rows.subtopic[of]


_Shape = tuple[int, tuple[int, ...], int]
"""The documents of a group, the number of documents of each unit, and how many ranks of the group matter."""


def _shape(single: Ranking, unit: Ints, size: Ints, group: Ints, limit: int | None) -> _Shape:
    total, first = int(size[group[0]]), int(single.rank[group[0]])
    counts = tuple(np.bincount(unit[group] - unit[group[0]]).tolist())
    return total, counts, total if limit is None else min(total, limit - first + 1)


def _groups(ranking: Ranking, rows: Ints) -> Iterator[Ints]:
    """The rows of each group of documents that share a rank."""
    if len(rows):
        new = changes(ranking.query[rows], ranking.rank[rows])
        yield from np.split(rows, np.flatnonzero(new)[1:])


def _count(size: int, counts: tuple[int, ...], ranks: int) -> int:
    """The number of orders of the first ranks of a group, or, where that is faster, a lower bound that is too high."""
    if ranks == size:
        return prod(comb(size - sum(counts[:i]), count) for i, count in enumerate(counts))
    if ranks > _RANKS_COUNTED_FIRST and (few := _count(size, counts, _RANKS_COUNTED_FIRST)) > _MOST_ORDERS:
        return few
    # ways[n] is the number of ways to place n documents of the units so far on n places.
    ways = [1]
    for count in counts:
        longer = [0] * min(len(ways) + count, ranks + 1)
        for placed, number in enumerate(ways):
            for more in range(min(count, len(longer) - 1 - placed) + 1):
                longer[placed + more] += number * comb(placed + more, more)
        ways = longer
    others = size - sum(counts)
    return sum(number * comb(ranks, placed) for placed, number in enumerate(ways) if ranks - placed <= others)


@lru_cache(maxsize=256)
def _arrangements(size: int, counts: tuple[int, ...], ranks: int) -> tuple[Ints, Floats]:
    """The places, from 0, of the documents of all units, a line for each order of the first ranks; and its chance.

    Documents that are not on the first ranks take the places below in any order.
    """
    others = size - sum(counts)
    # The place of each document so far, the free places, and in how many ways the documents below can be ordered.
    lines: list[tuple[tuple[int, ...], tuple[int, ...], int]] = [((), tuple(range(ranks)), factorial(size - ranks))]
    for i, count in enumerate(counts):
        later = sum(counts[i + 1 :]) + others
        lines = [
            (line + chosen + tuple(range(below, below + left)), tuple(p for p in free if p not in chosen), ways)
            for line, free, ways_before in lines
            for here in range(max(len(free) - later, 0), min(count, len(free)) + 1)
            for left in (count - here,)
            for below in (ranks + sum(place >= ranks for place in line),)
            for ways in (ways_before // factorial(left),)
            for chosen in combinations(free, here)
        ]
    weights = [ways // factorial(others - len(free)) for _, free, ways in lines]
    total = sum(weights)
    places = np.array([line for line, _, _ in lines], dtype=np.int64).reshape(len(lines), sum(counts))
    return places, np.array([weight / total for weight in weights])


def _drops(hits: Hits, depth: int | None) -> bool:
    """True if the orders drop different documents and the ideal ranking uses only those left."""
    return hits.policy.unretrieved == "dropped" and depth is not None


def _repeated(ranking: Ranking, query: Ints) -> Ranking:
    """The rows of these queries, each as a query of its own."""
    lengths, starts = ranking.sizes[query], ranking.starts
    rows = ranking.keep(ranges(starts[query], lengths))
    return replace(rows, query=np.repeat(np.arange(len(query)), lengths), n_queries=len(query))
