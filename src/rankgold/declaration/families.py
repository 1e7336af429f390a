"""The families of measures: a registry for each kind of thing that measures are computed of."""

import math

from rankgold.declaration.metric import REGISTRY, Aggregate, Registry

SIMILARITIES = Registry(
    "similarities",
    "Measures of rankings against rankings",
    "similarity",
    {
        "rbo_ext": ("rbo", {}),
        "rbo_min": ("rbo", {"form": "min"}),
        "rbo_max": ("rbo", {"form": "max"}),
        "rbo_res": ("rbo", {"form": "res"}),
    },
    higher_is="more alike",
)
"""The measures of two rankings, which need no judgements: `rankgold.similarity`."""

EXPOSURES = Registry("exposures", "Measures of what lists are made of", "exposure")
"""The measures of the lists of a recommender, which need a catalogue, popularity or features: `rankgold.exposure`."""

TOGETHER = Aggregate("value of all lists together", lambda sums: math.nan)
"""Of a measure that has one value of all lists, and none of single users."""

FAMILIES = {family.name: family for family in (REGISTRY, SIMILARITIES, EXPOSURES)}
"""Every family by its name, in the order of lists."""
