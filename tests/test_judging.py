"""What to judge next, pools, and sheets that are filled in and read back."""

import csv
import io
import json
import random
import subprocess
import sys

import polars as pl
import pytest

import rankgold
from rankgold.core.errors import DataError
from tests.shell import printed, refused

QRELS = {"q1": {"d1": 1}}
AHEAD = {"q1": {"x": 3.0, "d1": 2.0, "y": 1.0}}
BEHIND = {"q1": {"d1": 3.0, "y": 2.0}}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    (tmp_path / "a.trec").write_text("q1 Q0 x 1 3 a\nq1 Q0 d1 2 2 a\nq1 Q0 y 3 1 a\n")
    (tmp_path / "b.trec").write_text("q1 Q0 d1 1 3 b\nq1 Q0 y 2 2 b\n")
    return tmp_path


def test_the_effect_of_a_document_on_one_run_is_what_its_judgement_changes():
    sheet = rankgold.judge_next(QRELS, AHEAD, "dcg")
    # x at rank 1 adds 1, y at rank 3 adds 1 / log2(4).
    assert sheet.frame.select("query", "document", "grade", "effect", "rank").rows() == [
        ("q1", "x", None, 1.0, 1),
        ("q1", "y", None, 0.5, 3),
    ]


def test_documents_that_change_nothing_are_left_out():
    assert rankgold.judge_next(QRELS, AHEAD, "rr").frame["document"].to_list() == ["x"]
    assert rankgold.judge_next(QRELS, {"q1": {"d1": 1.0}}, "rr").frame.is_empty()


def test_the_effect_on_several_runs_is_on_their_differences():
    runs = {"a": AHEAD, "b": BEHIND, "c": {"q1": {"d1": 2.0, "x": 1.0}}}
    # p@2 divides by 2. x is in the first two of a and c; y in those of b only.
    sheet = rankgold.judge_next(QRELS, runs, "p@2")
    assert dict(sheet.frame.select("document", "effect").rows()) == {"x": 1.0, "y": 1.0}
    against_a = rankgold.judge_next(QRELS, runs, "p@2", baseline="a")
    assert dict(against_a.frame.select("document", "effect").rows()) == {"x": 0.5, "y": 0.5}
    # Against b, both documents are in the first two of one of two runs, twice.
    against_b = rankgold.judge_next(QRELS, runs, "p@2", baseline="b")
    assert dict(against_b.frame.select("document", "effect").rows()) == {"x": 1.0, "y": 1.0}
    with pytest.raises(DataError, match="There is no run 'd'"):
        rankgold.judge_next(QRELS, runs, "p@2", baseline="d")


def test_judging_what_comes_first_narrows_the_bounds_more_than_judging_at_random():
    rng = random.Random(3)
    ids = [f"d{i}" for i in range(30)]
    truth = {f"q{i}": {d: rng.choice([0, 0, 1, 2]) for d in ids} for i in range(6)}
    run = {query: {d: rng.random() for d in rng.sample(ids, 15)} for query in truth}
    known = {query: {d: g for d, g in row.items() if rng.random() < 0.5} for query, row in truth.items()}

    def width(chosen):
        judged = {query: dict(row) for query, row in known.items()}
        for query, document in chosen:
            judged[query][document] = truth[query][document]
        low, high = rankgold.bounds(judged, run, ["dcg@10"], max_grade=2).means["dcg@10"]
        return high - low

    first = rankgold.judge_next(known, run, "dcg@10", n=10).frame.select("query", "document").rows()
    open_pairs = [(query, d) for query, row in run.items() for d in row if d not in known[query]]
    assert len(first) == 10
    assert width(first) < width(rng.sample(open_pairs, 10))


def test_a_sheet_has_the_texts_of_queries_and_documents():
    sheet = rankgold.judge_next(QRELS, AHEAD, "rr", query_texts={"q1": "to be"}, doc_texts={"x": "or not"})
    assert sheet.frame.columns[-2:] == ["query_text", "document_text"]
    assert sheet.frame.row(0)[-2:] == ("to be", "or not")


def test_a_filled_in_sheet_is_merged_into_the_judgements(files):
    sheet = files / "sheet.csv"
    printed(
        "judge-next", *(str(files / name) for name in ("qrels.txt", "a.trec", "b.trec")), "-m", "dcg", "-o", str(sheet)
    )
    lines = sheet.read_text().splitlines()
    assert lines[0] == "query,document,grade,effect,rank"
    assert [line.split(",")[:3] for line in lines[1:]] == [["q1", "x", ""], ["q1", "y", ""]]
    sheet.write_text("\n".join([lines[0], lines[1].replace("x,,", "x, 2 ,"), lines[2]]) + "\n")
    assert printed("merge-qrels", str(files / "qrels.txt"), str(sheet)) == "q1 0 d1 1\nq1 0 x 2\n"


def test_a_wrong_grade_in_a_sheet_is_an_error_that_names_its_line(files):
    (files / "sheet.tsv").write_text("query\tdocument\tgrade\nq1\tx\t\nq1\ty\tgood\n")
    assert "sheet.tsv:3: " in refused("merge-qrels", str(files / "sheet.tsv"))
    (files / "none.csv").write_text("query,document,effect\nq1,x,1\n")
    assert "cannot tell which column holds the grade" in refused("merge-qrels", str(files / "none.csv"))


def test_the_line_of_a_wrong_grade_is_right_after_a_cell_of_several_lines(tmp_path):
    (tmp_path / "sheet.csv").write_text('query,document,grade,text\nq,a,,"one\ntwo\nthree"\nq,b,1,x\nq,c,high,\n')
    with pytest.raises(DataError, match=r"sheet\.csv:6: the grade must be a finite number, not 'high'"):
        rankgold.merge_qrels(tmp_path / "sheet.csv")


def test_a_list_of_relevant_documents_has_grade_1(tmp_path):
    (tmp_path / "relevant.csv").write_text("query,document\nq1,x\n")
    assert rankgold.merge_qrels(str(tmp_path / "relevant.csv")).rows() == [("q1", "x", 1.0)]


HOSTILE = ["=1+1", "@x", "-a", "'quoted", "a,b", 'say "a"', "日本", "<b>", "7", "+5", "a;b"]
# Each of these was written as the next one, or refused, and none may become another.
ALIKE = [
    "\xa0",
    r"\xa0",
    "\x1b",
    r"\x1b",
    "=1",
    "'=1",
    "''=1",
    "'-1",
    "a\u3000b",
    "a\tb",
    "a\nb",
    "a\r\nb",
    "\n=1",
    "\x85",
]


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.tsv"])
def test_ids_come_back_from_a_sheet_as_they_were(tmp_path, name):
    run = {"q 1": {id_: float(i) for i, id_ in enumerate(HOSTILE)}}
    sheet = rankgold.pool(run, k=20)
    text = sheet.to_csv() if name.endswith("csv") else sheet.to_tsv()
    rows = [line for line in text.splitlines() if line]
    filled = [rows[0], *(line.replace(",,", ",1,").replace("\t\t", "\t1\t") for line in rows[1:])]
    (tmp_path / name).write_text("\n".join(filled) + "\n", encoding="utf-8")
    assert sorted(rankgold.merge_qrels(str(tmp_path / name))["document"]) == sorted(HOSTILE)


def test_quotation_marks_in_the_texts_of_a_tsv_sheet_lose_no_row(tmp_path):
    texts = {"d1": '"Open', "d2": 'close"', "d3": '"A" and "B"'}
    sheet = rankgold.pool({"q": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}, doc_texts=texts)
    (tmp_path / "sheet.tsv").write_text(sheet.to_tsv().replace("\t\t", "\t1\t"))
    assert sorted(rankgold.merge_qrels(tmp_path / "sheet.tsv")["document"]) == ["d1", "d2", "d3"]


def test_a_quotation_mark_within_a_field_is_read_as_it_stands(tmp_path):
    rows = ["query,document,grade,title", 'q,d1,2,a 5" disk', "q,d2,1,plain", 'q,d3,,3.5" and 5" disks', 'q,5",0,']
    for name, separator in (("sheet.csv", ","), ("sheet.tsv", "\t")):
        (tmp_path / name).write_text("\n".join(row.replace(",", separator) for row in rows) + "\n")
        merged = rankgold.merge_qrels(tmp_path / name).rows()
        assert merged == [("q", "d1", 2.0), ("q", "d2", 1.0), ("q", '5"', 0.0)]


@pytest.mark.parametrize("lines", ['q 0 a,b 1\nq 0 a,b,c 2\nq 0 5" 0\n', 'q\t0 a,b 1\nq\t0\ta,b,c\t2\nq 0\t5" 0\n'])
def test_ids_of_a_trec_file_may_have_the_separators_of_tables(tmp_path, lines):
    path = tmp_path / "judged.qrels"
    path.write_text(lines)
    assert rankgold.merge_qrels(path).rows() == [("q", "a,b", 1.0), ("q", "a,b,c", 2.0), ("q", '5"', 0.0)]
    assert rankgold.agreement([path, path]).documents == 3


def test_ids_that_look_alike_come_back_from_a_sheet_in_csv_as_they_were(tmp_path):
    text = rankgold.pool({"q": dict.fromkeys([*HOSTILE, *ALIKE], 1.0)}, k=100).to_csv()
    with open(tmp_path / "sheet.csv", "w", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        sheet = csv.DictWriter(file, list(rows[0]))
        sheet.writeheader()
        sheet.writerows({**row, "grade": "1"} for row in rows)
    assert sorted(rankgold.merge_qrels(tmp_path / "sheet.csv")["document"]) == sorted([*HOSTILE, *ALIKE])


@pytest.mark.parametrize(("id_", "shown"), [("a\tb", r"'a\\tb'"), ("'=1", '"\'=1"')])
def test_an_id_that_would_come_back_as_another_one_is_not_written_to_a_sheet_in_tsv(id_, shown):
    with pytest.raises(DataError, match=f"the document {shown} cannot be in a line of TSV. Choose --format csv"):
        rankgold.pool({"q": {id_: 1.0}}).to_tsv()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("query,document,grade\nq,d,1\n".encode("utf-16"), "this is UTF-16 text. Convert the file to UTF-8."),
        (b"query,document,grade\rq,d,1\r", "its lines end with a carriage return alone"),
        (b"query,document,grade,probability,weight\nq,d,1,0.5,2\n", "there are columns 'probability' and 'weight'"),
    ],
)
def test_a_sheet_that_cannot_be_read_is_a_clear_error(tmp_path, content, message):
    (tmp_path / "sheet.csv").write_bytes(content)
    with pytest.raises(DataError, match=rf"sheet\.csv: {message}"):
        rankgold.merge_qrels(tmp_path / "sheet.csv")


def test_without_judgements_nothing_is_said_about_how_much_of_the_pool_is_judged():
    run = {"q": {"d1": 2.0, "d2": 1.0}}
    assert rankgold.pool(run).about == "2 documents in the first 10 of 1 run"
    assert rankgold.pool(run, qrels={"q": {"d1": 1}}).about == "2 documents in the first 10 of 1 run; 50.0% judged"


def test_the_pool_has_the_first_documents_of_all_runs():
    sheet = rankgold.pool({"a": AHEAD, "b": BEHIND}, k=2, qrels=QRELS)
    # a has x d1, b has d1 y; sorted by id, with the grade of what is judged.
    assert sheet.frame.rows() == [("q1", "d1", 1.0, 1, 2), ("q1", "x", None, 1, 1), ("q1", "y", None, 2, 1)]
    assert sheet.judged_share == pytest.approx(1 / 3)
    assert sheet.without_grades().frame["document"].to_list() == ["x", "y"]


def test_the_pool_of_one_run_with_ties_and_chunks_follows_the_policy():
    run = {"q1": {"a#1": 1.0, "a#2": 1.0, "b": 1.0}}
    assert rankgold.pool(run, k=1).frame["document"].to_list() == ["b"]
    assert rankgold.pool(run, k=1, policy="ties=ascending").frame["document"].to_list() == ["a#1"]
    assert rankgold.pool(run, k=2, parent="#", policy="chunks=best").frame["document"].to_list() == ["a", "b"]


def test_the_pool_at_the_shell(files):
    runs = [str(files / "a.trec"), str(files / "b.trec")]
    lines = printed("pool", *runs, "--depth", "1", "--qrels", str(files / "qrels.txt"), "--quiet").splitlines()
    assert lines == ["query,document,grade,rank,runs", "q1,d1,1,1,1", "q1,x,,1,1"]
    content = json.loads(printed("pool", *runs, "--depth", "1", "--qrels", str(files / "qrels.txt"), "-f", "json"))
    assert (content["count"], content["judged_share"]) == (2, 0.5)
    left = printed("pool", *runs, "--qrels", str(files / "qrels.txt"), "--unjudged", "-f", "tsv", "--quiet")
    assert [line.split("\t")[1] for line in left.splitlines()] == ["document", "x", "y"]
    assert "--depth: must be a whole number from 1" in refused("pool", *runs, "--depth", "0")
    assert "--unjudged needs --qrels" in refused("pool", *runs, "--unjudged")
    assert "Name a file that ends with .csv" in refused("pool", *runs, "-o", str(files / "sheet.xlsx"))


def test_texts_are_read_from_tabs_and_from_json_lines(files):
    (files / "queries.tsv").write_text("q1\thow to\n", encoding="utf-8")
    (files / "docs.jsonl").write_text('{"_id": "x", "title": "T", "text": "=b"}\n', encoding="utf-8")
    texts = ["--queries", str(files / "queries.tsv"), "--docs", str(files / "docs.jsonl")]
    paths = [str(files / "qrels.txt"), str(files / "a.trec")]
    lines = printed("judge-next", *paths, "-m", "rr", *texts).splitlines()
    assert lines[1] == "q1,x,,0.5,1,how to,T =b"
    (files / "queries.tsv").write_text("q1 how to\n")
    assert "queries.tsv:1: a line must have an id, a tab and a text" in refused("judge-next", *paths, *texts)
    (files / "docs.jsonl").write_text('{"text": 1}\n')
    assert "docs.jsonl:1: the record has no id" in refused("judge-next", *paths, *texts[2:])


def test_wrong_types_are_errors():
    run = {"q": {"d": 1.0}}
    with pytest.raises(DataError, match="doc_texts must be a dict from id to text, or the path of a file, not list"):
        rankgold.pool(run, doc_texts=["d"])
    with pytest.raises(DataError, match="there are no judgements: the list is empty"):
        rankgold.merge_qrels([])
    with pytest.raises(DataError, match="seed must be a whole number from 0, not -1"):
        rankgold.expect({"q": {"d": 1}}, run, ["rr"], seed=-1)


def test_wrong_numbers_are_errors():
    with pytest.raises(DataError, match="n must be a whole number from 1"):
        rankgold.judge_next(QRELS, AHEAD, n=0)
    with pytest.raises(DataError, match="ties=average has no single order"):
        rankgold.pool(AHEAD, policy="ties=average")
    for odd in ("high", True, float("nan"), float("inf")):
        with pytest.raises(DataError, match="grade must be a number"):
            rankgold.if_judged(QRELS, AHEAD, ["rr"], grade=odd)


def test_results_are_frames_and_tables():
    sheet = rankgold.judge_next(QRELS, AHEAD, "rr")
    assert isinstance(sheet.frame, pl.DataFrame)
    assert "effect" in sheet.to_markdown()
    assert "<table" in sheet.to_html()
    assert "tabular" in sheet.to_latex()
    assert "the value of run in rr" in repr(sheet)


def test_standard_input_is_read_once_beside_a_file_called_like_it(tmp_path):
    (tmp_path / "-").write_text("q1 0 x 2\n")
    command = [sys.executable, "-m", "rankgold", "merge-qrels", "-"]
    done = subprocess.run(command, input="q1 0 d1 1\n", capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("q1 0 d1 1\n", "")


def test_documents_below_a_cutoff_are_told_apart_from_those_above_it():
    run = {"q1": {"x": 4.0, "y": 3.0, "z": 2.0, "d1": 1.0}}
    found = rankgold.if_judged(QRELS, run, ["p@2"]).select("document", "rank", "value_if").rows()
    assert found == [("x", 1, 0.5), ("y", 2, 0.5), ("z", 3, 0.0)]


def test_a_sheet_is_a_table_with_texts_on_the_left_whose_rows_are_named_by_query_and_document():
    [table] = rankgold.judge_next({7: {1: 1}}, {7: {2: 3.0, 1: 2.0}}, "rr", query_texts={7: "how to"}).document().tables
    assert (table.header, table.rows) == (
        ["query", "document", "grade", "effect", "rank", "query_text"], [["7", "2", "", 0.5, "1", "how to"]],
    )  # fmt: skip
    assert (table.alignment, table.keys, table.digits) == ("llrrrl", 2, 4)


def test_a_sheet_says_what_its_effects_are_and_of_an_empty_pool_no_share():
    assert "how much the value of run in rr" in rankgold.judge_next(QRELS, AHEAD, "rr").about
    several = rankgold.judge_next(QRELS, {"a": AHEAD, "b": BEHIND}, "rr").about
    assert (
        several
        == "effect: how much the differences between a, b in rr of the query can change; not judged: 2 documents"
    )
    assert rankgold.pool({"q1": []}, qrels=QRELS).about == "0 documents in the first 10 of 1 run"


def test_grades_that_are_empty_texts_are_missing():
    rows = pl.DataFrame({"query": ["q"] * 3, "document": ["a", "b", "c"], "grade": ["1", "", " "]})
    assert rankgold.merge_qrels(rows).rows() == [("q", "a", 1.0)]
