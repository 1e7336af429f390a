"""The difference between two runs, document by document."""

import json
import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from rankgold.comparison.run_diff import query_changes
from rankgold.data.files import sample
from tests.all_measures import METRICS
from tests.collections import FLOAT32_SCORES, IDS, collections, examples
from tests.shell import printed

QRELS = {"q1": {"d1": 1, "d2": 1}, "q2": {"d1": 3, "d2": 1}}
A = {"q1": {"d1": 4, "d2": 3, "x": 2, "y": 1}, "q2": {"d1": 2, "d2": 1}}
B = {"q1": {"d1": 4, "x": 3, "y": 2, "d2": 1}, "q2": {"d2": 2, "z": 1}}


def test_a_document_that_falls_takes_its_part_of_the_value_with_it():
    frame = rankgold.diff(QRELS, A, B, "ap").frame
    # q1: d1 stays; d2 gave (2/2)/2 at rank 2 and gives (2/4)/2 at rank 4.
    # q2: d1 gave (1/1)/2 and is lost; d2 gave (2/2)/2 and gives (1/1)/2, so it changes nothing.
    assert frame.rows() == [("q1", "d2", 1.0, 2, 4, -0.25), ("q2", "d1", 3.0, 1, None, -0.5)]


def test_gains_and_losses_are_sorted_and_said_in_a_line():
    found = rankgold.diff(QRELS, A, B, "ap", query_texts={"q1": "how to bake"})
    assert [change.query for change in found.losses()] == ["q2", "q1"]
    assert found.gains() == []
    assert found.difference == (-0.25 - 0.5) / 2
    assert found.sentence(found.losses()[0]) == "q2 -0.500: d1 (grade 3) lost from 1: -0.500"
    back = rankgold.diff(QRELS, B, A, "ap")
    assert back.sentence(back.gains()[1]) == "q1 +0.250: d2 (grade 1) rose from 4 to 2: +0.250"
    assert "how to bake" in repr(found)


def test_less_can_be_better():
    found = rankgold.diff({"q": {"d": 1}}, {"q": {"d": 2, "x": 1}}, {"q": {"d": 1, "x": 2}}, "mr")
    assert [change.query for change in found.losses()] == ["q"]
    assert "less is better" in repr(found)


def test_what_no_document_made_is_said():
    # The run after does not rank q2: the policy gives 0, where frp@5 of nothing is 6.
    found = rankgold.diff({"q": {"d": 1}, "r": {"d": 1}}, {"q": {"d": 1}, "r": {"d": 1}}, {"q": {"d": 1}}, "frp@5")
    [change] = found.losses()
    assert change.query == "r"
    assert math.fsum(movement.change for movement in change.movements) == 5
    assert found.to_dict()["queries"][0]["difference"] == 5


def test_what_rounding_leaves_is_a_part_of_its_own_that_is_not_shown():
    # Accuracy is 1/2, then 1/3. Its document is lost (-1), and the rest is no document's (5/6). Floats near 1 are
    # further apart than near 1/6, so that no two of them add up to 1/3 - 1/2 as it is rounded.
    qrels, a = {"q": {"x": -2, "y": 1}}, {"q": {"x": 1, "y": 2}}
    found = rankgold.diff(qrels, a, {"q": {"z": 1}}, "accuracy")
    [change] = found.losses()
    assert [movement.change for movement in change.seen] == pytest.approx([-1, 5 / 6])
    assert [movement.change for movement in change.movements[2:]] == [2.0**-54]
    assert math.fsum(movement.change for movement in change.movements) == change.difference == 1 / 3 - 1 / 2
    assert found.sentence(change).endswith("-1.000; not one document: +0.833")


@examples(25)
@given(collections(longest=6), st.data(), st.sampled_from(["descending", "average", "input"]))
def test_changes_add_up_to_the_difference_to_the_last_bit_for_every_measure(collection, data, ties):
    qrels, a = collection
    ranked = st.dictionaries(st.sampled_from(IDS), FLOAT32_SCORES, min_size=1, max_size=6)
    b = {query: data.draw(ranked) for query in a}
    hits = [rankgold.match(qrels, run, policy=f"ties={ties}") for run in (a, b)]
    scores = [rankgold.evaluate(matched, [metric() for metric in METRICS]) for matched in hits]
    for metric in METRICS:
        measure = metric()
        values = [dict(zip(map(str, score.queries()), score.values(measure).tolist(), strict=True)) for score in scores]
        changes = query_changes(measure, *hits)
        for change in changes:
            expected = values[1][str(change.query)] - values[0][str(change.query)]
            assert math.fsum(movement.change for movement in change.movements) == expected, (measure, change)
        defined = {query for query in values[0] if not math.isnan(values[0][query] - values[1][query])}
        assert {str(change.query) for change in changes} == defined, measure


def test_the_shell_shows_it_and_reads_the_text_of_queries(tmp_path):
    files = [str(sample(name)) for name in ("qrels.txt", "bm25.trec", "expanded.trec")]
    shown = printed("diff", *files, "-m", "ndcg@10", "-n", "1", "--queries", str(sample("queries.tsv")))
    assert shown.startswith("ndcg@10, expanded less bm25: 0.1309; 18 queries gained, 5 lost, 7 unchanged")
    found = json.loads(printed("diff", *files, "-f", "json"))
    assert len(found["queries"]) == 23
    scores = rankgold.evaluate(files[0], files[1:], ["ndcg@10"])
    assert found["difference"] == pytest.approx(scores["ndcg@10"]["expanded"] - scores["ndcg@10"]["bm25"], abs=1e-12)
    assert printed("diff", *files, "-f", "csv").startswith("query,document,grade,rank_a,rank_b,change\n")
    (tmp_path / "texts").write_text("q1 without a tab\n")
    with pytest.raises(rankgold.DataError, match="texts:1: a line must have an id, a tab and a text"):
        printed("diff", *files, "--queries", str(tmp_path / "texts"))


def test_a_sentence_names_four_documents_and_adds_up_the_rest():
    # Six relevant documents move down by one rank each: cg@k of the last one is lost at the cutoff.
    qrels = {"q": {f"d{i}": 1 for i in range(6)}}
    a, b = {"q": [f"d{i}" for i in range(6)]}, {"q": ["x", *(f"d{i}" for i in range(6))]}
    found = rankgold.diff(qrels, a, b, "dcg")
    [change] = found.losses()
    parts = [1 / math.log2(rank + 2) - 1 / math.log2(rank + 1) for rank in range(1, 7)]
    said = [f"d{i} (grade 1) fell from {i + 1} to {i + 2}: {part:+.3f}" for i, part in enumerate(parts[:4])]
    assert found.sentence(change) == f"q {sum(parts):+.3f}: {'; '.join(said)}; 2 more: {sum(parts[4:]):+.3f}"
    four = rankgold.diff({"q": {f"d{i}": 1 for i in range(4)}}, {"q": a["q"][:4]}, {"q": b["q"][:5]}, "dcg")
    assert " more: " not in four.sentence(four.losses()[0])


def test_documents_are_found_or_stay_where_they_were():
    # ap: d1 stays at rank 1, which was (1/1) / 1 of the value; e is found at rank 2.
    found = rankgold.diff({"q": {"d": 1, "e": 1}}, {"q": ["x", "d"]}, {"q": ["e", "d"]}, "ap")
    # d was 1/2 of its own, over 2 relevant ones; now it is the second one at rank 2.
    assert found.sentence(found.gains()[0]) == (
        "q +0.750: e (grade 1) found at 1: +0.500; d (grade 1) stayed at 2: +0.250"
    )
    back = rankgold.diff({"q": {"d": 1, "e": 1}}, {"q": ["e", "d"]}, {"q": ["x", "d"]}, "ap")
    assert "e (grade 1) lost from 1: -0.500" in back.sentence(back.losses()[0])


def test_tables_have_queries_that_lost_and_gained_most_each_named_once():
    texts = {"q1": "how to bake"}
    [lost] = rankgold.diff(QRELS, A, B, "ap", query_texts=texts).document(most=1).tables
    assert lost.header == ["query", "difference", "document", "grade", "rank a", "rank b", "change", "text"]
    assert lost.rows == [["q2", -0.5, "d1", "3", "1", "", -0.5, ""]]
    assert (lost.caption, lost.keys, lost.digits, lost.alignment) == ("Lost most, of 2", 1, 4, "lrlrrrrl")
    [gained] = rankgold.diff(QRELS, B, A, "dcg").document(2).tables
    # d1 of q2 is found again, and d2 falls from 1 to 2: the query and its difference stand in the first row.
    assert [(row[0], row[2]) for row in gained.rows] == [("q2", "d1"), ("", "d2"), ("q1", "d2")]
    assert (gained.caption, gained.digits, gained.alignment) == ("Gained most, of 2", 2, "lrlrrrr")
    same = rankgold.diff(QRELS, A, A, "ap")
    assert (same.losses(), same.gains(), same.document().tables) == ([], [], [])


def test_two_runs_are_compared_no_more_and_no_less():
    rows = [{"run": run, "query": "q1", "document": "d1", "score": 1.0} for run in "bc"]
    with pytest.raises(rankgold.ComparisonError, match=r"There are 3 runs .*Pass two"):
        rankgold.diff(QRELS, A, pl.DataFrame(rows), "ap")


def test_a_table_for_latex_names_the_runs_in_its_caption():
    [table] = rankgold.diff(QRELS, A, B, "ap").document().tables_alone
    assert table.caption == "Lost most, of 2 (ap, b less a)."


def test_what_rounding_leaves_is_put_where_it_is_not_seen():
    # 1/3 less 1/7 and the like are rounded: the documents still make all of the difference, without a rest.
    qrels = {"q": {f"d{i}": 1 for i in range(7)}}
    a, b = {"q": [f"d{i}" for i in range(7)]}, {"q": ["x", *(f"d{i}" for i in range(6, -1, -1))]}
    for measure in ("ap", "dcg", "ndcg", "rbp"):
        [change] = rankgold.diff(qrels, a, b, measure).changes
        assert all(movement.document is not None for movement in change.movements), measure
        assert math.fsum(movement.change for movement in change.movements) == change.difference
