"""Saved scores that are computed again: what changed since then, and whether the scores are the same."""

import json

import pytest

import rankgold
from rankgold import DataError, Scores
from tests.cases import for_each
from tests.shell import ended, shell

QRELS = {"q1": {"d1": 1, "d2": 2}, "q2": {"d1": 1}}
RUN = {"q1": {"d1": 1.0, "d2": 2.0, "x": 3.0}, "q2": {"d1": 1.0, "x": 0.5}}
MEASURES = ["rr", "ndcg@10"]


def saved(**changes):
    content = json.loads(rankgold.evaluate(QRELS, RUN, MEASURES, fingerprint=True).to_json())
    return json.dumps({**content, **changes})


OTHER_GRADE = {**QRELS, "q2": {"d1": 2}}  # no other value of rr or ndcg@10
OTHER_RUN = {**RUN, "q2": {"d1": 0.25, "x": 0.5}}


@for_each(
    ("text", "arguments", "changed", "names"),
    [
        (saved(), (QRELS, RUN), [], []),
        (saved(), (OTHER_GRADE, RUN), ["data"], ["judgements"]),
        (saved(), (QRELS, OTHER_RUN), ["data"], ["run"]),
        (saved(), (OTHER_GRADE, OTHER_RUN), ["data"], ["judgements", "run"]),
        (saved(), (QRELS, RUN, None, {"policy": "missing=skip"}), ["policy"], ["missing"]),
        (saved(), (QRELS, RUN, None, {"depth": 2}), ["policy"], ["depth"]),
        (saved(), (QRELS, RUN, ["rr", "ap"]), ["measures"], ["ap", "ndcg@10"]),
        (saved(), (QRELS, RUN, ["nDCG_cut_10", "recip_rank"]), [], []),
        (saved(), (QRELS, RUN, None, {"topics": ["q1"]}), ["options"], ["topics"]),
        (saved(version="0.0.1"), (QRELS, RUN), ["version"], ["rankgold"]),
        (saved(version="0.0.1"), (QRELS, OTHER_RUN, ["rr"], {"policy": "ties=ascending"}),
         ["version", "policy", "measures", "data"], ["rankgold", "ties", "ndcg@10", "run"]),
    ],
)  # fmt: skip
def test_each_kind_of_change_is_told_apart(text, arguments, changed, names):
    options = arguments[-1] if len(arguments) == 4 else {}
    found = rankgold.verify(text, *arguments[:3], **options)
    assert found.changed == changed
    assert [change.name for change in found.changes] == names
    assert found.unchanged == (not changed)


def test_scores_that_are_others_are_listed_with_what_they_were():
    found = rankgold.verify(saved(), QRELS, OTHER_RUN, ["rr"])
    # rr of q2 was 1 and is 1/2; that of q1 is 1/2.
    (change,) = found.score_changes
    assert (change.run, change.measure, change.saved, change.now, change.queries) == ("run", "rr", 0.75, 0.5, 1)
    assert not found.same_scores
    assert rankgold.verify(saved(), OTHER_GRADE, RUN).same_scores
    assert "Changed: measures, data; the scores differ." in repr(found)
    nothing = rankgold.verify(saved(), QRELS, RUN, ["ap"])
    assert "none of the saved scores was recomputed" in repr(nothing)
    assert not nothing.same_scores


def test_a_file_that_was_edited_is_seen():
    content = json.loads(saved())
    run = content["runs"]["run"]
    run["per_query"]["q1"]["rr"], run["means"]["rr"] = 1.0, 1.0
    found = rankgold.verify(json.dumps(content), QRELS, RUN)
    assert found.changed == ["scores"]
    assert "the file was edited" in found.changes[0].sentence


def test_without_fingerprints_a_change_of_the_data_cannot_be_seen_and_that_is_said():
    text = saved(fingerprints={"judgements": None, "runs": {}})
    found = rankgold.verify(text, OTHER_GRADE, RUN)
    assert found.unchanged
    assert len(found.doubts) == 2
    assert all("evaluate(..., fingerprint=True)" in doubt for doubt in found.doubts)
    assert repr(found).startswith("No change was found, as far as can be seen: all scores are the same.")
    found = rankgold.verify(text, QRELS, OTHER_RUN)
    assert found.changed == ["scores"]
    assert "the data have probably changed" in found.changes[0].sentence


def test_means_alone_are_compared_if_no_more_was_saved():
    text = rankgold.evaluate(QRELS, RUN, MEASURES).to_json(per_query=False)
    assert rankgold.verify(text, QRELS, RUN).unchanged
    found = rankgold.verify(text, QRELS, OTHER_RUN)
    assert [(change.measure, change.queries) for change in found.score_changes] == [("rr", None), ("ndcg@10", None)]


def test_topics_and_the_separator_of_chunks_are_those_of_the_saved_scores():
    chunks = {"q1": {"d1#1": 1.0, "d2#1": 2.0, "d2#2": 3.0}}
    text = rankgold.evaluate(QRELS, chunks, ["rr"], parent="#", topics="q1", fingerprint=True).to_json()
    assert rankgold.verify(text, QRELS, chunks).unchanged
    text = rankgold.evaluate(QRELS, RUN, ["rr"], exclude={"q1": {"x": 1}}, fingerprint=True).to_json()
    with pytest.raises(DataError, match="the scores were saved with exclude"):
        rankgold.verify(text, QRELS, RUN)
    assert rankgold.verify(text, QRELS, RUN, exclude={"q1": {"x": 1}}).unchanged


def test_of_several_runs_each_is_compared_with_that_of_its_name():
    runs = {"old": RUN, "new": OTHER_RUN}
    scores = rankgold.evaluate(QRELS, runs, ["rr"], fingerprint=True)
    assert rankgold.verify(scores, QRELS, {"new": OTHER_RUN, "old": RUN}).unchanged
    found = rankgold.verify(scores, QRELS, {"old": RUN, "newer": OTHER_RUN})
    assert [(change.what, change.name) for change in found.changes] == [("data", "new"), ("data", "newer")]
    found = rankgold.verify(scores, QRELS, {"old": OTHER_RUN, "new": OTHER_RUN})
    assert [(change.what, change.name) for change in found.changes] == [("data", "old")]


def test_rounding_in_another_way_is_no_change():
    content = json.loads(saved())
    run = content["runs"]["run"]
    value = run["per_query"]["q1"]["ndcg@10"]
    run["per_query"]["q1"]["ndcg@10"] = value * (1 + 1e-15)
    assert run["per_query"]["q1"]["ndcg@10"] != value
    assert rankgold.verify(json.dumps(content), QRELS, RUN).unchanged


def test_scores_saved_here_are_verified_in_duckdb():
    assert rankgold.verify(saved(), QRELS, RUN, engine="duckdb").unchanged


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d1 1\n")
    (tmp_path / "run").write_text("q1 Q0 d1 1 2 up\nq2 Q0 d1 1 2 up\n")
    (tmp_path / "other").write_text("q1 Q0 d1 1 2 up\nq2 Q0 d2 1 2 up\n")
    assert ended("evaluate", "qrels", "run", "-m", "rr", "--save", "s.json")[0] == 0
    return tmp_path


def test_the_command_ends_with_0_1_or_2(folder):
    assert ended("verify", "s.json", "qrels", "run") == (0, "Nothing changed: all scores are the same.\n")
    code, text = ended("verify", "s.json", "qrels", "other", "-f", "json")
    content = json.loads(text)
    assert (code, content["unchanged"], content["same_scores"], content["changed"]) == (1, False, False, ["data"])
    assert content["scores"] == [{"run": "up", "measure": "rr", "saved": 1.0, "now": 0.5, "queries": 1}]
    for arguments in (["run", "qrels", "run"], ["nosuch.json", "qrels", "run"], ["s.json", "qrels"]):
        assert ended("verify", *arguments)[0] == 2
    done = shell("verify", "s.json", "qrels", "other", "-o", "changes.md", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert (folder / "changes.md").read_text().startswith("### Changed: data; the scores differ.")


def test_another_version_alone_can_be_allowed(folder):
    path = folder / "s.json"
    path.write_text(path.read_text().replace(f'"version": "{rankgold.__version__}"', '"version": "0.0.1"'))
    assert Scores.from_json(path).provenance.version == "0.0.1"
    code, text = ended("verify", "s.json", "qrels", "run")
    assert (code, text.splitlines()[0]) == (1, "Changed: version; all scores are the same.")
    assert "rankgold was 0.0.1" in text
    assert ended("verify", "s.json", "qrels", "run", "--any-version") == (0, text)
    assert ended("verify", "s.json", "qrels", "other", "--any-version")[0] == 1


def test_a_value_that_is_undefined_now_or_was_so_is_a_change():
    # frp is undefined where nothing relevant is found.
    qrels, found, lost = {"q1": {"d": 1}, "q2": {"d": 1}}, {"q1": ["d"], "q2": ["d"]}, {"q1": ["d"], "q2": ["e"]}
    for before, now in ((found, lost), (lost, found)):
        scores = rankgold.evaluate(qrels, before, ["frp"], fingerprint=True)
        [change] = rankgold.verify(scores, qrels, now).score_changes
        assert (change.saved, change.now, change.queries) == (1.0, 1.0, 1)
        assert rankgold.verify(scores, qrels, before).same_scores


def test_scores_that_differ_are_a_table_with_the_number_of_queries_if_it_is_known():
    [table] = rankgold.verify(saved(), QRELS, OTHER_RUN, ["rr"]).document().tables
    assert table.rows == [["run", "rr", 0.75, 0.5, -0.25, "1"]]
    assert (table.keys, table.alignment, table.digits) == (2, "llrrrr", 4)
    means = rankgold.evaluate(QRELS, RUN, ["rr"]).to_json(per_query=False)
    [table] = rankgold.verify(means, QRELS, OTHER_RUN).document(2).tables
    assert (table.rows, table.digits) == ([["run", "rr", 0.75, 0.5, -0.25, ""]], 2)


def test_a_change_of_data_has_the_numbers_of_rows_if_these_differ():
    def sentences(qrels, run):
        return [change.sentence for change in rankgold.verify(saved(), qrels, run).changes]

    assert sentences(OTHER_GRADE, OTHER_RUN) == [
        "The judgements have changed: as many rows.", "The run 'run' has changed: as many rows.",
    ]  # fmt: skip
    assert sentences({**QRELS, "q2": {"d1": 1, "d2": 0}}, {"q1": RUN["q1"]}) == [
        "The judgements have changed: 3 rows then, 4 now.", "The run 'run' has changed: 5 rows then, 3 now.",
    ]  # fmt: skip
