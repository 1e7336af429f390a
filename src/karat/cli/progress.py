"""A progress bar on standard error, for work that takes more than a second and is watched."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PATIENCE = 1.0


@contextmanager
def watched(steps: int) -> Iterator[Callable[[str], None]]:
    """A function to call with a description as each of the steps begins.

    Nothing is shown when standard error is not a terminal, nor in the first second.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = progress.add_task("", total=steps)
    begun = 0

    def begin(description: str) -> None:
        nonlocal begun
        progress.update(task, description=description, completed=begun)
        begun += 1

    timer = threading.Timer(_PATIENCE, progress.start)
    timer.daemon = True
    timer.start()
    try:
        yield begin
    finally:
        timer.cancel()
        timer.join()
        progress.stop()
