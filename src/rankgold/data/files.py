"""Opens a file, finds its format and reads it."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from glob import glob
from importlib.resources import files
from pathlib import Path
from typing import Any

from rankgold.core.errors import DataError
from rankgold.data.columns import Kind
from rankgold.data.formats.registry import FORMATS, READABLE, Head, is_binary_format, kind_of_pairs, recognise
from rankgold.data.input_file import LONGEST_LINE, LONGEST_ROW, InputFile, long_line_in, most_of_zstd
from rankgold.data.inputs import is_pattern, is_utf8, run_name, stem_and_ending
from rankgold.data.rows import RowFaults, Rows
from rankgold.data.table import Table, joined_tables

_ZSTD_RATIO = 200
_ARROW_STREAM = b"\xff\xff\xff\xff"


def read_file(
    path: str | os.PathLike[str],
    kind: Kind,
    named: dict[str, str],
    repeats: str = "error",
    faults: RowFaults | None = None,
) -> Rows:
    """The judgements or runs in a file, or in standard input."""
    try:
        return _read(replace(open_file(path, kind, named, repeats), faults=faults))
    except PermissionError:
        raise DataError("this file may not be read: permission denied.", os.fspath(path)) from None


def open_file(path: str | os.PathLike[str], kind: Kind, named: dict[str, str], repeats: str = "error") -> InputFile:
    """A file, or standard input, before it is read."""
    label = os.fspath(path)
    if not label:
        raise DataError("the name of a file is empty.")
    if label == "-":
        content = _standard_input()
        return InputFile(content, kind, named, "standard input", "stdin", "", repeats)
    if os.path.isdir(label):
        raise DataError("this is a directory. Name a file in it.", label)
    if not os.path.exists(label):
        raise DataError("there is no such file.", label)
    name, ending = stem_and_ending(label)
    # A pipe can be read only once, and Polars cannot open a file whose name is not text: these are read into memory.
    readable = label if os.path.isfile(label) and is_utf8(label) else _content(label)
    return InputFile(readable, kind, named, label, name, ending, repeats)


def _content(path: str) -> bytes:
    _let_interrupts_end_reads()
    return Path(path).read_bytes()


def _let_interrupts_end_reads() -> None:
    """Lets Ctrl-C end a read that waits for data. When Polars is imported, it makes the system resume such reads."""
    import signal

    if hasattr(signal, "siginterrupt"):  # Windows does not have it
        signal.siginterrupt(signal.SIGINT, True)


# Standard input is state of the process, and so is this: the first to read it leaves nothing for others.
_read_already = False


def _standard_input() -> bytes:
    global _read_already
    if sys.stdin is None:
        raise DataError("it is closed. Name a file, or give something to read.", "standard input")
    _let_interrupts_end_reads()
    content = sys.stdin.buffer.read()
    if not content and _read_already:
        raise DataError(
            "it was read already, and can be read only once. Put one of the two into a file.", "standard input"
        )
    _read_already = True
    return content


def head_of(file: InputFile) -> Head:
    """What is known of a file before it is read; an error if it is empty."""
    first_bytes = file.checked_head()[:4096]
    return Head(file.kind, file.named, file.ending, lambda: next(file.first_lines(), ""), first_bytes)


def _read(file: InputFile) -> Rows:
    first_bytes = file.checked_head()[:4096]
    is_text = not is_binary_format(first_bytes)
    if is_text and any(format_.magic and file.ending in format_.endings for format_ in FORMATS):
        raise DataError(_other_content(file), file.label)
    if is_text and not file.packing:
        if b"\0" in first_bytes:
            raise DataError(f"this is a binary file of no known format. {READABLE}", file.label)
        if b"\r" in first_bytes and b"\n" not in first_bytes:
            file = replace(file, content=_with_line_feeds(file))
    with file.translated_faults():
        head = head_of(file)
        if is_text and file.packing == "zstd":
            _check_zstd(file)
        if is_text and file.kind == "pairs":
            file = replace(file, kind=kind_of_pairs(head))
            head = replace(head, kind=file.kind)
        format_ = recognise(head)
        if is_text and file.packing != "zstd":
            _check_lines(file, LONGEST_LINE if format_.name == "JSON" else LONGEST_ROW)
        return format_.read(file)


def _other_content(file: InputFile) -> str:
    """The fault of a file whose name ends like a binary format and whose content is another."""
    if file.packing:
        return f"this is a {file.ending} file that is packed with {file.packing}: only text may be packed. Unpack it."
    if file.head().startswith(_ARROW_STREAM):
        return (
            "this is an Arrow stream, as Hugging Face datasets save it, and no Arrow file. Write it as an Arrow file or"
            " as Parquet."
        )
    return f"this is not a {file.ending} file, although its name says so."


def _with_line_feeds(file: InputFile) -> bytes:
    """The text of a file with bare carriage returns, which Polars does not take for line ends."""
    with file.mapped() as content:
        return bytes(content).replace(b"\r", b"\n")


def _check_lines(file: InputFile, limit: int) -> None:
    with file.mapped() as content:
        line = long_line_in(content, limit, LONGEST_ROW)
    if line is not None:
        raise DataError(
            f"this line is longer than {limit >> 20:,} MB, the most that is read. Check that this is a file of"
            " judgements or rankings.",
            f"{file.label}:{line}",
        )


def _check_zstd(file: InputFile) -> None:
    """Raises an error on a small file that holds gigabytes: only unpacking would show whether they are one line."""
    with file.mapped() as content:
        most, size = most_of_zstd(content), len(content)
    if most > max(LONGEST_LINE, _ZSTD_RATIO * size):
        raise DataError(
            f"this may unpack to {most >> 20:,} MB, more than {_ZSTD_RATIO} times its size. Unpack it, and pass the"
            " unpacked file.",
            file.label,
        )


def runs_of_patterns(runs: list[tuple[str | None, Any]]) -> list[tuple[str | None, Any]]:
    """The runs with the names given to them; each file of a pattern is a run of its own."""
    expanded: list[tuple[str | None, Any]] = []
    for given, source in runs:
        if not is_pattern(source):
            expanded.append((given, source))
            continue
        paths = _files(source)
        for path in paths:
            name = None if given is None else run_name(given, stem_and_ending(path)[0], len(paths))
            expanded.append((name, path))
    return expanded


def joined_judgements(
    pattern: str | os.PathLike[str], named: dict[str, str], repeats: str, faults: RowFaults | None = None
) -> Table:
    """The judgements in all files of a pattern."""
    return joined_tables([read_file(path, "qrels", named, repeats, faults).table() for path in _files(pattern)])


def _files(pattern: str | os.PathLike[str]) -> list[str]:
    text = os.fspath(pattern)
    paths = sorted(path for path in glob(text, recursive=True) if not os.path.isdir(path))
    if not paths:
        raise DataError("no file matches this pattern.", text)
    return paths


def sample(name: str) -> Path:
    """Where a file is: qrels.txt, queries.tsv, titles.trec, bm25.trec and expanded.trec of the searches; of the
    recommendations dishes.csv, orders.csv, bestsellers.csv and neighbours.csv.

    >>> sample("qrels.txt").name
    'qrels.txt'
    """
    return Path(str(files(__package__).joinpath("samples", name)))
