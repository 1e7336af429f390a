"""Lists of documents in any form: with or without numbers, in dicts, columns and files, by every engine."""

import json
import uuid

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

import rankgold
from rankgold.data import chunks
from tests.cases import for_each

# u1 ranks x, b, a with a and b relevant: AP = (1/2 + 2/3) / 2 = 7/12, RR = 1/2, and
# nDCG = (1/log2(3) + 2/2) / (2 + 1/log2(3)). u2 ranks c first: all 1. u3 ranks nothing: all 0.
QRELS = {"u1": {"a": 2, "b": 1}, "u2": {"c": 1}, "u3": {"d": 1}}
RUN = {"u1": {"x": 0.9, "b": 0.8, "a": 0.7}, "u2": {"c": 0.5, "y": 0.4}, "u3": {}}
EXPECTED = {
    "ap": {"u1": (1 / 2 + 2 / 3) / 2, "u2": 1.0, "u3": 0.0},
    "rr": {"u1": 1 / 2, "u2": 1.0, "u3": 0.0},
    "ndcg": {"u1": (1 / np.log2(3) + 2 / 2) / (2 + 1 / np.log2(3)), "u2": 1.0, "u3": 0.0},
}


def table_of(tables, **more):
    """A query and its list in each row; further lists by name."""
    return {
        "user": list(tables),
        "items": [list(row) for row in tables.values()],
        **{name: [make(row) for row in tables.values()] for name, make in more.items()},
    }


def numbers(row):
    return [float(value) for value in row.values()]


def structs(name):
    return lambda row: [{"id": document, name: float(value)} for document, value in row.items()]


def frames(tables, number):
    with_numbers = table_of(tables, **{f"{number}s": numbers})
    of_structs = {"user": list(tables), "items": [structs(number)(row) for row in tables.values()]}
    as_arrays = pd.DataFrame(
        {"user": list(tables), "items": [np.array(list(row), dtype=object) for row in tables.values()]}
    )
    as_arrays[f"{number}s"] = [np.array(numbers(row)) for row in tables.values()]
    return {
        "Polars": pl.DataFrame(with_numbers, schema_overrides={"items": pl.List(pl.String)}),
        "Polars lazy": pl.LazyFrame(with_numbers, schema_overrides={"items": pl.List(pl.String)}),
        "pandas": pd.DataFrame(with_numbers),
        "pandas with arrays": as_arrays,
        "PyArrow": pa.table(with_numbers),
        "Polars with records": pl.DataFrame(of_structs),
        "records": pl.DataFrame(with_numbers).to_dicts(),
        "records with records": [dict(zip(of_structs, row, strict=True)) for row in zip(*of_structs.values(), strict=True)],
        "records with pairs": [{"user": query, "items": list(map(list, row.items()))} for query, row in tables.items()],
    }  # fmt: skip


def dicts(tables, number):
    backwards = {query: list(reversed(row.items())) for query, row in tables.items()}
    return {
        "pairs": {query: list(row.items()) for query, row in tables.items()},
        "pairs in another order": backwards,
        "pairs in tuples": {query: tuple(map(tuple, row)) for query, row in backwards.items()},
        "records": {query: structs(number)(row) for query, row in tables.items()},
        "records in another order": {query: structs(number)(row)[::-1] for query, row in tables.items()},
        "records with more": {
            query: [{"text": "?", "doc_id": document, number: value, "id": 7} for document, value in row.items()]
            for query, row in tables.items()
        },
    }


def files(tables, number, folder):
    folder.mkdir(exist_ok=True)
    made = {}
    for name, data in {**frames(tables, number), **dicts(tables, number)}.items():
        stem = folder / f"{number} {name}"
        if isinstance(data, pl.DataFrame):
            made[f"Parquet of {name}"] = stem.with_suffix(".parquet")
            data.write_parquet(stem.with_suffix(".parquet"))
            made[f"Arrow of {name}"] = stem.with_suffix(".arrow")
            data.write_ipc(stem.with_suffix(".arrow"))
        if isinstance(data, list):
            made[f"JSON lines of {name}"] = stem.with_suffix(".jsonl")
            stem.with_suffix(".jsonl").write_text("".join(json.dumps(row) + "\n" for row in data))
        if isinstance(data, (list, dict)):
            made[f"JSON of {name}"] = stem.with_suffix(".json")
            stem.with_suffix(".json").write_text(json.dumps(data))
    return made


def forms(tables, number, folder):
    return {**dicts(tables, number), **frames(tables, number), **files(tables, number, folder)}


def values(scores, run=None):
    return {
        measure: dict(zip(scores.queries(run), scores.values(measure, run).tolist(), strict=True))
        for measure in EXPECTED
    }


def close(found, form=None):
    assert found == {measure: pytest.approx(expected, abs=1e-15) for measure, expected in EXPECTED.items()}, form


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_lists_with_numbers_give_the_values_worked_by_hand_in_every_form(tmp_path, engine):
    for form, run in forms(RUN, "score", tmp_path).items():
        scores = rankgold.evaluate(QRELS, run, list(EXPECTED), engine=engine)
        close(values(scores), form)
        assert scores.notes.without_ranking == ("u3",), form
    for form, qrels in forms(QRELS, "grade", tmp_path).items():
        close(values(rankgold.evaluate(qrels, RUN, list(EXPECTED), engine=engine)), form)


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_lists_without_numbers_are_ranked_or_relevant(tmp_path, engine):
    ranked = table_of(RUN)
    for run in (pl.DataFrame(ranked), pd.DataFrame(ranked), pa.table(ranked), pl.DataFrame(ranked).to_dicts()):
        close(values(rankgold.evaluate(QRELS, run, list(EXPECTED), engine=engine)))
    # Every listed document has grade 1, as in {"u1": ["a", "b"]}: of 3 queries 1/2, 1 and 0.
    for qrels in (pl.DataFrame(table_of(QRELS)), pl.DataFrame(table_of(QRELS)).to_dicts()):
        scores = rankgold.evaluate(qrels, RUN, ["rr"], engine=engine)
        assert values_of_rr(scores) == EXPECTED["rr"]
        assert any("grade 1" in remark for remark in scores.notes.remarks)


def values_of_rr(scores):
    return dict(zip(scores.queries(), scores.values("rr").tolist(), strict=True))


def test_a_query_that_is_judged_with_an_empty_list_counts():
    # u2 has no relevant document, and scores 0, 1 or nothing, as the policy says; u1 scores 1/2.
    qrels = pl.DataFrame({"user": ["u1", "u2"], "items": [["a", "b"], []]})
    for policy, expected in ((None, 0.25), ("no_relevant=one", 0.75), ("no_relevant=skip", 0.5)):
        for engine in (None, "duckdb"):
            assert rankgold.evaluate(qrels, RUN, ["rr"], policy=policy, engine=engine)["rr"] == expected


def test_several_runs_in_a_frame_of_lists_are_told_apart():
    frame = pl.DataFrame(
        {"system": ["old", "new", "old"], "user": ["u1", "u1", "u2"], "items": [["x", "a"], ["a"], []]},
        schema_overrides={"items": pl.List(pl.String)},
    )
    qrels = {"u1": ["a"], "u2": ["c"]}
    for engine in (None, "duckdb"):
        scores = rankgold.evaluate(qrels, frame, ["rr"], engine=engine)
        assert scores["rr"] == {"old": 0.25, "new": 0.5}
    # old ranks u2 with nothing, new does not rank it: both are missing.
    assert scores["old"].notes.without_ranking == scores["new"].notes.without_ranking == ("u2",)


def test_a_duckdb_table_of_lists_is_a_run_or_judgements():
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE recommended AS SELECT 'u1' AS user, ['x', 'b', 'a'] AS items UNION ALL SELECT 'u2', ['c']"
        )
        connection.execute("CREATE TABLE bought AS SELECT 'u1' AS user, ['a', 'b'] AS items UNION ALL SELECT 'u2', []")
        scores = rankgold.evaluate("bought", "recommended", ["rr"], engine=connection)
        assert values_of_rr(scores) == {"u1": 0.5, "u2": 0.0}
        assert scores.runs == ["recommended"]


def test_a_large_parquet_file_of_lists_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "LARGE_TABLE", 1)
    pl.DataFrame(table_of(RUN)).write_parquet(tmp_path / "run.parquet")
    close(values(rankgold.evaluate(QRELS, tmp_path / "run.parquet", list(EXPECTED))))


BAD_LISTS = {
    "numbers of another length": ({"user": ["u1"], "items": [["a", "b"]], "scores": [[1.0]]}, "row 1: the lists have 2 documents and 1 number"),
    "one number a row": ({"user": ["u1"], "items": [["a", "b"]], "score": [1.0]}, "'items' holds lists of documents, and 'score' holds one number a row"),
    "two lists of a query": ({"user": ["u1", "u2", "u1"], "items": [["a"], ["b"], ["c"]]}, "row 3: query 'u1' has two lists of documents (first at row 1)"),
    "a document twice": ({"user": ["u1"], "items": [["a", "b", "a"]]}, "query 'u1' ranks document 'a' twice"),
    "a document is missing": ({"user": ["u1"], "items": [["a", None]]}, "row 1: the document is missing"),
    "a score is missing": ({"user": ["u1"], "items": [["a", "b"]], "scores": [[1.0, None]]}, "row 1: the score is missing"),
    "no documents": ({"user": ["u1"], "scores": [[1.0, 2.0]]}, "which column holds the document"),
    "records without an id": ({"user": ["u1"], "items": [[{"text": "x"}]]}, "the records of a list have no id of a document"),
}  # fmt: skip


@for_each("case", BAD_LISTS)
def test_bad_lists_are_an_error_in_frames_and_in_records(case):
    columns, message = BAD_LISTS[case]
    frame = pl.DataFrame(columns)
    for run in (frame, frame.to_pandas(), frame.to_dicts()):
        with pytest.raises(rankgold.DataError) as caught:
            rankgold.evaluate({"u1": ["a"]}, run, ["rr"])
        assert message in str(caught.value)


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_a_set_has_no_order_so_it_may_be_relevant_documents_and_not_a_ranking(engine):
    sets = pd.DataFrame({"user": ["u1", "u2"], "items": [["a"], {"a", "b", "c"}]})
    with pytest.raises(rankgold.DataError, match="the run, row 2: the column 'items' has a set, which has no order"):
        rankgold.evaluate({"u1": ["a"]}, sets, ["rr"], engine=engine)
    # u1: a of 1 relevant document. u2: b of 3.
    scores = rankgold.evaluate(sets, {"u1": ["a"], "u2": ["b"]}, ["r"], engine=engine)
    assert scores["r"] == pytest.approx((1 + 1 / 3) / 2)


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_two_columns_of_one_name_are_an_error(engine):
    frame = pd.DataFrame([["q", "a", 1.0, 2.0]], columns=["query", "doc", "score", "score"])
    with pytest.raises(rankgold.DataError, match="the run: two columns are called 'score'"):
        rankgold.evaluate({"q": ["a"]}, frame, ["rr"], engine=engine)


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_rows_of_minus_one_get_an_error_that_says_what_they_may_be(engine):
    rows = pd.DataFrame({"query": [1, 1, 1], "doc": [7, -1, -1], "score": [0.5, -3e38, -3e38]})
    with pytest.raises(rankgold.DataError, match="If -1 marks places without a document, remove these rows"):
        rankgold.evaluate({1: [7]}, rows, ["rr"], engine=engine)


def test_a_column_and_an_array_get_an_error_that_says_how_to_pass_them():
    with pytest.raises(rankgold.DataError, match=r"If its index has the queries, pass its to_dict\(\)"):
        rankgold.evaluate(pd.Series([["a"]], index=["q"]), {"q": ["a"]}, ["rr"])
    with pytest.raises(rankgold.DataError, match="For arrays of grades and scores there is from_arrays"):
        rankgold.evaluate(np.eye(2), np.eye(2), ["rr"])


def test_a_list_beside_a_column_of_documents_is_not_used():
    # Such as tags of a document: `labels` is also a name for grades.
    frame = pl.DataFrame({"query": ["q"] * 2, "doc": ["b", "a"], "score": [2.0, 1.0], "labels": [["x"], ["y", "z"]]})
    assert rankgold.evaluate({"q": ["a"]}, frame, ["rr"])["rr"] == 0.5
    assert rankgold.evaluate(frame, {"q": ["b"]}, ["rr"])["rr"] == 1.0


def test_records_with_ranks_are_ordered_by_them():
    run = {"q": [{"id": "a", "rank": 2}, {"id": "b", "rank": 1}]}
    assert rankgold.evaluate({"q": ["a"]}, run, ["rr"])["rr"] == 0.5
    frame = pl.DataFrame({"query": ["q"], "docs": [run["q"]]})
    assert rankgold.evaluate({"q": ["a"]}, frame, ["rr"])["rr"] == 0.5


def test_records_without_numbers_are_in_ranked_order():
    assert rankgold.evaluate({"q": ["a"]}, {"q": [{"id": "b"}, {"id": "a"}]}, ["rr"])["rr"] == 0.5


def test_names_of_records_are_given_by_columns():
    run = {"q": [{"chunk": "b", "distance": 1, "bm25": 3.0}, {"chunk": "a", "distance": 2, "bm25": 2.0}]}
    named = {"document": "chunk", "score": "bm25"}
    for engine in (None, "duckdb"):
        assert rankgold.evaluate({"q": ["a"]}, run, ["rr"], columns=named, engine=engine)["rr"] == 0.5


def test_the_name_of_a_document_comes_before_an_id_however_it_is_written():
    run = {"u2": [{"id": 7, "Document": "y", "sim": 2, "Score": 1}, {"id": 8, "Document": "c", "sim": 1, "Score": 2}]}
    assert rankgold.evaluate(QRELS, run, ["rr"], topics=["u2"]).means == {"rr": 1.0}


def test_records_with_a_query_are_runs_by_name_and_others_are_documents():
    as_run = [{"frage": "q", "doc": "a", "score": 1.0}]
    assert rankgold.evaluate({"q": ["a"]}, {"mine": as_run, "other": as_run}, ["rr"], columns={"query": "frage"})["rr"] == {"mine": 1.0, "other": 1.0}  # fmt: skip
    assert rankgold.evaluate({"q": ["a"]}, {"mine": {"q": [{"id": "a", "score": 1.0}]}}, ["rr"]).runs == ["mine"]


def test_a_document_twice_in_pairs_is_decided_by_the_policy():
    run = {"q": [("b", 2.0), ("a", 1.0), ("b", 0.5)]}
    assert rankgold.evaluate({"q": ["a"]}, run, ["rr"], policy="duplicates=first")["rr"] == 0.5
    assert rankgold.evaluate({"q": ["a"]}, run, ["rr"], policy="duplicates=last")["rr"] == 1.0


# --- padding

# Query 1 finds 7 and 5, and 5 is relevant: RR = 1/2, P without a cutoff = 1/2. Query 2 finds 3 alone: 1 and 1.
PADDED = np.array([[7, 5, -1, -1], [3, -1, -1, -1]])


def test_minus_one_at_the_end_of_a_list_of_integers_is_no_document():
    as_lists = PADDED.tolist()
    for ranked in (PADDED, as_lists, [np.array(row) for row in as_lists]):
        hits = rankgold.from_lists(ranked, [[5], [3]])
        scores = rankgold.evaluate(hits, ["rr", "p"])
        assert scores.means == {"rr": 0.75, "p": 0.75}
        assert scores.notes.remarks == (
            "ranked: 5 places hold -1, which marks no document in a list of integers: left out",
        )
    for run in (
        dict(enumerate(as_lists)),
        dict(enumerate(PADDED)),
        pl.DataFrame({"query": [0, 1], "docs": as_lists}),
        pl.DataFrame({"query": [0, 1], "docs": PADDED}),
        pl.DataFrame({"query": [0, 1], "docs": as_lists, "scores": -np.arange(8.0).reshape(2, 4)}),
        [{"query": 0, "docs": as_lists[0]}, {"query": 1, "docs": as_lists[1]}],
        {0: [(7, 0.9), (5, 0.8), (-1, -3e38), (-1, -3e38)], 1: [(3, 0.9), (-1, -3e38), (-1, -3e38), (-1, -3e38)]},
    ):
        for engine in (None, "duckdb"):
            scores = rankgold.evaluate({0: [5], 1: [3]}, run, ["rr", "p"], engine=engine)
            assert scores.means == {"rr": 0.75, "p": 0.75}
            assert scores.notes.remarks == (
                "the run: 5 places hold -1, which marks no document in a list of integers: left out",
            )


def test_padding_of_the_truth_is_not_a_relevant_document():
    # 5 is the only relevant document: recall 1, not 1/2.
    scores = rankgold.evaluate(rankgold.from_lists([[5, 7]], np.array([[5, -1, -1]])), ["r"])
    assert scores["r"] == 1.0


def test_a_single_minus_one_at_the_end_is_padding_in_arrays_and_beside_lists_with_several():
    # P without a cutoff: [5, -1] alone has two documents, 1/2. As an array it has one, and beside [3, -1, -1] too: 1.
    def p(ranked, truth):
        return rankgold.evaluate(rankgold.from_lists(ranked, truth), ["p"]).values("p").tolist()

    assert p([[5, -1]], [[5]]) == [0.5]
    assert p(np.array([[5, -1]]), [[5]]) == [1.0]
    assert p([[5, -1], [3, -1, -1]], [[5], [3]]) == [1.0, 1.0]
    for docs, expected in (([[5, -1]], [0.5]), ([[5, -1], [3, -1, -1]], [1.0, 1.0])):
        run = pl.DataFrame({"query": list(range(len(docs))), "docs": docs})
        scores = rankgold.evaluate({0: [5], 1: [3]}, run, ["p"], policy="missing=skip")
        assert scores.values("p").tolist() == expected


def test_minus_one_within_a_list_is_padding_only_if_it_is_repeated():
    # [7, -1, 5]: -1 is a document, and 5 at rank 3. [7, -1, -1, 5]: it is padding, and 5 at rank 2.
    assert rankgold.evaluate(rankgold.from_lists([[7, -1, 5]], [[5]]), ["rr"])["rr"] == 1 / 3
    assert rankgold.evaluate(rankgold.from_lists([[7, -1, -1, 5]], [[5]]), ["rr"])["rr"] == 1 / 2
    assert rankgold.evaluate(rankgold.from_lists([["-1", "5"]], [["5"]]), ["rr"])["rr"] == 1 / 2


# --- sparse matrices

# Row 0: documents 2 (0.9), 0 (0.5): 0 is relevant, RR 1/2. Row 1: document 1 (-1.0, a stored value) is relevant, RR 1.
# Row 2 has no judgement, so it does not count.
SCORES = scipy.sparse.csr_array((np.array([0.5, 0.9, -1.0, 0.3]), ([0, 0, 1, 2], [0, 2, 1, 0])), shape=(3, 3))
RELEVANT = scipy.sparse.csr_array((np.array([1, 1, 0]), ([0, 1, 1], [0, 1, 2])), shape=(3, 3))


@for_each("engine", ["local", "duckdb"])
@for_each("form", ["csr", "csc", "coo", "lil", "dok", "bsr"])
def test_a_sparse_matrix_has_queries_in_rows_and_documents_in_columns(form, engine):
    run, qrels = SCORES.asformat(form), RELEVANT.asformat(form)
    for judged, ranked in ((qrels, run), ({0: [0], 1: [1]}, run), (qrels, {0: {2: 0.9, 0: 0.5}, 1: {1: 1.0}})):
        scores = rankgold.evaluate(judged, ranked, ["rr"], engine=engine)
        assert dict(zip(scores.queries(), scores.values("rr").tolist(), strict=True)) == {0: 0.5, 1: 1.0}
    assert rankgold.evaluate(qrels, {"a": run, "b": run}, ["rr"], engine=engine)["rr"] == {"a": 0.75, "b": 0.75}
    assert len(rankgold.evaluate(qrels, [run, run], ["rr"], engine=engine).runs) == 2


def test_a_matrix_of_another_library_needs_only_the_attributes_of_compressed_rows():
    class Matrix:
        indptr, indices, data, shape = SCORES.indptr, SCORES.indices, SCORES.data, SCORES.shape

    assert rankgold.evaluate({0: [0], 1: [1]}, Matrix(), ["rr"])["rr"] == 0.75


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (scipy.sparse.csr_array(([np.nan], ([0], [2])), shape=(1, 3)), "the run, row 0, column 2: the score is nan"),
        (scipy.sparse.csr_array((1, 3)), "the run: there are no stored values in this sparse matrix"),
        (scipy.sparse.csr_array(([1j], ([0], [2])), shape=(1, 3)), "the run: a sparse matrix must hold numbers, not complex128"),
        (scipy.sparse.coo_array(np.ones(3)), "the run: a sparse matrix must have rows (queries)"),
    ],
)  # fmt: skip
def test_a_bad_matrix_is_an_error(matrix, message):
    with pytest.raises(rankgold.DataError) as caught:
        rankgold.evaluate({0: [0]}, matrix, ["rr"])
    assert message in str(caught.value)


@for_each("form", ["csr_array", "csc_array", "coo_matrix", "lil_array", "dok_matrix"])
def test_from_arrays_takes_a_sparse_matrix_of_grades_whose_other_grades_are_0(form):
    # Relevant at the ranks 2 and 3 of 3 in the first row, and at rank 2 in the second one.
    truth = getattr(scipy.sparse, form)([[0, 1, 2], [0, 1, 0]])
    scores = np.array([[0.9, 0.5, 0.1], [0.1, 0.2, 0.3]])
    found = rankgold.evaluate(rankgold.from_arrays(truth, scores), ["ap"]).per_query
    assert found["ap"].to_list() == pytest.approx([(1 / 2 + 2 / 3) / 2, 1 / 2])


def test_from_arrays_says_that_a_sparse_matrix_of_scores_is_for_evaluate():
    with pytest.raises(rankgold.DataError, match=r"y_score is a sparse matrix.* evaluate"):
        rankgold.from_arrays(RELEVANT, SCORES)
    with pytest.raises(rankgold.DataError, match=r"y_true has shape \(3, 3\) and y_score \(3, 4\)"):
        rankgold.from_arrays(RELEVANT, np.ones((3, 4)))


# --- UUIDs

A, B, C = (uuid.UUID(int=number) for number in (10, 11, 12))


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_uuids_match_as_text_in_every_form(engine):
    columns = {"query": [A, A], "doc": [B, C], "score": [0.9, 0.8]}
    as_bytes = {"query": [A.bytes] * 2, "doc": [B.bytes, C.bytes]}
    arrow = pa.table({**{name: pa.array(ids, pa.uuid()) for name, ids in as_bytes.items()}, "score": [0.9, 0.8]})
    runs = [
        {A: {B: 0.9, C: 0.8}}, {A: [B, C]}, {A: [(B, 0.9), (C, 0.8)]}, {str(A): [str(B), str(C)]}, arrow,
        pd.DataFrame(columns), pl.DataFrame(columns), [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
    ]  # fmt: skip
    for run in runs:
        for qrels in ({A: [C]}, {str(A): {str(C): 1}}, pd.DataFrame({"query": [A], "doc": [C], "grade": [1]})):
            assert rankgold.evaluate(qrels, run, ["rr"], engine=engine)["rr"] == 0.5


# --- Spark


@pytest.mark.spark
def test_lists_on_spark_give_the_values_worked_by_hand(spark, tmp_path):
    from tests.spark import sessions

    for session, form in zip(sessions().values(), ("Polars", "Polars with records"), strict=True):
        ranked, judged, plain = (
            session.createDataFrame(table.to_arrow(compat_level=pl.CompatLevel.oldest()))
            for table in (frames(RUN, "score")[form], frames(QRELS, "grade")[form], pl.DataFrame(table_of(RUN)))
        )
        scores = rankgold.evaluate(judged, {"ranked": ranked, "plain": plain}, list(EXPECTED))
        for run in scores.runs:
            close(values(scores, run))
    for qrels, run in ((RELEVANT, SCORES), ({A: [C]}, {A: [(B, 0.9), (C, 0.8)]})):
        assert rankgold.evaluate(qrels, run, ["rr"], engine=spark)["rr"] == rankgold.evaluate(qrels, run, ["rr"])["rr"]
    padded = {0: [7, 5, -1, -1], 1: [3, -1, -1, -1]}
    runs = {"here": padded, "there": spark.createDataFrame(list(padded.items()), "query int, docs array<int>")}
    means = rankgold.evaluate({0: [5], 1: [3]}, runs, ["rr", "p"]).means
    assert means == {"here": {"rr": 0.75, "p": 0.75}, "there": {"rr": 0.75, "p": 0.75}}


@pytest.mark.spark
def test_bad_lists_on_spark_are_an_error(spark):
    twice = spark.createDataFrame([("u1", ["a"]), ("u1", ["b"])], "user string, items array<string>")
    scalar = spark.createDataFrame([("u1", ["a"], 1.0)], "user string, items array<string>, score double")
    for frame, message in ((twice, "query 'u1' has two lists"), (scalar, "'score' holds one number a row")):
        with pytest.raises(rankgold.DataError, match=message):
            rankgold.evaluate({"u1": ["a"]}, frame, ["rr"])


@pytest.mark.spark
@pytest.mark.parametrize(
    ("column", "first", "second"),
    [("double", 1, 2), ("date", "2020-01-01", "2020-01-02"), ("binary", "a", "b"), ("decimal(5,2)", "1.50", "2.50"),
     ("timestamp", "2020-01-01 05:00:00+00:00", "2020-01-02 05:00:00+00:00")],
)  # fmt: skip
def test_queries_with_an_empty_list_on_spark_are_ids_as_elsewhere(spark, column, first, second):
    texts = spark.createDataFrame([(str(first), ["x", "a"]), (str(second), [])], "text string, docs array<string>")
    lists = texts.selectExpr(f"cast(text as {column}) as query", "docs")
    ranked = rankgold.evaluate({first: {"a": 1}, second: {"a": 1}}, lists, ["rr"])
    assert ranked.per_query["rr"].to_list() == [0.5, 0]
    assert (ranked.notes.without_ranking, ranked.notes.without_judgements) == ((second,), ())
    # The second query is judged, with nothing that is relevant.
    judged = rankgold.evaluate(lists, {first: ["b", "a"], second: ["a"]}, ["rr"], engine=spark)
    assert judged.per_query.rows() == [(first, 0.5), (second, 0)]
    assert (judged.notes.without_relevant, judged.notes.without_judgements) == ((second,), ())


@pytest.mark.spark
def test_an_empty_list_without_a_query_is_an_error_on_spark(spark):
    lists = spark.createDataFrame([("u1", ["a"]), (None, [])], "user string, items array<string>")
    with pytest.raises(rankgold.DataError, match="the run: the query is missing"):
        rankgold.evaluate({"u1": ["a"]}, lists, ["rr"])
