"""The specification of a chart in, its parts out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def parts_of_chart(part: object) -> Iterator[dict[str, Any]]:
    """The specification itself and every dict in it, from the outside in, without data and configuration."""
    if isinstance(part, dict):
        yield part
        for key, inner in part.items():
            if key not in ("data", "datasets", "config"):
                yield from parts_of_chart(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from parts_of_chart(inner)
