"""Similarity and exposure of tables that live in DuckDB or Spark: the same numbers as of data in Python, in every form."""

import json

import duckdb
import polars as pl
import pytest

import rankgold
from rankgold import similarities
from tests.all_measures import measures
from tests.list_cases import list_case, pairs
from tests.shell import printed, refused
from tests.test_list_explanations import EXPOSURES

SIMILARITIES = measures(cutoffs=(2,), metrics=similarities.all())
FIRST = {"q1": {"a": 3.0, "b": 2.0, "c": 2.0, "d": 1.0}, "q2": {"x": 5.0, "y": 4.0}, "q3": {"x": 1.0}}
SECOND = {"q1": {"b": 9.0, "a": 8.0, "e": 8.0}, "q2": {"y": 2.0}}
RUN, ITEMS, TRAIN, QRELS = list_case(11)
ITEMS[next(iter(ITEMS))]["group"] = "x"
KNOWN = {"items": ITEMS, "train": TRAIN, "qrels": QRELS}
EXCLUDED = [(user, listed[0]) for user, listed in RUN.items()][:2]


def tables():
    """The data as frames, by the names of their tables."""
    ranked = [(user, item, rank) for user, listed in RUN.items() for rank, item in enumerate(listed, 1)]
    frames = {
        "first": [(q, d, s) for q, row in FIRST.items() for d, s in row.items()],
        "second": [(q, d, s) for q, row in SECOND.items() for d, s in row.items()],
    }
    return {
        **{name: pl.DataFrame(rows, ["query", "document", "score"], orient="row") for name, rows in frames.items()},
        "ranked": pl.DataFrame(ranked, ["user", "item", "rank"], orient="row"),
        "items": pl.DataFrame([{"item": item, **facts} for item, facts in ITEMS.items()]),
        "train": pl.DataFrame(pairs(TRAIN), ["user", "item"], orient="row"),
        "qrels": pl.DataFrame(pairs(QRELS), ["user", "item"], orient="row"),
        "excluded": pl.DataFrame(EXCLUDED, ["user", "item"], orient="row"),
        "listed": pl.DataFrame({"user": list(RUN), "items": list(RUN.values())}),
    }


def same(found, expected):
    """Whether two results have the same values of all queries and means, whatever the runs are called."""
    (one,), (other,) = (scores.to_dict()["runs"].values() for scores in (found, expected))
    assert one["means"] == pytest.approx(other["means"], abs=1e-12, nan_ok=True)
    assert {*one["per_query"]} == {*other["per_query"]}
    for query, values in other["per_query"].items():
        assert one["per_query"][query] == pytest.approx(values, abs=1e-12), query


def check_names_and_frames(named, engine):
    """All measures of both families, from tables and frames of an engine, in some mixed forms."""
    expected = rankgold.similarity(FIRST, SECOND, SIMILARITIES)
    for runs in ((named["first"], named["second"]), (named["first"], SECOND), (FIRST, named["second"])):
        same(rankgold.similarity(*runs, SIMILARITIES, engine=engine), expected)
    expected = rankgold.exposure(RUN, EXPOSURES, exclude=EXCLUDED, **KNOWN)
    known = {name: named[name] for name in KNOWN}
    for run in (named["ranked"], named["listed"], RUN):
        same(rankgold.exposure(run, EXPOSURES, exclude=named["excluded"], engine=engine, **known), expected)
    scores = rankgold.exposure(named["ranked"], "novelty", train=named["train"], engine=engine)
    user = next(iter(RUN))
    assert scores.explain(user).value == pytest.approx(scores.values("novelty")[scores.queries().index(user)])


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = tmp_path_factory.mktemp("lists") / "lists.duckdb"
    with duckdb.connect(str(path)) as connection:
        for name, frame in tables().items():
            connection.register("given", frame.to_arrow())
            connection.execute(f"CREATE TABLE {name} AS FROM given")
            connection.unregister("given")
            connection.execute(f"CREATE VIEW {name}_view AS FROM {name}")
    return path


def test_tables_and_views_of_duckdb_give_the_same(database):
    with duckdb.connect(str(database), read_only=True) as connection:
        names = {name: name for name in tables()}
        check_names_and_frames(names, connection)
        check_names_and_frames({name: f"{name}_view" for name in names}, connection)
        # Relations of DuckDB's need no engine.
        relations = [connection.table(name) for name in ("first", "second")]
        same(rankgold.similarity(*relations, SIMILARITIES), rankgold.similarity(FIRST, SECOND, SIMILARITIES))


def test_runs_have_the_names_of_their_tables(database):
    with duckdb.connect(str(database), read_only=True) as connection:
        scores = rankgold.similarity("first", ["second", "second_view"], "rbo", engine=connection)
        assert (scores.reference, scores.runs) == ("first", ["second", "second_view"])
        assert rankgold.exposure({"mine": "ranked"}, "entropy", engine=connection).runs == ["mine"]
        with pytest.raises(rankgold.DataError, match=r"neither such a table nor such a file\. Did you mean 'ranked'"):
            rankgold.exposure("rankd", "entropy", engine=connection)


def test_a_table_may_hold_several_runs_and_ids_of_any_type():
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE runs (system VARCHAR, query UTINYINT, doc UUID, score DECIMAL(4, 2))")
        ids = [f"00000000-0000-0000-0000-00000000000{i}" for i in range(3)]
        for system, order in (("one", (0, 1, 2)), ("two", (1, 0, 2))):
            for rank, i in enumerate(order):
                connection.execute("INSERT INTO runs VALUES (?, 7, ?, ?)", [system, ids[i], 1 - rank / 10])
        scores = rankgold.similarity("runs", measures="kendall", engine=connection)
        assert (scores.reference, scores.runs, scores["kendall"]) == ("one", ["two"], pytest.approx(1 / 3))
        assert [step.document for step in scores.explain(7).steps] == ids


def test_patterns_of_files_are_read_by_duckdb(tmp_path):
    for name, frame in tables().items():
        for number, part in enumerate((frame[:2], frame[2:])):
            part.write_parquet(tmp_path / f"{name}-{number}.parquet")
    names = {name: str(tmp_path / f"{name}-*.parquet") for name in tables()}
    check_names_and_frames(names, "duckdb")
    for number, query in enumerate(("q1", "q2")):
        lines = [f"{query} Q0 {document} 1 {score} tag{number}\n" for document, score in SECOND[query].items()]
        (tmp_path / f"careless-{number}.trec").write_text("".join(lines))
    found = rankgold.similarity(FIRST, str(tmp_path / "careless-*.trec"), SIMILARITIES, engine="duckdb")
    same(found, rankgold.similarity(FIRST, SECOND, SIMILARITIES))


def test_files_and_leaderboards_are_read_as_without_an_engine(tmp_path):
    frame = tables()["first"]
    frame.write_csv(tmp_path / "first.csv")
    same(
        rankgold.similarity(
            str(tmp_path / "first.csv"), SECOND, SIMILARITIES, engine=rankgold.DuckDB(memory_limit="1GB")
        ),
        rankgold.similarity(FIRST, SECOND, SIMILARITIES),
    )
    boards = {"a": 0.1, "b": 0.2}, {"a": 0.3, "b": 0.2}
    assert rankgold.similarity(*boards, "kendall", engine="duckdb")["kendall"] == -1


def test_an_engine_says_what_it_does_not_take():
    with pytest.raises(rankgold.DataError, match="'duck' is not an engine"):
        rankgold.exposure(FIRST, "entropy", engine="duck")
    with pytest.raises(TypeError, match="trust_ranks"):
        rankgold.exposure(FIRST, "entropy", engine=rankgold.DuckDB(trust_ranks=True))


def test_the_commands_read_tables_of_a_database(database):
    engine = ("--engine", "duckdb", "--database", str(database))
    text = printed("similarity", "first", "second", "-m", "rbo", "-f", "json", *engine)
    assert json.loads(text)["runs"]["second"]["means"] == rankgold.similarity(FIRST, SECOND, "rbo").means
    call = ("exposure", "ranked", "--items", "items", "--train", "train", "--qrels", "qrels", "--exclude", "excluded")
    text = printed(*call, "-m", "serendipity@3", "-f", "json", *engine)
    expected = rankgold.exposure(RUN, "serendipity@3", exclude=EXCLUDED, **KNOWN)
    assert json.loads(text)["runs"]["ranked"]["means"] == expected.means
    assert printed(*call, "-m", "gini@3", "--explain", *engine).startswith("gini@3 of all lists in ranked: ")
    assert refused("similarity", "first", "second", "--database", "x") == (
        "--database is for DuckDB. Add --engine duckdb, or leave it out."
    )


@pytest.mark.spark
def test_frames_and_tables_of_spark_give_the_same():
    from tests.spark import sessions

    session = sessions()["classic"]
    oldest = pl.CompatLevel.oldest()
    frames = {name: session.createDataFrame(frame.to_arrow(compat_level=oldest)) for name, frame in tables().items()}
    for name, frame in frames.items():
        frame.createOrReplaceTempView(f"{name}_view")
    # Frames choose the engine themselves.
    check_names_and_frames(frames, None)
    check_names_and_frames({name: f"{name}_view" for name in frames}, session)
    with pytest.raises(rankgold.PolicyError, match="Spark does not support ties=input"):
        rankgold.similarity(frames["first"], frames["second"], policy="ties=input")
