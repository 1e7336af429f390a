"""Judgements for subtopics: nine measures of diversity, worked by hand, against a plain reference, and in every form."""

import gzip
import json
import math
from itertools import chain, permutations, product

import numpy as np
import polars as pl
import pytest
from hypothesis import given

import rankgold
from rankgold.core.subtopics import Subtopics, greedy_ranks
from tests.all_measures import measures
from tests.cases import for_each
from tests.collections import TIED_SCORES, collections, examples, with_subtopics
from tests.reference_of_diversity import OVER_SUBTOPICS, Diverse
from tests.shell import printed

METRICS = [metric for metric in rankgold.measures.all() if metric.over_subtopics]
MEASURES = measures((1, 3), METRICS)

# Of "jaguar": d1 is about the car and the animal, d2 about the car, d3 about the animal and a computer.
QRELS = {"jaguar": {"d1": {"car": 1, "animal": 1}, "d2": {"car": 2, "animal": 0}, "d3": {"animal": 1, "mac": 1}}}
RUN = {"jaguar": {"d2": 0.9, "d1": 0.8, "x": 0.7, "d3": 0.6}}


def rows_of(qrels):
    return [
        (q, d, s, grade) for q, documents in qrels.items() for d, row in documents.items() for s, grade in row.items()
    ]


def values(qrels, run, wanted=MEASURES, **options):
    return by_query(rankgold.evaluate(qrels, run, wanted, **options))


def by_query(scores):
    return {row.pop("query"): row for row in scores.per_query.to_dicts()}


def test_every_measure_of_diversity_is_worked_by_hand_for_one_list():
    # car at ranks 1 and 2, animal at ranks 2 and 4, mac at rank 4. With alpha = 1/2, the second of each counts half.
    # The ideal takes d3 (gain 2, the last of d1 and d3 by id), then d1 (1 for car + 1/2 for animal), then d2 (1/2).
    two, three, five = math.log2(3), 2, math.log2(5)
    gain = 1 + (0.5 + 1) / two + (0.5 + 1) / five
    expected = {
        "alpha_dcg@4": gain / (3 * (1 + 0.5 / two + 0.25 / three + 0.125 / five)),
        "alpha_ndcg@4": gain / (2 + 1.5 / two + 0.5 / three),
        "alpha_ndcg@2": (1 + 1.5 / two) / (2 + 1.5 / two),
        "err_ia@2": (1 + 1.5 / 2) / (3 * (1 + 0.5 / 2)),
        "nerr_ia@2": (1 + 1.5 / 2) / (2 + 1.5 / 2),
        "nrbp": (1 + 1.5 / 2 + 1.5 / 8) * (1 - 1 / 4) / 3,
        "nnrbp": (1 + 1.5 / 2 + 1.5 / 8) / (2 + 1.5 / 2 + 0.5 / 4),
        "ap_ia": ((1 / 1 + 2 / 2) / 2 + (1 / 2 + 2 / 4) / 2 + 1 / 4) / 3,
        "p_ia@2": (2 / 2 + 1 / 2 + 0 / 2) / 3,
        "strec@1": 1 / 3,
        "strec@2": 2 / 3,
        "strec": 1,
    }
    assert rankgold.evaluate(QRELS, RUN, list(expected)).means == pytest.approx(expected, rel=1e-14)


def test_weights_of_subtopics_are_worked_by_hand():
    # car weighs 3, animal 1, mac 2: together 6.
    weight = {"car": 3, "animal": 1, "mac": 2}
    table = pl.DataFrame(
        [(*row, weight[row[2]]) for row in rows_of(QRELS)],
        ["query", "doc", "subtopic", "grade", "weight"],
        orient="row",
    )
    expected = {
        "strec@1": 3 / 6,
        "strec@2": 4 / 6,
        "p_ia@2": (3 * 2 + 1 * 1) / (2 * 6),
        "ap_ia": (3 * (1 / 1 + 2 / 2) / 2 + 1 * (1 / 2 + 2 / 4) / 2 + 2 * 1 / 4) / 6,
        "err_ia@2": (3 + (3 * 0.5 + 1) / 2) / (6 * (1 + 0.5 / 2)),
        # The ideal list takes d1 (4), then d3 (2 + 1/2).
        "nerr_ia@2": (3 + (3 * 0.5 + 1) / 2) / (4 + 2.5 / 2),
    }
    assert rankgold.evaluate(table, RUN, list(expected)).means == pytest.approx(expected, rel=1e-14)


def test_grades_for_subtopics_count_if_the_scale_is_named():
    # On a scale to 2, grade 1 is worth 1/3 and grade 2 is worth 1. d2 leaves half of the car, and 1/2 * 1/3 is d1's part
    # of it. d1 leaves 5/6 of the animal.
    name = "err_ia(max=2)@4"
    total = 1 + (1 / 2 * 1 / 3 + 1 / 3) / 2 + (5 / 6 * 1 / 3 + 1 / 3) / 4
    most = 3 * (1 + 0.5 / 2 + 0.25 / 3 + 0.125 / 4)
    assert rankgold.evaluate(QRELS, RUN, name)[name] == pytest.approx(total / most, rel=1e-14)


def test_a_list_can_be_better_than_the_greedy_ideal():
    # m covers two of a, two of b, more than p or q alone, so the greedy list is m p q, with what m left of them.
    left, right = ("a1", "a2", "a3"), ("b1", "b2", "b3")
    qrels = {
        "q": {"m": dict.fromkeys([*left[:2], *right[:2]], 1), "p": dict.fromkeys(left, 1), "q": dict.fromkeys(right, 1)}
    }
    scores = rankgold.evaluate(qrels, {"q": ["p", "q"]}, ["alpha_ndcg(alpha=1)@2", "strec@2"])
    assert scores.means == pytest.approx(
        {"alpha_ndcg(alpha=1)@2": (3 + 3 / math.log2(3)) / (4 + 1 / math.log2(3)), "strec@2": 1}
    )


def test_the_greedy_order_takes_the_highest_gain_and_of_several_the_first():
    # Query 0: A is worth 1 to the subtopics 0 and 1, B to 0, C to 2. Query 1: D and E are alike, F is worth nothing more
    # once D has taken all of subtopic 3.
    query, document = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 2, 3, 4, 5])
    subtopic, worth = np.array([0, 1, 0, 2, 3, 4, 3]), np.array([1, 1, 1, 1, 2, 2, 1.0])
    kept = np.array([0.5, 0.5, 0.5, 0.5, 0, 0, 0])
    assert greedy_ranks(query, document, subtopic, worth, kept, None).tolist() == [1, 3, 2, 1, 2, 0]
    assert greedy_ranks(query, document, subtopic, worth, kept, 1).tolist() == [1, 0, 0, 1, 0, 0]


def test_documents_and_their_subtopics_can_be_selected_and_joined():
    known = Subtopics(
        np.array([0, 1, 3]),
        np.array([0, 0, 1]),
        np.array([1.0, 2.0, 0.0]),
        ["car", "animal"],
        np.array([1.0, 3.0]),
        np.array([1, 0]),
    )
    second = known.take(np.array([1]))
    assert (second.starts.tolist(), second.number.tolist(), second.grade.tolist(), second.place.tolist()) == (
        [0, 2],
        [0, 1],
        [2, 0],
        [0],
    )
    both = Subtopics.join([second, known])
    assert both.starts.tolist() == [0, 2, 3, 5]
    assert both.number.tolist() == [0, 1, 2, 2, 3]
    assert both.names == ["car", "animal"] * 2
    assert both.weight.tolist() == [1, 3, 1, 3]
    assert both.kinds(np.array([0, 1, 2, 0])).tolist() == [0, 1, 2, 0]


def test_a_query_whose_subtopics_weigh_nothing_is_undefined_alone_and_among_others():
    """q1 asks for nothing. Of q2, the only subtopic is found at rank 1, which is half of a perfect list for p_ia@2."""
    names = ["query", "doc", "subtopic", "grade", "weight"]
    idle, other = ("q1", "d", "s", 1, 0.0), ("q2", "d", "s", 1, 2.0)
    run = {"q1": {"d": 1}, "q2": {"d": 1}}
    alone = rankgold.evaluate(pl.DataFrame([idle], names, orient="row"), {"q1": run["q1"]}, ["strec", "p_ia@2"])
    both = rankgold.evaluate(pl.DataFrame([idle, other], names, orient="row"), run, ["strec", "p_ia@2"])
    assert np.isnan(list(alone.means.values())).all()
    assert alone.notes.undefined == both.notes.undefined == {"strec": 1, "p_ia@2": 1}
    assert both.means == {"strec": 1.0, "p_ia@2": 0.5}


def reference_values(qrels, run, policy=None, weights=None):
    """Query -> measure -> value, by the plain reference; tied documents in all orders."""
    found = {}
    for query, judged in qrels.items():
        scored = run.get(query, {})
        if policy == "unjudged=condensed":
            scored = {document: score for document, score in scored.items() if document in judged}
        groups = {}
        for document in sorted(scored, reverse=True):
            groups.setdefault(scored[document], []).append(document)
        in_order = [groups[score] for score in sorted(groups, reverse=True)]
        arranged = product(*map(permutations, in_order)) if policy == "ties=average" else [in_order]
        orders = [list(chain.from_iterable(order)) for order in arranged]
        lists = [Diverse(tuple(map(judged.get, order)), judged, (weights or {}).get(query, {})) for order in orders]
        found[query] = {str(measure): mean_value(measure, lists, bool(scored)) for measure in MEASURES}
    return found


def mean_value(measure, lists, is_ranked):
    """The value over all orders, with the default policy for queries without ranking or relevant documents."""
    k = {} if measure.k is None else {"k": measure.k}
    if not is_ranked or not lists[0].relevant(measure.threshold):
        return 0.0
    parts = [OVER_SUBTOPICS[measure.metric.name](order, **k, **dict(measure.chosen)) for order in lists]
    total, norm = (math.fsum(column) / len(parts) for column in zip(*parts, strict=True))
    return total / norm


@pytest.mark.parametrize("policy", [None, "unjudged=condensed", "ties=average"])
@examples(15)
@given(with_subtopics(collections(scores=TIED_SCORES, longest=6)))
def test_every_value_is_that_of_the_plain_reference(policy, collection):
    expected = reference_values(*collection, policy)
    found = values(*collection, policy=policy)
    assert found.keys() == expected.keys()
    for query, row in expected.items():
        assert found[query] == pytest.approx(row, rel=1e-10, abs=1e-12), query


# Two queries with ids that sort differently as text and as numbers, weights, and grades from -1 to 3.
WEIGHTS = {"q1": {"1": 0.5, "2": 2.0, "10": 1.0}, "q2": {"a": 1.0, "b": 3.0}}
MANY = {
    "q1": {"d1": {"1": 1, "2": 0}, "d2": {"2": 3, "10": 1}, "d10": {"1": 2, "2": 1, "10": 1}, "d9": {"10": -1}},
    "q2": {"d1": {"a": 1}, "d3": {"b": 2}, "d4": {"a": 1, "b": 1}},
}
MANY_RUN = {"q1": {"d1": 3, "d2": 2, "x": 2, "d10": 1}, "q2": {"d4": 1, "d3": 1, "d1": 0.5}}
NAMES = ["query", "doc", "subtopic", "grade", "weight"]
RECORDS = [dict(zip(NAMES, (*row, WEIGHTS[row[0]][row[2]]), strict=True)) for row in rows_of(MANY)]
TREC = "".join(f"{q} {s} {d} {grade}\n" for q, d, s, grade in rows_of(MANY))
SHUFFLED = "".join(sorted(TREC.splitlines(keepends=True), key=lambda line: line[::-1]))


def weighted_forms(folder):
    """What holds the judgements with their weights."""
    frame = pl.DataFrame(RECORDS)
    by_query = {
        q: [{n: v for n, v in record.items() if n != "query"} for record in RECORDS if record["query"] == q]
        for q in MANY
    }
    frame.write_csv(folder / "weighted.csv")
    frame.write_parquet(folder / "weighted.parquet")
    frame.write_ipc(folder / "weighted.arrow")
    frame.write_ndjson(folder / "weighted.jsonl")
    (folder / "weighted.json").write_text(json.dumps(RECORDS))
    yield from (RECORDS, by_query, frame, frame.lazy(), frame.to_pandas(), frame.to_arrow(), frame[::-1])
    yield from (folder / f"weighted.{ending}" for ending in ("csv", "parquet", "arrow", "jsonl", "json"))


def plain_forms(folder):
    """What holds the judgements without weights."""
    (folder / "plain.qrels").write_text(TREC)
    (folder / "spaces.qrels").write_text(TREC.replace(" ", "  \t"))
    (folder / "shuffled.qrels").write_text(SHUFFLED)
    (folder / "packed.qrels.gz").write_bytes(gzip.compress(TREC.encode()))
    (folder / "nested.json").write_text(json.dumps(MANY))
    for query in MANY:
        (folder / f"part-{query}.qrels").write_text(
            "".join(line for line in TREC.splitlines(keepends=True) if line.startswith(query))
        )
    listed = [
        {
            "query": q,
            "subtopic": s,
            "docs": [d for d in MANY[q] if s in MANY[q][d]],
            "grades": [MANY[q][d][s] for d in MANY[q] if s in MANY[q][d]],
        }
        for q in MANY
        for s in WEIGHTS[q]
    ]
    frame = pl.DataFrame([record | {"weight": None} for record in RECORDS]).drop("weight")
    yield from (
        MANY,
        [record | {} for record in frame.to_dicts()],
        frame,
        frame.rename({"subtopic": "iteration"}),
        pl.DataFrame(listed),
        listed,
    )
    yield from (
        folder / name for name in ("plain.qrels", "spaces.qrels", "shuffled.qrels", "packed.qrels.gz", "nested.json")
    )
    yield str(folder / "part-*.qrels")


def same_bits(found, expected):
    assert {q: {name: value.hex() for name, value in row.items()} for q, row in found.items()} == {
        q: {name: value.hex() for name, value in row.items()} for q, row in expected.items()
    }


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_every_form_and_engine_gives_the_values_of_the_reference_to_the_same_last_bit(tmp_path, engine):
    for forms, weights in ((plain_forms, None), (weighted_forms, WEIGHTS)):
        expected = None
        for form in forms(tmp_path):
            found = values(form, MANY_RUN, engine=engine)
            if expected is None:
                expected = found
                for query, row in reference_values(MANY, MANY_RUN, weights=weights).items():
                    assert found[query] == pytest.approx(row, rel=1e-12), query
            same_bits(found, expected)


def test_tables_and_files_of_duckdb_have_subtopics_too(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        expected = values(RECORDS, MANY_RUN)
        connection.register("given", pl.DataFrame(RECORDS).to_arrow())
        connection.execute("CREATE TABLE judged AS SELECT * REPLACE (subtopic::VARCHAR AS subtopic) FROM given")
        same_bits(values("judged", MANY_RUN, engine=connection), expected)
        same_bits(values(connection.sql("FROM judged"), MANY_RUN, engine=connection), expected)
        (tmp_path / "a.qrels").write_text(TREC)
        same_bits(values(str(tmp_path / "*.qrels"), MANY_RUN, engine=connection), values(MANY, MANY_RUN))


@pytest.mark.spark
@pytest.mark.parametrize("limit", [1_000_000, 0], ids=["sent", "shuffled"])
def test_frames_and_files_on_spark_have_subtopics_too(spark, tmp_path, monkeypatch, limit):
    monkeypatch.setattr("rankgold.engines.spark.prepared_data.BROADCAST_LIMIT", limit)
    wanted = ["alpha_ndcg(max=3)@3", "nrbp", "ap_ia", "strec@1", "ap"]
    run = spark.createDataFrame(
        [(q, d, float(s)) for q, row in MANY_RUN.items() for d, s in row.items()],
        "query string, doc string, score double",
    )
    weighted = spark.createDataFrame(
        [tuple(record.values()) for record in RECORDS],
        "query string, doc string, subtopic string, grade int, weight double",
    )
    there, here = rankgold.evaluate(weighted, run, wanted), rankgold.evaluate(RECORDS, MANY_RUN, wanted)
    same_bits(by_query(there), by_query(here))
    assert there.notes.remarks == here.notes.remarks
    hits = rankgold.match(weighted, run)
    assert str(rankgold.explain(hits, measure="alpha_ndcg", query="q1")) == str(
        rankgold.explain(RECORDS, MANY_RUN, "alpha_ndcg", "q1")
    )
    if limit:
        (tmp_path / "web.qrels").mkdir()
        (tmp_path / "web.qrels" / "part").write_text(TREC)
        same_bits(values(str(tmp_path / "web.qrels"), run, wanted, engine=spark), values(MANY, MANY_RUN, wanted))
    else:
        listed = [(q, s, [d for d in MANY[q] if MANY[q][d].get(s, 0) > 0]) for q in MANY for s in WEIGHTS[q]]
        lists = spark.createDataFrame([*listed, ("q2", "c", [])], "query string, subtopic string, docs array<string>")
        found = {
            q: {d: {s: 1 for s, grade in row.items() if grade > 0} for d, row in rows.items() if max(row.values()) > 0}
            for q, rows in MANY.items()
        }
        same_bits(values(lists, run, ["alpha_ndcg", "ap"]), values(found, MANY_RUN, ["alpha_ndcg", "ap"]))
    for subtopic, weight, message in (
        ("subtopic", "-1.0", r"the weight of a subtopic must be a number from 0 to 1e\+100, not"),
        ("subtopic", "1e101", r"the weight of a subtopic must be a number from 0 to 1e\+100, not 1e\+101"),
        ("double(1.5)", "1.0", "the subtopic 1.5 is not an id"),
    ):
        bad = weighted.selectExpr("query", "doc", f"{subtopic} as subtopic", "grade", f"{weight} as weight")
        with pytest.raises(rankgold.DataError, match=message):
            values(bad, run, wanted)


def test_integers_as_subtopics_and_documents_are_the_same_as_their_text():
    by_number = {"q": {1: {1: 1, 2: 1}, 2: {10: 1}, 10: {2: 1}}}
    by_text = {"q": {str(d): {str(s): g for s, g in row.items()} for d, row in by_number["q"].items()}}
    run = {"q": {10: 3, 1: 2, 2: 1}}
    frame = pl.DataFrame(rows_of(by_number), ["query", "doc", "subtopic", "grade"], orient="row")
    expected = values(by_text, {"q": {str(d): s for d, s in run["q"].items()}})
    same_bits(values(by_number, run), expected)
    same_bits(values(frame, run), expected)
    same_bits(values(frame.with_columns(pl.col("subtopic").cast(pl.Float64)), run), expected)


def test_a_table_with_grades_scores_and_subtopics_needs_no_run():
    rows = [
        {"query": q, "doc": d, "subtopic": s, "label": grade, "score": MANY_RUN[q][d]}
        for q, d, s, grade in rows_of(MANY)
        if d in MANY_RUN[q]
    ]
    judged = {q: {d: row for d, row in documents.items() if d in MANY_RUN[q]} for q, documents in MANY.items()}
    run = {q: {d: score for d, score in row.items() if d in MANY[q]} for q, row in MANY_RUN.items()}
    found = rankgold.evaluate(pl.DataFrame(rows), measures=["alpha_ndcg", "ap"]).means
    assert found == rankgold.evaluate(judged, run, ["alpha_ndcg", "ap"]).means


def test_other_measures_take_the_highest_grade_of_a_document_and_say_so():
    scores = rankgold.evaluate(QRELS, RUN, ["dcg", "ndcg"])
    plain = rankgold.evaluate({"jaguar": {"d1": 1, "d2": 2, "d3": 1}}, RUN, ["dcg", "ndcg"])
    assert scores.means == plain.means
    assert scores.notes.remarks == (
        "documents are judged for several subtopics: measures that do not know subtopics take the highest grade",
    )
    assert plain.notes.remarks == ()


@pytest.mark.parametrize("second", ["0", "Q0", "17"])
def test_a_second_field_that_is_the_same_in_all_lines_is_no_subtopic(tmp_path, second):
    (tmp_path / "a.qrels").write_text(f"q1 {second} d1 1\nq1 {second} d2 0\n")
    hits = rankgold.match(tmp_path / "a.qrels", {"q1": {"d1": 1.0}})
    assert hits.subtopics is None
    assert rankgold.read_qrels(tmp_path / "a.qrels").columns == ["query", "document", "grade"]


def test_documents_that_are_judged_once_have_the_subtopics_of_the_second_field(tmp_path):
    # No document has two subtopics. With those of the file, the second document is new; as one subtopic, it is not.
    (tmp_path / "a.qrels").write_text("q1 1 d1 1\nq1 2 d2 1\n")
    run = {"q1": ["d1", "d2"]}
    assert rankgold.evaluate(tmp_path / "a.qrels", run, "strec@1")["strec@1"] == 0.5
    assert rankgold.evaluate({"q1": {"d1": 1, "d2": 1}}, run, "strec@1")["strec@1"] == 1
    assert rankgold.read_qrels(tmp_path / "a.qrels").columns == ["query", "document", "grade", "subtopic"]


def test_subtopics_are_found_wherever_a_small_file_is_cut_into_pieces(tmp_path):
    # Lines of 16 bytes, and pieces of 2**17 bytes and the line after: each piece has one subtopic throughout.
    in_first = 2**17 // 16 + 1
    lines = [f"q{i // 100:03} {1 if i < in_first else 2} d{i:05} 1\n" for i in range(in_first + 5)]
    assert {len(line) for line in lines} == {16}
    (tmp_path / "a.qrels").write_text("".join(lines))
    hits = rankgold.match(tmp_path / "a.qrels", {"q081": {"d08192": 1.0}})
    assert {*hits.subtopics.names} == {"1", "2"}


def test_judgements_without_subtopics_are_one_subtopic_each_query_and_that_is_noted():
    scores = rankgold.evaluate({"q": {"a": 1, "b": 1}}, {"q": ["a", "b"]}, ["alpha_dcg", "ap"])
    assert scores["alpha_dcg"] == 1
    assert scores.notes.remarks == ("the judgements have no subtopics: each query counts as one subtopic",)
    assert rankgold.evaluate({"q": {"a": 1, "b": 1}}, {"q": ["a", "b"]}, "ap").notes.remarks == ()


def test_a_document_twice_for_one_subtopic_is_an_error_with_both_places(tmp_path):
    (tmp_path / "a.qrels").write_text("q1 1 d1 1\nq1 2 d1 0\nq1 1 d1 2\n")
    with pytest.raises(
        rankgold.DataError,
        match=r"a\.qrels:3: query 'q1' judges for subtopic '1' document 'd1' twice \(first at line 1\)",
    ):
        rankgold.evaluate(tmp_path / "a.qrels", {"q1": ["d1"]})
    kept = {
        policy: rankgold.evaluate(tmp_path / "a.qrels", {"q1": ["d1"]}, "cg", policy=f"duplicates={policy}")
        for policy in ("first", "last")
    }
    assert {policy: scores["cg"] for policy, scores in kept.items()} == {"first": 1, "last": 2}
    assert "1 row that repeats" in kept["first"].notes.remarks[0]


@for_each(
    ("qrels", "message"),
    [
        ({"q": {"a": {"1": 1}, "b": 0}}, r"query 'q': document 'b' has 0, and other documents have subtopics"),
        ({"q": {"b": 0, "a": {"1": 1}}}, r"query 'q', document 'a': there is a dict in place of the grade\. For subtopics"),
        ({"q": {"a": {"1": 1}, "b": {}}}, r"query 'q': document 'b' has no subtopic"),
        ({"q": {"a": {"1": "much"}}}, r"query 'q': the grade must be a finite number, not 'much'"),
        ({"q": {"a": {None: 1}}}, r"query 'q': the subtopic is missing"),
        ({"q": {"a": {"1": 1}}, "p": 7}, r"query 'p': there is 7 in place of documents"),
        ({None: {"a": {"1": 1}}}, r"an id cannot be None"),
        ({"q": [{"doc": "a", "subtopic": 1}, {"doc": "b"}]}, r"the record of document 'b' has no subtopic, and others have"),
        ([{"query": 1, "doc": "a", "subtopic": 1, "weight": -1, "grade": 1}], r"the weight of a subtopic must be from 0 to 1e\+100, not -1"),
        ([{"query": 1, "doc": "a", "subtopic": s, "weight": w, "grade": 1} for s, w in ((1, 1), (2, 2))]
         + [{"query": 1, "doc": d, "subtopic": 2, "weight": w, "grade": 1} for d, w in (("b", 3), ("c", 4))],
         r"query 1 gives subtopic '2' the weight 3, and in another row 2\. A subtopic has one weight"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_judgements_for_subtopics_is_said(qrels, message):
    with pytest.raises(rankgold.DataError, match=message):
        rankgold.evaluate(qrels, {"q": ["a"], 1: ["a"]})


def test_a_query_that_is_judged_with_nothing_is_without_relevant_documents():
    scores = rankgold.evaluate({**QRELS, "empty": {}}, RUN, ["strec"])
    assert scores.per_query.to_dicts() == [{"query": "jaguar", "strec": 1.0}, {"query": "empty", "strec": 0.0}]


def test_explain_says_which_document_brought_which_subtopic_what():
    text = str(rankgold.explain(QRELS, RUN, "alpha_ndcg@2"))
    assert "not found" not in text
    assert text.split("\n\n")[2:4] == [
        "rank  document  subtopic  grade                term  running sum\n"
        "   1  d2        car           2        1/1 = 1.0000       1.0000\n"
        "   2  d1        car           1  0.5/1.585 = 0.3155       1.3155\n"
        "   2  d1        animal        1    1/1.585 = 0.6309       1.9464",
        "The ideal ranking:\n"
        "rank  document  subtopic  grade                term  running sum\n"
        "   1  d3        mac           1        1/1 = 1.0000       1.0000\n"
        "   1  d3        animal        1        1/1 = 1.0000       2.0000\n"
        "   2  d1        car           1    1/1.585 = 0.6309       2.6309\n"
        "   2  d1        animal        1  0.5/1.585 = 0.3155       2.9464",
    ]


def test_averaged_ties_keep_documents_of_different_subtopics_apart():
    # Both have grade 1. In the order a, b strec@1 covers 1 of 2 subtopics, in the order b, a it covers both.
    qrels = {"q": {"a": {"1": 1}, "b": {"1": 1, "2": 1}}}
    found = rankgold.evaluate(qrels, {"q": {"a": 1, "b": 1}}, ["strec@1", "p_ia@1"], policy="ties=average")
    assert found.means == {"strec@1": (1 / 2 + 1) / 2, "p_ia@1": (1 / 2 + 1) / 2}
    steps = rankgold.explain(qrels, {"q": {"a": 1, "b": 1}}, "strec@1", policy="ties=average").steps
    assert sorted((step.document, step.subtopic, step.term) for step in steps) == [
        ("a", "1", 0.5),
        ("b", "1", 0.5),
        ("b", "2", 0.5),
    ]


@for_each(
    ("spelling", "measure"),
    [
        ("alpha-nDCG@20", "alpha_ndcg@20"), ("α_nDCG@10", "alpha_ndcg@10"), ("alpha_DCG(alpha=0.3)@5", "alpha_dcg(alpha=0.3)@5"),
        ("ERR-IA@10", "err_ia@10"), ("nERR_IA@10", "nerr_ia@10"), ("NRBP(alpha=0.1,beta=0.9)", "nrbp(alpha=0.1, beta=0.9)"),
        ("nNRBP", "nnrbp"), ("MAP-IA", "ap_ia"), ("AP_IA(rel=2)", "ap_ia(rel=2)"), ("P-IA@5", "p_ia@5"),
        ("StRecall@10", "strec@10"), ("strec@5", "strec@5"),
    ],
)  # fmt: skip
def test_spellings_of_ndeval_and_ir_measures_are_understood(spelling, measure):
    assert str(rankgold.parse_measure(spelling)) == measure


def test_too_many_gains_to_add_up_are_refused():
    with pytest.raises(rankgold.MeasureError, match="too many gains to add up"):
        rankgold.evaluate(QRELS, RUN, "alpha_dcg(alpha=0)@9999999999")
    deep = rankgold.evaluate(QRELS, RUN, ["alpha_dcg@9999999999", "alpha_dcg@500"])
    assert deep["alpha_dcg@9999999999"] == pytest.approx(deep["alpha_dcg@500"], rel=1e-14)


def test_the_shell_evaluates_and_explains_a_diversity_file(tmp_path):
    (tmp_path / "web.qrels").write_text(TREC)
    (tmp_path / "a.run").write_text(
        "".join(f"{q} Q0 {d} 0 {s} a\n" for q, row in MANY_RUN.items() for d, s in row.items())
    )
    files = (str(tmp_path / "web.qrels"), str(tmp_path / "a.run"))
    found = json.loads(printed("evaluate", *files, "-m", "alpha_ndcg@10", "-m", "ap", "-f", "json"))
    expected = rankgold.evaluate(MANY, MANY_RUN, ["alpha_ndcg@10", "ap"]).means
    assert found["runs"]["a"]["means"] == expected
    assert "d2        10" in printed("explain", *files, "-m", "strec", "--query", "q1")


def test_an_empty_subtopic_is_missing_in_every_form(tmp_path):
    records = [
        {"query": "q", "document": "a", "subtopic": "", "grade": 1},
        {"query": "q", "document": "b", "subtopic": "x", "grade": 1},
    ]
    (tmp_path / "qrels.csv").write_text("query,document,subtopic,grade\nq,a,,1\nq,b,x,1\n")
    (tmp_path / "quoted.csv").write_text('query,document,subtopic,grade\nq,a,"",1\nq,b,x,1\n')
    forms = [
        records,
        pl.DataFrame(records),
        {"q": {"a": {"": 1}, "b": {"x": 1}}},
        str(tmp_path / "qrels.csv"),
        str(tmp_path / "quoted.csv"),
    ]
    for qrels in forms:
        with pytest.raises(rankgold.DataError, match="the subtopic is missing"):
            rankgold.evaluate(qrels, {"q": ["a", "b"]}, "strec")
