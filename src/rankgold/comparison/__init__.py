"""Compares runs, and tests the differences: compare, diff, what_if, power."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:
    from rankgold.comparison.comparison_result import Comparison
    from rankgold.comparison.power_analysis import Power
    from rankgold.comparison.ranking_edits import WhatIf
    from rankgold.comparison.run_diff import Diff
    from rankgold.core.accepted import By, EngineLike, Judgements, Measures, QueryIds, Runs, SeenDocuments, TextsById
    from rankgold.core.policy import Policy
    from rankgold.data.selection import Parent
    from rankgold.engines.protocol import Progress
    from rankgold.measures.metric import Measure
    from rankgold.scoring.scores import Scores


TestName = Literal["randomization", "bootstrap", "t", "wilcoxon", "sign", "tukey", "anova"]
CorrectionName = Literal["holm", "bonferroni", "bh", "by", "none"]
IntervalName = Literal["bca", "percentile", "studentized", "t"]


@dataclass(frozen=True, slots=True)
class DrawnTest:
    """A test that makes random draws."""

    name: ClassVar[TestName]
    draws: int = 10_000
    seed: int | None = None
    """None for the seed of the comparison."""


@dataclass(frozen=True, slots=True)
class Randomization(DrawnTest):
    """The randomisation test: the signs of the differences are drawn at random."""

    name: ClassVar[TestName] = "randomization"
    draws: int = 100_000


@dataclass(frozen=True, slots=True)
class Bootstrap(DrawnTest):
    """The bootstrap test that belongs to the interval: queries are drawn at random."""

    name: ClassVar[TestName] = "bootstrap"


@dataclass(frozen=True, slots=True)
class Tukey(DrawnTest):
    """Tukey's randomised test of all runs together: the values of each query are shuffled among the runs."""

    name: ClassVar[TestName] = "tukey"


@dataclass(frozen=True, slots=True)
class Interval:
    """The confidence interval of a difference."""

    name: IntervalName = "bca"
    level: float = 0.95
    draws: int = 10_000
    seed: int | None = None
    """None for the seed of the comparison."""
    margin: float | None = None
    """Also test that the difference is within this margin on both sides (needs SciPy)."""


@dataclass(frozen=True, slots=True)
class Units:
    """What is drawn and counted: queries, unless something else is said."""

    weights: Mapping[Any, float] | None = None
    """How much each query counts: a dict from query to number."""
    clusters: Mapping[Any, Any] | None = None
    """Which queries belong together, such as those of a user: a dict from query to name."""


def compare(
    qrels: Judgements,
    runs: Runs | None = None,
    measures: Measures | None = None,
    *,
    baseline: str | None = None,
    test: TestName | DrawnTest = "randomization",
    correction: CorrectionName = "holm",
    seed: int = 0,
    interval: IntervalName | Interval = "bca",
    units: Units | None = None,
    bounds: bool = False,
    policy: Policy | str | None = None,
    topics: QueryIds | None = None,
    depth: int | None = None,
    rel: float | None = None,
    exclude: SeenDocuments | None = None,
    parent: Parent | None = None,
    columns: Mapping[str, str] | None = None,
    by: By | None = None,
    engine: EngineLike | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Is one run better than another, by how much, and is that certain?

    With a `baseline`, all other runs are compared with it; otherwise each run is compared with each.

    - `test`: randomization, bootstrap, t, wilcoxon or sign for pairs of runs; tukey (randomised) or anova for all runs
      together. For wilcoxon, differences are tied that are equal but for rounding. `Randomization(draws=1000)`,
      `Bootstrap` and `Tukey` set the number of draws.
    - `correction` for the number of comparisons: holm, bonferroni, bh, by or none.
    - `seed` makes random draws the same every time.
    - `interval`: bca, percentile, studentized or t; `Interval("bca", 0.9)` sets the level, the number of draws, and a
      margin: then each difference is also tested to be within it on both sides.
    - `units=Units(weights=...)` says how much each query counts, `Units(clusters=...)` which queries belong together.
    - `bounds=True` also shows whether unjudged documents could change the winner.

    Other keywords are those of `evaluate`. With `by`, each slice is compared too: `.slices`.

    >>> qrels = {f"q{i}": {"d": 1} for i in range(8)}
    >>> old = {f"q{i}": {"d": 1, "e": 2} for i in range(8)}
    >>> new = {f"q{i}": {"d": 2, "e": 1} for i in range(8)}
    >>> compare(qrels, {"old": old, "new": new}, ["rr"], baseline="old").sentences
    ['new is better than old by 0.500 rr, 95 % CI 0.500 to 0.500, p = 0.008.']
    """
    from rankgold.comparison.choices import ComparisonSettings
    from rankgold.comparison.pairwise import compared
    from rankgold.engines.request import Request

    settings = ComparisonSettings.of(baseline, test, correction, seed, interval, units)
    request = Request.of({"qrels": qrels, "run": runs}, policy=policy, topics=topics, depth=depth, rel=rel,
        exclude=exclude, parent=parent, columns=columns, by=by, engine=engine, progress=progress)  # fmt: skip
    return compared(request, measures, settings, bounds=bounds)


def diff(
    qrels: Judgements,
    a: Runs,
    b: Runs,
    measure: str | Measure = "ndcg@10",
    *,
    query_texts: TextsById | None = None,
    policy: Policy | str | None = None,
    topics: QueryIds | None = None,
    depth: int | None = None,
    rel: float | None = None,
    exclude: SeenDocuments | None = None,
    parent: Parent | None = None,
    columns: Mapping[str, str] | None = None,
    by: By | None = None,
    engine: EngineLike | None = None,
    progress: Progress | None = None,
) -> Diff:
    """Why two runs differ: the queries that gained and lost, and the documents whose movement made the difference.

    `query_texts` has the text of queries: a dict, or a file of id, tab and text. Other keywords are those of
    `evaluate`.

    >>> qrels = {"q1": {"d1": 1, "d2": 1}}
    >>> a = {"q1": {"d1": 4, "d2": 3, "x": 2, "y": 1}}
    >>> b = {"q1": {"d1": 4, "x": 3, "y": 2, "d2": 1}}
    >>> found = diff(qrels, a, b, "ap")
    >>> found.sentence(found.losses()[0])
    'q1 -0.250: d2 (grade 1) fell from 2 to 4: -0.250'
    """
    from rankgold.comparison.run_diff import found_diff, runs_with_names
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request

    refuse("diff", by=by)
    request = Request.of({"qrels": qrels, "run": runs_with_names(a=a, b=b)}, policy=policy, topics=topics, depth=depth,
        rel=rel, exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return found_diff(request, measure, query_texts)


def what_if(
    qrels: Judgements,
    run: Runs,
    measures: Measures | None = None,
    *,
    move: Mapping[tuple[Any, Any], int] | None = None,
    add: Mapping[tuple[Any, Any], int] | None = None,
    remove: Sequence[tuple[Any, Any]] | None = None,
    grade: Mapping[tuple[Any, Any], float | None] | None = None,
    policy: Policy | str | None = None,
    topics: QueryIds | None = None,
    depth: int | None = None,
    rel: float | None = None,
    exclude: SeenDocuments | None = None,
    parent: Parent | None = None,
    columns: Mapping[str, str] | None = None,
    by: By | None = None,
    engine: EngineLike | None = None,
    progress: Progress | None = None,
) -> WhatIf:
    """Shows how scores change if documents are moved, added, removed or regraded.

    `move` and `add` are dicts from (query, document) to the new rank, `remove` is a list of (query, document), and
    `grade` a dict from (query, document) to the grade; None takes the judgement away. First documents are removed, then
    moved, then added, each in the order given. The other keywords are those of `evaluate`; with `parent`, chunks are
    moved, added and removed, and documents are excluded after all changes.

    >>> qrels = {"q1": {"d1": 1, "d2": 1}}
    >>> run = {"q1": {"d1": 4, "x": 3, "y": 2, "d2": 1}}
    >>> what_if(qrels, run, ["ap", "rr"], move={("q1", "d2"): 2})
    query   measure  before   after  change
    q1      ap       0.7500  1.0000  0.2500
    q1      rr       1.0000  1.0000  0.0000
    (mean)  ap       0.7500  1.0000  0.2500
    (mean)  rr       1.0000  1.0000  0.0000
    edit  q1: d2 moved from 4 to 2
    """
    from rankgold.comparison.ranking_edits import changed
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request

    refuse("what_if", by=by)
    request = Request.of({"qrels": qrels, "run": run}, policy=policy, topics=topics, depth=depth, rel=rel,
        exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return changed(request, measures, {"remove": remove, "move": move, "add": add, "grade": grade})


def power(
    data: Scores | Iterable[float],
    *,
    difference: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    baseline: str | None = None,
) -> Power:
    """Estimates how many queries you need, and the smallest difference you can detect.

    `data` are Scores of two runs or more, or the differences between two runs, query by query. `difference` is what you
    want to see; without it, the difference between the runs is taken. `power` is the chance to see it, and `alpha` the
    p-value below which it counts as seen: for m comparisons, 0.05 / m. Needs SciPy.

    >>> power([0.1, -0.2, 0.3, 0.0, 0.1, 0.2], difference=0.05).sentences
    ['6 queries can show a difference of 0.247 or more; a difference of 0.05 needs 96 queries.']
    """
    from rankgold.comparison.power_analysis import analysed

    return analysed(data, difference, power, alpha, baseline)


_NAMES = {
    # ranx, SciPy, statsmodels
    "fisher": "randomization",
    "permutation": "randomization",
    "permutation_test": "randomization",
    "randomisation": "randomization",
    "student": "t",
    "ttest": "t",
    "ttest_rel": "t",
    "t-test": "t",
    "studentised": "studentized",
    "benjamini-hochberg": "bh",
    "fdr_bh": "bh",
    "benjamini-yekutieli": "by",
    "fdr_by": "by",
}


def name_here(name: str) -> str:
    """Our name; an unknown name stays unchanged.

    >>> name_here("fdr_bh"), name_here("Holm"), name_here("other")
    ('bh', 'holm', 'other')
    """
    known = name.lower()
    return _NAMES.get(known, known)
