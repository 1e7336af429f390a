"""A value or a type that cannot be an id in, what is wrong with it out: the same words for all engines."""

from __future__ import annotations

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
