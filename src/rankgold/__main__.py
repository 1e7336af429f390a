"""Runs the command line; prints one line and ends with code 2 on a user's error."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress


def main() -> None:
    """Runs the command line. Bad input ends it with a helpful message and exit code 2."""
    # Most commands take well under a second. These save part of it: no threads for NumPy's linear algebra, which is
    # not used; fewer garbage collections; and an exit that skips Python's clean-up.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(100_000)
    _exit_at_once(_exit_code(sys.argv[1:]))


def _exit_code(arguments: list[str]) -> int:
    """Runs a command, prints its error if there is one, and returns its exit code."""
    from rankgold.core.errors import RankgoldError
    from rankgold.data import temporary_files

    temporary_files.watches_signals = temporary_files.process_is_ours = True
    try:
        from rankgold.cli.app import run
        from rankgold.cli.console import check_standard_output

        check_standard_output()
        run(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    except RankgoldError as error:
        if sys.stderr is not None:
            print(f"{'' if getattr(error, 'place', None) else 'error: '}{error}", file=sys.stderr)
        temporary_files.remove_existing()  # of other runs, which are still being read
        return error.exit_code
    except KeyboardInterrupt:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C would interrupt the clean-up
        temporary_files.remove_existing()
        return 130
    except BrokenPipeError:
        # The reader of our output has closed it, for example `head`. Nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return 0


def _exit_at_once(code: int) -> None:
    """Ends the process, unless Spark still has work to do at exit."""
    if "pyspark" in sys.modules:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError):  # what could not be written was reported by the one who wrote it
                stream.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
