"""Offers ir_measures' interface.

from rankgold.compat import ir_measures from rankgold.compat.ir_measures import nDCG, AP, P
"""

from __future__ import annotations

from typing import Any

from rankgold.compat.ir_measures.evaluation import DefaultPipeline, Evaluator, Provider
from rankgold.compat.ir_measures.measure_classes import MeanAgg, Measure, ParamInfo, SumAgg
from rankgold.compat.ir_measures.names import registry
from rankgold.compat.ir_measures.notation import (
    CalcResults,
    Metric,
    Qrel,
    ScoredDoc,
    parse_measure,
    parse_trec_measure,
    read_trec_qrels,
    read_trec_run,
)

# Other names of the same.
BaseMeasure = Measure
GenericQrel, GenericScoredDoc = Qrel, ScoredDoc
parse_trec_qrels, parse_trec_run, convert_trec_name = read_trec_qrels, read_trec_run, parse_trec_measure

evaluator = DefaultPipeline.evaluator
iter_calc = DefaultPipeline.iter_calc
calc_aggregate = DefaultPipeline.calc_aggregate
calc = DefaultPipeline.calc

# One implementation is behind the names of all providers.
accuracy = compat = cwl_eval = gdeval = judged = msmarco = pyndeval = pytrec_eval = ranx = DefaultPipeline

__all__ = [
    "BaseMeasure",
    "CalcResults",
    "DefaultPipeline",
    "Evaluator",
    "MeanAgg",
    "Measure",
    "Metric",
    "ParamInfo",
    "Provider",
    "Qrel",
    "ScoredDoc",
    "SumAgg",
    "calc",
    "calc_aggregate",
    "evaluator",
    "iter_calc",
    "parse_measure",
    "parse_trec_measure",
    "read_trec_qrels",
    "read_trec_run",
    *registry,
]


def __getattr__(name: str) -> Any:
    """The measures: nDCG, AP and all others of the registry."""
    if name in registry:
        return registry[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
