"""Tables that are valid, and easily misread: every engine reads the rows that are in them, or says what is wrong."""

import datetime as dt
import io
import json
from unittest.mock import patch

import polars as pl
import pytest

import rankgold
from rankgold.data import chunks, inputs
from tests.cases import for_each
from tests.spark import sessions

WAYS = ("small", "large", "duckdb")


def scores_of(qrels, run, way="small"):
    """The scores of a run that is read whole, in chunks, or by DuckDB."""
    engine = "duckdb" if way == "duckdb" else "local"
    most = -1 if way == "large" else None
    with (
        patch.object(chunks, "LARGE", most or chunks.LARGE),
        patch.object(chunks, "LARGE_TABLE", most or chunks.LARGE_TABLE),
        patch.object(inputs, "SMALL", most or inputs.SMALL),
    ):
        return rankgold.evaluate(qrels, run, ["num_ret", "num_rel_ret", "ndcg"], engine=engine, fingerprint=True)


def held(scores):
    """All values, and the fingerprint of the rows of the run, which tells any two sets of rows apart."""
    (name,) = scores.runs
    return scores.per_query.to_dicts(), scores.provenance.run(name)


def judgements(rows):
    """Every document of the run is judged, the last one best."""
    return {
        query: {document: grade for grade, document in enumerate(documents, 1)} for query, documents in rows.items()
    }


def parquet(**columns):
    content = io.BytesIO()
    pl.DataFrame(columns).write_parquet(content)
    return content.getvalue()


def json_lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


WORDS = ["NA", "null", "\\N", "nan", "#N/A", "None", "true"]
READ = {
    "words that mean a missing value elsewhere": (
        "run.csv",
        "query,document,score\n" + "".join(f"q,{word},{9 - i}\n" for i, word in enumerate(WORDS)),
        {"q": {word: 9 - i for i, word in enumerate(WORDS)}},
    ),
    "an empty id in quotes": ("run.csv", 'query,document,score\nq,"",2\nq,a,1\n', {"q": {"": 2, "a": 1}}),
    "a quote within a field": ("run.csv", 'query,document,score\nq,5" disk,2\nq,a,1\n', {"q": {'5" disk': 2, "a": 1}}),
    "quotes in a column that is not used": (
        "run.csv",
        'query,title,document,score\nq,5" disk,a,3\nq,x,b,2\nq,3" disk,c,1\n',
        {"q": {"a": 3, "b": 2, "c": 1}},
    ),
    "a quote within a field, without a header": ("run.csv", 'q,5",2.5\nq,a,1.5\n', {"q": {'5"': 2.5, "a": 1.5}}),
    "a space before a quote": ("run.csv", 'query,document,score\nq, "a",2\nq,b,1\n', {"q": {' "a"': 2, "b": 1}}),
    "rows of nothing but separators": ("run.csv", "query,document,score\n,,\nq,a,2\n,,\nq,b,1\n", {"q": {"a": 2, "b": 1}}),
    "lines that end with a carriage return": ("run.csv", "query,document,score\rq,a,2\rq,b,1\r", {"q": {"a": 2, "b": 1}}),
    "a TREC file of such lines": ("run.trec", "q Q0 a 1 2 t\rq Q0 b 2 1 t\r", {"q": {"a": 2, "b": 1}}),
    "a folder that is called as a column": ("query=7/run.csv", "query,document,score\nq,a,2\nq,b,1\n", {"q": {"a": 2, "b": 1}}),
    "a folder that is called as a missing column": ("score=7/run.csv", "query,document,rank\nq,a,1\nq,b,2\n", {"q": {"a": -1, "b": -2}}),
    "a TREC file in such a folder": ("query=7/run.trec", "q Q0 a 1 2 t\nq Q0 b 2 1 t\n", {"q": {"a": 2, "b": 1}}),
    "a Parquet file in such a folder": (
        "score=7/run.parquet",
        parquet(query=["q", "q"], document=["a", "b"], rank=[1, 2]),
        {"q": {"a": -1, "b": -2}},
    ),
    "columns that differ in case": (
        "run.parquet",
        parquet(query=["q", "q"], document=["a", "b"], Score=[1.0, 2.0], score=[2.0, 1.0]),
        {"q": {"a": 2, "b": 1}},
    ),
    "keys that differ in case": (
        "run.jsonl",
        json_lines(*({"query": "q", "document": d, "Score": -s, "score": s} for d, s in (("a", 2), ("b", 1)))),
        {"q": {"a": 2, "b": 1}},
    ),
    "a numbered column": (
        "run.parquet",
        parquet(query=["q", "q"], document=["a", "b"], score=[2.0, 1.0], score_1=[1.0, 2.0]),
        {"q": {"a": 2, "b": 1}},
    ),
    "many different keys": (
        "run.jsonl",
        json_lines(*({"query": "q", "document": f"d{i}", "score": i, f"key {i}": i} for i in range(300))),
        {"q": {f"d{i}": i for i in range(300)}},
    ),
    "lists that come late": (
        "run.jsonl",
        json_lines(*({"query": f"p{i}", "docs": None} for i in range(120)), {"query": "q", "docs": ["a", "b"]}),
        {**{f"p{i}": {} for i in range(120)}, "q": {"a": -1, "b": -2}},
    ),
    "ids as bytes": ("run.parquet", parquet(query=["q", "q"], document=[b"a", b"\xc3\xa9"], score=[2.0, 1.0]), {"q": {"a": 2, "é": 1}}),
    "times as ids": (
        "run.parquet",
        parquet(query=["q", "q"], document=[dt.time(1, 2, 3), dt.time(1, 2, 3, 400000)], score=[2.0, 1.0]),
        {"q": {"01:02:03": 2, "01:02:03.4": 1}},
    ),
    "times of a zone as ids": (
        "run.parquet",
        parquet(
            query=["q", "q"],
            document=pl.Series([dt.datetime(2020, 7, 1, 0, 30), dt.datetime(2020, 1, 1)]).dt.replace_time_zone("Europe/Berlin"),
            score=[2.0, 1.0],
        ),
        {"q": {"2020-06-30 22:30:00+00:00": 2, "2019-12-31 23:00:00+00:00": 1}},
    ),
    "the largest floats that are ids": (
        "run.parquet",
        parquet(query=["q", "q"], document=[9.22e18, 7.0], score=[2.0, 1.0]),
        {"q": {9220000000000000000: 2, 7: 1}},
    ),
    "scores as categories": (
        "run.parquet",
        parquet(query=["q", "q"], document=["a", "b"], score=pl.Series(["2", "1"], dtype=pl.Categorical)),
        {"q": {"a": 2, "b": 1}},
    ),
}  # fmt: skip


def written(path, content, encoding="utf-8"):
    """The path of a file, which is written with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return path


@for_each("way", WAYS)
@for_each("case", READ)
def test_every_engine_reads_the_rows_that_are_there(tmp_path, case, way):
    path, content, rows = READ[case]
    run = written(tmp_path / path, content)
    qrels = judgements({query: documents for query, documents in rows.items() if documents})
    assert held(scores_of(qrels, run, way)) == held(scores_of(qrels, rows))


REFUSED = {
    "a column that is there twice": ("run.csv", "query,document,score,score\nq,a,2,1\n", "two columns are called 'score'"),
    "a quote that is never closed": ("run.csv", 'query,document,score,text\nq,a,2,"x\nq,b,1,y\n', "unexpected end of data"),
    "a comma too many": ("run.csv", "query,title,document,score\n1,a, b,7,3\n1,x,8,2\n", "header has 4 fields, and this line has 5"),
    "text after a closing quote": ("run.csv", 'query,document,score\nq,"a"b,2\n', "this line is not CSV"),
    "bytes that are not text": ("run.parquet", parquet(query=["q"], document=[b"\x01\x00\x00\x00"], score=[1.0]), "is not"),
    "scores as bytes": ("run.parquet", parquet(query=["q"], document=["a"], score=[b"1"]), "the score must be a number"),
    "a text with a null character": ("run.csv", "query,document,score\nq,a\0b,2\n", "binary file of no known format"),
}  # fmt: skip


@for_each("way", WAYS)
@for_each("case", REFUSED)
def test_every_engine_refuses_what_cannot_be_read(tmp_path, case, way):
    path, content, fault = REFUSED[case]
    run = written(tmp_path / path, content)
    with pytest.raises(rankgold.DataError, match=fault):
        scores_of({"q": {"a": 1}, 1: {8: 1}}, run, way)


def in_parts(folder, **parts):
    for name, content in parts.items():
        written(folder / name.replace("__", "/").replace("_", "."), content)


def test_the_parts_of_a_run_are_read_by_the_names_and_the_widest_types_of_their_columns(tmp_path):
    in_parts(
        tmp_path,
        a_parquet=parquet(query=["q", "q"], document=[7, 8], score=[3, 2]),
        b_parquet=parquet(score=[3.4, 2.6], document=["07", "x"], query=["q", "q"]),
    )
    rows = {"q": {"7": 3, "8": 2, "07": 3.4, "x": 2.6}}
    assert held(scores_of(judgements(rows), tmp_path / "*.parquet", "duckdb")) == held(
        scores_of(judgements(rows), rows)
    )


def test_judgements_in_parts_are_read_alike_by_all_engines(tmp_path):
    in_parts(tmp_path, a_parquet=parquet(query=["q"], document=["a"], grade=[1]))
    in_parts(tmp_path, b_parquet=parquet(query=["q"], document=["b"], grade=[2.5]))
    run = {"q": {"a": 2, "b": 1}}
    # DCG = 1 / log2(2) + 2.5 / log2(3), and the ideal is 2.5 / log2(2) + 1 / log2(3).
    for way in WAYS:
        assert scores_of(str(tmp_path / "*.parquet"), run, way)["ndcg"] == pytest.approx(2.5773243839 / 3.1309297536)


def test_comments_in_judgements_in_parts_are_no_queries(tmp_path):
    in_parts(tmp_path, a_txt="q 0 a 1\n#q 0 b 1\n", b_txt="p 0 a 1\n")
    for way in WAYS:
        scores = scores_of(str(tmp_path / "*.txt"), {"q": {"a": 1}, "p": {"a": 1}}, way)
        assert scores["ndcg"] == 1
        assert scores.per_query["query"].to_list() == ["q", "p"]


def test_duckdb_takes_the_names_of_folders_for_a_column_that_the_files_lack(tmp_path):
    part = parquet(document=["a", "b"], score=[2, 1])
    in_parts(
        tmp_path,
        **{"query=07__part_parquet": part, "query=2020-1-1__part_parquet": part, "query=a%20b__part_parquet": part},
    )
    rows = {query: {"a": 2, "b": 1} for query in ("07", "2020-1-1", "a b")}
    assert held(scores_of(judgements(rows), tmp_path / "*" / "*.parquet", "duckdb")) == held(
        scores_of(judgements(rows), rows)
    )


def test_a_column_in_the_files_counts_more_than_a_folder(tmp_path):
    part = parquet(query=["q", "q"], document=["a", "b"], score=[2, 1])
    in_parts(tmp_path, **{"query=7__part_parquet": part})
    rows = {"q": {"a": 2, "b": 1}}
    assert held(scores_of(judgements(rows), tmp_path / "*" / "*.parquet", "duckdb")) == held(
        scores_of(judgements(rows), rows)
    )


def test_a_key_that_only_the_last_of_many_files_has_is_read(tmp_path):
    for number in range(40):
        record = {"query": f"q{number}", "document": "a", "score": 1} | ({"run": "new"} if number == 39 else {})
        in_parts(tmp_path, **{f"{number:02}_jsonl": json_lines(record)})
    with pytest.raises(rankgold.DataError, match="the run is missing"):
        scores_of({"q1": {"a": 1}}, tmp_path / "*.jsonl", "duckdb")


def test_folders_at_any_depth_are_a_pattern_for_duckdb(tmp_path):
    for query in ("07", "8"):
        written(tmp_path / "run=x" / f"query={query}" / "part.parquet", parquet(document=["a", "b"], score=[2, 1]))
    scores = rankgold.evaluate({"07": {"b": 1}, "8": {"a": 1}}, tmp_path / "**" / "*.parquet", ["rr"], engine="duckdb")
    assert scores.per_query.rows() == [("07", 0.5), ("8", 1)]


def test_several_files_that_duckdb_reads_only_one_by_one_are_an_error(tmp_path):
    for name in ("a.arrow", "b.arrow"):
        pl.DataFrame({"query": ["q"], "document": [name], "score": [1.0]}).write_ipc(tmp_path / name)
    with pytest.raises(rankgold.DataError, match="DuckDB reads Arrow only from a single file"):
        rankgold.evaluate({"q": {"a.arrow": 1}}, tmp_path / "*.arrow", ["rr"], engine="duckdb")


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ('query,document,score\nq, "a",2\n', "a space is beside a quote"),
        ("query,document,score,score\nq,a,2,1\n", "two columns are called 'score'"),
    ],
)
def test_what_duckdb_would_misread_in_several_files_is_an_error(tmp_path, content, fault):
    in_parts(tmp_path, a_csv=content, b_csv=content)
    with pytest.raises(rankgold.DataError, match=fault):
        scores_of({"q": {"a": 1}}, tmp_path / "*.csv", "duckdb")


def test_dates_and_times_are_the_same_ids_in_dicts_and_in_frames():
    at = dt.datetime(2020, 7, 1, 0, 30, 0, 400000, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    run = pl.DataFrame({"query": ["q"], "document": [at], "score": [1.0]})
    assert scores_of({"q": {at: 1}}, run)["num_rel_ret"] == 1
    assert scores_of({"q": {"2020-06-30 22:30:00.4+00:00": 1}}, {"q": {at: 1}})["num_rel_ret"] == 1


ON_SPARK = {
    "a comma too many": ("run.csv", "query,title,document,score\nq,a, b,7,3\nq,x,8,2\n", "the header has 4 fields"),
    "a table that is not UTF-8": ("run.csv", "query,document,score\nq,é,2\n", "this is not UTF-8 text"),
    "a TREC file that is not UTF-8": ("run.trec", "q Q0 é 1 2 t\n", "this is not UTF-8 text"),
    "a number of Java's": ("run.csv", "query,document,score\nq,a,2\nq,b,1d\n", "must be a finite number"),
    "a column that is there twice": ("run.csv", "query,document,score,score\nq,a,2,1\n", "two columns are called"),
    "bytes that are not text": (
        "run.parquet",
        parquet(query=["q"], document=[b"\x01\x00\x00\x00"], score=[1.0]),
        "is not an id",
    ),
    "two objects in a line": (
        "run.jsonl",
        '{"query": "q", "doc": "b", "score": 2} {"query": "q", "doc": "a", "score": 1}\n',
        'a line is not one JSON object: \'{"query": "q", ',
    ),
    "a comma between two objects": ("run.jsonl", '{"query": "q", "doc": "b"}, {}\n', "a line is not one JSON object"),
    "a bracket after an object": ("run.jsonl", '{"query": "q", "doc": "b"}] 7\n', "a line is not one JSON object"),
}


@pytest.mark.spark
@pytest.mark.parametrize("case", ON_SPARK)
def test_spark_refuses_what_cannot_be_read(spark, tmp_path, case):
    path, content, fault = ON_SPARK[case]
    run = written(tmp_path / path, content, "latin-1")
    with pytest.raises(rankgold.DataError, match=fault):
        rankgold.evaluate({"q": {"a": 1}}, run, ["num_ret"], engine=spark)


@pytest.mark.spark
@pytest.mark.parametrize("session", ["classic", "connect"])
def test_spark_reads_json_lines_with_nan_brackets_in_text_and_a_mark_in_front(tmp_path, session):
    run = tmp_path / "run.jsonl"
    first = '{"query": "q", "doc": "b] {", "score": 2, "loss": NaN, "more": {"of": [-Infinity]}}'
    run.write_text("\ufeff" + first + '\n\n{"query": "q", "doc": "a", "score": 1}')
    # a is at rank 2.
    assert rankgold.evaluate({"q": {"a": 1}}, run, ["rr"], engine=sessions()[session])["rr"] == 0.5


PARIS = dt.timezone(dt.timedelta(hours=2))
INSTANTS = [dt.datetime(2020, 10, 25, hour, 30, 0, 400000, tzinfo=PARIS) for hour in (2, 3)]
"""In zones with summer time the clock of one place may show the same for both."""


@pytest.mark.spark
@pytest.mark.parametrize(("session", "zone"), [("classic", "America/New_York"), ("connect", "Europe/Paris")])
def test_times_with_a_time_zone_are_the_same_ids_on_spark_whatever_its_own_zone(tmp_path, session, zone):
    session = sessions()[session]
    own_zone = session.conf.get("spark.sql.session.timeZone")
    pl.DataFrame({"query": INSTANTS, "document": INSTANTS, "score": [2.0, 1.0]}).write_parquet(tmp_path / "run.parquet")
    # The second time is at rank 1 of its own query. The texts are those of UTC, worked by hand.
    texts = ("2020-10-25 00:30:00.4+00:00", "2020-10-25 01:30:00.4+00:00")
    session.conf.set("spark.sql.session.timeZone", zone)
    try:
        for first, second in (INSTANTS, texts):
            judged = {first: {second: 1}, second: {second: 1}}
            scores = rankgold.evaluate(judged, tmp_path / "run.parquet", ["rr"], engine=session)
            assert scores.per_query["rr"].to_list() == [0, 1]
        frame = session.read.parquet(str(tmp_path / "run.parquet"))
        attributes = frame.selectExpr("query", "if(score > 1, 'a', 'b') as letter")
        judged = frame.selectExpr("query", "document", "1 as rel")
        scores = rankgold.evaluate(judged, frame, ["rr"], by=attributes, exclude={texts[0]: [texts[0]]}, topics=texts)
        assert [row["query"] for row in scores.per_query.to_dicts()] == [*texts]
        assert scores.per_query["rr"].to_list() == [0, 1]
        assert (scores.slices["a"].means, scores.slices["b"].means) == ({"rr": 0}, {"rr": 1})
    finally:
        session.conf.set("spark.sql.session.timeZone", own_zone)


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
def test_times_with_a_time_zone_are_the_same_ids_in_duckdb(tmp_path, unit):
    ids = pl.Series(INSTANTS).cast(pl.Datetime(unit, "Europe/Paris"))
    pl.DataFrame({"query": ["q", "q"], "document": ids, "score": [2.0, 1.0]}).write_parquet(tmp_path / "run.parquet")
    for document in (INSTANTS[1], "2020-10-25 01:30:00.4+00:00"):
        for engine in ("local", "duckdb"):
            scores = rankgold.evaluate({"q": {document: 1}}, tmp_path / "run.parquet", ["rr"], engine=engine)
            assert scores["rr"] == 0.5, engine


@pytest.mark.spark
def test_spark_reads_short_lines_and_leaves_out_blank_ones(spark, tmp_path):
    run = tmp_path / "run.csv"
    run.write_text('query,document,score,title\nq,a,3\n,,,\n\nq,b,2,5" disk\nq,c,1,x\n')
    assert rankgold.evaluate({"q": {"a": 1, "b": 1, "c": 1}}, run, ["ap"], engine=spark)["ap"] == 1


@pytest.mark.spark
def test_files_with_other_columns_than_the_first_are_an_error_on_spark(spark, tmp_path):
    in_parts(tmp_path, a_csv="query,document,score\nq,7,3\n", b_csv="query,score,document\nq,5,8\n")
    with pytest.raises(rankgold.DataError, match="CSV header"):
        rankgold.evaluate({"q": {"7": 1, "5": 1}}, tmp_path / "*.csv", ["ap"], engine=spark)


@pytest.mark.spark
@pytest.mark.parametrize("session", ["classic", "connect"])
def test_names_of_folders_are_as_they_are_written_on_spark_and_columns_of_files_come_first(tmp_path, session):
    content = parquet(document=["a", "b"], score=[2.0, 1.0])
    for folder in ("query=007", "query=2020-01-01 10%3A00%3A00", "query=1+1'"):
        written(tmp_path / "named" / folder / "run.parquet", content)
    judged = {"007": {"a": 1}, "2020-01-01 10:00:00": {"b": 1}, "1+1'": {"a": 1}}
    scores = rankgold.evaluate(judged, tmp_path / "named", ["rr"], engine=sessions()[session])
    assert {row["query"]: row["rr"] for row in scores.per_query.to_dicts()} == dict(
        zip(judged, [1, 0.5, 1], strict=True)
    )
    inside = parquet(query=[1, 1], document=["a", "b"], score=[2.0, 1.0])
    written(tmp_path / "inside" / "query=7" / "run.parquet", inside)
    assert rankgold.evaluate({"1": {"b": 1}}, tmp_path / "inside", ["rr"], engine=sessions()[session])["rr"] == 0.5
    written(tmp_path / "missing" / "query=__HIVE_DEFAULT_PARTITION__" / "run.parquet", content)
    with pytest.raises(rankgold.DataError, match="the query is missing"):
        rankgold.evaluate({"1": {"b": 1}}, tmp_path / "missing", ["rr"], engine=sessions()[session])


@pytest.mark.spark
@pytest.mark.parametrize(
    ("session", "content"),
    [("classic", parquet(document=["a", "b"], score=[2, 1])), ("connect", "document,score\na,2\nb,1\n")],
    ids=["Parquet", "CSV"],
)
def test_names_of_folders_are_columns_on_spark_in_patterns_and_of_tables_of_text_too(tmp_path, session, content):
    ending = "csv" if isinstance(content, str) else "parquet"
    for folder in ("run=x/query=07", "run=x/query=8", "run=y z/query=07"):
        written(tmp_path / "in" / folder / f"part.{ending}", content)
    judged = {"07": {"b": 1}, "8": {"a": 1}}
    for path in (tmp_path / "in", tmp_path / "in" / "*" / "*" / f"*.{ending}"):
        scores = rankgold.evaluate(judged, path, ["rr"], engine=sessions()[session])
        # x has 1/2 and 1. y z ranks the first query alone.
        assert scores.means == {"x": {"rr": 0.75}, "y z": {"rr": 0.25}}
    written(tmp_path / "in" / "other" / "more" / f"part.{ending}", content)
    with pytest.raises(rankgold.DataError, match="the query is missing"):
        rankgold.evaluate(judged, tmp_path / "in" / "*" / "*" / f"*.{ending}", ["rr"], engine=sessions()[session])
