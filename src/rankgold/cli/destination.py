"""Text in, standard output or a file out. A file is written as a whole or not at all."""

import codecs
import io
import os
import sys
from argparse import Namespace
from collections.abc import Iterable

from rankgold.errors import DataError


def _escape_characters(error: UnicodeError) -> tuple[str, int]:
    """The characters that an encoding does not have as \\u escapes, of which JSON has the same."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in zip(units[::2], units[1::2], strict=True)), error.end


OUTPUTS = ("output", "save", "junit", "summary")
"""The options that name files to be written."""

ESCAPES = "rankgold-escapes"
codecs.register_error(ESCAPES, _escape_characters)


def check_standard_output() -> None:
    """Lets standard output escape what its encoding does not have, and report what a full disk does not take."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        if isinstance(sys.stdout.buffer, io.RawIOBase):
            # PYTHONUNBUFFERED: Python ignores how much of a text was written. Every text is flushed here anyway.
            sys.stdout = open(sys.stdout.fileno(), "w", encoding=sys.stdout.encoding, closefd=False)  # noqa: SIM115
        sys.stdout.reconfigure(errors=ESCAPES)


def write(text: str, output: str | None) -> None:
    """Prints the text, or writes it to the file if there is one."""
    if output is not None:
        write_atomically(text, output)
        return
    if sys.stdout is None:
        raise DataError("it is closed. Pass a file with --output.", "standard output")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"this cannot be written: {error.strerror}.", "standard output") from None


def check_writable(output: str | None) -> None:
    """Raises an error if the output cannot be written."""
    if output is None:
        return
    if not output:
        raise DataError("--output needs the name of a file.")
    path = os.path.realpath(output)
    if os.path.isdir(path) or output.endswith((os.sep, os.altsep or os.sep)):
        raise DataError("this is a directory. Name a file to write to.", output)
    if not os.path.isdir(os.path.dirname(path)):
        raise DataError(f"there is no directory {os.path.dirname(output)!r} to write to.", output)


def check_not_read(output: str | None, inputs: Iterable[str]) -> None:
    """Raises an error if the output would replace a file that is read. `inputs` are texts as the user typed them."""
    if output is None:
        return
    from rankgold.cli.input_paths import paths_read

    path = os.path.realpath(output)
    for text in inputs:
        if _is_standard_input(path) if text == "-" else any(_is_same(path, file) for file in paths_read(text)):
            raise DataError("this is one of the files to be read. Name another to write to.", output)


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
            raise DataError("this is to be written twice. Name another file for one of them.", output)


def _is_same(path: str, file: str) -> bool:
    """Whether two paths are the same file, which may have several names. A file need not exist to be the same."""
    try:
        return os.path.realpath(file) == path or os.path.samefile(path, file)
    except (OSError, ValueError):
        return False


def _is_standard_input(path: str) -> bool:
    try:
        return sys.stdin is not None and os.path.samestat(os.fstat(sys.stdin.fileno()), os.stat(path))
    except OSError:
        return False


def write_atomically(content: str | bytes, output: str) -> None:
    """Writes to a temporary file in the same directory, which then replaces the output and keeps its mode.

    Links are followed. If the output is not a regular file (a pipe, for example), it is written to directly.
    """
    from rankgold.data.temporary_files import part_file

    check_writable(output)
    path = os.path.realpath(output)
    data = content.encode("utf-8", ESCAPES) if isinstance(content, str) else content
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(data)
            return
        mode = os.stat(path).st_mode & 0o7777 if os.path.exists(path) else 0o666 & ~_umask()
        with part_file(os.path.dirname(path)) as (temporary, file):
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # some file systems report only here that the disk is full
            os.chmod(temporary, mode)
            if os.name == "nt":
                file.close()  # Windows does not replace an open file
            os.replace(temporary, path)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"this cannot be written: {error.strerror}.", output) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
