"""Divides queries into slices: values, bins, crossings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rankgold.core.errors import DataError, counted, listing
from rankgold.core.segments import Ints
from rankgold.data.attributes import QueryAttributes
from rankgold.data.slices import CROSSING, Slices

NONE = "(none)"
"""The slice of the queries without a value."""


@dataclass(frozen=True, slots=True, eq=False)
class AttributeSlices:
    """The slices of one attribute. A slice has a code: its place among the names."""

    attribute: str
    names: tuple[str, ...]
    """The last one is that of queries without a value."""
    edges: Any = None
    """The highest values of all bins but the last, as an array; None for an attribute whose values are text."""

    @classmethod
    def of(cls, attribute: str, values: pl.Series, counts: Ints, bins: int) -> AttributeSlices:
        """The slices of these different values; `counts` are the queries that have each. A null is not a value."""
        known = comparable(values.alias(attribute))
        ordered, counts = known.drop_nulls(), counts[known.is_not_null().to_numpy()]
        if ordered.dtype == pl.String:
            names = sorted(ordered.to_list())
            return cls(attribute, (*names, _unused_name(names)))
        order = ordered.arg_sort()
        ordered, counts = ordered.gather(order), counts[order.to_numpy()]
        last = _last_of_bins(counts, bins) if len(ordered) > bins else np.arange(len(ordered))
        first = np.concatenate(([0], last[:-1] + 1))[: len(last)]
        names = [_span(ordered, a, b) for a, b in zip(first.tolist(), last.tolist(), strict=True)]
        return cls(attribute, (*names, NONE), _numbers(ordered.gather(last[:-1])))

    def codes(self, values: pl.Series) -> Ints:
        """The slice of each value."""
        known = comparable(values)
        if self.edges is None:
            code = {name: i for i, name in enumerate(self.names[:-1])}
            return np.array([self.missing if value is None else code[value] for value in known], dtype=np.int64)
        codes: Ints = np.searchsorted(self.edges, _numbers(known.fill_null(strategy="min")), side="left").astype(
            np.int64
        )
        codes[known.is_null().to_numpy()] = self.missing
        return codes

    @property
    def missing(self) -> int:
        """The code of queries without a value."""
        return len(self.names) - 1


def comparable(values: pl.Series) -> pl.Series:
    """The values as numbers, dates or text; null where one is missing: also NaN and empty text."""
    dtype = values.dtype
    if dtype.is_float():
        return values.fill_nan(None)
    if dtype.is_decimal() or dtype in (pl.Int128, pl.UInt128):  # NumPy has neither
        return values.cast(pl.Float64)
    if dtype.is_integer() or dtype in (pl.Date, pl.Time) or isinstance(dtype, (pl.Datetime, pl.Duration)):
        return values
    if dtype == pl.Boolean:
        return values.cast(pl.String)
    if isinstance(dtype, (pl.Categorical, pl.Enum)) or dtype in (pl.String, pl.Null):
        text = values.cast(pl.String)
        return text.set(text == "", None) if len(text) else text
    raise DataError(
        f"the attribute {values.name!r} is of type {dtype}. Attributes must be text, numbers, dates or booleans."
    )


def has_slices(values: pl.Series) -> bool:
    """Whether the values of a column can be compared, so that it is an attribute."""
    dtype = values.dtype
    return not (dtype.is_nested() or dtype in (pl.Binary, pl.Object))


def _last_of_bins(counts: Ints, bins: int) -> Ints:
    """The last value of each bin: the first one up to which there is the bin's share of all queries.

    The ends of bins are values, so that they are the same wherever they are computed. In miniature: of 2, 1, 1 and 4
    queries with the values 5, 6, 7 and 8, two bins end where there are 4 of 8 queries and all: at 7 and 8.
    """
    until = np.cumsum(counts)
    shares = np.arange(1, bins + 1) * int(until[-1])
    return np.unique(np.searchsorted(until * bins, shares, side="left"))


def _span(values: pl.Series, first: int, last: int) -> str:
    low, high = _text(values[first]), _text(values[last])
    if first != last and low == high:  # they differ in later digits
        low, high = str(values[first]), str(values[last])
    return low if first == last else f"{low} to {high}"


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _numbers(values: pl.Series) -> np.ndarray[Any, Any]:
    return values.to_physical().to_numpy()


def _unused_name(names: list[str]) -> str:
    name = NONE
    while name in names:
        name = f"({name})"
    return name


_MOST_SLICES = 100
"""A column of text with more values, such as the text of the query, is taken for an attribute only if it is named."""


@dataclass(frozen=True, slots=True)
class CrossedSlices:
    """An attribute that the user selected, or several that are crossed."""

    parts: tuple[AttributeSlices, ...]

    @property
    def attribute(self) -> str:
        return CROSSING.join(part.attribute for part in self.parts)

    def codes(self, of_attribute: Mapping[str, Ints]) -> Ints:
        """The codes of slices: of two attributes with 3 and 4 slices, 1 and 2 give 1 * 4 + 2."""
        codes = of_attribute[self.parts[0].attribute]
        for part in self.parts[1:]:
            codes = codes * len(part.names) + of_attribute[part.attribute]
        return codes

    def name(self, code: int) -> str:
        names: list[str] = []
        for part in reversed(self.parts):
            code, place = divmod(code, len(part.names))
            names.insert(0, part.names[place])
        return ", ".join(names)


@dataclass(frozen=True, slots=True)
class SliceScheme:
    """The slices of all attributes, without queries: what a task needs to put queries into them."""

    attributes: dict[str, AttributeSlices]
    crossed: tuple[CrossedSlices, ...]

    @classmethod
    def of(cls, attributes: Sequence[AttributeSlices], slices: Slices, label: str) -> SliceScheme:
        by_name = {part.attribute: part for part in attributes}
        selected = slices.crossed(list(by_name), label)
        return cls(by_name, tuple(CrossedSlices(tuple(by_name[name] for name in names)) for names in selected))

    def groups(self, of_attribute: Mapping[str, Ints]) -> Iterator[tuple[int, int, Ints]]:
        """The number of an attribute, the code of a slice, and the positions of its queries, slice by slice."""
        for number, crossed in enumerate(self.crossed):
            codes = crossed.codes(of_attribute)
            order = np.argsort(codes, kind="stable")
            found, first = np.unique(codes[order], return_index=True)
            for code, positions in zip(found.tolist(), np.split(order, first[1:]), strict=True):
                yield number, code, positions

    def title(self, number: int, code: int) -> tuple[str, str]:
        """The attribute and the slice."""
        crossed = self.crossed[number]
        return crossed.attribute, crossed.name(code)


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """Queries and their slices."""

    scheme: SliceScheme
    place: dict[str, int]
    """The id of a query as text -> where it is in the codes."""
    codes: dict[str, Ints]
    """Attribute -> the slice of each query."""
    notes: tuple[str, ...] = ()

    def codes_of(self, queries: Sequence[Any]) -> dict[str, Ints]:
        """Attribute -> the slices of some of the queries."""
        at = np.fromiter((self.place[str(query)] for query in queries), np.int64, len(queries))
        return {name: codes[at] for name, codes in self.codes.items()}


def divide(attributes: QueryAttributes, queries: Sequence[Any], slices: Slices, *, of_all: bool = True) -> Division:
    """The slices of queries. Unless they are `of_all`, there is no note on attributes of other queries."""
    label = attributes.label
    texts = pl.Series("query", list(map(str, queries)), dtype=pl.String)
    numbered = pl.DataFrame({"query": texts, "number": np.arange(len(texts))})
    rows = pl.DataFrame({"query": attributes.queries, "row": np.arange(len(attributes.queries))})
    found = numbered.join(rows, on="query", how="inner")
    number, row = found["number"], found["row"]
    wanted = {name for columns in slices.crossed([*attributes.values], label) for name in columns}
    values = {name: column.gather(row) for name, column in attributes.values.items() if name in wanted}
    groups = {name: _grouped(column, number) for name, column in values.items()}
    counts = {name: group["queries"].list.len().to_numpy() for name, group in groups.items()}
    scheme, notes = scheme_of({name: (group["value"], counts[name]) for name, group in groups.items()}, slices, label)
    codes: dict[str, Ints] = {}
    for name, of_attribute in scheme.attributes.items():
        codes[name] = np.full(len(texts), of_attribute.missing, dtype=np.int64)
        of_values = of_attribute.codes(groups[name]["value"])
        codes[name][groups[name]["queries"].explode().to_numpy()] = np.repeat(of_values, counts[name])
    without = texts.gather(np.setdiff1d(numbered["number"], number)).to_list()
    notes += notes_without(len(texts), len(without), without, label)
    if of_all:
        others = attributes.queries.gather(np.setdiff1d(rows["row"], row)).to_list()
        notes += notes_on_others(len(others), others)
    return Division(scheme, {query: i for i, query in enumerate(texts)}, codes, tuple(notes))


def _grouped(values: pl.Series, number: pl.Series) -> pl.DataFrame:
    """A row for each value with the numbers of its queries: value, queries."""
    if not has_slices(values):
        return pl.DataFrame({"value": values.clear(), "queries": pl.Series([], dtype=pl.List(pl.Int64))})
    return pl.DataFrame({"value": values, "number": number}).group_by("value").agg(queries="number")


def scheme_of(
    values: Mapping[str, tuple[pl.Series, Ints]], slices: Slices, label: str, notes: Sequence[str] = ()
) -> tuple[SliceScheme, list[str]]:
    """The slices of attributes, and notes on those left out.

    `values` are the different values of each attribute, and how many queries have each of them.
    """
    reasons = {name: _left_out(name, known, slices) for name, (known, _) in values.items()}
    all_notes = [*notes, *(reason for reason in reasons.values() if reason is not None)]
    kept = [
        AttributeSlices.of(name, known, counts, slices.bins)
        for name, (known, counts) in values.items()
        if reasons[name] is None
    ]
    if not kept:
        raise DataError(f"there is no attribute by which to divide the queries: {'; '.join(all_notes)}.", label)
    return SliceScheme.of(kept, slices, label), all_notes


def _left_out(name: str, values: pl.Series, slices: Slices) -> str | None:
    """Why a column is not taken as an attribute; None if it is. Named columns always are."""
    if slices.attributes:
        return None
    if not has_slices(values):
        return f"{name} is not an attribute: it is of type {values.dtype}"
    if values.dtype == pl.String and len(values) > _MOST_SLICES:
        return f"{name} is left out: it has {len(values):,} values. Name the attributes to have it too"
    return None


def notes_without(queries: int, without: int, some: Sequence[str], label: str) -> list[str]:
    """The note on queries without attributes, if there are any; an error if no query has attributes."""
    if without == queries:
        raise DataError(
            f"none of {counted(queries, 'query')} has attributes. Check that the ids of queries are the same.", label
        )
    verb = "query has" if without == 1 else "queries have"
    return [f"{without:,} {verb} no attributes ({_few(some, without)}): in the slices {NONE}"] if without else []


def notes_on_others(count: int, some: Sequence[str]) -> list[str]:
    """The note on attributes of queries that are not evaluated, if there are any."""
    verb = "query with attributes is" if count == 1 else "queries with attributes are"
    return [f"{count:,} {verb} not evaluated ({_few(some, count)})"] if count else []


def _few(queries: Sequence[str], count: int) -> str:
    shown = listing(queries[:3])
    return shown if count <= 3 else f"{shown} and {count - 3:,} more"
