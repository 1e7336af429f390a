"""Nothing in, SciPy's statistics out, which are loaded only for what needs them."""

from __future__ import annotations

from typing import Any

from rankgold.errors import MissingDependency


def scipy_stats() -> Any:
    try:
        from scipy import stats
    except ImportError:
        raise MissingDependency("SciPy", "scipy") from None
    return stats
