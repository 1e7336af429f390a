"""What is wrong with a case in, a Failure out that says it in a form that one can paste into a test."""

import traceback
import warnings
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

PACKAGE = f"{Path('src', 'rankgold')}"


COUNTS = Counter()
"""What was tried: form or the like -> how often."""

LISTENERS = []
"""Functions that get each case before it runs: it may end the process, or never end."""


class Failure(AssertionError):
    """A case that went wrong. Cases of the same kind are reported once, and then only counted."""

    def __init__(self, kind, what, case):
        super().__init__(f"{kind}: {what}")
        self.kind, self.what, self.case = kind, what, case
        self.all = [self]
        """This failure, and others of the same case."""
        self.again = None
        """A function that looks for failures in a smaller case; None if hypothesis makes the case smaller."""

    def beside(self, others):
        self.all = [self, *others]
        return self


@contextmanager
def tracebacks(where, case, allowed=()):
    """Any exception inside, except those that are allowed, is a Failure. So is a warning, and a panic, which is no Exception."""
    for listener in LISTENERS:
        listener(case)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            yield
    except (Failure, KeyboardInterrupt, *allowed):
        raise
    except BaseException as error:
        if type(error).__module__.startswith("hypothesis"):
            raise
        raise Failure(f"{where}: {type(error).__name__} {_origin(error)}", _last_lines(error), case) from error


def _origin(error):
    """The last line of the package that the exception passed, so that one cause is one kind of failure."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if PACKAGE in frame.filename]
    return f"at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "outside the package"


def _last_lines(error):
    return "".join(traceback.format_exception_only(error)).strip()[:500]
