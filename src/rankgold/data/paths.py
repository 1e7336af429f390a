"""A path in, the name of its run, the ending of its format and the names of its folders out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

PACKED = (".gz", ".zst", ".zstd")
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
"""What Hive, Spark and others write after `name=` for a row without a value."""

_FOLDER = re.compile(r"([^/\\=]+)=[^/\\]*[/\\]")


def stem_and_ending(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The name of the run, and the ending of the format: 'runs/bm25.csv.gz' gives 'bm25' and '.csv'.

    Bytes that are not UTF-8 are escaped in the name.
    """
    stem, ending = os.path.splitext(os.path.basename(os.path.normpath(path)))
    if ending.lower() in PACKED:
        stem, ending = os.path.splitext(stem)
    return stem.encode("utf-8", "backslashreplace").decode(), ending.lower()


def folder_names(files: Iterable[str]) -> list[str]:
    """The names of folders such as `run=bm25`, before the equals sign."""
    return list(dict.fromkeys(name for file in files for name in _FOLDER.findall(file)))


def is_utf8(path: str) -> bool:
    """Whether the name of a file is text. Linux allows any bytes, which Python shows as halves of characters."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
