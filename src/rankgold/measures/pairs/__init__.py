"""Loads the measures of two rankings.

`rankgold.similarities.rbo(p=0.8)` builds a measure for `rankgold.similarity`; `rankgold.similarities.all()` lists them.
A new file in this folder whose function is decorated with `@measure(..., registry=SIMILARITIES)` is a new measure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgold.measures.metric import Metric
from rankgold.measures.registry import SIMILARITIES as SIMILARITIES

# A measure takes its file's place as an attribute of this package: rankgold.similarities.rbo is the measure.
globals().update(SIMILARITIES.load(__path__))

all = SIMILARITIES.all


if TYPE_CHECKING:

    def __getattr__(name: str) -> Metric: ...
