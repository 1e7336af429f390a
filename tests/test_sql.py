"""The functions in DuckDB: the numbers of the local engine, for any list, truth and cutoff."""

import math
import re
import subprocess
import sys

import duckdb
import pytest

import rankgold
from tests.cases import for_each
from tests.shell import printed
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

# Those that DuckDB has.
FUNCTIONS = [function for function in rankgold.sql.FUNCTIONS if function.in_duckdb]


@pytest.fixture(scope="module")
def connection():
    connection = duckdb.connect()
    rankgold.sql.install(connection)
    yield connection
    connection.close()


def in_sql(connection, function, ranked, truth, k=None, kind="BIGINT"):
    """A function's value in DuckDB."""
    arguments = [ranked, truth, *([] if k is None else [k])]
    call = f"{function}($1::{kind}[], $2::{kind}[]{'' if k is None else ', $3'})"
    return connection.execute(f"SELECT {call}", arguments).fetchall()[0][0]


@pytest.mark.parametrize(("kind", "ids"), [("BIGINT", INTEGERS), ("VARCHAR", TEXTS)], ids=["integers", "texts"])
def test_every_function_gives_the_value_of_its_measure(connection, kind, ids):
    rows = made_rows(ids, 150)
    assert len(rows) >= 100
    expected = locally_in_rows(FUNCTIONS, rows)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE made (id INT, rec {kind}[], truth {kind}[], k INT)")
    connection.executemany("INSERT INTO made VALUES ($1, $2, $3, $4)", [list(row.values()) for row in rows])
    # Without a cutoff, the argument is left out.
    for with_k in (", k", ""):
        calls = [f"{function.name}(rec, truth{with_k * function.takes_k})" for function in FUNCTIONS]
        query = f"SELECT id, {', '.join(calls)} FROM made WHERE k IS {'NOT ' if with_k else ''}NULL"
        for number, *values in connection.sql(query).fetchall():
            found = {(number, function.name): value for function, value in zip(FUNCTIONS, values, strict=True)}
            assert differing({key: expected.pop(key) for key in found}, found) == {}, rows[number]
    assert expected == {}


WORKED = {"recall_at": 2 / 3, "precision_at": 2 / 4, "f": 4 / 7, "ap": (1 / 1 + 2 / 3) / 3, "rr": 1 / 1, "auc": 3 / 4}
"""The values of the list 1, 3, 2, 6, of which 1, 2 and 4 are relevant. Of its four pairs, 2 after 3 is a wrong one."""


@pytest.mark.parametrize("flavour", ["rankgold", "hivemall"])
def test_a_connection_that_divides_integers_as_integers_gives_the_same_values(flavour):
    odd, plain = duckdb.connect(config={"integer_division": True}), duckdb.connect()
    calls = ", ".join(f"{function.name}([5, 1, 3, 2, 6], [1, 2, 4])" for function in FUNCTIONS)
    for connection in (odd, plain):
        rankgold.sql.install(connection, flavour)
    assert odd.sql("SELECT 1 / 2").fetchall() == [(0,)]
    assert odd.sql(f"SELECT {calls}").fetchall() == plain.sql(f"SELECT {calls}").fetchall()
    worked = ", ".join(f"{name}([1, 3, 2, 6], [1, 2, 4])" for name in WORKED)
    assert odd.sql(f"SELECT {worked}").fetchall()[0] == pytest.approx([*WORKED.values()])


def test_a_measure_has_a_function_or_a_reason_for_having_none():
    covered = {function.name for function in rankgold.sql.FUNCTIONS}
    names = {metric.name for metric in rankgold.measures.all()}
    assert set(rankgold.sql.NOT_IN_SQL) == names - covered
    assert all(len(reason) > 20 for reason in rankgold.sql.NOT_IN_SQL.values())


NAMES = [(function, name) for function in FUNCTIONS for name in function.names]
FORMER_NAMES = {
    "recall_at": "r", "precision_at": "p", "f_at": "f", "hitrate": "hit", "rprec": "rprec", "average_precision": "ap",
    "ar": "ar", "auc": "auc", "mrr": "rr", "mr": "mr", "frp": "frp", "cg": "cg", "dcg": "dcg", "ndcg": "ndcg", "err": "err",
}  # fmt: skip


def test_every_name_of_a_measure_is_a_function(connection):
    called = {name: function for function, name in NAMES}
    assert {name: called[name].name for name in FORMER_NAMES} == FORMER_NAMES
    spelled = {name for metric in rankgold.measures.all() if metric.name in {f.name for f in called.values()} for name in (metric.name, *metric.aliases)}  # fmt: skip
    # A function of every engine, a word of SQL, and a name that begins with a digit.
    assert spelled - set(called) == {"map", "precision", "11pt_avg"}
    # Documents 2 and 5 of 2, 5, 9 at ranks 2 and 3: no two of the values below are equal by chance of a rank of 1.
    calls = [f"{name}([1, 2, 5, 7], [2, 5, 9]{', 3' * function.takes_k})" for function, name in NAMES]
    values = connection.sql(f"SELECT {', '.join(calls)}").fetchall()[0]
    for (function, name), value in zip(NAMES, values, strict=True):
        expected = locally(function.name, [1, 2, 5, 7], [2, 5, 9], 3 if function.takes_k else None)
        assert value == pytest.approx(expected, abs=1e-12), name


def test_no_function_takes_the_name_of_one_that_duckdb_has():
    with duckdb.connect() as plain:
        known = {name for (name,) in plain.sql("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()}
    assert "list_sort" in known
    assert not known & {name for _, name in NAMES}


@pytest.fixture(scope="module", params=["rankgold", "hivemall"])  # hivemall-code differs from hivemall in ap only
def any_flavour(request):
    with duckdb.connect() as connection:
        rankgold.sql.install(connection, flavour=request.param)
        yield connection


# What is not a list, in place of the list and of the truth.
NOT_LISTS = ("'a'", "'[a]'", "1", "1.5", "DATE '2020-01-01'", "{'a': 1}", "MAP {'a': 1}")


@for_each("function", [function.name for function in FUNCTIONS])
def test_arguments_that_are_not_lists_are_errors_of_one_kind(any_flavour, function):
    for wrong in NOT_LISTS:
        for arguments in (f"{wrong}, ['a']", f"['a'], {wrong}"):
            with pytest.raises(duckdb.Error, match="Parameter type needs to be List"):
                any_flavour.sql(f"SELECT {function}({arguments})").fetchall()
    for arguments in ("[{'a': 1}], [[1]]", "['a'], [{'a': 1}]", "[[1]], [1]"):
        if (function == "ndcg" and arguments.startswith("[{")) or function == "idcg":
            continue  # a list with grades; a measure of the truth alone
        with pytest.raises(duckdb.Error, match=r"and truth of type .*, whose documents cannot be compared"):
            any_flavour.sql(f"SELECT {function}({arguments})").fetchall()


@pytest.mark.parametrize("field", ["score", "my relscore"])
def test_items_without_a_grade_are_an_error(any_flavour, field):
    with pytest.raises(
        duckdb.Error, match="rec must be a list of structs with a grade in the field relscore, not STRUCT"
    ):
        any_flavour.sql(f"SELECT ndcg([{{'itemid': 'a', '{field}': 2}}], [3, 2])").fetchall()
    # Names of fields do not depend on case: 3 of 3.
    assert any_flavour.sql("SELECT ndcg([{'itemid': 'a', 'RelScore': 3}], [3])").fetchall() == [(1.0,)]


@for_each(("function", "name"), NAMES, ids=[name for _, name in NAMES])
def test_a_wrong_number_of_arguments_is_an_error_that_says_what_a_function_takes(connection, function, name):
    arguments = ["", "[1]", "[1], [1], 1, 1"] if function.takes_k else ["", "[1]", "[1], [1], 1", "[1], [1], 1, 1"]
    expected = f"{name}(rec, truth{', k' * function.takes_k})"
    for given_arguments in arguments:
        with pytest.raises(
            duckdb.Error, match=f"Invalid Input Error: {name} takes a list.* its truth.*: {re.escape(expected)}$"
        ):
            connection.sql(f"SELECT {name}({given_arguments})").fetchall()


@for_each("function", [function.name for function in FUNCTIONS if function.takes_k])
def test_a_cutoff_must_be_a_whole_number(any_flavour, function):
    for wrong in ("1.5", "1.5::DOUBLE", "'2'"):
        with pytest.raises(duckdb.Error, match="k must be a whole number, not"):
            any_flavour.sql(f"SELECT {function}([1, 2], [1], {wrong})").fetchall()
    right = [
        any_flavour.sql(f"SELECT {function}([1, 2], [1], {k})").fetchall()
        for k in ("2", "2.0", "2::UBIGINT", "2::DOUBLE")
    ]
    assert right[1:] == right[:1] * 3


def test_functions_work_in_prepared_statements_views_and_macros(connection):
    connection.execute("PREPARE mean AS SELECT ap($1, $2, $3)")
    assert connection.execute("EXECUTE mean([2, 1], [1], 2)").fetchall() == [(1 / 2,)]
    connection.execute("CREATE OR REPLACE TEMP MACRO half(a, b) AS recip_rank(a, b) / 2")
    connection.execute("CREATE OR REPLACE TEMP VIEW halves AS SELECT half([2, 1], [1]) AS value")
    assert connection.execute("SELECT value FROM halves").fetchall() == [(1 / 4,)]


def test_a_function_of_the_user_does_not_change_the_others():
    with duckdb.connect() as connection:
        rankgold.sql.install(connection)
        connection.execute("CREATE OR REPLACE TEMP MACRO p(x) AS x")
        assert connection.sql("SELECT p(7), precision_at([1, 2], [1], 2)").fetchall() == [(7, 1 / 2)]


def test_two_flavours_work_in_one_connection():
    with duckdb.connect() as connection:
        rankgold.sql.install(connection)
        query = "select precision_at(array(1, 2), array(1), 4)"
        # Of the two documents in the list, or of the four that were asked for.
        assert rankgold.sql.run(query, connection).fetchall() == [(1 / 2,)]
        assert connection.sql("SELECT precision_at([1, 2], [1], 4)").fetchall() == [(1 / 4,)]


# rec = [1, 3, 2, 6], truth = [1, 2, 4]: what Hivemall's documentation prints for the whole list and for the top 2.
PRINTED = {
    "recall_at": (0.6666666666666666, 0.3333333333333333),
    "precision_at": (0.5, 0.5),
    "average_precision": (0.5555555555555555, 0.3333333333333333),
    "auc": (0.75, 1.0),
    "mrr": (1.0, 1.0),
    "ndcg": (0.7039180890341349, 0.6131471927654585),
    "hitrate": (1.0, 1.0),
}


@for_each("function", PRINTED)
def test_the_printed_table_of_hivemall(connection, function):
    whole, top_2 = PRINTED[function]
    assert in_sql(connection, function, [1, 3, 2, 6], [1, 2, 4], 4) == pytest.approx(whole, abs=1e-15)
    assert in_sql(connection, function, [1, 3, 2, 6], [1, 2, 4]) == pytest.approx(whole, abs=1e-15)
    assert in_sql(connection, function, [1, 3, 2, 6], [1, 2, 4], 2) == pytest.approx(top_2, abs=1e-15)


@for_each("function", [function.name for function in FUNCTIONS])
def test_null_and_empty_lists(connection, function):
    of_empty = {"mr": None, "frp": None}.get(function, 0.0)
    assert in_sql(connection, function, None, [1]) is None
    assert in_sql(connection, function, [1], None) is None
    assert in_sql(connection, function, None, None) is None
    assert in_sql(connection, function, [1, 2], []) is None
    assert in_sql(connection, function, [], []) is None
    assert in_sql(connection, function, [], [1]) == of_empty


def test_a_null_is_not_a_document(connection):
    # [1, NULL, 2] with 1 and 2 relevant: ranks 1 and 3, so (1/1 + 2/3) / 2.
    assert in_sql(connection, "average_precision", [1, None, 2], [1, 2]) == pytest.approx(5 / 6)
    assert in_sql(connection, "recall_at", [1, 3], [1, None]) == 1.0


def test_a_document_that_is_twice_in_the_list_counts_at_its_first_place(connection):
    # [5, 1, 1, 2] with 1 and 2 relevant: ranks 2 and 4, so (1/2 + 2/4) / 2, and half of the top 4 is relevant.
    assert in_sql(connection, "average_precision", [5, 1, 1, 2], [1, 2]) == pytest.approx(1 / 2)
    assert in_sql(connection, "recall_at", [1, 1, 2], [1, 2]) == 1.0
    assert in_sql(connection, "precision_at", [5, 1, 1, 2], [1, 2], 4) == 1 / 2


def test_a_document_that_is_twice_in_the_truth_counts_once(connection):
    assert in_sql(connection, "recall_at", [1, 3], [1, 1, 2], 2) == 1 / 2


@for_each("function", [function.name for function in FUNCTIONS if function.takes_k])
@for_each("k", [0, -1])
def test_a_cutoff_below_1_has_no_value(connection, function, k):
    assert in_sql(connection, function, [1, 2], [1], k) is None


# Grades 5, 2, 4, 1, 3 in ranked order, and the grade itself as gain. 1/log2(3) is 0.63093, 1/log2(4) is 1/2.
# Top 2: (5 + 2 * 0.63093) / (5 + 4 * 0.63093) = 6.26186 / 7.52372. Top 3: (6.26186 + 4 / 2) / (7.52372 + 3 / 2).
GRADED = {
    2: (5 + 2 / math.log2(3)) / (5 + 4 / math.log2(3)),
    3: (7 + 2 / math.log2(3)) / (6.5 + 4 / math.log2(3)),
}


def test_graded_ndcg_has_the_gain_that_it_has_in_python(connection):
    items = "[{'relscore': 1, 'itemid': 'a'}, {'relscore': 3, 'itemid': 'b'}]"
    expected = rankgold.evaluate({"q": {"a": 1, "b": 3}}, {"q": {"a": 2.0, "b": 1.0}}, ["ndcg"])["ndcg"]
    # (1 + 3/log2(3)) / (3 + 1/log2(3)) = 2.89279 / 3.63093
    assert expected == pytest.approx(0.796708, abs=1e-6)
    assert connection.sql(f"SELECT ndcg({items}, [1, 3])").fetchall()[0][0] == pytest.approx(expected, abs=1e-12)


def test_grades_that_overflow_are_errors_with_exponential_gain_only(connection):
    call = "ndcg([{'relscore': 1, 'itemid': 'a'}, {'relscore': 5000, 'itemid': 'b'}], [5000, 1])"
    expected = (1 + 5000 / math.log2(3)) / (5000 + 1 / math.log2(3))
    assert connection.sql(f"SELECT {call}").fetchall()[0][0] == pytest.approx(expected)
    with duckdb.connect() as other:
        rankgold.sql.install(other, flavour="hivemall")
        with pytest.raises(duckdb.Error, match=r"2\^5000.0 is beyond what a number can hold"):
            other.sql(f"SELECT {call}").fetchall()


def test_grades_that_are_not_numbers_are_errors(connection):
    with pytest.raises(duckdb.Error, match="relscore"):
        connection.sql("SELECT ndcg([{'a': 1}], [1])").fetchall()
    with pytest.raises(duckdb.Error, match="DOUBLE"):
        connection.sql("SELECT ndcg([{'relscore': 1, 'itemid': 'a'}], ['x'])").fetchall()


@for_each("kind", ["INTEGER", "BIGINT", "UTINYINT", "HUGEINT", "VARCHAR", "UUID"])
@for_each(("k", "expected"), GRADED.items())
def test_ndcg_of_structs_is_graded_whatever_identifies_the_items(connection, kind, k, expected):
    item = f"(CASE WHEN '{kind}' = 'UUID' THEN '00000000-0000-0000-0000-00000000000' || i ELSE i::VARCHAR END)::{kind}"
    query = f"""
        SELECT ndcg(list({{'relscore': grade, 'itemid': {item}}} ORDER BY i), list(grade ORDER BY grade), {k})
        FROM (VALUES (1, 5), (2, 2), (3, 4), (4, 1), (5, 3)) AS t(i, grade)
    """
    assert connection.sql(query).fetchall()[0][0] == pytest.approx(expected, abs=1e-12)


def test_graded_ndcg_gives_the_value_of_the_measure(connection):
    rows = made_graded_rows(60)
    connection.execute("CREATE OR REPLACE TEMP TABLE graded (id INT, rec DOUBLE[], truth DOUBLE[], k INT)")
    connection.executemany("INSERT INTO graded VALUES ($1, $2, $3, $4)", [list(row.values()) for row in rows])
    items = "list_transform(rec, lambda g, i: {'relscore': g, 'itemid': i})"
    found = dict(connection.sql(f"SELECT id, ndcg({items}, truth, k) FROM graded").fetchall())
    # All grades there are: those of the list and those of documents that were not retrieved.
    expected = {row["id"]: locally_graded(row["rec"], row["truth"], row["k"]) for row in rows}
    assert differing(expected, found) == {}
    assert len(expected) >= 50


def test_ndcg_of_a_bare_null_and_of_an_empty_list_differ(connection):
    assert connection.sql("SELECT ndcg(NULL, [1]), ndcg([], [1]), ndcg([1], NULL)").fetchall() == [(None, 0.0, None)]


@for_each("kinds", [("INTEGER", "BIGINT"), ("UBIGINT", "TINYINT"), ("DOUBLE", "INTEGER"), ("INTEGER", "DECIMAL(4, 1)"), ("BIGINT", "VARCHAR"), ("VARCHAR", "BIGINT")])  # fmt: skip
def test_documents_of_different_types_are_compared_as_numbers_or_as_text(any_flavour, kinds):
    for function, (_, expected) in PRINTED.items():
        call = f"{function}([1, 3, 2, 6]::{kinds[0]}[], [1, 2, 4]::{kinds[1]}[], 2)"
        assert any_flavour.sql(f"SELECT {call}").fetchall()[0][0] == pytest.approx(expected, abs=1e-12)


def test_an_argument_may_be_an_aggregate(connection):
    query = "SELECT ndcg(list(x ORDER BY x), [1, 2]), recall_at(list(x ORDER BY x), [1, 9], 2) FROM range(1, 4) AS t(x)"
    assert connection.sql(query).fetchall() == [(1.0, 1 / 2)]


def test_a_truth_that_is_long_and_has_repetitions(connection):
    # 1 to 1,000, each twice: 20 of them found in the first 20 places.
    query = "SELECT recall_at(range(1, 21), list_concat(range(1, 1001), range(1, 1001)), 20)"
    assert connection.sql(query).fetchall() == [(20 / 1000,)]


def test_functions_do_not_depend_on_the_default_order_of_a_connection():
    with duckdb.connect() as connection:
        rankgold.sql.install(connection)
        connection.execute("SET default_order = 'DESC'; SET default_null_order = 'NULLS FIRST'")
        assert in_sql(connection, "average_precision", [1, 3, 2], [1, 2, 9]) == pytest.approx((1 + 2 / 3) / 3)


def test_the_first_relevant_position_is_after_the_cutoff_where_none_was_found(connection):
    assert in_sql(connection, "frp", [5, 6, 1], [1], 2) == 3.0
    assert in_sql(connection, "frp", [], [1], 2) == 3.0
    assert in_sql(connection, "frp", [5, 6], [1]) is None


def test_functions_work_with_avg_and_group_by(connection):
    rows = connection.sql("""
        WITH rec(system, list) AS (VALUES ('a', [1, 2, 3]), ('a', [9, 1]), ('b', [9, 8]))
        SELECT system, avg(mrr(list, [1])) AS mrr FROM rec GROUP BY system ORDER BY system
    """).fetchall()
    assert rows == [("a", 0.75), ("b", 0.0)]


def test_the_printed_script_makes_the_same_functions_without_rankgold(connection):
    plain = duckdb.connect()
    plain.execute(printed("sql", "--print", "duckdb"))
    for function in FUNCTIONS:
        assert in_sql(plain, function.name, [3, 1, 2], [2, 5]) == in_sql(connection, function.name, [3, 1, 2], [2, 5])


def test_functions_work_in_a_read_only_database(tmp_path):
    path = str(tmp_path / "data.duckdb")
    duckdb.connect(path).close()
    with duckdb.connect(path, read_only=True) as connection:
        rankgold.sql.install(connection)
        assert in_sql(connection, "mrr", [2, 1], [1]) == 0.5


@pytest.mark.parametrize("wrong", [None, "data.duckdb", object()])
def test_install_takes_only_a_connection_or_a_session(wrong):
    with pytest.raises(rankgold.DataError, match="install takes a DuckDB connection or a SparkSession, not"):
        rankgold.sql.install(wrong)


def test_printing_needs_no_duckdb():
    code = (
        "import sys; sys.modules['duckdb'] = None\nfrom rankgold.cli.app import run\nrun(['sql', '--print', 'duckdb'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == rankgold.sql.script()


def test_a_closed_connection_is_an_error():
    connection = duckdb.connect()
    connection.close()
    with pytest.raises(rankgold.DataError, match=r"DuckDB says: Connection Error: Connection already closed!"):
        rankgold.sql.install(connection)
