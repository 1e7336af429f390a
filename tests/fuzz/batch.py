"""A part, a seed and the kinds of failures that are known in, what a batch of random cases found out.

Hypothesis makes the cases and shrinks the first failure of a new kind. Failures of known kinds are counted only.
"""

import contextlib
import pprint
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky

from tests.fuzz.failure import COUNTS, Failure

PARTS = {
    "values": "tests.fuzz.values",
    "duckdb": "tests.fuzz.values",
    "spark": "tests.fuzz.values",
    "sql": "tests.fuzz.sql",
    "files": "tests.fuzz.files",
    "columnar": "tests.fuzz.files",
    "commands": "tests.fuzz.commands",
}
"""Part -> the module whose function of the same name takes the data of a case."""

CASES = 50
CASES_OF_SPARK = 8
SECONDS_TO_SHRINK = 20


@dataclass
class Found:
    """What a batch found."""

    cases: int = 0
    counts: Counter = field(default_factory=Counter)
    known: Counter = field(default_factory=Counter)
    """Kind of a failure that is known -> how often it was met."""
    new: dict[str, str] = field(default_factory=dict)
    """Kind of a new failure -> its smallest case, in words."""


@cache
def part(name):
    return getattr(import_module(PARTS[name]), name)


def run_batch(name, text, known=(), cases=None):
    """Runs some cases of a part; the seed is any text."""
    found = Found()
    COUNTS.clear()
    smallest, since = None, 0.0

    @seed(text)
    @settings(
        max_examples=cases or (CASES_OF_SPARK if name == "spark" else CASES),
        database=None,
        derandomize=False,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(st.data())
    def one_case(data):
        nonlocal smallest, since
        if smallest is None:
            found.cases += 1
        elif time.monotonic() - since > SECONDS_TO_SHRINK:
            return
        try:
            part(name)(data)
        except Failure as failure:
            if failure.kind in known:
                found.known[failure.kind] += smallest is None
                return
            # While a failure is being shrunk, a case that fails in another way is not a smaller one.
            if smallest is None:
                since = time.monotonic()
            elif failure.kind != smallest.kind:
                return
            smallest = failure
            raise

    with contextlib.suppress(Failure, Flaky):
        one_case()
    found.counts = COUNTS.copy()
    if smallest is not None:
        found.new[smallest.kind] = described(smallest)
    return found


def described(failure):
    case = pprint.pformat(failure.case, width=140, sort_dicts=False)
    return f"{failure.kind}\n  {failure.what}\n  {case.replace(chr(10), chr(10) + '  ')}"
