"""Small TREC files are read without Polars: the same numbers, names, notes and errors as with it."""

import subprocess
import sys

import pytest

import rankgold
from rankgold.data import inputs
from rankgold.data.formats import trec_fast
from rankgold.samples import path as sample

MEASURES = ["ap", "ndcg@10", "rr", "auc", "err", "spearman"]
RUNS = [sample(f"{name}.trec") for name in ("titles", "bm25", "expanded")]
PLAIN = "q1 Q0 d1 1 0.5 a\nq1 Q0 d2 2 0.25 a\nq2 Q0 d1 1 7 a\n"


@pytest.fixture
def file(tmp_path):
    """A function that writes a run, and gives its path."""

    def write(content):
        path = tmp_path / "run.trec"
        path.write_bytes(content.encode())
        return path

    return write


@pytest.fixture
def with_polars(monkeypatch):
    """No file counts as small."""
    monkeypatch.setattr(inputs, "SMALL", -1)


@pytest.fixture
def without_polars(monkeypatch):
    """The reader for all files must not be needed."""
    monkeypatch.setattr("rankgold.data.files.read_file", None)


def test_a_small_file_is_read_by_the_small_reader_and_holds_what_it_says(file, without_polars):
    rows = trec_fast.read_small_trec(file(PLAIN), "run")
    assert (rows.name, rows.as_dicts()) == ("a", {"q1": {"d1": 0.5, "d2": 0.25}, "q2": {"d1": 7.0}})
    assert rankgold.evaluate({"q1": {"d2": 1}, "q2": {"d1": 1}}, file(PLAIN), ["rr"])["rr"] == (1 / 2 + 1) / 2


@pytest.mark.parametrize("piece", [1, 20, 1 << 15])
def test_a_file_is_read_in_pieces_and_its_queries_may_stand_anywhere(file, monkeypatch, piece):
    monkeypatch.setattr(trec_fast, "_PIECE", piece)
    rows = trec_fast.read_small_trec(file("q2 0 d1 3\nq1 0 d1 -1\nq1 0 d2 0\nq2 0 d9 0.5\n"), "qrels")
    assert rows.as_dicts() == {"q2": {"d1": 3.0, "d9": 0.5}, "q1": {"d1": -1.0, "d2": 0.0}}
    # A document twice in a query is left to the other reader, in whatever pieces the lines are.
    assert trec_fast.read_small_trec(file("q1 0 d1 1\nq2 0 d1 1\nq1 0 d1 0\n"), "qrels") is None


def test_the_other_reader_finds_the_same_in_it(file, with_polars, monkeypatch):
    monkeypatch.setattr(inputs, "read_small_trec", None)
    assert rankgold.read_run(file(PLAIN)).rows() == [("q1", "d1", 0.5), ("q1", "d2", 0.25), ("q2", "d1", 7.0)]
    assert rankgold.evaluate({"q1": {"d2": 1}, "q2": {"d1": 1}}, file(PLAIN), ["rr"])["rr"] == (1 / 2 + 1) / 2


@pytest.mark.parametrize("policy", ["rankgold", "trec_eval", "ties=average", "ties=input", "unjudged=condensed"])
def test_the_numbers_the_names_and_the_notes_are_the_same(policy, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("rankgold.data.files.read_file", None)
        small = rankgold.evaluate(sample("qrels.txt"), RUNS, MEASURES, policy=policy)
    with monkeypatch.context() as patch:
        patch.setattr(inputs, "SMALL", -1)
        patch.setattr(inputs, "read_small_trec", None)
        whole = rankgold.evaluate(sample("qrels.txt"), RUNS, MEASURES, policy=policy)
    assert small.to_json() == whole.to_json()


def test_the_shell_evaluates_and_explains_small_files_without_polars():
    program = "import sys; from rankgold.cli.app import run\nrun(sys.argv[1:])\nprint('polars' in sys.modules, file=sys.stderr)"
    for words in (["evaluate"], ["explain", "--query", "q18"]):
        files = [str(sample("qrels.txt")), str(sample("bm25.trec")), "-m", "ap"]
        done = subprocess.run(
            [sys.executable, "-c", program, *words, *files], capture_output=True, text=True, check=True
        )
        assert done.stderr == "False\n"


def test_files_are_small_if_all_of_an_evaluation_are_small_together(file, monkeypatch):
    path = file("q1 Q0 d1 1 0.5 a\n")
    monkeypatch.setattr(inputs, "SMALL", 40)
    # 17 bytes each: two are 34, three are 51.
    assert inputs.are_small([path, path])
    assert inputs.are_small([{"q1": {"d1": 1}}, path, path])
    assert not inputs.are_small([path, path, path])
    assert not inputs.are_small([path, "no such file"])


@pytest.mark.parametrize(
    "content", ["q1  Q0 d1 1 0.5 a\n", "q1\tQ0\td1\t1\t0.5\ta\n", " q1 Q0 d1 1 .5 a \n", "q1 Q0 d1 1 0.5 a"]
)
def test_blanks_may_be_of_any_kind_and_number(file, content):
    assert trec_fast.read_small_trec(file(content), "run").as_dicts() == {"q1": {"d1": 0.5}}


@pytest.mark.parametrize(
    "content",
    [
        "q1 Q0 d1 1 0.5 a\nq1 Q0 d1 2 0.4 a\n",
        "q1 Q0 d1 1 0.5 a\nq1 Q0 d2 2 0.4 b\n",
        "# comment\nq1 Q0 d1 1 0.5 a\n",
        "\ufeffq1 Q0 d1 1 0.5 a\n",
        "q1 Q0 d1 1 0.5 a\n\nq1 Q0 d2 2 0.4 a\n",
        "q1 Q0 d1 1 0.5\n",
        "q1 Q0 d1 1 0.5\nq1 Q0 d2 2 0.4 a b\n",
        "q1 Q0\nd1 1 0.5 a\n",
        "q1 Q0 d\x001 1 0.5 a\n",
        "q1 Q0 d\x1c1 1 0.5 a\n",
        "q1 Q0 d1 1 nan a\n",
        "q1 Q0 d1 1 x a\n",
        "q1 Q0 d1 1 1_0 a\n",
        "q1 Q0 d1 1 0.5 a\r\nq1 Q0 d2 2 0.4 a\r\n",
        "q1\tQ0\td 1\t1\t0.5\ta\n",
        "query,doc,score\nq1,d1,0.5\n",
        '{"q1": {"d1": 0.5}}\n',
        "",
    ],
)
def test_what_is_not_plain_is_left_to_the_other_reader(file, content):
    assert trec_fast.read_small_trec(file(content), "run") is None


def test_a_name_given_to_a_run_counts_more_than_its_tag(monkeypatch):
    for size in (inputs.SMALL, -1):
        monkeypatch.setattr(inputs, "SMALL", size)
        scores = rankgold.evaluate(sample("qrels.txt"), {"mine": sample("bm25.trec"), "yours": RUNS[2]}, ["ap"])
        assert scores.runs == ["mine", "yours"]
