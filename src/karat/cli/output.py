"""Where results go: standard output, or a file that is complete or not there at all."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from karat.errors import DataError


def write(text: str, output: str | None) -> None:
    """Prints the text, or writes it to the file."""
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_atomically(text, Path(output))


def in_colour() -> bool:
    """Whether standard output is a terminal that wants colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def check_writable(output: str | None) -> None:
    """Fails before the work where the output could not be written after it."""
    if output is None:
        return
    path = Path(output)
    if path.is_dir():
        raise DataError("this is a directory. Name a file to write to.", output)
    if not path.parent.is_dir():
        raise DataError(f"there is no directory {str(path.parent)!r} to write to.", output)


def write_atomically(text: str, path: Path) -> None:
    """The text to a temporary file beside it, which then takes its name."""
    check_writable(str(path))
    try:
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise DataError(f"this cannot be written: {error.strerror}.", str(path)) from None
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise DataError(f"this cannot be written: {error.strerror}.", str(path)) from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
