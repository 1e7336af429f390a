"""Every measure, one small file each: the file's name is what users type.

`rankgold.measures.ndcg(gain="exp") @ 10` builds a measure; `rankgold.measures.all()` lists them. A new file in this
folder whose function is decorated with `@measure` is a new measure: nothing else has to know of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgold.declaration.families import REGISTRY
from rankgold.declaration.metric import Metric
from rankgold.declaration.parsing import parse_measure as parse_measure
from rankgold.declaration.parsing import parse_text as parse_text

# A measure takes its file's place as an attribute of this package: rankgold.measures.ndcg is the measure.
globals().update(REGISTRY.load(__path__))

all = REGISTRY.all


if TYPE_CHECKING:

    def __getattr__(name: str) -> Metric: ...
