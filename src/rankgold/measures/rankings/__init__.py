"""Loads the measures of rankings against judgements.

`rankgold.measures.ndcg(gain="exp") @ 10` builds a measure; `rankgold.measures.all()` lists them. A new file in this
folder whose function is decorated with `@measure` is a new measure: nothing else has to know of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgold.measures.metric import Metric
from rankgold.measures.notation import parse_measure as parse_measure
from rankgold.measures.notation import parse_text as parse_text
from rankgold.measures.registry import REGISTRY

# A measure takes its file's place as an attribute of this package, and `rankgold.measures` has it from here.
globals().update(REGISTRY.load(__path__))

all = REGISTRY.all


if TYPE_CHECKING:

    def __getattr__(name: str) -> Metric: ...
