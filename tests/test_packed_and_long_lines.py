"""Text that is packed, and lines of any length: what is wrong is reported by the unpacked text, and memory is bounded."""

import gzip
import io
import subprocess
import sys

import pytest
import zstandard

import rankgold
from rankgold.data import chunks, files, input_file
from tests.cases import for_each

QRELS = {"q1": {"d1": 1}}
RUNS = {
    "run.trec": b"q1 Q0 d2 1 0.9 t\nq1 Q0 d1 2 0.8 t\n",
    "run.csv": b"query,doc,score\nq1,d2,0.9\nq1,d1,0.8\n",
    "run.jsonl": b'{"query": "q1", "doc": "d2", "score": 0.9}\n{"query": "q1", "doc": "d1", "score": 0.8}\n',
}
PACKED = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.ZstdCompressor().compress}


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A function that writes a file into the working directory, and gives its name."""
    monkeypatch.chdir(tmp_path)

    def write(name, content):
        (tmp_path / name).write_bytes(content)
        return name

    return write


def fault(path, **options):
    with pytest.raises(rankgold.DataError) as caught:
        rankgold.evaluate(QRELS, path, "rr", **options)
    return str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "packing"), [*((name, "") for name in RUNS), ("run.trec", ".gz")])
def test_a_line_of_more_than_64_mb_is_an_error_with_its_number(written, name, packing):
    # The lines are 1 to 3, one of them the header of CSV; 64 MB are 67,108,864 bytes.
    lines = RUNS[name].count(b"\n")
    content = RUNS[name] + b"a" * 68_000_000 + b"\n" + RUNS[name]
    path = written(name + packing, gzip.compress(content, 6) if packing else content)
    assert fault(path).startswith(f"{path}:{lines + 1}: this line is longer than 64 MB, the most that is read.")


@pytest.mark.slow
@pytest.mark.parametrize("packing", ["", ".gz"])
def test_duckdb_leaves_out_no_line_that_is_longer_than_its_buffer(written, packing):
    # DuckDB reads 32 MB at once. It leaves out a last line that is longer, without an error.
    pack = gzip.compress if packing else bytes
    path = written(f"run.trec{packing}", pack(RUNS["run.trec"] + b"q1 Q0 " + b"a" * 33_000_000 + b" 3 0.7 t"))
    # Two of three documents are not judged; the relevant one is second.
    scores = rankgold.evaluate(QRELS, path, "rr", engine="duckdb")
    assert (scores["rr"], scores.notes.unjudged_share) == (1 / 2, 1 - 1 / 3)
    path = written(f"run.trec{packing}", pack(RUNS["run.trec"] + b"a" * 33_000_000))
    assert fault(path, engine="duckdb").startswith(f"{path}:3: a line of a run must have 6 fields")
    assert fault(f"*.trec{packing}", engine="duckdb").startswith(f"{path}:3: this line is longer than 2 MB, the most")


@pytest.mark.slow
def test_a_line_of_more_than_64_mb_in_standard_input_is_an_error(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    command = [sys.executable, "-m", "rankgold", "evaluate", "qrels", "-", "-m", "ap"]
    for content in (b"a" * 68_000_000, gzip.compress(b"a" * 68_000_000)):
        done = subprocess.run(command, input=content, capture_output=True, cwd=tmp_path, check=False)
        assert done.returncode == 2
        assert done.stderr.decode().startswith("standard input:1: this line is longer than 64 MB")
        assert done.stderr.count(b"\n") == 1


def test_json_may_be_one_long_line(written, monkeypatch):
    monkeypatch.setattr(files, "LONGEST_ROW", 50)
    one_line = b'{"q1": {"d2": 0.9, "d1": 0.8, "d3": 0.7, "d4": 0.6, "d5": 0.5}}'
    assert rankgold.evaluate(QRELS, written("run.json", one_line), "rr")["rr"] == 1 / 2
    monkeypatch.setattr(files, "LONGEST_LINE", 50)
    assert fault("run.json").startswith("run.json:1: this line is longer")


@for_each("limit", [1, 2, 3, 4, 5, 6])
@for_each("text", [b"", b"\n", b"ab\nc\nd\nefghi", b"abcdef\n", b"a\n\n\nbcd\n", b"abc\ndefg\nhijkl\n"])
def test_the_first_long_line_is_found_in_one_piece_and_in_a_stream(text, limit, monkeypatch):
    expected = next((i for i, line in enumerate(text.split(b"\n"), 1) if len(line) > limit), None)
    assert input_file.long_line(text, limit) == expected
    # Pieces are shorter than the limit.
    for piece in range(1, limit + 1):
        monkeypatch.setattr(input_file, "_PIECE", piece)
        assert input_file.long_line_of_stream(io.BytesIO(text), limit) == expected
        assert input_file.long_line(text, limit) == expected


def test_a_small_zstd_file_with_gigabytes_is_an_error(written):
    # A frame: its magic number, a byte without flags, and the size of the window, of 8 MB. Then blocks of 128 kB of the
    # repeated byte 'a': 3 bytes with the length, the kind 1 and whether it is the last; and the byte.
    blocks = [((131_072 << 3) + (1 << 1) + last).to_bytes(3, "little") + b"a" for last in [0] * 49_151 + [1]]
    path = written("run.trec.zst", b"\x28\xb5\x2f\xfd\x00\x68" + b"".join(blocks))
    assert fault(path) == (
        "run.trec.zst: this may unpack to 6,144 MB, more than 200 times its size. Unpack it, and pass the unpacked file."
    )


@for_each("options", [{}, {"write_content_size": False}, {"write_checksum": True}])
@for_each("text", [b"q1 Q0 d1 1 0.5 t\n" * 100_000, b"", bytes(range(256)) * 3000], ids=len)
def test_the_most_that_a_zstd_file_holds_is_at_least_what_it_holds(text, options):
    packed = zstandard.ZstdCompressor(**options).compress(text)
    most = input_file.most_of_zstd(packed + packed)
    # Two frames, and in each the last block may hold less than 128 kB.
    assert 2 * len(text) <= most <= 2 * (len(text) + (1 << 17))


@for_each("packing", PACKED)
@for_each("name", RUNS)
def test_text_that_is_not_utf_8_is_reported_with_its_unpacked_line(written, name, packing):
    good = RUNS[name].splitlines(keepends=True)
    bad = b"".join(good) + good[-1].replace(b"d1", b"d\xfc")
    path = written(name + packing, PACKED[packing](bad))
    message = fault(path)
    assert message.startswith(f"{path}:{len(good) + 1}: this is not UTF-8 text")
    assert "Convert the file to UTF-8" in message


@for_each("packing", [".gz", ".zst"])
@for_each("name", RUNS)
@for_each("large", [False, True])
def test_a_packed_file_that_is_damaged_or_cut_off_says_so(written, name, packing, large, monkeypatch):
    if large:
        monkeypatch.setattr(chunks, "LARGE", 100)
    header, *rows = RUNS[name].splitlines(keepends=True)
    many = [rows[-1].replace(b"d1", b"%x" % (i * 7919 % 65_537)) for i in range(20_000)]
    packed = PACKED[packing](header + b"".join(many))
    kind = "gzip" if packing == ".gz" else "zstd"
    damaged = packed[:9000] + bytes(200) + packed[9200:]
    for content in (packed[: len(packed) // 2], damaged):
        assert f"this {kind} file cannot be unpacked: it is damaged or cut off" in fault(
            written(name + packing, content)
        )
