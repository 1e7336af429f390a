"""Says why a value cannot be an id, a grade or a score."""

from __future__ import annotations

import math
from typing import Any

NOT_A_NUMBER = (TypeError, ValueError, OverflowError)
"""What `number_of` raises."""

_LONGEST = 40


def number_of(value: Any) -> float:
    """A number as files write it; otherwise raises one of NOT_A_NUMBER.

    Python would also accept 1_000, digits of other scripts, and bytes.
    """
    if isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError
    if isinstance(value, str) and ("_" in value or not value.isascii()):
        raise ValueError
    return float(value)


def number_fault(number_is: str, value: object) -> str:
    """What is wrong with a grade or score that is not a finite number."""
    if value is None or value == "":
        return f"the {number_is} is missing. Give it one, or remove the row."
    if isinstance(value, float):
        return f"the {number_is} is {value}. It must be a finite number; correct it, or remove the row."
    return f"the {number_is} must be a finite number, not {described(value)}."


def described(value: object) -> str:
    """A value for errors, in a few words; of a number that floats do not reach, that it is too large."""
    if isinstance(value, (dict, list, set, tuple)):
        return f"a {type(value).__name__}"
    too_large = ", which is too large" if _is_too_large(value) else ""
    if isinstance(value, int) and too_large:
        return f"an integer of more than 300 digits{too_large}"
    text = repr(value)
    if len(text) > _LONGEST:
        text = repr(f"{value[:_LONGEST]}...") if isinstance(value, str) else f"a {type(value).__name__}"
    return text + too_large


def _is_too_large(value: object) -> bool:
    try:
        number = number_of(value)
    except OverflowError:
        return True
    except (TypeError, ValueError):
        return False
    return math.isinf(number) and isinstance(value, str) and any(map(str.isdigit, value))


_IDS = "Ids must be integers or text."

RUN_MISSING = "the run is missing. Name the run in every row, or remove the column."


def id_fault(role: str, value: object) -> str:
    """What is wrong with the value of a row."""
    if value is None:
        return f"the {role} is missing. Give every row one, or remove the row."
    return f"the {role} {value!r} is not an id. {_IDS}"


def id_type_fault(role: str, column_type: object) -> str:
    """What is wrong with a column whose values cannot be ids."""
    return f"the {role} column is of type {column_type}. {_IDS}"
