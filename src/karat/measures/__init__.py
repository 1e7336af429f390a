"""Every measure, one small file each: the file's name is what users type.

`karat.measures.ndcg(gain="exp") @ 10` builds a measure; `karat.measures.all()` lists them. A new file in this folder
whose function is decorated with `@measure` is a new measure: nothing else has to know of it.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from karat.measure import REGISTRY, Metric

for _file in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_file.name}")

# A measure takes its file's place as an attribute of this package: karat.measures.ndcg is the measure.
globals().update(REGISTRY)


def all() -> list[Metric]:
    """Every measure, by name."""
    return [REGISTRY[name] for name in sorted(REGISTRY)]


if TYPE_CHECKING:

    def __getattr__(name: str) -> Metric: ...
