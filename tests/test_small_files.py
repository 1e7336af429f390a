"""Small TREC files are read without Polars: the same numbers, names, notes and errors as with it."""

import numpy as np
import polars
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rankgold
from rankgold.data import inputs
from rankgold.data.files import sample
from rankgold.data.formats import plain_trec
from rankgold.data.ids import ByteIds
from tests.cases import for_each

MEASURES = ["ap", "ndcg@10", "rr", "auc", "err", "spearman"]
RUNS = [sample(f"{name}.trec") for name in ("titles", "bm25", "expanded")]
PLAIN = "q1 Q0 d1 1 0.5 a\nq1 Q0 d2 2 0.25 a\nq2 Q0 d1 1 7 a\n"


@pytest.fixture
def file(tmp_path):
    """A function that writes a run, and gives its path."""

    def write(content):
        path = tmp_path / "run.trec"
        path.write_bytes(content.encode())
        return path

    return write


@pytest.fixture
def with_polars(monkeypatch):
    """No file counts as small."""
    monkeypatch.setattr(inputs, "SMALL", -1)


@pytest.fixture
def without_polars(monkeypatch):
    """The reader for all files must not be needed."""
    monkeypatch.setattr("rankgold.data.files.read_file", None)


def test_a_small_file_is_read_by_the_small_reader_and_holds_what_it_says(file, without_polars):
    rows = plain_trec.read_small_trec(file(PLAIN), "run")
    assert (rows.name, rows.table().frame.rows()) == ("a", [("q1", "d1", 0.5), ("q1", "d2", 0.25), ("q2", "d1", 7.0)])
    assert rankgold.evaluate({"q1": {"d2": 1}, "q2": {"d1": 1}}, file(PLAIN), ["rr"])["rr"] == (1 / 2 + 1) / 2


@pytest.mark.parametrize("piece", [1, 20, 1 << 15])
def test_a_file_is_read_in_pieces(file, monkeypatch, piece):
    monkeypatch.setattr(plain_trec, "_PIECE", piece)
    rows = plain_trec.read_small_trec(file("q2 0 d1 3\nq2 0 document9 0.5\nq1 0 d1 -1\nq1 0 d2 0"), "qrels")
    assert rows.table().frame.rows() == [
        ("q2", "d1", 3.0),
        ("q2", "document9", 0.5),
        ("q1", "d1", -1.0),
        ("q1", "d2", 0.0),
    ]
    # A query in two places, or a second tag, is left to the other reader, in whatever pieces the lines are.
    assert plain_trec.read_small_trec(file("q1 0 d1 1\nq2 0 d1 1\nq1 0 d2 0\n"), "qrels") is None
    assert plain_trec.read_small_trec(file("q1 Q0 d1 1 0.5 a\nq1 Q0 d2 2 0.4 b\n"), "run") is None


def test_the_other_reader_finds_the_same_in_it(file, with_polars, monkeypatch):
    monkeypatch.setattr(inputs, "read_small_trec", None)
    assert rankgold.read_run(file(PLAIN)).rows() == [("q1", "d1", 0.5), ("q1", "d2", 0.25), ("q2", "d1", 7.0)]
    assert rankgold.evaluate({"q1": {"d2": 1}, "q2": {"d1": 1}}, file(PLAIN), ["rr"])["rr"] == (1 / 2 + 1) / 2


@for_each("policy", ["rankgold", "trec_eval", "ties=average", "ties=input", "unjudged=condensed"])
def test_the_numbers_the_names_and_the_notes_are_the_same(policy, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("rankgold.data.files.read_file", None)
        small = rankgold.evaluate(sample("qrels.txt"), RUNS, MEASURES, policy=policy)
    with monkeypatch.context() as patch:
        patch.setattr(inputs, "SMALL", -1)
        patch.setattr(inputs, "read_small_trec", None)
        whole = rankgold.evaluate(sample("qrels.txt"), RUNS, MEASURES, policy=policy)
    assert small.to_json() == whole.to_json()


def test_files_are_small_if_all_of_an_evaluation_are_small_together(file, monkeypatch):
    path = file("q1 Q0 d1 1 0.5 a\n")
    monkeypatch.setattr(inputs, "SMALL", 40)
    # 17 bytes each: two are 34, three are 51.
    assert inputs.are_small([path, path])
    assert inputs.are_small([{"q1": {"d1": 1}}, path, path])
    assert not inputs.are_small([path, path, path])
    assert not inputs.are_small([path, "no such file"])


@for_each(
    ("content", "found"),
    [
        ("q1\tQ0\td1\t1\t0.5\ta\n", [("q1", "d1", 0.5)]),
        ("q1 Q0 d1 1 .5 a", [("q1", "d1", 0.5)]),
        ("q1 Q0 d1 1 1e3 a\nq22 Q0 d333 2 -2 a\n", [("q1", "d1", 1000.0), ("q22", "d333", -2.0)]),
        ("ü Q0 日本 1 0.5 a\nü Q0 d 2 0.25 a\n", [("ü", "日本", 0.5), ("ü", "d", 0.25)]),
        ("q1 Q0 12345678 1 2 a\nq1 Q0 123456789 2 1 a\n", [("q1", "12345678", 2.0), ("q1", "123456789", 1.0)]),
    ],
)
def test_plain_files_hold_what_they_say(file, content, found):
    assert plain_trec.read_small_trec(file(content), "run").table().frame.rows() == found


@given(
    st.lists(
        st.floats(allow_nan=False, allow_infinity=False).map(repr)
        | st.from_regex(r"[-+]?([0-9]{1,18}\.?[0-9]{0,18}|\.[0-9]{1,18})(e[-+]?[0-9]{1,2})?", fullmatch=True),
        min_size=1,
    )
)
@example(["-0.0", "0", "-.5", "5.", "+7", "999999999999999", "9007199254740993", "0.000000000000001", "1e-400"])
def test_a_number_is_the_one_that_python_reads(texts):
    read = plain_trec._numbers(np.array([text.encode() for text in texts], dtype="S40"))
    assert [repr(number) for number in read.tolist()] == [repr(float(text)) for text in texts]


@for_each("text", ["1_000", "-", ".", "1.2.3", "--5", "5-", "1-2", "nan", "inf", "-inf", "1e999", "0x1"])
def test_what_is_not_a_finite_number_is_left_to_the_other_reader(text):
    assert plain_trec._numbers(np.array([b"1.5", text.encode()], dtype="S8")) is None


@pytest.mark.parametrize("ties", ["ascending", "descending"])
def test_tied_documents_are_ordered_by_their_code_points_with_both_readers(file, monkeypatch, ties):
    # By code points: 10 < 9 < a < aa < é < 日 < 🎯; in UTF-16 units, and by signed bytes, the order would be another.
    order = ["10", "9", "a", "aa", "é", "日", "\uffee", "🎯"]
    path = file("".join(f"q Q0 {document} 1 0.5 a\n" for document in ["日", "aa", "🎯", "10", "é", "\uffee", "a", "9"]))
    for size in (inputs.SMALL, -1):
        monkeypatch.setattr(inputs, "SMALL", size)
        for place, document in enumerate(order if ties == "ascending" else order[::-1], 1):
            qrels = path.with_name("qrels.txt")
            qrels.write_text(f"q 0 {document} 1\n", encoding="utf-8")
            assert rankgold.evaluate(qrels, path, ["rr"], policy=f"ties={ties}")["rr"] == 1 / place


@pytest.mark.parametrize("size", [inputs.SMALL, -1])
def test_a_document_twice_is_reported_with_both_lines_or_dropped(file, monkeypatch, size):
    monkeypatch.setattr(inputs, "SMALL", size)
    path = file("q1 Q0 d2 1 3 a\nq1 Q0 d1 2 2 a\nq1 Q0 d2 3 1 a\n")
    judged = path.with_name("qrels.txt")
    judged.write_text("q1 0 d2 1\n")
    with pytest.raises(
        rankgold.DataError, match=r"run\.trec:3: query 'q1' ranks document 'd2' twice \(first at line 1\)"
    ):
        rankgold.evaluate(judged, path, ["rr"])
    # The first d2 is at rank 1; without it, the other is at rank 2, after d1.
    assert rankgold.evaluate(judged, path, ["rr"], policy="duplicates=first")["rr"] == 1
    assert rankgold.evaluate(judged, path, ["rr"], policy="duplicates=last")["rr"] == 1 / 2


@pytest.mark.parametrize(("first", "second"), [(1, "a"), ("1", "a")])
def test_a_small_file_is_matched_with_dicts_and_frames(file, first, second):
    path = file("1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n")
    remarks = () if first == "1" else ("ids are integers on one side and text on the other: all were compared as text",)
    frame = polars.DataFrame({"query": [first], "document": [second], "grade": [1]})
    for qrels in ({first: {second: 1}}, frame):
        scores = rankgold.evaluate(qrels, path, ["rr"])
        assert (scores["rr"], scores.notes.remarks) == (1.0, remarks)


def test_hashes_do_not_depend_on_the_width_of_a_column_and_differ_in_all_bits():
    ids = [f"{text}{number}" for text in ("", "d", "document-", "a long name of a document ") for number in range(5000)]
    keys = ByteIds(np.array(ids, "S40")).hash()
    assert (ByteIds(np.array(ids[:5000], "S8")).hash() == keys[:5000]).all()
    assert len(set(keys.tolist())) == len(ids)
    # 20,000 hashes in 2 ** 32 values: 0.05 pairs are expected to share half of their bits by chance.
    for half in (keys >> np.uint64(32), keys & np.uint64(0xFFFFFFFF)):
        assert len(np.unique(half)) >= len(ids) - 2


def test_keys_that_collide_are_verified_by_the_bytes(monkeypatch):
    expected = rankgold.evaluate(sample("qrels.txt"), RUNS[0], MEASURES).to_json()
    true_hashes = ByteIds.hash
    monkeypatch.setattr(ByteIds, "hash", lambda ids: true_hashes(ids) & np.uint64(3))
    monkeypatch.setattr("rankgold.data.matching.hash_lookup._MIX", np.uint64(1))
    assert rankgold.evaluate(sample("qrels.txt"), RUNS[0], MEASURES).to_json() == expected


@for_each(
    "content",
    [
        "q1 Q0 d1 1 0.5 a\nq1 Q0 d2 2 0.4 b\n",
        "q1 Q0 d1 1 3 a\nq2 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\n",
        "# comment\nq1 Q0 d1 1 0.5 a\n",
        "\ufeffq1 Q0 d1 1 0.5 a\n",
        "q1 Q0 d1 1 0.5 a\n\nq1 Q0 d2 2 0.4 a\n",
        "q1 Q0 d1 1 0.5\n",
        "q1 Q0 d1 1 0.5\nq1 Q0 d2 2 0.4 a b\n",
        "q1 Q0\nd1 1 0.5 a\n",
        "q1 Q0 d\x001 1 0.5 a\n",
        "q1 Q0 d\x1c1 1 0.5 a\n",
        "q1 Q0 d1 1 nan a\n",
        "q1 Q0 d1 1 x a\n",
        "q1 Q0 d1 1 1_0 a\n",
        "q1 Q0 d1 1 ٣ a\n",
        "q1  Q0 d1 1 0.5 a\n",
        " q1 Q0 d1 1 0.5 a\n",
        "q1 Q0 d1 1 0.5 a \n",
        "q1 Q0 d\xa01 1 0.5 a\n",
        "q1 Q0 " + "d" * 300 + " 1 0.5 a\n",
        "q1 Q0 d1 1 0.5 a\n# q1 d1 1 0.5 a\n",
        "q1 Q0 d1 1 0.5 a\r\nq1 Q0 d2 2 0.4 a\r\n",
        "q1\tQ0\td 1\t1\t0.5\ta\n",
        "query,doc,score\nq1,d1,0.5\n",
        '{"q1": {"d1": 0.5}}\n',
        "",
    ],
)
def test_what_is_not_plain_is_left_to_the_other_reader(file, content):
    assert plain_trec.read_small_trec(file(content), "run") is None


def test_a_name_given_to_a_run_counts_more_than_its_tag(monkeypatch):
    for size in (inputs.SMALL, -1):
        monkeypatch.setattr(inputs, "SMALL", size)
        scores = rankgold.evaluate(sample("qrels.txt"), {"mine": sample("bm25.trec"), "yours": RUNS[2]}, ["ap"])
        assert scores.runs == ["mine", "yours"]
