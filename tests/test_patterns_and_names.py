"""Patterns of files, names of tables on Spark, and Hits by name: several runs in one argument."""

import pytest

import rankgold
from tests.shell import completed, printed

QRELS = {"q": {"a": 1}}
# One file has a first, RR 1; the other second, RR 1/2; the third has the same tag as the first.
FILES = {
    "one.trec": "q Q0 a 1 2.0 first\n",
    "two.trec": "q Q0 b 1 2.0 second\nq Q0 a 2 1.0 second\n",
    "more/three.trec": "q Q0 a 1 2.0 first\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "more").mkdir()
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "qrels.txt").write_text("q 0 a 1\n")
    return tmp_path


def test_each_file_of_a_pattern_is_a_run(folder):
    assert rankgold.evaluate(QRELS, "*.trec", ["rr"])["rr"] == {"first": 1.0, "second": 0.5}
    assert rankgold.evaluate(QRELS, folder / "*.trec", ["rr"])["rr"] == {"first": 1.0, "second": 0.5}
    assert rankgold.evaluate(QRELS, "**/*.trec", ["rr"])["rr"] == {"first": 1.0, "first (2)": 1.0, "second": 0.5}
    assert rankgold.evaluate(QRELS, ["two.trec", "on?.trec"], ["rr"])["rr"] == {"second": 0.5, "first": 1.0}
    assert rankgold.evaluate(QRELS, "t[w]o.trec", ["rr"])["rr"] == 0.5


def test_a_pattern_may_have_a_name(folder):
    runs = {"base": "one.*", "all": "*.trec"}
    assert rankgold.evaluate(QRELS, runs, ["rr"])["rr"] == {"base": 1.0, "all one": 1.0, "all two": 0.5}


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(folder):
    (folder / "[ot]*.trec").write_text(FILES["two.trec"])
    assert rankgold.evaluate(QRELS, "[ot]*.trec", ["rr"])["rr"] == 0.5


def test_a_pattern_that_matches_no_file_is_an_error(folder):
    (folder / "empty.d").mkdir()
    for pattern in ("*.run", "no/*.trec", "*.d"):
        with pytest.raises(rankgold.DataError) as caught:
            rankgold.evaluate(QRELS, pattern, ["rr"])
        assert str(caught.value) == f"{pattern}: no file matches this pattern."


def test_judgements_in_several_files_are_read_together(folder):
    (folder / "part1.qrels").write_text("q 0 a 1\n")
    (folder / "part2.qrels").write_text("r 0 b 1\n")
    (folder / "part3.csv").write_text("query,doc,grade\ns,c,1\n")
    run = {"q": ["x", "a"], "r": ["b"], "s": ["c"]}
    # 1/2, 1, and 1 where s is judged.
    assert rankgold.evaluate("part*.qrels", run, ["rr"])["rr"] == 0.75
    assert rankgold.evaluate("part*", run, ["rr"])["rr"] == pytest.approx(2.5 / 3)
    (folder / "part4.qrels").write_text("q 0 a 0\n")
    with pytest.raises(rankgold.DataError, match=r"part4.qrels:1: query 'q' judges document 'a' twice"):
        rankgold.evaluate("part*.qrels", run, ["rr"])


def test_a_quoted_pattern_at_the_shell_is_a_run_for_each_file(folder):
    lines = printed("evaluate", "qrels.txt", "*.trec", "-m", "rr").splitlines()
    assert [line.split() for line in lines[:3]] == [["run", "rr"], ["first", "1.0000*"], ["second", "0.5000"]]
    failed = completed("evaluate", "qrels.txt", "*.run", cwd=folder)
    assert (failed.returncode, failed.stderr) == (2, "*.run: no file matches this pattern.\n")


# --- Hits by name

HITS = {"up": rankgold.from_labels([[1, 0]]), "down": rankgold.from_labels([[0, 1]])}


def test_hits_by_name_are_several_runs():
    assert rankgold.evaluate(HITS, ["rr"])["rr"] == {"up": 1.0, "down": 0.5}
    assert rankgold.evaluate(HITS, measures=["rr"])["rr"] == {"up": 1.0, "down": 0.5}
    matched = [rankgold.match(QRELS, {"q": ["a"]}), rankgold.match(QRELS, {"q": ["b", "a"]})]
    for given in (matched, tuple(matched)):
        assert rankgold.evaluate(given, ["rr"])["rr"] == {"run": 1.0, "run (2)": 0.5}
    assert rankgold.evaluate({"only": HITS["up"]}, "rr").runs == ["only"]


def test_hits_by_name_take_a_policy_and_must_agree_on_it():
    missing = {"a": rankgold.from_lists([["x"], []], [["x"], ["y"]]), "b": rankgold.from_lists([["x"], ["y"]], [["x"], ["y"]])}  # fmt: skip
    # The second query of a is not ranked: it scores 0, or is left out.
    assert rankgold.evaluate(missing, ["rr"])["rr"] == {"a": 0.5, "b": 1.0}
    assert rankgold.evaluate(missing, ["rr"], policy="missing=skip")["rr"] == {"a": 1.0, "b": 1.0}
    mixed = {"a": HITS["up"], "b": rankgold.from_labels([[1]], policy="missing=skip")}
    with pytest.raises(rankgold.PolicyError, match="a with rankgold, b with missing=skip"):
        rankgold.evaluate(mixed, ["rr"])
    assert rankgold.evaluate(mixed, ["rr"], policy="missing=zero")["rr"] == {"a": 1.0, "b": 1.0}


def test_hits_and_other_runs_are_not_mixed():
    with pytest.raises(rankgold.DataError, match=r"this dict is among Hits. Match it first"):
        rankgold.evaluate({"a": HITS["up"], "b": {"q": ["a"]}}, ["rr"])
    with pytest.raises(rankgold.MeasureError, match="matched already"):
        rankgold.evaluate(HITS, {"q": ["a"]}, ["rr"])


# --- tables on Spark


@pytest.mark.spark
def test_spark_takes_names_of_tables_and_views(spark, folder):
    from tests.spark import frame, sessions

    for name, session in sessions().items():
        frame(session, {"q": {"b": 2.0, "a": 1.0}}, "score").createOrReplaceTempView(f"ranked_{name}")
        frame(session, QRELS, "grade").createOrReplaceTempView(f"judged_{name}")
        scores = rankgold.evaluate(f"judged_{name}", f"ranked_{name}", ["rr"], engine=session)
        assert (scores["rr"], scores.runs) == (0.5, [f"ranked_{name}"])
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW `odd name` AS SELECT * FROM ranked_classic")
    # A file is read as before; what is neither is an error.
    runs = {"mine": "ranked_classic", "odd": "`odd name`", "file": str(folder / "two.trec")}
    assert rankgold.evaluate(QRELS, runs, ["rr"], engine=spark)["rr"] == dict.fromkeys(runs, 0.5)
    with pytest.raises(rankgold.DataError, match="nowhere: there is no such file or folder, and no such table"):
        rankgold.evaluate(QRELS, "nowhere", ["rr"], engine=spark)
