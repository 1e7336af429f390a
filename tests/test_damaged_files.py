"""Parquet and Arrow files with damage: an error of ours, or what the file says; never the end of the process.

More cases by hand: python -m tests.damaged_files local 0 2000
"""

import gzip
import json
import struct
import subprocess
import sys
from random import Random

import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import rankgold
from rankgold.data import chunks
from tests.columnar_files import RUN, columnar_files
from tests.mutations import mutate
from tests.shell import shell

# Before the sizes were checked, a case in each of these ranges ended the process; 30156 has damaged statistics.
RANGES = {
    "local": ("0", "250"),
    "local chunked": ("660", "800"),
    "duckdb": ("1700", "1745"),
    "duckdb statistics": ("30150", "30160"),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", RANGES)
def test_a_mutated_file_is_an_error_of_ours_or_is_read_as_pyarrow_reads_it(way):
    engine = way.split()[0]
    command = [sys.executable, "-m", "tests.damaged_files", engine, *RANGES[way], *way.split()[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (lines[-1], done.stderr[-1000:])
    outcomes = list(zip(lines[::2], lines[1::2], strict=True))
    assert len(outcomes) == int(RANGES[way][1]) - int(RANGES[way][0])
    assert [case for case in outcomes if "not ours" in case[1]] == []
    assert {"error", "value"} <= {key for _, outcome in outcomes for key in outcome}
    read = [case for case in outcomes if case[1].get("expected") is not None]
    assert [case for case in read if case[1]["value"] != case[1]["expected"]] == []
    assert len({error["error"].count("\n") for _, error in outcomes if "error" in error}) == 1
    if way == "local":  # Polars panics on cases 49, 50, 237 and 240
        assert done.stderr == ""


def test_the_command_line_shows_its_own_message_and_no_panic_of_polars(tmp_path):
    # Polars panics on this file, of which the levels of a list are damaged.
    random = Random(49)
    files = columnar_files(tmp_path)
    name = random.choice(sorted(files))
    (tmp_path / "run.parquet").write_bytes(mutate(files[name], random))
    (tmp_path / "qrels").write_text("q1 0 d 1\n")
    for runs in (["run.parquet"], ["run.parquet", "again=run.parquet"]):
        done = shell("evaluate", "qrels", *runs, "-m", "rr", cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith(
            "run.parquet: this file is damaged or cut off, or has content that cannot be read"
        )


WRITES = """
import os
from rankgold.data.formats.columnar import hidden_panics
import polars as pl
try:
    with hidden_panics(), hidden_panics():
        os.write(2, b"before\\n\\nthread 'x' (7) panicked at code.rs:1:\\nall of it\\n")
        {error}
except pl.exceptions.PanicException:
    pass
os.write(2, b"after\\n")
"""


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        ("raise pl.exceptions.PanicException", "before\nafter\n"),
        ("pass", "before\n\nthread 'x' (7) panicked at code.rs:1:\nall of it\nafter\n"),
    ],
)
def test_what_else_is_written_while_polars_reads_is_shown(error, shown):
    done = subprocess.run(
        [sys.executable, "-c", WRITES.format(error=error)], capture_output=True, text=True, check=True
    )
    assert done.stderr == shown


def evaluated(path):
    return rankgold.evaluate({"q1": {"document 001": 1}}, str(path), "rr")["rr"]


@pytest.fixture(params=["whole", "chunked"])
def _way(request, monkeypatch):
    if request.param == "chunked":
        monkeypatch.setattr(chunks, "LARGE_TABLE", 10)
        monkeypatch.setattr(chunks, "ROWS_AT_ONCE", 50)


@pytest.mark.usefixtures("_way")
def test_a_buffer_that_states_more_bytes_than_any_compression_gives_is_damaged(tmp_path):
    path = tmp_path / "run.arrow"
    with pa.ipc.new_file(path, RUN.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(RUN)
    content = path.read_bytes()
    scores = struct.pack("<q", 240 * 8)  # the size of the buffer of scores, in front of it
    assert content.count(scores) == 1
    path.write_bytes(content.replace(scores, struct.pack("<q", 1 << 50)))
    with pytest.raises(
        rankgold.DataError, match=r"run\.arrow: this file is damaged .* become 1,125,899,906,842,624 bytes"
    ):
        evaluated(path)


@pytest.mark.usefixtures("_way")
def test_a_page_with_a_negative_number_of_values_is_damaged(tmp_path):
    path = tmp_path / "run.parquet"
    pyarrow.parquet.write_table(RUN, path, compression="none", use_dictionary=False)
    content = path.read_bytes()
    # Thrift: a field of type struct (12) with number 5, the header of the page; in it number 1, an integer (5): 240.
    header = b"\x2c\x15\xe0\x03"
    assert content.count(header) >= 4
    # The same number of bytes, for -240: both signs in turn, so that -240 is 479.
    path.write_bytes(content.replace(header, b"\x2c\x15\xdf\x03", 1))
    with pytest.raises(rankgold.DataError, match=r"run\.parquet: this file is damaged"):
        evaluated(path)


@pytest.mark.parametrize("name", ["run.parquet", "run.arrow"])
def test_a_file_that_was_cut_off_says_so(tmp_path, name):
    path = tmp_path / name
    (pl.DataFrame(RUN).write_parquet if name == "run.parquet" else pl.DataFrame(RUN).write_ipc)(path)
    path.write_bytes(path.read_bytes()[: len(path.read_bytes()) // 2])
    with pytest.raises(rankgold.DataError, match=f"{name}: this file is damaged or cut off, "):
        evaluated(path)


@pytest.mark.parametrize("name", ["items.parquet", "items.arrow"])
def test_a_catalogue_that_was_cut_off_says_so(tmp_path, name):
    path, items = tmp_path / name, pl.DataFrame({"item": ["a", "b"], "group": ["x", "y"]})
    (items.write_parquet if name == "items.parquet" else items.write_ipc)(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(rankgold.DataError, match=f"{name}: this file is damaged or cut off, since its end is missing"):
        rankgold.exposure({"u": ["a", "b"]}, "gini", items=path)


@pytest.mark.parametrize("name", ["run[1].parquet", "run*.arrow"])
def test_a_name_that_could_be_a_pattern_is_that_file(tmp_path, name):
    path = tmp_path / name
    (pl.DataFrame(RUN).write_parquet if path.suffix == ".parquet" else pl.DataFrame(RUN).write_ipc)(path)
    # Document 001 of q1 is row 75, with the score 31 * 75 mod 97 = 94. Of its 40 rows only row 50 is higher, with 95.
    assert evaluated(path) == 1 / 2


def test_a_file_of_another_format_than_its_name_says_is_an_error_that_says_what_it_is(tmp_path):
    with pa.ipc.new_stream(tmp_path / "run.arrow", RUN.schema) as writer:
        writer.write_table(RUN)
    with pytest.raises(rankgold.DataError, match=r"run\.arrow: this is an Arrow stream.* Write it as an Arrow file or"):
        evaluated(tmp_path / "run.arrow")
    pyarrow.parquet.write_table(RUN, tmp_path / "run.parquet")
    packed = tmp_path / "run.parquet.gz"
    packed.write_bytes(gzip.compress((tmp_path / "run.parquet").read_bytes()))
    with pytest.raises(rankgold.DataError, match=r"this is a \.parquet file that is packed with gzip.* Unpack it"):
        evaluated(packed)
    (tmp_path / "text.feather").write_text("q1 Q0 d1 1 0.5 a\n")
    with pytest.raises(rankgold.DataError, match=r"this is not a \.feather file, although its name says so"):
        evaluated(tmp_path / "text.feather")
