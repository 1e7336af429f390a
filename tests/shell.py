"""The command line, within this process or as its own."""

import contextlib
import io
import os
import subprocess
import sys
from unittest import mock

from rankgold.__main__ import _exit_code
from rankgold.cli.app import run
from rankgold.core.errors import RankgoldError
from rankgold.data import temporary_files

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


def ended(*arguments):
    """The exit code of a command, and what it prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            run([str(argument) for argument in arguments])
        except SystemExit as end:
            return end.code or 0, out.getvalue()
        except RankgoldError as error:
            return error.exit_code, f"{out.getvalue()}{error}"
    return 0, out.getvalue()


class Terminal(io.StringIO):
    """What a command prints if standard output is a terminal."""

    def isatty(self):
        return True


def shown(*arguments, columns=80, colour=False):
    """What a command shows on a terminal of this width, without escape codes unless `colour` is wanted."""
    settings = {"COLUMNS": str(columns), "TERM": "xterm-256color", "NO_COLOR": "" if colour else "1"}
    with mock.patch.dict(os.environ, settings), contextlib.redirect_stdout(Terminal()) as out:
        try:
            run(list(arguments))
        except SystemExit as end:
            if end.code:
                raise
    return out.getvalue()


def refused(*arguments):
    """What a command says about arguments that it does not take, without the name of the command and its last words."""
    err = io.StringIO()
    with contextlib.redirect_stderr(err):
        try:
            run(list(arguments))
        except SystemExit as end:
            if end.code != 2:
                raise
            return err.getvalue().partition(": ")[2].partition(" In full: ")[0]
        except RankgoldError as error:
            return str(error)
    raise AssertionError(f"nothing is wrong with {arguments}")


def completed(*arguments, cwd=".", env=None):
    """What `shell` returns, of a command within this process: for all but streams, signals and the end of a process."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, env or {}),
        mock.patch.multiple(temporary_files, watches_signals=False, watch_signals=lambda: None),
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = _exit_code([str(argument) for argument in arguments])
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


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
