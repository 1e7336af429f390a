"""Cases worked by hand, in every form that can hold them, by every reader and engine: the same values, to the last bit."""

import csv
import json

import duckdb
import pandas as pd
import polars as pl
import pytest

import rankgold
from rankgold.data import chunks, inputs
from rankgold.engines.spark import prepared_data
from tests.cases import for_each
from tests.collections import rows

# Judgements, run, policy, and the reciprocal rank of each query that counts.
CASES = {
    "a query is judged with nothing": (
        {"u1": {}, "u2": {"i3": 1}}, {"u1": {"i1": 1.0}, "u2": {"i3": 2.0, "i1": 1.0}}, None, {"u1": 0.0, "u2": 1.0}),
    "a query is judged with nothing, and left out": (
        {"u1": {}, "u2": {"i3": 1}}, {"u1": {"i1": 1.0}, "u2": {"i1": 2.0, "i3": 1.0}}, "no_relevant=skip", {"u2": 0.5}),
    "the last query is judged with nothing": (
        {"u2": {"i3": 1}, "u1": {}}, {"u2": {"i1": 2.0, "i3": 1.0}}, "no_relevant=one", {"u1": 1.0, "u2": 0.5}),
    "a query is ranked with nothing": (
        {"u1": {"i1": 1}, "u2": {"i3": 1}}, {"u1": {}, "u2": {"i1": 2.0, "i3": 1.0}}, None, {"u1": 0.0, "u2": 0.5}),
    "a query is ranked with nothing, and left out": (
        {"u1": {"i1": 1}, "u2": {"i3": 1}}, {"u1": {}, "u2": {"i1": 2.0, "i3": 1.0}}, "missing=skip", {"u2": 0.5}),
    "ids are integers on one side": (
        {1: {7: 1, 8: 0}, 2: {7: 1}}, {"1": {"8": 2.0, "7": 1.0}, "2": {"7": 1.0}}, None, {"1": 0.5, "2": 1.0}),
    "ids are of two types in the judgements": (
        {1: {7: 1}, "b": {"7": 1, "x": 0}}, {1: {8: 2.0, 7: 1.0}, "b": {7: 1.0, "x": 2.0}}, None, {"1": 0.5, "b": 0.5}),
    "one document is an integer among text in the run": (
        {"a": {"7": 1}}, {"a": {"x": 3.0, 7: 2.0, "8": 1.0}}, None, {"a": 0.5}),
    "one document is text among integers in the run": (
        {"a": {7: 1}}, {"a": {9: 3.0, "7": 2.0, 8: 1.0}}, None, {"a": 0.5}),
    # As text, "9" comes after "10", and descending ties put it first.
    "tied documents of two types": ({"a": {10: 1}}, {"a": {"10": 1.0, 9: 1.0, "11": 0.5}}, None, {"a": 0.5}),
    "whole floats are integers": ({"a": {7.0: 1}}, {"a": {8.0: 2.0, 7.0: 1.0}}, None, {"a": 0.5}),
}  # fmt: skip


def as_records(tables, number):
    return [{"query": query, "doc": document, number: value} for query, document, value in rows(tables)]


def as_lists(tables):
    return {query: sorted(row, key=row.get, reverse=True) for query, row in tables.items()}


def as_json(tables, number, folder):
    path = folder / f"{number}.json"
    # The names of a JSON object are text: 7.0 would be another id.
    table = {str(query): {_name(document): value for document, value in row.items()} for query, row in tables.items()}
    path.write_text(json.dumps(table), encoding="utf-8")
    return path


def _name(id_):
    return str(int(id_)) if isinstance(id_, float) else str(id_)


def as_json_list(tables, number, folder):
    path = folder / f"{number}_records.json"
    path.write_text(json.dumps(as_records(tables, number)), encoding="utf-8")
    return path


def as_json_lines(tables, number, folder):
    path = folder / f"{number}.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in as_records(tables, number)), encoding="utf-8")
    return path


def as_table(tables, number, folder, ending, separator):
    path = folder / f"{number}{ending}"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=separator)
        writer.writerow(["query", "doc", number])
        writer.writerows([_name(query), _name(document), value] for query, document, value in rows(tables))
    return path


def as_trec(tables, number, folder):
    path = folder / f"{number}.txt"
    form = "{} 0 {} {}\n" if number == "grade" else "{} Q0 {} 1 {} tag\n"
    path.write_text("".join(form.format(_name(q), _name(d), value) for q, d, value in rows(tables)), encoding="utf-8")
    return path


def as_pandas(tables, number):
    return pd.DataFrame(as_records(tables, number)).astype({"query": object, "doc": object})


def forms(tables, number, folder):
    """The tables in every form. A form of rows has no place for a query without rows."""
    held = {
        "dicts": tables,
        "JSON": as_json(tables, number, folder),
    }
    is_list = all(value == 1 for row in tables.values() for value in row.values())
    if number == "score":
        is_list = all(len(set(row.values())) == len(row) for row in tables.values())
    if is_list:
        held["lists"] = as_lists(tables)
    if number == "grade" and not all(tables.values()):
        return held
    return held | {
        "records": as_records(tables, number),
        "JSON list": as_json_list(tables, number, folder),
        "JSON lines": as_json_lines(tables, number, folder),
        "CSV": as_table(tables, number, folder, ".csv", ","),
        "TSV": as_table(tables, number, folder, ".tsv", "\t"),
        "TREC": as_trec(tables, number, folder),
        "pandas": as_pandas(tables, number),
    }


# Other readers than that of small files.
READERS = {
    "all files by the other reader": {"SMALL": -1},
    "runs in chunks": {"SMALL": -1, "LARGE": 1, "LARGE_TABLE": 1, "ROWS_AT_ONCE": 2},
    "runs in chunks by way of the disk": {"SMALL": -1, "LARGE": 1, "LARGE_TABLE": 1, "ROWS_AT_ONCE": 1, "ROWS_IN_MEMORY": 0},
}  # fmt: skip


@pytest.fixture(params=READERS)
def reader(request, monkeypatch):
    for name, value in READERS[request.param].items():
        monkeypatch.setattr(inputs if name == "SMALL" else chunks, name, value)


def values(scores, run=None, measure="rr"):
    return dict(zip(map(str, scores.queries(run)), scores.values(measure, run).tolist(), strict=True))


def pairs_of_forms(qrels, run, folder):
    """The judgements in every form with the run in every form."""
    ranked_forms = forms(run, "score", folder)
    for judged_as, judged in forms(qrels, "grade", folder).items():
        for ranked_as, ranked in ranked_forms.items():
            yield judged_as, judged, ranked_as, ranked


def some_pairs_of_forms(qrels, run, folder):
    """Each form with itself and with dicts: a reader of one side does not know the form of the other."""
    for judged_as, judged, ranked_as, ranked in pairs_of_forms(qrels, run, folder):
        if judged_as == ranked_as or "dicts" in (judged_as, ranked_as):
            yield judged_as, judged, ranked_as, ranked


@for_each("case", CASES)
def test_every_form_with_every_other_gives_the_values_worked_by_hand(tmp_path, case):
    qrels, run, policy, expected = CASES[case]
    for judged_as, judged, ranked_as, ranked in pairs_of_forms(qrels, run, tmp_path):
        scores = rankgold.evaluate(judged, ranked, ["rr"], policy=policy)
        assert values(scores) == expected, (judged_as, ranked_as)
        assert scores["rr"] == sum(expected.values()) / len(expected)


@for_each("case", CASES)
@for_each("reader", READERS)
def test_every_reader_gives_the_values_worked_by_hand(tmp_path, monkeypatch, reader, case):
    for name, value in READERS[reader].items():
        monkeypatch.setattr(inputs if name == "SMALL" else chunks, name, value)
    qrels, run, policy, expected = CASES[case]
    for judged_as, judged, ranked_as, ranked in some_pairs_of_forms(qrels, run, tmp_path):
        scores = rankgold.evaluate(judged, ranked, ["rr"], policy=policy)
        assert values(scores) == expected, (judged_as, ranked_as)


@for_each("case", CASES)
def test_duckdb_gives_the_values_worked_by_hand(tmp_path, case):
    qrels, run, policy, expected = CASES[case]
    with duckdb.connect() as connection:
        for judged_as, judged, ranked_as, ranked in some_pairs_of_forms(qrels, run, tmp_path):
            scores = rankgold.evaluate(judged, ranked, ["rr"], policy=policy, engine=connection)
            assert values(scores) == expected, (judged_as, ranked_as)


@pytest.mark.spark
def test_spark_gives_the_values_worked_by_hand(tmp_path, spark):
    (tmp_path / "lines").mkdir()
    for case, (qrels, run, policy, expected) in CASES.items():
        # Spark itself reads JSON lines. Dicts are sent to it, and they alone hold queries without documents.
        is_complete = all(run.values())
        ranked = as_json_lines(run, "score", tmp_path / "lines") if is_complete else run
        scores = rankgold.evaluate(qrels, ranked, ["rr"], policy=policy, engine=spark)
        assert values(scores) == expected, case


@for_each("case", CASES)
def test_an_accumulator_gives_the_values_worked_by_hand(case):
    qrels, run, policy, expected = CASES[case]
    accumulator = rankgold.Accumulator(["rr"], policy, per_query=True)
    for query, row in qrels.items():
        accumulator.update({query: row}, {query: run.get(query, run.get(str(query), {}))})
    assert values(accumulator.scores()) == expected


def test_rankings_that_are_all_empty_score_0_in_every_form(tmp_path):
    qrels, run = {"u1": {"i1": 1}, "u2": {}}, {"u1": {}, "u2": {}, "u3": {}}
    for engine in (None, "duckdb"):
        for ranked in (run, as_json(run, "score", tmp_path), {query: [] for query in run}):
            scores = rankgold.evaluate(qrels, ranked, ["rr"], engine=engine)
            assert values(scores) == {"u1": 0.0, "u2": 0.0}
            assert scores.notes.without_ranking == ("u1", "u2")
            assert scores.notes.without_judgements == ("u3",)


def test_a_run_without_rows_among_several_in_a_file_keeps_its_name(tmp_path):
    path = tmp_path / "both.json"
    path.write_text('{"none": {"u1": []}, "some": {"u1": ["i1"]}}')
    for engine in (None, "duckdb"):
        assert rankgold.evaluate({"u1": {"i1": 1}}, path, ["rr"], engine=engine)["rr"] == {"none": 0.0, "some": 1.0}


# Ids that a reader with an opinion on types would rewrite: all of them are text, and each is another id.
NASTY = [
    "007", "7", "+7", "-7", "7.0", "7.50", "1e5", "100000", "1E5", "0x1F", "true", "True", "FALSE", "null", "NULL",
    "None", "nan", "NaN", "inf", "2020-1-1", "2020-01-01", "2020-01-01T00:00:00", "2020-01-01 00:00:00", "12:30",
    "550E8400-E29B-41D4-A716-446655440000", "550e8400-e29b-41d4-a716-446655440000", "a b", "a  b", "a,b", "a;b", "é",
    "e\u0301", "日本", "#x", "'", "\\N", "\\", "/", "~", "{}", "[]", "9" * 60, "0" * 60, "9223372036854775808",
    "-0", "1_000", "١", "x" * 300,
]  # fmt: skip


def nasty(folder):
    """Judgements that have one nasty id as a query and as its only document; a run that ranks all of them for each."""
    qrels = {id_: {id_: 1} for id_ in NASTY}
    run = {id_: {other: float(-place) for place, other in enumerate(NASTY, 1)} for id_ in NASTY}
    parquet = {}
    for name, tables in (("grade", qrels), ("score", run)):
        parquet[name] = folder / f"{name}.parquet"
        table = pl.DataFrame(as_records(tables, name), infer_schema_length=None)
        table.write_parquet(parquet[name])
    return {
        "dicts": (qrels, run),
        "JSON": (as_json(qrels, "grade", folder), as_json(run, "score", folder)),
        "JSON list": (as_json_list(qrels, "grade", folder), as_json_list(run, "score", folder)),
        "JSON lines": (as_json_lines(qrels, "grade", folder), as_json_lines(run, "score", folder)),
        "CSV": tuple(as_table(tables, name, folder, ".csv", ",") for name, tables in (("grade", qrels), ("score", run))),
        "TSV": tuple(as_table(tables, name, folder, ".tsv", "\t") for name, tables in (("grade", qrels), ("score", run))),
        "Parquet": (parquet["grade"], parquet["score"]),
    }  # fmt: skip


# The document at place n of every ranking is the relevant one of the query at place n: its reciprocal rank is 1 / n.
NASTY_VALUES = {id_: 1 / place for place, id_ in enumerate(NASTY, 1)}


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_nasty_ids_are_read_as_they_are_written(tmp_path, engine):
    for form, (qrels, run) in nasty(tmp_path).items():
        scores = rankgold.evaluate(qrels, run, ["rr"], engine=engine)
        assert values(scores) == NASTY_VALUES, form
        assert scores.notes.remarks == (), form


def test_nasty_ids_are_read_as_they_are_written_by_a_pattern_in_duckdb(tmp_path):
    for form, (qrels, run) in nasty(tmp_path).items():
        if form not in ("dicts", "JSON"):
            patterns = [path.with_name(path.name.replace(path.stem, path.stem[:-1] + "?")) for path in (qrels, run)]
            assert values(rankgold.evaluate(*patterns, ["rr"], engine="duckdb")) == NASTY_VALUES, form


@pytest.mark.spark
def test_nasty_ids_are_read_as_they_are_written_by_spark(tmp_path, spark):
    forms = nasty(tmp_path)
    scores = rankgold.evaluate(forms["dicts"][0], {form: run for form, (_, run) in forms.items()}, ["rr"], engine=spark)
    for form in forms:
        assert values(scores, form) == NASTY_VALUES, form


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_ids_in_json_may_be_of_several_types(tmp_path, engine):
    # 1, "2", 3.0 and an integer beyond 64 bits are ranked in this order; as text they are 1, 2, 3 and the digits.
    path = tmp_path / "run.jsonl"
    large = 10**30
    path.write_text("".join(f'{{"query": 5, "doc": {d}, "score": {s}}}\n' for d, s in [(1, 4), ('"2"', 3), ("3.0", 2), (large, 1)]))  # fmt: skip
    for rank, document in enumerate((1, 2, 3, large), 1):
        for id_ in (document, str(document)):
            assert rankgold.evaluate({"5": {id_: 1}}, path, ["rr"], engine=engine)["rr"] == 1 / rank
            assert rankgold.evaluate({5: [id_]}, path, ["rr"], engine=engine)["rr"] == 1 / rank


@for_each("engine", [None, "duckdb"])
@for_each("value", ["true", "1.5", "null", "1e300"])
def test_what_is_not_an_id_in_json_is_an_error(tmp_path, engine, value):
    path = tmp_path / "run.jsonl"
    path.write_text(f'{{"query": "q", "doc": "a", "score": 1}}\n{{"query": "q", "doc": {value}, "score": 1}}\n')
    with pytest.raises(rankgold.DataError, match=r"document .*(is not an id|missing|Ids must be integers or text)"):
        rankgold.evaluate({"q": {"a": 1}}, path, ["rr"], engine=engine)


# z has the highest grade, and is not retrieved. What is left has the grades 1, 2 and 1, so the scale goes to 2, and a
# reader stops at grade 1 with a chance of 1/4 and at grade 2 with 3/4. If only a is left, it goes to 1: 1/2 for a.
DROPPED = ({"u1": {"a": 1, "z": 3}, "u2": {"b": 2, "c": 1}}, {"u1": {"a": 1.0}, "u2": {"x": 3.0, "b": 2.0, "c": 1.0}})
AFTER_DROPPING = {
    "": {"u1": 1 / 4, "u2": 3 / 4 / 2 + 1 / 4 * 1 / 4 / 3},
    "depth=1": {"u1": 1 / 2, "u2": 0.0},
    "depth=2": {"u1": 1 / 4, "u2": 3 / 4 / 2},
    "unjudged=condensed": {"u1": 1 / 4, "u2": 3 / 4 + 1 / 4 * 1 / 4 / 2},
    "unjudged=condensed, depth=1": {"u1": 1 / 2, "u2": 0.0},
    "ties=average": {"u1": 1 / 4, "u2": 3 / 4 / 2 + 1 / 4 * 1 / 4 / 3},
}


@for_each("policy", AFTER_DROPPING)
def test_the_scale_is_that_of_what_is_left_after_dropping_in_every_form_and_reader(tmp_path, monkeypatch, policy):
    expected = pytest.approx(AFTER_DROPPING[policy], rel=1e-15)
    dropping = f"unretrieved=dropped, {policy}"
    for judged_as, judged, ranked_as, ranked in some_pairs_of_forms(*DROPPED, tmp_path):
        scores = rankgold.evaluate(judged, ranked, ["err"], policy=dropping)
        assert values(scores, measure="err") == expected, (judged_as, ranked_as)
    for reader in READERS.values():
        for name, value in reader.items():
            monkeypatch.setattr(inputs if name == "SMALL" else chunks, name, value)
        for form, ranked in forms(DROPPED[1], "score", tmp_path).items():
            scores = rankgold.evaluate(DROPPED[0], ranked, ["err"], policy=dropping)
            assert values(scores, measure="err") == expected, form
        monkeypatch.undo()


@for_each("policy", AFTER_DROPPING)
def test_the_scale_is_that_of_what_is_left_after_dropping_in_duckdb(policy):
    scores = rankgold.evaluate(*DROPPED, ["err"], policy=f"unretrieved=dropped, {policy}", engine="duckdb")
    assert values(scores, measure="err") == pytest.approx(AFTER_DROPPING[policy], rel=1e-15)


@pytest.mark.spark
def test_the_scale_is_that_of_what_is_left_after_dropping_on_spark(tmp_path, spark, monkeypatch):
    qrels, run = DROPPED
    # The run `best` finds z. Its scale goes to 3, and 7/8 of the readers stop there.
    runs = {"run": as_json_lines(run, "score", tmp_path), "best": {"u1": {"z": 1.0}}}
    for is_joined, limit in enumerate((prepared_data.BROADCAST_LIMIT, 0)):
        monkeypatch.setattr(prepared_data, "BROADCAST_LIMIT", limit)
        judged = spark.createDataFrame(pd.DataFrame(as_records(qrels, "grade")))
        for number, (policy, expected) in enumerate(AFTER_DROPPING.items()):
            dropping = f"unretrieved=dropped, {policy}"
            # Every policy goes both ways: one of them with values of queries and hits, the other with means alone.
            per_query = number % 2 == is_joined
            scores = rankgold.evaluate(judged, runs, ["err"], policy=dropping, engine=spark, per_query=per_query)
            means = {"run": sum(expected.values()) / 2, "best": 7 / 8 / 2}
            assert scores["err"] == pytest.approx(means, rel=1e-15), (limit, policy)
            if per_query:
                hits = rankgold.match(judged, runs["run"], policy=dropping, engine=spark)
                assert values(rankgold.evaluate(hits, ["err"]), measure="err") == pytest.approx(expected, rel=1e-15)
                assert "a" in str(rankgold.explain(hits, measure="err", query="u1"))
