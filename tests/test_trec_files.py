"""TREC's files as they are found in the wild, all of them holding one collection whose numbers are worked by hand."""

import gzip
import subprocess
import sys

import pytest
import zstandard

import rankgold
from rankgold.data import inputs
from tests.cases import for_each

# q1 ranks d2, d1, d5, d3 and d1, d3 are relevant: AP = (1/2 + 2/4) / 2 = 1/2, P@2 = 1/2.
# q2 ranks d4, d9 and d4 is relevant: AP = 1, P@2 = 1/2.
QRELS = "q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d4 1\n"
RUN = """\
q1 Q0 d2 1 0.9 bm25
q1 Q0 d1 2 0.8 bm25
q1 Q0 d5 3 0.7 bm25
q1 Q0 d3 4 0.6 bm25
q2 Q0 d4 1 1.5 bm25
q2 Q0 d9 2 1.0 bm25
"""
MEANS = {"ap": 3 / 4, "p@2": 1 / 2}


@pytest.fixture(autouse=True, params=["dicts", "Polars"])
def reader(request, monkeypatch):
    """Every file is read in both ways, in so far as it can be."""
    if request.param == "Polars":
        monkeypatch.setattr(inputs, "SMALL", -1)


@pytest.fixture
def written(tmp_path):
    """A function that writes a file, and gives its path as text."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return str(path)

    return write


def means(qrels, run, **options):
    return rankgold.evaluate(qrels, run, ["ap", "p@2"], **options).means


def spaced(text):
    return text.replace(" ", "  \t ")


def with_odd_lines(text):
    lines = text.splitlines()
    return "# made by hand\n\n" + "\n   \t \n# a comment, with 5 fields\n".join(lines) + "\n\n  \n"


FORMS = {
    "single spaces": lambda text: text,
    "runs of spaces and tabs": spaced,
    "tabs": lambda text: text.replace(" ", "\t"),
    "spaces before and after": lambda text: "".join(f"  {line} \t\n" for line in text.splitlines()),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CRLF and runs of spaces": lambda text: spaced(text).replace("\n", "\r\n"),
    "BOM": lambda text: "\ufeff" + text,
    "BOM and CRLF": lambda text: "\ufeff" + text.replace("\n", "\r\n"),
    "BOM and runs of spaces": lambda text: "\ufeff" + spaced(text),
    "blank lines": lambda text: text.replace("\n", "\n\n"),
    "blank lines first": lambda text: "\n\n" + text,
    "lines of blanks": lambda text: text.replace("\n", "\n \t \n"),
    "a comment first": lambda text: "# judged in 2024\n" + text,
    "a comment last": lambda text: text + "# the end",
    "a BOM before a comment": lambda text: "\ufeff# judged in 2024\n" + text,
    "an indented comment": lambda text: text + "   # the end\n",
    "comments and blanks everywhere": with_odd_lines,
    "comments, blanks, CRLF": lambda text: with_odd_lines(text).replace("\n", "\r\n"),
    "no newline at the end": lambda text: text.removesuffix("\n"),
    "no newline at the end, runs of spaces": lambda text: spaced(text).removesuffix("\n"),
    "a line of another separator": lambda text: text.replace(" ", "\t", 5),
    "a tab beside a space": lambda text: text.replace("d1 ", "d1\t "),
    "a space beside a tab": lambda text: text.replace(" ", "\t").replace("\td1", "\t d1"),
    "only the last line in tabs": lambda text: text[:-12] + text[-12:].replace(" ", "\t"),
}
PACKINGS = {
    "plain": lambda data: data,
    "gz": gzip.compress,
    "zst": zstandard.ZstdCompressor().compress,
}


@for_each("form", FORMS)
def test_a_file_reads_the_same_in_every_form(written, form):
    qrels, run = written("collection.qrels", FORMS[form](QRELS)), written("system.run", FORMS[form](RUN))
    scores = rankgold.evaluate(qrels, run, ["ap", "p@2"])
    assert scores.means == MEANS
    assert scores.runs == ["bm25"]
    assert scores.per_query["query"].to_list() == ["q1", "q2"]
    assert rankgold.read_qrels(qrels)["document"].to_list() == ["d1", "d2", "d3", "d4"]
    assert rankgold.read_run(run)["document"].to_list() == ["d2", "d1", "d5", "d3", "d4", "d9"]


@for_each("packing", PACKINGS)
@for_each("form", ["single spaces", "comments, blanks, CRLF", "tabs", "BOM"])
def test_a_packed_file_reads_as_what_it_holds(written, packing, form):
    ending = "" if packing == "plain" else f".{packing}"
    pack = lambda text: PACKINGS[packing](FORMS[form](text).encode())  # noqa: E731
    qrels, run = written(f"collection.qrels{ending}", pack(QRELS)), written(f"system.run{ending}", pack(RUN))
    assert means(qrels, run) == MEANS


def test_a_packed_file_is_known_by_its_content_whatever_its_name(written):
    qrels = written("qrels.txt", gzip.compress(QRELS.encode()))
    assert means(qrels, written("run.txt", zstandard.ZstdCompressor().compress(RUN.encode()))) == MEANS


@pytest.mark.parametrize("reader", ["dicts"], indirect=True)  # another process is not patched
@pytest.mark.parametrize("form", ["single spaces", "comments, blanks, CRLF"])
def test_a_dash_is_standard_input(written, form):
    for arguments, content in (
        (["-", written("system.run", RUN)], QRELS),
        ([written("collection.qrels", QRELS), "-"], RUN),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "rankgold", "evaluate", *arguments, "-m", "ap", "-f", "trec_eval"],
            input=FORMS[form](content).encode(),
            capture_output=True,
            check=False,
        )
        assert done.stderr == b""
        assert done.stdout.decode().splitlines() == [
            "runid                 \tall\tbm25",
            "map                   \tall\t0.7500",
        ]


@pytest.mark.parametrize("form", ["single spaces", "runs of spaces and tabs"])
def test_ids_that_look_like_numbers_stay_text(written, form):
    # Neither the document 7 nor the document 7.0 is the document 007, and the query 01 is not the query 1.
    qrels = written("q", FORMS[form]("01 0 007 1\n1 0 7 1\n"))
    run = written("r", FORMS[form]("01 Q0 7 1 3 t\n01 Q0 7.0 2 2 t\n01 Q0 007 3 1 t\n1 Q0 007 1 2 t\n1 Q0 7 2 1 t\n"))
    scores = rankgold.evaluate(qrels, run, ["rr"])
    assert scores.per_query.to_dict(as_series=False) == {"query": ["01", "1"], "rr": [1 / 3, 1 / 2]}
    assert rankgold.read_qrels(qrels)["document"].to_list() == ["007", "7"]


def test_grades_may_be_real_numbers(written):
    qrels = written("q", "q 0 a 0.5\nq 0 b 2.25\n")
    run = written("r", "q Q0 a 1 2 t\nq Q0 b 2 1 t\n")
    # Discounts are log2(2) = 1 and log2(4) = 2 for the ranks 1 and 3; here rank 2 has log2(3).
    log3 = 1.584962500721156
    assert rankgold.evaluate(qrels, run, ["dcg"])["dcg"] == pytest.approx(0.5 + 2.25 / log3, abs=1e-12)
    # 0.5 is below the grade 1 from which a document is relevant, so the first relevant one stands at rank 2.
    assert rankgold.evaluate(qrels, run, ["rr"])["rr"] == 0.5


def test_scores_may_have_exponents_and_signs(written):
    run = written("r", "q Q0 a 1 1e-3 t\nq Q0 b 2 +2.5E+2 t\nq Q0 c 3 -1e300 t\nq Q0 d 4 .5 t\nq Q0 e 5 7. t\n")
    # In order: b 250, e 7, d 0.5, a 0.001, c -1e300.
    for document, rank in {"b": 1, "e": 2, "d": 3, "a": 4, "c": 5}.items():
        qrels = written("q", f"q 0 {document} 1\n")
        assert rankgold.evaluate(qrels, run, ["frp"])["frp"] == rank


def test_only_scores_order_a_run_and_neither_its_lines_nor_its_ranks(written):
    lines = RUN.splitlines(keepends=True)
    unsorted = "".join(lines[i] for i in (3, 5, 1, 2, 4, 0))  # q1, q2, q1, q1, q2, q1
    assert means(written("q", QRELS), written("r", unsorted)) == MEANS
    assert means(written("q", QRELS), written("r2", unsorted.replace(" 1 ", " 99 "))) == MEANS


def test_judgements_of_interleaved_queries_belong_together(written):
    lines = QRELS.splitlines(keepends=True)
    assert means(written("q", "".join(lines[i] for i in (2, 3, 0, 1))), written("r", RUN)) == MEANS


def test_the_only_tag_names_the_run_whatever_the_file_is_called(written):
    assert rankgold.evaluate(written("q", QRELS), written("other.run", RUN), ["ap"]).runs == ["bm25"]


def test_two_runs_of_one_name_are_told_apart_by_a_number(written):
    qrels = written("q", QRELS)
    paths = [written(f"{name}.run", RUN) for name in "abc"]
    scores = rankgold.evaluate(qrels, paths, ["ap"])
    assert scores.runs == ["bm25", "bm25 (2)", "bm25 (3)"]
    assert scores["ap"] == dict.fromkeys(scores.runs, MEANS["ap"])


def test_several_tags_that_share_queries_are_several_runs(written):
    # The tag up is the run from above; down ranks d3, d1, d2 for q1: AP = (1/1 + 2/2) / 2 = 1.
    both = RUN.replace("bm25", "up") + "q1 Q0 d3 1 3 down\nq1 Q0 d1 2 2 down\nq1 Q0 d2 3 1 down\nq2 Q0 d4 1 1 down\n"
    scores = rankgold.evaluate(written("q", QRELS), written("both.run", both), ["ap"])
    assert scores["ap"] == {"up": MEANS["ap"], "down": 1.0}
    assert rankgold.read_run(written("both.run", both)).columns == ["query", "document", "score", "run"]


def test_several_tags_of_disjoint_queries_are_one_run_named_by_the_file(written):
    careless = RUN.replace("1.5 bm25", "1.5 bm25-part2").replace("1.0 bm25", "1.0 bm25-part2")
    scores = rankgold.evaluate(written("q", QRELS), written("whole.v2.run", careless), ["ap", "p@2"])
    assert (scores.runs, scores.means) == (["whole.v2"], MEANS)


@pytest.mark.parametrize("separator", [" ", "\t"])
def test_trec_lines_may_be_in_files_that_end_in_tsv_as_those_of_ms_marco(written, separator):
    qrels = written("qrels.dev.tsv", QRELS.replace(" ", separator))
    assert means(qrels, written("run.tsv", RUN.replace(" ", separator))) == MEANS


@for_each("name", ["r", "r.tsv"])
@for_each(("query", "tag"), [("[q1]", "x"), ("{q1", "x"), ("query", "x"), ("q1", "item"), ("doc,0", "x")])
def test_ids_and_tags_may_look_like_json_or_be_called_like_columns(written, name, query, tag):
    qrels = written("q", f"{query}\t0\td1\t1\n")
    run = written(name, f"{query}\tQ0\td2\t1\t2.5\t{tag}\n{query}\tQ0\td1\t2\t.5\t{tag}\n")
    scores = rankgold.evaluate(qrels, run, ["rr"])
    assert (scores.runs, scores["rr"]) == ([tag], 0.5)


def test_tags_and_ids_may_hold_quotes_hashes_and_commas(written):
    qrels = written("q", 'q"1 0 d,1 1\nq"1 0 #d 0\n')
    run = written("r", 'q"1 Q0 #d 1 2 "tag\nq"1 Q0 d,1 2 1 "tag\n')
    scores = rankgold.evaluate(qrels, run, ["rr"])
    assert (scores.runs, scores["rr"]) == (['"tag'], 0.5)


def test_ids_may_be_in_any_script(written):
    qrels, run = written("q", "質問 0 ドキュメント 1\n"), written("r", "質問 Q0 é 1 2 ü\n質問 Q0 ドキュメント 2 1 ü\n")
    scores = rankgold.evaluate(qrels, run, ["rr"])
    assert (scores.runs, scores["rr"]) == (["ü"], 0.5)


def test_a_path_object_is_a_path_and_a_star_in_a_name_is_a_star(tmp_path, written):
    written("a*.run", RUN)
    written("ab.run", "q1 Q0 d1 1 1 other\n")
    assert means(tmp_path / written("q", QRELS), tmp_path / "a*.run") == MEANS


def test_frames_of_read_qrels_and_read_run_hold_what_the_file_holds(written):
    assert rankgold.read_qrels(written("q", QRELS)).rows() == [
        ("q1", "d1", 2.0), ("q1", "d2", 0.0), ("q1", "d3", 1.0), ("q2", "d4", 1.0)
    ]  # fmt: skip
    assert rankgold.read_run(written("r", RUN)).rows()[:2] == [("q1", "d2", 0.9), ("q1", "d1", 0.8)]
