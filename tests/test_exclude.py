"""`exclude`: documents that users already had are taken out of the lists before ranks are counted, on every path."""

import duckdb
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import rankgold
from rankgold.engines.spark import prepared_data as spark_judgements
from tests.collections import NUMERIC_IDS, collections, examples, rows
from tests.shell import printed, refused

MEASURES = ["ndcg", "ap", "rr", "p@2", "r@2", "num_ret", "judged@3", "bpref"]
POLICIES = ["rankgold", "ties=average", "ties=ascending", "unjudged=condensed", "no_relevant=skip"]

QRELS = {"u1": {"a": 1, "d": 1}, "u2": {"b": 1}, "u3": {"c": 1}}
RUN = {"u1": {"x": 9.0, "a": 8.0, "y": 7.0, "d": 6.0}, "u2": {"b": 3.0, "z": 2.0}, "u3": {"c": 1.0, "x": 0.5}}
HAD = {"u1": ["x", "y"], "u2": ["b", "q"], "u9": ["a"]}
LEFT = {"u1": {"a": 8.0, "d": 6.0}, "u2": {"z": 2.0}, "u3": {"c": 1.0, "x": 0.5}}


def values(scores):
    """Every value of every query, as text that shows floats to the last bit."""
    return {query: [value.hex() for value in row] for query, row in scores.run_scores("run").rows()}


def pairs_of(had):
    return [(user, item) for user, items in had.items() for item in items]


def test_ranks_are_counted_without_the_excluded_documents():
    scores = rankgold.evaluate(QRELS, RUN, ["ap", "rr", "num_ret"], exclude=HAD)
    # u1 keeps a and d at ranks 1 and 2: AP 1. The only relevant document of u2 is taken out: 0. u3 loses nothing: 1.
    assert scores.per_query["ap"].to_list() == [1.0, 0.0, 1.0]
    assert scores.per_query["num_ret"].to_list() == [2.0, 1.0, 2.0]
    assert scores.notes.excluded == 3
    assert "3 documents were taken out by exclude before ranks were counted" in str(scores)
    # Without it: a at rank 2, d at rank 4 of u1, (1/2 + 2/4) / 2.
    assert rankgold.evaluate(QRELS, RUN, ["ap"]).per_query["ap"].to_list() == [0.5, 1.0, 1.0]


def test_notes_on_one_document_are_in_the_singular():
    scores = rankgold.evaluate({"u": {"a": 1, "b": -1}}, {"u": ["c", "a", "b"]}, ["rr"], exclude=[("u", "c")])
    assert "\n1 document was taken out by exclude before ranks were counted" in str(scores)
    assert "\n1 judgement has a negative grade: not relevant, gain 0" in str(scores)


def test_what_users_had_may_come_in_any_form(tmp_path):
    pairs = pairs_of(HAD)
    users, items = zip(*pairs, strict=True)
    frame = pl.DataFrame({"user_id": users, "timestamp": range(5), "item_id": items, "rating": [1, None, 2, 3, 4]})
    frame.write_parquet(tmp_path / "had.parquet")
    frame.write_csv(tmp_path / "had.csv")
    (tmp_path / "had.qrels").write_text("".join(f"{user} 0 {item} 1\n" for user, item in pairs))
    (tmp_path / "had.run").write_text("".join(f"{user} Q0 {item} 1 0.5 tag\n" for user, item in pairs))
    (tmp_path / "plain.tsv").write_text("".join(f"{user}\t{item}\t1\n" for user, item in pairs))
    (tmp_path / "had.json").write_text('{"u1": ["x", "y"], "u2": {"b": 1, "q": 2}, "u9": ["a"]}')
    forms = [
        HAD,
        {user: set(items) for user, items in HAD.items()},
        {user: dict.fromkeys(items, 5) for user, items in HAD.items()},
        pairs,
        [*pairs, *pairs],
        [{"user": user, "item": item} for user, item in pairs],
        frame,
        frame.to_pandas(),
        frame.to_arrow(),
        pl.concat([frame, frame]),
        pl.DataFrame({"user": list(HAD), "items": list(HAD.values())}),
        *map(str, sorted(tmp_path.iterdir())),
    ]
    expected = values(rankgold.evaluate(QRELS, LEFT, MEASURES))
    for form in forms:
        for engine in ("local", "duckdb"):
            scores = rankgold.evaluate(QRELS, RUN, MEASURES, exclude=form, engine=engine)
            assert (values(scores), scores.notes.excluded) == (expected, 3), (form, engine)


def test_a_sparse_matrix_of_what_users_had_excludes_its_cells():
    had = csr_array(np.array([[0, 1, 0], [0, 0, 5]]))
    run = {0: {0: 1.0, 1: 3.0}, 1: {0: 1.0, 2: 2.0}}
    # 1 goes from user 0, 2 from user 1: item 0 is first for both.
    assert rankgold.evaluate({0: {0: 1}, 1: {0: 1}}, run, ["rr"], exclude=had).per_query["rr"].to_list() == [1.0, 1.0]


@given(collections(), st.data(), st.sampled_from(POLICIES))
@examples(20)
def test_every_path_gives_the_values_of_a_run_that_was_filtered_before(collection, data, policy):
    qrels, run = collection
    pairs = [(query, document) for query, document, _ in rows(run)]
    had = data.draw(st.lists(st.sampled_from([*pairs, ("q1", "nobody"), ("unknown", "d1")]), min_size=1))
    left = {query: {d: s for d, s in row.items() if (query, d) not in had} for query, row in run.items()}
    expected = rankgold.evaluate(qrels, left, MEASURES, policy=policy)
    taken = sum(query in qrels for query, document in {*had} & {*pairs})
    runs = [run, pl.DataFrame(rows(run), schema=["query", "document", "score"], orient="row")]
    engines = ["local", *(["duckdb"] if data.draw(st.integers(0, 4)) == 0 else [])]
    for form in runs:
        for engine in engines:
            scores = rankgold.evaluate(qrels, form, MEASURES, policy=policy, exclude=had, engine=engine)
            assert values(scores) == values(expected)
            assert scores.notes.excluded == taken
            assert scores.notes.without_ranking == expected.notes.without_ranking
            assert {*scores.notes.without_judgements} == {*expected.notes.without_judgements}
            assert scores.notes.retrieved == expected.notes.retrieved


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_ids_are_the_same_if_they_are_the_same_as_text(engine):
    qrels, run = {1: {10: 1}}, {1: {10: 1.0, 11: 2.0}}
    for had in ({"1": ["11"]}, {1: ["11"]}, {"1": [11]}, {1: [11]}, [(1, 11)], {"01": [11], "1": ["11", "x"]}):
        assert rankgold.evaluate(qrels, run, ["rr"], exclude=had, engine=engine)["rr"] == 1.0
    text = {"1": {"10": 1.0, "11": 2.0}}
    assert rankgold.evaluate(qrels, text, ["rr"], exclude={1: [11]}, engine=engine)["rr"] == 1.0
    assert rankgold.evaluate({"1": {"10": 1}}, run, ["rr"], exclude={1: [11]}, engine=engine)["rr"] == 1.0


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_a_query_that_loses_all_its_documents_is_ranked_with_nothing(engine):
    scores = rankgold.evaluate({"u1": {"a": 1}}, {"u1": {"a": 1.0}}, ["ap"], exclude=[("u1", "a")], engine=engine)
    assert scores["ap"] == 0.0
    assert scores.notes.without_ranking == ("u1",)


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_documents_are_excluded_by_their_own_ids_where_chunks_are_ranked(engine):
    run = {"u1": {"x#1": 9.0, "x#2": 8.0, "a#1": 7.0}}
    for parent in ("#", lambda chunk: chunk[0]):
        keywords = {"parent": parent, "exclude": [("u1", "x")], "engine": engine}
        assert rankgold.evaluate({"u1": {"a": 1}}, run, ["rr"], **keywords)["rr"] == 1.0


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_an_excluded_document_may_be_in_the_run_twice(engine):
    run = pl.DataFrame({"query": ["u1"] * 3, "document": ["x", "x", "a"], "score": [3.0, 2.0, 1.0]})
    keywords = {"exclude": [("u1", "x")], "engine": engine}
    assert rankgold.evaluate({"u1": {"a": 1}}, run, ["rr"], **keywords)["rr"] == 1.0
    with pytest.raises(rankgold.DataError, match="ranks document 'x' twice"):
        rankgold.evaluate({"u1": {"a": 1}}, run, ["rr"], exclude=[("u1", "a")], engine=engine)


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_lists_are_cut_off_after_documents_are_excluded(engine):
    # Of u1, a and d are left, of which depth=1 keeps a. The topic leaves out all others.
    keywords = {"exclude": HAD, "depth": 1, "topics": ["u1"], "engine": engine}
    scores = rankgold.evaluate(QRELS, RUN, ["r", "num_ret"], **keywords)
    assert scores.per_query.rows() == [("u1", 0.5, 1.0)]


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_a_note_says_that_nothing_was_excluded(engine):
    scores = rankgold.evaluate(QRELS, RUN, ["ap"], exclude=[("U1", "X")], engine=engine)
    assert "exclude takes out nothing" in str(scores)
    assert "exclude" not in str(rankgold.evaluate(QRELS, RUN, ["ap"], engine=engine))


def test_a_table_of_the_database_excludes_its_rows():
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE had AS SELECT * FROM (VALUES ('u1', 'x', 1), ('u1', 'y', 2)) t(usr, item, day)"
        )
        keywords = {"exclude": "had", "engine": connection, "columns": {"query": "usr"}}
        assert rankgold.evaluate(QRELS, RUN, ["ap"], **keywords).per_query["ap"].to_list() == [1.0, 1.0, 1.0]
        assert " NOT " in rankgold.plan(QRELS, RUN, ["ap"], **keywords)


def test_other_functions_exclude_too(tmp_path):
    hits = rankgold.match(QRELS, RUN, exclude=HAD)
    assert rankgold.evaluate(hits, ["ap"]).per_query["ap"].to_list() == [1.0, 0.0, 1.0]
    assert rankgold.explain(QRELS, RUN, "ap", "u1", exclude=HAD).value == 1.0
    assert "2. The rows of excluded documents are taken out." in rankgold.plan(QRELS, RUN, ["ap"], exclude=HAD)
    # d and a of u1 change places: the same AP without x and y, which stand above and between them.
    other = {**RUN, "u1": {"d": 9.0, "x": 8.0, "y": 7.0, "a": 6.0}}
    compared = rankgold.compare(QRELS, {"one": RUN, "other": other}, ["ap"], exclude=HAD)
    assert compared.frame["difference"].to_list() == [0.0]
    assert rankgold.diff(QRELS, RUN, other, "ap", exclude=HAD).difference == 0.0
    batches = rankgold.Accumulator(["ap"], exclude=HAD)
    for user in QRELS:
        batches.update({user: QRELS[user]}, {user: RUN[user]})
    assert batches.scores()["ap"] == pytest.approx(2 / 3)


def test_the_shell_takes_a_file_of_what_users_had(tmp_path):
    (tmp_path / "had.csv").write_text("user,item\n" + "".join(f"{user},{item}\n" for user, item in pairs_of(HAD)))
    (tmp_path / "q.qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in rows(QRELS)))
    (tmp_path / "r.run").write_text("".join(f"{q} Q0 {d} 1 {s} tag\n" for q, d, s in rows(RUN)))
    files = [str(tmp_path / "q.qrels"), str(tmp_path / "r.run")]
    exclude = ["--exclude", str(tmp_path / "had.csv")]
    lines = printed("evaluate", *files, "-m", "ap", "-q", "-f", "csv", *exclude).splitlines()
    assert lines[1:] == ["tag,u1,1.0", "tag,u2,0.0", "tag,u3,1.0"]
    assert "value  2.0000 / 2 = 1.0000" in printed("explain", *files, "-m", "ap", "--query", "u1", *exclude)
    assert "there is no such file" in refused("evaluate", *files, "--exclude", str(tmp_path / "nowhere.csv"))


def test_a_table_with_grades_and_scores_needs_documents_to_exclude_them():
    table = pl.DataFrame({"query": ["u1", "u1"], "item": ["1", "2"], "grade": [0, 1], "score": [2.0, 1.0]})
    assert rankgold.evaluate(table, measures="rr", exclude=[("u1", "1")])["rr"] == 1.0
    with pytest.raises(rankgold.DataError, match="has no column of documents, so exclude cannot find them"):
        rankgold.evaluate(table.drop("item"), measures="rr", exclude=[("u1", "1")])


def test_errors_name_what_is_wrong(tmp_path):
    with pytest.raises(rankgold.DataError, match="Pass exclude to match"):
        rankgold.evaluate(rankgold.match(QRELS, RUN), ["ap"], exclude=HAD)
    with pytest.raises(rankgold.DataError, match="cannot tell which column holds the query"):
        rankgold.evaluate(QRELS, RUN, ["ap"], exclude=pl.DataFrame({"who": ["u1"], "item": ["x"]}))
    with pytest.raises(rankgold.DataError, match="an id cannot be None"):
        rankgold.evaluate(QRELS, RUN, ["ap"], exclude=[("u1", None)])
    with pytest.raises(rankgold.DataError, match="is not a table of users and items"):
        rankgold.evaluate(QRELS, RUN, ["ap"], exclude=7)


@pytest.mark.spark
@pytest.mark.parametrize(("api", "limit"), [("classic", 1_000_000), ("connect", 0)])
def test_spark_gives_the_values_of_a_run_that_was_filtered_before(api, limit, monkeypatch, tmp_path):
    from tests.spark import frame, sessions

    monkeypatch.setattr(spark_judgements, "BROADCAST_LIMIT", limit)
    session = sessions()[api]
    qrels, run = (frame(session, tables, number) for tables, number in ((QRELS, "grade"), (RUN, "score")))
    pl.DataFrame(pairs_of(HAD), schema=["user", "item"], orient="row").write_csv(tmp_path / "had.csv")
    (tmp_path / "had.run").write_text("".join(f"{user} Q0 {item} 1 0.5 tag\n" for user, item in pairs_of(HAD)))
    on_spark = session.createDataFrame(pairs_of(HAD), "user string, item string")
    expected = values(rankgold.evaluate(QRELS, LEFT, MEASURES))
    for had in (HAD, str(tmp_path / "had.csv")) if api == "classic" else (on_spark, str(tmp_path / "had.run")):
        scores = rankgold.evaluate(qrels, run, MEASURES, exclude=had)
        assert (values(scores), scores.notes.excluded) == (expected, 3)
    means = rankgold.evaluate(qrels, run, ["ap"], exclude=HAD, per_query=False)
    assert (means["ap"], means.notes.excluded) == (pytest.approx(2 / 3), 3)
    if api == "classic":
        gone = rankgold.evaluate(qrels, run, ["ap"], exclude={**HAD, "u3": ["c", "x"]})
        assert gone.notes.without_ranking == ("u3",)
    else:
        assert "exclude takes out nothing" in str(rankgold.evaluate(qrels, run, ["ap"], exclude=[("U1", "x")]))


@pytest.mark.spark
def test_spark_says_with_what_it_does_not_exclude():
    from tests.spark import frame, sessions

    run = frame(sessions()["classic"], {"u1": {"a": 1.0}}, "rank")
    with pytest.raises(rankgold.DataError, match="does not trust ranks with exclude"):
        rankgold.evaluate({"u1": {"a": 1}}, run, ["ap"], exclude=HAD, engine=rankgold.Spark(trust_ranks=True))
    with pytest.raises(rankgold.DataError, match="Spark cannot combine exclude and parent"):
        rankgold.evaluate({"u1": {"a": 1}}, run, ["ap"], exclude=HAD, parent="#")


def test_numeric_ids_are_excluded_from_small_files(tmp_path):
    run = {"9": {document: float(i) for i, document in enumerate(NUMERIC_IDS)}}
    (tmp_path / "r.run").write_text("".join(f"{q} Q0 {d} 1 {s} tag\n" for q, d, s in rows(run)))
    scores = rankgold.evaluate({"9": {"101": 1}}, str(tmp_path / "r.run"), ["rr"], exclude=[(9, 1000)])
    assert scores["rr"] == 1.0


@pytest.mark.parametrize("nothing", [[], {}, set()])
def test_nothing_to_exclude_excludes_nothing(nothing):
    for engine in ("local", "duckdb"):
        assert rankgold.evaluate({"q": {"d": 1}}, {"q": ["d"]}, ["ap"], exclude=nothing, engine=engine)["ap"] == 1


def test_a_set_of_pairs_is_excluded():
    assert rankgold.evaluate({"q": {"d": 1}}, {"q": ["e", "d"]}, ["ap"], exclude={("q", "e")})["ap"] == 1


def test_similarity_takes_documents_out_of_both_rankings():
    runs = {"q1": ["a", "b", "c"]}, {"q1": ["x", "b", "a"]}
    assert rankgold.similarity(*runs, "overlap@2")["overlap@2"] == 0.5  # b of a, b and x, b
    assert rankgold.similarity(*runs, "overlap@2", exclude={"q1": ["x"]})["overlap@2"] == 1  # a, b and b, a
