"""Matching a run that is read in parts."""

from __future__ import annotations

import tempfile
from pathlib import Path

from rankgold.data.chunks import Parts, Progress
from rankgold.data.irregular import NotInOrderError, NotRegularError
from rankgold.hits import Hits
from rankgold.matching.tables import JudgedTable, match_tables
from rankgold.policy import Policy


def match_parts(qrels: JudgedTable, run: Parts, policy: Policy, name: str, progress: Progress) -> Hits:
    """The Hits of a large run, the same to the last bit as of the run read at once.

    Only the hits of each part are kept. A run whose queries are interleaved goes through files, by query, if it is too
    large to be read at once.
    """
    try:
        return match_tables(qrels, run.in_order(progress), policy, name)
    except NotInOrderError:
        if run.fits_in_memory:
            raise NotRegularError from None
        with tempfile.TemporaryDirectory(prefix="rankgold-") as folder:
            return match_tables(qrels, run.spilled(Path(folder), progress), policy, name)
