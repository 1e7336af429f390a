"""Small TREC files are read without Polars: the same numbers, names and errors as with it."""

import subprocess
import sys

import pytest

import rankgold
from rankgold.data.formats import trec_fast
from rankgold.samples import path as sample

MEASURES = ["ap", "ndcg@10", "rr", "auc", "err", "spearman"]
RUNS = [sample(f"{name}.trec") for name in ("titles", "bm25", "expanded")]


@pytest.fixture
def without_polars(monkeypatch):
    monkeypatch.setattr(trec_fast, "_polars_is_loaded", lambda: False)
    monkeypatch.setattr(trec_fast, "_read_so_far", 0)


@pytest.mark.parametrize("policy", ["rankgold", "trec_eval", "ties=average", "ties=input", "unjudged=condensed"])
def test_the_numbers_the_names_and_the_notes_are_the_same(policy, monkeypatch):
    at_length = rankgold.evaluate(sample("qrels.txt"), RUNS, MEASURES, policy=policy)
    monkeypatch.setattr(trec_fast, "_polars_is_loaded", lambda: False)
    assert rankgold.evaluate(sample("qrels.txt"), RUNS, MEASURES, policy=policy).to_json() == at_length.to_json()


def test_the_shell_evaluates_and_explains_small_files_without_polars():
    program = "import sys; from rankgold.cli.app import run\nrun(sys.argv[1:])\nprint('polars' in sys.modules, file=sys.stderr)"
    for words in (["evaluate"], ["explain", "--query", "q18"]):
        files = [str(sample("qrels.txt")), str(sample("bm25.trec")), "-m", "ap"]
        done = subprocess.run(
            [sys.executable, "-c", program, *words, *files], capture_output=True, text=True, check=True
        )
        assert done.stderr == "False\n"


def test_where_many_small_files_are_read_polars_is_loaded_in_the_end(tmp_path, without_polars, monkeypatch):
    path = tmp_path / "run.trec"
    path.write_text("q1 Q0 d1 1 0.5 a\n")
    monkeypatch.setattr(trec_fast, "_MOST", 40)
    monkeypatch.setattr(trec_fast, "_read_so_far", 0)
    # 17 bytes each time: 17, 34 and 51 are read, the last of which is more than 40.
    assert [trec_fast.read_small(path, "run") is not None for _ in range(5)] == [True, True, True, False, False]


@pytest.mark.parametrize(
    "content", ["q1  Q0 d1 1 0.5 a\n", "q1\tQ0\td1\t1\t0.5\ta\n", " q1 Q0 d1 1 .5 a \n", "q1 Q0 d1 1 0.5 a"]
)
def test_blanks_may_be_of_any_kind_and_number(tmp_path, without_polars, content):
    path = tmp_path / "run.trec"
    path.write_text(content)
    assert trec_fast.read_small(path, "run") == {"a": {"q1": {"d1": 0.5}}}


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
def test_what_is_not_plain_is_left_to_the_careful_reader(tmp_path, without_polars, content):
    path = tmp_path / "run.trec"
    path.write_bytes(content.encode())
    assert trec_fast.read_small(path, "run") is None


def test_a_small_file_is_read_as_a_frame_on_request(without_polars):
    assert rankgold.read_run(sample("bm25.trec")).columns == ["query", "document", "score"]


def test_a_name_given_to_a_run_counts_more_than_its_tag(monkeypatch):
    for is_loaded in (True, False):
        monkeypatch.setattr(trec_fast, "_polars_is_loaded", lambda is_loaded=is_loaded: is_loaded)
        scores = rankgold.evaluate(sample("qrels.txt"), {"mine": sample("bm25.trec"), "yours": RUNS[2]}, ["ap"])
        assert scores.runs == ["mine", "yours"]
