"""Altair, imported when the first chart is drawn: the list of plots is there without it."""

from __future__ import annotations

from typing import Any

from rankgold.errors import MissingDependency


class _Altair:
    """Stands for the library and is nothing else."""

    def __getattr__(self, name: str) -> Any:
        try:
            import altair
        except ImportError:
            raise MissingDependency("Altair", "altair vl-convert-python") from None
        return getattr(altair, name)


alt: Any = _Altair()
