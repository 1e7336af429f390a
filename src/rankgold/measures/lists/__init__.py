"""Loads the measures of lists of items.

`rankgold.exposures.gini() @ 10` builds a measure for `rankgold.exposure`; `rankgold.exposures.all()` lists them. A new
file in this folder whose function is decorated with `@measure(..., registry=EXPOSURES)` is a new measure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgold.measures.metric import Metric
from rankgold.measures.registry import EXPOSURES as EXPOSURES

# A measure takes its file's place as an attribute of this package: rankgold.exposures.gini is the measure.
globals().update(EXPOSURES.load(__path__))

all = EXPOSURES.all


if TYPE_CHECKING:

    def __getattr__(name: str) -> Metric: ...
