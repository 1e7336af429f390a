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
from tests.fuzz.reduction import reduced

PARTS = {
    "values": "tests.fuzz.values",
    "duckdb": "tests.fuzz.values",
    "spark": "tests.fuzz.values",
    "sql": "tests.fuzz.sql",
    "files": "tests.fuzz.files",
    "columnar": "tests.fuzz.files",
    "commands": "tests.fuzz.commands",
    "sweep": "tests.fuzz.sweep",
}
"""Part -> the module whose function of the same name takes the data of a case."""

CASES = 50
CASES_OF_SLOW_PARTS = {"spark": 8, "sweep": 20}
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
    return run_cases(part(name), text, known, cases or CASES_OF_SLOW_PARTS.get(name, CASES))


def run_cases(check, text, known=(), cases=CASES):
    """Runs a check of random data some times; the seed is any text."""
    found = Found()
    COUNTS.clear()
    smallest, since = None, 0.0

    @seed(text)
    @settings(
        max_examples=cases,
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
            check(data)
            return
        except Failure as failure:
            failures = failure.all
        if smallest is None:
            kinds = {each.kind: each for each in failures}
            found.known.update(kinds.keys() & {*known, *found.new})
            new = [each for kind, each in kinds.items() if kind not in known and kind not in found.new]
            found.new |= {each.kind: described(reduced(each)) for each in new if each.again}
            new = [each for each in new if not each.again]
            since = time.monotonic()
        else:
            # While a failure is being shrunk, a case that fails in another way is not a smaller one.
            new = [each for each in failures if each.kind == smallest.kind]
        if new:
            smallest = new[0]
            raise smallest

    with contextlib.suppress(Failure, Flaky):
        one_case()
    found.counts = COUNTS.copy()
    if smallest is not None:
        found.new[smallest.kind] = described(smallest)
    return found


def described(failure):
    case = pprint.pformat(failure.case, width=140, sort_dicts=False)
    return f"{failure.kind}\n  {failure.what}\n  {case.replace(chr(10), chr(10) + '  ')}"
