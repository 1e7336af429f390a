"""How well judges agree: published examples, values worked by hand, and one grade out of many."""

import json
import math
from uuid import UUID

import numpy as np
import pandas
import polars as pl
import pyarrow
import pytest

import rankgold
from rankgold.core.errors import DataError
from rankgold.judging.judge_agreement import alpha, kappa
from tests.cases import for_each
from tests.shell import printed, refused

NONE = math.nan

# Krippendorff 2011, Computing Krippendorff's alpha-reliability, data of example C: four observers, twelve units.
FOUR_OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
        [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
    ]
).T


def judge(grades):
    return {"q1": {f"d{i}": grade for i, grade in enumerate(grades) if not math.isnan(grade)}}


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_the_published_example(level, published):
    assert alpha(FOUR_OBSERVERS, level) == pytest.approx(published, abs=0.0005)


def test_alpha_of_the_published_example_from_judgements():
    found = rankgold.agreement([judge(grades) for grades in FOUR_OBSERVERS.T])
    assert found.nominal == pytest.approx(0.743, abs=0.0005)
    assert found.ordinal == pytest.approx(0.815, abs=0.0005)
    assert found.interval == pytest.approx(0.849, abs=0.0005)
    # The unit that only one observer looked at does not count.
    assert found.documents == 11
    assert len(found.pairs) == 6


def test_kappa_of_two_readers_of_fifty_proposals():
    # Both yes 20, only A 5, only B 10, both no 15: (0.7 - 0.5) / (1 - 0.5), with 0.5 * 0.6 + 0.5 * 0.4 = 0.5 by chance.
    first, second = np.repeat([1.0, 1, 0, 0], [20, 5, 10, 15]), np.repeat([1.0, 0, 1, 0], [20, 5, 10, 15])
    assert kappa(first, second) == pytest.approx(0.4)
    assert kappa(first, second, "linear") == kappa(first, second, "quadratic") == pytest.approx(0.4)


def test_weighted_kappa_worked_by_hand():
    # Grades 0 1 2 and 0 2 2. By chance, each of 0 1 2 meets 0 once and 2 twice in nine pairs.
    first, second = np.array([0.0, 1, 2]), np.array([0.0, 2, 2])
    # Found 1; expected (0 + 2*2 + 1 + 2*1 + 2 + 0) / 3 = 3.
    assert kappa(first, second, "linear") == pytest.approx(1 - 1 / 3)
    # Found 1; expected (0 + 2*4 + 1 + 2*1 + 4 + 0) / 3 = 5.
    assert kappa(first, second, "quadratic") == pytest.approx(1 - 1 / 5)


def test_the_distance_of_grades_counts_and_not_that_of_their_places():
    # Grades 0 and 3 only: one step of three. All disagreement is then the same, as in kappa without weights.
    first, second = np.array([0.0, 3, 3, 0]), np.array([0.0, 3, 0, 0])
    assert kappa(first, second, "quadratic") == pytest.approx(kappa(first, second))
    # With a grade of 1 in between, 0 and 3 are three apart. Found 9 + 0 + 0; expected 3 * (0 + 1 + 9) / 3 ... by hand:
    first, second = np.array([0.0, 1, 3]), np.array([3.0, 1, 3])
    # Pairs by chance: 0 with 3 1 3: 9 + 1 + 9; 1 with them: 4 + 0 + 4; 3 with them: 0 + 4 + 0; together 31 / 3.
    assert kappa(first, second, "quadratic") == pytest.approx(1 - 9 / (31 / 3))


def test_coefficients_are_undefined_if_all_grades_are_the_same():
    found = rankgold.agreement({"a": {"q": {"d": 1, "e": 1}}, "b": {"q": {"d": 1, "e": 1}}})
    assert found.pairs[0].same == 1.0
    assert math.isnan(found.pairs[0].kappa)
    assert math.isnan(found.nominal)
    assert json.loads(found.to_json())["alpha"] == {"nominal": None, "ordinal": None, "interval": None}


def test_only_common_documents_count_and_ids_are_compared_as_text():
    found = rankgold.agreement({"a": {1: {7: 1, 8: 0, 9: 2}}, "b": {"1": {"7": 1, "8": 1}}})
    assert (found.pairs[0].documents, found.pairs[0].same) == (2, 0.5)


def test_agreement_at_the_shell(tmp_path):
    (tmp_path / "ann.txt").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    (tmp_path / "bob.csv").write_text("query,document,grade\nq1,d1,1\nq1,d2,1\nq1,d3,\n")
    files = [str(tmp_path / "ann.txt"), str(tmp_path / "bob.csv")]
    content = json.loads(printed("agreement", *files, "-f", "json"))
    assert content["judges"] == ["ann", "bob"]
    assert content["pairs"][0]["same"] == 0.5
    assert printed("agreement", *files, "-f", "csv").splitlines()[0].startswith("a,b,documents,same,kappa")
    assert "Krippendorff" in printed("agreement", *files)
    assert "agreement needs two or more judges" in refused("agreement", files[0])


def test_judges_without_a_common_document_are_an_error():
    with pytest.raises(DataError, match="no document was graded by two judges"):
        rankgold.agreement([{"q": {"a": 1}}, {"q": {"b": 1}}])


def test_a_judge_with_two_grades_for_a_document_is_an_error():
    twice = pl.DataFrame({"query": ["q", "q"], "document": ["a", "a"], "grade": [0, 1]})
    with pytest.raises(DataError, match="graded document 'a' of query 'q' more than once"):
        rankgold.agreement({"ann": twice, "bob": {"q": {"a": 1}}})


@for_each(
    ("rule", "grades"),
    [
        # d1 has 0 1 1, d2 has 0 2 and d3 has 3 3 1.
        ("majority", [1.0, 0.0, 3.0]),
        ("mean", [2 / 3, 1.0, 7 / 3]),
        ("median", [1.0, 0.0, 3.0]),
        ("max", [1.0, 2.0, 3.0]),
        ("min", [0.0, 0.0, 1.0]),
        ("first", [0.0, 0.0, 3.0]),
        ("last", [1.0, 2.0, 1.0]),
        (sum, [2.0, 2.0, 7.0]),
    ],
)
def test_one_grade_out_of_many(rule, grades):
    judges = [{"q": {"d1": 0, "d2": 0, "d3": 3}}, {"q": {"d1": 1, "d2": 2, "d3": 3}}, {"q": {"d1": 1, "d3": 1}}]
    merged = rankgold.merge_qrels(judges, rule)
    assert merged["document"].to_list() == ["d1", "d2", "d3"]
    assert merged["grade"].to_list() == pytest.approx(grades)
    assert rankgold.evaluate(merged, {"q": {"d1": 1.0}}, ["num_rel_ret"]).means["num_rel_ret"] in (0.0, 1.0)


def test_many_judges_in_one_table_are_merged():
    rows = pl.DataFrame({"query": ["q"] * 3, "document": ["d", "d", "e"], "grade": [1, 3, 2], "judge": ["a", "b", "a"]})
    assert rankgold.merge_qrels(rows, "mean").rows() == [("q", "d", 2.0), ("q", "e", 2.0)]


def test_probabilities_that_add_up_to_less_than_1_leave_the_rest_to_grade_0():
    rows = pl.DataFrame(
        {"query": ["q"] * 3, "document": ["d", "d", "e"], "grade": [1, 2, 1], "probability": [0.2, 0.3, 0.7]}
    )
    merged = rankgold.merge_qrels(rows, "mean")
    assert merged["grade"].to_list() == pytest.approx([0.2 + 2 * 0.3, 0.7])
    # d is 0 with 0.5, e is 1 with 0.7.
    assert rankgold.merge_qrels(rows, "majority")["grade"].to_list() == [0.0, 1.0]


def test_an_evaluation_notes_probabilities_that_it_does_not_use(tmp_path):
    """The expected value is 0.7, and rr of a grade that counts as certain is 1."""
    (tmp_path / "judged.csv").write_text("query,document,grade,probability\nq,d,1,0.7\n")
    (tmp_path / "run.csv").write_text("query,document,score\nq,d,1\n")
    scores = rankgold.evaluate(tmp_path / "judged.csv", tmp_path / "run.csv", ["rr"])
    assert scores["rr"] == 1
    (remark,) = scores.notes.remarks
    assert remark.endswith(
        "the column 'probability' was not used, and grades count as certain; expect computes the expected values"
    )
    expected = rankgold.expect(tmp_path / "judged.csv", tmp_path / "run.csv", ["dcg"])
    assert expected.means["dcg"] == pytest.approx(0.7)


def test_weights_count_in_proportion():
    rows = pl.DataFrame({"query": ["q"] * 3, "document": ["d"] * 3, "grade": [0, 1, 3], "weight": [2.0, 1.0, 1.0]})
    assert rankgold.merge_qrels(rows, "mean")["grade"].to_list() == [1.0]
    assert rankgold.merge_qrels(rows, "majority")["grade"].to_list() == [0.0]


def test_weights_that_add_up_to_the_same_but_for_rounding_are_tied():
    assert 0.1 + 0.2 > 0.3
    for weight, grade in ((0.3, 0.0), (0.3 - 1e-9, 1.0)):
        rows = pl.DataFrame(
            {"query": ["q"] * 3, "document": ["d"] * 3, "grade": [1, 1, 0], "weight": [0.1, 0.2, weight]}
        )
        assert rankgold.merge_qrels(rows, "majority")["grade"].to_list() == [grade]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"probability": [0.7, 0.6]}, "document 'd' of query 'q' has probabilities of more than 1 together"),
        ({"probability": [0.7, 1.5]}, "a probability must be a number from 0 to 1, not 1.5"),
        ({"weight": [0.0, 0.0]}, "has no weight above 0"),
        ({"weight": [1.0, math.nan]}, "row 2: a weight must be a number from 0 on, not nan"),
    ],
)
def test_wrong_probabilities_are_an_error(columns, message):
    rows = pl.DataFrame({"query": ["q", "q"], "document": ["d", "d"], "grade": [1, 2], **columns})
    fine = pl.DataFrame({"query": ["q"], "document": ["c"], "grade": [1], **{name: [1.0] for name in columns}})
    if "row 2" not in message:
        rows = pl.concat([fine, rows])  # the document that is wrong is named, and not the first one
    with pytest.raises(DataError, match=message):
        rankgold.merge_qrels(rows, "mean")


def test_a_rule_that_does_not_fit_is_an_error():
    with pytest.raises(DataError, match="Did you mean 'majority'"):
        rankgold.merge_qrels([{"q": {"d": 1}}], "mayority")
    with pytest.raises(DataError, match="has several grades"):
        rankgold.merge_qrels([{"q": {"d": 1}}, {"q": {"d": 1}}], "error")
    with pytest.raises(DataError, match="the rule gives None"):
        rankgold.merge_qrels([{"q": {"d": 1}}], lambda grades: None)
    weighted = pl.DataFrame({"query": ["q"], "document": ["d"], "grade": [1], "weight": [0.5]})
    with pytest.raises(DataError, match="does not support weights"):
        rankgold.merge_qrels([weighted], "max")


def test_nothing_to_merge_is_an_error():
    with pytest.raises(DataError, match="no row has a grade"):
        rankgold.merge_qrels(pl.DataFrame({"query": ["q"], "document": ["d"], "grade": [None]}))


def test_two_grades_in_one_file_are_an_error_that_names_the_way_out():
    twice = pl.DataFrame({"query": ["q", "q"], "document": ["d", "d"], "grade": [1, 2]})
    with pytest.raises(DataError, match="rankgold merge-qrels makes one grade of theirs"):
        rankgold.evaluate(twice, {"q": {"d": 1.0}}, ["rr"])


def test_merging_at_the_shell_writes_judgements_that_are_read_again(tmp_path):
    (tmp_path / "a.txt").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    (tmp_path / "b.txt").write_text("q1 0 d1 2\nq1 0 d2 0\n")
    files = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    assert printed("merge-qrels", *files) == "q1 0 d1 1\nq1 0 d2 0\n"
    assert printed("merge-qrels", *files, "--rule", "mean") == "q1 0 d1 1.5\nq1 0 d2 0\n"
    for name in ("merged.csv", "merged.json", "merged.parquet", "merged.txt"):
        printed("merge-qrels", *files, "--rule", "max", "-o", str(tmp_path / name))
        judged = rankgold.read_qrels(tmp_path / name)
        assert judged["grade"].to_list() == [2.0, 0.0]
    (tmp_path / "space.csv").write_text("query,document,grade\nq 1,d1,1\n")
    assert "cannot be in a TREC file" in refused("merge-qrels", str(tmp_path / "space.csv"))


def test_sums_of_gains_are_expected_exactly():
    rows = pl.DataFrame(
        {"query": ["q"] * 3, "document": ["d", "d", "e"], "grade": [1, 2, 1], "probability": [0.5, 0.3, 0.25]}
    )
    found = rankgold.expect(rows, {"q": {"d": 2.0, "e": 1.0}}, ["dcg", "p@2", "dcg(gain=exp)"], draws=2)
    # Expected gains 0.5 + 2 * 0.3 and 0.25; relevant with 0.8 and 0.25; 2^g - 1: 0.5 + 3 * 0.3 and 0.25.
    assert found.means["dcg"] == pytest.approx(1.1 + 0.25 / math.log2(3))
    assert found.means["p@2"] == pytest.approx((0.8 + 0.25) / 2)
    assert found.means["dcg(gain=exp)"] == pytest.approx(1.4 + 0.25 / math.log2(3))
    assert found.runs[0].exact == {"dcg", "p@2", "dcg(gain=exp)"}


def test_other_measures_are_expected_over_seeded_draws():
    rows = pl.DataFrame({"query": ["q"] * 2, "document": ["d", "e"], "grade": [1, 1], "probability": [0.5, 0.5]})
    run = {"q": {"d": 2.0, "e": 1.0}}
    found = rankgold.expect(rows, run, ["rr", "r@1"], draws=400)
    # rr is 1 with 0.5, 1/2 with 0.25, else 0: 0.625. r@1 is 1 with 0.25, 1/2 with 0.25: 0.375.
    for label, value in (("rr", 0.625), ("r@1", 0.375)):
        assert abs(found.means[label] - value) < 4 * found.runs[0].errors[label]
        assert 0 < found.runs[0].errors[label] < 0.03
    assert found.means == rankgold.expect(rows, run, ["rr", "r@1"], draws=400).means
    assert found.means != rankgold.expect(rows, run, ["rr", "r@1"], draws=400, seed=1).means


def test_several_judges_count_as_much_as_each_other():
    judges = [{"q": {"d": 1}}, {"q": {"d": 0}}, {"q": {"d": 3}}, {"q": {"d": 0}}]
    assert rankgold.expect(judges, {"q": {"d": 1.0}}, ["dcg"]).means["dcg"] == 1.0


def test_certain_grades_have_the_value_of_an_evaluation():
    qrels = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1}}
    run = {"q1": {"b": 3, "a": 2, "c": 1, "x": 0}, "q2": {"x": 1}}
    wanted = ["ndcg@10", "ap", "err", "dcg@2", "rbp", "p@1"]
    found = rankgold.expect([qrels], run, wanted, draws=2)
    assert found.means == pytest.approx(rankgold.evaluate(qrels, run, wanted).means)


def test_expectation_at_the_shell(tmp_path):
    (tmp_path / "llm.csv").write_text("query,document,grade,probability\nq1,d1,1,0.25\nq1,d1,2,0.5\n")
    (tmp_path / "run.trec").write_text("q1 Q0 d1 1 2 a\n")
    files = [str(tmp_path / "llm.csv"), str(tmp_path / "run.trec")]
    content = json.loads(printed("expect", *files, "-m", "dcg", "-m", "rr", "--draws", "50", "-f", "json"))
    assert content["expected"][0] == {
        "run": "a", "measure": "dcg", "value": 1.25, "method": "exact", "error": 0.0, "spread": None,
    }  # fmt: skip
    assert content["expected"][1]["method"] == "sampled"
    assert "draws must be a whole number from 2" in refused("expect", *files, "--draws", "1")
    (tmp_path / "llm.csv").write_text("query,document,grade,probability\nq1,d1,1,many\n")
    assert "llm.csv:2: a probability must be a number from 0 to 1" in refused("expect", *files)


UNCERTAIN = [
    {"query": "q1", "document": "d1", "grade": 1, "probability": 0.7},
    {"query": "q1", "document": "d2", "grade": None, "probability": None},
]


@for_each(
    "judges",
    [UNCERTAIN, tuple(UNCERTAIN), [UNCERTAIN], {"ann": UNCERTAIN}, pl.LazyFrame(UNCERTAIN)],
    ids=["records", "tuple", "list of judges", "named judge", "lazy frame"],
)
def test_probabilities_in_records_and_lazy_frames_count_as_in_frames(judges):
    # d1 is relevant with a probability of 0.7, and d2 was not judged.
    assert rankgold.expect(judges, {"q1": {"d1": 2.0, "d2": 1.0}}, ["dcg"]).means == {"dcg": pytest.approx(0.7)}
    assert rankgold.merge_qrels(judges, rule="mean").rows() == [("q1", "d1", pytest.approx(0.7))]


@pytest.mark.parametrize(
    "judged", [{"q1": ["a"], "q2": ["b"]}, {"q1": [("a", 1)], "q2": [("b", 1)]}], ids=["documents", "pairs"]
)
def test_judgements_as_lists_are_those_of_one_judge_and_may_be_named(judged):
    assert rankgold.merge_qrels(judged).rows() == [("q1", "a", 1), ("q2", "b", 1)]
    agreement = rankgold.agreement({"ann": judged, "bob": {"q1": {"a": 1}, "q2": {"b": 0}}})
    assert agreement.frame.select("a", "b", "documents", "same").rows() == [("ann", "bob", 2, 0.5)]


def test_a_query_may_be_called_query():
    assert rankgold.merge_qrels([{"query": {"a": 1}}, {"query": {"a": 3}}], rule="mean").rows() == [("query", "a", 2)]


def of_one_judge():
    """A document of each type of id in a form that is not plain, graded 1 with a probability of 0.5."""
    columns = {"query": ["q1"], "grade": [1], "probability": [0.5]}
    several_types = pandas.DataFrame({"query": ["q1", "q1"], "document": ["7", 8], "grade": 1, "probability": 0.5})
    yield several_types.assign(other=[object(), 1]), "7"
    yield pandas.DataFrame({**columns, "document": [UUID(int=5)]}), str(UUID(int=5))
    yield pyarrow.table({**columns, "document": ["d1"]}).to_reader(), "d1"
    yield {"ann": pyarrow.table({**columns, "document": ["d1"]}).to_reader()}, "d1"


@pytest.mark.parametrize(("judged", "document"), [*of_one_judge()], ids=["several types", "UUID", "reader", "named"])
def test_tables_with_probabilities_are_read_as_those_without(judged, document):
    # Half of a gain of 1 at rank 1.
    assert rankgold.expect(judged, {"q1": {document: 1.0}}, ["dcg"]).means == {"dcg": 0.5}


def test_two_columns_of_the_same_name_are_an_error_for_judges_too():
    twice = pandas.DataFrame([["q1", "d1", 1, 2]], columns=["query", "document", "grade", "grade"])
    with pytest.raises(DataError, match="two columns are called 'grade'"):
        rankgold.merge_qrels(twice)


def test_tables_of_agreement_and_expectation_name_rows_by_judges_and_by_runs():
    pairs, alphas = rankgold.agreement([{"q": {"a": 1, "b": 0}}, {"q": {"a": 1, "b": 1}}]).document().tables
    assert (pairs.keys, pairs.alignment, pairs.digits) == (2, "llrrrrr", 4)
    assert pairs.rows[0][:4] == ["judge 1", "judge 2", "2", 0.5]
    assert (alphas.keys, [row[0] for row in alphas.rows]) == (
        1,
        ["alpha, nominal", "alpha, ordinal", "alpha, interval"],
    )
    runs = {"one": {"q": {"a": 2.0, "b": 1.0}}, "two": {"q": {"b": 1.0}, "r": {"c": 1.0}}}
    found = rankgold.expect([{"q": {"a": 1, "b": 0}, "r": {"c": 2}}], runs, ["dcg", "rr"], draws=2)
    # dcg: 1 and 0 of one, 0 and 2 of two.
    assert found.means == {"one": {"dcg": 0.5, "rr": 0.5}, "two": {"dcg": 1.0, "rr": 0.5}}
    assert found.per_query.rows() == [
        ("one", "q", 1.0, 1.0), ("one", "r", 0.0, 0.0), ("two", "q", 0.0, 0.0), ("two", "r", 2.0, 1.0),
    ]  # fmt: skip
    [table] = found.document().tables
    assert (table.keys, table.alignment, table.digits) == (2, "llrlrr", 4)
    assert len(found.document().notes) == 2
    assert not rankgold.expect([{"q": {"a": 1}}], runs["one"], ["dcg"]).document().notes


def test_the_first_document_that_is_there_twice_is_named():
    rows = pl.DataFrame({"query": ["p", "q", "r", "q", "r"], "document": ["c", "d", "e", "d", "e"], "grade": [1] * 5})
    with pytest.raises(DataError, match="document 'd' of query 'q' has several grades"):
        rankgold.merge_qrels(rows, "error")
