"""The functions on Spark: the numbers of the local engine, and Hivemall's, from SQL, DataFrames and Spark Connect."""

import math

import duckdb
import polars as pl
import pytest

import rankgold
from tests.seed_tables import BINARY, GRADED, PRINTED, PRINTED_GRADED, TABLES
from tests.spark import sessions
from tests.sql_rows import (
    INTEGERS,
    TEXTS,
    differing,
    locally,
    locally_graded,
    locally_in_rows,
    made_graded_rows,
    made_rows,
)

pytestmark = pytest.mark.spark

LISTS = {"integers": ("bigint", INTEGERS), "text": ("string", TEXTS)}


@pytest.fixture
def installed(spark):
    rankgold.sql.install(spark)
    return spark


@pytest.mark.parametrize("kind", LISTS)
def test_every_function_gives_the_value_of_its_measure(installed, kind):
    of, ids = LISTS[kind]
    rows = made_rows(ids, 200)
    frame = installed.createDataFrame(rows, f"id int, rec array<{of}>, truth array<{of}>, k int")
    calls = [
        f"{function.name}(rec, truth{', k' * function.takes_k}) as {function.name}"
        for function in rankgold.sql.FUNCTIONS
    ]
    found = {row["id"]: row for row in frame.selectExpr("id", *calls).collect()}
    assert len(rows) >= 100
    expected = locally_in_rows(rankgold.sql.FUNCTIONS, rows)
    assert differing(expected, {(row, name): found[row][name] for row, name in expected}) == {}


def test_graded_ndcg_gives_the_value_of_the_measure(installed):
    rows = made_graded_rows(150)
    given = [{**row, "rec": [(float(g), str(i)) for i, g in enumerate(row["rec"])]} for row in rows]
    kind = "id int, rec array<struct<relscore: double, itemid: string>>, truth array<int>, k int"
    found = {
        row["id"]: row["v"]
        for row in installed.createDataFrame(given, kind).selectExpr("id", "ndcg(rec, truth, k) v").collect()
    }
    for row in rows:
        expected = locally_graded(row["rec"], row["truth"], row["k"])
        assert found[row["id"]] == (None if expected is None else pytest.approx(expected, abs=1e-12)), row


# rec = [1, 3, 2, 6], truth = [1, 2, 4]: what Hivemall's documentation prints for the whole list and for the top 2.
def test_functions_are_there_in_sql_and_for_data_frames(installed):
    from pyspark.sql import functions as F

    assert tuple(
        installed.sql("select recall_at(array(1, 3, 2, 6), array(1, 2, 4)), mrr(array('a', 'b'), array('b'))").first()
    ) == (2 / 3, 1 / 2)
    frame = installed.createDataFrame([([1, 3, 2, 6], [1, 2, 4])], "rec array<int>, truth array<bigint>")
    row = frame.select(
        F.call_function("average_precision", "rec", "truth", F.lit(2)), F.expr("auc(rec, truth, k => 4)")
    ).first()
    assert tuple(row) == (pytest.approx(1 / 3), 0.75)


def test_null_and_empty_lists_cutoffs_below_1_and_repeated_documents(installed):
    calls = {
        "recall_at(cast(null as array<int>), array(1))": None,
        "recall_at(array(1), cast(null as array<int>))": None,
        "recall_at(array(1), array())": None,
        "recall_at(array(), array(1))": 0.0,
        "frp(array(), array(1), 2)": 3.0,
        "mr(array(), array(1))": None,
        "recall_at(array(1), array(1), 0)": None,
        "recall_at(array(1), array(1), -1)": None,
        "precision_at(array(1), array(1), 4)": 1 / 4,
        "recall_at(array(1, 1, 2), array(1, 2))": 1.0,
        "average_precision(array(5, 1, 1, 2), array(1, 2))": 1 / 2,
        "average_precision(array(1, null, 2), array(1, 2, null))": pytest.approx(5 / 6),
        "auc(array(1, 2), array(1, 2))": None,
        "ndcg(array(struct(0D as relscore, 1 as itemid)), array(0D))": None,
    }  # fmt: skip
    assert dict(zip(calls, installed.sql(f"select {', '.join(calls)}").first(), strict=True)) == calls


def test_no_function_takes_the_name_of_one_that_spark_has(spark):
    known = {row["function"] for row in spark.sql("show system functions").collect()}
    assert "avg" in known
    assert not known & {name for function in rankgold.sql.FUNCTIONS for name in function.names}


def test_every_name_of_a_measure_is_a_function(installed):
    names = [(function, name) for function in rankgold.sql.FUNCTIONS for name in function.names]
    calls = [f"{name}(array(1, 2, 5, 7), array(2, 5, 9){', 3' * function.takes_k})" for function, name in names]
    for (function, name), value in zip(names, installed.sql(f"select {', '.join(calls)}").first(), strict=True):
        expected = locally(function.name, [1, 2, 5, 7], [2, 5, 9], 3 if function.takes_k else None)
        assert value == pytest.approx(expected, abs=1e-12), name


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("mrr(map('a', 1), array('a'))", "rec must be a list, not of type Map(String, Int32)."),
        ("mrr(array(1))", "rr takes a list, its truth and k: rr(rec, truth, k)."),
        ("ndcg(array(struct('a' as x)), array(1))", "rec must be a list of structs with a grade in the field relscore"),
    ],
)
def test_wrong_arguments_are_errors_that_say_what_is_wrong(installed, call, told):
    from pyspark.errors import PySparkException

    with pytest.raises(PySparkException) as error:
        installed.sql(f"select {call}").collect()
    assert f"rankgold.core.errors.DataError: {told}" in str(error.value)


@pytest.mark.parametrize("flavour", ["hivemall", "hivemall-code"])
def test_hivemalls_functions_have_the_values_that_they_have_in_duckdb(spark, flavour):
    """Two implementations of one definition: formulas in SQL, and rankgold's measures over batches."""
    rows = pl.DataFrame(
        made_rows(INTEGERS, 100, unique=False, nulls=True),
        schema={"id": pl.Int64, "rec": pl.List(pl.Int64), "truth": pl.List(pl.Int64), "k": pl.Int64},
    )
    calls = [
        f"{function.name}(rec, truth{', k' * function.takes_k}) as {function.name}"
        for function in rankgold.sql.FUNCTIONS
        if function.in_duckdb
    ]
    query = f"select id, {', '.join(calls)} from t group by id order by id"
    with duckdb.connect() as connection:
        expected = rankgold.sql.run(query, connection, {"t": rows}, flavour=flavour).fetchall()
    found = [tuple(row) for row in rankgold.sql.run(query, spark, {"t": rows}, flavour=flavour).collect()]
    assert len(found) == len(expected) == len(rows) >= 50
    for row, expected_row in zip(found, expected, strict=True):
        assert row == pytest.approx(expected_row, abs=1e-12, nan_ok=True)
    assert any(math.isnan(value) for row in found for value in row)


def test_hivemalls_functions_are_aggregates(spark):
    rankgold.sql.install(spark, flavour="hivemall")
    try:
        rows = "values (1, array(1, 2), array(1)), (1, array(2, 1), array(1)), (1, array(1), null), (2, null, array(1)) as t(g, rec, truth)"
        query = f"select g, mrr(rec, truth), precision_at(rec, truth, 1), ndcg(rec, truth) from {rows} group by g order by g"
        # Reciprocal ranks 1 and 1/2; one of two first places is relevant; NDCG 1 and 1 / log2(3). The truth that is
        # null is skipped, and the list that is null is empty.
        assert [tuple(row) for row in spark.sql(query).collect()] == [
            (1, 3 / 4, 1 / 2, pytest.approx((1 + 1 / math.log2(3)) / 2)),
            (2, 0.0, 0.0, 0.0),
        ]
    finally:
        rankgold.sql.install(spark)


def test_hivemalls_rules_for_no_rows_and_negative_cutoffs(spark):
    from pyspark.errors import PySparkException

    rows = {"t": [{"rec": [1, 2], "truth": [1]}]}
    query = "select mrr(rec, truth), precision_at(rec, truth, 0) from t where truth is null"
    assert tuple(rankgold.sql.run(query, spark, rows).first()) == (0.0, 0.0)
    assert math.isnan(rankgold.sql.run("select precision_at(rec, truth, 0) from t", spark, rows).first()[0])
    with pytest.raises(PySparkException, match="k must be a whole number from 0, not -1"):
        rankgold.sql.run("select mrr(rec, truth, -1) from t", spark, rows).collect()


def test_a_translated_expression_is_a_column(spark):
    from pyspark.sql import functions as F

    frame = spark.createDataFrame([("a", 0.5), ("b", 0.9), ("c", 0.1)], "item string, score double")
    best = F.expr(rankgold.sql.translated("to_ordered_list(item, score, '-k 2')", "spark"))
    assert frame.agg(best).first()[0] == ["b", "a"]


def test_data_frames_of_spark_are_tables(spark):
    frame = spark.createDataFrame([([2, 1], [1])], "rec array<int>, truth array<int>")
    assert rankgold.sql.run("select mrr(rec, truth) from t", spark, {"t": frame}).first()[0] == 1 / 2
    with duckdb.connect() as connection:
        assert rankgold.sql.run("select mrr(rec, truth) from t", connection, {"t": frame}).fetchall() == [(1 / 2,)]


def test_the_functions_are_there_through_spark_connect():
    from pyspark.sql.connect import functions as F

    connected = sessions()["connect"]
    assert type(connected).__module__ == "pyspark.sql.connect.session"
    rankgold.sql.install(connected)
    frame = connected.createDataFrame([([1, 3, 2, 6], [1, 2, 4])], "rec array<int>, truth array<int>")
    columns = [F.call_function("recall_at", "rec", "truth", F.lit(2)), F.expr("ndcg(array(1, 2), array(2))")]
    assert tuple(frame.select(*columns).first()) == (1 / 3, 1 / math.log2(3))
    found = rankgold.sql.run(BINARY, connected, TABLES).first()
    assert tuple(found) == pytest.approx(tuple(PRINTED.values()), abs=1e-12)
    assert tuple(rankgold.sql.run(GRADED, connected, TABLES).first()) == pytest.approx(PRINTED_GRADED, abs=1e-12)
    with pytest.raises(rankgold.DataError, match=r"the query: Spark says: \[UNRESOLVED_COLUMN"):
        rankgold.sql.run("select nosuch from dummy_rec", connected, TABLES)
