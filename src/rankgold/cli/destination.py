"""Where results go: standard output, or a file that is complete or not there at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from rankgold.errors import DataError


def write(text: str, output: str | None) -> None:
    """Prints the text, or writes it to the file."""
    if output is not None:
        write_atomically(text, output)
        return
    if sys.stdout is None:
        raise DataError("it is closed. Name a file with --output.", "standard output")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"this cannot be written: {error.strerror}.", "standard output") from None


def in_colour() -> bool:
    """Whether standard output is a terminal that wants colours."""
    return sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def check_writable(output: str | None, inputs: Iterable[str] = ()) -> None:
    """Fails before the work where the output could not be written after it, or would replace what is read."""
    if output is None:
        return
    if not output:
        raise DataError("--output needs the name of a file.")
    try:
        path = os.path.realpath(output)
        if os.path.isdir(path):
            raise DataError("this is a directory. Name a file to write to.", output)
        if not os.path.isdir(os.path.dirname(path)):
            raise DataError(f"there is no directory {os.path.dirname(output)!r} to write to.", output)
        for one in inputs:
            if one != "-" and os.path.isfile(path) and os.path.exists(one) and os.path.samefile(path, one):
                raise DataError("this is one of the files to be read. Name another to write to.", output)
    except OSError as error:
        raise DataError(f"this cannot be written: {error.strerror}.", output) from None


def write_atomically(content: str | bytes, output: str) -> None:
    """The text or the bytes to a temporary file beside the output, which then takes its name and mode.

    Links are followed. What is no regular file, such as a pipe, is written to as it is.
    """
    import tempfile

    check_writable(output)
    path = os.path.realpath(output)
    data = content.encode("utf-8") if isinstance(content, str) else content
    temporary = None
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(data)
            return
        mode = os.stat(path).st_mode & 0o7777 if os.path.exists(path) else 0o666 & ~_umask()
        descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".rankgold-", suffix=".part")
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise DataError(f"this cannot be written: {error.strerror}.", output) from None
    finally:
        if temporary is not None:
            os.unlink(temporary)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
