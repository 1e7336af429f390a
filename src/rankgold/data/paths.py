"""What a path says of its file."""

from __future__ import annotations

import os

PACKED = (".gz", ".zst", ".zstd")


def stem_and_ending(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The name a run takes from its file, and the ending of the format: 'bm25' and '.csv' of 'runs/bm25.csv.gz'."""
    stem, ending = os.path.splitext(os.path.basename(os.path.normpath(path)))
    if ending.lower() in PACKED:
        stem, ending = os.path.splitext(stem)
    return stem, ending.lower()
