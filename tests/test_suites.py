"""Suites: a name such as @autocomplete stands for measures, in Python, at the shell and in the documentation."""

import re
from pathlib import Path

import pytest

import rankgold
from rankgold.data.files import sample
from rankgold.measures.suites import SUITES
from tests.cases import for_each
from tests.shell import printed, shell

QRELS, RUN = {"q": {"a": 1, "b": 2}}, {"q": {"b": 3.0, "c": 2.0, "a": 1.0}}
PAGE = Path(__file__).parent.parent / "docs" / "which-measure.md"


def test_a_suite_is_replaced_by_its_measures_in_their_order():
    # a is at rank 3 and b at rank 1, so the first relevant document is at rank 1.
    scores = rankgold.evaluate(QRELS, RUN, "@autocomplete")
    assert scores.means == {"rr@5": 1.0, "hit@2": 1.0, "hit@5": 1.0, "frp@5": 1.0}


def test_a_suite_stands_beside_other_measures_and_no_measure_comes_twice():
    scores = rankgold.evaluate(QRELS, RUN, ["hit@5", " @Autocomplete", "ap"])
    assert list(scores.means) == ["hit@5", "rr@5", "hit@2", "frp@5", "ap"]


def test_an_accumulator_takes_a_suite():
    total = rankgold.Accumulator("@voice")
    total.update(QRELS, RUN)
    assert list(total.scores().means) == ["hit@1", "hit@3", "rr@3"]


@for_each("name", SUITES)
def test_every_suite_names_measures_that_exist_once_in_canonical_spelling(name):
    measures = [rankgold.parse_measure(measure) for measure in SUITES[name].measures]
    assert [str(measure) for measure in measures] == list(SUITES[name].measures)
    assert 3 <= len(set(measures)) == len(measures)


@for_each("name", SUITES)
def test_every_suite_says_why_and_what_to_avoid(name):
    suite = SUITES[name]
    for sentence in (suite.situation, suite.avoid, *suite.reasons.values()):
        assert re.fullmatch(r"\S.*[.?]", sentence)
    shown = printed("measures", "--for", name)
    assert shown == printed("measures", f"@{name}")
    for text in (suite.title, suite.situation, suite.avoid, *suite.reasons, *suite.reasons.values()):
        assert text in shown
        assert text in PAGE.read_text(encoding="utf-8")


def test_the_command_that_a_suite_ends_with_works():
    command = printed("measures", "--for", "facts").strip().splitlines()[-1].split()
    assert command[:2] == ["rankgold", "evaluate"]
    files = {"QRELS": str(sample("qrels.txt")), "RUN": str(sample("bm25.trec"))}
    shown = printed(*(files.get(word, word) for word in command[1:]))
    assert shown.splitlines()[0].split() == ["run", "rr@10", "hit@1", "hit@5"]


def test_an_unknown_suite_is_an_error_with_a_suggestion(tmp_path):
    message = "No suite is called 'autocomplet'. Did you mean 'autocomplete'?"
    with pytest.raises(rankgold.MeasureError, match=re.escape(message)):
        rankgold.evaluate(QRELS, RUN, ["@autocomplet"])
    for arguments in (["measures", "--for", "autocomplet"], ["evaluate", "qrels", "run", "-m", "@autocomplet"]):
        done = shell(*arguments, cwd=tmp_path)
        assert done.returncode == 2
        assert message in done.stderr


def test_a_suite_is_not_one_measure():
    with pytest.raises(rankgold.MeasureError, match="names a suite of measures"):
        rankgold.parse_measure("@voice")


@pytest.mark.plots
def test_a_plot_of_several_measures_takes_a_suite():
    chart = rankgold.plots.leaderboard({"one": rankgold.match(QRELS, RUN)}, "@voice")
    assert len(chart.to_dict()["hconcat"]) == 3
