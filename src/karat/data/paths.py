"""What a path says of its file."""

from __future__ import annotations

import os
from pathlib import Path

PACKED = (".gz", ".zst", ".zstd")


def stem_and_ending(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The name a run takes from its file, and the ending of the format: 'bm25' and '.csv' of 'runs/bm25.csv.gz'."""
    file = Path(path)
    stem, ending = file.stem, file.suffix.lower()
    if ending in PACKED:
        stem, ending = Path(stem).stem, Path(stem).suffix.lower()
    return stem or file.name, ending
