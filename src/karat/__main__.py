"""The command line: `karat`, or `python -m karat`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Runs the command line; a mistake in the input ends it with a line that says what to do, and exit code 2."""
    from karat.errors import KaratError

    try:
        from karat.cli.app import run

        run(sys.argv[1:])
    except KaratError as error:
        if sys.stderr is not None:
            print(error, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever reads our output has seen enough. Nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


if __name__ == "__main__":
    main()
