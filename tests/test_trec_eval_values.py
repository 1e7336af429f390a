"""Cases that the outputs of trec_eval do not have, worked by hand: gains, preferences, files, help."""

import numpy as np
import pytest

from rankgold.cli.app import run
from rankgold.compat.trec_eval.gain_values import GainedList, over
from rankgold.compat.trec_eval.grade_values import relstring
from rankgold.compat.trec_eval.help_text import help_text
from rankgold.compat.trec_eval.lenient_files import RankedFile, field_number, finite_number, rows
from rankgold.compat.trec_eval.measure_lines import LineSettings, lines_of, parameters_by_name
from rankgold.compat.trec_eval.printed_queries import ZScores
from rankgold.core.errors import DataError, MeasureError
from tests.cases import for_each

LOG3 = np.log2(3)


@pytest.fixture
def printed(tmp_path, capsys):
    """What trec_eval prints for texts of judgements and of a run: measure and query -> value."""

    def of(qrels, ranking, *arguments):
        (tmp_path / "qrels").write_text(qrels)
        (tmp_path / "run").write_text(ranking)
        run(["trec_eval", *arguments, str(tmp_path / "qrels"), str(tmp_path / "run")])
        lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
        return {(name.strip(), query): value for name, query, value in lines}

    return of


def ranked(*documents, query="q"):
    return "".join(f"{query} Q0 {document} 0 {50 - i} tag\n" for i, document in enumerate(documents))


def test_the_number_of_set_f_is_the_square_of_beta_and_may_be_0(printed):
    # Precision 1/4 and recall 1/2. With 0 only precision counts; with 3: 4 * 1/8 / (3/4 + 1/2) = 2/5.
    found = printed("q 0 a 1\nq 0 b 1\n", ranked("a", "x", "y", "z"), "-m", "set_F.0")
    assert found["set_F_0", "all"] == "0.2500"
    assert printed("q 0 a 1\nq 0 b 1\n", ranked("a", "x", "y", "z"), "-m", "set_F.3")["set_F_3", "all"] == "0.4000"
    # It is no square then: 1/2 * 1/8 / (1/2 - 1/8) = 1/6.
    found = printed("q 0 a 1\nq 0 b 1\n", ranked("a", "x", "y", "z"), "-m", "set_F.-0.5")
    assert found["set_F_-0.5", "all"] == "0.1667"


def test_preferences_of_a_query_that_is_not_in_the_run_count_with_c_only(printed):
    prefs = "q 1 s a 2\nq 1 s b 1\nr 1 s a 2\nr 1 s b 1\n"
    wanted = "-R", "prefs", "-m", "prefs_simp", "-m", "num_q"
    without = printed(prefs, ranked("a", "b"), "--version9", *wanted)
    assert without == {("num_q", "all"): "1", ("prefs_simp", "all"): "1.0000"}
    with_c = printed(prefs, ranked("a", "b"), "-c", *wanted)
    assert with_c == {("num_q", "all"): "2", ("prefs_simp", "all"): "0.5000"}


def test_preferences_with_few_documents_that_are_not_relevant(printed):
    # One relevant document a, and b, c and d of level 0; d is not retrieved. Only the first of level 0 counts, which is b,
    # and trec_eval pairs all documents with it: one of four is fulfilled. Among those that are retrieved it is one of three.
    prefs = "q 1 s a 1\nq 1 s b 0\nq 1 s c 0\nq 1 s d 0\n"
    wanted = "-R", "prefs", "-m", "prefs_avgjg_Rnonrel", "-m", "prefs_avgjg_Rnonrel_ret"
    found = printed(prefs, ranked("a", "b", "c"), *wanted)
    assert found["prefs_avgjg_Rnonrel", "all"] == "0.2500"
    assert found["prefs_avgjg_Rnonrel_ret", "all"] == "0.3333"
    # Two relevant documents a and b, and c of level 0: one more is supposed, below both. a over c, b over c and the two
    # supposed ones are fulfilled, of four; with b below c, three.
    prefs = "q 1 s a 1\nq 1 s b 1\nq 1 s c 0\n"
    assert printed(prefs, ranked("a", "b", "c"), *wanted)["prefs_avgjg_Rnonrel", "all"] == "1.0000"
    assert printed(prefs, ranked("a", "c", "b"), *wanted)["prefs_avgjg_Rnonrel", "all"] == "0.7500"


def test_the_three_ways_to_count_preferences(printed):
    # a over b, a over c, b over c; the run has c and a. Retrieved: a over c, not fulfilled. Of one that is missing: a over b
    # is fulfilled, b over c is not.
    prefs = "q 1 s a 3\nq 1 s b 2\nq 1 s c 1\nq 1 t d 2\nq 1 t e 1\n"
    found = printed(prefs, ranked("c", "a"), "-R", "prefs", "-m", "all_prefs")
    assert found["prefs_num_prefs_poss", "all"] == "4"
    assert found["prefs_num_prefs_ful", "all"] == "1"
    assert found["prefs_num_prefs_ful_ret", "all"] == "0"
    # d over e, of which none was retrieved, counts in the first only.
    for kind in ("simp", "pair", "avgjg"):
        assert found[f"prefs_{kind}", "all"] == "0.2500"
        assert found[f"prefs_{kind}_ret", "all"] == "0.0000"
        assert found[f"prefs_{kind}_imp", "all"] == "0.3333"


def test_judges_are_averaged_or_their_preferences_added(printed):
    # Judge 1 prefers a to b and a to c, judge 2 prefers b to a. The run is a, b, c.
    prefs = "q 1 s a 2\nq 1 s b 1\nq 1 s c 1\nq 2 s b 2\nq 2 s a 1\n"
    found = printed(prefs, ranked("a", "b", "c"), "-R", "prefs", "-m", "all_prefs")
    assert found["prefs_simp", "all"] == "0.6667"  # two of three
    assert found["prefs_avgjg", "all"] == "0.5000"  # 2/2 and 0/1
    assert found["prefs_pair", "all"] == "0.7500"  # a and b: one of two judges; a and c: all


def test_a_document_that_is_twice_in_a_lenient_file_is_an_error_with_both_lines(tmp_path):
    path = tmp_path / "run"
    path.write_text("q Q0 a 1 3 t more\nq Q0 b 2 2 t\nq Q0 a 3 1 t\nr Q0 a 1 1 t\n")
    with pytest.raises(DataError, match=r"run:3: query 'q' ranks document 'a' twice \(first at line 1\)") as caught:
        RankedFile.read(path)
    assert caught.value.exit_code == 4
    path.write_text("q Q0 a 1 3 t more\nr Q0 a 1 1 last more fields\n")
    read = RankedFile.read(path)
    assert (read.rows.rows(), read.tag) == ([("q", "a", 3.0), ("r", "a", 1.0)], "last")
    assert read.queries() == {"q", "r"}


@pytest.mark.parametrize(
    ("text", "message"),
    [("q Q0 a 1 3 t more\nq Q0 b 2\n", "run:2|6 fields"), ("q Q0 a 1 high t more\n", "6 fields"), ("", "empty")],
)
def test_a_file_that_no_tool_reads_is_an_error(text, message, tmp_path):
    (tmp_path / "run").write_text(text)
    with pytest.raises(DataError, match=message):
        RankedFile.read(tmp_path / "run")


def test_the_tag_is_that_of_the_last_line_that_is_no_comment(tmp_path):
    path = tmp_path / "run"
    for text, tag in (
        ("q Q0 a 1 3 first\nq Q0 b 2 2 second\n# q Q0 c 3 1 third\n\n", "second"),
        ("q Q0 a 1 3 one\n" * 1 + "".join(f"q Q0 d{i} 1 {3 - i} two\n" for i in range(5000)), "two"),
    ):
        path.write_text(text)
        assert RankedFile.read(path).tag == tag


def test_lines_of_fields_are_checked(tmp_path):
    path = tmp_path / "file"
    path.write_text("# a comment\n\na b\nc d e\n")
    assert list(rows(path, ("x", "y"), more=True)) == [(f"{path}:3", ["a", "b"]), (f"{path}:4", ["c", "d", "e"])]
    with pytest.raises(DataError, match=r"file:4: there are 3 fields. A line must have x, y"):
        list(rows(path, ("x", "y")))
    with pytest.raises(DataError, match=r"file:3: there are 2 fields"):
        list(rows(path, ("x", "y", "z"), more=True))
    with pytest.raises(DataError, match="the file cannot be read"):
        list(rows(tmp_path / "nothing", ("x",)))
    assert np.isnan(field_number("nan", "here"))
    with pytest.raises(DataError, match="here: 'inf' is not a finite number"):
        finite_number("inf", "here")
    with pytest.raises(DataError, match="here: 'x' is not a number"):
        field_number("x", "here")


# Gains 3 and 9 for the grades 1 and 2. The list has grades 1, unjudged, 2; the judgements have two documents of grade 1.
GAINED = GainedList.of(np.array([1, -1, 2]), {1: 2, 2: 1, 0: 4}, ((1, 3.0), (2, 9.0)))


def test_values_of_gains_that_the_user_gives():
    assert GAINED.gains == [3.0, 0.0, 9.0]
    assert GAINED.ideal == [9.0, 3.0, 3.0]
    dcg, ideal = 3 + 9 / 2, 9 + 3 / LOG3 + 3 / 2
    assert GAINED.value("dcg") == pytest.approx(dcg)
    assert GAINED.value("ideal_dcg") == pytest.approx(ideal)
    assert GAINED.value("ndcg") == pytest.approx(dcg / ideal)
    # At the ranks 1 and 3 of the two documents that gain something, and for the missing third at the end.
    assert GAINED.value("ndcg_rel") == pytest.approx((3 / 9 + dcg / ideal + dcg / ideal) / 3)
    # The ideal gain changes after rank 1; then at the end of the ideal list. The list is not longer than that.
    assert GAINED.value("Rndcg") == pytest.approx((3 / 9 + dcg / ideal) / 2)
    # Costs 9, 12, 15 and gained 3, 3, 12: 3 / log2(2 + 6) and 9 / log2(2 + 3), over 15.
    assert GAINED.value("G") == pytest.approx((3 / 3 + 9 / np.log2(5)) / 15)


def test_a_list_longer_than_the_ideal_one_by_two_documents_counts_at_its_end_too():
    grades = {1: 1}
    short, long = (GainedList.of(np.array([-1, 1] + [-1] * n), grades, ((1, 2.0),)) for n in (0, 1))
    # The ideal list has one document, and NDCG above its end is 0; the list of two is not longer by more than one.
    assert short.value("Rndcg") == 0.0
    assert long.value("Rndcg") == pytest.approx((0 + (2 / LOG3) / 2) / 2)


def test_a_grade_that_no_document_has_counts_where_gains_are_sorted():
    # The grades 1, 3, 0 and 2 gain 1, 0.5, 0 and 2. Two halves: 1 and 0.5, which are equal as they differ by less than 1,
    # and 0 and 2. Merged: 0, 1, 0.5, 2. From the top: no document gains 2, then 0.5, 1.
    assert GainedList.of(np.array([1]), {0: 1, 1: 1, 3: 1}, ((1, 1.0), (3, 0.5))).ideal == [0.5, 1.0]


def test_gains_of_nothing():
    nothing = GainedList.of(np.array([1, 0]), {0: 3, 1: 1}, ((1, -1.0),))
    assert nothing.ideal == []
    assert [nothing.value(name) for name in ("ndcg", "ndcg_rel", "G", "ideal_dcg")] == [0, 0, 0, 0]
    assert nothing.value("dcg") == -1
    assert np.isnan(nothing.value("Rndcg"))
    assert [over(1, 0), over(-1, 0), over(3, 2)] == [np.inf, -np.inf, 1.5]
    assert np.isnan(over(0, 0))
    assert np.isnan(over(np.nan, 0))
    # Of two gains for a grade, the first counts.
    assert GainedList.of(np.array([1]), {1: 1}, ((1, 4.0), (1, 9.0))).gains == [4.0]


@for_each(
    ("gains", "value"),
    [
        ("1=0.5", 0.25),  # within 0 to 1: as they are
        ("1=1", 0.5),
        ("1=0.5,0=0.5", 0.25 + 0.125),
        ("1=4", 0.5),  # shares of the highest
        ("1=4,0=1", 0.5 + 0.0625),
        ("1=1,0=-1", 0.5),  # from -1 to 1, where -1 is worth 0
        ("1=0,0=-1", 0.25),
    ],
)
def test_rbp_has_gains_within_0_and_1(printed, gains, value):
    # The list has grades 1 and 0, and a document without a judgement. Its ranks count 1/2, 1/4 and 1/8.
    found = printed("q 0 a 1\nq 0 b 0\n", ranked("a", "b", "x"), "-m", f"rbp.p=0.5,{gains}")
    assert found == {(f"rbp_p=0.5,{gains}", "all"): f"{value:.4f}"}


def test_grades_are_characters_up_to_9():
    assert relstring(np.array([0, 9, 10, -1, -2])) == "09>-."


def test_a_value_that_does_not_vary_is_0_or_a_mark(tmp_path):
    (tmp_path / "means").write_text("q map 0.5 0.25\nq P_5 0.5 0\n")
    scores = ZScores.read(tmp_path / "means")
    assert scores.of("q", "map", 0.75) == 1.0
    assert [scores.of("q", "P_5", value) for value in (0.5, 0.6)] == [0.0, -1_000_000.0]
    assert scores.of("r", "map", 0.5) == -1_000_000.0


@for_each(
    ("wanted", "message"),
    [
        ("P.0", "P.'0' has a cutoff below 1."),
        ("P.5,10,5", "P.'5,10,5' names a cutoff twice."),
        ("P.x", "P of trec_eval takes numbers with commas between, not 'x'."),
        ("P.inf", "takes numbers with commas between"),
        ("utility.1,2,3", "utility of trec_eval takes four numbers, not 3."),
        ("P.", "'P.' has no parameters after the dot."),
    ],
)
def test_wrong_parameters_are_errors(wanted, message):
    with pytest.raises(MeasureError) as caught:
        lines_of([wanted], LineSettings())
    assert message in str(caught.value)


def test_labels_and_parameters_of_lines():
    def labels(*wanted, **settings):
        return [line.label for line in lines_of(wanted, LineSettings(**settings))]

    assert labels("P.1,20", "map") == ["map", "P_1", "P_20"]
    assert labels("P.3,1") == ["P_1", "P_3"]
    assert labels("P") == [f"P_{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]
    assert labels("success") == ["success_1", "success_5", "success_10"]
    assert labels("unj") == ["unj_5", "unj_10", "unj_20"]
    assert labels("iprec_at_recall") == [f"iprec_at_recall_{n / 10:.2f}" for n in range(11)]
    assert labels("Rprec_mult") == [f"Rprec_mult_{n / 5:.2f}" for n in range(1, 11)]
    # Nine characters after the name.
    assert labels("iprec_at_recall.123456789.5") == ["iprec_at_recall_12345678"]
    assert labels("ndcg.1=3,2=9") == ["ndcg_1=3,2=9"]
    (line,) = lines_of(["rbp.p=0.5,p=0.7,1=3"], LineSettings())
    assert (line.numbers, line.gains, line.text) == ((0.7,), ((1, 3.0),), "")
    assert [line.numbers for line in lines_of(["relstring", "utility"], LineSettings())] == [(10,), (1, -1, 0, 0)]
    assert [line.text for line in lines_of(["set_F.4,0"], LineSettings())] == ["f(beta=2.0)"]
    # The parameters that are given first count.
    assert parameters_by_name(["P.5", "P.7", "map"], LineSettings()) == {"P": "5", "map": ""}
    assert parameters_by_name(["official", "P.7"], LineSettings())["P"] == "7"


def test_the_lowest_relevant_grade_is_that_of_all_measures_that_have_one():
    def measures(rel):
        return [str(line.measure) for line in lines_of(["map", "ndcg", "num_ret", "rbp"], LineSettings(rel=rel))]

    assert measures(1)[:3] == ["num_ret", "ap", "ndcg"]
    assert measures(2)[:3] == ["num_ret", "ap(rel=2)", "ndcg"]
    # The worth of a document in rbp is its gain.
    assert measures(1)[3] == measures(2)[3]


def test_the_help_says_how_to_ask_for_a_measure_if_none_is_named():
    hint = "A measure is described with -h -m NAME, several with -h -m all_trec."
    assert hint in help_text("qrels", ())
    described = help_text("qrels", ["map", "rbp", "P", "ndcg", "relstring"])
    assert hint not in described
    assert "Takes what grades gain, by default themselves, and p, by default 0.9: -m rbp.p=0.8,1=3.5,2=9." in described
    assert "Takes what grades gain, by default themselves,: -m ndcg.1=3.5,2=9." in described
    assert "Takes cutoffs, and prints a line for each: -m P.5,10,15,20,30,100,200,500,1000 (the default)." in described
    lines = help_text("prefs", parameters_by_name(["all_prefs"], LineSettings(format="prefs"))).splitlines()
    about = [line for at, line in enumerate(lines) if line.startswith("    ") and lines[at - 1] != ""]
    assert 90 < max(map(len, about)) <= 100
