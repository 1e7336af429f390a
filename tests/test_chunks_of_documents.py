"""Several chunks of one document in a ranking: the best stands for its document, in every form and engine."""

import json
import pickle

import duckdb
import pandas as pd
import polars as pl
import pytest

import rankgold
from rankgold.data import chunks, inputs
from tests.cases import for_each
from tests.collections import rows
from tests.shell import printed

# q1: the chunks rank d2, d2, d1, d3, d1. Their documents rank d2, d1, d3, and d1 and d3 are relevant:
#     RR = 1/2, AP = (1/2 + 2/3) / 2 = 7/12, P without a cutoff 2/3.
# q2: d4 and d5 are tied at 0.5 with their best chunks; descending, d5 is first, and d4 is relevant: RR 1/2, AP 1/2, P 1/2.
QRELS = {"q1": {"d1": 1, "d3": 1}, "q2": {"d4": 1}}
RUN = {
    "q1": {"d2#1": 0.9, "d2#2": 0.8, "d1#7": 0.7, "d3": 0.6, "d1#1": 0.5},
    "q2": {"d4#1": 0.1, "d4#2": 0.5, "d5#1": 0.5},
}
EXPECTED = {"rr": {"q1": 1 / 2, "q2": 1 / 2}, "ap": {"q1": (1 / 2 + 2 / 3) / 2, "q2": 1 / 2}, "p": {"q1": 2 / 3, "q2": 1 / 2}}  # fmt: skip


def before_hash(chunk):
    return chunk.split("#")[0]


PARENTS = {
    "a separator": "#",
    "a dict": {chunk: before_hash(chunk) for row in RUN.values() for chunk in row if "#" in chunk},
    "a function": before_hash,
}


def forms(tables, number, folder):
    columns = dict(zip(("query", "doc", number), map(list, zip(*rows(tables), strict=True)), strict=True))
    frame = pl.DataFrame(columns, strict=False)
    made = {
        "dict": tables,
        "pairs": {query: list(row.items()) for query, row in tables.items()},
        "Polars": frame,
        "pandas": pd.DataFrame(columns),
        "records": frame.to_dicts(),
        "lists": pl.DataFrame({"query": list(tables), "docs": [list(row) for row in tables.values()], f"{number}s": [[float(value) for value in row.values()] for row in tables.values()]}),
        "CSV": folder / f"{number}.csv",
        "Parquet": folder / f"{number}.parquet",
        "JSON": folder / f"{number}.json",
        "TREC": folder / f"{number}.txt",
    }  # fmt: skip
    frame.write_csv(made["CSV"])
    frame.write_parquet(made["Parquet"])
    made["JSON"].write_text(json.dumps(tables))
    form = "{} 0 {} {}\n" if number == "grade" else "{} Q0 {} 1 {} tag\n"
    made["TREC"].write_text("".join(form.format(*row) for row in rows(tables)))
    return made


def values(scores):
    return {
        measure: dict(zip(map(str, scores.queries()), scores.values(measure).tolist(), strict=True))
        for measure in EXPECTED
    }


def close(found, expected=EXPECTED):
    return found == {measure: pytest.approx(by_query, abs=1e-15) for measure, by_query in expected.items()}


@for_each("engine", [None, "duckdb"])
@for_each("parent", PARENTS)
def test_the_best_chunk_stands_for_its_document_in_every_form(tmp_path, engine, parent):
    for form, run in forms(RUN, "score", tmp_path).items():
        scores = rankgold.evaluate(QRELS, run, list(EXPECTED), parent=PARENTS[parent], engine=engine)
        assert close(values(scores)), form
        assert scores.policy.chunks == "best"


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_the_best_chunk_stands_for_a_document_that_is_judged_in_any_form(tmp_path, engine):
    for form, qrels in forms(QRELS, "grade", tmp_path).items():
        assert close(values(rankgold.evaluate(qrels, RUN, list(EXPECTED), parent="#", engine=engine))), form


READERS = {
    "files in chunks": {"SMALL": -1, "LARGE": 1, "LARGE_TABLE": 1, "ROWS_AT_ONCE": 2},
    "files by way of the disk": {"SMALL": -1, "LARGE": 1, "LARGE_TABLE": 1, "ROWS_AT_ONCE": 1, "ROWS_IN_MEMORY": 0},
}


@pytest.mark.parametrize("reader", READERS)
def test_chunks_of_large_files_are_rolled_up(tmp_path, monkeypatch, reader):
    for name, value in READERS[reader].items():
        monkeypatch.setattr(inputs if name == "SMALL" else chunks, name, value)
    interleaved = {"q1": {}, "q2": {}}
    for query, document, score in sorted(rows(RUN), key=lambda row: row[2]):
        interleaved[query][document] = score
    for form in ("CSV", "Parquet", "TREC"):
        for run in (RUN, interleaved):
            for parent in PARENTS.values():
                path = forms(run, "score", tmp_path)[form]
                assert close(values(rankgold.evaluate(QRELS, path, list(EXPECTED), parent=parent)))


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_judged_chunks_count_as_their_document_with_the_best_grade(engine):
    # d1 has the grades 0, 2 and 1: it is relevant with 2. DCG of d1 at rank 2: 2 / log2(3) = 1.2619.
    judged = {"q": [("d1", 0), ("d1", 2), ("d2", 0), ("d1", 1)]}
    frame = pl.DataFrame({"query": ["q"] * 4, "chunk": list("wxyz"), "doc": ["d1", "d1", "d2", "d1"], "grade": [0, 2, 0, 1]})  # fmt: skip
    run = {"q": {"d2#5": 0.9, "d1#9": 0.8, "d2#6": 0.7}}
    for qrels in (judged, frame, frame.to_pandas(), frame.to_dicts()):
        scores = rankgold.evaluate(qrels, run, ["dcg"], parent="#", engine=engine)
        assert scores["dcg"] == pytest.approx(1.2618595071429148)


def test_ids_of_judgements_are_left_as_they_are():
    # The document doc-1 has the chunks doc-1-1 and doc-1-2, and its own id has the separator too.
    run = {"q": {"doc-2-1": 0.9, "doc-1-1": 0.8, "doc-1-2": 0.7}}
    assert rankgold.evaluate({"q": ["doc-1"]}, run, ["rr"], parent="-")["rr"] == 0.5


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_without_parent_rows_with_the_same_document_are_its_chunks(engine):
    # The document of each chunk, in ranked order: d2, d2, d1. d1 is at rank 2.
    frame = pl.DataFrame({"query": ["q"] * 3, "chunk": ["x", "y", "z"], "doc_id": ["d2", "d1", "d2"], "score": [0.1, 0.5, 0.9]})  # fmt: skip
    for run in (
        {"q": ["d2", "d2", "d1"]},
        {"q": [("d2", 0.1), ("d1", 0.5), ("d2", 0.9)]},
        {"q": pd.Series([0.1, 0.5, 0.9], index=["d2", "d1", "d2"])},
        pl.DataFrame({"query": ["q"], "docs": [["d2", "d2", "d1"]]}),
        frame,
    ):
        scores = rankgold.evaluate({"q": {"d1": 1}}, run, ["rr", "p"], policy="chunks=best", engine=engine)
        assert scores.means == {"rr": 0.5, "p": 0.5}
        with pytest.raises(rankgold.DataError, match="twice"):
            rankgold.evaluate({"q": {"d1": 1}}, run, ["rr"], engine=engine)
    assert (
        rankgold.evaluate(rankgold.from_lists([["d2", "d2", "d1"]], [["d1"]], policy="chunks=best"), "rr")["rr"] == 0.5
    )


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_the_tie_rule_orders_documents_by_their_best_chunks(tmp_path, engine):
    # In the input the best chunk of a is the last row, that of b the first: a is second by input, first ascending.
    run = {"q": {"b#1": 0.5, "a#1": 0.1, "a#2": 0.5}}
    for policy, expected in (("ties=input", 0.5), ("ties=ascending", 1.0), ("ties=descending", 0.5), ("ties=average", 0.75)):  # fmt: skip
        for parent in ("#", before_hash):
            scores = rankgold.evaluate({"q": ["a"]}, run, ["rr"], parent=parent, policy=policy, engine=engine)
            assert scores["rr"] == expected, (parent, policy)
    for form, ranked in forms(run, "score", tmp_path).items():
        for policy, expected in (("ties=input", 0.5), ("ties=ascending", 1.0)):
            scores = rankgold.evaluate({"q": ["a"]}, ranked, ["rr"], parent="#", policy=policy, engine=engine)
            assert scores["rr"] == expected, (form, policy)


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_condensed_lists_leave_out_documents_that_are_not_judged(engine):
    # Without d2 the documents are d1, d3: both relevant, AP 1.
    qrels = {"q1": QRELS["q1"]}
    assert rankgold.evaluate(qrels, RUN, ["ap"], parent="#", policy="unjudged=condensed", engine=engine)["ap"] == 1.0


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_chunks_may_be_integers_and_documents_text_or_the_other_way_round(engine):
    to_text, to_integers = {1: "a", 2: "a", 3: "b"}, {"1": 7, "2": 7, "3": 8}
    # The chunks rank a, a, b (or 7, 7, 8): the second document is relevant.
    for run in ({"q": {1: 0.9, 2: 0.8, 3: 0.7}}, {"q": {"1": 0.9, "2": 0.8, "3": 0.7}}):
        for frame in (run, pl.DataFrame({"query": "q", "doc": list(run["q"]), "score": [0.9, 0.8, 0.7]})):
            assert rankgold.evaluate({"q": ["b"]}, frame, ["rr"], parent=to_text, engine=engine)["rr"] == 0.5
            assert rankgold.evaluate({"q": [8]}, frame, ["rr"], parent=to_integers, engine=engine)["rr"] == 0.5
            assert rankgold.evaluate({"q": ["8"]}, frame, ["rr"], parent=to_integers, engine=engine)["rr"] == 0.5


def test_the_document_is_what_is_in_front_of_the_last_separator():
    # a#b#1 -> a#b; a::1 with another separator -> itself; #1 has nothing in front, and is itself.
    ranked = ["a#b#1", "a::1", "#1", "a#b#2", "c.+1"]
    for document, rank in (("a#b", 1), ("a::1", 2), ("#1", 3), ("c.+1", 4)):
        for run in ({"q": ranked}, pl.DataFrame({"query": ["q"], "docs": [ranked]})):
            for engine in (None, "duckdb"):
                assert rankgold.evaluate({"q": [document]}, run, ["rr"], parent="#", engine=engine)["rr"] == 1 / rank
    # A separator is text, not a pattern.
    for run in ({"q": ranked}, pl.DataFrame({"query": ["q"], "docs": [ranked]})):
        assert rankgold.evaluate({"q": ["c"]}, run, ["rr"], parent=".+")["rr"] == 1 / 5


def test_match_explain_plan_and_accumulator_take_parent():
    hits = rankgold.match(QRELS, RUN, parent="#")
    assert rankgold.evaluate(hits, ["ap"]).values("ap").tolist() == pytest.approx([7 / 12, 1 / 2])
    assert [step.document for step in rankgold.explain(QRELS, RUN, "ap", "q1", parent="#").steps] == ["d1", "d3"]
    assert "ap" in rankgold.plan(QRELS, RUN, ["ap"], parent="#")
    accumulator = rankgold.Accumulator(["rr"], parent="#")
    for query in QRELS:
        accumulator.update({query: QRELS[query]}, {query: RUN[query]})
    assert accumulator.scores()["rr"] == 0.5


def test_the_shell_takes_a_separator_and_the_policy(tmp_path):
    made = forms(QRELS, "grade", tmp_path) | {"run": forms(RUN, "score", tmp_path)["TREC"]}
    for engine in ("local", "duckdb"):
        lines = printed("evaluate", str(made["TREC"]), str(made["run"]), "-m", "rr", "--parent", "#", "-e", engine).splitlines()  # fmt: skip
        assert lines[1] == "tag  0.5000"
        assert lines[-1] == "policy: chunks=best"


BAD = {
    "an empty separator": ("", "parent must be a separator such as '#', and this one is empty"),
    "a number": (5, "parent must be a separator such as '#', a dict from chunk to document, or a function, not int"),
    "a dict to None": ({"d2#1": None}, "an id in parent is None"),
    "a dict to a list": ({"d2#1": ["d2"]}, "a document in parent is ['d2']"),
    "a function that fails": (lambda chunk: {}[chunk], "parent fails on the chunk 'd2#1': KeyError: 'd2#1'"),
    "a function without a result": (lambda chunk: None, "parent gives no document for the chunk 'd2#1'"),
}


@for_each("case", BAD)
def test_a_parent_that_is_none_is_an_error(case):
    parent, message = BAD[case]
    for run in (RUN, pl.DataFrame(list(rows(RUN)), schema=["query", "doc", "score"], orient="row")):
        with pytest.raises(rankgold.DataError) as caught:
            rankgold.evaluate(QRELS, run, ["rr"], parent=parent)
        assert message in str(caught.value)
        assert isinstance(pickle.loads(pickle.dumps(caught.value)), rankgold.DataError)


def test_parent_with_hits_is_an_error_because_they_are_matched_already():
    hits = rankgold.from_lists([["d1#1"]], [["d1"]])
    for ask in (lambda: rankgold.evaluate(hits, ["rr"], parent="#"), lambda: rankgold.explain(hits, "rr", parent="#")):
        with pytest.raises(rankgold.DataError, match=r"Hits are matched already\. Pass parent to match"):
            ask()


def test_a_table_of_a_database_is_rolled_up():
    with duckdb.connect() as connection:
        connection.register("frame", pl.DataFrame(list(rows(RUN)), schema=["query", "document", "score"], orient="row").to_arrow())  # fmt: skip
        connection.execute("CREATE TABLE ranked AS FROM frame")
        for parent in PARENTS.values():
            assert close(values(rankgold.evaluate(QRELS, "ranked", list(EXPECTED), parent=parent, engine=connection)))


@pytest.mark.spark
def test_spark_rolls_chunks_up(spark, monkeypatch):
    from rankgold.engines.spark import prepared_data
    from tests.spark import frame, sessions

    ranked = frame(spark, RUN, "score")
    for parent in PARENTS.values():
        assert close(values(rankgold.evaluate(QRELS, ranked, list(EXPECTED), parent=parent)))
    assert rankgold.match(QRELS, ranked, parent="#").system.rank.tolist() == [2, 3, 2]
    # Judgements that are shuffled, because they are many.
    monkeypatch.setattr(prepared_data, "BROADCAST_LIMIT", 1)
    connected = sessions()["connect"]
    frames = frame(connected, QRELS, "grade"), frame(connected, RUN, "score")
    assert close(values(rankgold.evaluate(*frames, list(EXPECTED), parent="#")))
    with pytest.raises(rankgold.PolicyError, match="trust ranks with chunks=best"):
        rankgold.evaluate(
            QRELS, ranked, ["rr"], parent="#", engine=rankgold.Spark(trust_ranks=True), columns={"rank": "score"}
        )
