"""Hits and a measure in, the working of every query out as columns: terms, their text, norms, the ideal ranking.

Terms repeat: ndcg has one for each grade and rank. So each different term is written once, with its text as `explain`
writes it, and a row has its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.declaration.open_cases import decide
from rankgold.derivation import Terms
from rankgold.explanation import decided_by
from rankgold.explanation.term_text import term_text
from rankgold.hits import Hits
from rankgold.kernels.segments import Floats, Ints

_DIGITS = 4


@dataclass(slots=True, eq=False)
class WorkingRows:
    """The rows of the working of many queries, and the different terms in them."""

    query: Ints
    row: Ints
    """The position of the document among the judged ones; -1 where a row stands for several documents."""
    rank: Ints
    term: Ints
    """The number of the term."""
    texts: list[str]
    parts: Floats
    """What each different term adds to the sum."""


@dataclass(slots=True, eq=False)
class MeasureWorking:
    """The working of one measure in one run."""

    rows: WorkingRows
    ideal: WorkingRows | None
    norm: Floats
    norm_is: str
    missed: Floats | None
    missed_is: str
    decided: dict[int, str]
    """Query -> the case of the policy that decided its value, if the formula did not."""


def working_of(measure: Measure, hits: Hits) -> MeasureWorking:
    """The working of all queries, computed for a few queries at a time."""
    systems, ideals, norms, rests = [], [], [], []
    decided: dict[int, str] = {}
    first, given = 0, None
    for batch in hits.batches():
        given = measure(batch)
        systems.append((first, given.terms))
        if given.ideal is not None:
            ideals.append((first, given.ideal.terms))
        norms.append(given.norms)
        rests.append(np.zeros(len(batch)) if given.rest is None else given.rest)
        by_formula, by_policy = given.values, decide(measure, batch, given).values
        is_same = (by_formula == by_policy) | (np.isnan(by_formula) & np.isnan(by_policy))
        decided |= {first + i: _decision(measure, batch, i) for i in np.flatnonzero(~is_same).tolist()}
        first += len(batch)
    assert given is not None
    return MeasureWorking(
        rows=_joined_rows(systems),
        ideal=_joined_rows(ideals) if ideals else None,
        norm=np.concatenate(norms),
        norm_is=given.norm_is,
        missed=np.concatenate(rests) if given.rest is not None else None,
        missed_is=given.rest_is,
        decided=decided,
    )


def _decision(measure: Measure, batch: Hits, i: int) -> str:
    hits = batch.of_query(i)
    derived = measure(hits)
    return decided_by(measure, hits, derived, decide(measure, hits, derived)) or ""


def _joined_rows(batches: Sequence[tuple[int, Terms]]) -> WorkingRows:
    """The rows of several batches, each with the number of its first query, under common numbers of terms."""
    number: dict[tuple[Any, ...], int] = {}
    texts: list[str] = []
    values: list[float] = []
    columns: list[tuple[Ints, Ints, Ints, Ints]] = []
    for first, given in batches:
        ranking = given.ranking
        assert ranking is not None
        ties = ranking.ties
        counts = np.ones((2, len(ranking))) if ties is None else np.stack([ties.documents, ties.size])
        parts_of_text = [
            np.broadcast_to(np.asarray(part, dtype=np.float64), len(ranking)) for part in given.working.parts
        ]
        keys = np.column_stack([given.weighted, given.term, *counts, *parts_of_text])
        different, at = _different_rows(keys)
        term_numbers = np.empty(len(different), dtype=np.int64)
        for i, key in enumerate(map(tuple, different.tolist())):
            if key not in number:
                number[key] = len(texts)
                weighted, term, documents, size, *numbers = key
                texts.append(term_text(given.working.pattern, numbers, term, int(documents), int(size), _DIGITS))
                values.append(weighted)
            term_numbers[i] = number[key]
        row = ranking.row if ties is None else np.where(ties.documents == 1, ranking.row, -1)
        columns.append((ranking.query + first, row, ranking.rank, term_numbers[at]))
    query, row, rank, term = (np.concatenate(column) for column in zip(*columns, strict=True))
    return WorkingRows(query, row, rank, term, texts, np.array(values, dtype=np.float64))


def _different_rows(keys: Floats) -> tuple[Floats, Ints]:
    """The different rows of a table, and the number of each row among them. Columns are numbered one by one."""
    code = np.zeros(len(keys), dtype=np.int64)
    for column in keys.T:
        value = np.unique(column, return_inverse=True)[1]
        code = np.unique(code * (int(value.max(initial=0)) + 1) + value, return_inverse=True)[1]
    first = np.unique(code, return_index=True)[1]
    return keys[first], code
