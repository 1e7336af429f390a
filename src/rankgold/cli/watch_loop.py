"""Files and something to do with them in; it is done now, and again whenever one of the files changes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable

from rankgold.cli.input_paths import paths_read
from rankgold.errors import DataError, RankgoldError

_SECONDS = 0.3

Stamps = dict[str, tuple[int, int]]
"""File -> its time and size."""


def watch(inputs: Iterable[str], work: Callable[[], None]) -> None:
    """Does the work, and does it again after each change, until Ctrl-C. An error is printed, and the watch goes on."""
    texts = list(inputs)
    if "-" in texts:
        raise DataError("--watch cannot watch standard input. Name a file.")
    try:
        while True:
            before = _stamps(texts)
            try:
                work()
            except RankgoldError as error:
                print(error, file=sys.stderr, flush=True)
            _wait_for_change(texts, before)
            print(_divider(), end="", flush=True)
    except KeyboardInterrupt:
        return


def _wait_for_change(texts: list[str], before: Stamps) -> None:
    """Returns when a file has changed, and has stayed as it is for a moment: a writer may not be done."""
    while (now := _stamps(texts)) == before:
        time.sleep(_SECONDS)
    while (later := _stamps(texts)) != now or not later:
        now = later
        time.sleep(_SECONDS)


def _stamps(texts: list[str]) -> Stamps:
    stamps = {}
    for path in (path for text in texts for path in paths_read(text)):
        try:
            found = os.stat(path)
        except OSError:  # it was removed in this moment
            continue
        stamps[path] = (found.st_mtime_ns, found.st_size)
    return stamps


def _divider() -> str:
    """The divider between two results: clears a terminal; other outputs get a line with the time."""
    if sys.stdout.isatty():
        return "\x1b[2J\x1b[H"
    return f"\n--- {time.strftime('%H:%M:%S')}\n"
