"""Reports of progress in, a progress bar on standard error out, if that is a terminal and the work takes a second."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rankgold.output.text import plain

if TYPE_CHECKING:
    from rich.progress import Progress

_DELAY_SECONDS = 1.0


@contextmanager
def progress_bar(steps: int, quiet: bool = False) -> Iterator[Callable[[str, float, int], None]]:
    """A function that takes the current step, the share of it that is done and its number of rows.

    Nothing is shown if standard error is not a terminal, nor in the first second, nor if `quiet`.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda *_: None
        return
    bar = _Bar(steps)
    timer = threading.Timer(_DELAY_SECONDS, bar.show)
    timer.daemon = True
    timer.start()
    try:
        yield bar.update
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


class _Bar:
    """A bar that imports rich only when it is shown: the import takes longer than most commands."""

    def __init__(self, steps: int) -> None:
        self._total = steps
        self._steps_begun: list[str] = []
        self._state: dict[str, Any] = {"description": "", "completed": 0, "rows": ""}
        self._drawn: Progress | None = None
        self._start = time.monotonic()

    def update(self, description: str, share: float, rows: int) -> None:
        if not self._steps_begun or self._steps_begun[-1] != description:
            self._steps_begun.append(description)
        done = len(self._steps_begun) - 1 + share
        self._state = {"description": plain(description), "completed": done, "rows": f"{rows:,} rows" if rows else ""}
        if self._drawn is not None:
            self._drawn.update(self._drawn.task_ids[0], **self._state)

    def show(self) -> None:
        from rich import progress
        from rich.console import Console

        step = progress.TextColumn("{task.description}", markup=False)
        rows, left = progress.TextColumn("{task.fields[rows]}"), progress.TextColumn("left")
        share, bar = progress.TaskProgressColumn(), progress.BarColumn()
        elapsed, remaining = progress.TimeElapsedColumn(), progress.TimeRemainingColumn()
        columns = (step, bar, rows, share, elapsed, left, remaining)
        drawn = progress.Progress(*columns, console=Console(stderr=True), transient=True, get_time=time.monotonic)
        drawn.add_task(total=self._total, **self._state)
        drawn.tasks[0].start_time = self._start
        drawn.start()
        self._drawn = drawn

    def stop(self) -> None:
        if self._drawn is not None:
            self._drawn.stop()
