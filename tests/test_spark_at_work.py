"""Spark with paths, at the shell, with many rows, and what it says it is going to do."""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import polars as pl
import pytest

import rankgold
from rankgold.data.files import sample
from rankgold.engines.spark import prepared_data, tasks
from tests.report_blocks import blocks_of
from tests.shell import printed, refused
from tests.spark import frame, own_processes, sessions

pytestmark = pytest.mark.spark

FIVE = ["ap", "ndcg@10", "p@5", "rr", "err"]


@pytest.fixture(scope="module")
def classic():
    return sessions()["classic"]


def table(run):
    return rankgold.read_run(sample(run))


@pytest.fixture
def files(tmp_path):
    """The sample run bm25 in every form that Spark reads."""
    rows = table("bm25.trec")
    made = {name: tmp_path / f"bm25.{name}" for name in ("parquet", "csv", "tsv", "jsonl", "trec", "trec.gz", "csv.gz")}
    rows.write_parquet(made["parquet"])
    rows.write_csv(made["csv"])
    rows.write_csv(made["tsv"], separator="\t")
    rows.write_ndjson(made["jsonl"])
    text = sample("bm25.trec").read_text()
    made["trec"].write_text("# a comment\n\n" + text.replace(" ", "  \t", 1))
    made["trec.gz"].write_bytes(gzip.compress(text.encode()))
    made["csv.gz"].write_bytes(gzip.compress(made["csv"].read_bytes()))
    folder = tmp_path / "parts"
    folder.mkdir()
    for number in range(2):
        rows[number::2].write_parquet(folder / f"{number}.parquet")
    return {**made, "folder": folder, "pattern": folder / "*.parquet"}


def test_paths_are_read_by_spark(classic, files):
    theirs = rankgold.evaluate(sample("qrels.txt"), sample("bm25.trec"), FIVE)
    ours = rankgold.evaluate(sample("qrels.txt"), [str(path) for path in files.values()], FIVE, engine="spark")
    assert ours.runs == ["bm25", *(f"bm25 ({number})" for number in range(2, 8)), "parts", "*"]
    for name, run in zip(files, ours.runs, strict=True):
        assert ours.means[run] == theirs.means, name


def test_judgements_are_read_by_spark_where_they_are_not_small(classic, files, monkeypatch, tmp_path):
    monkeypatch.setattr("rankgold.engines.spark.inputs._LOCAL_AT_MOST", 0)
    theirs = rankgold.evaluate(sample("qrels.txt"), sample("bm25.trec"), FIVE)
    rankgold.read_qrels(sample("qrels.txt")).write_csv(tmp_path / "qrels.csv")
    for qrels in (sample("qrels.txt"), tmp_path / "qrels.csv"):
        ours = rankgold.evaluate(str(qrels), str(files["parquet"]), FIVE, engine="spark")
        assert ours.means == theirs.means


def test_tags_tell_runs_apart_only_where_a_query_has_several(classic, tmp_path):
    both = sample("bm25.trec").read_text() + sample("titles.trec").read_text()
    (tmp_path / "both.trec").write_text(both)
    ours = rankgold.evaluate(sample("qrels.txt"), str(tmp_path / "both.trec"), FIVE, engine="spark")
    assert ours.means == rankgold.evaluate(sample("qrels.txt"), tmp_path / "both.trec", FIVE).means
    lines = sample("bm25.trec").read_text().splitlines()
    careless = "".join(line.rpartition(" ")[0] + f" {line.split()[0]}-tag\n" for line in lines)
    (tmp_path / "careless.trec").write_text(careless)
    ours = rankgold.evaluate(sample("qrels.txt"), str(tmp_path / "careless.trec"), FIVE, engine="spark")
    assert ours.runs == ["careless"]
    assert ours.means == rankgold.evaluate(sample("qrels.txt"), sample("bm25.trec"), FIVE).means
    trusted = rankgold.evaluate(
        sample("qrels.txt"), str(tmp_path / "careless.trec"), FIVE, engine=rankgold.Spark(trust_ranks=True)
    )
    assert trusted.means == ours.means


def test_a_line_with_too_few_fields_is_reported(classic, tmp_path):
    (tmp_path / "short.trec").write_text("q1 Q0 d1 1 0.5 tag\nq1 Q0 d2 0.4\n")
    with pytest.raises(
        rankgold.DataError,
        match=r"short\.trec, line 'q1 Q0 d2 0\.4': a line of a run must have 6 fields, .* and this one has 4",
    ):
        rankgold.evaluate({"q1": {"d1": 1}}, str(tmp_path / "short.trec"), ["ap"], engine="spark")


@pytest.mark.parametrize("escapes", ["true", "false"])
def test_escapes_that_a_session_does_not_know_change_nothing(classic, tmp_path, escapes):
    (tmp_path / "run.trec").write_text("travel\tQ0 \ttree 1 2 fuer\r\ntravel\tQ0  futur\t2 1 fuer\n")
    text = classic.createDataFrame(
        [("q1", b"\x01", "1"), ("q1", b"a", "1d")], "query string, document binary, score string"
    )
    classic.conf.set("spark.sql.parser.escapedStringLiterals", escapes)
    try:
        # futur is at rank 2.
        assert rankgold.evaluate({"travel": {"futur": 1}}, tmp_path / "run.trec", ["rr"], engine=classic)["rr"] == 0.5
        for row, fault in (("score = '1'", "is not an id"), ("score = '1d'", "must be a finite number")):
            with pytest.raises(rankgold.DataError, match=fault):
                rankgold.evaluate({"q1": {"a": 1}}, text.where(row), ["rr"])
    finally:
        classic.conf.unset("spark.sql.parser.escapedStringLiterals")


def test_an_id_may_look_like_json(classic, tmp_path):
    (tmp_path / "run.trec").write_text("[q1] Q0 d2 1 0.5 tag\n[q1] Q0 d1 2 0.4 tag\n")
    assert rankgold.evaluate({"[q1]": {"d1": 1}}, str(tmp_path / "run.trec"), ["rr"], engine="spark")["rr"] == 0.5


def test_a_path_that_is_not_there_is_reported(classic, tmp_path):
    with pytest.raises(rankgold.DataError, match=r"nosuch\.parquet: there is no such file or folder"):
        rankgold.evaluate({"q1": {"d1": 1}}, str(tmp_path / "nosuch.parquet"), ["ap"], engine="spark")


def shell(*arguments):
    """A command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "rankgold", *map(str, arguments)], capture_output=True, text=True, check=False,
        env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}, timeout=1800,
    )  # fmt: skip


# The command in docs/spark.md, which is tested too, starts a Spark of its own.
def test_the_shell_evaluates_on_spark_and_says_no_more_than_the_scores(spark_remote):
    files = [sample("qrels.txt"), sample("bm25.trec"), sample("titles.trec")]
    asked = ["-m", "ndcg@10", "-m", "ap", "-q", "-f", "json"]
    done = shell("evaluate", *files, *asked, "--engine", "spark", "--master", spark_remote)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["runs"] == json.loads(printed("evaluate", *map(str, files), *asked))["runs"]


def test_the_shell_makes_a_report_of_folders_that_spark_reads(spark_remote, tmp_path):
    for name in ("titles", "bm25"):
        (tmp_path / name).mkdir()
        table(f"{name}.trec").write_parquet(tmp_path / name / "part.parquet")
    page = tmp_path / "report.html"
    options = ["-m", "rr", "--draws", "50", "--no-charts", "--engine", "spark", "--master", spark_remote, "-o", page]
    done = shell("report", sample("qrels.txt"), tmp_path / "titles", tmp_path / "bm25", *options)
    assert (done.returncode, done.stderr) == (0, "")
    found = blocks_of(page.read_text(encoding="utf-8"))["core"]
    assert found["runs"] == ["titles", "bm25"]
    files = [sample(f"{name}.trec") for name in found["runs"]]
    expected = rankgold.evaluate(sample("qrels.txt"), files, ["rr"])
    for run, column in zip(found["runs"], found["values"]["rr"], strict=True):
        np.testing.assert_array_equal(column, expected.values("rr", run=run))


def test_the_shell_shows_the_plan_and_passes_settings_on(spark_remote):
    files = [sample("qrels.txt"), sample("bm25.trec")]
    options = ["--master", spark_remote, "--conf", "spark.sql.shuffle.partitions=7", "--trust-ranks"]
    done = shell("plan", *files, "-m", "ap", "--engine", "spark", *options)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Ranks are trusted" in done.stdout
    assert "MapInArrow" in done.stdout
    assert re.search(r"hashpartitioning\(key#\d+L, 7\)", done.stdout)


@own_processes
def test_the_shell_tells_in_a_line_why_spark_does_not_start():
    wrong = shell("evaluate", sample("qrels.txt"), sample("bm25.trec"), "--engine", "spark", "--master", "nonsense")
    assert wrong.returncode == 2
    assert wrong.stderr.count("\n") == 1
    assert wrong.stderr.startswith("error: Spark could not be started: Master must")


@pytest.mark.parametrize("option", [("--master", "local[2]"), ("--trust-ranks",), ("--conf", "a=b")], ids=" ".join)
def test_an_option_for_spark_is_refused_without_it(option):
    told = refused("evaluate", str(sample("qrels.txt")), str(sample("bm25.trec")), *option)
    assert told == f"{option[0]} is for Spark. Add --engine spark, or leave it out."


def test_the_plan_says_what_travels(classic, monkeypatch):
    qrels, run = frame(classic, {"q": {"a": 1}}, "grade"), frame(classic, {"q": {"a": 1}}, "score")
    sent = rankgold.plan(qrels, run, ["ap"])
    assert sent.startswith("1. Every task gets 1 judgement of 1 query.")
    assert "BroadcastHashJoin" in sent
    monkeypatch.setattr(prepared_data, "BROADCAST_LIMIT", 0)
    shuffled = rankgold.plan(qrels, run, ["ap"], per_query=False)
    assert shuffled.startswith("1. The judgements are many: they are shuffled by query together with the run.")
    assert "BroadcastHashJoin" not in shuffled
    assert "The driver receives means and variances" in shuffled


def test_connect_has_a_plan_too():
    connected = sessions()["connect"]
    text = rankgold.plan({"q": {"a": 1}}, frame(connected, {"q": {"a": 1}}, "score"), ["ap"])
    assert "MapInArrow" in text


def many(session, queries, depth, largest=0):
    """A run made on Spark: each query ranks so many documents, the first of them so many more."""
    rows = session.range(queries * depth).selectExpr(
        f"id div {depth} as query", f"id % {depth} as document", f"cast(({depth} - id % {depth}) as double) as score"
    )
    if not largest:
        return rows
    more = session.range(depth, largest).selectExpr("0L as query", "id as document", "-cast(id as double) as score")
    return rows.union(more)


@pytest.mark.parametrize("most", [1_000, 7, 1])
def test_rows_that_are_too_many_for_a_tasks_memory_go_through_files(most, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rows = pl.DataFrame({"key": [-3, 5, 900, 5, -3, 5, 2**62, 900, 5, 0], "document": [f"d{i}" for i in range(10)]})
    parts = []
    for part in tasks.whole_queries(rows.to_arrow().to_batches(max_chunksize=3), most):
        parts.append(part)
        assert part["key"].is_sorted()
        assert any(tmp_path.iterdir()) == (most < 10)
    assert pl.concat(parts).sort("document").equals(rows)
    assert sum(part["key"].n_unique() for part in parts) == 5
    assert not any(tmp_path.iterdir())


def test_a_task_without_rows_has_no_queries():
    assert list(tasks.whole_queries(iter([]))) == []


def test_a_query_with_half_of_all_rows_is_a_query_like_others(classic):
    # Query 0 ranks documents 0, 1, ..., 299,999 in this order; the others 30 documents.
    run = many(classic, 10_000, 30, largest=300_000)
    qrels = pl.DataFrame(
        {"query": np.arange(10_000), "document": np.arange(10_000) % 30, "grade": np.ones(10_000, int)}
    )
    qrels = pl.concat([qrels, pl.DataFrame({"query": [0], "document": [199_999], "grade": [1]})])
    scores = rankgold.evaluate(qrels, run, ["rr", "ap"], per_query=True)
    # The document of query q is at rank q % 30 + 1; that of query 0 at rank 1 and another at rank 200,000.
    assert scores["rr"] == pytest.approx(np.mean(1 / (np.arange(10_000) % 30 + 1)))
    first = scores.per_query.filter(pl.col("query") == 0)
    assert first["ap"].to_list() == pytest.approx([(1 + 2 / 200_000) / 2])


def test_many_queries_with_many_judgements_are_added_up(classic, monkeypatch):
    monkeypatch.setattr(prepared_data, "BROADCAST_LIMIT", 100_000)
    # Two documents a query, the judged one first in the even queries and second in the odd ones.
    qrels = classic.range(200_000).selectExpr("id as query", "id % 2 as document", "1 as grade")
    scores = rankgold.evaluate(qrels, many(classic, 200_000, 2), ["rr", "p@1"], per_query=False)
    assert scores.means == {"rr": 0.75, "p@1": 0.5}
    assert scores.notes.queries == 200_000
    # Half of the values 1 and half 1/2, as a sample: 1/16 * n / (n - 1).
    assert scores.variances["rr"] == pytest.approx(1 / 16 * 200_000 / 199_999, rel=1e-15)


@pytest.fixture
def tenth_of_a_megabyte(classic):
    """All that the driver may receive of a job."""
    settings = classic.sparkContext._jsc.sc().conf()
    settings.set("spark.driver.maxResultSize", "100k")
    yield
    settings.remove("spark.driver.maxResultSize")


def test_the_driver_never_receives_the_run(classic, tenth_of_a_megabyte):
    # Half a million rows are several megabytes.
    run = classic.range(500_000).selectExpr("id div 1000 as query", "id as document", "cast(id as double) as score")
    with pytest.raises(Exception, match="maxResultSize"):
        run.collect()
    scores = rankgold.evaluate({q: {q * 1000 + 999: 1} for q in range(500)}, run, ["rr"], per_query=False)
    assert scores.means == {"rr": 1.0}


def test_a_failure_of_the_users_own_frame_is_reported_in_a_line(classic):
    broken = classic.range(3).selectExpr(
        "'q' as query", "cast(id as string) as document", "raise_error('my fault') + 0D as score"
    )
    with pytest.raises(rankgold.DataError) as caught:
        rankgold.evaluate({"q": {"a": 1}}, broken, ["ap"])
    assert "my fault" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_workers_without_rankgold_are_reported(classic):
    from rankgold.engines.spark.session import spark_errors

    def other(batches):
        import nosuchlibrary  # noqa: F401

        yield from batches

    with (
        pytest.raises(rankgold.DataError, match=r"Spark's workers have no nosuchlibrary\. Install rankgold"),
        spark_errors(),
    ):
        classic.range(3).mapInArrow(other, "id bigint").collect()
