"""A forked process in, an error out where Polars would wait for ever.

A fork copies only the thread that calls it. Polars works with threads of its own, which it starts when it is first
used. In a child that was forked afterwards they are missing, and Polars waits for them.
"""

from __future__ import annotations

import os
import sys

from rankgold.errors import RankgoldError

_is_used = _is_used_at_fork = _is_lost = False


def check_polars() -> None:
    """Raises an error if Polars was used before this process was forked. To be called before Polars is used."""
    global _is_used
    if _is_lost:
        raise RankgoldError(
            "This process was forked after Polars was used, and Polars would wait for ever here. Start processes with"
            " multiprocessing.get_context('spawn') or 'forkserver'. In a forked process, pass dicts, lists or arrays."
        )
    _is_used = True


def _note_use() -> None:
    """Notes whether Polars has started its threads, in the process that is about to be forked."""
    global _is_used_at_fork
    _is_used_at_fork = "polars" in sys.modules and _has_threads()


def _has_threads() -> bool:
    """Whether Polars has threads: by their names, polars-0 and so on, or by our own use of it where Linux is not."""
    try:
        for thread in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{thread}/comm", "rb") as file:
                name = file.read().strip()
            if name.startswith(b"polars-") and name.removeprefix(b"polars-").isdigit():
                return True
    except OSError:
        return _is_used
    return False


def _note_loss() -> None:
    """Called in the child."""
    global _is_lost
    _is_lost = _is_lost or _is_used_at_fork


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_note_use, after_in_child=_note_loss)
