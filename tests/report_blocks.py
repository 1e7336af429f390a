"""Reads the packed data of a report, as its page does."""

import base64
import gzip
import json
import re

import numpy as np

TYPES = {"u1": "u1", "u2": "<u2", "u4": "<u4", "i4": "<i4", "f8": "<f8"}


def blocks_of(page):
    """Name -> content, of all blocks but the script of charts."""
    found = re.findall(r'<script type="text/plain" id="data-([\w-]+)">([^<]*)</script>', page)
    return {name: _content(text) for name, text in found if name != "vega"}


def _content(text):
    data = gzip.decompress(base64.b64decode(text))
    size = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + size])
    columns, at = [], 4 + size
    for name, length in header["columns"]:
        width = np.dtype(TYPES[name]).itemsize
        planes = np.frombuffer(data, np.uint8, width * length, at).reshape(width, length)
        columns.append(np.ascontiguousarray(planes.T).reshape(-1).view(TYPES[name]))
        at += width * length
    assert at == len(data)
    return _with_columns(header["content"], columns)


def _with_columns(value, columns):
    if isinstance(value, list):
        return [_with_columns(item, columns) for item in value]
    if isinstance(value, dict):
        return (
            columns[value["$"]] if "$" in value else {key: _with_columns(item, columns) for key, item in value.items()}
        )
    return value


def pool_documents(pool, query):
    """The documents of a query's pool: id, grade (None if not judged), ranks."""
    starts = starts_of(pool["sizes"])
    numbers = np.cumsum(pool["steps"])
    return [
        (
            pool["ids"][numbers[row]],
            None if pool["grade"][row] == 0 else pool["grades"][pool["grade"][row] - 1],
            [int(ranks[row]) for ranks in pool["ranks"]],
        )
        for row in range(starts[query], starts[query + 1])
    ]


def starts_of(sizes):
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
