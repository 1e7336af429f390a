"""Matching of tables: the ways that large tables take, forced on tables small enough to be worked by hand."""

import numpy as np
import polars as pl

import rankgold
from rankgold.data.matching import ranks as matching_ranks
from rankgold.data.matching import table_judgements
from rankgold.engines.spark.task_results import unite_hits
from tests.cases import for_each


def test_many_queries_are_found_by_a_join_with_the_same_numbers(monkeypatch):
    monkeypatch.setattr(table_judgements, "_MANY", 0)
    qrels = pl.DataFrame({"query": ["q1", "q2"], "document": ["a", "b"], "grade": [1, 1]})
    run = pl.DataFrame({"query": ["q3", "q2", "q1", "q1"], "document": ["a", "b", "x", "a"], "score": [4, 3, 2, 1]})
    scores = rankgold.evaluate(qrels, run, ["rr"])
    assert scores.values("rr").tolist() == [1 / 2, 1.0]
    assert scores.notes.without_judgements == ("q3",)


@for_each(("per_row", "at_once"), [(0, 1), (10**9, 1), (10**9, 4), (10**9, 10**9)])
@for_each(
    ("rule", "ranks"),
    # Five documents of q1 share the score 1, below z; all three of q2 share a score. Judged: b and d; y.
    [("descending", {"b": 5, "d": 3, "y": 1}), ("ascending", {"b": 3, "d": 5, "y": 3}), ("input", {"b": 3, "d": 5, "y": 2})],
)  # fmt: skip
@for_each("sorted_rows", [True, False])
def test_tied_documents_are_compared_or_sorted_with_the_same_ranks(
    per_row, at_once, rule, ranks, sorted_rows, monkeypatch
):
    monkeypatch.setattr(matching_ranks, "_COMPARISONS_PER_ROW", per_row)
    monkeypatch.setattr(matching_ranks, "_COMPARISONS_AT_ONCE", at_once)
    rows = [
        ("q1", "z", 2),
        *(("q1", document, 1) for document in "cbeda"),
        *(("q2", document, 5) for document in "xyw"),
    ]
    if not sorted_rows:
        rows = [*rows[1:6], rows[0], *rows[6:]]
    run = pl.DataFrame(rows, schema=["query", "document", "score"], orient="row")
    qrels = pl.DataFrame({"query": ["q1", "q1", "q2"], "document": ["b", "d", "y"], "grade": [1, 1, 1]})
    hits = rankgold.match(qrels, run, policy=f"ties={rule}").system.whole
    found = {hits.documents[row]: rank for row, rank in zip(hits.row.tolist(), hits.rank.tolist(), strict=True)}
    assert found == ranks


def test_hits_of_several_parts_keep_their_documents_in_another_order_of_queries():
    first = rankgold.match({"a": {"x": 1}}, {"a": {"x": 1.0}})
    second = rankgold.match({"b": {"y": 2, "v": 1}, "c": {"z": 1}}, {"b": {"y": 1.0}, "c": {"n": 2.0, "z": 1.0}})
    united = unite_hits([first, second], np.array([2, 0, 1]))
    assert united.queries == ["c", "a", "b"]
    for ranking, expected in (
        (united.system.whole, [("c", "z", 2, 1), ("a", "x", 1, 1), ("b", "y", 1, 2)]),
        (united.ideal.whole, [("c", "z", 1, 1), ("a", "x", 1, 1), ("b", "y", 1, 2), ("b", "v", 2, 1)]),
    ):
        rows = zip(ranking.query.tolist(), ranking.row.tolist(), ranking.rank.tolist(), ranking.grade, strict=True)
        assert [(united.queries[q], ranking.documents[row], rank, grade) for q, row, rank, grade in rows] == expected
    assert united.returned.tolist() == [2, 1, 1]


def test_a_part_without_subtopics_has_one_for_each_query_beside_parts_with_them():
    diverse = pl.DataFrame(
        {"query": ["a"] * 3, "doc": ["x", "x", "w"], "subtopic": ["s", "t", "t"], "grade": [1, 2, 1]}
    )
    first = rankgold.match(diverse, {"a": {"x": 1.0}})
    second = rankgold.match({"b": {"y": 2, "v": 1}, "c": {"z": 1}}, {"b": {"y": 1.0}, "c": {"n": 2.0, "z": 1.0}})
    subtopics = unite_hits([first, second], np.array([2, 0, 1])).subtopics
    # x for s and t, w for t, then y and v for the subtopic of b, and z for that of c.
    assert subtopics.starts.tolist() == [0, 2, 3, 4, 5, 6]
    assert subtopics.number.tolist() == [0, 1, 1, 2, 2, 3]
    assert subtopics.grade.tolist() == [1, 2, 1, 2, 1, 1]
    assert subtopics.weight.tolist() == [1, 1, 1, 1]
