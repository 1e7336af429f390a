"""A Parquet file in, an error out if the sizes that it states cannot be true.

Polars allocates memory by the sizes in a file, and ends the process if there is not enough. So one damaged byte
could end the process of the caller. The sizes are in the footer and in the header of every page, which are checked
here: a few dozen bytes for each megabyte of data.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Collection

from rankgold.data.formats.file_sizes import UnreadableTypeError, check_unpacked, most_rows, require
from rankgold.data.formats.registry import PARQUET
from rankgold.data.formats.thrift import Struct, ThriftReader

_FIXED, _REPEATED = 7, 2
_LONGEST_FIXED = 4096
_MOST_DIGITS = 38
_DICTIONARY_PAGE = 2


def check_parquet(content: bytes | mmap.mmap, used: Callable[[list[str]], Collection[str]]) -> None:
    """Checks the sizes in the footer and in the pages of the used columns.

    Raises DamagedError, or UnreadableTypeError on a column that Polars does not read.
    """
    size = len(content)
    require(size >= 12 and content[-4:] == PARQUET, "its end is missing")
    length = int.from_bytes(content[-8:-4], "little")
    require(length <= size - 12, "its footer is longer than the file")
    footer = ThriftReader(content, size - 8 - length, size - 8).struct()
    leaves = [element for element in footer[2][1:] if 1 in element]
    for leaf in leaves:
        if leaf.get(8, 0) > _MOST_DIGITS:
            raise UnreadableTypeError(leaf[4].decode(), f"decimal of {leaf[8]} digits")
    names = dict.fromkeys(chunk[3][3][0].decode() for group in footer[4][:1] for chunk in group[1])
    columns, most = used(list(names)) if names else (), most_rows(size)
    for group in footer[4]:
        require(0 <= group[3] <= most, f"a row group states {group[3]:,} rows")
        require(len(group[1]) == len(leaves), "a row group does not have all columns")
        for chunk, leaf in zip(group[1], leaves, strict=True):
            path = [part.decode() for part in chunk[3][3]]
            if path[0] in columns:
                is_flat = len(path) == 1 and leaf.get(3) != _REPEATED
                _check_column(content, chunk[3], leaf, group[3] if is_flat else None, most)
    require(footer[3] == sum(group[3] for group in footer[4]), "the rows of its row groups are not all its rows")


def _check_column(content: bytes | mmap.mmap, chunk: Struct, leaf: Struct, rows: int | None, most: int) -> None:
    """The pages of one column in one row group. Without nesting, every row has a value, which may be null."""
    values, start = chunk[5], chunk[11] if 11 in chunk else chunk[9]
    end = start + chunk[7]
    require(0 <= start <= end <= len(content), "a column ends after the file")
    require(0 <= values <= most if rows is None else values == rows, "a column has more or fewer values than rows")
    require(leaf[1] != _FIXED or 0 < leaf[2] <= _LONGEST_FIXED, "its values are too long")
    pages, seen = ThriftReader(content, start, end), 0
    while seen < values:
        page = pages.struct()
        packed, unpacked = page[3], page[2]
        pages.place += packed
        require(min(packed, unpacked) >= 0 and pages.place <= end, "a page ends after its column")
        check_unpacked(packed, unpacked)
        if page[1] == _DICTIONARY_PAGE:
            require(0 <= page[7][1] <= unpacked, "a dictionary has more values than bytes")
            continue
        header = page.get(5) or page.get(8) or {1: 0}
        levels = header.get(5, 0), header.get(6, 0)
        require(8 not in page or 0 <= min(levels) <= sum(levels) <= packed, "the levels of a page end after it")
        seen += header[1]
        require(0 <= header[1] <= seen <= values, "a page has more values than its column")
