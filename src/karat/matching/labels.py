"""Grades in ranked order, one list per query -> Hits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from karat.errors import DataError
from karat.hits import Hits
from karat.matching.common import query_names
from karat.matching.judged import Judged
from karat.matching.ties import Places
from karat.policy import Policy
from karat.segments import Floats, positions, starts_of


def from_labels(
    labels: Sequence[Sequence[float]],
    n_relevant: int | Sequence[int | None] | None = None,
    *,
    ideal: Sequence[Sequence[float]] | None = None,
    queries: Sequence[Any] | None = None,
    policy: Policy | str | None = None,
) -> Hits:
    """Hits from the grades of the documents that a system returned, best first, one list per query.

    The labels are taken for all judgements there are. `n_relevant` says how many documents are relevant in all,
    retrieved or not; those beyond the ones in the list have grade 1. `ideal` gives all grades of a query instead.

    >>> import karat
    >>> karat.evaluate(karat.from_labels([[1, 0, 1, 0, 1]]), ["ap", "p@2"]).means
    {'ap': 0.7555555555555555, 'p@2': 0.5}
    """
    rows = _lists(labels, "labels")
    count = len(rows)
    extra: list[Floats] = [np.zeros(0)] * count
    if n_relevant is not None and ideal is not None:
        raise DataError("n_relevant and ideal say the same in two ways. Give one of them.")
    if n_relevant is not None:
        extra = [
            _missed(row, wanted, i) for i, (row, wanted) in enumerate(zip(rows, _each(n_relevant, count), strict=True))
        ]
    elif ideal is not None:
        best = _lists(ideal, "ideal")
        if len(best) != count:
            raise DataError(f"ideal has {len(best)} lists and labels has {count}. They need one per query each.")
        extra = [_beyond(row, all_, i) for i, (row, all_) in enumerate(zip(rows, best, strict=True))]
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    judged_lengths = lengths + np.array([len(more) for more in extra], dtype=np.int64)
    judged = Judged.of(
        query_names(queries, count),
        np.repeat(np.arange(count), judged_lengths),
        np.concatenate([part for pair in zip(rows, extra, strict=True) for part in pair] or [np.zeros(0)]),
        None,
    )
    place = positions(starts_of(lengths))
    hit_rows = np.repeat(starts_of(judged_lengths)[:-1], lengths) + place
    places = Places(place, np.ones(len(place), dtype=np.int64), np.zeros(len(place), dtype=np.int64))
    return judged.hits(hit_rows, None, places, lengths, Policy.of(policy))


def _lists(labels: Any, what: str) -> list[Floats]:
    if isinstance(labels, (str, bytes, dict)) or not hasattr(labels, "__len__"):
        raise DataError(f"{what} is a list of lists of grades, one per query, not {type(labels).__name__}.")
    if len(labels) and not any(hasattr(label, "__len__") for label in labels):
        raise DataError(f"{what} is a list of lists, one per query. For a single query pass [{what}].")
    return [_grades(label, what, i) for i, label in enumerate(labels)]


def _grades(label: Any, what: str, i: int) -> Floats:
    try:
        grades = np.asarray(label.detach() if hasattr(label, "detach") else label, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{what}[{i}] is not a list of numbers.") from None
    if grades.ndim != 1:
        raise DataError(f"{what}[{i}] is not a flat list of numbers.")
    if not np.isfinite(grades).all():
        raise DataError(f"{what}[{i}] holds {grades[~np.isfinite(grades)][0]}. Grades are finite numbers.")
    return grades


def _each(n_relevant: Any, count: int) -> list[int | None]:
    wanted = (
        list(n_relevant) if hasattr(n_relevant, "__len__") and not isinstance(n_relevant, str) else [n_relevant] * count
    )
    if len(wanted) != count:
        raise DataError(f"n_relevant has {len(wanted)} numbers, and there are {count} queries.")
    for number in wanted:
        if number is not None and not (isinstance(number, (int, float, np.number)) and float(number).is_integer()):
            raise DataError(f"n_relevant is a whole number per query, not {number!r}.")
    return [None if number is None else int(number) for number in wanted]


def _missed(row: Floats, wanted: int | None, i: int) -> Floats:
    """Grade 1 for each relevant document that is not in the list."""
    if wanted is None:
        return np.zeros(0)
    found = int(np.count_nonzero(row >= 1))
    if wanted < found:
        raise DataError(
            f"n_relevant of labels[{i}] is {wanted}, and {found} documents in the list are relevant already."
        )
    return np.ones(wanted - found)


def _beyond(row: Floats, ideal: Floats, i: int) -> Floats:
    """The grades of the ideal list that are not in the list itself, which may hold no better ones."""
    better = np.sort(row[row > 0])[::-1][: len(ideal)]
    if (better > np.sort(ideal)[::-1][: len(better)]).any():
        raise DataError(f"ideal[{i}] is all grades there are, and labels[{i}] has better ones.")
    left = list(row)
    beyond = []
    for grade in ideal:
        if grade in left:
            left.remove(grade)
        else:
            beyond.append(grade)
    return np.array(beyond, dtype=np.float64)
