"""Leaderboards against one another: scores of systems, in Python and in files that `evaluate` wrote."""

import pytest

import rankgold
from rankgold import similarity
from rankgold.data.files import sample
from tests.shell import printed, refused

RUNS = {name: str(sample(f"{name}.trec")) for name in ("titles", "bm25", "expanded")}
QRELS = str(sample("qrels.txt"))


def test_dicts_from_system_to_score_are_compared():
    # The orders are c b a and b c a: one of three pairs is turned round.
    found = similarity({"a": 0.1, "b": 0.2, "c": 0.3}, {"a": 1, "b": 3, "c": 2}, ["kendall", "tau_ap"])
    assert found.means == {"kendall": (2 - 1) / 3, "tau_ap": 2 / 2 * (0 / 1 + 2 / 2) - 1}


def test_two_measures_of_the_same_scores_are_compared():
    # Ranks of the relevant document: a has 1 and 3, b has 2 and 2, so a is first by rr (2/3 against 1/2), last by hit@2.
    runs = {"a": {"p": ["d", "x", "y"], "q": ["x", "y", "d"]}, "b": {"p": ["x", "d", "y"], "q": ["x", "d", "y"]}}
    scores = rankgold.evaluate({"p": {"d": 1}, "q": {"d": 1}}, runs, ["rr", "hit@2", "frp"])
    assert similarity(scores["rr"], scores["hit@2"], "kendall")["kendall"] == -1
    # Of frp, lower is better: both have 2, and a tie of all systems has no order.
    assert scores["frp"] == {"a": 2, "b": 2}
    by_measure = similarity(scores, measures="kendall")
    assert by_measure.reference == "rr"
    assert by_measure["kendall"]["hit@2"] == -1


def test_scores_are_compared_measure_by_measure_and_lower_may_be_better():
    systems = {
        name: {"q": ranked}
        for name, ranked in {"a": ["d", "e", "x"], "b": ["x", "d", "e"], "c": ["e", "x", "d"]}.items()
    }
    # The one relevant document is at the ranks 1, 2, 3 for d, and at 2, 3, 1 for e: a b c against c a b.
    first, second = (rankgold.evaluate({"q": {relevant: 1}}, systems, ["rr", "frp"]) for relevant in "de")
    found = similarity(first, second, ["tau_ap", "kendall"])
    expected = [2 / 2 * (0 / 1 + 1 / 2) - 1, (1 - 2) / 3]
    assert found.per_query.rows() == [("rr", *map(pytest.approx, expected)), ("frp", *map(pytest.approx, expected))]
    assert similarity(first.means, second.means, "kendall")["kendall"] == pytest.approx(-1 / 3)


def test_files_that_evaluate_wrote_are_leaderboards(tmp_path):
    files = [str(tmp_path / name) for name in ("scores.json", "scores.csv")]
    for file in files:
        printed("evaluate", QRELS, *RUNS.values(), "-m", "ndcg@10,frp,rr", "-o", file)
    scores = rankgold.evaluate(QRELS, RUNS, ["ndcg@10", "frp", "rr"])
    expected = similarity(scores, scores, "kendall").per_query
    assert similarity(*files, "kendall").per_query.equals(expected)
    assert expected["kendall"].to_list() == [1, 1, 1]
    # titles is below bm25 by every measure, and expanded is first.
    assert printed("similarity", files[0], "-m", "tau_ap", "--quiet") == "run  tau_ap\nfrp  1.0000\nrr   1.0000\n"
    assert printed("similarity", *files, files[1], "-f", "csv", "-m", "kendall") == (
        "run,kendall\nscores,1.0\nscores (2),1.0\n"
    )


def test_undefined_means_are_left_out(tmp_path):
    file = tmp_path / "scores.csv"
    file.write_text("run,ap\na,0.5\nb,\nc,0.4\n")
    assert similarity(file, {"a": 1.0, "b": 2.0, "c": 3.0}, "kendall")["kendall"] == -1
    assert (
        similarity({"a": float("nan"), "b": 1.0, "c": 2.0}, {"a": 3.0, "b": 1.0, "c": 2.0}, "kendall")["kendall"] == 1
    )


def test_files_of_runs_are_no_leaderboards(tmp_path):
    json_run, csv_run = tmp_path / "run.json", tmp_path / "run.csv"
    json_run.write_text('{"measures": {"d1": 2, "d2": 1}, "runs": {"d1": 1}}')
    csv_run.write_text("run,query,document,score\nx,measures,d1,2\nx,runs,d1,1\n")
    assert similarity(json_run, csv_run, "overlap").per_query.rows() == [("measures", 1 / 2), ("runs", 1.0)]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ({"a": 1.0}, {"q": {"a": 1.0}}, "one side is a leaderboard"),
        ({"q": {"a": 1.0}}, {"a": 1.0}, "one side is a leaderboard"),
        ({"a": 1.0}, None, "there is one leaderboard, of one measure"),
    ],
)
def test_leaderboards_and_runs_are_not_mixed(first, second, message):
    with pytest.raises(rankgold.DataError, match=message):
        similarity(first, second, "kendall")


def test_leaderboards_without_a_common_measure_are_refused(tmp_path):
    first, second, broken = (tmp_path / name for name in ("1.csv", "2.csv", "3.csv"))
    first.write_text("run,ap,rr\na,0.5,1\nb,0.4,0.5\n")
    second.write_text("run,p@5,r@5\na,0.5,1\nb,0.4,0.5\n")
    broken.write_text("run,ap\na,high\n")
    message = refused("similarity", str(first), str(second), "-m", "kendall")
    assert "no measure in common: ap, rr on one side, p@5, r@5 on the other" in message
    assert refused("similarity", str(broken), str(first)).startswith(f"{broken}: a row of this leaderboard")


def test_names_that_look_like_formulas_are_the_same_in_json_and_csv(tmp_path):
    runs = {"=a": {"q": ["d", "x"]}, "-b": {"q": ["x", "d"]}, "'c": {"q": ["x", "y"]}, "-1": {"q": ["y", "x", "d"]}}
    scores = rankgold.evaluate({"q": {"d": 1}}, runs, ["rr"])
    (tmp_path / "scores.json").write_text(scores.to_json())
    (tmp_path / "scores.csv").write_text(scores.to_csv())
    assert "\n'=a,1.0\n" in (tmp_path / "scores.csv").read_text()
    files = [str(tmp_path / f"scores.{ending}") for ending in ("json", "csv")]
    assert similarity(*files, ["overlap", "kendall"]).means == {"overlap": 1.0, "kendall": 1.0}


def test_a_leaderboard_whose_means_are_not_numbers_is_an_error(tmp_path):
    for name, mean in (("a.json", "[1]"), ("b.json", "0.5")):
        runs = f'{{"x": {{"means": {{"ap": {mean}}}}}, "y": {{"means": {{"ap": 0.25}}}}}}'
        (tmp_path / name).write_text(f'{{"runs": {runs}, "measures": ["ap"]}}')
    with pytest.raises(rankgold.DataError, match=r"a\.json: the means of 'x' are not all numbers"):
        similarity(tmp_path / "a.json", tmp_path / "b.json", ["tau_ap"])
