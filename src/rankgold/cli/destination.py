"""Text or bytes in, standard output or a file out. A file is written as a whole or not at all."""

import io
import os
import stat
import sys
from argparse import Namespace
from collections.abc import Iterable

from rankgold.errors import DataError
from rankgold.output.atomic_file import ESCAPES, check_writable, write_atomically
from rankgold.output.text import plain_lines

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
    from rankgold.cli.input_paths import paths_read

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
