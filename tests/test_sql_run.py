"""Whole queries by rankgold.sql.run, as Hivemall's users wrote them, in DuckDB and on Spark."""

import gc
import sqlite3
import subprocess
import sys
import weakref
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankgold
from rankgold.engines.sql.call_rewriting import OrderOptions
from rankgold.engines.sql.functions import FORMULAS
from rankgold.engines.sql.macro_script import script
from tests.cases import for_each
from tests.hivemall_facts import LISTS, ORDERED, call_of, entries, rows_of
from tests.seed_tables import BINARY, GRADED, PRINTED, PRINTED_GRADED, TABLES

ALTERNATIVE = BINARY.replace(
    "-- map_values(to_ordered_map(score, itemid, true)) as rec,\n    to_ordered_list(itemid, score, '-reverse') as rec,",
    "map_values(to_ordered_map(score, itemid, true)) as rec,",
)
HOSTILE = 'x"; drop table y; --'


@dataclass
class Engine:
    """An engine with what its results hold."""

    engine: Any

    def run(self, query, tables=None, **options):
        """The columns and rows of a query's result."""
        result = rankgold.sql.run(query, self.engine, tables, **options)
        rows = result.fetchall() if isinstance(self.engine, duckdb.DuckDBPyConnection) else map(tuple, result.collect())
        return list(result.columns), list(rows)

    def rows(self, query, tables=None, **options):
        return self.run(query, tables, **options)[1]


@pytest.fixture(params=["duckdb", pytest.param("spark", marks=pytest.mark.spark)])
def either(request):
    if request.param == "duckdb":
        with duckdb.connect() as connection:
            yield Engine(connection)
    else:
        yield Engine(request.getfixturevalue("spark"))


def test_the_query_of_hivemalls_page_gives_the_printed_table(either):
    assert "--" in BINARY
    assert "\t" in BINARY
    columns, rows = either.run(BINARY, TABLES)
    assert columns == list(PRINTED)
    assert rows == [pytest.approx(tuple(PRINTED.values()), abs=1e-12)]


def test_the_graded_query_of_hivemalls_page_gives_the_printed_numbers(either):
    assert '"-reverse"' in GRADED
    assert either.rows(GRADED, TABLES) == [pytest.approx(PRINTED_GRADED, abs=1e-12)]


def test_the_alternative_that_the_page_has_in_a_comment_gives_the_same(either):
    assert ALTERNATIVE != BINARY
    assert either.rows(ALTERNATIVE, TABLES) == [pytest.approx(tuple(PRINTED.values()), abs=1e-12)]


def test_the_flavour_of_the_later_code_divides_average_precision_by_what_was_found(either):
    columns, rows = either.run(BINARY, TABLES, flavour="hivemall-code")
    values = dict(zip(columns, rows[0], strict=True))
    assert values["average_precision"] == pytest.approx(5 / 6)
    assert values["average_precision_at_2"] == 1.0
    assert values["recall"] == pytest.approx(2 / 3)


def test_the_flavour_of_rankgold_has_one_value_per_row(either):
    assert either.rows(BINARY, TABLES, flavour="rankgold") == [pytest.approx(tuple(PRINTED.values()), abs=1e-12)] * 3


def test_functions_have_their_names_from_before_hivemall_0_5(either):
    query = "select recall(rec, truth, 2), precision(rec, truth, 2) from t"
    rows = [{"rec": [1, 3, 2, 6], "truth": [1, 2, 4]}]
    assert either.rows(query, {"t": rows}) == [(1 / 3, 1 / 2)]


# A list of dicts, and every kind of frame.
FRAMES = {
    "list of dicts": lambda rows: rows,
    "polars": pl.DataFrame,
    "lazy": lambda rows: pl.DataFrame(rows).lazy(),
    "pandas": pd.DataFrame,
    "pyarrow": pa.Table.from_pylist,
}


@for_each("kind", FRAMES)
def test_tables_are_frames_of_any_kind(either, kind):
    rows = [
        {"q": 1, "item": "a", "score": 0.5},
        {"q": 1, "item": "b", "score": 0.9},
        {"q": 2, "item": "é'", "score": 0.1},
    ]
    query = "select q, to_ordered_list(item, score, '-reverse') as items from t group by q order by q"
    assert either.rows(query, {"t": FRAMES[kind](rows)}) == [(1, ["b", "a"]), (2, ["é'"])]


def test_a_table_is_found_whatever_the_case_and_a_cte_of_its_name_comes_first(either):
    tables = {"Rec": [{"x": 1}], "other": [{"x": 5}]}
    assert either.rows("select rec.x from REC", tables) == [(1,)]
    assert either.rows("with rec as (select x + 1 as x from rec) select x from rec", tables) == [(2,)]
    assert either.rows(
        "with rec as (select x from other) select rec.x from rec join other o on o.x = rec.x", tables
    ) == [(5,)]
    assert either.rows("select (select max(x) from rec) + x from other", tables) == [(6,)]


def test_a_table_with_a_hostile_name_is_read_and_others_stay(either):
    either.engine.sql("create temporary view y as select 7 as x")
    try:
        assert either.rows(f"select x from `{HOSTILE}`", {HOSTILE: [{"x": 1}]}) == [(1,)]
        assert either.rows("select x from y") == [(7,)]
        hostile_column = {"t": pl.DataFrame({HOSTILE: [3], "}{": [4]})}
        assert either.rows(f"select `{HOSTILE}`, `}}{{`, '{{x}}' from t", hostile_column) == [(3, 4, "{x}")]
        with pytest.raises(rankgold.DataError, match=r"the query: (DuckDB|Spark) says: "):
            either.rows(f"select x from `{HOSTILE}`")
        assert either.rows("select x from y") == [(7,)]
    finally:
        either.engine.sql("drop view y")


def test_what_the_engine_has_under_the_name_of_a_table_stays_as_it_is(either):
    either.engine.sql("create temporary view t as select 7 as x")
    try:
        result = rankgold.sql.run("select x from t", either.engine, {"t": [{"x": 1}]})
        assert either.rows("select x from t") == [(7,)]
        assert either.rows("select x from t", {"t": [{"x": 2}]}) == [(2,)]
        # The first result is not changed by what came after it.
        assert tuple((result.fetchall() if hasattr(result, "fetchall") else result.collect())[0]) == (1,)
    finally:
        either.engine.sql("drop view t")


def test_a_function_of_the_same_name_stays_as_it_is():
    with duckdb.connect() as connection:
        connection.execute("create macro mrr(a, b) as 'mine'")
        assert rankgold.sql.run("select mrr(array(2, 1), array(1))", connection).fetchall() == [(1 / 2,)]
        assert connection.sql("select mrr([1], [1])").fetchall() == [("mine",)]


def frames_joined(connection):
    tables = {"t": pl.DataFrame({"x": [1, 2, 3]}), "u": [{"y": 2}, {"y": 3}]}
    return rankgold.sql.run("select x from t join u on x = y order by x", connection, tables)


def selected_from_a_variable(connection):
    result = frames_joined(connection)  # noqa: F841  DuckDB finds the variable
    return connection.sql("select x from result")


def viewed(connection):
    frames_joined(connection).create_view("v")
    return connection.view("v")


def made_in_a_transaction_that_was_rolled_back(connection):
    connection.begin()
    result = frames_joined(connection)
    connection.rollback()
    return result


@for_each(
    "made",
    [
        frames_joined,
        selected_from_a_variable,
        viewed,
        made_in_a_transaction_that_was_rolled_back,
        lambda connection: frames_joined(connection).filter("x > 1"),
    ],
)
def test_a_relation_of_duckdb_keeps_its_frames(made):
    with duckdb.connect() as connection:
        result = made(connection)
        gc.collect()
        assert result.fetchall() == result.fetchall() == [(2,), (3,)]
        assert (
            connection.sql("select view_name from duckdb_views() where starts_with(view_name, 'rankgold')").fetchall()
            == []
        )
    assert not [name for name in vars(rankgold.engines.sql.execution) if name.startswith("rankgold_")]


def test_a_frame_is_freed_with_the_last_relation_that_reads_it():
    with duckdb.connect() as connection:
        frame = pd.DataFrame({"x": [1]})
        freed = weakref.ref(frame)
        result = rankgold.sql.run("select x from t", connection, {"t": frame}).filter("x = 1")
        del frame
        gc.collect()
        assert freed() is not None
        del result
        gc.collect()
        assert freed() is None


@pytest.mark.parametrize("setting", ["python_enable_replacements", "enable_external_access"])
def test_frames_are_read_by_a_connection_that_does_not_look_for_variables(setting):
    with duckdb.connect() as connection:
        connection.execute(f"set {setting} = false")
        assert rankgold.sql.run("select x from t", connection, {"t": pl.DataFrame({"x": [1]})}).fetchall() == [(1,)]


def test_tables_of_the_engine_itself_need_no_frames():
    with duckdb.connect() as connection:
        connection.execute("create table rec as select [1, 2] as rec, [2] as truth")
        assert rankgold.sql.run("select mrr(rec, truth) from rec", connection).fetchall() == [(1 / 2,)]
        connection.execute(
            f"""create table "{HOSTILE.replace('"', '""')}" as from rec; create table y as select 7 as x"""
        )
        assert rankgold.sql.run(f"select mrr(rec, truth) from `{HOSTILE}`", connection).fetchall() == [(1 / 2,)]
        assert connection.sql("select x from y").fetchall() == [(7,)]


FAULTS = {
    "select 1; select 2": "A query must be one statement, not 2",
    "": "the query: there is no statement",
    "-- nothing": "the query: there is no statement",
    "drop table t": "A query must begin with SELECT or WITH, not DROP",
    "insert into t select 1": "A query must begin with SELECT or WITH, not INSERT",
    "select x\nfrom t wher x = 1 (": "the query, line 2, column 13: ",
    "select 'open": "the query: Error tokenizing",
    "select nosuch from t": "the query: (DuckDB|Spark) says: ",
    "select x from nosuch": "the query: (DuckDB|Spark) says: ",
    "select to_ordered_list(x, x, '-top 2') from t": "options are -k N",
    "select to_ordered_list(x, x, x) from t": "a constant text",
    "select to_ordered_list(x, x, x, x) from t": "not 4 arguments",
    "select to_ordered_map(x) from t": "not 1 arguments",
    "select to_ordered_map(x, x, x) from t": "must be true, false or a constant whole number",
    "select each_top_k(2, x, x) from t": "not 3 arguments",
    "select each_top_k(x, x, x, x) from t": "whole number other than 0",
    "select each_top_k(2, x, x, x), x from t": "the only column of its query",
    "select 1 + each_top_k(2, x, x, x) from t": "not part of an expression",
    "select each_top_k(2, x, x, x) as (a, b) from t": "returns 3 columns",
}


def test_a_query_of_thousands_of_parentheses_is_an_error():
    with duckdb.connect() as connection, pytest.raises(rankgold.DataError, match="nested too deep"):
        rankgold.sql.run("select " + "(" * 3000 + "1" + ")" * 3000, connection)


@for_each("query", FAULTS)
def test_a_faulty_query_is_an_error_that_says_where(either, query):
    with pytest.raises(rankgold.DataError, match=FAULTS[query]) as caught:
        either.run(query, {"t": [{"x": 1}]})
    assert "\x1b" not in str(caught.value)
    assert "<class" not in str(caught.value)


@for_each(
    ("options", "message"),
    [
        ({"dialect": "klingon"}, "dialect must be one of sqlglot's, such as hive"),
        ({"flavour": "hive"}, "flavour must be one of rankgold, hivemall, hivemall-code"),
        ({"tables": [1]}, "tables maps table names to frames"),
        (
            {"tables": {"t": 3}},
            "table 't' must be a frame of pandas, Polars, PyArrow or Spark, or a list of dicts, not int",
        ),
        ({"tables": {"t": []}}, "not list without rows"),
        ({"tables": {"t": [{"x": 1}], "T": [{"x": 1}]}}, "SQL ignores case"),
    ],
)
def test_unknown_options_are_errors(options, message):
    with duckdb.connect() as connection, pytest.raises(rankgold.DataError, match=message):
        rankgold.sql.run("select x from t", connection, **options)


@pytest.mark.parametrize("wrong", [None, "data.duckdb", object(), duckdb])
def test_run_takes_only_a_connection_or_a_session(wrong):
    with pytest.raises(rankgold.DataError, match="run takes a DuckDB connection or a SparkSession, not"):
        rankgold.sql.run("select 1", wrong)


def test_a_connection_of_another_database_is_refused():
    with closing(sqlite3.connect(":memory:")) as other:
        for function in (partial(rankgold.sql.run, "select 1"), rankgold.sql.install):
            with pytest.raises(rankgold.DataError, match="takes a DuckDB connection or a SparkSession, not Connection"):
                function(other)


def test_a_translation_is_of_text_for_a_known_engine():
    with pytest.raises(rankgold.DataError, match="engine must be one of duckdb, spark, not 'sqlite'"):
        rankgold.sql.translated("select 1", "sqlite")
    with pytest.raises(rankgold.DataError, match="A query must be text, not int"):
        rankgold.sql.translated(1, "duckdb")
    with pytest.raises(rankgold.DataError, match="dialect must be one of sqlglot's"):
        rankgold.sql.translated("select 1", "duckdb", dialect=3)
    assert rankgold.sql.translated("select `a` from t", "duckdb", dialect="HIVE") == 'SELECT "a" FROM "t"'


def test_other_dialects_are_read():
    with duckdb.connect() as connection:
        assert rankgold.sql.run('select mrr([2, 1], [1]) as "a"', connection, dialect="duckdb").fetchall() == [(1 / 2,)]
        assert rankgold.sql.run("select mrr(array[2, 1], array[1])", connection, dialect="trino").fetchall() == [
            (1 / 2,)
        ]


def test_without_sqlglot_the_error_says_what_to_install():
    code = "import sys; sys.modules['sqlglot'] = None\nimport duckdb, rankgold\nrankgold.sql.run('select 1', duckdb.connect())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingDependency: This needs sqlglot, which is not installed: pip install sqlglot" in done.stderr


# Ordered lists and maps, and each_top_k. One query covers all facts with the same types of input.
def _by_kind():
    kinds: dict[Any, list[Any]] = {}
    for fact in ORDERED:
        if fact["expected_kind"] != "error":
            kinds.setdefault(tuple(rows_of(fact).schema.items()), []).append(fact)
    return list(kinds.values())


@for_each("facts", _by_kind(), ids=lambda facts: "-".join(map(str, rows_of(facts[0]).dtypes)))
def test_ordered_lists_and_maps_are_those_of_hivemall(either, facts):
    rows = pl.concat([rows_of(fact).with_columns(fact=pl.lit(fact["id"])) for fact in facts])
    calls = list(dict.fromkeys(map(call_of, facts)))
    found = {
        row[0]: row[1:] for row in either.rows(f"select fact, {', '.join(calls)} from t group by fact", {"t": rows})
    }
    for fact in facts:
        assert entries(found[fact["id"]][calls.index(call_of(fact))]) == fact["expected"], fact["id"]


@for_each("fact", [fact for fact in ORDERED if fact["expected_kind"] == "error"], ids=lambda fact: fact["id"])
@for_each("engine", ["duckdb", "spark"])
def test_errors_of_hivemall_are_errors(engine, fact):
    with pytest.raises(rankgold.DataError, match=r"whole number other than 0|-kv_map and -vk_map|a map needs keys"):
        rankgold.sql.translated(f"select {call_of(fact)} from t", engine)


def test_each_top_k_is_that_of_hivemall(either):
    fact = next(fact for fact in LISTS if fact["function"] == "each_top_k")
    table = pl.DataFrame(fact["input"]["rows"], schema=fact["input"]["columns"], orient="row")
    query = """
        select each_top_k(2, class, score, class, student) as (rank, score, class, student)
        from (select * from marks cluster by class) t
    """
    columns, rows = either.run(query, {"marks": table})
    assert columns == fact["columns"]
    assert sorted(map(list, rows), key=lambda row: (row[2], row[0])) == fact["expected"]


def test_each_top_k_of_the_smallest_with_equal_keys(either):
    # Keys 1, 1, 2, 3: the three smallest have ranks 1, 1 and 2.
    rows = [{"g": "a", "k": k, "x": k * 10} for k in (3, 1, 2, 1)]
    _, found = either.run("select each_top_k(-3, g, k, x) from t", {"t": rows})
    assert sorted(found) == [(1, 1, 10), (1, 1, 10), (2, 2, 20)]


@for_each(("k", "kept"), [(2, [(1, 3), (2, 2)]), (-2, [(1, 1), (2, 2)]), (1, [(1, 3)])])
def test_each_top_k_keeps_rows_without_a_key_only_after_all_others(either, k, kept):
    # Keys 1, 2, 3 and two rows without one: they come last, whether the largest or the smallest are wanted.
    rows = [{"g": "a", "k": k, "x": 0} for k in (None, 2, 1, 3, None)]
    assert sorted(row[:2] for row in either.rows(f"select each_top_k({k}, g, k, x) from t", {"t": rows})) == kept
    whole = either.rows(f"select each_top_k({4 * k // abs(k)}, g, k, x) from t", {"t": rows})
    assert sorted((rank, key) for rank, key, _ in whole)[-1] == (4, None)


@pytest.mark.parametrize("default", ["nulls_first", "nulls_last"])
def test_each_top_k_does_not_depend_on_the_default_order_of_a_connection(default):
    rows = [{"g": "a", "k": k, "x": 0} for k in (None, 2, 1, 3)]
    with duckdb.connect() as connection:
        connection.execute(f"SET default_null_order = '{default}'; SET default_order = 'DESC'")
        for k, kept in ((2, [(1, 3, 0), (2, 2, 0)]), (-2, [(1, 1, 0), (2, 2, 0)])):
            found = rankgold.sql.run(f"select each_top_k({k}, g, k, x) from t", connection, {"t": rows}).fetchall()
            assert sorted(found) == kept


def test_each_top_k_may_be_in_a_query_within_a_query(either):
    rows = [{"g": "a", "k": k, "x": 10 * k} for k in (1, 2, 3)]
    query = "select max(x) from (select each_top_k(-2, g, k, x) as (r, k, x) from t) s where r > 0"
    assert either.rows(query, {"t": rows}) == [(20,)]


def test_the_order_and_limit_of_a_query_apply_to_the_rows_that_each_top_k_returns(either):
    # Groups a and b have the keys 2 to 5 each, with x = -2k and x = -2k - 1. The two largest keys of each are kept, and
    # the query orders these four rows by x and keeps three.
    rows = [{"g": "ab"[k % 2], "k": k // 2, "x": -k} for k in range(4, 12)]
    query = "select each_top_k(2, g, k, x) as (r, k, x) from t order by x limit 3"
    first = [(1, 5, -11), (1, 5, -10), (2, 4, -9)]
    assert either.rows(query, {"t": rows}) == first
    assert either.rows(f"with t as (select g, k, x from u) {query}", {"u": rows}) == first
    # DuckDB keeps the order of an inner query, but promises nothing.
    assert rankgold.sql.translated(query, "duckdb").endswith(' <= 2 ORDER BY "x" NULLS FIRST LIMIT 3')


def test_equal_keys_are_ordered_by_value_and_rows_without_key_are_ignored(either):
    rows = [{"v": "b", "k": 1}, {"v": "c", "k": 1}, {"v": "a", "k": 1}, {"v": "z", "k": None}, {"v": None, "k": 2}]
    query = (
        "select to_ordered_list(v, k), to_ordered_list(v, k, '-reverse'), map_keys(to_ordered_map(k, v, true)) from t"
    )
    assert either.rows(query, {"t": rows}) == [(["a", "b", "c"], ["c", "b", "a"], [2, 1])]


def test_a_key_that_is_text_is_a_key(either):
    rows = [{"v": 1, "k": "-b"}, {"v": 2, "k": "-a"}]
    assert either.rows("select to_ordered_list(v, k) from t", {"t": rows}) == [([2, 1],)]


def test_a_query_may_call_a_function_by_any_name_of_its_measure():
    with duckdb.connect() as connection:
        query = "select rr(r, t), recip_rank(r, t), recall(r, t, 1), precision(r, t, 2), F1(r, t) from (select array(2, 1) r, array(1) t) x"
        # Reciprocal rank 1/2; nothing at rank 1; one of two; 2 * 1 / (1 + 2).
        assert rankgold.sql.run(query, connection).fetchall() == [(1 / 2, 1 / 2, 0.0, 1 / 2, pytest.approx(2 / 3))]


@for_each(
    ("call", "takes"),
    [
        ("mrr(rec)", r"mrr takes a list, its truth and k: mrr\(rec, truth, k\)\."),
        ("recall(rec, truth, 1, 2)", r"recall takes a list, its truth and k: recall\(rec, truth, k\)\."),
        ("rprec(rec, truth, 1)", r"rprec takes a list and its truth: rprec\(rec, truth\)\."),
    ],
)
@for_each("engine", ["duckdb", "spark"])
def test_a_wrong_number_of_arguments_is_an_error_before_the_query_runs(engine, call, takes):
    with pytest.raises(rankgold.DataError, match=takes):
        rankgold.sql.translated(f"select {call} from t", engine)


def test_a_measure_without_a_formula_in_sql_is_a_function_on_spark_only(monkeypatch):
    monkeypatch.delitem(FORMULAS, "err")
    assert "MACRO err(" not in rankgold.sql.script()
    assert "MACRO dcg(" in rankgold.sql.script()
    with pytest.raises(rankgold.DataError, match="err is a function on Spark only"):
        rankgold.sql.translated("select err(rec, truth) from t", "duckdb")
    assert "RANKGOLD_PAGE_ERR" in rankgold.sql.translated("select err(rec, truth) from t", "spark").upper()


def test_a_frame_of_an_old_pandas_is_read_and_what_only_looks_like_one_is_not(monkeypatch):
    monkeypatch.delattr(pd.DataFrame, "__arrow_c_stream__")  # which pandas has since 2.2
    query = "select x + 1 from t"
    with duckdb.connect() as connection:
        assert rankgold.sql.run(query, connection, {"t": pd.DataFrame({"x": [1]})}).fetchall() == [(2,)]
        for wrong in (type("Frame", (), {"columns": ["x"]})(), {"x": [1]}, [[1]], "x"):
            with pytest.raises(rankgold.DataError, match="table 't' must be a frame of pandas"):
                rankgold.sql.run(query, connection, {"t": wrong})


def test_the_arguments_of_ordered_lists_and_maps_keep_their_places_on_spark():
    def entries(call):
        text = rankgold.sql.translated(f"select {call} from t", "spark")
        slices = [int(part.partition(")")[0]) for part in text.split(", 1, ")[1:]]
        return text.partition("STRUCT(")[2].partition("))")[0], "FALSE)" in text, max(slices, default=0)

    both, alone = "(`k`) AS `k`, (`v`) AS `v`", "(`v`) AS `k`, (`v`) AS `v`"
    # The key, then the value; whether the largest comes first; how many are kept. Empty lists begin with a slice of 0.
    assert entries("to_ordered_map(k, v)") == (both, False, 0)
    assert entries("to_ordered_map(k, v, true)") == (both, True, 0)
    assert entries("to_ordered_map(k, v, false)") == (both, False, 0)
    assert entries("to_ordered_map(k, v, 2)") == (both, True, 2)
    assert entries("to_ordered_map(k, v, -2)") == (both, False, 2)
    assert entries("to_ordered_list(v, k, '-k 2 -reverse')") == (both, False, 2)
    assert entries("to_ordered_list(v, k)") == (both, False, 0)
    assert entries("to_ordered_list(v, '-k 3')") == (alone, True, 3)
    assert entries("to_ordered_list(v)") == (alone, False, 0)


def test_options_of_order_are_off_unless_they_are_named():
    assert OrderOptions() == OrderOptions.of("") == OrderOptions(None, False, False, "list")
    assert OrderOptions.of("-k -2 -dedup -reverse_order -vk") == OrderOptions(-2, True, True, "vk")
    assert OrderOptions.of("-k 1 -kv_map").text == "-k 1"
    assert OrderOptions(k=-3, reverse=True, dedup=True).text == "-k -3 -reverse -dedup"
    descends = {
        text: OrderOptions.of(text).descends
        for text in ("", "-reverse", "-k 1", "-k -1", "-k 1 -reverse", "-k -1 -reverse")
    }
    assert [text for text, largest_first in descends.items() if largest_first] == ["-reverse", "-k 1", "-k -1 -reverse"]
    for wrong in ("-k", "-k x", "-k --2", "-k 0", "-kv -vk", "-top"):
        with pytest.raises(rankgold.DataError):
            OrderOptions.of(wrong)
    with pytest.raises(rankgold.DataError, match="a map needs keys"):
        OrderOptions.of("-kv", has_key=False)


def test_the_script_makes_macros_that_stay_or_temporary_ones():
    assert {line[:23] for line in rankgold.sql.script().splitlines()} == {"CREATE OR REPLACE MACRO"}
    assert {line[:28] for line in script(temporary=True).splitlines()} == {"CREATE OR REPLACE TEMP MACRO"}
    public = script().splitlines()
    prefixed = script(prefixed_only=True).splitlines()
    assert prefixed == public[: len(prefixed)]
    assert not any(" MACRO recall_at(" in line for line in prefixed)
    assert any(" MACRO recall_at(" in line for line in public)
