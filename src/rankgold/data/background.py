"""Work that goes on while other work is done."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


def in_background(work: Callable[[], Result]) -> Callable[[], Result]:
    """Begins the work in another thread, and returns the function that waits for what it returns or raises."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # raised again where the result is asked for
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()

    def result() -> Result:
        thread.join()
        for error in errors:
            raise error
        return results[0]

    return result
