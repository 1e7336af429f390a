"""Text or bytes and a path in, a file out: it is written as a whole or not at all."""

import codecs
import os

from rankgold.errors import DataError
from rankgold.output.text import unicode_escapes


def _escape_characters(error: UnicodeError) -> tuple[str, int]:
    """The characters that an encoding does not have as \\u escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return unicode_escapes(error.object[error.start : error.end]), error.end


ESCAPES = "rankgold-escapes"
codecs.register_error(ESCAPES, _escape_characters)


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
