"""The engine DuckDB: the numbers of the local engine, from whatever DuckDB reads, with nothing of the user's touched."""

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from tests.cases import for_each
from tests.collections import NUMERIC_IDS, collections, examples, write_trec
from tests.test_paths_agree import POLICIES, SCORES, frame

# Every measure, with and without its choices.
MEASURES = [
    *(metric.name for metric in rankgold.measures.all()),
    "ap(norm=retrieved)@3", "auc(pairs=all)", "cg@3", "dcg(discount=jk)@5", "err(max=4)@3", "f(beta=2)@3", "frp@3",
    "hit@2", "mr(miss=last)", "ndcg(gain=exp, ideal=retrieved)@4", "p(norm=returned)@3", "r@5", "rr@2", "p(rel=2)@5",
]  # fmt: skip

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1}, "q3": {"x": 1}}
RUN = {"q1": {"a": 0.5, "b": 0.9, "d": 0.5, "c": 0.1}, "q2": {"z": 3.0, "a": 2.0}, "q9": {"a": 1.0}}
# q1 is ranked b, d, a, c (d before a, tied, by id descending): rr 1/3. q2: 1/2. q3 is not ranked: 0.
RR = (1 / 3 + 1 / 2) / 3


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        yield connection


@pytest.fixture
def filled(connection):
    connection.register("given_qrels", frame(QRELS, "grade").to_arrow())
    connection.register("given_run", frame(RUN, "score").to_arrow())
    connection.execute("CREATE TABLE qrels AS FROM given_qrels; CREATE TABLE bm25 AS FROM given_run")
    return connection


@pytest.fixture(scope="module")
def shared():
    with duckdb.connect() as connection:
        yield connection


def numbers(scores):
    """The values of every query, whatever the type of its name."""
    return {
        (str(row["query"]), name): value
        for row in scores.per_query.to_dicts()
        for name, value in row.items()
        if name != "query"
    }


def assert_agree(qrels, run, policy, engine, **names):
    expected = rankgold.evaluate(qrels, run, MEASURES, policy=policy)
    found = rankgold.evaluate(names.get("qrels", qrels), names.get("run", run), MEASURES, policy=policy, engine=engine)
    assert numbers(found) == pytest.approx(numbers(expected), abs=1e-12, nan_ok=True)
    theirs, ours = (scores.notes.to_dict() for scores in (expected, found))
    for notes in (theirs, ours):
        del notes["remarks"]
        for name in ("without_ranking", "without_judgements", "without_relevant"):
            notes[name] = sorted(map(str, notes[name]))
    assert ours == theirs


@examples(60)
@given(st.sampled_from(POLICIES), collections(scores=SCORES))
def test_every_measure_agrees_with_the_local_engine(shared, policy, collection):
    qrels, run = collection
    assert_agree(frame(qrels, "grade"), frame(run, "score"), policy, shared)


@examples(30)
@given(st.sampled_from(POLICIES), collections(scores=SCORES, ids=NUMERIC_IDS, queries=("9", "10", "100")))
def test_integer_ids_agree_too_alone_and_with_text_on_the_other_side(shared, policy, collection):
    text_qrels, text_run = collection
    qrels, run = ({int(q): {int(d): n for d, n in row.items()} for q, row in tables.items()} for tables in collection)
    assert_agree(frame(qrels, "grade"), frame(run, "score"), policy, shared)
    assert_agree(frame(qrels, "grade"), frame(text_run, "score"), policy, shared)
    assert_agree(frame(text_qrels, "grade"), frame(run, "score"), policy, shared)


@examples(15)
@given(collections(scores=SCORES))
def test_trec_files_agree_too(tmp_path_factory, collection):
    qrels, run = write_trec(tmp_path_factory.getbasetemp(), *collection)
    assert_agree(qrels, run, None, "duckdb")


def test_tables_of_a_connection_by_name(filled):
    scores = rankgold.evaluate("qrels", "bm25", ["rr"], engine=filled)
    assert scores.means == pytest.approx({"rr": RR})
    assert list(scores.runs) == ["bm25"]


def test_a_view_a_schema_and_a_temporary_table(filled):
    filled.execute("""
        CREATE SCHEMA results; CREATE TABLE results.dense AS FROM bm25;
        CREATE VIEW recent AS SELECT * FROM bm25 WHERE query <> 'q2'; CREATE TEMP TABLE judged AS FROM qrels
    """)
    assert rankgold.evaluate("judged", "results.dense", ["rr"], engine=filled)["rr"] == pytest.approx(RR)
    # Without q2: 1/3 over three judged queries.
    assert rankgold.evaluate("qrels", "recent", ["rr"], engine=filled)["rr"] == pytest.approx(1 / 9)


def test_what_is_not_an_id_in_a_table_of_judgements_is_shown(filled):
    filled.execute("CREATE TABLE halves AS SELECT 'q1' AS query, 1.5::DOUBLE AS document, 1 AS grade")
    filled.execute("CREATE TABLE packed AS SELECT 'q1' AS query, '\\x00\\x05'::BLOB AS document, 1 AS grade")
    for table, fault in {"halves": "the document 1.5 is not an id", "packed": r"b'\\x00\\x05' is not text"}.items():
        with pytest.raises(rankgold.DataError, match=fault):
            rankgold.evaluate(table, "bm25", ["rr"], engine=filled)


ODD_CONNECTIONS = {
    "columns without regard to case": ("", "COLLATE nocase"),
    "text without regard to case": ("SET default_collation = 'nocase'", ""),
    "the other order": ("SET default_order = 'desc'", ""),
}


@for_each("keywords", [{}, {"exclude": {"q1": ["E"]}}, {"parent": "#"}, {"parent": lambda chunk: chunk}])
@for_each(("setting", "collation"), ODD_CONNECTIONS.values(), ids=ODD_CONNECTIONS)
def test_collations_and_the_order_of_a_connection_change_nothing(setting, collation, keywords):
    with duckdb.connect() as connection:
        connection.execute(f"""
            {setting};
            CREATE TABLE judged AS FROM (VALUES ('q1', 'a', 1), ('q2', 'x', 1)) AS t(query, document, grade);
            CREATE TABLE ranked (query VARCHAR {collation}, document VARCHAR {collation}, score INT, run VARCHAR {collation});
            INSERT INTO ranked VALUES ('q1', 'A', 9, 'r'), ('q1', 'a', 8, 'r'), ('q1', 'e', 7, 'r'), ('Q2', 'x', 9, 'r'),
                ('q2', 'X', 5, 'r'), ('q2', 'y', 4, 'r'), ('q2', 'x', 4, 'r'), ('q1', 'a', 1, 'R')
        """)
        scores = rankgold.evaluate("judged", "ranked", ["rr"], engine=connection, **keywords)
    # a is at rank 2, and x at rank 3, after y, which has the same score and the higher id.
    assert scores.per_query.filter(run="r")["rr"].to_list() == pytest.approx([1 / 2, 1 / 3])
    assert scores.per_query.filter(run="R")["rr"].to_list() == [1, 0]
    assert scores.runs == ["r", "R"]
    assert scores.run_scores("r").notes.without_judgements == ("Q2",)


def test_an_attached_database(filled, tmp_path):
    path = tmp_path / "archive.duckdb"
    with duckdb.connect(str(path)) as archive:
        archive.register("given_run", frame(RUN, "score").to_arrow())
        archive.execute("CREATE TABLE old AS FROM given_run")
    filled.execute(f"ATTACH '{path}' AS archive (READ_ONLY)")
    for name in ("archive.old", "archive.main.old"):
        assert rankgold.evaluate("qrels", name, ["rr"], engine=filled)["rr"] == pytest.approx(RR)


@pytest.mark.parametrize("name", ['x"; drop table y; --', "x'; drop table y; --", "a.b.c.d", "übung", 'say "hi"', "\\"])
def test_a_table_of_any_name_is_evaluated_and_nothing_else_happens(filled, name):
    doubled = name.replace('"', '""')
    filled.execute(f'CREATE TABLE y (n INTEGER); CREATE TABLE "{doubled}" AS FROM bm25')
    assert rankgold.evaluate("qrels", name, ["rr"], engine=filled)["rr"] == pytest.approx(RR)
    assert filled.execute("SELECT count(*) FROM y").fetchall() == [(0,)]


@pytest.mark.parametrize("name", ['x"; drop table y; --', "bm25; drop table y", "(select 1)", "bm25 --", "nothing"])
def test_a_name_of_no_table_is_refused_and_nothing_else_happens(filled, name):
    filled.execute("CREATE TABLE y (n INTEGER)")
    with pytest.raises(rankgold.DataError, match="there is neither such a table nor such a file"):
        rankgold.evaluate("qrels", name, ["rr"], engine=filled)
    assert filled.execute("SELECT count(*) FROM y").fetchall() == [(0,)]


def test_columns_and_runs_with_quotes_in_their_names(connection):
    table = frame(QRELS, "grade"), frame(RUN, "score").rename({"query": "o'q\"", "document": 'd"; --'})
    named = {"query": "o'q\"", "document": 'd"; --'}
    run = table[1].with_columns(system=pl.lit("it's; drop table y; --"))
    scores = rankgold.evaluate(table[0], run, ["rr"], engine=connection, columns=named)
    assert scores["rr"] == pytest.approx(RR)
    assert list(scores.runs) == ["it's; drop table y; --"]


def test_patterns_of_parquet_files(tmp_path):
    table = frame(RUN, "score")
    for number, part in enumerate(table.partition_by("query")):
        part.write_parquet(tmp_path / f"part-{number}.parquet")
    frame(QRELS, "grade").write_parquet(tmp_path / "qrels.pq")
    pattern = str(tmp_path / "part-*.parquet")
    assert rankgold.evaluate(str(tmp_path / "qrels.pq"), pattern, ["rr"], engine="duckdb")["rr"] == pytest.approx(RR)
    assert list(rankgold.evaluate(QRELS, [pattern, pattern], ["rr"], engine="duckdb").runs) == ["part-*", "part-* (2)"]


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv", "jsonl", "parquet"])
def test_files_that_duckdb_reads(tmp_path, ending, connection):
    path = str(tmp_path / f"dense.{ending}")
    connection.register("given_run", frame(RUN, "score").to_arrow())
    options = {"tsv": "(FORMAT csv, DELIMITER '\t', HEADER)", "jsonl": "(FORMAT json)"}.get(ending, "")
    connection.execute(f"COPY given_run TO '{path}' {options}")
    scores = rankgold.evaluate(QRELS, path, ["rr"], engine="duckdb")
    assert scores["rr"] == pytest.approx(RR)
    assert list(scores.runs) == ["dense"]


@pytest.mark.parametrize(("separator", "ending"), [("\t", "tsv"), (",", "csv")])
def test_lines_that_look_like_comments_are_rows(tmp_path, separator, ending):
    ids = [
        ("#1", "0"),
        ("#1", "00"),
        ("d1", "0"),
        ("#1", "1"),
        ("q", "0"),
        ("#1", "1.0"),
    ]  # DuckDB guesses comments here
    path = tmp_path / f"dense.{ending}"
    rows = [("query", "document", "score"), *((query, document, "1") for query, document in ids)]
    path.write_text("\n".join(map(separator.join, rows)))
    scores = rankgold.evaluate({"#1": {"1.0": 1}, "d1": {"0": 1}}, str(path), ["num_ret"], engine="duckdb")
    assert {row["query"]: row["num_ret"] for row in scores.per_query.to_dicts()} == {"#1": 4, "d1": 1}


@pytest.mark.parametrize("form", ["pandas", "polars", "lazy", "arrow", "records", "dict", "relation", "own relation"])
def test_a_run_in_python(form, connection, shared):
    table = frame(RUN, "score")
    run = {
        "pandas": table.to_pandas,
        "polars": lambda: table,
        "lazy": table.lazy,
        "arrow": table.to_arrow,
        "records": table.to_dicts,
        "dict": lambda: RUN,
        "relation": lambda: shared.from_arrow(table.to_arrow()),
        "own relation": lambda: connection.from_arrow(table.to_arrow()),
    }[form]()
    assert rankgold.evaluate(QRELS, run, ["rr"], engine=connection)["rr"] == pytest.approx(RR)


def test_several_runs_by_name_and_by_column(filled):
    scores = rankgold.evaluate("qrels", {"one": "bm25", "two": RUN}, ["rr"], engine=filled)
    assert {name: means["rr"] for name, means in scores.means.items()} == pytest.approx({"one": RR, "two": RR})
    filled.execute("""
        CREATE TABLE all_runs AS
        SELECT *, 'first' AS run FROM bm25 UNION ALL SELECT *, 'a' FROM bm25 WHERE query = 'q1'
    """)
    scores = rankgold.evaluate("qrels", "all_runs", ["rr"], engine=filled)
    # The second ranks q1 alone: 1/3 over three judged queries.
    assert {name: means["rr"] for name, means in scores.means.items()} == pytest.approx({"first": RR, "a": 1 / 9})


def test_a_rank_in_place_of_a_score(filled):
    filled.execute(
        "CREATE TABLE ranked AS SELECT * FROM (VALUES ('q2', 'z', 1), ('q2', 'a', 2)) t(query, document, rank)"
    )
    assert rankgold.evaluate("qrels", "ranked", ["rr"], engine=filled)["rr"] == pytest.approx(1 / 6)


def test_a_run_in_parts_gives_the_same_numbers(tmp_path, monkeypatch):
    # With so many bytes thought to be needed for a row, each part holds few queries.
    monkeypatch.setattr("rankgold.engines.duckdb.matching._BYTES_A_ROW", 2**26)
    table = pl.DataFrame({"query": [f"q{i % 40}" for i in range(400)], "document": range(400), "score": [1.0] * 400})
    qrels = table.filter(pl.col("document") % 3 == 0).select("query", "document", grade=pl.col("document") % 4)
    expected = rankgold.evaluate(qrels, table, MEASURES)
    found = rankgold.evaluate(qrels, table, MEASURES, engine=rankgold.DuckDB(memory_limit="1GB"))
    assert numbers(found) == pytest.approx(numbers(expected), abs=1e-12, nan_ok=True)


def test_nothing_is_left_in_the_connection(filled):
    def everything():
        return filled.execute("SELECT table_catalog, table_name FROM information_schema.tables ORDER BY ALL").fetchall()

    before = everything()
    rankgold.evaluate("qrels", "bm25", ["rr"], engine=filled, policy="ties=input,duplicates=last")
    with pytest.raises(rankgold.DataError):
        rankgold.evaluate("qrels", "absent", ["rr"], engine=filled)
    assert everything() == before


def test_the_memory_limit_of_a_connection_is_the_users(filled):
    with pytest.raises(rankgold.DataError, match="the connection has a memory limit of its own"):
        rankgold.evaluate("qrels", "bm25", ["rr"], engine=rankgold.DuckDB(filled, memory_limit="700MB"))


def test_a_database_that_may_only_be_read(tmp_path):
    path = str(tmp_path / "data.duckdb")
    with duckdb.connect(path) as connection:
        connection.register("given_run", frame(RUN, "score").to_arrow())
        connection.execute("CREATE TABLE bm25 AS FROM given_run")
    with duckdb.connect(path, read_only=True) as connection:
        assert rankgold.evaluate(QRELS, "bm25", ["rr"], engine=connection)["rr"] == pytest.approx(RR)


REPEATED = [("q1", "a", 1.0), ("q1", "b", 2.0), ("q1", "a", 3.0)]


def test_a_document_twice_is_an_error_or_as_the_policy_says():
    run = pl.DataFrame(REPEATED, schema=["query", "document", "score"], orient="row")
    with pytest.raises(rankgold.DataError, match=r"row 3: query 'q1' ranks document 'a' twice \(first at row 1\)"):
        rankgold.evaluate(QRELS, run, ["rr"], engine="duckdb")
    for choice, rank in (("first", 2), ("last", 1)):
        scores = rankgold.evaluate(QRELS, run, ["rr"], engine="duckdb", policy=f"duplicates={choice}")
        assert scores.values("rr")[0] == 1 / rank
        assert f"1 row that repeats a document of a query: dropped, the {choice} kept" in scores.notes.remarks[0]


@for_each(
    ("row", "reported"),
    [
        ((None, "a", 1.0), "row 2: the query is missing"),
        (("q1", None, 1.0), "row 2: the document is missing"),
        (("q1", "z", None), "row 2: the score is missing"),
        (("q1", "z", float("nan")), "row 2: the score is nan. It must be a finite number"),
        (("q1", "z", float("inf")), "row 2: the score is inf"),
    ],
)
def test_a_row_with_something_missing_is_named(row, reported):
    run = pl.DataFrame([("q1", "a", 1.0), row], schema=["query", "document", "score"], orient="row")
    with pytest.raises(rankgold.DataError, match=reported):
        rankgold.evaluate(QRELS, run, ["rr"], engine="duckdb")


def test_what_cannot_be_evaluated_says_so(filled, tmp_path):
    filled.execute(
        "CREATE TABLE empty AS FROM bm25 LIMIT 0; CREATE TABLE odd AS SELECT [1] AS query, 1 AS document, 1 AS score"
    )
    filled.execute("CREATE TABLE dates AS SELECT 'q1' AS query, 1 AS document, DATE '2020-01-01' AS score")
    for name, reported in (
        ("empty", "empty: there are no rows"),
        ("odd", r"odd: the query column is of type INTEGER\[\]"),
        ("dates", "dates: the score must be a number, and this column is of type DATE"),
    ):
        with pytest.raises(rankgold.DataError, match=reported):
            rankgold.evaluate("qrels", name, ["rr"], engine=filled)
    with pytest.raises(rankgold.MatchError, match="no query in common"):
        rankgold.evaluate({"other": {"a": 1}}, "bm25", ["rr"], engine=filled)
    with pytest.raises(rankgold.DataError, match="'lots' is not a memory limit"):
        rankgold.evaluate(QRELS, RUN, ["rr"], engine=rankgold.DuckDB(memory_limit="lots"))
    duckdb.connect(str(tmp_path / "data.duckdb")).close()
    with pytest.raises(rankgold.DataError, match="this is a database"):
        rankgold.evaluate(QRELS, str(tmp_path / "data.duckdb"), ["rr"], engine="duckdb")
    broken = tmp_path / "broken.trec"
    broken.write_text("q1 Q0 a 1 0.5 tag\nq1 Q0 b 2\n")
    with pytest.raises(rankgold.DataError, match=r"broken\.trec:2: a line of a run must have 6 fields"):
        rankgold.evaluate(QRELS, str(broken), ["rr"], engine="duckdb")


def test_only_engines_are_engines_and_options_are_theirs():
    for engine in (rankgold.DuckDB, rankgold.Spark):
        with pytest.raises(TypeError, match="unexpected keyword argument 'threads'"):
            engine(threads=2)
    for wrong in ("oracle", 7, object()):
        with pytest.raises(rankgold.DataError, match="is not an engine"):
            rankgold.evaluate(QRELS, RUN, ["rr"], engine=wrong)


@pytest.mark.parametrize(
    "kind",
    [
        "TIMESTAMP",
        "TIMESTAMPTZ",
        "DATE",
        "TIME",
        "UUID",
        "DECIMAL(9, 2)",
        "HUGEINT",
        "ENUM('STRUCT[', 'b')",
        "DOUBLE",
        "BLOB",
    ],
)
def test_ids_of_any_simple_type_are_matched(connection, kind):
    value = {
        "TIME": "01:02:03", "UUID": "123e4567-e89b-12d3-a456-426614174000", "DECIMAL(9, 2)": "7.50",
        "HUGEINT": str(2**70), "ENUM('STRUCT[', 'b')": "STRUCT[", "DOUBLE": "7",
    }.get(kind, "2020-01-01")  # fmt: skip
    document = f"CAST('{value}' AS {kind}) AS document"
    connection.execute(f"""
        CREATE TABLE qrels AS SELECT 'q' AS query, {document}, 1 AS grade;
        CREATE TABLE run AS SELECT 'q' AS query, {document}, 1.0 AS score
    """)
    assert rankgold.evaluate("qrels", "run", ["ap"], engine=connection)["ap"] == 1.0
    frames = connection.table("qrels").pl(), connection.table("run").pl()
    assert rankgold.evaluate(*frames, ["ap"], engine="duckdb")["ap"] == 1.0


@pytest.mark.parametrize("kind", ["INTERVAL '1' HOUR", "{'a': 1}", "map {1: 2}", "'101'::BIT"])
@pytest.mark.parametrize("side", ["qrels", "run"])
def test_ids_of_other_types_are_refused(connection, kind, side):
    value = {"qrels": "'a'", "run": "'a'"} | {side: kind}
    connection.execute(f"""
        CREATE TABLE qrels AS SELECT 'q' AS query, {value["qrels"]} AS document, 1 AS grade;
        CREATE TABLE run AS SELECT 'q' AS query, {value["run"]} AS document, 1.0 AS score
    """)
    with pytest.raises(
        rankgold.DataError, match=f"{side}: the document column is of type .*Ids must be integers or text"
    ):
        rankgold.evaluate("qrels", "run", ["ap"], engine=connection)


@pytest.mark.parametrize(
    ("column", "reported"),
    [
        ("'abc' AS score", "row 1: the score must be a finite number, not 'abc'"),
        ("'1_000' AS score", "row 1: the score must be a finite number, not '1_000'"),
        ("CAST(NULL AS INTEGER) AS rank", "row 1: the rank is missing"),
        ("CAST('inf' AS DOUBLE) AS rank", "row 1: the rank is inf"),
        ("true AS rank", "the rank must be a number, and this column is of type BOOLEAN"),
    ],
)
def test_a_number_that_is_none_is_shown_as_it_is(filled, column, reported):
    filled.execute(f"CREATE TABLE odd AS SELECT 'q1' AS query, 'a' AS document, {column}")
    with pytest.raises(rankgold.DataError, match=f"odd,? ?{reported}|odd: {reported}"):
        rankgold.evaluate("qrels", "odd", ["rr"], engine=filled)


@pytest.mark.parametrize("document", ["1.5", "'nan'", "1e20"])
def test_a_float_that_is_no_integer_is_no_id(filled, document):
    filled.execute(f"CREATE TABLE odd AS SELECT 'q1' AS query, CAST({document} AS DOUBLE) AS document, 1 AS score")
    with pytest.raises(
        rankgold.DataError, match=r"odd, row 1: the document .* is not an id\. Ids must be integers or text"
    ):
        rankgold.evaluate("qrels", "odd", ["rr"], engine=filled)


def test_a_file_that_is_there_is_no_pattern(tmp_path):
    (tmp_path / "a[1].trec").write_text("q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\n")
    (tmp_path / "a1.trec").write_text("q1 Q0 a 1 1 t\n")
    assert rankgold.evaluate({"q1": {"a": 1}}, str(tmp_path / "a[1].trec"), ["rr"], engine="duckdb")["rr"] == 0.5


@pytest.mark.parametrize("side", ["judged", "ranked"])
@pytest.mark.parametrize("transaction", [False, True])
def test_a_view_that_fails_is_reported(filled, side, transaction):
    filled.execute("""
        CREATE VIEW judged AS SELECT query, document, if(grade > 1, error('boom'), grade) AS grade FROM qrels;
        CREATE VIEW ranked AS SELECT query, document, if(score > 1, error('boom'), score) AS score FROM bm25
    """)
    if transaction:
        filled.execute("BEGIN")
    names = ("judged", "bm25") if side == "judged" else ("qrels", "ranked")
    with pytest.raises(rankgold.DataError, match="boom"):
        rankgold.evaluate(*names, ["rr"], engine=filled)


@for_each("wrong", ["lots", "1KB ago", "-1", "", 5])
def test_a_memory_limit_that_is_none_is_refused(wrong):
    with pytest.raises(rankgold.DataError, match="is not a memory limit"):
        rankgold.evaluate(QRELS, RUN, ["rr"], engine=rankgold.DuckDB(memory_limit=wrong))


def test_too_little_memory_is_reported():
    with pytest.raises(rankgold.DataError, match="DuckDB ran out of memory"):
        rankgold.evaluate(QRELS, RUN, ["rr"], engine=rankgold.DuckDB(memory_limit="1KB"))


def test_a_table_is_called_by_its_own_name_in_any_case(filled):
    filled.execute('CREATE TABLE "a.b" AS FROM bm25')
    assert list(rankgold.evaluate("QRELS", ["BM25", "a.b"], ["rr"], engine=filled).runs) == ["bm25", "a.b"]
