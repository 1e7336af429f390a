"""The functions in DuckDB as Hivemall had them: aggregates with its rules, and its ordered lists and maps."""

import math

import duckdb
import pytest

import rankgold
from tests.cases import for_each
from tests.hivemall_facts import FUNCTION_OF, ORDERED, RANKED, call_of, entries, flavour_of, rows_of
from tests.shell import printed

# Those that DuckDB has.
FUNCTIONS = [function for function in rankgold.sql.FUNCTIONS if function.in_duckdb]


FLAVOURS = ("hivemall", "hivemall-code")


@pytest.fixture(scope="module")
def connections():
    """Flavour -> a connection with its functions."""
    opened = {flavour: duckdb.connect() for flavour in FLAVOURS}
    for flavour, connection in opened.items():
        rankgold.sql.install(connection, flavour=flavour)
    yield opened
    for connection in opened.values():
        connection.close()


@pytest.fixture(params=FLAVOURS)
def either(connections, request):
    return connections[request.param]


@pytest.fixture
def hivemall(connections):
    return connections["hivemall"]


def over(connection, call, *rows):
    """An aggregate over rows of (rec, truth)."""
    table = "UNION ALL ".join(f"SELECT {rec}::BIGINT[] AS rec, {truth}::BIGINT[] AS truth " for rec, truth in rows)
    return connection.sql(f"SELECT {call} FROM ({table})").fetchall()[0][0]


@for_each("fact", RANKED, ids=lambda fact: fact["id"])
def test_a_function_has_the_value_that_hivemall_has(connections, fact):
    given = fact["input"]
    kind = "VARCHAR" if given["ranked"] and isinstance(given["ranked"][0], str) else "BIGINT"
    call = f"{FUNCTION_OF[fact['metric']]}($1::{kind}[], $2::{kind}[], $3)"
    arguments = [given["ranked"], given["relevant"], given["k"]]
    value = connections[flavour_of(fact)].execute(f"SELECT {call}", arguments).fetchall()[0][0]
    assert value == pytest.approx(fact["expected"], abs=fact["tolerance"])


@pytest.mark.parametrize(("flavour", "expected"), [("hivemall", 5 / 9), ("hivemall-code", 5 / 6)])
def test_the_two_denominators_of_average_precision(connections, flavour, expected):
    # [1, 3, 2, 6] with 1, 2 and 4 relevant: 1/1 + 2/3 over the three relevant ones, or over the two found.
    value = over(connections[flavour], "average_precision(rec, truth)", ("[1, 3, 2, 6]", "[1, 2, 4]"))
    assert value == pytest.approx(expected)


def test_a_value_is_the_mean_over_the_rows(hivemall):
    # Reciprocal ranks 1/1 and 1/2.
    assert over(hivemall, "mrr(rec, truth)", ("[1, 2]", "[1]"), ("[2, 1]", "[1]")) == 3 / 4


def test_a_row_with_a_null_truth_is_skipped(hivemall):
    assert over(hivemall, "mrr(rec, truth)", ("[2, 1]", "[1]"), ("[1]", "NULL")) == 1 / 2
    assert over(hivemall, "recall_at(rec, truth)", ("[1]", "NULL")) == 0.0


def test_a_null_list_is_an_empty_list(hivemall):
    assert over(hivemall, "mrr(rec, truth)", ("[1]", "[1]"), ("NULL", "[1]")) == 1 / 2
    assert over(hivemall, "precision_at(rec, truth, 2)", ("NULL", "[]")) == 1.0
    # rankgold's own functions follow: a list without documents finds none of the relevant ones.
    assert over(hivemall, "cg(rec, truth)", ("[1]", "[1]"), ("NULL", "[1]")) == 1 / 2


@for_each("function", [function.name for function in FUNCTIONS])
def test_without_rows_a_value_is_0(either, function):
    call = f"{function}(rec, truth)"
    assert either.sql(f"SELECT {call} FROM (SELECT [1] AS rec, [1] AS truth) WHERE false").fetchall() == [(0.0,)]


@for_each("function", FUNCTION_OF.values())
def test_a_negative_cutoff_is_an_error(either, function):
    with pytest.raises(duckdb.Error, match="k must be a whole number from 0, not -1"):
        over(either, f"{function}(rec, truth, -1)", ("[1]", "[1]"))


def test_precision_at_0_is_not_a_number_and_the_others_at_0_are(hivemall):
    assert math.isnan(over(hivemall, "precision_at(rec, truth, 0)", ("[1, 2]", "[1]")))
    for function, expected in {
        "recall_at": 0,
        "average_precision": 0,
        "mrr": 0,
        "ndcg": 0,
        "hitrate": 0,
        "auc": 0.5,
    }.items():
        assert over(hivemall, f"{function}(rec, truth, 0)", ("[1, 2]", "[1]")) == expected


def graded(connection, grades, truth, k):
    items = "list_transform($1::DOUBLE[], lambda g, i: {'relscore': g, 'itemid': i})"
    return connection.execute(f"SELECT ndcg({items}, $2::DOUBLE[], $3)", [grades, truth, k]).fetchall()[0][0]


def test_graded_ndcg_without_ideal_gain_is_not_a_number(either):
    assert math.isnan(graded(either, [0, 0, 0], [0, 0, 0], 3))


def test_graded_ndcg_takes_the_truth_in_the_order_in_which_it_is_given(either):
    assert graded(either, [5, 2, 4, 1, 3], [5, 4, 3], 3) == pytest.approx(0.9187707805346093, abs=1e-12)
    # Gains 3 and 1 against an ideal of 1 and 3: (3 + 1/log2(3)) / (1 + 3/log2(3)).
    discount = 1 / math.log2(3)
    assert graded(either, [2, 1], [1, 2], 2) == pytest.approx((3 + discount) / (1 + 3 * discount))


@for_each("fact", ORDERED, ids=lambda fact: fact["id"])
def test_ordered_lists_and_maps_without_translation(hivemall, fact):
    call = call_of(fact)
    for kind in ("kv", "vk"):  # the type of what a macro gives does not depend on a text: maps have names of their own
        if f"-{kind}_map" in call and fact["input"]["keys"] is not None:
            call = call.replace("to_ordered_list", f"to_ordered_{kind}_map")
    rows = rows_of(fact)
    hivemall.register("rows_of_fact", rows)
    if fact["expected_kind"] == "error":
        with pytest.raises(duckdb.Error, match=r"whole number other than 0|-kv_map and -vk_map"):
            hivemall.sql(f"SELECT {call} FROM rows_of_fact").fetchall()
    else:
        value = hivemall.sql(f"SELECT {call} FROM rows_of_fact").fetchall()[0][0]
        assert entries(value) == fact["expected"]


def test_equal_keys_are_ordered_by_value(hivemall):
    rows = "(VALUES ('b', 1), ('c', 1), ('a', 1)) AS t(value, key)"
    query = f"SELECT to_ordered_list(value, key), to_ordered_list(value, key, '-reverse') FROM {rows}"
    assert hivemall.sql(query).fetchall() == [(["a", "b", "c"], ["c", "b", "a"])]


def test_a_row_without_key_is_ignored(hivemall):
    rows = "(VALUES ('b', 1), ('c', NULL), (NULL, 2)) AS t(value, key)"
    query = f"SELECT to_ordered_list(value, key), to_ordered_map(key, value) FROM {rows}"
    assert hivemall.sql(query).fetchall() == [(["b"], {1: "b", 2: None})]


@for_each("options", ["-K 2", "-k", "-k two", "reverse", "-reversed", "-k 2; drop table y", "-"])
def test_unknown_options_are_an_error(hivemall, options):
    with pytest.raises(duckdb.Error, match="options are -k N, -reverse, -dedup, -kv_map and -vk_map, not: "):
        hivemall.execute("SELECT to_ordered_list(v, v, $1) FROM (SELECT 1 AS v)", [options]).fetchall()


@pytest.mark.parametrize("flavour", rankgold.sql.FLAVOURS)
def test_the_printed_script_makes_the_functions_of_the_flavour_without_rankgold(flavour):
    call = "average_precision(rec, truth), mrr(rec, truth), ndcg(rec, truth, 2)"
    rows = "(VALUES ([3, 1, 2], [2, 5]), ([1], NULL)) AS t(rec, truth)"
    with duckdb.connect() as plain, duckdb.connect() as connection:
        plain.execute(printed("sql", "--print", "duckdb", "--flavour", flavour))
        rankgold.sql.install(connection, flavour=flavour)
        values = plain.sql(f"SELECT {call} FROM {rows}").fetchall()
        assert len(values) == (2 if flavour == "rankgold" else 1)
        assert values == connection.sql(f"SELECT {call} FROM {rows}").fetchall()


def test_a_flavour_that_does_not_exist_is_an_error():
    with pytest.raises(
        rankgold.DataError, match="flavour must be one of rankgold, hivemall, hivemall-code, not 'hive'"
    ):
        rankgold.sql.install(duckdb.connect(), flavour="hive")
