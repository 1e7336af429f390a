"""Scores that are saved and read again, and the fingerprints that tell their data apart."""

import json
import pickle
import random
import re
from hashlib import blake2b
from struct import pack

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from rankgold import DataError, Scores
from rankgold.data.fingerprints import Fingerprint
from tests.cases import for_each
from tests.collections import collections, examples, rows
from tests.shell import ended, printed
from tests.spark import sessions

QRELS = {"q1": {"d1": 2, "d2": 0, "é中": 1}, "q2": {"d1": 1}, "q3": {"x": 0}}
RUN = {"q1": {"d1": 1.5, "z": 2.25, "é中": -0.125}, "q2": {"d1": 0.0, "d3": -1.0}, "q9": {"a": 1.0}}
MEASURES = ["ndcg@10", "map", "P_5", "frp"]


def print_of(qrels, run, **options):
    """The fingerprints of the judgements and of the run."""
    scores = rankgold.evaluate(qrels, run, ["rr"], **({"fingerprint": True} | options))
    return scores.provenance.judgements, scores.provenance.run(scores.runs[0])


# The definition once more, one row at a time.


def mix(key):
    key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    key = (key ^ key >> 27) * 0x94D049BB133111EB % 2**64
    return key ^ key >> 31


def hash_of(text):
    content = str(text).encode()
    if len(content) > 256:
        return int.from_bytes(blake2b(content, digest_size=8).digest(), "little")
    key = len(content)
    for at in range(0, len(content), 8):
        key = mix(key ^ int.from_bytes(content[at : at + 8], "little"))
    return key


def slow_fingerprint(table):
    total = 0
    for query, document, number in table:
        key = mix(mix((hash_of(query) + 0xBF58476D1CE4E5B9) % 2**64) ^ hash_of(document))
        total += mix(key ^ int.from_bytes(pack("<d", number), "little"))
    return Fingerprint(len(table), total % 2**64)


def test_a_fingerprint_is_the_sum_of_the_hashes_of_rows():
    assert print_of(QRELS, RUN) == (slow_fingerprint(rows(QRELS)), slow_fingerprint(rows(RUN)))
    lengths = (1, 7, 8, 9, 16, 255, 256, 257, 1000)
    long = {"q": {"d" * length: length for length in lengths}, "中" * 90: {"d": 1}}
    frame = pl.DataFrame(rows(long), schema=["query", "document", "score"], orient="row")
    assert print_of(long, frame) == (slow_fingerprint(rows(long)), slow_fingerprint(rows(long)))


@pytest.fixture
def forms(tmp_path):
    """The same judgements and run in every form, with rows in other orders."""
    choose = random.Random(3)
    qrels = {f"q{q}": {f"d{choose.randrange(60)}": choose.randrange(3) for _ in range(9)} for q in range(20)}
    run = {f"q{q}": {f"d{choose.randrange(60)}": choose.random() for _ in range(20)} for q in range(21)}
    frames = []
    for tables, number in ((qrels, "grade"), (run, "score")):
        listed = [(query, document, float(value)) for query, document, value in rows(tables)]
        choose.shuffle(listed)
        frames.append(pl.DataFrame(listed, schema=["query", "document", number], orient="row"))
    made = {"dicts": (qrels, run), "Polars": frames, "pandas": [frame.to_pandas() for frame in frames]}
    made["Arrow"] = [frame.to_arrow() for frame in frames]
    for ending in ("csv", "parquet", "jsonl", "trec", "large.trec"):
        made[ending] = [tmp_path / f"{name}.{ending}" for name in ("qrels", "run")]
        for frame, path in zip(frames, made[ending], strict=True):
            if ending == "jsonl":
                frame.write_ndjson(path)
            elif ending in ("csv", "parquet"):
                getattr(frame, f"write_{ending}")(path)
            else:
                by_query = frame if ending == "large.trec" else frame.sort("query")
                is_run = "score" in frame.columns
                lines = [f"{q} Q0 {d} 1 {n!r} tag" if is_run else f"{q} 0 {d} {n:g}" for q, d, n in by_query.rows()]
                path.write_text("\n".join(lines) + "\n")
    made["dict of JSON"] = [tmp_path / "qrels.json", tmp_path / "run.json"]
    for tables, path in zip((qrels, run), made["dict of JSON"], strict=True):
        path.write_text(json.dumps(tables))
    return made


def test_fingerprints_are_the_same_for_every_form_here_and_in_duckdb(forms):
    expected = tuple(slow_fingerprint(rows(tables)) for tables in forms["dicts"])
    for name, (qrels, run) in forms.items():
        assert print_of(qrels, run) == expected, name
        assert print_of(qrels, run, fingerprint=True) == expected, name
        assert print_of(qrels, run, fingerprint=True, engine="duckdb") == expected, name


@pytest.mark.spark
def test_fingerprints_are_the_same_on_spark(forms, monkeypatch):
    expected = tuple(slow_fingerprint(rows(tables)) for tables in forms["dicts"])
    session = sessions()["classic"]
    on_spark = [
        session.createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest())) for frame in forms["Polars"]
    ]
    assert print_of(*on_spark, fingerprint=True) == expected
    assert print_of(*on_spark, fingerprint=False) == (None, None)
    assert print_of(*map(str, forms["parquet"]), fingerprint=True, engine=session) == expected
    monkeypatch.setattr("rankgold.engines.spark.prepared_data.BROADCAST_LIMIT", 5)
    assert print_of(*on_spark, fingerprint=True, per_query=False) == expected


def test_duckdb_makes_a_fingerprint_of_some_rows_at_a_time(forms, monkeypatch):
    monkeypatch.setattr("rankgold.engines.duckdb.engine._ROWS_AT_ONCE", 7)
    assert print_of(*forms["parquet"], fingerprint=True, engine="duckdb")[1] == slow_fingerprint(
        rows(forms["dicts"][1])
    )


def test_lists_ranks_duplicates_and_subtopics_have_the_same_fingerprint_here_and_in_duckdb():
    ranks = pl.DataFrame({"query": ["a", "a", "b"], "document": ["x", "y", "x"], "rank": [1, 2, 1]})
    as_scores = {"a": {"x": -1.0, "y": -2.0}, "b": {"x": -1.0}}
    twice = pl.DataFrame({"query": ["a", "a"], "document": ["x", "x"], "score": [1.0, 2.0]})
    subtopics = {"a": {"x": {"1": 1, "2": 1}, "y": {"2": 1}}}
    lines = pl.DataFrame({"query": ["a"] * 3, "document": list("xxy"), "subtopic": list("122"), "grade": [1, 1, 1]})
    qrels = {"a": {"x": 1}}
    for engine in ("local", "duckdb"):
        options = {"engine": engine, "fingerprint": True}
        assert print_of(qrels, ranks, **options)[1] == slow_fingerprint(rows(as_scores))
        assert print_of(qrels, {"a": ["x", "y"], "b": ["x"]}, **options) == print_of(
            qrels, {"b": ["x"], "a": ["x", "y"]}
        )
        assert print_of(qrels, twice, policy="duplicates=first", **options)[1] == slow_fingerprint(twice.rows())
        assert print_of(subtopics, as_scores, **options)[0] == print_of(lines, as_scores)[0]


def test_the_policy_and_other_choices_of_an_evaluation_do_not_change_fingerprints():
    expected = print_of(QRELS, RUN)
    for engine in ("local", "duckdb"):
        for choice in ({"policy": "score_bits=32"}, {"topics": ["q1"]}, {"depth": 1}, {"exclude": {"q1": {"d1": 1}}}):
            assert print_of(QRELS, RUN, **choice, engine=engine, fingerprint=True) == expected
        chunks = {"q1": {"d1#1": 0.1234567891, "d1#2": 2.0}}
        found = print_of(QRELS, chunks, parent="#", policy="score_bits=32", engine=engine, fingerprint=True)
        assert found[1] == slow_fingerprint(rows(chunks))


def test_ids_are_hashed_as_text_and_both_zeros_are_one_number():
    as_text = print_of({"7": {"8": 1}}, {"7": {"8": 0.0}})
    assert print_of({7: {8.0: 1}}, {7: {8: -0.0}}) == as_text
    frames = [
        pl.DataFrame({"query": [7], "document": [8], name: [value]}) for name, value in (("grade", 1), ("score", 0.0))
    ]
    assert print_of(*frames) == as_text
    assert print_of({"07": {"8": 1}}, {"07": {"8": 0.0}}) != as_text


def test_any_change_of_a_row_is_seen():
    known = print_of(QRELS, RUN)[0]
    for changed in (
        {**QRELS, "q2": {"d1": 2}},
        {**QRELS, "q2": {"d2": 1}},
        {**QRELS, "q2": {}},
        {**QRELS, "q4": {}},
        {**QRELS, "q1": {"d1": 0, "d2": 2, "é中": 1}},
        {"q2": QRELS["q1"], "q1": QRELS["q2"], "q3": QRELS["q3"]},
    ):
        assert print_of(changed, RUN)[0] != known
    subtopics = {"q1": {"d1": {"a": 1, "b": 1}, "d2": {"a": 1}}}
    others = {"q1": {"d1": {"a": 1, "b": 1}, "d2": {"b": 1}}}
    assert print_of(subtopics, RUN)[0] != print_of(others, RUN)[0]


def test_a_plain_evaluation_takes_no_fingerprints():
    scores = rankgold.evaluate(QRELS, RUN, MEASURES)
    assert (scores.provenance.judgements, scores.provenance.run("run")) == (None, None)
    assert json.loads(scores.to_json())["fingerprints"] == {"judgements": None, "runs": {"run": None}}
    assert rankgold.evaluate(QRELS, RUN, MEASURES, fingerprint=True).provenance.run("run").rows == 6


def test_data_that_change_after_the_evaluation_do_not_change_its_fingerprints():
    qrels, run = {"q1": {"d1": 1}}, {"q1": {"d1": 0.5, "d2": 0.4}}
    expected = slow_fingerprint(rows(qrels)), slow_fingerprint(rows(run))
    scores = rankgold.evaluate(qrels, run, ["rr"], fingerprint=True)
    qrels["q1"]["d2"] = 1
    run["q1"]["d3"] = 0.9
    assert (scores.provenance.judgements, scores.provenance.run("run")) == expected


def test_several_runs_have_their_own_fingerprints(tmp_path, monkeypatch):
    runs = {"b": RUN, "a": {"q1": {"d1": 1.0}}}
    scores = rankgold.evaluate(QRELS, runs, ["rr"], fingerprint=True)
    assert [scores.provenance.run(name) for name in "ab"] == [slow_fingerprint(rows(runs[name])) for name in "ab"]
    # Large files are read by several threads.
    monkeypatch.setattr("rankgold.data.inputs.SMALL", -1)
    for name, run in runs.items():
        lines = [f"{query} Q0 {document} 1 {score} {name}\n" for query, document, score in rows(run)]
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    scores = rankgold.evaluate(tmp_path / "qrels", [tmp_path / "b", tmp_path / "a"], ["rr"], fingerprint=True)
    assert {name: scores.provenance.run(name).rows for name in scores.runs} == {"b": 6, "a": 1}


@examples(40)
@given(
    collections(), st.sampled_from(["rankgold", "trec_eval", "ties=average, undefined=zero", "no_relevant=undefined"])
)
def test_saved_scores_are_the_same_to_the_last_bit(collection, policy):
    qrels, run = collection
    scores = rankgold.evaluate(qrels, {"a": run, "b": run}, [*MEASURES, "gmap", "ap(rel=2)"], policy=policy)
    again = Scores.from_json(scores.to_json())
    assert again.to_json() == scores.to_json()
    assert again.policy == scores.policy
    assert again.measures == scores.measures
    assert str(again.means) == str(scores.means)
    for name in scores.runs:
        assert again.queries(name) == scores.queries(name)
        for label in scores.measures:
            assert repr(again.values(label, name).tolist()) == repr(scores.values(label, name).tolist())
    assert repr(again) == repr(scores)


def test_a_saved_file_says_how_its_scores_came_about():
    scores = rankgold.evaluate(QRELS, RUN, MEASURES, policy="trec_eval", rel=2, depth=5, fingerprint=True)
    content = json.loads(scores.to_json())
    assert (content["kind"], content["format"]) == ("rankgold scores", 1)
    assert content["version"] == rankgold.__version__
    assert content["canonical"] == {"ndcg@10": "ndcg@10", "map": "ap(rel=2)", "P_5": "p(rel=2)@5", "frp": "frp(rel=2)"}
    assert content["policy"] == rankgold.Policy(missing="skip", depth=5, dialect="trec_eval").to_dict()
    assert content["notes"]["run"]["queries"] == 3
    assert content["fingerprints"]["judgements"] == {"rows": 5, "hash": f"{slow_fingerprint(rows(QRELS)).total:016x}"}


def test_integer_queries_are_integers_again():
    scores = rankgold.evaluate({7: {1: 1}, 12: {1: 1}}, {7: {1: 1.0}}, ["rr"])
    again = Scores.from_json(scores.to_json())
    assert again.queries() == [7, 12]
    assert again.notes.without_ranking == (12,)


def test_scores_without_values_of_queries_have_their_means():
    scores = rankgold.evaluate(QRELS, RUN, ["rr"])
    again = Scores.from_json(scores.to_json(per_query=False))
    assert again["rr"] == scores["rr"]
    with pytest.raises(DataError, match="the values of the queries were not kept"):
        again.values("rr")


def test_scores_with_fingerprints_travel_between_processes():
    scores = rankgold.evaluate(QRELS, RUN, ["rr"])
    assert pickle.loads(pickle.dumps(scores)).to_json() == scores.to_json()


def test_a_file_is_read_from_its_path(tmp_path):
    scores = rankgold.evaluate(QRELS, RUN, ["rr"])
    for path in (tmp_path / "scores.json", str(tmp_path / "scores.json")):
        (tmp_path / "scores.json").write_text(scores.to_json(), encoding="utf-8")
        assert Scores.from_json(path).to_json() == scores.to_json()


def content_of(**changes):
    return json.dumps({**json.loads(rankgold.evaluate(QRELS, RUN, ["rr"]).to_json()), **changes})


@for_each(
    ("text", "message"),
    [
        ("{", "saved scores: this is not JSON, or only a part of it from line 1 on. Save scores with"),
        ("[1]", "saved scores: these are not saved scores"),
        ('{"q1": {"d1": 1}}', "these are not saved scores. Save scores with `rankgold evaluate"),
        (content_of(kind="other"), "these are not saved scores"),
        (content_of(format=2, version="9.1"), "the format 2 of version 9.1 of rankgold, and this version reads format 1"),
        (content_of(canonical={"rr": "nosuch@3"}), "saved what this version does not know: No measure is called"),
        (content_of(policy={"ties": "odd"}), "saved what this version does not know: ties must be one of"),
        (content_of(policy={"odd": "1"}), "saved what this version does not know: the choice 'odd' of a policy."),
        (content_of(notes={}), "the file is damaged: run 'run' cannot be read, since there is no 'run'. Save the scores"),
        (content_of(runs={}), "the file is damaged: there is no measure, or no run"),
        (content_of(runs={"run": {"means": {"rr": "high"}}}), "the file is damaged: a value is 'high', which is not"),
        (content_of(runs={"run": {"means": {"rr": 0.9}, "per_query": {"q1": {"rr": 0.5}}}}), "the mean of rr of run 'run' is 0.9"),
        (content_of(fingerprints={"judgements": {"rows": 1, "hash": "x"}, "runs": {}}), "a fingerprint must have a number"),
        ("no such file.json", "no such file.json: No such file"),
        (7, "saved scores must be text or the path of a file, not int"),
    ],
)  # fmt: skip
def test_a_file_of_another_kind_version_or_a_damaged_one_is_a_clear_error(text, message):
    with pytest.raises(DataError, match=message):
        Scores.from_json(text)


def damaged_contents(content):
    """The content with each of its parts removed, or replaced by something of another type."""
    for key in list(content):
        for changed in (None, 5, True, "x", [], [1], {}):
            yield {**content, key: changed}
        yield {name: part for name, part in content.items() if name != key}
        if isinstance(content[key], dict):
            yield from ({**content, key: part} for part in damaged_contents(content[key]))


def test_no_damaged_file_shows_the_text_of_python(tmp_path):
    path = tmp_path / "scores.json"
    whole = content_of()
    damaged = [json.dumps(content) for content in damaged_contents(json.loads(whole))]
    for text in (*damaged, *(whole[:size] for size in range(1, len(whole), 9))):
        path.write_text(text)
        try:
            Scores.from_json(path)
        except DataError as error:
            message = str(error)
            assert message.startswith(f"{path}: ")
            assert not re.search(
                "object|subscript|iterable|hashable|indices|attribute|argument|[Ee]xpect|char", message
            )
            assert re.search("[Ss]ave (the )?scores|what this version does not know", message), message


@examples(60)
@given(st.data())
def test_whatever_is_missing_from_a_file_is_a_clear_error(data):
    content = json.loads(content_of())
    part = content
    while True:
        key = data.draw(st.sampled_from(sorted(part)))
        if not isinstance(part[key], dict) or not part[key] or data.draw(st.booleans()):
            break
        part = part[key]
    change = data.draw(st.sampled_from(["remove", None, [], {}, "text", True, -1]))
    if change == "remove":
        del part[key]
    else:
        part[key] = change
    try:
        Scores.from_json(json.dumps(content)).to_json()
        message = ""
    except DataError as error:
        message = str(error)
    assert message[:14] in ("saved scores: ", "")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_part_of_a_file_is_a_clear_error(tmp_path, share):
    text = content_of()
    (tmp_path / "s.json").write_text(text[: int(len(text) * share)])
    with pytest.raises(DataError, match=r"s\.json: this is not JSON, or only a part of it"):
        Scores.from_json(tmp_path / "s.json")


def test_evaluate_saves_beside_what_it_prints(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d1 1\n")
    (tmp_path / "run").write_text("q1 Q0 d1 1 2 up\n")
    shown = ended("evaluate", "qrels", "run", "-m", "rr", "--save", "scores.json", "--quiet")
    assert shown == (0, "run      rr\nup   0.5000\n")
    saved = Scores.from_json(tmp_path / "scores.json")
    assert saved.values("rr").tolist() == [1.0, 0.0]
    assert saved.provenance.run("up") == slow_fingerprint([("q1", "d1", 2.0)])
    content = json.loads(printed("evaluate", "qrels", "run", "-f", "json"))
    assert content["fingerprints"]["runs"]["up"]["rows"] == 1
    for arguments, message in (
        (["--save", "run"], "run: this is also an input file."),
        (["--save", "x.json", "-o", "x.json"], "x.json: two outputs have this name."),
        (["--save", "x.json", "--bounds"], "--bounds and --save cannot be combined."),
        (["--save", "no/x.json"], "no/x.json: there is no directory 'no' to write to."),
    ):
        code, text = ended("evaluate", "qrels", "run", *arguments)
        assert code == 2
        assert text.startswith(message)
