"""Text, packed or not, in; the number of the first line that is too long out.

Polars needs several times the memory of the longest line, and ends the process if there is not enough. A small
packed file can hold a line of any length.
"""

from __future__ import annotations

import gzip
import mmap
from io import BufferedIOBase, BytesIO

LONGEST_ROW = 64 << 20
"""The most bytes in a line of a format that has a row in each line."""
LONGEST_LINE = 2 << 30
"""The most bytes in any line: JSON may be written as a single one."""

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"

_PIECE = 1 << 18
_GZIP_RATIO = 1032
# A sample of packed text has more than 240 different bytes, and one of packed repetitions few.
_SAMPLE, _FEW_VALUES = 1 << 10, 160
# The most bytes in a block, and two kinds of blocks: one byte repeated, and compressed bytes.
_ZSTD_BLOCK, _REPEATED, _COMPRESSED = 1 << 17, 1, 2


def long_line_in(content: bytes | mmap.mmap, limit: int, longest: int) -> int | None:
    """The number of the first line that is longer than the limit, in text that may be packed by gzip.

    Packed text is unpacked only if it may hold a line longer than `longest`.
    """
    if content[:2] != GZIP:
        return long_line(content, limit)
    if not is_repetitive(content, longest):
        return None
    with gzip.open(BytesIO(content) if isinstance(content, bytes) else content) as stream:
        return long_line_of_stream(stream, limit)


def long_line(content: bytes | mmap.mmap, limit: int) -> int | None:
    """The number of the first line that is longer than the limit.

    Only the ends of stretches as long as the limit are searched. In miniature, with a limit of 4 and with blanks in
    the place of line ends: in `ab c d efghi`, the last end in the first stretch `ab c ` is at 4. The last one in the
    next, `d efg`, is at 6, and the third, `efghi`, has none: the fourth line is too long.
    """
    start = 0
    while len(content) - start > limit:
        end = content.rfind(b"\n", start, start + limit + 1)
        if end < 0:
            before = range(0, start, _PIECE)
            return 1 + sum(content[at : min(at + _PIECE, start)].count(b"\n") for at in before)
        start = end + 1
    return None


def long_line_of_stream(stream: BufferedIOBase, limit: int) -> int | None:
    """As `long_line`, for a stream. The limit is longer than a piece."""
    line, length = 1, 0
    while piece := stream.read(_PIECE):
        first, ends = piece.find(b"\n"), piece.count(b"\n")
        length += len(piece) if first < 0 else first
        if length > limit:
            return line
        if ends:
            line, length = line + ends, len(piece) - piece.rfind(b"\n") - 1
    return None


def is_repetitive(packed: bytes | mmap.mmap, longest: int) -> bool:
    """Whether a gzip file may hold far more text than its size suggests. Then it is worth the time to unpack it.

    Packed text has all values of bytes, about equally often. Where gzip packs a hundred bytes or more into one, it
    repeats the same few. At best it packs 1,032 bytes into one: 64 MB take 64 kB, and two samples fall into them, if
    64 MB is the `longest` line.
    """
    samples = range(0, len(packed) - _SAMPLE, longest // _GZIP_RATIO // 2)
    return any(len(set(packed[at : at + _SAMPLE])) < _FEW_VALUES for at in samples)


def most_of_zstd(content: bytes | mmap.mmap) -> int:
    """The most bytes that a zstd file can hold unpacked. The blocks are counted by their headers, and not unpacked."""
    place = most = 0
    while content[place : place + 4] == ZSTD and place + 4 < len(content):
        # One byte says which fields the header has: of the window, the dictionary and the size.
        fields = content[place + 4]
        is_single, size = bool(fields & 32), fields >> 6
        place += 5 + (not is_single) + (0, 1, 2, 4)[fields & 3] + ((1 if is_single else 0), 2, 4, 8)[size]
        is_last = False
        while not is_last and place + 3 <= len(content):
            block = int.from_bytes(content[place : place + 3], "little")
            is_last, kind, length = bool(block & 1), block >> 1 & 3, block >> 3
            place += 3 + (1 if kind == _REPEATED else length)
            most += _ZSTD_BLOCK if kind == _COMPRESSED else length
        place += 4 * bool(fields & 4)
    return most
