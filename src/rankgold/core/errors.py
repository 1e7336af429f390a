"""Defines every error raised on purpose, and suggests the word that was meant.

    RankgoldError
    ├── DataError           a file or an object that cannot be read as judgements or rankings
    │   └── MatchError      judgements and rankings that are fine alone and do not fit together
    ├── MeasureError        a measure or a parameter that does not exist, or a value it does not take
    ├── PolicyError         a policy field or choice that does not exist
    ├── ComparisonError     a test or an option of a comparison that does not exist, or data that it does not fit
    ├── CheckError          a threshold, a baseline or a file of settings that a check cannot use
    ├── PlotError           a plot that does not exist, or one of what does not make it
    ├── FusionError         a method of fusion, a norm or weights that cannot be used
    ├── UnknownQueryError   a query that is neither judged nor ranked
    └── MissingDependency   an optional library that is not installed

All but the last are `ValueError`s too, so that code which knows nothing of rankgold can catch them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Self, SupportsIndex


class RankgoldError(Exception):
    """The base of all errors of rankgold, with a message that says what is wrong and what to do.

    Control characters of ids, file names and other libraries are escaped: the message is one line, and cannot control
    the terminal on which it is shown. Errors can be pickled, with all attributes, for other processes.
    """

    exit_code = 2
    """The exit code of the command."""

    def __init__(self, message: str) -> None:
        super().__init__(escaped(message))

    def with_exit_code(self, code: int) -> Self:
        """The same error with another exit code, for commands that replace another tool."""
        self.exit_code = code
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[RankgoldError], args: tuple[Any, ...], attributes: dict[str, Any]) -> RankgoldError:
    error = kind.__new__(kind)
    Exception.__init__(error, *args)
    error.__dict__.update(attributes)
    return error


class DataError(RankgoldError, ValueError):
    """A file or object that cannot be read; `place` is `FILE:LINE`, a file or a description of the object."""

    def __init__(self, message: str, place: str | None = None) -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place


class MatchError(DataError):
    """Judgements and rankings that do not belong together."""


class MeasureError(RankgoldError, ValueError):
    """A measure that cannot be made; with `text` and `at`, the message points at the spot with a caret."""

    def __init__(self, message: str, text: str | None = None, at: int | None = None) -> None:
        super().__init__(message)
        if text is not None and at is not None:
            self.args = (f"{self}\n  {escaped(text)}\n  {' ' * len(escaped(text[:at]))}^",)


class PolicyError(RankgoldError, ValueError):
    """A policy that cannot be made."""


class ComparisonError(RankgoldError, ValueError):
    """A comparison of runs that cannot be made."""


class CheckError(RankgoldError, ValueError):
    """A check that cannot be made. A check that fails is not an error."""


class PlotError(RankgoldError, ValueError):
    """A plot that cannot be drawn."""


class FusionError(RankgoldError, ValueError):
    """Runs that cannot be fused with these options."""


class UnknownQueryError(RankgoldError, ValueError):
    """A query that does not exist."""


class MissingDependency(RankgoldError, ImportError):
    """An optional library that is not installed."""

    def __init__(self, library: str, packages: str) -> None:
        super().__init__(f"This needs {library}, which is not installed: pip install {packages}")


def escaped(text: str) -> str:
    """Text with control, invisible and direction-changing characters escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def nearest(word: str, known: Iterable[str]) -> str:
    """' Did you mean ...?' with the nearest known word, or '' if none is near."""
    near = nearest_word(word, known)
    return "" if near is None else f" Did you mean {near!r}?"


def brief(value: object) -> str:
    """The repr of a value, shortened if it is long."""
    try:
        text = repr(value)
    except ValueError:  # Python does not write integers of more than 4,300 digits
        return "a number of thousands of digits"
    return text if len(text) <= 100 else f"{text[:60]}... ({len(text):,} characters)"


def check_whole_number(
    name: str, value: object, least: int, most: int | None = None, *, error: type[RankgoldError] = DataError
) -> int:
    """The whole number (Python's or NumPy's) passed under this name; an error if it is out of limits."""
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        number = value.__index__()
        if least <= number and (most is None or number <= most):
            return number
    limits = f"from {least}" if most is None else f"from {least} to {most:,}"
    raise error(f"{name} must be a whole number {limits}, not {brief(value)}.")


_WHY_NOT = {
    "policy": "it does not match judgements with rankings",
    "depth": "it does not read rankings",
    "rel": "it does not ask which grades are relevant",
    "exclude": "it does not read rankings",
    "parent": "it does not read rankings",
    "by": "its result is not divided into slices",
}


def refuse(verb: str, **given: object) -> None:
    """Raises an error for a word that all verbs take, and with which this one can do nothing."""
    for name, value in given.items():
        if value is not None:
            raise DataError(f"{verb} has no use for {name}: {_WHY_NOT[name]}. Leave {name} out.")


def counted(count: int, noun: str) -> str:
    """'1 query', '2,000 queries'."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def listing(items: Iterable[object], most: int = 8) -> str:
    """'a, b, c and 5 more'."""
    words = [str(item) for item in items]
    if len(words) <= most:
        return ", ".join(words)
    return f"{', '.join(words[:most])} and {len(words) - most} more"


def in_a_row(words: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


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
