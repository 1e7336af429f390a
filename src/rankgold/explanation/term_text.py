"""The working of a term in, its text out: `2/3 = 0.6667`; and numbers as explanations write them."""

from __future__ import annotations

from collections.abc import Sequence


def term_text(pattern: str, numbers: Sequence[float], value: float, documents: int, tied: int, digits: int) -> str:
    """A term and its value: `2/3 = 0.6667`; with averaged ties, also its chance."""
    text = pattern.format(*(short_number(number, digits) for number in numbers))
    is_number = text.replace(".", "", 1).replace("-", "", 1).isdigit()
    if not (is_number and float(text) == round(value, digits)):
        text = f"{text} = {fixed_number(value, digits)}"
    return text if tied == 1 else f"{text}, chance {documents}/{tied}"


def short_number(number: float, digits: int) -> str:
    """A number without trailing zeros: 3, 1.585."""
    if float(number).is_integer():
        return str(int(number))
    text = f"{number:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def fixed_number(number: float, digits: int) -> str:
    """A number with all its decimals; zero has no sign."""
    return f"{round(number, digits) + 0.0:.{digits}f}"
