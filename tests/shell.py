"""The command line, within this process or as its own."""

import contextlib
import io
import os
import subprocess
import sys

from rankgold.cli.app import run

# For a process to end, in seconds. Far more than any takes on a loaded machine, so only one that hangs takes longer.
LONGEST = 600


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


def prepared(code, *command):
    """The arguments of a process that runs a line of Python, and then becomes the command.

    preexec_fn of subprocess would run the line in a fork of this process, where gRPC, which Spark Connect loads, has
    handlers for forks. They end about one fork in a hundred with SIGABRT, before the command starts.
    """
    return [sys.executable, "-S", "-c", f"import os, sys; {code}; os.execvp(sys.argv[1], sys.argv[1:])", *command]


# A shell lets processes in the background ignore Ctrl-C, and they pass this on.
INTERRUPTIBLE = "import signal; signal.signal(signal.SIGINT, signal.SIG_DFL)"
