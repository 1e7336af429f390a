"""rankgold.sql.run only reads: whatever else a query would do is refused, in all dialects, before anything happens."""

import os

import duckdb
import pytest
import sqlglot
from sqlglot.dialects.dialect import Dialect

import rankgold
from rankgold.engines.sql.translation import check_in_duckdb, check_tree
from tests.cases import for_each

WRITES = [
    "with x as (delete from victim returning *) select * from x",
    "with x as (insert into victim values (2) returning *) select * from x",
    "with x as (update victim set x = 5 returning *) select * from x",
    "select 1 from (select 1) as y where exists (with x as (delete from victim returning *) select * from x)",
    "with x as (with y as (delete from victim returning *) select * from y) select * from x",
    "select * into copied from victim",
    "delete from victim returning *",
    "create table copied as select * from victim",
    "drop table victim",
    "select nextval('counter')",
    "select `nextval`('counter')",
    "select \"nextval\"('counter')",
    "select NextVal ('counter')",
    "select x from victim where x < nextval('counter')",
    "select max(x) over (order by nextval('counter')) from victim",
]
DUCKDB_WRITES = [
    "with x as (copy victim to '{file}') select 1",
    "with x as (pragma enable_profiling) select 1",
    "with x as (install httpfs) select 1",
    "with x as (attach '{file}') select 1",
    "with x as (set threads = 1) select 1",
    "with x as (call checkpoint()) select 1",
    "copy victim to '{file}'",
    "export database '{file}'",
    "attach '{file}'",
    "call checkpoint()",
    "set threads = 1",
    "from checkpoint()",
    "select * from victim, force_checkpoint()",
    "select * from query('select nextval(''counter'')')",
    "select * from \"QUERY\"('select nextval(''counter'')')",
    "from json_execute_serialized_sql(json_serialize_sql('select nextval(''counter'')'))",
    "from enable_logging()",
    "from dbgen(sf = 1)",
    "from postgres_execute('a', 'drop table b')",
    "from arrow_scan(1, 2, 3)",
    "select main.nextval('counter')",
    "select system.main.nextval('counter')",
    "select 'counter'.nextval()",
    "select list_transform([1], lambda y: nextval('counter'))",
    "select setval('counter', 9)",
    "select write_log('x')",
    "select 1; drop table victim",
]
DIALECTS = sorted(name for name in Dialect.classes if name)


def connected(folder):
    connection = duckdb.connect(str(folder / "data.duckdb"))
    connection.execute("CREATE TABLE victim AS SELECT 1 AS x; CREATE SEQUENCE counter; SELECT nextval('counter')")
    return connection


@pytest.fixture
def database(tmp_path):
    with connected(tmp_path) as connection:
        yield connection


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory):
    """One database for all queries that must leave it as it is, and be refused: each of them compares its state."""
    with connected(tmp_path_factory.mktemp("unchanged")) as connection:
        yield connection


def state(connection):
    tables = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    settings = (
        "SELECT current_setting('threads'), current_setting('enable_profiling'), current_setting('enable_logging')"
    )
    queries = ["FROM victim", "SELECT currval('counter')", "FROM duckdb_databases()", settings]
    return tables, [connection.execute(query).fetchall() for query in queries]


@for_each("dialect", DIALECTS)
def test_no_dialect_runs_a_query_that_writes(unchanged, dialect):
    before = state(unchanged)
    for query in WRITES:
        with pytest.raises(rankgold.DataError):
            rankgold.sql.run(query, unchanged, dialect=dialect).fetchall()
        assert state(unchanged) == before, query


@pytest.mark.parametrize("query", DUCKDB_WRITES)
def test_no_statement_or_function_of_duckdb_that_writes_is_run(database, tmp_path, query):
    before, files = state(database), sorted(os.listdir(tmp_path))
    with pytest.raises(rankgold.DataError, match=r"^(the query|A query must)"):
        rankgold.sql.run(query.replace("{file}", str(tmp_path / "new")), database, dialect="duckdb").fetchall()
    assert state(database) == before
    assert sorted(os.listdir(tmp_path)) == files


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("with x as (delete from victim returning *) select * from x", "this one has DELETE"),
        ("select * into copied from victim", "this one has INTO"),
        ("select nextval('counter')", "this one has NEXTVAL"),
        ("select transform(x) using 'touch {file}' as (y) from victim", "this one has QUERYTRANSFORM"),
        ("select reflect('java.lang.System', 'exit', 1)", "this one has REFLECT"),
        ("from victim insert overwrite table other select x", "must begin with SELECT or WITH"),
    ],
)
def test_the_error_names_what_writes(database, query, message):
    with pytest.raises(rankgold.DataError, match=message):
        rankgold.sql.run(query, database)


@pytest.mark.parametrize("query", [*WRITES[:6], WRITES[9], *DUCKDB_WRITES])
def test_duckdb_itself_finds_what_writes(database, tmp_path, query):
    # The second check, as if the first one had missed everything.
    before = state(database)
    with pytest.raises((rankgold.DataError, duckdb.Error)):
        check_in_duckdb(query.replace("{file}", str(tmp_path / "new")), database)
    assert state(database) == before


@for_each(
    ("query", "dialect", "message"),
    [
        *((query, "duckdb", "A query must") for query in (*WRITES[:9], *DUCKDB_WRITES[1:3], DUCKDB_WRITES[6])),
        *((query, "hive", "A query must only read, and this one has NEXTVAL") for query in WRITES[9:11]),
        *((query, "hive", "A query must only read, and this one has NEXTVAL") for query in WRITES[12:]),
        ("select next value for counter", "tsql", "this one has NEXTVALUEFOR"),
        ("select setval('counter', 9), try_reflect('a', 'b')", "spark", "this one has SETVAL"),
        ("select java_method('a', 'b')", "spark", "this one has JAVA_METHOD"),
        ("select transform(x) using 'touch a' as (y) from victim", "hive", "this one has QUERYTRANSFORM"),
    ],
)
def test_the_check_of_the_syntax_tree_finds_alone_what_writes(query, dialect, message):
    # The first check, as if there were no second one.
    with pytest.raises(rankgold.DataError, match=message):
        check_tree(sqlglot.parse_one(query, dialect=dialect))


@for_each(
    ("query", "message"),
    [
        *((query, "A query must only read, and this one has (DELETE|INSERT|UPDATE).$") for query in WRITES[:3]),
        ("select nextval('counter')", "A query must only read, and this one has NEXTVAL"),
        ("select * from victim, force_checkpoint()", "A query must only read, and this one has FORCE_CHECKPOINT"),
        ("from \"QUERY\"('select 1')", "A query must only read, and this one has QUERY"),
        ("select 1; select 2", "DuckDB does not take this for a query that only reads"),
        ("set threads = 1", "DuckDB does not take this for a query that only reads"),
    ],
)
def test_the_check_in_duckdb_says_alone_what_writes(unchanged, query, message):
    with pytest.raises(rankgold.DataError, match=message):
        check_in_duckdb(query, unchanged)


READS = {
    "select x from victim union all select 2 order by 1": [(1,), (2,)],
    "with recursive t as (select 1 as a union all select a + 1 from t where a < 3) select max(a) from t": [(3,)],
    "with v as (values (4)) select * from v": [(4,)],
    "select * from range(2)": [(0,), (1,)],
    "select count(*) from read_csv('{file}')": [(1,)],
    "select count(*) from '{file}'": [(1,)],
    "select * from query_table('victim')": [(1,)],
    "select * from own(3)": [(3,)],
    "select * from victim pivot (count(x) for x in (1))": [(1,)],
    "select unnest([1, 2])": [(1,), (2,)],
    "select currval('counter'), 'nextval(1); delete from victim'": [(1, "nextval(1); delete from victim")],
    """select '"type":"DELETE_QUERY_NODE","function_name":"nextval"'""": [
        ('"type":"DELETE_QUERY_NODE","function_name":"nextval"',)
    ],
    "select " + " + ".join(["1"] * 200): [(200,)],
}


@pytest.mark.parametrize("query", READS, ids=lambda query: query[:40])
def test_every_kind_of_reading_is_run(database, tmp_path, query):
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n")
    database.execute("CREATE MACRO own(n) AS TABLE SELECT n AS x")
    text = query.replace("{file}", str(tmp_path / "rows.csv"))
    assert rankgold.sql.run(text, database, dialect="duckdb").fetchall() == READS[query]
    check_tree(sqlglot.parse_one(text, dialect="duckdb"))
    check_in_duckdb(text, database)


def test_a_pivot_without_its_values_is_refused_with_advice(database):
    with pytest.raises(rankgold.DataError, match="In PIVOT, list the values"):
        rankgold.sql.run("select * from (pivot victim on x using count(x))", database, dialect="duckdb")


@pytest.mark.spark
def test_spark_runs_no_program_and_writes_nothing(spark, tmp_path):
    spark.sql("create temporary view victim as select 1 as x")
    target = tmp_path / "new"
    for query in (
        f"select transform(x) using 'touch {target}' as (y) from victim",
        "select reflect('java.lang.System', 'setProperty', 'rankgold', 'here')",
        "select java_method('java.lang.System', 'setProperty', 'rankgold', 'here')",
        f"insert overwrite directory '{target}' using csv select 1",
        f"with v as (select 1) insert overwrite directory '{target}' using csv select * from v",
        "select * into copied from victim",
    ):
        with pytest.raises(rankgold.DataError):
            rankgold.sql.run(query, spark, dialect="spark").collect()
    spark.sql("drop view victim")
    assert not target.exists()
