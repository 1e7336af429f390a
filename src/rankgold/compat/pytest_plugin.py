"""Provides a pytest fixture that fails a test when a run regresses.

pytest loads this file at every start, so nothing of rankgold is imported before a test uses the fixture.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rankgold.audit.gate_result import Check


@pytest.fixture
def assert_no_regression() -> Callable[..., Check]:
    """A function with the arguments of `rankgold.check` (the third is the baseline) that fails with reasons."""

    def assert_holds(qrels: Any, run: Any, baseline: Any = None, **choices: Any) -> Check:
        __tracebackhide__ = True
        from rankgold.audit import check

        found = check(qrels, run, baseline=baseline, **choices)
        if not found.holds:
            pytest.fail(repr(found), pytrace=False)
        return found

    return assert_holds
