"""karat measures the gold in a ranking: every ranking measure, from any form the data comes in, with its working.

>>> import karat
>>> qrels = {"q1": {"d1": 3, "d2": 1}}
>>> run = {"q1": {"d2": 0.9, "d1": 0.8, "d7": 0.1}}
>>> karat.evaluate(qrels, run, ["ndcg@10", "rr"])["ndcg@10"]
0.7967075809905066
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from karat import measures as measures
    from karat import plots as plots
    from karat import sql as sql
    from karat.accumulator import Accumulator
    from karat.errors import (
        DataError,
        KaratError,
        MatchError,
        MeasureError,
        MissingDependency,
        PlotError,
        PolicyError,
        UnknownQueryError,
    )
    from karat.evaluation import evaluate, plan
    from karat.explanation import Explanation, explain
    from karat.hits import Hits
    from karat.matching.arrays import from_arrays
    from karat.matching.labels import from_labels
    from karat.matching.lists import from_lists
    from karat.measure import Measure
    from karat.names import parse
    from karat.pipeline import match
    from karat.policy import Policy
    from karat.reading import read_qrels, read_run
    from karat.scores import Scores

__version__ = "0.1.0"

_HOME = {
    "Accumulator": "karat.accumulator",
    "evaluate": "karat.evaluation",
    "plan": "karat.evaluation",
    "match": "karat.pipeline",
    "explain": "karat.explanation",
    "Explanation": "karat.explanation",
    "from_labels": "karat.matching.labels",
    "from_lists": "karat.matching.lists",
    "from_arrays": "karat.matching.arrays",
    "read_qrels": "karat.reading",
    "read_run": "karat.reading",
    "parse": "karat.names",
    "Measure": "karat.measure",
    "Policy": "karat.policy",
    "Hits": "karat.hits",
    "Scores": "karat.scores",
    "KaratError": "karat.errors",
    "DataError": "karat.errors",
    "MatchError": "karat.errors",
    "MeasureError": "karat.errors",
    "PlotError": "karat.errors",
    "PolicyError": "karat.errors",
    "UnknownQueryError": "karat.errors",
    "MissingDependency": "karat.errors",
}

__all__ = [
    "Accumulator",
    "DataError",
    "Explanation",
    "Hits",
    "KaratError",
    "MatchError",
    "Measure",
    "MeasureError",
    "MissingDependency",
    "PlotError",
    "Policy",
    "PolicyError",
    "Scores",
    "UnknownQueryError",
    "evaluate",
    "explain",
    "from_arrays",
    "from_labels",
    "from_lists",
    "match",
    "measures",
    "parse",
    "plan",
    "plots",
    "read_qrels",
    "read_run",
    "sql",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in ("measures", "plots", "sql"):
        return import_module(f"karat.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'karat' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
