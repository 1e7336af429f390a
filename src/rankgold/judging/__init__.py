"""Handles missing and uncertain judgements: bounds, judge_next, if_judged, pool, agreement, merge_qrels, expect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import polars

    from rankgold.core.accepted import (
        By,
        EngineLike,
        Judgements,
        Judges,
        Measures,
        QueryIds,
        Runs,
        SeenDocuments,
        TextsById,
    )
    from rankgold.core.policy import Policy
    from rankgold.data.selection import Parent
    from rankgold.engines.protocol import Progress
    from rankgold.judging.expected_scores import Expectation
    from rankgold.judging.judge_agreement import Agreement
    from rankgold.judging.score_bounds import Bounds
    from rankgold.judging.sheets import Sheet
    from rankgold.measures.metric import Measure


Rule = Literal["majority", "mean", "median", "max", "min", "first", "last", "error"]


def bounds(
    qrels: Judgements,
    runs: Runs,
    measures: Measures | None = None,
    *,
    unseen: int = 0,
    max_grade: float | None = None,
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
) -> Bounds:
    """The lowest and highest possible value of each measure, whatever grades the unjudged documents have.

    The documents of a query are those that are judged and those that any of the runs ranks; a document that is neither
    is not relevant, unless `unseen` says how many of them may be, up to 10,000. An open document can have any grade
    from 0 to `max_grade`, by default the highest grade of the judgements. Other keywords are those of `evaluate`, but
    for `by`. With an `engine`, tables there are read, and the bounds are computed in this process.

    >>> qrels = {"q1": {"d1": 1}}
    >>> run = {"q1": {"x": 0.9, "d1": 0.8, "y": 0.7}}
    >>> found = bounds(qrels, run, ["rr", "p@3"])
    >>> found.means
    {'rr': (0.5, 1.0), 'p@3': (0.3333333333333333, 1.0)}
    """
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request
    from rankgold.judging.score_bounds import bounded

    refuse("bounds", by=by)
    request = Request.of({"qrels": qrels, "run": runs}, policy=policy, topics=topics, depth=depth, rel=rel,
        exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return bounded(request, measures, unseen, max_grade)


def judge_next(
    qrels: Judgements,
    runs: Runs,
    measure: str | Measure = "ndcg@10",
    *,
    n: int = 100,
    baseline: str | None = None,
    max_grade: float | None = None,
    query_texts: TextsById | None = None,
    doc_texts: TextsById | None = None,
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
) -> Sheet:
    """The unjudged documents most worth judging, as a sheet to fill in.

    The effect of a document is what changes if it has the highest grade instead of being not relevant: the value of its
    query, for one run; for several, the differences between them, added up over all pairs of runs, or over the pairs
    with the `baseline`. Documents that change nothing are left out. `query_texts` and `doc_texts` have texts by id,
    dicts or files, which the sheet then shows. Other keywords are those of `bounds`.

    >>> qrels = {"q1": {"d1": 1}}
    >>> run = {"q1": {"x": 0.9, "d1": 0.8, "y": 0.7}}
    >>> judge_next(qrels, run, "rr").frame.rows()
    [('q1', 'x', None, 0.5, 1)]
    """
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request
    from rankgold.judging.next_documents import next_documents
    from rankgold.judging.sheets import with_texts

    refuse("judge_next", by=by)
    request = Request.of({"qrels": qrels, "run": runs}, policy=policy, topics=topics, depth=depth, rel=rel,
        exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return with_texts(next_documents(request, measure, n, baseline, max_grade), query_texts, doc_texts)


def if_judged(
    qrels: Judgements,
    runs: Runs,
    measures: Measures | None = None,
    *,
    grade: float | None = None,
    k: int | None = None,
    max_grade: float | None = None,
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
) -> polars.DataFrame:
    """Scores each run as if one unjudged document at a time had a grade.

    A row for each run, measure, query and open document: run, measure, query, document, rank, value, value_if, change.
    Only one document at a time is judged; all others stay as they are. `grade` is the highest one of the judgements by
    default. `k` leaves out documents that the run ranks lower; documents that it does not rank at all are left out too.
    Other keywords are those of `bounds`.

    >>> qrels = {"q1": {"d1": 1}}
    >>> run = {"q1": {"x": 0.9, "d1": 0.8, "y": 0.7}}
    >>> if_judged(qrels, run, ["rr"]).select("document", "rank", "value", "value_if").rows()
    [('x', 1, 0.5, 1.0), ('y', 3, 0.5, 0.5)]
    """
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request
    from rankgold.judging.next_documents import supposed_values

    refuse("if_judged", by=by)
    request = Request.of({"qrels": qrels, "run": runs}, policy=policy, topics=topics, depth=depth, rel=rel,
        exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return supposed_values(request, measures, grade, k, max_grade)


def pool(
    runs: Runs,
    *,
    k: int = 10,
    qrels: Judgements | None = None,
    query_texts: TextsById | None = None,
    doc_texts: TextsById | None = None,
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
) -> Sheet:
    """The documents that any run ranks among its first `k`: a sheet with the best rank of each and its number of runs.

    With `qrels`, documents that are judged already have their grade, and `judged_share` is how much of the pool that
    is. The documents of a query are in the order of their ids, so that their place does not influence the judge.
    `query_texts` and `doc_texts` have texts by id, dicts or files, which the sheet then shows. Other keywords are those
    of `evaluate`, but for `rel` and `by`.

    >>> pool([{"q1": {"d2": 2.0, "d9": 1.0}}, {"q1": {"d1": 2.0, "d2": 1.0}}], k=1).frame.rows()
    [('q1', 'd1', None, 1, 1), ('q1', 'd2', None, 1, 1)]
    """
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request
    from rankgold.judging.sheets import pooled, with_texts

    refuse("pool", rel=rel, by=by)
    request = Request.of({"qrels": qrels, "run": runs}, policy=policy, topics=topics, depth=depth, exclude=exclude,
        parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return with_texts(pooled(request, k), query_texts, doc_texts)


def agreement(
    judges: Judges,
    *,
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
) -> Agreement:
    """Measures how well judges agree on the documents that they all graded.

    `judges` is a list, or a dict by name, of judgements in any form that `evaluate` reads; rows without a grade are
    skipped. The weights of kappa are differences of grades, as in scikit-learn if all grades from 0 to the highest are
    among its labels. Of the keywords of `evaluate`, `topics`, `columns`, `engine` and `progress` have a use.

    >>> ann = {"q1": {"d1": 0, "d2": 1, "d3": 1, "d4": 0}}
    >>> bob = {"q1": {"d1": 0, "d2": 1, "d3": 0, "d4": 0}}
    >>> found = agreement({"ann": ann, "bob": bob})
    >>> found.pairs[0].same, found.pairs[0].kappa
    (0.75, 0.5)
    """
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request
    from rankgold.judging.judge_agreement import agreement_of

    refuse("agreement", policy=policy, depth=depth, rel=rel, exclude=exclude, parent=parent, by=by)
    request = Request.of({"judges": judges}, topics=topics, columns=columns, engine=engine, progress=progress)
    return agreement_of(request)


def merge_qrels(
    judges: Judges,
    rule: Rule | Callable[[Sequence[float]], float] = "majority",
    *,
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
) -> polars.DataFrame:
    """Merges the grades of several judges into one per document: query, document, grade.

    `judges` is what `agreement` takes, or one source in which documents are there repeatedly. Filled-in sheets of
    `judge_next` and `pool` are judgements too: rows without a grade are skipped. `rule` is one of:

    - majority: the grade that most judges gave; of several, the lowest. With weights, the grade of most weight.
    - mean: the mean of the grades. With weights or probabilities, the expected grade.
    - median: the middle grade; the lower one of two.
    - max, min: the highest or lowest grade.
    - first, last: that of the first or last judge.
    - error: each document must have one grade.
    - a function that takes a list of grades and returns one.

    Other keywords are those of `agreement`.

    >>> ann, bob = {"q1": {"d1": 0, "d2": 2}}, {"q1": {"d1": 1, "d2": 2, "d3": 1}}
    >>> merge_qrels([ann, bob], "mean").rows()
    [('q1', 'd1', 0.5), ('q1', 'd2', 2.0), ('q1', 'd3', 1.0)]
    """
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request
    from rankgold.judging.merged_grades import merged

    refuse("merge_qrels", policy=policy, depth=depth, rel=rel, exclude=exclude, parent=parent, by=by)
    request = Request.of({"judges": judges}, topics=topics, columns=columns, engine=engine, progress=progress)
    return merged(request, rule)


def expect(
    judges: Judges,
    runs: Runs,
    measures: Measures | None = None,
    *,
    draws: int = 1000,
    seed: int = 0,
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
) -> Expectation:
    """The expected scores of runs whose grades are uncertain.

    `judges` is what `merge_qrels` takes: several judges, each of whom counts as much; or one table with a column
    `probability` or `weight`, in which a document has a row for each grade that it may have. The grades of documents
    are independent of each other. Measures that add up the gains of documents are computed exactly; for others, the
    mean over `draws` random judgements is taken, with its standard error. Other keywords are those of `evaluate`, but
    for `by`.

    >>> import polars
    >>> judged = polars.DataFrame({"query": ["q1"], "document": ["d1"], "grade": [1], "probability": [0.7]})
    >>> expect(judged, {"q1": {"d1": 1.0}}, ["dcg"]).means
    {'dcg': 0.7}
    """
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request
    from rankgold.judging.expected_scores import expected

    refuse("expect", by=by)
    request = Request.of({"judges": judges, "run": runs}, policy=policy, topics=topics, depth=depth, rel=rel,
        exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return expected(request, measures, draws, seed)
