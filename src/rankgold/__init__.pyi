"""The public names with their types, for editors and type checkers; `__init__.py` loads each on first use."""

from rankgold import measures as measures
from rankgold.audit import Baseline as Baseline
from rankgold.audit import check as check
from rankgold.audit import doctor as doctor
from rankgold.audit import reconcile as reconcile
from rankgold.audit import verify as verify
from rankgold.audit.findings import Diagnosis as Diagnosis
from rankgold.audit.gate_result import Check as Check
from rankgold.audit.reconciliation_result import Reconciliation as Reconciliation
from rankgold.audit.verification import Verification as Verification
from rankgold.comparison import Bootstrap as Bootstrap
from rankgold.comparison import Interval as Interval
from rankgold.comparison import Randomization as Randomization
from rankgold.comparison import Tukey as Tukey
from rankgold.comparison import Units as Units
from rankgold.comparison import compare as compare
from rankgold.comparison import diff as diff
from rankgold.comparison import power as power
from rankgold.comparison import what_if as what_if
from rankgold.comparison.comparison_result import Comparison as Comparison
from rankgold.comparison.power_analysis import Power as Power
from rankgold.comparison.ranking_edits import WhatIf as WhatIf
from rankgold.comparison.run_diff import Diff as Diff
from rankgold.comparison.slice_comparison import SliceComparison as SliceComparison
from rankgold.comparison.slice_scores import SliceScores as SliceScores
from rankgold.compat import integrations as integrations
from rankgold.core.errors import CheckError as CheckError
from rankgold.core.errors import ComparisonError as ComparisonError
from rankgold.core.errors import DataError as DataError
from rankgold.core.errors import FusionError as FusionError
from rankgold.core.errors import MatchError as MatchError
from rankgold.core.errors import MeasureError as MeasureError
from rankgold.core.errors import MissingDependency as MissingDependency
from rankgold.core.errors import PlotError as PlotError
from rankgold.core.errors import PolicyError as PolicyError
from rankgold.core.errors import RankgoldError as RankgoldError
from rankgold.core.errors import UnknownQueryError as UnknownQueryError
from rankgold.core.hits import Hits as Hits
from rankgold.core.policy import Policy as Policy
from rankgold.data.matching.arrays import from_arrays as from_arrays
from rankgold.data.matching.labels import from_labels as from_labels
from rankgold.data.matching.labels import from_lists as from_lists
from rankgold.data.slices import Slices as Slices
from rankgold.engines import sql as sql
from rankgold.engines.protocol import DuckDB as DuckDB
from rankgold.engines.protocol import Spark as Spark
from rankgold.fusion import fuse as fuse
from rankgold.fusion import learn_weights as learn_weights
from rankgold.fusion.learned_weights import LearnedWeights as LearnedWeights
from rankgold.judging import agreement as agreement
from rankgold.judging import bounds as bounds
from rankgold.judging import expect as expect
from rankgold.judging import if_judged as if_judged
from rankgold.judging import judge_next as judge_next
from rankgold.judging import merge_qrels as merge_qrels
from rankgold.judging import pool as pool
from rankgold.judging.expected_scores import Expectation as Expectation
from rankgold.judging.judge_agreement import Agreement as Agreement
from rankgold.judging.score_bounds import Bounds as Bounds
from rankgold.judging.sheets import Sheet as Sheet
from rankgold.measures import lists, pairs
from rankgold.measures.metric import Measure as Measure
from rankgold.measures.rankings import parse_measure as parse_measure
from rankgold.present import Page as Page
from rankgold.present import plots as plots
from rankgold.present import report as report
from rankgold.present.html_report.report_file import Report as Report
from rankgold.scoring import evaluate as evaluate
from rankgold.scoring import explain as explain
from rankgold.scoring import exposure as exposure
from rankgold.scoring import match as match
from rankgold.scoring import plan as plan
from rankgold.scoring import read_qrels as read_qrels
from rankgold.scoring import read_run as read_run
from rankgold.scoring import similarity as similarity
from rankgold.scoring.accumulator import Accumulator as Accumulator
from rankgold.scoring.explanation import Explanation as Explanation
from rankgold.scoring.scores import Scores as Scores

__all__: list[str]
__version__: str
exposures = lists
similarities = pairs
