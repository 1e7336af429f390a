"""A function in, its result out: the function runs in another thread in between."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


def in_background(work: Callable[[], Result]) -> Callable[[], Result]:
    """Starts the work in another thread; the returned function waits for its result, or raises its error."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # raised where the result is used
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()

    def result() -> Result:
        thread.join()
        for error in errors:
            raise error
        return results[0]

    return result
