"""The command line, within this process or as its own."""

import contextlib
import io
import os
import subprocess
import sys

from rankgold.cli.app import run


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


def shell(*arguments, cwd, env=None):
    """A command that was run as a process of its own, in a directory."""
    return subprocess.run(
        [sys.executable, "-m", "rankgold", *arguments],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        check=False,
    )
