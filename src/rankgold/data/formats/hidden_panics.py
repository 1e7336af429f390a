"""Keeps the text of a panic of Polars off standard error: our own message says what is wrong with the file.

Rust writes this text straight to the descriptor, some dozen lines about the code of Polars, before Python sees an
exception. So the descriptor is a temporary file for as long as Polars reads. What was written to it, without the panic,
is written to standard error at the end.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, active_count
from typing import IO

import polars as pl

from rankgold.data import temporary_files

_PANIC = re.compile(rb"\n?thread '[^\n]*' [^\n]*panicked at .*", re.DOTALL)
_STANDARD_ERROR = 2

_lock = Lock()
_readers = 0
_has_panicked = False
_saved: tuple[int, IO[bytes]] | None = None


@contextmanager
def hidden_panics() -> Iterator[None]:
    """Hides the text of a panic inside. Several threads may read at the same time.

    In a process that is not ours, another thread may write to standard error, or fork, so nothing is hidden there.
    """
    if not (temporary_files.process_is_ours or active_count() == 1):
        yield
        return
    global _has_panicked
    _begin()
    try:
        yield
    except pl.exceptions.PanicException:
        _has_panicked = True
        raise
    finally:
        _end()


def _begin() -> None:
    import tempfile

    global _readers, _saved, _has_panicked
    with _lock:
        _readers += 1
        if _readers == 1:
            _has_panicked = False
            with suppress(OSError):  # standard error may be closed, and temporary files may have no place
                written = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
                _saved = os.dup(_STANDARD_ERROR), written
                os.dup2(written.fileno(), _STANDARD_ERROR)


def _end() -> None:
    global _readers, _saved
    with _lock:
        _readers -= 1
        if _readers or _saved is None:
            return
        (descriptor, written), _saved = _saved, None
        os.dup2(descriptor, _STANDARD_ERROR)
        os.close(descriptor)
        with written, suppress(OSError):
            written.seek(0)
            text = written.read()
            os.write(_STANDARD_ERROR, _PANIC.sub(b"", text) if _has_panicked else text)
