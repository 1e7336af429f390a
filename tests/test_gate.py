"""The gate: thresholds that hold or fail, why they fail, and what a pipeline gets of it."""

import json
import math
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rankgold
from rankgold import CheckError
from rankgold.audit.thresholds import Threshold
from rankgold.data.files import sample
from tests.cases import for_each
from tests.shell import ended, shell

pytest_plugins = ["pytester"]

# rr: 1 and 1 before, 1/2 and 1 now. A mean of 1 before, and 0.75 now.
QRELS = {"q1": {"d1": 3, "d2": 1}, "q2": {"d1": 1}}
OLD = {"q1": {"d1": 3.0, "x": 2.0, "d2": 1.0}, "q2": {"d1": 1.0}}
NEW = {"q1": {"x": 3.0, "d1": 2.0}, "q2": {"d1": 1.0}}


def found(**choices):
    return rankgold.check(QRELS, NEW, **choices)


def test_a_mean_on_the_line_holds_and_one_below_it_fails():
    assert found(min={"rr": 0.75}).holds
    failed = found(min={"rr": 0.76})
    assert not failed.holds
    assert failed.failures[0].reason == "rr is 0.7500, below the limit of 0.76."
    # The worst query, and the documents that could be higher: d1 is at 2 instead of 1, and d2 is nowhere.
    worst = failed.failures[0].worst[0]
    assert (worst.query, worst.value) == ("q1", 0.5)
    assert str(worst) == "q1 0.500: d1 (grade 3) at 2; d2 (grade 1) not found"


def test_a_fall_as_large_as_allowed_holds_and_a_larger_one_fails_with_the_documents_behind_it():
    assert found(baseline=OLD, max_drop={"rr": 0.25}).holds
    failed = found(baseline=OLD, max_drop={"rr": 0.2})
    (finding,) = failed.findings
    assert (finding.holds, finding.before, finding.value) == (False, 1.0, 0.75)
    assert finding.reason == "rr fell by 0.2500, from 1.0000 to 0.7500; a fall of 0.2 is allowed."
    assert [str(query) for query in finding.worst] == ["q1 -0.500: d1 (grade 3) fell from 1 to 2: -0.500"]
    # 0.36 - 0.35 is a little more than 0.01 in floats.
    assert 0.36 - 0.35 > 0.01
    assert not Threshold("max_drop", rankgold.parse_measure("rr"), 0.01).is_crossed(0.36, 0.35)


def test_of_some_measures_less_is_better():
    # frp: 1 and 1 before, 2 and 1 now.
    assert found(max={"frp": 1.5}, baseline=OLD, max_drop={"frp": 0.5}).holds
    failed = found(max={"frp": 1.4}, baseline=OLD, max_drop={"frp": 0.4})
    assert [finding.reason for finding in failed.failures] == [
        "frp is 1.5000, above the limit of 1.4.",
        "frp rose by 0.5000, from 1.0000 to 1.5000; a rise of 0.4 is allowed.",
    ]
    assert [finding.worst[0].query for finding in failed.failures] == ["q1", "q1"]
    with pytest.raises(CheckError, match=r"Less is better for frp. Use max: max frp=2\."):
        found(min={"frp": 2})
    with pytest.raises(CheckError, match=r"More is better for ap. Use min"):
        found(max={"ap": 0.5})


def test_a_run_that_is_better_holds():
    better = rankgold.check(QRELS, OLD, baseline=NEW, max_drop={"rr": 0})
    assert better.holds
    assert better.findings[0].reason == "rr did not get worse: 0.7500 before, 1.0000 now."
    same = rankgold.check(QRELS, OLD, baseline=OLD, max_drop={"rr": 0})
    assert (same.holds, same.findings[0].reason) == (True, "rr did not get worse: 1.0000 before, 1.0000 now.")


def test_what_is_undefined_fails():
    failed = rankgold.check({"q": {"d": 1}}, {"q": {"e": 1}}, max={"frp": 3})
    assert [finding.reason for finding in failed.failures] == ["frp is undefined."]
    assert failed.to_dict()["checks"][0]["value"] is None


def test_a_baseline_that_is_undefined_fails_and_unknown_keywords_are_errors_of_python():
    failed = rankgold.check({"q": {"d": 1}}, {"q": {"d": 1}}, baseline={"q": {"e": 1}}, max_drop={"frp": 3})
    assert failed.failures[0].reason == "frp is undefined for the baseline."
    with pytest.raises(TypeError, match=r"check\(\) got an unexpected keyword argument 'odd'"):
        found(min={"rr": 1}, odd=1)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ({"q1": ["d"]}, {"q1": ["e"]}, "frp is undefined."),
        ({"q1": ["e"]}, {"q1": ["d"]}, "frp is undefined for the baseline."),
        # No query has a value in both runs, so there is no difference that could be tested.
        (
            {"q1": ["d"]},
            {"q2": ["e", "d"]},
            "frp rose by 1.0000, from 1.0000 to 2.0000; a rise of 0.5 is allowed.",
        ),
    ],
)
def test_what_cannot_be_tested_is_not_taken_for_chance(old, new, reason):
    qrels = {"q1": {"d": 1}, "q2": {"d": 1}}
    for significant in (False, True):
        failed = rankgold.check(qrels, new, baseline=old, max_drop={"frp": 0.5}, significant=significant)
        assert [finding.reason for finding in failed.failures] == [reason]
        assert math.isnan(failed.failures[0].p)


def test_a_run_that_leaves_out_its_worst_queries_is_doubted():
    qrels = {"q1": {"d": 1}, "q2": {"d": 1}}
    old, new = {"q1": {"d": 1}, "q2": {"e": 2, "d": 1}}, {"q1": {"d": 1}}
    skipped = rankgold.check(qrels, new, baseline=old, max_drop={"rr": 0}, policy="missing=skip")
    assert skipped.holds  # 1 of one query, after 0.75 of two
    assert skipped.doubts[0].startswith("The means are over other queries: 1 only in the baseline (q2).")
    assert not rankgold.check(qrels, new, baseline=old, max_drop={"rr": 0}).holds


def queries(count, run):
    return {f"q{i}": run(i) for i in range(count)}


def test_only_a_significant_fall_fails_if_that_is_wanted():
    qrels = queries(8, lambda i: {"d": 1})
    good, bad = {"d": 2.0, "e": 1.0}, {"d": 1.0, "e": 2.0}
    old = queries(8, lambda i: good)
    # One query of 8 falls by 1/2: both signs of one difference are as large, so p = 1.
    one = queries(8, lambda i: bad if i == 0 else good)
    chance = rankgold.check(qrels, one, baseline=old, max_drop={"rr": 0.01}, significant=True)
    assert chance.holds
    assert chance.findings[0].p == 1.0
    assert "and this one may be chance (p = 1.000)" in repr(chance)
    assert [kind for kind, _ in chance.document().facts] == ["note"]
    assert not rankgold.check(qrels, one, baseline=old, max_drop={"rr": 0.01}).holds
    # All 8 fall: 2 of 2 ** 8 signs are as extreme. Both measures fall alike, so Holm doubles the smaller p: 4 / 256.
    both = {"rr": 0.01, "ap": 0.01}
    failed = rankgold.check(qrels, queries(8, lambda i: bad), baseline=old, max_drop=both, significant=True)
    assert [finding.p for finding in failed.failures] == [4 / 256, 4 / 256]
    # Without a threshold, ndcg@10 may not fall significantly.
    assert rankgold.check(qrels, one, baseline=old).holds
    assert not rankgold.check(qrels, queries(8, lambda i: bad), baseline=old).holds


def test_saved_scores_are_a_baseline(tmp_path):
    scores = rankgold.evaluate(QRELS, OLD, ["recip_rank", "ap"], fingerprint=True)
    (tmp_path / "old.json").write_text(scores.to_json())
    for baseline in (scores, tmp_path / "old.json", str(tmp_path / "old.json"), scores.to_json()):
        failed = found(baseline=baseline, max_drop={"rr": 0.2})
        assert (failed.failures[0].before, failed.failures[0].value) == (1.0, 0.75)
        assert str(failed.failures[0].worst[0]) == (
            "q1 -0.500, from 1.000 to 0.500: d1 (grade 3) at 2; d2 (grade 1) not found"
        )
    assert [str(finding.threshold) for finding in found(baseline=scores).findings] == ["max-drop rr=0", "max-drop ap=0"]
    means = scores.to_json(per_query=False)
    failed = found(baseline=means, max_drop={"rr": 0.2})
    assert str(failed.failures[0].worst[0]).startswith("q1 0.500: ")
    with pytest.raises(CheckError, match="saved without the values of its queries"):
        found(baseline=means, max_drop={"rr": 0.2}, significant=True)


def test_saved_scores_of_other_judgements_policies_or_measures_are_an_error_with_a_way_out():
    scores = rankgold.evaluate({**QRELS, "q2": {"d1": 2}}, OLD, ["rr"], fingerprint=True)
    with pytest.raises(CheckError, match=r"not those of the baseline: 3 rows then, 3 now.*--other-judgements"):
        found(baseline=scores, max_drop={"rr": 1})
    allowed = found(baseline=rankgold.Baseline(scores, other_judgements=True), max_drop={"rr": 1})
    assert "may differ" in allowed.doubts[0]
    scores = rankgold.evaluate(QRELS, OLD, ["rr"])
    with pytest.raises(CheckError, match="saved with the policy rankgold, and the policy is missing=skip"):
        found(baseline=scores, max_drop={"rr": 1}, policy="trec_eval")
    with pytest.raises(CheckError, match=r"The baseline has no ap; it has rr\. Save it again with this measure"):
        found(baseline=scores, max_drop={"ap": 1})
    with pytest.raises(CheckError, match="saved without topics, and now it is with topics"):
        found(baseline=scores, max_drop={"rr": 1}, topics=["q1"])
    two = rankgold.evaluate(QRELS, {"a": OLD, "b": NEW}, ["rr"])
    with pytest.raises(CheckError, match="the scores of several runs, a, b, and none of them is called 'run'"):
        found(baseline=two, max_drop={"rr": 1})
    # OLD is the second one, and is taken by its name: rr fell from 1 to 0.75.
    named = rankgold.check(QRELS, {"b": NEW}, baseline=rankgold.evaluate(QRELS, {"a": NEW, "b": OLD}, ["rr"]))
    assert (named.findings[0].before, named.findings[0].value, named.baseline) == (1.0, 0.75, "b (saved)")
    unmarked = json.loads(scores.to_json()) | {"fingerprints": {"judgements": None, "runs": {}}}
    assert "without a fingerprint" in found(baseline=json.dumps(unmarked), max_drop={"rr": 1}).doubts[0]


@for_each(
    ("choices", "message"),
    [
        ({}, "There is nothing to check. Give a threshold, such as --min ndcg@10=0.35"),
        ({"max_drop": {"rr": 0.1}}, "--max-drop needs a baseline"),
        ({"min": {"rr": 0.1}, "baseline": OLD}, "A baseline needs --max-drop"),
        ({"min": "rr"}, "min must be written as MEASURE=NUMBER, such as ndcg@10=0.35, not 'rr'"),
        ({"min": "ndcg(gain=exp)@10"}, "min must be written as MEASURE=NUMBER"),
        ({"min": {"rr": "high"}}, "The limit of rr must be a number, not 'high'"),
        ({"min": {"rr": math.nan}}, "The limit of rr must be a number, not nan"),
        ({"min": {"rr": True}}, "The limit of rr must be a number, not True"),
        ({"min": 3}, "min must be a dict such as"),
        ({"min": {"rrr": 1}}, "No measure is called 'rrr'"),
        ({"baseline": OLD, "max_drop": {"rr": -1}}, "The allowed drop of rr must be a number from 0, not -1"),
        ({"min": {"rr": 1}, "worst": -1}, "worst must be a whole number from 0, not -1"),
        (
            {"min": {"rr": 1}, "query_texts": ["q1"]},
            "query_texts must be a dict from id to text, or the path of a file, not list",
        ),
        ({"config": 5}, "config must be the path of a TOML file, not 5"),
        ({"baseline": OLD, "significant": "yes"}, "significant must be True or False, not 'yes'"),
        ({"baseline": rankgold.Baseline(OLD, 1)}, "other_judgements must be True or False, not 1"),
        ({"min": {"rr": 1}, "rel": 2}, r"rel belongs in the measure here: 'ap\(rel=2\)=0.3'"),
    ],
)
def test_odd_choices_are_clear_errors(choices, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rankgold.RankgoldError, match=message):
        found(**choices)


def test_thresholds_may_have_parameters():
    (finding,) = found(min=["ndcg(gain=exp)@10=0.1"]).findings
    assert str(finding.threshold) == "min ndcg(gain=exp)@10=0.1"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The samples, as the only files of a project."""
    for name in ("qrels.txt", "bm25.trec", "titles.trec", "expanded.trec", "queries.tsv"):
        (tmp_path / name).write_bytes(sample(name).read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_thresholds_are_read_from_a_file_of_their_own_or_of_the_project(folder, monkeypatch):
    choices = 'baseline = "bm25.trec"\nsignificant = true\nmin = {"rr" = 0.1}\n'
    own = f'{choices}max-drop = {{"ndcg@10" = 0.01}}\n'
    (folder / "gate.toml").write_text(own)
    (folder / "pyproject.toml").write_text(f"[tool.rankgold.check]\n{own}")
    below = folder / "below"
    below.mkdir()
    monkeypatch.chdir(below)  # paths in a file are from its folder
    for arguments in (["--config", folder / "gate.toml"], ["--config", folder / "pyproject.toml"], []):
        code, text = ended("check", folder / "qrels.txt", folder / "titles.trec", "-f", "json", *arguments)
        checks = json.loads(text)["checks"]
        assert (code, [(check["check"], check["limit"]) for check in checks]) == (1, [("min", 0.1), ("max_drop", 0.01)])
        assert checks[1]["p"] < 0.05
    # Thresholds that are given replace those of the file.
    code, text = ended("check", folder / "qrels.txt", folder / "titles.trec", "--max-drop", "rr=1", "-f", "json")
    assert (code, [check["measure"] for check in json.loads(text)["checks"]]) == (0, ["rr"])
    assert ended("check", folder / "qrels.txt", folder / "titles.trec", "--min", "rr=0.1")[0] == 0


@for_each(
    ("content", "message"),
    [
        ("min = 3", "gate.toml: min must be a table from measure to number, not 3"),
        ("mim = {rr = 1}", "gate.toml: there is no choice 'mim'. Did you mean 'min'?"),
        ("significant = 1", "gate.toml: significant must be true or false, not 1"),
        ("min = {", "gate.toml: this is not TOML: "),
        ("", "There is nothing to check."),
        ("max-drop = {rr = 1}\nmax_drop = {ap = 1}", "gate.toml: max-drop is there twice, also as max_drop"),
        ('min = {rr = 1}\nbaseline = "old.json"', "A baseline needs --max-drop"),
        ('min = {rr = 1}\nslices = "x.csv"', "Slices are checked for drops, which needs a baseline"),
        ("[tool.other]", "gate.toml: there is no table [tool.rankgold.check]"),
    ],
)
def test_a_file_of_settings_that_cannot_be_used_is_a_clear_error(folder, content, message):
    (folder / "gate.toml").write_text(content)
    code, text = ended("check", "qrels.txt", "bm25.trec", "--config", "gate.toml")
    assert code == 2
    assert message in text
    (folder / "gate.toml").write_text("[tool.rankgold.check]\nmin = {rr = 0.1}")
    assert ended("check", "qrels.txt", "bm25.trec", "--config", "gate.toml")[0] == 0
    (folder / "pyproject.toml").write_text("[tool.other]\n")
    assert ended("check", "qrels.txt", "bm25.trec", "--config", "pyproject.toml")[1] == (
        "pyproject.toml: there is no table [tool.rankgold.check]."
    )
    assert ended("check", "qrels.txt", "bm25.trec", "--config", "no.toml")[0] == 2


def test_the_command_writes_what_a_pipeline_shows(folder):
    outputs = ["--junit", "junit.xml", "--summary", "summary.md"]
    limits = ["--min", "rr=0.2", "--baseline", "bm25.trec", "--max-drop", "ndcg@10=0.01"]
    done = shell("check", "qrels.txt", "titles.trec", *limits, *outputs, "--queries", "queries.tsv", cwd=folder)
    assert (done.returncode, done.stderr) == (1, "")
    first = done.stdout.splitlines()[0]
    assert first == "Check of titles, compared with bm25: 2 thresholds, 1 of 2 fails"
    assert "swap-04 (grade 2) lost from 1: -0.420" in done.stdout
    assert "[vegan cake ingredients]" in done.stdout
    suite = ElementTree.parse(folder / "junit.xml").getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    holds, fails = suite.findall("testcase")
    assert (holds.get("name"), holds.find("failure")) == ("min rr=0.2", None)
    assert fails.get("name") == "max-drop ndcg@10=0.01"
    assert "swap-04 (grade 2) lost from 1" in fails.find("failure").text
    summary = (folder / "summary.md").read_text()
    assert summary.startswith(f"### {first}\n\n| check | limit | value | before | change | holds |\n")
    assert "| max-drop ndcg@10 | 0.01 | 0.3764 | 0.5988 | -0.2225 | **no** |" in summary
    assert ended("check", "qrels.txt", "expanded.trec", *limits, "-o", "junit.xml")[0] == 0
    assert "<failure" not in (folder / "junit.xml").read_text()
    assert ended("check", "qrels.txt", "expanded.trec", *limits, "--junit", "x", "--summary", "x")[0] == 2
    assert ended("check", "qrels.txt", "nosuch.trec", *limits)[0] == 2


def test_names_of_users_are_escaped_in_xml_and_markdown():
    query = "<b>&\"]]>\x07 中 | '"
    qrels, run = {query: {"d<&\x00": 1}}, {query: {"x": 1.0}}
    failed = rankgold.check(qrels, {"<run>&": run}, min={"rr": 0.5}, query_texts={query: "<i>\x1b"})
    suite = ElementTree.fromstring(failed.to_junit()).find("testsuite")
    assert suite.get("name") == "rankgold check <run>&"
    text = suite.find("testcase/failure").text
    assert "<b>&\"]]>\\x07 中 | ' 0.000: d<&\\x00 (grade 1) not found [<i>\\x1b]" in text
    assert "<b>" not in failed.to_markdown()
    assert "<b>" not in failed._repr_html_()
    assert json.loads(failed.to_json())["checks"][0]["worst"][0]["query"] == query


def test_a_check_of_more_than_one_run_is_an_error():
    with pytest.raises(CheckError, match=r"There are 2 runs \(a, b\)\. Check them one by one"):
        rankgold.check(QRELS, {"a": OLD, "b": NEW}, min={"rr": 0.5})


def test_the_command_takes_duckdb(folder):
    saved = ["--baseline", "old.json", "--max-drop", "ndcg@10=0.01", "-f", "json"]
    assert ended("evaluate", "qrels.txt", "bm25.trec", "--save", "old.json", "--quiet")[0] == 0
    here, there = (ended("check", "qrels.txt", "titles.trec", *saved, "-e", engine) for engine in ("local", "duckdb"))
    assert here == there
    assert here[0] == 1


TESTS = """
    QRELS, OLD, NEW = {"q1": {"d1": 1}}, {"q1": {"d1": 2, "x": 1}}, {"q1": {"x": 2, "d1": 1}}

    def test_worse(assert_no_regression):
        assert_no_regression(QRELS, NEW, OLD, max_drop={"rr": 0.1})

    def test_as_good(assert_no_regression):
        assert assert_no_regression(QRELS, OLD, OLD, max_drop={"rr": 0}, min={"rr": 1}).holds
"""


def test_the_plugin_fails_a_test_with_the_reason(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_inprocess("-p", "rankgold.compat.pytest_plugin", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*rr fell by 0.5000, from 1.0000 to 0.5000; a fall of 0.1 is allowed.*"])
    result.stdout.fnmatch_lines(["*q1 -0.500: d1 (grade 1) fell from 1 to 2: -0.500*"])
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


def test_the_plugin_is_an_entry_point():
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"rankgold": "rankgold.compat.pytest_plugin"}


def test_measures_of_a_dialect_are_those_of_the_tool():
    # Spark divides average precision at k by k or the number of relevant documents, whichever is less.
    spark = rankgold.check(QRELS, NEW, min={"map@1": 0.1}, policy="spark")
    assert spark.findings[0].threshold.measure == rankgold.parse_measure("ap(norm=min)@1")
    saved = rankgold.evaluate(QRELS, OLD, ["map@1"], policy="spark").to_json()
    assert str(rankgold.check(QRELS, OLD, baseline=saved, policy="spark").findings[0].threshold) == (
        "max-drop ap(norm=min)@1=0"
    )
    assert rankgold.verify(saved, QRELS, OLD).unchanged
    assert rankgold.verify(saved, QRELS, OLD, ["map@1"], policy="spark").unchanged


def test_a_fall_in_one_slice_fails_even_if_the_mean_of_all_queries_does_not():
    # rr of the 8 German queries falls from 1 to 1/2, and that of the 8 English ones rises from 1/2 to 1.
    qrels = queries(16, lambda i: {"d": 1})
    good, bad = {"d": 2.0, "e": 1.0}, {"d": 1.0, "e": 2.0}
    old, new = queries(16, lambda i: good if i < 8 else bad), queries(16, lambda i: bad if i < 8 else good)
    languages = queries(16, lambda i: {"language": "de" if i < 8 else "en"})
    for baseline in (old, rankgold.evaluate(qrels, old, ["rr"]).to_json()):
        for significant in (False, True):
            choices = {"baseline": baseline, "max_drop": {"rr": 0.1}, "significant": significant, "by": languages}
            failed = rankgold.check(qrels, new, **choices)
            assert [(found.slice, found.holds) for found in failed.findings] == [
                ("", True), ("language = de", False), ("language = en", True),
            ]  # fmt: skip
            (german,) = failed.failures
            assert (german.before, german.value, german.queries) == (1.0, 0.5, 8)
            assert german.worst[0].query == "q0"
    # 2 of 2 ** 8 signs are as extreme; three comparisons after Holm: 3 * 2 / 256.
    assert german.p == pytest.approx(6 / 256)
    assert "max-drop rr=0.1 [language = de]" in failed.to_junit()
    assert "| max-drop rr | language = de | 0.1 |" in failed.to_markdown()
    # In slices, only falls are looked at.
    limits = rankgold.check(qrels, new, **choices, min={"rr": 0.7})
    assert [str(found.threshold) for found in limits.findings if found.slice == ""] == ["min rr=0.7", "max-drop rr=0.1"]
    with pytest.raises(CheckError, match="Slices are checked for drops, which needs a baseline"):
        rankgold.check(qrels, new, min={"rr": 0.1}, by=languages)


def test_attributes_of_other_queries_are_doubted_unless_topics_were_chosen():
    languages = {"q1": {"language": "de"}, "q2": {"language": "en"}, "q3": {"language": "en"}}
    choices = {"baseline": OLD, "max_drop": {"rr": 1}, "by": languages}
    assert any("q3" in doubt for doubt in found(**choices).doubts)
    assert found(**choices, topics=["q1"]).doubts == ()


def test_the_command_and_settings_take_slices(folder):
    (folder / "attributes.csv").write_bytes(sample("attributes.csv").read_bytes())
    limits = ["--baseline", "bm25.trec", "--max-drop", "ndcg@10=0.01", "-f", "json"]
    code, text = ended("check", "qrels.txt", "titles.trec", *limits, "--slices", "attributes.csv")
    slices = [check["slice"] for check in json.loads(text)["checks"]]
    assert (code, slices[0]) == (1, None)
    assert len(slices) > 2
    (folder / "gate.toml").write_text(
        'baseline = "bm25.trec"\nslices = "attributes.csv"\nmax-drop = {"ndcg@10" = 0.01}\n'
    )
    assert ended("check", "qrels.txt", "titles.trec", "--config", "gate.toml", "-f", "json") == (code, text)


def test_the_table_of_a_check_marks_what_fails_and_has_slices_if_there_are_any():
    languages = {"q1": "de", "q2": "en"}
    plain = found(baseline=OLD, max_drop={"rr": 0.3}, min={"rr": 0.8})
    assert [kind for kind, _ in plain.document().facts] == ["reason", "query", "query"]
    assert plain.title == "Check of run, compared with baseline: 2 thresholds, 1 of 2 fails"
    assert found(min={"rr": 0.7}).title == "Check of run: 1 threshold, all hold"
    [table] = plain.document().tables
    assert table.header == ["check", "limit", "value", "before", "change", "holds"]
    assert table.rows == [
        ["min rr", "0.8", 0.75, "", "", "no"], ["max-drop rr", "0.3", 0.75, 1.0, -0.25, "yes"],
    ]  # fmt: skip
    assert (table.strong, table.alignment, table.keys, table.digits) == ({(0, 5)}, "lrrrrl", 1, 4)
    [table] = found(baseline=OLD, max_drop={"rr": 0.3}, by=languages).document(2).tables
    assert table.header == ["check", "slice", "limit", "value", "before", "change", "holds"]
    assert [row[1:3] for row in table.rows] == [["", "0.3"], ["slice = de", "0.3"], ["slice = en", "0.3"]]
    assert (table.strong, table.alignment, table.digits) == ({(1, 6)}, "llrrrrl", 2)
    with pytest.raises(rankgold.RankgoldError, match="digits"):
        plain.document(-1)


def test_worst_queries_are_as_many_as_wanted_and_only_those_that_fell():
    # rr falls from 1 to 1/2, 1/3 and 1/4; q3 has no relevant document, and q4 rises.
    qrels = {f"q{i}": {"d": 1} for i in range(3)} | {"q3": {"d": 0}, "q4": {"d": 1}}
    old = {query: ["d"] for query in qrels} | {"q4": ["x", "d"]}
    new = {f"q{i}": [*"xyz"[: i + 1], "d"] for i in range(3)} | {"q3": ["d"], "q4": ["d"]}
    for worst, names in ((0, []), (2, ["q2", "q1"]), (3, ["q2", "q1", "q0"]), (9, ["q2", "q1", "q0"])):
        failed = rankgold.check(qrels, new, baseline=old, max_drop={"rr": 0.1}, worst=worst)
        assert [query.query for query in failed.failures[0].worst] == names
    # By value, the query without a relevant document is the worst.
    [failure] = rankgold.check(qrels, new, min={"rr": 0.9}, worst=1).failures
    assert str(failure.worst[0]) == "q3 0.000: no judged document is relevant"
    # A document at its best place is not named, and of those below theirs no more than four.
    many = {"q": {f"d{i}": 1 for i in range(7)}}
    [failure] = rankgold.check(many, {"q": ["d6", "x", "d5", "d4", "d3"]}, min={"ap": 0.99}).failures
    assert str(failure.worst[0]).count("(grade 1)") == 4
    assert "d6" not in str(failure.worst[0])


def test_a_limit_is_no_matter_of_chance_though_the_fall_of_its_measure_is():
    # One query of 8 falls by 1/2, so p = 1: the mean fell from 1 to 15/16, which is below the limit all the same.
    qrels, good, bad = queries(8, lambda i: {"d": 1}), ["d", "e"], ["e", "d"]
    old, new = queries(8, lambda i: good), queries(8, lambda i: bad if i == 0 else good)
    limits = {"min": {"rr": 0.95}, "max_drop": {"rr": 0.01}}
    found = rankgold.check(qrels, new, baseline=old, significant=True, **limits)
    assert [(str(line.threshold), line.holds) for line in found.findings] == [
        ("min rr=0.95", False), ("max-drop rr=0.01", True),
    ]  # fmt: skip
    assert math.isnan(found.findings[0].p)


def test_queries_that_are_undefined_take_no_place_among_the_worst():
    qrels = {f"q{i}": {"d": 1} for i in range(3)}
    [failure] = rankgold.check(qrels, {"q0": ["e"], "q1": ["e"], "q2": ["x", "d"]}, max={"frp": 1}, worst=1).failures
    assert [query.query for query in failure.worst] == ["q2"]


def test_progress_is_told_before_thresholds_are_looked_at():
    told = []
    found(min={"rr": 0.5}, progress=lambda what, share, rows: told.append((what, share, rows)))
    assert told[-1] == ("comparing", 0.0, 0)
