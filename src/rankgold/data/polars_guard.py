"""Raises instead of deadlocking when Polars is used after a fork; wraps Arrow objects.

A fork copies only the thread that calls it. Polars works with threads of its own, which it starts when it is first
used. In a child that was forked afterwards they are missing, and Polars waits for them.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Protocol

from rankgold.core.errors import RankgoldError

_THREADS = "/proc/self/task"


def check_polars() -> None:
    """Raises an error if Polars was used before this process was forked. Call it before using Polars."""
    if _is_lost(os.getpid()):
        raise RankgoldError(
            "This process was forked after Polars was used, and Polars would wait for ever here. Start processes with"
            " multiprocessing.get_context('spawn') or 'forkserver'. In a forked process, pass dicts, lists or arrays."
        )


@cache
def _is_lost(process: int) -> bool:
    """True if Polars has threads that are not in this process. Asked once per process.

    There must be at least the main thread and those of Polars: with fewer, Polars' are missing. With more, which may
    be others, the threads of a process that was forked are told by their names. Where Linux is not, our own use counts.
    """
    is_forked = _first_process() != process
    if (polars := sys.modules.get("polars")) is None:
        return False
    try:
        before = len(os.listdir(_THREADS))
        started = polars.thread_pool_size()  # which starts them, unless Polars has done so
        threads = os.listdir(_THREADS)
    except OSError:
        return is_forked
    is_new = len(threads) >= before + started
    return len(threads) <= started or (is_forked and not is_new and not any(map(_is_of_polars, threads)))


@cache
def _first_process() -> int:
    """The process that asked first. Its forks get the same answer."""
    return os.getpid()


def _is_of_polars(thread: str) -> bool:
    """True if a thread is named as by Polars: polars-0 and so on."""
    try:
        with open(f"{_THREADS}/{thread}/comm", "rb") as file:
            name = file.read().strip()
    except OSError:  # it has ended
        return False
    return name.startswith(b"polars-") and name.removeprefix(b"polars-").isdigit()


class SupportsArrow(Protocol):
    """An object with the Arrow interface."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class ArrowStream:
    """The Arrow interface of a frame and nothing else.

    DuckDB then needs no other library to read the frame. And Polars, which keeps the class of every object that it has
    read until the process ends, does not keep one of DuckDB's: DuckDB would report it at exit as leaked, in dozens of
    lines on standard error.
    """

    def __init__(self, frame: SupportsArrow) -> None:
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._frame.__arrow_c_stream__(requested_schema)
