"""Creates files that replace others atomically or are removed at the end.

Each one is locked by its process. The lock ends with the process, however it ends. So a folder or file of ours whose
lock is free was left behind, for example after SIGKILL, and the next process that needs a temporary one removes it.
Process ids would not do: they are used again, and differ between containers that share a folder.

Pipes, devices and open descriptors are written to directly.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from rankgold.core.document import unicode_escapes
from rankgold.core.errors import DataError

_PREFIX, _PART_PREFIX, _PART_ENDING, _LOCK = "rankgold-", ".rankgold-", ".part", ".rankgold-lock"
_SECONDS_FOR_INTERRUPTS = 2
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)

_existing: set[str] = set()
"""The temporary folders and files of this process."""

process_is_ours = False
"""Whether the process is the command line, where no code but ours has threads and descriptors."""

watches_signals = False
"""Whether signals remove these before they end the process: true in a process that is all ours. Signals, and what
handles them, are state of the process."""


@contextmanager
def temporary_folder() -> Iterator[str]:
    """A new folder where the system keeps temporary files."""
    import tempfile

    try:
        _remove_leftovers(tempfile.gettempdir(), is_part=False)
        path = tempfile.mkdtemp(prefix=_PREFIX)
    except OSError as error:
        fault = f"there is no place for temporary files: {error.strerror}."
        raise DataError(f"{fault} Set TMPDIR to a folder that can be written to.") from None
    with _removed_at_end(path):
        # Locked under another name first: a folder with a free lock would be taken for a leftover.
        descriptor, unlocked = tempfile.mkstemp(dir=path)
        try:
            _try_to_lock(descriptor)
            os.rename(unlocked, os.path.join(path, _LOCK))
            yield path
        finally:
            os.close(descriptor)


@contextmanager
def part_file(folder: str) -> Iterator[tuple[str, BinaryIO]]:
    """A new file in a folder, and its path, for content that will replace another file there."""
    import tempfile

    _remove_leftovers(folder, is_part=True)
    path, is_ours = "", False
    while not is_ours:  # another process may remove the file before it is locked
        descriptor, path = tempfile.mkstemp(dir=folder, prefix=_PART_PREFIX, suffix=_PART_ENDING)
        _try_to_lock(descriptor)
        is_ours = os.fstat(descriptor).st_nlink > 0
        if not is_ours:
            os.close(descriptor)
    with _removed_at_end(path), os.fdopen(descriptor, "wb") as file:
        yield path, file


@contextmanager
def _removed_at_end(path: str) -> Iterator[None]:
    owner = os.getpid()
    _existing.add(path)
    watch_signals()
    try:
        yield
    finally:
        if os.getpid() == owner:  # not a child that was forked in between
            _remove(path)
        _existing.discard(path)


def _remove(path: str) -> None:
    import shutil

    for _ in range(5):  # another thread may be adding files to the folder
        if os.path.isdir(path):
            shutil.rmtree(path, ignore_errors=True)
        with suppress(OSError):
            os.unlink(path)
        if not os.path.lexists(path):
            return


def _try_to_lock(descriptor: int) -> bool:
    """True if no other process has the lock. Without locks, as on Windows, always false."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove_leftovers(folder: str, *, is_part: bool) -> None:
    """Removes what processes of the same user left in a folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            is_named = entry.name.startswith(_PART_PREFIX if is_part else _PREFIX)
            if not is_named or entry.path in _existing or entry.is_symlink():
                continue
            with suppress(OSError):
                if entry.stat(follow_symlinks=False).st_uid != os.geteuid():
                    continue
                if is_part and entry.is_file() and entry.name.endswith(_PART_ENDING):
                    _remove_leftover(entry.path, entry.path)
                elif not is_part and entry.is_dir():
                    _remove_leftover(entry.path, os.path.join(entry.path, _LOCK))


def _remove_leftover(path: str, locked: str) -> None:
    descriptor = os.open(locked, os.O_RDWR | _NO_LINKS)
    try:
        # The file may have been replaced between the opening and the locking.
        if _try_to_lock(descriptor) and os.path.samestat(os.fstat(descriptor), os.lstat(locked)):
            _remove(path)
    finally:
        os.close(descriptor)


def remove_existing() -> None:
    """Removes all temporary folders and files of this process."""
    for path in tuple(_existing):
        _remove(path)


def watch_signals() -> None:
    """Lets another thread wait for signals, since the main one may be in Polars or DuckDB for long.

    Only the main thread can begin this. Call it before other threads make temporary files. SIGINT is left
    to the main thread, which ends what it shows on the terminal, but only for a while.
    """
    import signal
    import time
    from threading import Thread, current_thread, main_thread

    global watches_signals
    if not watches_signals or current_thread() is not main_thread():
        return
    watches_signals = False  # from here on the thread does
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing)
    endings = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    for number in endings:
        if signal.getsignal(number) == signal.SIG_DFL:  # nohup ignores SIGHUP
            signal.signal(number, lambda *_: None)

    def wait() -> None:
        while (number := os.read(reading, 1)[0]) not in (*endings, signal.SIGINT):
            pass
        if number == signal.SIGINT:
            time.sleep(_SECONDS_FOR_INTERRUPTS)
        remove_existing()
        os._exit(128 + number)

    Thread(target=wait, daemon=True).start()


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
