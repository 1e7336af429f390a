"""Writes results, shows progress, runs again when a file changes.

A file is written as a whole or not at all.
"""

from __future__ import annotations

import glob
import io
import os
import re
import stat
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from rankgold.core.document import plain, plain_lines
from rankgold.core.errors import DataError, RankgoldError
from rankgold.data.temporary_files import ESCAPES, check_writable, write_atomically

if TYPE_CHECKING:
    from rich.progress import Progress


OUTPUTS = ("output", "save", "junit", "summary")
"""The options that name files to be written."""


def check_standard_output() -> None:
    """Lets standard output escape what its encoding does not have, and report what a full disk does not take."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        if isinstance(sys.stdout.buffer, io.RawIOBase):
            # PYTHONUNBUFFERED: Python ignores how much of a text was written. Every text is flushed here anyway.
            sys.stdout = open(sys.stdout.fileno(), "w", encoding=sys.stdout.encoding, closefd=False)  # noqa: SIM115
        sys.stdout.reconfigure(errors=ESCAPES)


def write(content: str | bytes, output: str | None) -> None:
    """Prints the text, or writes it to the file if there is one. Bytes for standard output are data in UTF-8."""
    if output is not None:
        write_atomically(content, output)
        return
    if sys.stdout is None:
        raise DataError("it is closed. Pass a file with --output.", "standard output")
    try:
        sys.stdout.write(content if isinstance(content, str) else for_terminal(content.decode()))
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"this cannot be written: {error.strerror}.", "standard output") from None


def for_terminal(data: str, output: str | None = None) -> str:
    """Data such as CSV: unchanged for files and pipes; for a terminal, with control characters escaped."""
    is_shown = _is_terminal(output) if output is not None else sys.stdout is not None and sys.stdout.isatty()
    return plain_lines(data) if is_shown else data


def check_not_read(output: str | None, inputs: Iterable[str]) -> None:
    """Raises an error if the output would replace a file that is read. `inputs` are texts as the user typed them.

    A terminal may be both standard input and output: writing to it replaces nothing.
    """
    if output is None or _is_terminal(output):
        return
    path = os.path.realpath(output)
    for text in inputs:
        if _is_standard_input(path) if text == "-" else any(_is_same(path, file) for file in paths_read(text)):
            raise DataError("this is also an input file. Name another file to write to.", output)


def outputs_of(options: Namespace) -> list[str]:
    """The files that a command is going to write."""
    return [path for name in OUTPUTS if (path := getattr(options, name, None)) is not None]


def check_outputs(options: Namespace, inputs: Iterable[str]) -> None:
    """Raises an error if an output cannot be written, would replace a file that is read, or is named twice."""
    outputs = outputs_of(options)
    read = list(inputs) if outputs else []
    for i, output in enumerate(outputs):
        check_writable(output)
        check_not_read(output, read)
        if any(_is_same(os.path.realpath(output), other) for other in outputs[:i]):
            raise DataError("two outputs have this name. Name another file for one of them.", output)


def _is_same(path: str, file: str) -> bool:
    """Whether two paths are the same file, which may have several names. A file need not exist to be the same."""
    try:
        return os.path.realpath(file) == path or os.path.samefile(path, file)
    except (OSError, ValueError):
        return False


def _is_terminal(output: str) -> bool:
    try:
        return stat.S_ISCHR(os.stat(output).st_mode)
    except OSError:
        return False


def _is_standard_input(path: str) -> bool:
    try:
        return sys.stdin is not None and os.path.samestat(os.fstat(sys.stdin.fileno()), os.stat(path))
    except OSError:
        return False


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
