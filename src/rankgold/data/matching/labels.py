"""Makes Hits of grades in ranked order, and of lists of ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from rankgold.core.errors import DataError, brief, counted
from rankgold.core.hits import Hits
from rankgold.core.policy import Policy
from rankgold.core.segments import Floats, Ints, count_true, positions, starts_of
from rankgold.data.dicts import has_numbers, is_series, nested
from rankgold.data.matching.array_rows import as_rows, pair_queries, query_names
from rankgold.data.matching.dict_judgements import DictJudgements
from rankgold.data.matching.judgements import Judgements, Retrieval
from rankgold.data.matching.ranks import Places
from rankgold.data.query_lists import ListReader

# The most documents of n_relevant that are not in the lists, in all: about 1 GB.
_MOST_RELEVANT = 10_000_000


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
    retrieved or not; those beyond the ones in the list have grade 1. `ideal` gives all grades of a query instead. Both
    belong to the labels by position. If all of them are pandas Series they belong together by their index, which then
    names the queries too.

    >>> import rankgold
    >>> rankgold.evaluate(rankgold.from_labels([[1, 0, 1, 0, 1]]), ["ap", "p@2"]).means
    {'ap': 0.7555555555555555, 'p@2': 0.5}
    """
    if n_relevant is not None and ideal is not None:
        raise DataError("n_relevant and ideal cannot be combined. Pass one of them.")
    each = None if _is_single(n_relevant) else n_relevant
    paired, queries = pair_queries({"labels": labels, "n_relevant": each, "ideal": ideal}, queries)
    n_relevant = n_relevant if each is None else paired["n_relevant"]
    grade, lengths = _flat(as_rows(paired["labels"]), "labels")
    count = len(lengths)
    extra: Floats = np.zeros(0)
    more: Ints = np.zeros(count, dtype=np.int64)
    if n_relevant is not None:
        more = _missed(grade, lengths, n_relevant)
        extra = np.ones(int(more.sum()))
    elif ideal is not None:
        extra, more = _beyond_all(grade, lengths, as_rows(paired["ideal"]))
    starts = starts_of(lengths)
    all_starts = starts_of(lengths + more)
    place = positions(starts)
    rows = np.repeat(all_starts[:-1], lengths) + place
    all_grades = np.empty(all_starts[-1])
    is_extra = np.ones(len(all_grades), dtype=bool)
    is_extra[rows] = False
    all_grades[rows], all_grades[is_extra] = grade, extra
    query = np.repeat(np.arange(count), lengths + more)
    judgements = Judgements.of(query_names(queries, count), query, all_grades, None)
    return judgements.hits(Retrieval(rows, None, Places.without_ties(place), lengths), Policy.of(policy))


def _flat(labels: object, what: str) -> tuple[Floats, Ints]:
    """All grades, one list after the other, and how long each list is."""
    if isinstance(labels, np.ndarray) and labels.ndim == 2 and labels.dtype.kind in "iuf" and len(labels):
        grade, lengths = labels.reshape(-1).astype(np.float64), np.full(len(labels), labels.shape[1], dtype=np.int64)
        if np.isfinite(grade).all():
            return grade, lengths
    if isinstance(labels, list) and labels and {list} == set(map(type, labels)):
        numbers = list(chain.from_iterable(labels))
        if {int, float, bool}.issuperset(map(type, numbers)):
            flat = _floats(numbers)
            if np.isfinite(flat).all():
                return flat, np.fromiter(map(len, labels), dtype=np.int64, count=len(labels))
    rows = _lists(labels, what)
    return np.concatenate([np.zeros(0), *rows]), np.array([len(row) for row in rows], dtype=np.int64)


def _floats(numbers: list[float]) -> Floats:
    try:
        return np.array(numbers, dtype=np.float64)
    except OverflowError:
        return np.full(len(numbers), np.inf)


def _lists(labels: Any, what: str) -> list[Floats]:
    if isinstance(labels, (str, bytes, dict)) or not hasattr(labels, "__len__"):
        raise DataError(f"{what} must be a list of lists of grades, one per query, not {type(labels).__name__}.")
    if len(labels) and not any(hasattr(label, "__len__") for label in labels):
        raise DataError(f"{what} must be a list of lists, one per query. For a single query pass [{what}].")
    return [_grades(label, what, i) for i, label in enumerate(labels)]


def _grades(label: object, what: str, i: int) -> Floats:
    try:
        grades = np.asarray(label.detach() if hasattr(label, "detach") else label, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{what}[{i}] is not a list of numbers.") from None
    if grades.ndim != 1:
        raise DataError(f"{what}[{i}] is not a flat list of numbers.")
    if not np.isfinite(grades).all():
        raise DataError(f"{what}[{i}] holds {grades[~np.isfinite(grades)][0]}. Grades must be finite numbers.")
    return grades


def _each(n_relevant: Any, count: int) -> list[int | None]:
    if isinstance(n_relevant, Mapping):
        raise DataError("n_relevant must be a number, or a list of numbers in the order of labels, not a dict.")
    if _is_single(n_relevant):
        wanted = [n_relevant.item() if hasattr(n_relevant, "item") else n_relevant] * count
    else:
        wanted = n_relevant.tolist() if hasattr(n_relevant, "tolist") else list(n_relevant)
    if len(wanted) != count:
        raise DataError(f"n_relevant has {counted(len(wanted), 'number')} for {counted(count, 'query')}.")
    for number in wanted:
        is_whole = isinstance(number, (float, np.floating)) and float(number).is_integer()
        if number is not None and not (is_whole or isinstance(number, (int, np.integer))):
            raise DataError(f"n_relevant must be a whole number per query, not {number!r}.")
    return [None if number is None else int(number) for number in wanted]


def _is_single(n_relevant: object) -> bool:
    """Whether this is one number for all queries."""
    is_array_of_one = getattr(n_relevant, "shape", None) == ()
    return isinstance(n_relevant, str) or is_array_of_one or not hasattr(n_relevant, "__len__")


def _missed(grade: Floats, lengths: Ints, n_relevant: object) -> Ints:
    """The number of relevant documents of each query that are not in its list."""
    found = count_true(grade >= 1, starts_of(lengths))
    wanted = _each(n_relevant, len(lengths))
    for i, (number, here) in enumerate(zip(wanted, found.tolist(), strict=True)):
        if number is not None and number < here:
            raise DataError(
                f"n_relevant of labels[{i}] is {number}, and {here} documents in the list are relevant already."
            )
    missed = [0 if number is None else number - here for number, here in zip(wanted, found.tolist(), strict=True)]
    if sum(missed) > _MOST_RELEVANT:
        raise DataError(
            f"n_relevant counts {brief(sum(missed))} documents that are not in the lists, and can count at most"
            f" {_MOST_RELEVANT:,}. Evaluate fewer queries at once."
        )
    return np.array(missed, dtype=np.int64)


def _beyond_all(grade: Floats, lengths: Ints, ideal: object) -> tuple[Floats, Ints]:
    """The grades of the ideal lists that are not in the lists themselves, and how many each query has of these."""
    best = _lists(ideal, "ideal")
    if len(best) != len(lengths):
        raise DataError(
            f"ideal has {counted(len(best), 'list')} and labels has {len(lengths)}. They need one per query each."
        )
    rows = np.split(grade, starts_of(lengths)[1:-1]) if len(lengths) else []
    beyond = [_beyond(row, all_, i) for i, (row, all_) in enumerate(zip(rows, best, strict=True))]
    return np.concatenate([np.zeros(0), *beyond]), np.array([len(more) for more in beyond], dtype=np.int64)


def _beyond(row: Floats, ideal: Floats, i: int) -> Floats:
    """The grades of the ideal list that are not in the list itself, which may hold no better ones."""
    better = np.sort(row[row > 0])[::-1][: len(ideal)]
    if (better > np.sort(ideal)[::-1][: len(better)]).any():
        raise DataError(f"ideal[{i}] is all grades there are, and labels[{i}] has better ones.")
    left = Counter(row.tolist())
    beyond = []
    for grade in ideal.tolist():
        if left[grade]:
            left[grade] -= 1
        else:
            beyond.append(grade)
    return np.array(beyond, dtype=np.float64)


def from_lists(
    ranked: Sequence[Sequence[Any]],
    truth: Sequence[Any],
    *,
    queries: Sequence[Any] | None = None,
    policy: Policy | str | None = None,
) -> Hits:
    """Hits from lists of document ids, best first, and for each the relevant ids, or a mapping from id to grade.

    The entries belong together by position. Those of two pandas Series belong together by their index, which then
    names the queries too.

    >>> import rankgold
    >>> rankgold.evaluate(rankgold.from_lists([[1, 3, 2, 6]], [[1, 2, 4]]), ["recall@4", "ap"]).means
    {'recall@4': 0.6666666666666666, 'ap': 0.5555555555555555}
    """
    for given, what in ((ranked, "ranked"), (truth, "truth")):
        if isinstance(given, (str, bytes, Mapping)) or not hasattr(given, "__len__"):
            raise DataError(f"{what} must be a list with one entry per query, not {type(given).__name__}.")
    paired, queries = pair_queries({"ranked": ranked, "truth": truth}, queries)
    ranked, truth = (as_rows(part) for part in paired.values())
    if len(ranked) != len(truth):
        raise DataError(
            f"ranked has {counted(len(ranked), 'query')} and truth has {len(truth)}."
            " They need one entry per query each."
        )
    names = query_names(queries, len(ranked))
    for i, (query, entry) in enumerate(zip(names, ranked, strict=True)):
        if isinstance(entry, Mapping) or (is_series(entry) and has_numbers(entry, query, "ranked")):
            raise DataError(
                f"ranked[{i}] has numbers for its documents. ranked holds lists of ids, best first; truth may hold"
                " grades. The two may be swapped."
            )
    policy = Policy.of(policy)
    relevant, listed = ListReader("qrels", "first", "truth"), ListReader("run", policy.repeats, "ranked")
    qrels = nested(dict(zip(names, map(_plain, truth), strict=True)), relevant)
    run = nested(dict(zip(names, map(_plain, ranked), strict=True)), listed)
    return DictJudgements.of(qrels, relevant.remarks).match(run, policy, remarks=listed.remarks)


def _plain(entry: object) -> object:
    """Columns as lists. An array stays one: -1 at its end is no document. A Series may have documents in its index."""
    if hasattr(entry, "tolist") and type(entry).__name__ != "ndarray" and not is_series(entry):
        return entry.tolist()
    return entry
