"""Scores and their document in, the document out with the values of all queries as small columns."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rankgold.kernels.segments import Floats
from rankgold.output.document import Document, ResultTable
from rankgold.scoring.scores import Scores

_COLUMNS = "▁▂▃▄▅▆▇█"
WIDTH = 20


def with_sparklines(document: Document, scores: Scores) -> Document:
    """The document with a table of sparklines, one for each run and measure."""
    spans = {}
    for label, measure in scores.measures.items():
        known = np.concatenate([scores.values(label, run=name) for name in scores.runs])
        low, high = measure.metric.span
        spans[label] = (
            low if math.isfinite(low) else float(np.nanmin(known, initial=0.0)),
            high if math.isfinite(high) else float(np.nanmax(known, initial=0.0)),
        )
    table = ResultTable(
        header=["run", *scores.measures],
        rows=[
            [name, *(sparkline(scores.values(label, run=name), *spans[label]) for label in scores.measures)]
            for name in scores.runs
        ],
        alignment="l" * (len(scores.measures) + 1),
        caption="The values of the queries, from the lowest to the highest:",
        keys=1,
        columns_are="measure",
    )
    return replace(document, tables=[*document.tables, table])


def sparkline(values: Floats, low: float, high: float, width: int = WIDTH) -> str:
    """The sorted values as columns, each the mean of equally many; NaN is left out.

    >>> sparkline(np.array([0.0, 1.0, 0.5, 0.5]), 0, 1, width=2)
    '▃▇'
    """
    known = np.sort(values[~np.isnan(values)])
    if not len(known):
        return "–"
    means = np.array([part.mean() for part in np.array_split(known, min(width, len(known)))])
    share = (means - low) / (high - low) if high > low else np.zeros(len(means))
    levels = np.clip(np.floor(share * len(_COLUMNS)), 0, len(_COLUMNS) - 1).astype(int)
    return "".join(_COLUMNS[level] for level in levels.tolist())
