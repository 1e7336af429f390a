"""The command line: `rankgold`, or `python -m rankgold`."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Runs the command line; a mistake in the input ends it with a line that says what to do, and exit code 2."""
    # Most commands are over in a moment. What takes its share of that: the threads of NumPy's linear algebra, which is
    # not used; the search for garbage, of which there is little; and taking everything down that ends with the process.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(100_000)
    from rankgold.errors import RankgoldError

    try:
        from rankgold.cli.app import run

        run(sys.argv[1:])
        _end_at_once()
    except RankgoldError as error:
        if sys.stderr is not None:
            print(error, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever reads our output has seen enough. Nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def _end_at_once() -> None:
    """Ends the process with all output written, unless something is left to be done at its end."""
    if "pyspark" in sys.modules:
        return
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
