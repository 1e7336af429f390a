"""Writes a file completely or not at all. Pipes, devices and open descriptors are written to directly."""

import codecs
import os
import re

from rankgold.errors import DataError
from rankgold.output.text import unicode_escapes


def _escape_characters(error: UnicodeError) -> tuple[str, int]:
    """The characters that an encoding does not have as \\u escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return unicode_escapes(error.object[error.start : error.end]), error.end


ESCAPES = "rankgold-escapes"
codecs.register_error(ESCAPES, _escape_characters)

_STREAMS = {"/dev/stdin": "/dev/fd/0", "/dev/stdout": "/dev/fd/1", "/dev/stderr": "/dev/fd/2"}
_DESCRIPTOR = re.compile(r"(?:/dev|/proc/self)/fd/(\d{1,9})", re.ASCII)


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

    Links are followed. If the output is not a regular file (a pipe, for example), it is written to directly. So is an
    open descriptor such as /dev/stdout, even if it is a regular file: `>> log` must not be replaced.
    """
    from rankgold.data.temporary_files import part_file

    check_writable(output)
    path = os.path.realpath(output)
    data = content.encode("utf-8", ESCAPES) if isinstance(content, str) else content
    try:
        if is_stream(output):
            descriptor = _descriptor(output)
            with open(output if descriptor is None else os.dup(descriptor), "wb") as file:
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


def is_stream(output: str) -> bool:
    """Whether an output is written to as it is, and not replaced: a pipe, a device, a socket, or a descriptor.

    The real path of a pipe without a name is of no use: that of /dev/stdout ends with pipe:[123], and does not exist.
    """
    return _descriptor(output) is not None or (os.path.exists(output) and not os.path.isfile(output))


def _descriptor(output: str) -> int | None:
    """The open descriptor that a path names."""
    found = _DESCRIPTOR.fullmatch(_STREAMS.get(output, output)) if os.name == "posix" else None
    return None if found is None else int(found[1])


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
