"""Patterns such as `runs/*.trec` in, their files out: each a run of its own, or all of them one table of judgements."""

from __future__ import annotations

import os
from glob import glob
from typing import Any

from rankgold.data.files import read_file
from rankgold.data.inputs import is_pattern, run_name
from rankgold.data.inspection import RowFaults
from rankgold.data.paths import stem_and_ending
from rankgold.data.table import Table, joined_tables
from rankgold.errors import DataError


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
