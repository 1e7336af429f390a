"""rankgold weighs a ranking against its gold labels: judgements and rankings in, scores with their working out.

>>> import rankgold
>>> qrels = {"q1": {"d1": 3, "d2": 1}}
>>> run = {"q1": {"d2": 0.9, "d1": 0.8, "d7": 0.1}}
>>> rankgold.evaluate(qrels, run, ["ndcg@10", "rr"])["ndcg@10"]
0.7967075809905066
"""

__version__ = "0.1.0"

_NAMES = {
    "accumulator": "Accumulator",
    "comparison.changed_ranking": "WhatIf what_if",
    "comparison.power_analysis": "Power power",
    "comparison.result": "Comparison",
    "comparison.run_diff": "Diff diff",
    "comparison.runs": "compare",
    "comparison.slice_comparison": "SliceComparison",
    "comparison.slice_scores": "SliceScores",
    "data.slices": "Slices",
    "declaration.metric": "Measure",
    "diagnosis.examination": "doctor",
    "diagnosis.result": "Diagnosis",
    "engines.registry": "DuckDB Spark",
    "errors": "CheckError ComparisonError DataError FusionError MatchError MeasureError MissingDependency"
    " PlotError PolicyError RankgoldError UnknownQueryError",
    "explanation": "Explanation",
    "fusion.fused_run": "fuse",
    "fusion.learned_weights": "LearnedWeights learn_weights",
    "gate.changes": "Verification",
    "gate.result": "Check",
    "gate.verdict": "check",
    "gate.verification": "verify",
    "hits": "Hits",
    "html_report.report_file": "Report report",
    "judging.agreement": "Agreement agreement",
    "judging.bounds": "bounds",
    "judging.bounds_result": "Bounds",
    "judging.expectation": "expect",
    "judging.expectation_result": "Expectation",
    "judging.judged_values": "if_judged",
    "judging.merged_grades": "merge_qrels",
    "judging.next_documents": "judge_next",
    "judging.pooled_documents": "pool",
    "judging.sheets": "Sheet",
    "matching.arrays": "from_arrays",
    "matching.labels": "from_labels",
    "matching.lists": "from_lists",
    "measures": "parse_measure",
    "policy": "Policy",
    "reconciliation.result": "Reconciliation",
    "reconciliation.search": "reconcile",
    "scoring": "evaluate explain exposure match plan read_qrels read_run similarity",
    "scoring.scores": "Scores",
}
_MODULES = ("exposures", "integrations", "measures", "plots", "similarities", "sql")
_HOME = {name: f"rankgold.{module}" for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted([*_HOME, *_MODULES])


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"rankgold.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'rankgold' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
