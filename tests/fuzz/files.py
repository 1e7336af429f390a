"""The parts `files` and `columnar`: damaged files of every format, which give an error of ours or the same values by all ways.

A file is read whole, in chunks, by the reader of small files and by DuckDB. Messages are one line without control
characters.
"""

import gzip
import json
import re
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from random import Random
from unittest.mock import patch

import pyarrow
from hypothesis import strategies as st

import rankgold
from rankgold.data import inputs
from tests.columnar_files import columnar_files
from tests.fuzz.cases import cases, same
from tests.fuzz.failure import COUNTS, Failure, tracebacks
from tests.fuzz.forms import WRITERS, frames, in_parts, in_rows, tables, trec_ids, trec_text
from tests.fuzz.values import folder, outcome
from tests.mutations import mutate

MEASURES = ["ndcg@3", "ap", "rr", "p@2"]

WAYS = {
    "whole": lambda: patch.object(inputs, "SMALL", -1),
    "by the reader of small files": nullcontext,
    "in chunks": lambda: in_parts(1000),
    "through disk": lambda: in_parts(0),
}

PACKINGS = {
    "": bytes,
    ".gz": lambda content: gzip.compress(content, mtime=0),
    ".zst": lambda content: pyarrow.compress(content, codec="zstd", asbytes=True),
}

# What may stand in a text file by mistake.
PIECES = (
    "\n", "\r\n", "\r", "\n\n", " ", "  ", "\t", "\x00", "\x0b", "\x0c", "\x1c", "\x85", "\u00a0", "\u2028", "\ufeff", "#", "# ",
    ",", ";", '"', '""', "'", "\\", "{", "}", "[", "]", ":", "nan", "NaN", "inf", "-inf", "1e400", "1e-400", "1_0", "٣", "0x1p3", "1,5",
    "+1", "-0", "1.", ".5", "null", "None", "true", "\x1b[31m", "\ud800", "é", "日本", "😀", "9" * 25, "9" * 400, "query,doc,score\n",
    '{"query": "q"}', '"score": ', "q1 Q0 d1 1 0.5 tag\n", "q1 0 d1 1\n",
)  # fmt: skip


@dataclass(frozen=True)
class File:
    """A damaged file beside good data: which side it is, and its content before it was packed, if that was not damaged."""

    side: str
    ending: str
    content: bytes
    other: dict
    packing: str = ""
    made: str = ""
    """How a large content is made, in place of the content."""

    def __repr__(self):
        shown = self.made or repr(self.content)
        return f"File(side={self.side!r}, ending={self.ending + self.packing!r}, content={shown}, other={self.other!r})"

    @property
    def bytes(self):
        return PACKINGS[self.packing](self.content)


def files(data):
    """A damaged text file."""
    case = in_rows(data.draw(cases(longest=6, repeats=False)))
    random = data.draw(st.randoms(use_true_random=False))
    ending = data.draw(st.sampled_from(["trec", "csv", "tsv", "jsonl", "json"]))
    if ending == "trec" and not trec_ids(case):
        return
    content = dict(zip(("qrels", "run"), _contents(case, ending, random), strict=True))
    side = data.draw(st.sampled_from(["qrels", "run"]))
    other = tables(case.run if side == "qrels" else case.qrels)
    packing = data.draw(st.sampled_from(["", "", "", ".gz", ".zst"]))
    if packing and data.draw(st.booleans()):
        file = File(side, ending + packing, mutate(PACKINGS[packing](content[side]), random), other)
    else:
        changed = _damaged_text(content[side], data) if data.draw(st.booleans()) else mutate(content[side], random)
        file = File(side, ending, changed, other, packing)
    check(file, duckdb=data.draw(st.integers(0, 4)) == 0)


def columnar(data):
    """A damaged Parquet or Arrow file, by one of several writers; a larger one is named by the seed of its damage."""
    if data.draw(st.booleans()):
        name = data.draw(st.sampled_from(sorted(good_files())))
        seed = data.draw(st.integers(0, 2**32))
        made = f"mutate(columnar_files(folder)[{name!r}], Random({seed}))"
        judged = {f"q{i}": {f"document {i:03}": 1, "document 036": 2} for i in range(6)}
        content = mutate(good_files()[name], Random(seed))
        file = File("run", name.rpartition(".")[2], content, judged, made=made)
    else:
        case = in_rows(data.draw(cases(longest=6, repeats=False)))
        random = data.draw(st.randoms(use_true_random=False))
        ending = data.draw(st.sampled_from(["parquet", "arrow"]))
        side = data.draw(st.sampled_from(["qrels", "run"]))
        content = dict(zip(("qrels", "run"), _contents(case, ending, random), strict=True))
        other = tables(case.run if side == "qrels" else case.qrels)
        file = File(side, ending, mutate(content[side], random), other)
    check(file, duckdb=data.draw(st.integers(0, 4)) == 0)


@cache
def good_files():
    return columnar_files(folder())


def _contents(case, ending, random):
    if ending == "trec":
        return [text.encode() for text in trec_text(case, random)]
    if ending == "json":
        return [json.dumps(tables(side)).encode() for side in (case.qrels, case.run)]
    contents = []
    for table in frames(case, random):
        path = folder() / f"good.{ending}"
        WRITERS[ending](table, path)
        contents.append(path.read_bytes())
    return contents


def _damaged_text(content, data):
    """Some pieces put in, or in place of others."""
    text = content.decode()
    for piece in data.draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=2)):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + piece + text[at + data.draw(st.integers(0, 4)) :]
    return text.encode("utf-8", "surrogatepass")


def check(file, duckdb=False):
    """Raises a Failure where a way of reading ends in another error than ours, or in another result than the others."""
    path = folder() / f"damaged.{file.ending}{file.packing}"
    path.write_bytes(file.bytes)
    results = {way: _result(file, path, way, patches()) for way, patches in WAYS.items()}
    if duckdb:
        _result(file, path, "by DuckDB", nullcontext(), engine="duckdb")
    COUNTS[f"damaged {file.ending}"] += 1
    first = results["whole"]
    COUNTS["damaged files that are read" if isinstance(first, dict) else "damaged files that are refused"] += 1
    for way, result in results.items():
        if isinstance(result, dict) != isinstance(first, dict):
            raise Failure(f"{file.ending} {way}: read or refused", f"{way}: {result}\n  whole: {first}", file)
        if isinstance(result, dict) and not _same_values(result, first):
            raise Failure(f"{file.ending} {way}: values", f"{way}: {result}\n  whole: {first}", file)


def _result(file, path, way, patches, **options):
    """The values, or the message of an error of ours."""
    sides = (str(path), file.other) if file.side == "qrels" else (file.other, str(path))
    with tracebacks(f"{file.ending} {way}", file):
        try:
            with patches:
                scores = rankgold.evaluate(*sides, MEASURES, **options)
                if len(scores.runs) > 1:
                    return {run: dict(means) for run, means in scores.means.items()}
                return outcome(scores)
        except rankgold.RankgoldError as error:
            message = str(error).replace(str(folder()), "")
    if re.search(r"[\x00-\x1f\x7f-\x9f]", message):
        raise Failure(f"{file.ending} {way}: control characters in a message", repr(message), file)
    return message


def _same_values(found, expected):
    return found.keys() == expected.keys() and all(
        same(found[query][text], value) for query, row in expected.items() for text, value in row.items()
    )
