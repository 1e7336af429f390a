"""The path of a text file in, its lines with their numbers out; a text of JSON in, its content out."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from typing import Any

from rankgold.errors import DataError


def numbered_lines(path: str) -> Iterator[tuple[int, str]]:
    """The lines of a file, which may be packed by gzip, without their ends. The first number is 1."""
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                yield number, line.rstrip("\r\n")
    except UnicodeDecodeError:
        raise DataError("this is not UTF-8 text.", path) from None
    except IsADirectoryError:
        raise DataError("this is a directory. Name a file in it.", path) from None
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{getattr(error, 'strerror', None) or error}.", path) from None


def parsed_json(text: str, place: str) -> Any:
    """The content of a text of JSON; an error if it is not JSON, or has a number of thousands of digits."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise DataError("this is not JSON.", place) from None
