"""Rows for the SQL functions, and their values in the local engine."""

import math

from hypothesis import given
from hypothesis import strategies as st

import rankgold
from tests.collections import examples

INTEGERS = (1, 2, 3, 4, 5, 6, 7, -1, 2**40)
TEXTS = ("1", "10", "a", "A", "é", "o'clock", 'x"y', "%", "日本")


def locally(measure, ranked, truth, k=None):
    """The measure of the local engine, None where it is undefined."""
    if not truth:
        return None
    measure = measure if k is None else f"{measure}@{k}"
    hits = rankgold.from_lists([ranked], [truth], policy="no_relevant=undefined")
    value = float(rankgold.evaluate(hits, [measure]).values(measure)[0])
    return None if math.isnan(value) else value


def locally_in_rows(functions, rows):
    """(id of a row, name of a function) -> the measure of the local engine, None where it is undefined.

    All functions of all rows with the same cutoff are evaluated at once.
    """
    values = dict.fromkeys((row["id"], function.name) for row in rows for function in functions)
    for k in {row["k"] for row in rows if row["truth"]}:
        alike = [row for row in rows if row["k"] == k and row["truth"]]
        ranked, truth = ([row[side] for row in alike] for side in ("rec", "truth"))
        hits = rankgold.from_lists(ranked, truth, policy="no_relevant=undefined")
        measures = {f.name: f.name if k is None or not f.takes_k else f"{f.name}@{k}" for f in functions}
        scores = rankgold.evaluate(hits, list(measures.values()))
        for name, measure in measures.items():
            for row, value in zip(alike, scores.values(measure), strict=True):
                values[row["id"], name] = None if math.isnan(value) else float(value)
    return values


def differing(expected, found):
    """Those of the expected values, by row and function, that are not the ones found within 1e-12."""
    pairs = {key: (value, found[key]) for key, value in expected.items()}
    return {
        key: (a, b)
        for key, (a, b) in pairs.items()
        if (b is not None if a is None else b is None or not abs(a - b) <= 1e-12)
    }


def locally_graded(grades, all_grades, k):
    """The graded NDCG of the local engine, None where it is undefined."""
    measure = "ndcg" if k is None else f"ndcg@{k}"
    hits = rankgold.from_labels([grades], ideal=[all_grades], policy="no_relevant=undefined")
    value = float(rankgold.evaluate(hits, [measure]).values(measure)[0])
    return None if math.isnan(value) or max(all_grades, default=0) <= 0 else value


def made_rows(ids, count, *, unique=True, nulls=False):
    """Rows of a list, a truth and a cutoff, made by hypothesis, to be evaluated in one query."""
    lists = st.lists(st.sampled_from(ids), unique=unique, max_size=12)
    some = st.one_of(st.none(), lists) if nulls else lists
    rows = []

    @examples(count)
    @given(some, some, st.one_of(st.none(), st.integers(0 if nulls else 1, 12)))
    def collect(ranked, truth, k):
        rows.append({"id": len(rows), "rec": ranked, "truth": truth, "k": k})

    collect()
    return rows


def made_graded_rows(count):
    """Rows of the grades of a list, all grades, and a cutoff."""
    grades = st.lists(st.integers(-1, 4), max_size=8)
    rows = []

    @examples(count)
    @given(grades, grades, st.one_of(st.none(), st.integers(1, 10)))
    def collect(listed, others, k):
        rows.append({"id": len(rows), "rec": listed, "truth": listed + others, "k": k})

    collect()
    return rows
