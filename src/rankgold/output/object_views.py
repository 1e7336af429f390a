"""Hits or a measure in, the document that a notebook shows for it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgold.errors import counted
from rankgold.output.document import Cell, Document, ResultTable

if TYPE_CHECKING:
    from rankgold.declaration.metric import Measure
    from rankgold.hits import Hits

_SHOWN = 10


def hits_document(hits: Hits) -> Document:
    """The number of documents of each query: returned, judged, relevant and found. The first queries of many."""
    import numpy as np

    single = hits.system.single
    found = np.bincount(single.query[single.grade > 0], minlength=len(hits))
    judged = np.bincount(single.query, minlength=len(hits))
    relevant = hits.ideal.at_least(1)
    rows: list[list[Cell]] = [
        [str(hits.queries[i]), *(str(int(column[i])) for column in (hits.returned, judged, found, relevant))]
        for i in range(min(len(hits), _SHOWN))
    ]
    header = ["query", "returned", "judged", "relevant returned", "relevant"]
    more = [counted(len(hits) - _SHOWN, "more query")] if len(hits) > _SHOWN else []
    table = ResultTable(header, rows, "lrrrr", keys=1)
    return Document([table], title=f"Hits of {hits.name}: {hits.describe()}", notes=[*more, f"policy: {hits.policy}"])


def measure_document(measure: Measure) -> Document:
    """The formula of a measure, its parameters with the values that they have here, its range and its other names."""
    from rankgold.declaration.description import default_text, facts

    metric = measure.metric
    chosen = dict(measure.chosen)
    rows: list[list[Cell]] = [
        [name, parameter.text(chosen[name]) if name in chosen else default_text(parameter), parameter.about]
        for name, parameter in metric.parameters.items()
    ]
    tables = [ResultTable(["parameter", "value", "what it is"], rows, "lll")] if rows else []
    lines = [line.partition(": ") for line in facts(metric)]
    return Document(
        tables,
        title=f"{measure}: {metric.title}",
        formula=metric.formula_text,
        facts=[("what it is", metric.summary), *((name.lower(), text) for name, _, text in lines)],
    )
