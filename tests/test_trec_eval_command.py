"""`rankgold trec_eval` prints what trec_eval prints, byte for byte."""

from pathlib import Path

import pytest

from rankgold.cli.app import run
from rankgold.compat import pytrec_eval
from rankgold.compat.trec_eval.lines import Settings, lines_of
from rankgold.compat.trec_eval.names import NAMES, NICKNAMES
from rankgold.errors import RankgoldError
from tests.shell import shell

ORACLES = sorted((Path(__file__).parent / "oracles" / "trec_eval").iterdir())

QRELS = "q2 0 d1 1\nq2 0 d2 0\nq1 0 d1 2\nq1 0 d3 1\nq3 0 d1 1\n"
RUN = "q1 Q0 d1 1 9 mine\nq1 Q0 d2 2 8 mine\nq2 Q0 d3 1 5 mine\nq2 Q0 d1 2 4 mine\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return tmp_path


def printed(capsys, *arguments):
    run(["trec_eval", *map(str, arguments)])
    return capsys.readouterr().out


@pytest.mark.parametrize("case", ORACLES, ids=lambda case: case.name)
def test_what_is_printed_is_what_trec_eval_10_prints(case, capsys):
    arguments = (case / "arguments").read_text().split()
    assert printed(capsys, *arguments, case / "qrels.txt", case / "run.txt") == (case / "output.txt").read_text()


def test_the_official_measures_are_printed_if_none_is_named(folder, capsys):
    lines = printed(capsys, folder / "qrels", folder / "run").splitlines()
    assert lines[0] == "runid                 \tall\tmine"
    # q1: AP = 1/2 of two relevant; q2: 1/2; q3 is not in the run.
    assert "map                   \tall\t0.5000" in lines
    assert "num_q                 \tall\t2" in lines


def test_queries_that_are_not_in_the_run_count_with_c(folder, capsys):
    lines = printed(capsys, "-qc", "-m", "map", "-m", "num_q", folder / "qrels", folder / "run").splitlines()
    assert lines == [
        "map                   \tq1\t0.5000",
        "map                   \tq2\t0.5000",
        "map                   \tq3\t0.0000",
        "num_q                 \tall\t3",
        "map                   \tall\t0.3333",
    ]


def test_version_9_rounds_recall_levels_up_and_compares_scores_at_32_bits(folder, capsys):
    # R = 2: a level of 0.1 is no document if rounded (the best precision is 1), and one if 0.9 is added.
    arguments = "-m", "iprec_at_recall.0.6", "-q", "-n", folder / "qrels", folder / "run"
    # 0.6 * 2 = 1.2 documents: 1 if rounded, 2 with 0.9 added, and only one was found.
    assert "iprec_at_recall_0.60  \tq1\t1.0000" in printed(capsys, *arguments)
    assert "iprec_at_recall_0.60  \tq1\t0.0000" in printed(capsys, "--version9", *arguments)
    # d3 leads by less than 32 bits can tell, so the ids decide: d3 before d1 still; with the scores swapped it differs.
    (folder / "close").write_text("q2 Q0 d1 1 0.83000001 mine\nq2 Q0 d2 2 0.83 mine\n")
    close = "-m", "recip_rank", folder / "qrels", folder / "close"
    assert printed(capsys, *close) == "recip_rank            \tall\t1.0000\n"
    assert printed(capsys, "--version9", *close) == "recip_rank            \tall\t0.5000\n"


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("mapp", "trec_eval has no measure 'mapp'. Did you mean 'map'?"),
        ("map.5", "map of trec_eval takes no parameters, and '5' was given."),
        ("P.5,5", "P.'5,5' names a cutoff twice."),
        ("P.x", "P of trec_eval takes numbers with commas between, not 'x'."),
        ("ndcg.1=x", "ndcg of trec_eval takes pairs such as 1=3.5,2=9, not '1=x'."),
        ("prefs_simp", "prefs_simp of trec_eval needs judgements in the format prefs: -R."),
    ],
)
def test_a_measure_that_trec_eval_does_not_have_is_an_error(measure, message):
    with pytest.raises(RankgoldError) as caught:
        lines_of([measure], Settings())
    assert str(caught.value) == message


def test_every_nickname_names_measures_of_the_table():
    assert {name for names in NICKNAMES.values() for name in names} <= set(NAMES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q1 g s d1\n", "prefs:1: there are 4 fields. A line has query, group, set, document, level."),
        ("q1 g s d1 high\n", "prefs:1: 'high' is not a level. A level is a number."),
        ("q1 g s d1 2\nq1 g s d2 1\nq1 g t d2 2\nq1 g t d1 1\n", "error: query 'q1' prefers a document to another"),
        ("", "prefs: there are no judgements."),
    ],
)
def test_a_faulty_file_of_preferences_is_an_error_of_one_line(folder, text, message):
    (folder / "prefs").write_text(text)
    done = shell("trec_eval", "-R", "prefs", "-m", "prefs", "prefs", "run", cwd=folder)
    assert done.returncode == 2
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1


def test_a_preference_that_follows_from_two_others_counts(folder, capsys):
    # a over b in one set, b over c in another: three preferences. The run has c, a: a over b is fulfilled, since b is
    # missing; a over c is not; b over c is not.
    (folder / "prefs").write_text("q1 g s a 2\nq1 g s b 1\nq1 g t b 2\nq1 g t c 1\n")
    (folder / "run").write_text("q1 Q0 c 1 2 mine\nq1 Q0 a 2 1 mine\n")
    lines = printed(capsys, "-R", "prefs", "-m", "all_prefs", folder / "prefs", folder / "run").splitlines()
    numbers = {line.split()[0]: line.split()[2] for line in lines}
    assert numbers == {
        "runid": "mine", "num_q": "1", "prefs_num_prefs_poss": "3", "prefs_num_prefs_ful": "1",
        "prefs_num_prefs_ful_ret": "0", "prefs_simp": "0.3333", "prefs_pair": "0.3333", "prefs_avgjg": "0.3333",
        "prefs_simp_ret": "0.0000", "prefs_pair_ret": "0.0000", "prefs_avgjg_ret": "0.0000", "prefs_simp_imp": "0.3333",
        "prefs_pair_imp": "0.3333", "prefs_avgjg_imp": "0.3333",
    }  # fmt: skip


def test_version_9_compares_scores_at_32_bits_before_it_cuts_a_list(folder, capsys):
    # At 32 bits d1 and d2 are tied, and d2 has the greater id: with one document of the query, d1 is cut off.
    (folder / "close").write_text("q2 Q0 d1 1 0.83000001 mine\nq2 Q0 d2 2 0.83 mine\n")
    cut = "-M", "1", "-m", "recip_rank", folder / "qrels", folder / "close"
    assert printed(capsys, *cut) == "recip_rank            \tall\t1.0000\n"
    assert printed(capsys, "--version9", *cut) == "recip_rank            \tall\t0.0000\n"


@pytest.mark.parametrize("number", ["0", "-2", "x"])
def test_the_number_of_documents_that_count_is_a_whole_number_from_1(folder, number):
    done = shell("trec_eval", "-M", number, "qrels", "run", cwd=folder)
    assert done.returncode == 2
    assert f"a whole number from 1 is needed, not '{number}'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_document_twice_is_an_error_with_the_file_and_both_lines(folder):
    (folder / "twice").write_text(RUN + "q1 Q0 d2 3 7 mine\n")
    (folder / "judged").write_text(QRELS + "q1 0 d3 0\n")
    ranked, judged = (shell("trec_eval", *files, cwd=folder) for files in (("qrels", "twice"), ("judged", "run")))
    assert ranked.stderr == "twice:5: query 'q1' ranks document 'd2' twice (first at line 2). Remove one.\n"
    assert judged.stderr == "judged:6: query 'q1' judges document 'd3' twice (first at line 4). Remove one.\n"
    assert (ranked.returncode, judged.returncode) == (2, 2)


def test_lines_of_files_are_parsed_as_by_pytrec_eval():
    assert pytrec_eval.parse_qrel(QRELS.splitlines())["q1"] == {"d1": 2, "d3": 1}
    assert pytrec_eval.parse_run(RUN.splitlines())["q2"] == {"d3": 5.0, "d1": 4.0}
    with pytest.raises(RankgoldError, match="line 2 has 1 fields, and should have 4"):
        pytrec_eval.parse_qrel(["q 0 d 1", "q"])
    with pytest.raises(RankgoldError, match="line 2: query 'q' has document 'd' twice"):
        pytrec_eval.parse_qrel(["q 0 d 1", "q 0 d 1"])
