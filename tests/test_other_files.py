"""Every other format of files, and the names by which their columns are known."""

import gzip
import io
import json
import os

import polars as pl
import pytest
import zstandard

import rankgold
from tests.cases import for_each
from tests.shell import printed

# q1 ranks d2, d1, d5, d3 and d1, d3 are relevant: AP = (1/2 + 2/4) / 2 = 1/2, P@2 = 1/2.
# q2 ranks d4, d9 and d4 is relevant: AP = 1, P@2 = 1/2.
QRELS = [("q1", "d1", 2), ("q1", "d2", 0), ("q1", "d3", 1), ("q2", "d4", 1)]
RUN = [("q1", "d2", 0.9), ("q1", "d1", 0.8), ("q1", "d5", 0.7), ("q1", "d3", 0.6), ("q2", "d4", 1.5), ("q2", "d9", 1.0)]
MEANS = {"ap": 3 / 4, "p@2": 1 / 2}

ALIASES = {
    "query": ["query", "query_id", "qid", "q_id", "topic", "user", "userid", "user_id"],
    "document": ["doc", "docid", "doc_id", "docno", "document", "item", "itemid", "item_id"],
    "grade": ["grade", "relevance", "rel", "label", "relscore", "rating"],
    "score": ["score", "sim", "prediction", "predicted"],
}


def separated(rows, columns, separator):
    return "".join(separator.join(map(str, row)) + "\n" for row in [columns, *rows]).encode()


def records(rows, columns):
    return [dict(zip(columns, row, strict=True)) for row in rows]


def nested(rows):
    tables = {}
    for query, document, number in rows:
        tables.setdefault(query, {})[document] = number
    return tables


def frame_bytes(rows, columns, write):
    out = io.BytesIO()
    getattr(pl.DataFrame(rows, schema=columns, orient="row"), write)(out)
    return out.getvalue()


FORMATS = {
    "csv": lambda rows, columns: separated(rows, columns, ","),
    "tsv": lambda rows, columns: separated(rows, columns, "\t"),
    "parquet": lambda rows, columns: frame_bytes(rows, columns, "write_parquet"),
    "arrow": lambda rows, columns: frame_bytes(rows, columns, "write_ipc"),
    "feather": lambda rows, columns: frame_bytes(rows, columns, "write_ipc"),
    "json": lambda rows, columns: json.dumps(nested(rows)).encode(),
    "records.json": lambda rows, columns: json.dumps(records(rows, columns), indent=1).encode(),
    "jsonl": lambda rows, columns: "\n".join(map(json.dumps, records(rows, columns))).encode(),
    "ndjson": lambda rows, columns: "\n\n".join(map(json.dumps, records(rows, columns))).encode() + b"\r\n",
}
TEXT = ["csv", "tsv", "json", "records.json", "jsonl"]
PACKINGS = {"gz": gzip.compress, "zst": zstandard.ZstdCompressor().compress}


@pytest.fixture
def written(tmp_path):
    def write(name, content):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(tmp_path / name)

    return write


@pytest.fixture
def collection(written):
    """A function that writes the collection in a format, and gives both paths."""

    def write(format_, qrels_columns=("query", "doc", "grade"), run_columns=("query", "doc", "score"), pack=bytes):
        make = FORMATS[format_]
        return (
            written(f"collection.{format_}", pack(make(QRELS, list(qrels_columns)))),
            written(f"system.{format_}", pack(make(RUN, list(run_columns)))),
        )

    return write


def means(qrels, run, **options):
    return rankgold.evaluate(qrels, run, ["ap", "p@2"], **options).means


@for_each("format_", FORMATS)
def test_every_format_gives_the_same_numbers_and_the_file_names_the_run(collection, format_):
    scores = rankgold.evaluate(*collection(format_), ["ap", "p@2"])
    assert scores.means == MEANS
    assert scores.runs == ["system" if format_ != "records.json" else "system.records"]


@for_each("engine", ["local", "duckdb"])
@for_each("format_", [*FORMATS, "csv.gz"])
def test_the_name_of_a_file_need_not_be_utf_8(written, format_, engine):
    make, pack = FORMATS[format_.removesuffix(".gz")], gzip.compress if format_.endswith(".gz") else bytes
    qrels = written(os.fsdecode(b"q\xff." + format_.encode()), pack(make(QRELS, ["query", "doc", "grade"])))
    run = written(os.fsdecode(b"r\xff." + format_.encode()), pack(make(RUN, ["query", "doc", "score"])))
    scores = rankgold.evaluate(qrels, [run, run], ["ap", "p@2"], engine=engine)
    name = "r\\udcff.records" if format_ == "records.json" else "r\\udcff"
    assert scores[name].means == MEANS
    assert scores.per_query["run"].unique(maintain_order=True).to_list() == [name, f"{name} (2)"]


def test_a_file_that_is_not_there_may_have_a_name_that_is_not_utf_8():
    for engine in ("local", "duckdb"):
        with pytest.raises(rankgold.DataError, match=r"^no\\udcff: there is no such file\.$"):
            rankgold.evaluate({"q": {"d": 1}}, "no\udcff", ["ap"], engine=engine)


@for_each("packing", PACKINGS)
@for_each("format_", TEXT)
def test_every_text_format_may_be_packed(written, format_, packing):
    qrels = written(
        f"collection.{format_}.{packing}", PACKINGS[packing](FORMATS[format_](QRELS, ["qid", "doc", "rel"]))
    )
    run = written(f"system.{format_}.{packing}", PACKINGS[packing](FORMATS[format_](RUN, ["qid", "doc", "sim"])))
    scores = rankgold.evaluate(qrels, run, ["ap", "p@2"])
    assert scores.means == MEANS
    assert scores.runs == ["system" if format_ != "records.json" else "system.records"]


@for_each("format_", ["csv", "tsv", "json", "records.json", "jsonl", "parquet", "arrow"])
def test_the_content_tells_the_format_where_the_name_does_not(written, format_):
    qrels = written("qrels.txt", FORMATS[format_](QRELS, ["query", "doc", "grade"]))
    assert means(qrels, written("run", FORMATS[format_](RUN, ["query", "doc", "score"]))) == MEANS


@for_each(("role", "alias"), [(role, alias) for role, names in ALIASES.items() for alias in names])
@for_each("spelled", [str, str.upper, lambda name: name.title().replace("_", "-")])
def test_columns_are_known_by_many_names(collection, role, alias, spelled):
    qrels, run = {"query": "query", "document": "document"}, {"query": "query", "document": "document"}
    qrels["grade"], run["score"] = "grade", "score"
    for side in (qrels, run):
        if role in side:
            side[role] = spelled(alias)
    assert means(*collection("csv", qrels.values(), run.values())) == MEANS


@for_each("format_", ["csv", "tsv", "parquet", "records.json", "jsonl"])
def test_columns_that_no_one_knows_are_named_in_python_and_at_the_shell(collection, format_):
    qrels, run = collection(format_, ["frage", "antwort", "güte"], ["frage", "antwort", "wert"])
    names = {"query": "frage", "document": "antwort", "grade": "güte", "score": "wert"}
    assert means(qrels, run, columns=names) == MEANS
    options = [part for role, column in names.items() for part in ("--column", f"{role}={column}")]
    shown = printed("evaluate", qrels, run, "-m", "ap", "-m", "p@2", "-f", "csv", *options)
    stem = "system" if format_ != "records.json" else "system.records"
    assert shown == f"run,ap,p@2\n{stem},0.75,0.5\n"


def test_a_named_column_is_preferred_to_a_known_one(written):
    # By the column score, b stands first; by the column logit, a does.
    qrels = written("q.csv", "query,doc,grade\nq,a,1\n")
    run = written("r.csv", "query,doc,score,logit\nq,a,1,9\nq,b,2,8\n")
    assert rankgold.evaluate(qrels, run, ["rr"])["rr"] == 0.5
    assert rankgold.evaluate(qrels, run, ["rr"], columns={"score": "logit"})["rr"] == 1.0


def test_the_order_of_columns_and_columns_of_no_use_do_not_matter(written):
    qrels = written("q.csv", "comment,grade,doc,query\n" + "".join(f'"a, b",{g},{d},{q}\n' for q, d, g in QRELS))
    run = written("r.tsv", "title\tscore\tdoc\tquery\n" + "".join(f"x\t{s}\t{d}\t{q}\n" for q, d, s in RUN))
    assert means(qrels, run) == MEANS


@for_each("format_", ["csv", "tsv", "parquet", "records.json", "jsonl"])
def test_judgements_of_just_queries_and_documents_are_all_relevant_and_this_is_noted(written, format_):
    relevant = [(query, document) for query, document, grade in QRELS if grade]
    qrels = written(f"q.{format_}", FORMATS[format_](relevant, ["user_id", "item_id"]))
    scores = rankgold.evaluate(
        qrels, written("r.csv", separated(RUN, ["user_id", "item_id", "score"], ",")), ["ap", "p@2"]
    )
    assert scores.means == MEANS
    (remark,) = scores.notes.remarks
    assert "no column of grades" in remark
    assert "grade 1" in remark


def test_the_header_of_beir_is_known(written):
    qrels = written("test.tsv", separated(QRELS, ["query-id", "corpus-id", "score"], "\t"))
    assert means(qrels, written("r.tsv", separated(RUN, ["query-id", "corpus-id", "score"], "\t"))) == MEANS


@pytest.mark.parametrize("format_", ["csv", "parquet", "jsonl"])
def test_a_rank_does_where_there_is_no_score(written, format_):
    ranked = [("q1", "d3", 4), ("q1", "d2", 1), ("q2", "d9", 20), ("q1", "d5", 3), ("q1", "d1", 2), ("q2", "d4", 10)]
    qrels = written(f"q.{format_}", FORMATS[format_](QRELS, ["query", "doc", "grade"]))
    assert means(qrels, written(f"r.{format_}", FORMATS[format_](ranked, ["query", "doc", "rank"]))) == MEANS


def test_a_score_counts_where_there_is_a_rank_too(written):
    qrels = written("q.csv", "query,doc,grade\nq,a,1\n")
    run = written("r.csv", "query,doc,rank,score\nq,a,1,5\nq,b,2,6\n")
    assert rankgold.evaluate(qrels, run, ["rr"])["rr"] == 0.5


@for_each("format_", ["csv", "parquet", "jsonl"])
@for_each("column", ["run", "system", "tag"])
def test_a_column_of_runs_tells_several_apart(written, format_, column):
    rows = [(*row, "up") for row in RUN] + [
        ("q1", "d1", 2.0, "down"),
        ("q1", "d3", 1.0, "down"),
        ("q2", "d4", 1.0, "down"),
    ]
    qrels = written(f"q.{format_}", FORMATS[format_](QRELS, ["query", "doc", "grade"]))
    run = written(f"r.{format_}", FORMATS[format_](rows, ["query", "doc", "score", column]))
    # down ranks d1, d3 for q1: AP = (1/1 + 2/2) / 2 = 1.
    assert rankgold.evaluate(qrels, run, ["ap"])["ap"] == {"up": 0.75, "down": 1.0}


def test_json_may_hold_ranked_lists_and_lists_of_what_is_relevant(written):
    qrels = written("q.json", json.dumps({"q1": ["d1", "d3"], "q2": ["d4"]}))
    run = written("r.json", json.dumps({"q1": ["d2", "d1", "d5", "d3"], "q2": ["d4", "d9"]}))
    assert means(qrels, run) == MEANS


@for_each("format_", ["csv", "json", "jsonl", "parquet"])
@for_each("packing", ["", ".gz"])
def test_a_dot_in_the_stem_belongs_to_the_name_of_the_run(written, format_, packing):
    content = FORMATS[format_](RUN, ["query", "doc", "score"])
    if packing and format_ == "parquet":
        packing = ""
    run = written(f"bm25.k1=0.9.{format_}{packing}", gzip.compress(content) if packing else content)
    assert rankgold.evaluate({"q1": {"d1": 1}}, run, ["ap"]).runs == ["bm25.k1=0.9"]


def test_json_may_hold_several_runs_by_name(written):
    qrels = written("q.json", json.dumps(nested(QRELS)))
    run = written("r.json", json.dumps({"up": nested(RUN), "down": {"q1": {"d1": 2, "d3": 1}, "q2": {"d4": 1}}}))
    assert rankgold.evaluate(qrels, run, ["ap"])["ap"] == {"up": 0.75, "down": 1.0}


def test_ids_in_csv_stay_text_and_ids_of_json_numbers_match_them(written):
    qrels = written("q.csv", "query,doc,grade\n1,007,1\n1,7,0\n")
    assert rankgold.evaluate(qrels, written("r.csv", "query,doc,score\n1,7,2\n1,007,1\n"), ["rr"])["rr"] == 0.5
    # The document 7 is written as a number here, and is the one of grade 0.
    run = written("r.jsonl", '{"query": 1, "doc": 7, "score": 2}\n{"query": 1, "doc": "007", "score": 1}\n')
    assert rankgold.evaluate(qrels, run, ["rr"])["rr"] == 0.5


@for_each("form", ["bom", "crlf", "quoted", "spaces", "blank last line", "blank lines"])
def test_csv_may_have_a_bom_crlf_quotes_blank_lines_and_spaces_in_its_header(written, form):
    def shaped(rows, columns):
        text = separated(rows, columns, ",").decode()
        if form == "quoted":
            return "".join('"' + line.replace(",", '","') + '"\n' for line in text.splitlines())
        return {
            "bom": "\ufeff" + text,
            "crlf": text.replace("\n", "\r\n"),
            "spaces": text.replace(",", " , ", 2),
            "blank last line": text + "\n",
            "blank lines": text.replace("\n", "\n\n"),
        }[form]

    qrels = written("q.csv", shaped(QRELS, ["query", "doc", "grade"]))
    assert means(qrels, written("r.csv", shaped(RUN, ["query", "doc", "score"]))) == MEANS


def test_the_frame_of_a_file_has_the_roles_as_its_columns(collection):
    qrels, run = collection("tsv", ["qid", "docno", "label"], ["qid", "docno", "sim"])
    assert rankgold.read_qrels(qrels).columns == ["query", "document", "grade"]
    assert rankgold.read_qrels(qrels).rows()[0] == ("q1", "d1", 2.0)
    assert rankgold.read_run(run).rows()[0] == ("q1", "d2", 0.9)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('query,doc,score\n"q\n1",d1,1\nq2,d1,x\n', 4),
        ('query,doc,score\nq1,"a\n\nb",1\n\nq2,"c\nd",x\n', 6),
        ("query,doc,score\n\nq1,d1,1\nq2,d1,x\n", 4),
    ],
)
def test_a_fault_is_reported_with_its_line_where_fields_hold_ends_of_lines(tmp_path, monkeypatch, content, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.csv").write_text(content)
    with pytest.raises(rankgold.DataError) as caught:
        rankgold.evaluate({"q2": {"d1": 1}}, "run.csv", ["rr"])
    assert str(caught.value).startswith(f"run.csv:{line}: the score must be")


@pytest.mark.parametrize("name", ["run.csv", "run.txt"])
def test_a_table_with_semicolons_is_read_as_it_is(tmp_path, name):
    path = tmp_path / name
    path.write_text("query;document;score\nq1;a,b;0.5\nq1;c;0.7\n")
    assert rankgold.evaluate({"q1": {"a,b": 1}}, str(path), ["rr"])["rr"] == 0.5


def test_a_rank_that_is_missing_is_called_a_rank(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("query,document,rank\nq1,a,1\nq1,b,\n")
    with pytest.raises(rankgold.DataError, match=r"run\.csv:3: the rank is missing"):
        rankgold.evaluate({"q1": {"a": 1}}, str(path), ["rr"])
