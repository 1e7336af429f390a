"""rankgold weighs a ranking against its gold labels: judgements and rankings in, scores with their working out.

>>> import rankgold
>>> qrels = {"q1": {"d1": 3, "d2": 1}}
>>> run = {"q1": {"d2": 0.9, "d1": 0.8, "d7": 0.1}}
>>> rankgold.evaluate(qrels, run, ["ndcg@10", "rr"])["ndcg@10"]
0.7967075809905066
"""

__version__ = "0.1.0"

_NAMES = {
    "audit": "Baseline check doctor reconcile verify",
    "audit.findings": "Diagnosis",
    "audit.gate_result": "Check",
    "audit.reconciliation_result": "Reconciliation",
    "audit.verification": "Verification",
    "comparison": "Bootstrap Interval Randomization Tukey Units compare diff power what_if",
    "comparison.comparison_result": "Comparison",
    "comparison.power_analysis": "Power",
    "comparison.ranking_edits": "WhatIf",
    "comparison.run_diff": "Diff",
    "comparison.slice_comparison": "SliceComparison",
    "comparison.slice_scores": "SliceScores",
    "core.errors": "CheckError ComparisonError DataError FusionError MatchError MeasureError MissingDependency"
    " PlotError PolicyError RankgoldError UnknownQueryError",
    "core.hits": "Hits",
    "core.policy": "Policy",
    "data.matching.arrays": "from_arrays",
    "data.matching.labels": "from_labels from_lists",
    "data.slices": "Slices",
    "engines.protocol": "DuckDB Spark",
    "fusion": "fuse learn_weights",
    "fusion.learned_weights": "LearnedWeights",
    "judging": "agreement bounds expect if_judged judge_next merge_qrels pool",
    "judging.expected_scores": "Expectation",
    "judging.judge_agreement": "Agreement",
    "judging.score_bounds": "Bounds",
    "judging.sheets": "Sheet",
    "measures.metric": "Measure",
    "measures.rankings": "parse_measure",
    "present": "Page report",
    "present.html_report.report_file": "Report",
    "scoring": "evaluate explain exposure match plan read_qrels read_run similarity",
    "scoring.accumulator": "Accumulator",
    "scoring.explanation": "Explanation",
    "scoring.scores": "Scores",
}
_MODULES = {
    "exposures": "measures.lists",
    "integrations": "compat.integrations",
    "measures": "measures",
    "plots": "present.plots",
    "similarities": "measures.pairs",
    "sql": "engines.sql",
}
_HOME = {name: f"rankgold.{module}" for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted([*_HOME, *_MODULES])


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"rankgold.{_MODULES[name]}")
    if name not in _HOME:
        raise AttributeError(f"module 'rankgold' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
