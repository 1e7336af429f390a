"""A number as it was printed in, the number and how near another one has to be out."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from numbers import Integral, Real

from rankgold.errors import DataError, brief

_NUMBER = re.compile(r"[+-]?(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d{1,3}))?(\s*%)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"([+-]?\d*),(\d+)(\s*%)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)

# Sums in another order, or of 32 bits, differ by so much at most.
_ROUNDING = 1e-9
_MOST_DIGITS = 300


@dataclass(frozen=True, slots=True)
class GivenNumber:
    """A number with the digits that it was given with."""

    value: float
    tolerance: float
    """Half of the last digit."""
    text: str

    @classmethod
    def of(cls, given: object, digits: int | None = None) -> GivenNumber:
        """A number or its text; `digits` are its decimals, if there are fewer or more than it shows.

        >>> GivenNumber.of("41,2 %").value, GivenNumber.of("0.4120").text
        (0.41200000000000003, '0.4120')
        """
        text = given.strip() if isinstance(given, str) else _shown(given)
        found = _NUMBER.fullmatch(_with_point(text))
        number = math.nan if found is None else float(found[0].rstrip("% "))
        if found is None or not math.isfinite(number):
            raise DataError(f"a value must be a number such as 0.412, not {brief(given)}.")
        decimals = len(found[2] or found[3] or "") - int(found[4] or 0)
        shown = max(-_MOST_DIGITS, min(decimals if digits is None else _checked(digits), _MOST_DIGITS))
        scale = 100 if found[5] else 1
        return cls(number / scale, 0.5 * 10.0**-shown / scale + _ROUNDING, text)

    def admits(self, number: float) -> bool:
        """True if a number prints like this one."""
        return abs(number - self.value) <= self.tolerance

    @property
    def fraction(self) -> GivenNumber:
        """The number, if it was a percentage."""
        return GivenNumber(self.value / 100, self.tolerance / 100, self.text)


def is_number(text: str) -> bool:
    """Whether a text is a number that can be given."""
    return _NUMBER.fullmatch(_with_point(text)) is not None


def _shown(given: object) -> str:
    """A number of Python or NumPy with all its digits: 32-bit floats have fewer."""
    if isinstance(given, bool) or not isinstance(given, Real):
        return ""
    try:
        return str(float(given) if isinstance(given, Integral) else given)
    except OverflowError:
        return ""


def _with_point(text: str) -> str:
    """The text with a decimal point in place of a decimal comma; 1,234 may be either, and stays as it is."""
    found = None if _THOUSANDS.fullmatch(text) else _DECIMAL_COMMA.fullmatch(text)
    return text if found is None else f"{found[1]}.{found[2]}{found[3] or ''}"


def _checked(digits: object) -> int:
    if isinstance(digits, bool) or not isinstance(digits, int) or digits < 0:
        raise DataError(f"digits= must be a whole number from 0, not {brief(digits)}.")
    return digits
