"""A progress bar on standard error, for work that takes more than a second and is watched."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from karat.rendering import plain

_PATIENCE = 1.0


@contextmanager
def watched(steps: int) -> Iterator[Callable[[str, float, int], None]]:
    """A function to call with what is being done, the share that is done and its rows, as each of the steps goes on.

    Nothing is shown when standard error is not a terminal, nor in the first second.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[rows]}"),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = progress.add_task("", total=steps, rows="")
    begun: list[str] = []

    def go_on(description: str, share: float, rows: int) -> None:
        if not begun or begun[-1] != description:
            begun.append(description)
        counted = f"{rows:,} rows" if rows else ""
        progress.update(task, description=plain(description), completed=len(begun) - 1 + share, rows=counted)

    timer = threading.Timer(_PATIENCE, progress.start)
    timer.daemon = True
    timer.start()
    try:
        yield go_on
    finally:
        timer.cancel()
        timer.join()
        progress.stop()
