"""CSV and TSV files without a header: read if their content says what their columns are, else an error that says so."""

import gzip

import pytest

import rankgold
from tests.cases import for_each

# The relevant passage 7187158 is at rank 2.
QRELS = "1048585\t0\t7187158\t1\n"
RUNS = {
    "run.tsv": ("1048585\t7187160\t1\n1048585\t7187158\t2\n", "query, document, rank"),
    "run.dev.small": ("1048585\t7187160\t1\n1048585\t7187158\t2\n", "query, document, rank"),
    "run": ("1048585\t7187158\t2\n1048585\t7187160\t1\n", "query, document, rank"),
    "run.csv": ("1048585,7187160,1\n1048585,7187158,2\n2,5,1\n", "query, document, rank"),
    "scores.csv": ("1048585,7187160,0.5\n1048585,7187158,0.2\n", "query, document, score"),
    "semicolons.csv": ("1048585;7187158;-1.5\n1048585;7187160;2\n", "query, document, score"),
    "four.tsv": ("1048585\t7187160\t1\t9.5\n1048585\t7187158\t2\t3\n", "query, document, rank, score"),
    "blank.tsv": ("\n1048585\t7187160\t1\n\n1048585\t7187158\t2\n", "query, document, rank"),
    "text.tsv": ('1048585\t"a, b"\t1\n1048585\t7187158\t2\n', "query, document, rank"),
}


@for_each("engine", [None, "duckdb"])
@for_each("name", RUNS)
def test_a_run_without_a_header_is_read_and_noted(tmp_path, monkeypatch, name, engine):
    monkeypatch.chdir(tmp_path)
    content, columns = RUNS[name]
    (tmp_path / "qrels.dev.tsv").write_text(QRELS)
    (tmp_path / name).write_text(content)
    scores = rankgold.evaluate("qrels.dev.tsv", name, ["rr"], engine=engine)
    assert scores["rr"] == 0.5
    assert f"{name} has no header: its columns were read as {columns}" in scores.notes.remarks


def test_a_packed_run_without_a_header_is_read(tmp_path):
    (tmp_path / "run.tsv.gz").write_bytes(gzip.compress(RUNS["run.tsv"][0].encode()))
    assert rankgold.evaluate({"1048585": ["7187158"]}, tmp_path / "run.tsv.gz", ["rr"])["rr"] == 0.5


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_judgements_without_a_header_are_read_and_noted(tmp_path, monkeypatch, engine):
    monkeypatch.chdir(tmp_path)
    run = {"1": ["a", "b"], "2": ["c"]}
    (tmp_path / "graded.tsv").write_text("1\ta\t0\n1\tb\t2\n2\tc\t1\n")
    (tmp_path / "pairs.csv").write_text("1,b\n2,c\n")
    for name, columns in (("graded.tsv", "query, document, grade"), ("pairs.csv", "query, document")):
        scores = rankgold.evaluate(name, run, ["rr"], engine=engine)
        assert scores["rr"] == 0.75  # 1/2 and 1
        assert f"{name} has no header: its columns were read as {columns}" in scores.notes.remarks


def test_a_large_run_without_a_header_is_read(tmp_path, monkeypatch):
    from rankgold.data import chunks, inputs

    monkeypatch.setattr(chunks, "LARGE", 1)
    monkeypatch.setattr(inputs, "SMALL", -1)
    (tmp_path / "run.tsv").write_text(RUNS["run.tsv"][0])
    assert rankgold.evaluate({"1048585": ["7187158"]}, tmp_path / "run.tsv", ["rr"])["rr"] == 0.5


BAD = {
    "ranks or scores": ("1\t5\t7\n1\t6\t9\n", "no header? There are no names of columns in the first line, and its third column may hold ranks or scores. Add a first line: 'query\\tdocument\\trank' or 'query\\tdocument\\tscore'."),
    "ranks from 0": ("1\t5\t0\n1\t6\t1\n", "no header?"),
    "scores that rise": ("1\t5\t1\t2.5\n1\t6\t2\t9\n", "no header? There are no names of columns in the first line, and its third column does not rank the documents as the fourth does"),
    "five columns": ("1\t2\t3\t4\t5\n", "no header? There are no names of columns in the first line, and what its columns hold is not clear"),
    "a TREC line that lacks fields": ("1\t0\t7187158\n", "no header?"),
    "a word for a rank": ("1\t5\t1\n1\t6\tx\n", ":2: the rank must be a finite number, not 'x'"),
    "a line that is too short": ("1\t5\t1\n1\t6\n", ":2: the rank is missing"),
    "a line that is too long": ("1\t5\t1\n1\t6\t2\t3\n", ":2: the first line has 3 fields, and this line has 4"),
}  # fmt: skip


@for_each("case", BAD)
def test_a_file_without_a_header_that_is_not_clear_is_an_error(tmp_path, case):
    content, message = BAD[case]
    (tmp_path / "run.tsv").write_text(content)
    with pytest.raises(rankgold.DataError) as caught:
        rankgold.evaluate({"1": ["5"]}, tmp_path / "run.tsv", ["rr"])
    assert message in str(caught.value)


def test_judgements_that_may_be_a_run_are_an_error(tmp_path):
    (tmp_path / "qrels.tsv").write_text("".join(f"1\td{rank}\t{rank}\n" for rank in range(1, 12)))
    with pytest.raises(rankgold.DataError, match=r"no header\?.* may hold grades or ranks"):
        rankgold.evaluate(tmp_path / "qrels.tsv", {"1": ["d1"]}, ["rr"])


def test_a_header_with_unknown_names_is_not_taken_for_a_row(tmp_path):
    (tmp_path / "run.csv").write_text("frage,dokument,punkte\n1,5,0.5\n")
    with pytest.raises(rankgold.DataError, match="Columns found: 'frage', 'dokument', 'punkte'"):
        rankgold.evaluate({"1": ["5"]}, tmp_path / "run.csv", ["rr"])


@pytest.mark.spark
def test_spark_takes_a_run_without_a_header_from_this_machine(spark, tmp_path):
    (tmp_path / "run.tsv").write_text(RUNS["run.tsv"][0])
    scores = rankgold.evaluate({"1048585": ["7187158"]}, str(tmp_path / "run.tsv"), ["rr"], engine=spark)
    assert scores["rr"] == 0.5
    assert any("has no header" in remark for remark in scores.notes.remarks)


def test_pairs_whose_columns_are_not_clear_ask_for_a_header(tmp_path):
    (tmp_path / "ratings.csv").write_text("1,31,2.5,1260759144\n1,1029,3.0,1260759179\n")
    with pytest.raises(rankgold.DataError, match=r"ratings\.csv: no header.* Add a first line: 'query,document'"):
        rankgold.evaluate({"1": ["31"]}, {"1": ["31"]}, ["rr"], exclude=tmp_path / "ratings.csv")
