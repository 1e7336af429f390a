"""rankgold weighs a ranking against its gold labels: judgements and rankings in, scores with their working out.

>>> import rankgold
>>> qrels = {"q1": {"d1": 3, "d2": 1}}
>>> run = {"q1": {"d2": 0.9, "d1": 0.8, "d7": 0.1}}
>>> rankgold.evaluate(qrels, run, ["ndcg@10", "rr"])["ndcg@10"]
0.7967075809905066
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgold import exposures as exposures
    from rankgold import integrations as integrations
    from rankgold import measures as measures
    from rankgold import plots as plots
    from rankgold import similarities as similarities
    from rankgold import sql as sql
    from rankgold.accumulator import Accumulator
    from rankgold.comparison import Bootstrap, Interval, Randomization, Tukey, Units, compare, diff, power, what_if
    from rankgold.comparison.changed_ranking import WhatIf
    from rankgold.comparison.power_analysis import Power
    from rankgold.comparison.result import Comparison
    from rankgold.comparison.run_diff import Diff
    from rankgold.comparison.slice_comparison import SliceComparison
    from rankgold.comparison.slice_scores import SliceScores
    from rankgold.data.slices import Slices
    from rankgold.declaration.metric import Measure
    from rankgold.diagnosis import doctor
    from rankgold.diagnosis.result import Diagnosis
    from rankgold.errors import (
        CheckError,
        ComparisonError,
        DataError,
        FusionError,
        MatchError,
        MeasureError,
        MissingDependency,
        PlotError,
        PolicyError,
        RankgoldError,
        UnknownQueryError,
    )
    from rankgold.explanation import Explanation
    from rankgold.fusion import fuse, learn_weights
    from rankgold.fusion.learned_weights import LearnedWeights
    from rankgold.gate import Baseline, check, verify
    from rankgold.gate.changes import Verification
    from rankgold.gate.result import Check
    from rankgold.hits import Hits
    from rankgold.html_report import Page, report
    from rankgold.html_report.report_file import Report
    from rankgold.judging import agreement, bounds, expect, if_judged, judge_next, merge_qrels, pool
    from rankgold.judging.bounds_result import Bounds
    from rankgold.judging.expectation_result import Expectation
    from rankgold.judging.judge_agreement import Agreement
    from rankgold.judging.sheets import Sheet
    from rankgold.matching.arrays import from_arrays
    from rankgold.matching.labels import from_labels
    from rankgold.matching.lists import from_lists
    from rankgold.measures import parse
    from rankgold.policy import Policy
    from rankgold.reconciliation import reconcile
    from rankgold.reconciliation.result import Reconciliation
    from rankgold.scoring import evaluate, explain, exposure, match, plan, read_qrels, read_run, similarity
    from rankgold.scoring.scores import Scores

__version__ = "0.1.0"

_NAMES = {
    "accumulator": "Accumulator",
    "comparison": "Bootstrap Interval Randomization Tukey Units compare diff power what_if",
    "comparison.changed_ranking": "WhatIf",
    "comparison.power_analysis": "Power",
    "comparison.result": "Comparison",
    "comparison.run_diff": "Diff",
    "comparison.slice_comparison": "SliceComparison",
    "comparison.slice_scores": "SliceScores",
    "data.slices": "Slices",
    "declaration.metric": "Measure",
    "diagnosis": "doctor",
    "diagnosis.result": "Diagnosis",
    "errors": "CheckError ComparisonError DataError FusionError MatchError MeasureError MissingDependency PlotError"
    " PolicyError RankgoldError UnknownQueryError",
    "engines.registry": "DuckDB Spark",
    "explanation": "Explanation",
    "fusion": "fuse learn_weights",
    "fusion.learned_weights": "LearnedWeights",
    "gate": "Baseline check verify",
    "gate.changes": "Verification",
    "gate.result": "Check",
    "hits": "Hits",
    "html_report": "Page report",
    "html_report.report_file": "Report",
    "judging": "agreement bounds expect if_judged judge_next merge_qrels pool",
    "judging.bounds_result": "Bounds",
    "judging.expectation_result": "Expectation",
    "judging.judge_agreement": "Agreement",
    "judging.sheets": "Sheet",
    "matching.arrays": "from_arrays",
    "matching.labels": "from_labels",
    "matching.lists": "from_lists",
    "measures": "parse",
    "policy": "Policy",
    "reconciliation": "reconcile",
    "reconciliation.result": "Reconciliation",
    "scoring": "evaluate explain exposure match plan read_qrels read_run similarity",
    "scoring.scores": "Scores",
}
_MODULE_OF = {name: f"rankgold.{module}" for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "Accumulator", "Agreement", "Baseline", "Bootstrap", "Bounds", "Check", "CheckError", "Comparison",
    "ComparisonError", "DataError", "Diagnosis", "Diff", "DuckDB", "Expectation", "Explanation", "FusionError",
    "Hits", "Interval", "LearnedWeights", "MatchError", "Measure", "MeasureError", "MissingDependency", "Page",
    "PlotError", "Policy", "PolicyError", "Power", "Randomization", "RankgoldError", "Reconciliation", "Report",
    "Scores", "Sheet", "SliceComparison", "SliceScores", "Slices", "Spark", "Tukey", "Units",
    "UnknownQueryError", "Verification", "WhatIf", "agreement", "bounds", "check", "compare", "diff", "doctor",
    "evaluate", "expect", "explain", "exposure", "exposures", "from_arrays", "from_labels", "from_lists",
    "fuse", "if_judged", "integrations", "judge_next", "learn_weights", "match", "measures", "merge_qrels",
    "parse", "plan", "plots", "pool", "power", "read_qrels", "read_run", "reconcile", "report", "similarities",
    "similarity", "sql", "verify", "what_if",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in ("exposures", "integrations", "measures", "plots", "similarities", "sql"):
        return import_module(f"rankgold.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'rankgold' has no attribute {name!r}")
    value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
