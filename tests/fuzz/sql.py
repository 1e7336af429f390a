"""The part `sql`: lists, truths and cutoffs in DuckDB -> every SQL function has the value of the reference."""

import math
from dataclasses import dataclass
from functools import cache

import duckdb
from hypothesis import strategies as st

import rankgold
from tests import reference
from tests.fuzz.cases import same
from tests.fuzz.failure import COUNTS, Failure, tracebacks

IDS = {
    "bigint": st.sampled_from([0, 1, 2, 3, 4, 5, -1, 2**40, 2**63 - 1, -(2**63)]),
    "varchar": st.sampled_from(
        ["", "1", "10", "a", "A", "é", "e\u0301", "o'clock", 'x"y', "%", "日本", "😀", " a", "a "]
    ),
    "double": st.sampled_from([0.0, 1.0, 1.5, -1.0, 1e300]),
    "date": st.sampled_from(["2020-01-01", "2020-01-02", "1969-12-31", "0001-01-01"]),
    "boolean": st.booleans(),
}
POLICY = rankgold.Policy.of("no_relevant=undefined")

# Those that DuckDB has.
FUNCTIONS = [function for function in rankgold.sql.FUNCTIONS if function.in_duckdb]


@dataclass(frozen=True)
class Row:
    """The arguments of a function: a ranked list, a truth, and a cutoff."""

    type: str
    ranked: list | None
    truth: list | None
    k: int | None


@cache
def connection():
    made = duckdb.connect(config={"threads": 1})
    rankgold.sql.install(made)
    return made


def sql(data):
    """A few rows, in one query with all functions."""
    type_ = data.draw(st.sampled_from(sorted(IDS)))
    lists = st.none() | st.lists(IDS[type_] | st.none(), max_size=10) | st.lists(IDS[type_], max_size=10)
    cutoffs = st.none() | st.integers(-1, 12)
    rows = data.draw(st.lists(st.builds(Row, st.just(type_), lists, lists, cutoffs), min_size=1, max_size=8))
    for with_k in (False, True):
        functions = [function for function in FUNCTIONS if function.takes_k or not with_k]
        given = [row for row in rows if row.k is not None] if with_k else rows
        if given:
            check(functions, given, with_k)


def check(functions, rows, with_k):
    calls = ", ".join(f"{function.name}(rec, truth{', k' if with_k else ''})" for function in functions)
    type_ = rows[0].type
    with tracebacks("sql", rows):
        connection().execute(f"create or replace temp table given (place int, rec {type_}[], truth {type_}[], k int)")
        given = [value for i, row in enumerate(rows) for value in (i, row.ranked, row.truth, row.k)]
        connection().execute(f"insert into given values {', '.join(['(?, ?, ?, ?)'] * len(rows))}", given)
        results = connection().execute(f"select {calls} from given order by place").fetchall()
    for row, values in zip(rows, results, strict=True):
        for function, value in zip(functions, values, strict=True):
            COUNTS["values compared"] += 1
            expected = expected_value(function, row, row.k if with_k else None)
            if (value is None) != (expected is None) or (value is not None and not same(value, expected)):
                raise Failure(f"sql: {function.name}", f"{value}, not {expected}; with k: {with_k}", row)


def expected_value(function, row, k):
    """As docs/duckdb.md has it: NULL for what is undefined; a repeated document and NULL take a place and are not relevant."""
    if row.ranked is None or row.truth is None or (k is not None and k < 1):
        return None
    truth = [(document, 1) for document in dict.fromkeys(row.truth) if document is not None]
    if not truth:
        return None
    ranked = [
        (document if document is not None and document not in row.ranked[:place] else f"place {place}", -place)
        for place, document in enumerate(row.ranked)
    ]
    measure = reference.Measure.of(rankgold.parse_measure(function.name if k is None else f"{function.name}@{k}"))
    value = reference.evaluate({"q": truth}, {"q": ranked}, [measure], POLICY)["q"][measure]
    return None if math.isnan(value) else value
