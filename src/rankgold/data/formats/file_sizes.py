"""What a file states about itself in, an error out if it cannot be true or cannot be read."""

from __future__ import annotations

import os
from functools import cache

# A row of a run takes more than a thousandth of a byte, however well it is compressed, unless there are few rows.
_ROWS_PER_BYTE, _ROWS_OF_ANY_FILE = 1000, 10_000_000
# The least memory of a row: that of an empty text in Polars.
_BYTES_PER_ROW = 16
# No compression is better than zstd's 128 kB in 4 bytes. The few bytes are for small files.
_RATIO, _FEW = 1 << 15, 1 << 10


class DamagedError(Exception):
    """The sizes in a file are impossible. The text names them."""


class UnreadableTypeError(Exception):
    """A column of a type that Polars does not read. The arguments are its name and its type."""


def require(holds: bool, what: str) -> None:
    if not holds:
        raise DamagedError(what)


def most_rows(size: int) -> int:
    """The largest number of rows in a file of this size."""
    return min(_ROWS_OF_ANY_FILE + _ROWS_PER_BYTE * size, _memory() // _BYTES_PER_ROW)


def check_unpacked(packed: int, unpacked: int) -> None:
    """Checks the size of a piece of a file after decompression."""
    is_possible = unpacked <= min(_RATIO * packed + _FEW, _memory())
    require(is_possible, f"it states that {packed:,} bytes become {unpacked:,} bytes")


@cache
def _memory() -> int:
    """The memory of this machine in bytes."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 1 << 40  # not known, as on Windows
