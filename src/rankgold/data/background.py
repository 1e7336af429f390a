"""A function in, its result out: the function runs in another thread in between."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
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
