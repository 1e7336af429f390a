"""Functions in, their results out: the functions run in other threads in between."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from itertools import islice
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


def in_background(work: Callable[[], Result]) -> Callable[[], Result]:
    """Starts the work in another thread; the returned function waits for its result, or raises its error."""
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    # A daemon, so that the process can end before the work does, which the threads of an executor do not allow.
    Thread(target=run, daemon=True).start()
    return future.result


def results_ahead(works: Iterable[Callable[[], Result]], at_once: int) -> Iterator[Result]:
    """The results in order; `at_once` works run at the same time."""
    rest = iter(works)
    begun = deque(in_background(work) for work in islice(rest, at_once))
    while begun:
        result = begun.popleft()()
        begun.extend(in_background(work) for work in islice(rest, 1))
        yield result
