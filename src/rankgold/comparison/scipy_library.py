"""Nothing in, SciPy's statistics out: imported at the first use, since only some methods need them."""

from __future__ import annotations

from typing import Any

from rankgold.errors import MissingDependency


def scipy_stats() -> Any:
    """The module `scipy.stats`; an error with the install command if SciPy is missing."""
    try:
        from scipy import stats
    except ImportError:
        raise MissingDependency("SciPy", "scipy") from None
    return stats
