"""Scores rankings and lists: evaluate, match, plan, read_qrels, read_run, explain, similarity, exposure.

Each loads what it needs when it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    import os
    from collections.abc import Hashable, Mapping
    from typing import Protocol, TypeVar

    import polars

    from rankgold.core.accepted import By, EngineLike, Items, Judgements, Measures, QueryIds, Runs, SeenDocuments
    from rankgold.core.hits import Hits
    from rankgold.core.policy import Policy
    from rankgold.data.selection import Parent
    from rankgold.engines.protocol import Progress
    from rankgold.measures.metric import Measure
    from rankgold.scoring.explanation import Explanation
    from rankgold.scoring.scores import Scores


if TYPE_CHECKING:

    class Frame(Protocol):
        """A frame of any library: Polars, pandas, PyArrow, DuckDB, Spark."""

        @property
        def columns(self) -> Any: ...

    Path = str | os.PathLike[str]
    Run = Path | Frame | Mapping[Any, Mapping[Any, float]] | Mapping[Any, list[str] | list[int]]
    RunsByName = Mapping[str, Path | Frame | Mapping[Any, Mapping[Any, float]]]
    Listed = TypeVar("Listed", bound=Path | Frame)


@overload
def evaluate(
    qrels: Hits,
    run: Runs | Measures | None = None,
    measures: Measures | None = None,
    *,
    policy: Policy | str | None = None,
    depth: int | None = None,
    rel: float | None = None,
    columns: Mapping[str, str] | None = None,
    by: By | None = None,
) -> Scores[float]: ...
@overload
def evaluate(
    qrels: Mapping[str, Hits] | list[Hits],
    run: Runs | Measures | None = None,
    measures: Measures | None = None,
    *,
    policy: Policy | str | None = None,
    depth: int | None = None,
    rel: float | None = None,
    columns: Mapping[str, str] | None = None,
    by: By | None = None,
) -> Scores[dict[str, float]]: ...
@overload
def evaluate(
    qrels: Any,
    run: Run,
    measures: Measures | None = None,
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
    per_query: bool = True,
    fingerprint: bool = False,
) -> Scores[float]: ...
@overload
def evaluate(
    qrels: Any,
    run: RunsByName | list[Listed],
    measures: Measures | None = None,
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
    per_query: bool = True,
    fingerprint: bool = False,
) -> Scores[dict[str, float]]: ...
@overload
def evaluate(
    qrels: Judgements,
    run: Runs | None = None,
    measures: Measures | None = None,
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
    per_query: bool = True,
    fingerprint: bool = False,
) -> Scores: ...
def evaluate(
    qrels: Judgements,
    run: Runs | Measures | None = None,
    measures: Measures | None = None,
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
    per_query: bool = True,
    fingerprint: bool = False,
) -> Scores:
    """Scores of a run, or of several by name, against judgements.

    `qrels` and `run` are paths, dicts of dicts, frames or sparse matrices; `columns` names columns that are not
    recognised, role -> name. Instead of these two, pass the result of `match`, of `from_labels` or of a similar
    function, or several of them by name; or one table that has grades and scores: `evaluate(table, measures=...)`.

    `parent` maps a chunk in the run to its document, and the best chunk then stands for its document: a
    separator ("#" for chunks such as "d1#3"), a dict from chunk to document, or a function.

    `depth` cuts each ranking off after that many documents before scoring. `rel` is the lowest grade that is
    relevant, for measures that do not have a `rel` of their own. `topics` selects queries: a list of ids, a text such
    as "q1,q2", or a file with an id on each line or in its first column. `exclude` takes documents out of the lists of
    their queries before ranks are counted and lists are cut off, such as what users already had: pairs of query and
    document, in any form of judgements or runs. Judgements stay as they are.

    `by` divides the queries into slices, such as those of one language: a table with a column of queries and attributes
    (a path, a frame, or a dict from query to value), the names of columns of the run or the judgements, or Slices.
    `scores.slices` then has every measure for each slice, with confidence intervals.

    `engine` says where rows are matched: "local" (the default), "duckdb", "spark", a DuckDB connection or a Spark
    session. Options come with the engine: `DuckDB(memory_limit="4GB")`, and `Spark(trust_ranks=True)`, which takes the
    ranks in the run as they are. `per_query=False` brings back means and variances alone, of each slice if there are
    slices.

    `fingerprint=True` takes fingerprints of the data, so that `check` and `verify` can see later whether saved scores
    are of the same data. Without it there are none.

    >>> qrels = {"q1": {"d1": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> evaluate(qrels, run, ["ap", "p@2"]).means
    {'ap': 0.8333333333333333, 'p@2': 0.5}
    """
    from rankgold.engines.request import Request
    from rankgold.scoring.evaluation import evaluated

    request = Request.of({"qrels": qrels, "run": run}, policy=policy, topics=topics, depth=depth, rel=rel,
        exclude=exclude, parent=parent, columns=columns, by=by, engine=engine, progress=progress,
        fingerprint=fingerprint)  # fmt: skip
    return evaluated(request, measures, per_query=per_query)


def plan(
    qrels: Judgements,
    run: Runs | None = None,
    measures: Measures | None = None,
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
    per_query: bool = True,
    fingerprint: bool = False,
) -> str:
    """The plan of `evaluate` with the same arguments: the engine's own plan, and what it does in words.

    >>> print(plan({"q1": {"d1": 1}}, {"q1": {"d1": 0.9}}, ["ap"]))
    1. The judgements and the run are read in this process; a large file of a run in chunks.
    2. The rows of judged documents are found by their ids, and only they are ranked.
    3. ap is computed for every query, and then the mean.
    """
    from rankgold.engines.request import Request
    from rankgold.scoring.evaluation import planned

    request = Request.of({"qrels": qrels, "run": run}, policy=policy, topics=topics, depth=depth, rel=rel,
        exclude=exclude, parent=parent, columns=columns, by=by, engine=engine, progress=progress,
        fingerprint=fingerprint)  # fmt: skip
    return planned(request, measures, per_query=per_query)


def match(
    qrels: Judgements,
    run: Runs | None = None,
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
) -> Hits:
    """The Hits of one run: `evaluate(match(qrels, run), measures)` is `evaluate(qrels, run, measures)`.

    One table that has grades and scores needs no run. The keywords are those of `evaluate`. The hits keep `rel` for
    `evaluate` and `explain`.
    """
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request
    from rankgold.scoring.evaluation import matched

    refuse("match", by=by)
    request = Request.of({"qrels": qrels, "run": run}, policy=policy, topics=topics, depth=depth, rel=rel,
        exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return matched(request)


def read_qrels(path: str | os.PathLike[str], *, columns: Mapping[str, str] | None = None) -> polars.DataFrame:
    """The judgements of a file, checked, as a Polars frame: query, document, grade, and subtopic and weight if any."""
    from rankgold.scoring.evaluation import frame_of_file

    return frame_of_file(path, "qrels", columns)


def read_run(path: str | os.PathLike[str], *, columns: Mapping[str, str] | None = None) -> polars.DataFrame:
    """The rankings of a file, checked, as a Polars frame: query, document, score, and run where it holds several."""
    from rankgold.scoring.evaluation import frame_of_file

    return frame_of_file(path, "run", columns)


def explain(
    qrels: Judgements,
    run: Runs | None = None,
    measure: str | Measure = "ap",
    query: Hashable = None,
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
) -> Explanation:
    """Explains how the value of a measure for one query is computed, from judgements and a run, or from hits.

    One table that has grades and scores needs no run. The keywords are those of `evaluate`.

    >>> import rankgold
    >>> print(explain(rankgold.from_labels([[1, 0, 1, 0, 1]]), measure="ap"))
    ap of query 1: 0.7556
    <BLANKLINE>
    AP = (1 / R) * sum over relevant hits of  ordinal / rank
    <BLANKLINE>
    rank  grade          term  running sum
       1      1  1/1 = 1.0000       1.0000
       3      1  2/3 = 0.6667       1.6667
       5      1  3/5 = 0.6000       2.2667
    <BLANKLINE>
    sum    2.2667
    norm   3 (R, the relevant documents)
    value  2.2667 / 3 = 0.7556
    """
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request
    from rankgold.scoring.explanation import explained

    refuse("explain", by=by)
    request = Request.of({"qrels": qrels, "run": run}, policy=policy, topics=topics, depth=depth, rel=rel,
        exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return explained(request, measure, query)


def similarity(
    first: Runs,
    second: Runs | None = None,
    measures: Measures | None = None,
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
) -> Scores:
    """How similar two rankings are, query by query, without judgements: `rbo`, `tau_ap`, `overlap@10` and others.

    `first` is a run and `second` a run or several by name, in all forms that `evaluate` takes. Each of several is
    compared with the first run, and has its own row in the result. Without `second`, `first` holds several runs, and
    the first of them is the one that the others are compared with. Queries that only one of two runs ranks are left out
    and noted. `policy`, `columns`, `parent`, `depth`, `topics` and `exclude` are those of `evaluate`. With `engine`, a
    DuckDB connection or a Spark session, a run may be a table there: its rows are read, and compared in this process.

    `similarity(...).explain("q1")` shows the working behind a value.

    Leaderboards are compared in the same way: `Scores` of several runs, a dict from system to score, or a file that
    `rankgold evaluate` wrote as JSON or CSV, in place of a run. Each measure is then a query, and the systems are its
    documents. Without `second`, the measures of one leaderboard are compared with its first measure.

    >>> similarity({"q1": ["a", "b", "c"]}, {"q1": ["b", "a", "c"]}, ["overlap@2", "kendall"]).means
    {'overlap@2': 1.0, 'kendall': 0.3333333333333333}
    >>> similarity({"bm25": 0.3, "dense": 0.4, "fused": 0.5}, {"bm25": 0.1, "dense": 0.3, "fused": 0.2}, "tau_ap").means
    {'tau_ap': 0.0}
    """
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request
    from rankgold.scoring.ranking_similarity import scored_pairs

    refuse("similarity", rel=rel, by=by)
    request = Request.of({"first": first, "second": second}, policy=policy, topics=topics, depth=depth,
        exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return scored_pairs(request, measures)


def exposure(
    run: Runs,
    measures: Measures | None = None,
    *,
    items: Items | None = None,
    train: Runs | None = None,
    qrels: Judgements | None = None,
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
) -> Scores:
    """Measures the make-up of users' lists: `coverage@10`, `gini@10`, `novelty@10`, `ild@10` and others.

    `run` is a run, or several by name, in all forms that `evaluate` takes: users are queries, items are documents.
    Measures need one or more of these, and say so:

    - `items`: the catalogue, as a list of ids, a frame, a dict from item to features, or a file. Columns of a frame may
      hold categories, an embedding or numbers, and a group of each item.
    - `train`: what users had before, as pairs of user and item, in any form of judgements or runs.
    - `qrels`: what was relevant to users, for serendipity.

    `exclude`, `policy`, `parent`, `depth`, `rel` and `topics`, which selects users, are those of `evaluate`. `columns`
    names columns by role: `query`, `document`, `score`, and of the catalogue `category`, `embedding`, `group`. Some
    measures, such as gini, have only a value of all lists together: their values of single users are NaN. With
    `engine`, a DuckDB connection or a Spark session, all of these may be tables there: their rows are read, and counted
    in this process.

    `exposure(...).explain("u1")` shows the working behind a value, and `explain()` that of all lists.

    >>> run = {"u1": ["a", "b"], "u2": ["a", "c"]}
    >>> exposure(run, ["coverage@2", "gini@2"], items=["a", "b", "c", "d"]).means
    {'coverage@2': 0.75, 'gini@2': 0.375}
    """
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request
    from rankgold.scoring.list_exposure import scored_lists

    refuse("exposure", by=by)
    data = {"run": run, "items": items, "train": train, "qrels": qrels}
    request = Request.of(data, policy=policy, topics=topics, depth=depth, rel=rel, exclude=exclude, parent=parent,
        columns=columns, engine=engine, progress=progress)  # fmt: skip
    return scored_lists(request, measures)
