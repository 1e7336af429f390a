"""`rankgold trec_eval` prints what trec_eval prints, byte for byte.

The outputs in `oracles/trec_eval` are those of trec_eval 10.0 and 9.0.8. In m_rbp.c of version 10, `min` and `max` have no
first value, so that rbp of a build depends on its compiler: the outputs are those of a build where they start from 0, which
prints what the tests of NIST expect.
"""

from pathlib import Path

import pytest

from rankgold.cli.app import run
from rankgold.compat import pytrec_eval
from rankgold.compat.trec_eval.help_text import help_text
from rankgold.compat.trec_eval.measure_lines import LineSettings, lines_of
from rankgold.core.dialects.trec import NAMES, NICKNAMES
from rankgold.core.errors import RankgoldError
from tests.cases import for_each
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


@for_each("case", ORACLES, ids=lambda case: case.name)
def test_what_is_printed_is_what_trec_eval_prints(case, capsys, monkeypatch):
    monkeypatch.chdir(case)
    exit_code = 0
    try:
        run(["trec_eval", *Path("arguments").read_text().split(), "qrels.txt", "run.txt"])
    except RankgoldError as error:
        exit_code = error.exit_code
    assert capsys.readouterr().out == Path("output.txt").read_text()
    assert exit_code == (int(Path("exit_code").read_text()) if Path("exit_code").exists() else 0)


def is_for_evaluate(case):
    """Whether a collection has grades, finite scores, one tag, and all judged queries in its run."""
    if "-R" in (case / "arguments").read_text():
        return False
    judged, ranked = (
        [line.split() for line in (case / name).read_text().splitlines() if not line.startswith("#")]
        for name in ("qrels.txt", "run.txt")
    )
    has_one_tag = len({fields[5] for fields in ranked}) == 1
    return (
        has_one_tag
        and {row[0] for row in judged} <= {row[0] for row in ranked}
        and "inf" not in {row[4] for row in ranked}
    )


@for_each("case", list(filter(is_for_evaluate, ORACLES)), ids=lambda case: case.name)
def test_evaluate_with_the_policy_trec_eval_prints_all_names_and_values_of_all_trec(case, capsys, monkeypatch):
    monkeypatch.chdir(case)
    expected = printed(capsys, "-q", "-m", "all_trec", "qrels.txt", "run.txt").splitlines(keepends=True)
    options = ["-p", "trec_eval", "-f", "trec_eval", "-q", "-m", "all_trec"]
    run(["evaluate", "qrels.txt", "run.txt", *options])
    found = capsys.readouterr().out.splitlines(keepends=True)
    # relstring is a text, and runid here the name of the file.
    texts = "relstring ", "runid "
    assert [line for line in found if not line.startswith(texts)] == [
        line for line in expected if not line.startswith(texts)
    ]
    assert sum(line.split()[1] == "all" for line in found) == 1 + 98


def evaluated(capsys, *arguments):
    run(["evaluate", *map(str, arguments), "-f", "trec_eval"])
    return [line.split("\t") for line in capsys.readouterr().out.splitlines()[1:]]


def test_a_name_for_several_numbers_is_all_of_them_with_the_policy_trec_eval(folder, capsys):
    files = folder / "qrels", folder / "run", "-p", "trec_eval"
    success = [name.strip() for name, _, _ in evaluated(capsys, *files, "-m", "success,map")]
    assert success == ["success_1", "success_5", "success_10", "map"]
    # Precision of the whole list: 1/2 for both queries. At 5 it is 1/5.
    assert evaluated(capsys, *files, "-m", "p") == [["set_P                 ", "all", "0.5000"]]
    assert evaluated(capsys, *files, "-m", "P")[0] == ["P_5                   ", "all", "0.2000"]
    with pytest.raises(RankgoldError, match=r"P is several measures in trec_eval\. Name one of them, such as P_5"):
        run(["explain", *map(str, files), "-m", "P", "--query", "q1"])


def test_rbp_and_its_residual_are_those_of_trec_eval_with_its_policy(folder, capsys):
    # p = 0.9. q1: d1 has grade 2 of 2, then an unjudged document: 0.1, and 1 - 0.1. q2: an unjudged document, then d1 with
    # grade 1 of 1: 0.09, and 1 - 0.09. The means are 0.095 and 0.905.
    files = folder / "qrels", folder / "run"
    assert evaluated(capsys, *files, "-p", "trec_eval", "-m", "rbp,rbp_resid") == [
        ["rbp                   ", "all", "0.0950"],
        ["rbp_resid             ", "all", "0.9050"],
    ]
    # Without it, they are other measures, and have other names: 0.2 and 0.16, 0.8 and 0.84.
    assert evaluated(capsys, *files, "-p", "missing=skip", "-m", "rbp,rbp_resid") == [
        ["rbp(rel=1, p=0.8, worth=binary)", "all", "0.1800"],
        ["rbp_resid(p=0.8)      ", "all", "0.8200"],
    ]


def test_measures_have_the_names_of_trec_eval_with_other_parameters_too(folder, capsys):
    measures = [
        "utility(worth=(2, -1, 0, 0))", "f(beta=2)", "iprec_mean(recalls=(0.25, 0.5))", "rbp(p=0.5)", "iprec(recall=0.35)",
        "rprec_mult(multiple=3)", "ap@7", "idcg", "p(norm=min)@3", "ap(rel=2)", "err@5", "num_rel_ret",
    ]  # fmt: skip
    arguments = [word for measure in measures for word in ("-m", measure)]
    found = evaluated(capsys, folder / "qrels", folder / "run", "-p", "trec_eval", *arguments)
    assert [name.strip() for name, _, _ in found] == [
        "utility_2,-1,0,0", "set_F_4", "11pt_avg_0.25,0.5", "rbp_p=0.5", "iprec_at_recall_0.35",
        "Rprec_mult_3.00", "map_cut_7", "ideal_dcg", "relative_P_3", "ap(rel=2)", "err@5", "num_rel_ret",
    ]  # fmt: skip
    assert found[-1][2] == "2"
    # As with -l 2, a threshold for all measures does not change their names. No grade reaches it but d1 of q1.
    found = evaluated(capsys, folder / "qrels", folder / "run", "-p", "trec_eval", "--rel", 2, "-m", "map,num_rel")
    assert found == [["map                   ", "all", "0.5000"], ["num_rel               ", "all", "1"]]


def test_a_mean_is_rounded_as_trec_eval_rounds_the_sum_that_it_adds_up(folder, capsys):
    # P_5 is 0.2 for 9 of 32 queries, and the mean 0.05625. Adding 0.2 up 9 times gives 1.7999999999999998.
    (folder / "judged").write_text("".join(f"q{i:02} 0 d 1\n" for i in range(32)))
    (folder / "ranked").write_text("".join(f"q{i:02} Q0 {'d' if i < 9 else 'e'} 1 1 x\n" for i in range(32)))
    files = folder / "judged", folder / "ranked"
    assert printed(capsys, "-m", "P.5", *files) == "P_5                   \tall\t0.0562\n"
    assert evaluated(capsys, *files, "-p", "trec_eval", "-m", "P_5")[0][2] == "0.0562"
    assert evaluated(capsys, *files, "-p", "trec_eval", "-m", "P_5", "--digits", 6)[0][2] == "0.056250"


@for_each("score", ["nan", "1_000", "1e5x", "0x", "1,5", "high", "0x1p"])
def test_a_score_that_is_not_a_number_for_c_as_a_whole_is_an_error(folder, score, capsys):
    (folder / "odd").write_text(f"q1 Q0 d1 1 {score} mine\nq2 Q0 d1 1 1 mine\n")
    with pytest.raises(RankgoldError, match=r"odd:1: .*score"):
        printed(capsys, "--version9", "-m", "map", folder / "qrels", folder / "odd")


def test_scores_beyond_all_numbers_are_compared_at_32_bits_by_version_9(folder, capsys):
    # 1e39 is infinite at 32 bits, so that d2 and d1 are tied, and the greater id is first: d1 of q2 is at rank 2, and at
    # rank 1 in version 10.
    (folder / "odd").write_text("q2 Q0 d2 1 1e39 mine\nq2 Q0 d1 2 inf mine\n")
    arguments = "-D", "0.q2", "-m", "recip_rank", folder / "qrels", folder / "odd"
    assert printed(capsys, *arguments) == "recip_rank            \tall\t1.0000\n"
    assert printed(capsys, "--version9", *arguments) == "recip_rank            \tall\t0.5000\n"


def test_the_official_measures_are_printed_if_none_is_named(folder, capsys):
    lines = printed(capsys, "--version9", folder / "qrels", folder / "run").splitlines()
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
    arguments = "-c", "-m", "iprec_at_recall.0.6", "-q", "-n", folder / "qrels", folder / "run"
    # 0.6 * 2 = 1.2 documents: 1 if rounded, 2 with 0.9 added, and only one was found.
    assert "iprec_at_recall_0.60  \tq1\t1.0000" in printed(capsys, *arguments)
    assert "iprec_at_recall_0.60  \tq1\t0.0000" in printed(capsys, "--version9", *arguments)
    # d3 leads by less than 32 bits can tell, so the ids decide: d3 before d1 still; with the scores swapped it differs.
    (folder / "close").write_text("q2 Q0 d1 1 0.83000001 mine\nq2 Q0 d2 2 0.83 mine\n")
    close = "-D", "0.q2", "-m", "recip_rank", folder / "qrels", folder / "close"
    assert printed(capsys, *close) == "recip_rank            \tall\t1.0000\n"
    assert printed(capsys, "--version9", *close) == "recip_rank            \tall\t0.5000\n"


@for_each(
    ("measure", "message", "exit_code"),
    [
        ("mapp", "trec_eval has no measure 'mapp'. Did you mean 'map'?", 1),
        ("P.", "'P.' has no parameters after the dot.", 1),
        ("P.5,5", "P.'5,5' names a cutoff twice.", 2),
        ("P.0", "P.'0' has a cutoff below 1.", 2),
        ("P.x", "P of trec_eval takes numbers with commas between, not 'x'.", 2),
        ("ndcg.1=x", "ndcg of trec_eval takes pairs such as 1=3.5,2=9, not '1=x'.", 2),
        ("utility.1,2", "utility of trec_eval takes four numbers, not 2.", 4),
        ("prefs_simp", "prefs_simp of trec_eval needs judgements in the format prefs or qrels_prefs: -R.", 4),
    ],
)
def test_a_measure_that_trec_eval_does_not_have_is_an_error(measure, message, exit_code):
    with pytest.raises(RankgoldError) as caught:
        lines_of([measure], LineSettings())
    assert str(caught.value) == message
    assert caught.value.exit_code == exit_code


def test_measures_of_version_10_are_not_in_version_9():
    with pytest.raises(RankgoldError, match="trec_eval 9 has no measure rbp"):
        lines_of(["rbp"], LineSettings(version=9))
    assert "rbp" not in [line.label for line in lines_of(["all_trec"], LineSettings(version=9))]


def test_parameters_have_no_effect_where_a_measure_takes_none():
    assert [line.label for line in lines_of(["map.5", "set.7", "P.3", "P.9"], LineSettings())] == [
        "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "P_3", "utility", "set_P", "set_relative_P",
        "set_recall", "set_map", "set_F",
    ]  # fmt: skip


def test_gains_of_what_is_not_a_grade_have_no_effect():
    (line,) = lines_of([f"ndcg.+-1=3,x=4,{'1' * 5000}=5,+2=6,-1=7"], LineSettings())
    assert line.gains == ((2, 6.0), (-1, 7.0))


def test_every_nickname_names_measures_of_the_table():
    assert {name for names in NICKNAMES.values() for name in names} <= set(NAMES)


@for_each(
    ("text", "message", "exit_code"),
    [
        ("q1 g s d1\n", "prefs:1: there are 4 fields. A line must have query, group, set, document, level.", 2),
        ("q1 g s d1 high\n", "prefs:1: 'high' is not a number.", 2),
        ("q1 g s d1 inf\n", "prefs:1: 'inf' is not a finite number.", 2),
        ("q1 g s d1 2\nq1 g s d2 1\nq1 g t d2 2\nq1 g t d1 1\n", "query 'q1' prefers a document to another", 4),
        ("", "prefs: there are no judgements.", 2),
    ],
)
def test_a_faulty_file_of_preferences_is_an_error_of_one_line(folder, text, message, exit_code, monkeypatch):
    monkeypatch.chdir(folder)
    Path("prefs").write_text(text)
    with pytest.raises(RankgoldError) as caught:
        run(["trec_eval", "-R", "prefs", "-m", "prefs", "prefs", "run"])
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == exit_code


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
        # All levels are above 0: three preferences over documents of level 0 are added for each of the three documents,
        # and the two that were retrieved fulfil theirs: (1 + 6) / (3 + 9). Of the two alone: (0 + 4) / (1 + 6).
        "prefs_avgjg_Rnonrel": "0.5833", "prefs_avgjg_Rnonrel_ret": "0.5714",
        "prefs_simp_ret": "0.0000", "prefs_pair_ret": "0.0000", "prefs_avgjg_ret": "0.0000", "prefs_simp_imp": "0.3333",
        "prefs_pair_imp": "0.3333", "prefs_avgjg_imp": "0.3333",
    }  # fmt: skip


def test_version_9_compares_scores_at_32_bits_before_it_cuts_a_list(folder, capsys):
    # At 32 bits d1 and d2 are tied, and d2 has the greater id: with one document of the query, d1 is cut off.
    (folder / "close").write_text("q2 Q0 d1 1 0.83000001 mine\nq2 Q0 d2 2 0.83 mine\n")
    cut = "-D", "0.q2", "-M", "1", "-m", "recip_rank", folder / "qrels", folder / "close"
    assert printed(capsys, *cut) == "recip_rank            \tall\t1.0000\n"
    assert printed(capsys, "--version9", *cut) == "recip_rank            \tall\t0.0000\n"


@pytest.mark.parametrize("number", ["0", "-2", "x"])
def test_the_number_of_documents_that_count_is_a_whole_number_from_1(folder, number):
    done = shell("trec_eval", "-M", number, "qrels", "run", cwd=folder)
    assert done.returncode == 1
    assert f"must be a whole number from 1, not '{number}'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_document_twice_is_an_error_with_the_file_and_both_lines(folder):
    (folder / "twice").write_text(RUN + "q1 Q0 d2 3 7 mine\n")
    (folder / "judged").write_text(QRELS + "q1 0 d3 0\n")
    ranked, judged = (shell("trec_eval", *files, cwd=folder) for files in (("qrels", "twice"), ("judged", "run")))
    assert ranked.stderr == "twice:5: query 'q1' ranks document 'd2' twice (first at line 2). Remove one.\n"
    assert judged.stderr == "judged:6: query 'q1' judges document 'd3' twice (first at line 4). Remove one.\n"
    assert (ranked.returncode, judged.returncode) == (4, 4)


def test_a_judged_query_that_is_not_in_the_run_ends_the_evaluation_after_the_queries_before_it(folder):
    done = shell("trec_eval", "-q", "-m", "map", "-m", "num_q", "qrels", "run", cwd=folder)
    assert done.stdout == "map                   \tq1\t0.5000\nmap                   \tq2\t0.5000\n"
    assert done.stderr == (
        "error: query 'q3' is judged and not in the run, where trec_eval 10 stops. Pass -c to count such queries with 0,"
        " or --version9 to leave them out.\n"
    )
    assert done.returncode == 4


@for_each(
    ("arguments", "message", "exit_code"),
    [
        (["qrels"], "name a file of judgements and a run", 1),
        (["-x", "qrels", "run"], "'-x'", 1),
        (
            ["-l", "high", "qrels", "run"],
            "argument -l/--level_for_rel: must be a whole number from 0, not 'high'.",
            1,
        ),
        (["nothing", "run"], "nothing: there is no such file.", 2),
        (["--version9", "qrels", "other"], "no query has both results and judgements.", 7),
        (["-D", "0.q9", "qrels", "run"], "no query has both results and judgements.", 7),
        (["-Z", "nothing", "qrels", "run"], "nothing: the file cannot be read", 255),
        (["-Z", "qrels", "qrels", "run"], "qrels:1: 'd1' is not a number.", 255),
    ],
)
def test_mistakes_end_with_the_exit_code_of_trec_eval(folder, arguments, message, exit_code, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    Path("other").write_text("q9 Q0 d1 1 1 mine\n")
    with pytest.raises((RankgoldError, SystemExit)) as caught:
        run(["trec_eval", *arguments])
    found = caught.value
    assert message in (str(found) if isinstance(found, RankgoldError) else capsys.readouterr().err)
    assert (found.exit_code if isinstance(found, RankgoldError) else found.code) == exit_code


def test_z_scores_are_distances_from_a_mean_in_standard_deviations(folder, capsys):
    # map: (0.5 - 0.3) / 0.1 = 2 for q1; q2 has the mean and no deviation. num_ret of q2 is not in the file.
    (folder / "z").write_text("q1 map 0.3 0.1\nq2 map 0.5 0\nq1 num_ret 3 0.5\n")
    arguments = "--version9", "-q", "-Z", folder / "z", "-m", "map", "-m", "num_ret", folder / "qrels", folder / "run"
    assert printed(capsys, *arguments).splitlines() == [
        "Znum_ret               \tq1\t-2.0000",
        "Zmap                   \tq1\t2.0000",
        "Znum_ret               \tq2\t-1000000.0000",
        "Zmap                   \tq2\t0.0000",
        "Znum_ret               \tall\t-1000002.0000",
        "Zmap                   \tall\t1.0000",
    ]


def test_fields_after_the_tag_comments_and_grades_with_decimals_are_read_as_by_trec_eval(folder, capsys):
    (folder / "more").write_text("# by hand\r\nq1\tQ0 d1 1 9 first note\r\n\r\nq1 Q0 d2 2 8 last and more\r\n")
    (folder / "halves").write_text("q1 0 d1 1.9\nq1 0 d2 0.9\nq1 0 d3 -0.5")
    lines = printed(capsys, "-q", "-m", "runid", "-m", "relstring", folder / "halves", folder / "more").splitlines()
    assert lines == ["relstring             \tq1\t'10'", "runid                 \tall\tlast"]


def test_the_name_of_the_run_is_the_last_one_in_the_file(folder, capsys):
    (folder / "tags").write_text("q2 Q0 d1 1 9 a\nq1 Q0 d1 1 9 b\n#c\n")
    assert printed(capsys, "--version9", "-m", "runid", folder / "qrels", folder / "tags") == f"{'runid':<22}\tall\tb\n"


def test_a_list_that_is_empty_without_unjudged_documents_has_the_precision_0_over_0(folder, capsys):
    # q1 retrieves d2 alone, which is not judged. R = 2: recall 0.1 comes to 0 documents, and 0.9 to two.
    (folder / "unjudged").write_text("q1 Q0 d2 1 9 a\n")
    arguments = "-D", "0.q1", "-J", "-m", "iprec_at_recall.0.1,0.9", folder / "qrels", folder / "unjudged"
    assert printed(capsys, *arguments).splitlines() == [
        "iprec_at_recall_0.10  \tall\t  -nan",
        "iprec_at_recall_0.90  \tall\t0.0000",
    ]


def test_gains_that_differ_by_less_than_1_are_in_the_order_of_trec_eval(folder, capsys):
    # Grades 2, 1, 0 gain 1, 0.5, 0. In the order 0.5, 0, 1 the ideal list is 1, and ends at 0: (1 + 0.5 / log2(3)) / 1.
    (folder / "graded").write_text("q1 0 d1 2\nq1 0 d2 1\nq1 0 d9 0\n")
    arguments = "-m", "ndcg.1=0.5,2=1", "-D", "0.q1", folder / "graded", folder / "run"
    assert printed(capsys, *arguments) == "ndcg_1=0.5,2=1        \tall\t1.3155\n"


def test_the_number_of_set_f_may_make_its_divisor_0(folder, capsys):
    # q1: P = R = 1/2, so that -1 * P + R = 0, and so is 1 + -1.
    arguments = "-m", "set_F.-1", "-D", "0.q1", folder / "qrels", folder / "run"
    assert printed(capsys, *arguments) == "set_F_-1              \tall\t  -nan\n"


def test_help_describes_the_measures_and_the_format_that_are_named(capsys):
    plain = printed(capsys, "-h")
    assert "-R qrels:" in plain
    assert "A measure is described with -h -m NAME" in plain.replace("\n", " ")
    named = printed(capsys, "-h", "-R", "prefs", "-m", "P.7", "-m", "prefs_pair_ret")
    assert "-R prefs:" in named
    assert "\nP\n    Here: rankgold evaluate -m 'p@5'\n" in named
    assert "-m P.5,10,15,20,30,100,200,500,1000 (the default)." in named
    assert "\nprefs_pair_ret\n    The share of judges whose preference is fulfilled" in named


def test_help_has_a_description_of_every_measure():
    text = help_text("qrels", NAMES)
    assert [line for line in text.splitlines() if line in NAMES] == list(NAMES)


def test_the_version_is_that_of_trec_eval_and_of_rankgold(capsys):
    run(["trec_eval", "-v"])
    assert capsys.readouterr().err.startswith("trec_eval version 10, by rankgold ")


def test_lines_of_files_are_parsed_as_by_pytrec_eval():
    assert pytrec_eval.parse_qrel(QRELS.splitlines())["q1"] == {"d1": 2, "d3": 1}
    assert pytrec_eval.parse_run(RUN.splitlines())["q2"] == {"d3": 5.0, "d1": 4.0}
    with pytest.raises(RankgoldError, match="line 2 has 1 fields, and should have 4"):
        pytrec_eval.parse_qrel(["q 0 d 1", "q"])
    with pytest.raises(RankgoldError, match="line 2: query 'q' has document 'd' twice"):
        pytrec_eval.parse_qrel(["q 0 d 1", "q 0 d 1"])


def test_a_grade_of_a_billion_takes_no_more_memory_than_any_other(folder, capsys):
    qrels, ranking = folder / "high", folder / "one"
    qrels.write_text("1 0 d1 1000000000\n")
    ranking.write_text("1 Q0 d1 1 2.0 x\n")
    lines = printed(capsys, "-m", "rbp", "-m", "ndcg", qrels, ranking).split("\n")
    assert [line.split() for line in lines if line] == [["ndcg", "all", "1.0000"], ["rbp", "all", "0.1000"]]


@pytest.mark.parametrize("measure", ["ndcg.1=nan", "ndcg_rel.1=inf", "rbp.1=nan"])
def test_a_gain_that_is_not_finite_is_an_error(folder, measure, capsys):
    with pytest.raises(RankgoldError, match="takes pairs such as"):
        printed(capsys, "-m", measure, folder / "qrels", folder / "run")
