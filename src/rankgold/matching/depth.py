"""Hits of arrays in, the same out with each ranking cut off after as many documents as the policy says.

Other Hits are made of a `Retrieval`, which is cut before they are made.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rankgold.hits import Hits, RankedDocuments
from rankgold.tied_ranking import TiedRanking


def cut_at_depth(hits: Hits) -> Hits:
    """The hits of the documents that count."""
    depth = hits.policy.depth
    if depth is None:
        return hits
    system: RankedDocuments = hits.system
    system = system.cut(depth) if isinstance(system, TiedRanking) else system.top(depth)
    returned = np.minimum(hits.returned, depth)
    return replace(hits, system=system, returned=returned, notes=replace(hits.notes, retrieved=int(returned.sum())))
