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
