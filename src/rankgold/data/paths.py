"""A path in, the name of its run and the ending of its format out."""

from __future__ import annotations

import os

PACKED = (".gz", ".zst", ".zstd")


def stem_and_ending(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The name of the run, and the ending of the format: 'runs/bm25.csv.gz' gives 'bm25' and '.csv'.

    Bytes that are not UTF-8 are escaped in the name.
    """
    stem, ending = os.path.splitext(os.path.basename(os.path.normpath(path)))
    if ending.lower() in PACKED:
        stem, ending = os.path.splitext(stem)
    return stem.encode("utf-8", "backslashreplace").decode(), ending.lower()


def is_utf8(path: str) -> bool:
    """Whether the name of a file is text. Linux allows any bytes, which Python shows as halves of characters."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
