"""Command-line arguments in; results, or one error message and exit code 2, out: `rankgold` or `python -m rankgold`."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Runs the command line. Bad input ends it with a message that says what to do, and exit code 2."""
    # Most commands take well under a second. These save part of it: no threads for NumPy's linear algebra, which is
    # not used; fewer garbage collections; and an exit that skips Python's clean-up.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(100_000)
    from rankgold.errors import RankgoldError

    try:
        from rankgold.cli.app import run

        run(sys.argv[1:])
        _exit_at_once()
    except RankgoldError as error:
        if sys.stderr is not None:
            print(f"{'' if getattr(error, 'place', None) else 'error: '}{error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has closed it, for example `head`. Nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def _exit_at_once() -> None:
    """Ends the process after flushing its output, unless Spark still has work to do at exit."""
    if "pyspark" in sys.modules:
        return
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
