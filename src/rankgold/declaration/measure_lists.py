"""Measures as users write them in a text in, single measures out: `ap, p@5,10, @autocomplete` is ap, p@5, p@10, ..."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_NUMBER = re.compile(r"\d+")
_CUT = re.compile(r"(.*[@._])\s*\d+", re.DOTALL)


@lru_cache(maxsize=1024)
def measures_in(text: str) -> tuple[str, ...]:
    """The measures of a text: split at commas, cutoffs such as `p@5,10` written out, suites replaced.

    >>> measures_in("ap, P@5,10, ndcg(gain=exp, discount=zipf(1, 0.5))@5")
    ('ap', 'P@5', 'P@10', 'ndcg(gain=exp, discount=zipf(1, 0.5))@5')
    """
    measures: list[str] = []
    for part in _with_cutoffs(part for part in _split_at_commas(text) if part):
        if part.startswith("@"):
            from rankgold.declaration.suites import find_suite

            measures += find_suite(part).measures
        else:
            measures.append(part)
    return tuple(measures) or (text,)  # parsing reports a text without a measure


def _with_cutoffs(parts: Iterable[str]) -> list[str]:
    """The parts, with a number alone written as a further cutoff of the measure before it."""
    measures: list[str] = []
    for part in parts:
        cut = _CUT.fullmatch(measures[-1]) if measures and _NUMBER.fullmatch(part) else None
        measures.append(part if cut is None else cut[1] + part)
    return measures


def _split_at_commas(text: str) -> list[str]:
    """The parts between commas; a comma within parentheses separates parameters, and splits nothing."""
    parts, start, depth = [], 0, 0
    for at, character in enumerate(text):
        if character == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
        depth = max(depth + {"(": 1, ")": -1}.get(character, 0), 0)
    return [*parts, text[start:].strip()]
