"""Text in, standard output or a file out. A file is written as a whole or not at all."""

import os
import sys
from collections.abc import Iterable

from rankgold.errors import DataError


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


def in_colour() -> bool:
    """Whether standard output is a terminal, and NO_COLOR does not forbid colours."""
    return sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def check_writable(output: str | None, inputs: Iterable[str] = ()) -> None:
    """Raises an error, before the work starts, if the output cannot be written or would replace an input."""
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
        for file in inputs:
            if file != "-" and os.path.isfile(path) and os.path.exists(file) and os.path.samefile(path, file):
                raise DataError("this is one of the files to be read. Name another to write to.", output)
    except OSError as error:
        raise DataError(f"this cannot be written: {error.strerror}.", output) from None


def write_atomically(content: str | bytes, output: str) -> None:
    """Writes to a temporary file in the same directory, which then replaces the output and keeps its mode.

    Links are followed. If the output is not a regular file (a pipe, for example), it is written to directly.
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
