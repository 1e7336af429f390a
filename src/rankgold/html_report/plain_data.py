"""Values with NumPy columns in, compressed text for a page out: JSON, with the columns in binary behind it.

4 bytes      the length of the JSON
JSON         a column is {"$": number}; "columns" has the type, position and length of each
columns      byte planes: all first bytes of the numbers, then all second bytes, which compresses better
"""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import numpy as np

_TYPES: dict[str, Any] = {"u1": np.uint8, "u2": np.uint16, "u4": np.uint32, "i4": np.int32}


def packed_text(value: object) -> str:
    """The value as base64 of gzip."""
    columns: list[bytes] = []
    about: list[list[Any]] = []

    def place(column: object) -> dict[str, int]:
        name, numbers = _smallest(column)
        about.append([name, len(numbers)])
        columns.append(numbers.view(np.uint8).reshape(len(numbers), numbers.itemsize).T.tobytes())
        return {"$": len(about) - 1}

    content = json.dumps(value, ensure_ascii=False, allow_nan=False, default=place)
    text = f'{{"content": {content}, "columns": {json.dumps(about)}}}'.encode("utf-8", "replace")
    data = len(text).to_bytes(4, "little") + text + b"".join(columns)
    return zipped(data)


def zipped(data: bytes) -> str:
    """Bytes as base64 of gzip; the same text every time."""
    return base64.b64encode(gzip.compress(data, 6, mtime=0)).decode("ascii")


def _smallest(column: Any) -> tuple[str, Any]:
    """The smallest type that holds a column exactly, and the column in it."""
    if column.dtype.kind == "f":
        return "f8", np.ascontiguousarray(column, dtype="<f8")
    low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    for name, type_ in _TYPES.items():
        span = np.iinfo(type_)
        if span.min <= low and high <= span.max:
            return name, np.ascontiguousarray(column, dtype=np.dtype(type_).newbyteorder("<"))
    return "f8", np.ascontiguousarray(column, dtype="<f8")
