"""The command line within this process."""

import contextlib
import io

from karat.cli.app import run


def printed(*arguments):
    """What a command prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            run(list(arguments))
        except SystemExit as end:
            if end.code:
                raise
    return out.getvalue()
