"""Imports Altair on first use.

Modules of plots say `from rankgold.present.plots import lazy_altair as alt` instead of `import altair as alt`.
"""

from types import ModuleType
from typing import TYPE_CHECKING, Any

from rankgold.core.errors import MissingDependency

if TYPE_CHECKING:
    from altair import *  # noqa: F403


PACKAGES = "altair vl-convert-python"


def import_altair() -> ModuleType:
    try:
        import altair
    except ImportError:
        raise MissingDependency("Altair", PACKAGES) from None
    return altair


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # Python asks every module for names such as __path__
        raise AttributeError(name)
    return getattr(import_altair(), name)
