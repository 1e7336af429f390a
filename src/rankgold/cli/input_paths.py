"""What was typed for an input in, the paths out of all files that may be read for it: patterns, folders, databases."""

import glob
import os
import re
from collections.abc import Iterator
from itertools import islice

# Of a folder: parts of a table are fewer, and walking through a whole disk would take minutes.
_MOST_FILES = 10_000
# The files that DuckDB and SQLite keep beside a database. DuckDB reads its own one even if another program wrote it.
_LOGS = (".wal", "-wal", "-shm", "-journal")


def paths_read(text: str) -> Iterator[str]:
    """The files that a path, a pattern, a folder or an address such as sqlite:FILE stands for."""
    local = re.sub(r"^\w+:(//(localhost)?(?=/))?", "", text)
    for spelling in dict.fromkeys((text, os.path.expanduser(text), local)):
        for path in (spelling, *_matches(spelling)):
            if os.path.isdir(path):
                files = (os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
                yield from islice(files, _MOST_FILES)
            elif os.path.exists(path):
                yield path
                yield from _logs(path)


def _matches(pattern: str) -> Iterator[str]:
    """The files of a pattern; Spark knows choices such as {a,b} too."""
    choice = re.search(r"\{([^{}]*,[^{}]*)\}", pattern)
    if choice is None:
        if glob.has_magic(pattern):
            yield from glob.iglob(pattern, recursive=True, include_hidden=True)
        return
    for word in choice[1].split(","):
        chosen = pattern[: choice.start()] + word + pattern[choice.end() :]
        yield from (chosen, *_matches(chosen))


def _logs(path: str) -> Iterator[str]:
    try:
        with open(path, "rb") as file:
            start = file.read(16) if os.path.isfile(path) else b""
    except OSError:
        return
    if start[8:12] == b"DUCK" or start.startswith(b"SQLite format 3"):
        yield from (place + ending for place in dict.fromkeys((path, os.path.realpath(path))) for ending in _LOGS)


def quoted_texts(sql: str) -> Iterator[str]:
    """All texts and names in quotes: the files that the definition of a view reads are among them."""
    for text, name in re.findall(r"'((?:[^']|'')*)'|\"((?:[^\"]|\"\")*)\"", sql):
        yield text.replace("''", "'") if text else name.replace('""', '"')
