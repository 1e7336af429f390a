"""Classes that hold values together: frozen dataclasses to whoever reads or checks the code, and cheaper to make.

What a frozen dataclass generates takes more than a millisecond for each class, whenever karat is started. Here one
function, which all of them share, refuses to change a field, and nothing compares whole arrays.
"""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from typing import Any, TypeVar, dataclass_transform

Class = TypeVar("Class")


@dataclass_transform(frozen_default=True, eq_default=False)
def record(cls: type[Class]) -> type[Class]:
    """Makes a class of its annotated fields. An instance never changes, and is equal to itself alone."""
    made = dataclass(slots=True, eq=False)(cls)
    # The way to freeze without generated code:
    made.__setattr__ = _set_once  # type: ignore[method-assign]
    made.__delattr__ = _not_deleted  # type: ignore[method-assign]
    return made


def _set_once(self: object, name: str, value: Any) -> None:
    if hasattr(self, name):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _not_deleted(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
