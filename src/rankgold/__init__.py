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
    "engines.registry": "DuckDB Spark",
    "errors": "CheckError ComparisonError DataError FusionError MatchError MeasureError MissingDependency"
    " PlotError PolicyError RankgoldError UnknownQueryError",
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
    "measures": "parse_measure",
    "policy": "Policy",
    "reconciliation": "reconcile",
    "reconciliation.result": "Reconciliation",
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
