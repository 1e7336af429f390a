"""The functions over batches of rows, as Spark passes them, without Spark."""

import math

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from rankgold.engines.sql.row_values import row_values
from tests.cases import for_each
from tests.collections import examples
from tests.hivemall_facts import FUNCTION_OF, RANKED, flavour_of
from tests.sql_rows import INTEGERS, TEXTS, differing, locally_in_rows

IDS = st.sampled_from([INTEGERS, TEXTS])


def column(lists, ids=INTEGERS):
    return pl.Series(lists, dtype=pl.List(pl.String if ids is TEXTS else pl.Int64))


@examples(15)
@given(st.data(), IDS, st.integers(0, 16))
def test_every_function_gives_the_value_of_its_measure_in_every_row(data, ids, count):
    lists = st.lists(st.sampled_from(ids), unique=True, max_size=9)
    parts = {"rec": lists, "truth": lists, "k": st.one_of(st.none(), st.integers(1, 10))}
    rows = [{"id": i, **{name: data.draw(part) for name, part in parts.items()}} for i in range(count)]
    rec, truth = (column([row[side] for row in rows], ids) for side in ("rec", "truth"))
    k = pl.Series([row["k"] for row in rows], dtype=pl.Int64)
    found = {}
    for function in rankgold.sql.FUNCTIONS:
        values = row_values(function.name, rec, truth, k if function.takes_k else None).to_list()
        found |= {(i, function.name): value for i, value in enumerate(values)}
    expected = locally_in_rows(rankgold.sql.FUNCTIONS, rows)
    assert found.keys() == expected.keys()
    assert differing(expected, found) == {}


@for_each("fact", RANKED, ids=lambda fact: fact["id"])
def test_a_function_has_the_value_that_hivemall_has(fact):
    inputs = fact["input"]
    ids = TEXTS if inputs["ranked"] and isinstance(inputs["ranked"][0], str) else INTEGERS
    found = row_values(
        FUNCTION_OF[fact["metric"]],
        column([inputs["ranked"]], ids),
        column([inputs["relevant"]], ids),
        pl.Series([inputs["k"]]),
        flavour_of(fact),
    )
    assert found.to_list() == [pytest.approx(fact["expected"], abs=fact["tolerance"])]


@for_each(
    ("rec", "truth", "expected"),
    [
        (pl.Series([[1, 2]], dtype=pl.List(pl.Int32)), pl.Series([[2]], dtype=pl.List(pl.Int64)), 1.0),
        (pl.Series([[1, 2]], dtype=pl.List(pl.UInt64)), pl.Series([[-2, 2]], dtype=pl.List(pl.Int8)), 1 / 2),
        (pl.Series([[1.0, 2.5]]), pl.Series([[1, 2]]), 1 / 2),
        (pl.Series([["1", "x"]]), pl.Series([[1, 2]]), 1 / 2),
        (pl.Series([[]], dtype=pl.List(pl.Null)), pl.Series([["a"]]), 0.0),
        (pl.Series([["a"]]), pl.Series([[]], dtype=pl.List(pl.Null)), None),
    ],
)
def test_ids_of_different_types_are_compared_as_numbers_or_as_text(rec, truth, expected):
    assert row_values("recall_at", rec, truth).to_list() == [expected]


@pytest.mark.parametrize(
    ("flavour", "recall", "average"), [("rankgold", 1.0, 5 / 6), ("hivemall", 3 / 4, (1 + 2 / 3 + 3 / 4) / 4)]
)
def test_nulls_and_repeats_in_lists(flavour, recall, average):
    # 1 at ranks 1 and 4, 2 at rank 3. rankgold: two relevant documents at ranks 1 and 3. Hivemall: a truth of four
    # entries, and ranks 1, 3 and 4.
    rec, truth = column([[1, None, 2, 1]]), column([[1, None, 2, 2]])
    assert row_values("recall_at", rec, truth, None, flavour).to_list() == [recall]
    assert row_values("average_precision", rec, truth, None, flavour).to_list() == [pytest.approx(average)]
    with duckdb.connect() as connection:
        rankgold.sql.install(connection, flavour=flavour)
        query = "select recall_at(rec, truth), average_precision(rec, truth) from (select [1, NULL, 2, 1] as rec, [1, NULL, 2, 2] as truth)"
        assert connection.sql(query).fetchall() == [(recall, pytest.approx(average))]


def test_no_rows_have_no_values():
    assert row_values("ndcg", column([]), column([]), pl.Series([], dtype=pl.Int64)).to_list() == []


def test_grades_that_are_null_or_negative_gain_nothing():
    # Gains 0, 0 and 3 at ranks 1 to 3, against 3 at rank 1: (3 / log2(4)) / 3.
    items = pl.Series([[{"g": None, "i": 1}, {"g": -2, "i": 2}, {"g": 3, "i": 3}]])
    assert row_values("ndcg", items, pl.Series([[3, None]])).to_list() == [pytest.approx(1 / 2)]


@for_each("flavour", rankgold.sql.FLAVOURS)
@for_each("function", [function.name for function in rankgold.sql.FUNCTIONS])
def test_arguments_that_are_not_lists_are_errors_of_one_kind(function, flavour):
    texts, lists = pl.Series(["a"]), pl.Series([["a"]])
    with pytest.raises(rankgold.DataError, match=r"^rec must be a list, not of type String\.$"):
        row_values(function, texts, lists, None, flavour)
    with pytest.raises(rankgold.DataError, match=r"^truth must be a list, not of type String\.$"):
        row_values(function, lists, texts, None, flavour)
    with pytest.raises(rankgold.DataError, match=r"truth of type Struct.*, whose documents cannot be compared\.$"):
        row_values(function, lists, pl.Series([[{"a": 1}]]), None, flavour)
    nothing = row_values(function, pl.Series([None]), lists, None, "rankgold")
    assert nothing.to_list() == [None]


def test_grades_that_are_not_numbers_are_errors():
    items = pl.Series([[{"itemid": "a", "relscore": 1}]])
    with pytest.raises(rankgold.DataError, match="a grade in the field relscore, or in the first one; 'x' is no grade"):
        row_values("ndcg", pl.Series([[{"x": "a", "y": 1}]]), pl.Series([[1]]))
    with pytest.raises(rankgold.DataError, match="truth must be a list of all grades: String"):
        row_values("ndcg", items, pl.Series([["a"]]))
    # The field relscore is the grade wherever it is.
    assert row_values("ndcg", items, pl.Series([[1]])).to_list() == [1.0]


def test_grades_that_overflow_are_errors_with_exponential_gain_only():
    # 1 at rank 1 and 5,000 at rank 2: (1 + 5000 / log2(3)) / (5000 + 1 / log2(3)).
    items, grades = pl.Series([[{"relscore": 1}, {"relscore": 5000}]]), pl.Series([[5000, 1]])
    expected = (1 + 5000 / math.log2(3)) / (5000 + 1 / math.log2(3))
    assert row_values("ndcg", items, grades).to_list() == [pytest.approx(expected)]
    with pytest.raises(rankgold.MeasureError, match=r"2\^5000 is beyond what a number can hold"):
        row_values("ndcg", items, grades, None, "hivemall")


def test_a_graded_value_of_hivemall_may_be_nan_or_infinite():
    items = pl.Series([[{"relscore": 0.0, "itemid": 1}], [{"relscore": 1.0, "itemid": 1}]])
    nothing, infinite = row_values("ndcg", items, pl.Series([[0.0], [0.0]]), None, "hivemall").to_list()
    assert math.isnan(nothing)
    assert math.isinf(infinite)


def test_a_cutoff_must_be_a_whole_number():
    with pytest.raises(rankgold.DataError, match=r"k must be a whole number, not 1\.5"):
        row_values("mrr", column([[1]]), column([[1]]), pl.Series([1.5]))
    with pytest.raises(rankgold.DataError, match=r"k must be a whole number, not 1\.5"):
        row_values("mrr", column([[1]]), column([[1]]), pl.Series([1.5]), "hivemall")
    with pytest.raises(rankgold.DataError, match=r"k must be a whole number, not of type String"):
        row_values("mrr", column([[1]]), column([[1]]), pl.Series(["2"]))
