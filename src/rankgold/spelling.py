"""A mistyped word in, the known word that was probably meant out, or None if no known word is near."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

_SHORTEST_ABBREVIATION = 3


def nearest_word(word: str, known: Iterable[str]) -> str | None:
    """The known word that is nearest to a mistyped one. Case, hyphens and underscores make no difference.

    A word is near if at most a third of its letters are typing errors (a letter too many, too few or wrong, or two
    letters exchanged), or if it starts with what was typed. A digit is not an error for another digit: q7 is not
    near q8, but it is near q07, and bm52 is near bm25. Of two words that are as near, the one with more of the typed
    letters is returned.

    >>> nearest_word("Per_Query", ["per-query"]), nearest_word("desc", ["descending"])
    ('per-query', 'descending')
    >>> nearest_word("rbp", ["frp"]), nearest_word("bpref", ["rprec"]), nearest_word("q7", ["q8"])
    (None, None, None)
    """
    typed = _normal(word)
    best: tuple[int, int, str] | None = None
    for candidate in known:
        name = _normal(candidate)
        if _digits(typed) != _digits(name):
            continue
        most = max(len(typed), len(name)) // 3
        if abs(len(typed) - len(name)) <= most and (errors := typing_errors(typed, name)) <= most:
            shared = sum((Counter(typed) & Counter(name)).values())
            rank = (errors, -shared, candidate)
        elif len(typed) >= _SHORTEST_ABBREVIATION and name.startswith(typed):
            rank = (len(name), 0, candidate)
        else:
            continue
        best = rank if best is None else min(best, rank)
    return None if best is None else best[2]


def typing_errors(typed: str, meant: str) -> int:
    """How many letters are too many, missing, wrong, or exchanged with their neighbour.

    A row of the table holds the errors between a beginning of `typed` and all beginnings of `meant`. For `ba` and `ab`
    the rows are 0 1 2, then 1 1 1, then 2 1 1: the last number is 1, since the letters are exchanged.
    """
    before_last: list[int] = []
    last = list(range(len(meant) + 1))
    for i, letter in enumerate(typed):
        row = [i + 1]
        for j, other in enumerate(meant):
            errors = min(last[j + 1] + 1, row[j] + 1, last[j] + (letter != other))
            if i and j and letter == meant[j - 1] and typed[i - 1] == other:
                errors = min(errors, before_last[j - 1] + 1)
            row.append(errors)
        before_last, last = last, row
    return last[-1]


def _normal(word: str) -> str:
    return word.strip().casefold().replace("_", "-").replace(" ", "-")


def _digits(word: str) -> list[str]:
    """The digits of a word but zeros, in an order that does not depend on the word."""
    return sorted(letter for letter in word if letter.isdigit() and letter != "0")
