"""The stages wired: read, match, measure."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rankgold.data.columns import Kind
from rankgold.data.inputs import read
from rankgold.declaration.metric import Measure
from rankgold.engines import Work, engine_for, options_for
from rankgold.errors import DataError, MeasureError, listing
from rankgold.hits import Hits
from rankgold.matching.runs import Progress, match_runs
from rankgold.policy import Policy
from rankgold.scoring.scores import Scores
from rankgold.scoring.values import measures_by_label, score_run, with_policy

if TYPE_CHECKING:
    import polars


def evaluate(
    qrels: Any,
    run: Any = None,
    measures: Any = None,
    *,
    policy: Policy | str | None = None,
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    engine: Any = None,
    per_query: bool = True,
    trust_ranks: bool = False,
    memory_limit: str | None = None,
) -> Scores:
    """Scores of a run, or of several by name, against judgements.

    `qrels` and `run` are paths, dicts of dicts, or frames; `columns` names columns that are not recognised, role ->
    name. In place of the two, the result of `match` or of `from_labels` and its like can be given.

    `engine` says where matching runs: "local", "duckdb" or "spark", or it is a DuckDB connection or a Spark session.
    `memory_limit` is for DuckDB. On Spark, `per_query=False` brings back means and variances alone, and `trust_ranks`
    takes the ranks in the run as they are.

    >>> qrels = {"q1": {"d1": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> evaluate(qrels, run, ["ap", "p@2"]).means
    {'ap': 0.8333333333333333, 'p@2': 0.5}
    """
    if isinstance(qrels, Hits):
        if run is not None and measures is not None:
            raise MeasureError("Hits are matched already: the form is evaluate(hits, measures).")
        wanted = measures_by_label(run if measures is None else measures)
        return _scores([with_policy(qrels, policy)], wanted)
    wanted = measures_by_label(measures)
    if run is None:
        raise DataError("there is no run. The form is evaluate(qrels, run, measures).")
    chosen = engine_for(engine, qrels, run)
    options = options_for(chosen, per_query=per_query, trust_ranks=trust_ranks, memory_limit=memory_limit)
    if chosen is not None:
        session = None if isinstance(engine, str) else engine
        work = Work(qrels, run, wanted, Policy.of(policy), columns, progress, session, **options)
        scores: Scores = chosen.scores(work)
        return scores
    return _scores(match_runs(qrels, run, Policy.of(policy), columns, progress), wanted)


def plan(
    qrels: Any,
    run: Any,
    measures: Any = None,
    *,
    policy: Policy | str | None = None,
    columns: Mapping[str, str] | None = None,
    engine: Any = None,
    per_query: bool = True,
    trust_ranks: bool = False,
    memory_limit: str | None = None,
) -> str:
    """What `evaluate` with the same arguments is going to run: the engine's own plan, and in words what it does.

    >>> print(plan({"q1": {"d1": 1}}, {"q1": {"d1": 0.9}}, ["ap"]))
    1. The judgements and the run are read here; a large file of a run in parts.
    2. The rows of judged documents are found by their ids, and only they are ranked.
    3. ap is worked out for every query, and then the mean.
    """
    wanted = measures_by_label(measures)
    chosen = engine_for(engine, qrels, run)
    options = options_for(chosen, per_query=per_query, trust_ranks=trust_ranks, memory_limit=memory_limit)
    if chosen is not None:
        session = None if isinstance(engine, str) else engine
        text: str = chosen.plan(Work(qrels, run, wanted, Policy.of(policy), columns, None, session, **options))
        return text
    several = "are" if len(wanted) > 1 else "is"
    return "\n".join(
        (
            "1. The judgements and the run are read here; a large file of a run in parts.",
            "2. The rows of judged documents are found by their ids, and only they are ranked.",
            f"3. {listing(wanted)} {several} worked out for every query, and then the mean.",
        )
    )


def _scores(every: Iterable[Hits], measures: dict[str, Measure]) -> Scores:
    runs = []
    policy = Policy()
    for hits in every:
        policy = hits.policy
        runs.append(score_run(hits, measures))
    return Scores(runs, measures, policy)


def read_qrels(path: str | os.PathLike[str], *, columns: Mapping[str, str] | None = None) -> polars.DataFrame:
    """The judgements of a file, checked, as a Polars frame: query, document, grade."""
    return _frame(path, "qrels", columns)


def read_run(path: str | os.PathLike[str], *, columns: Mapping[str, str] | None = None) -> polars.DataFrame:
    """The rankings of a file, checked, as a Polars frame: query, document, score, and run where it holds several."""
    return _frame(path, "run", columns)


def _frame(path: str | os.PathLike[str], kind: Kind, columns: Mapping[str, str] | None) -> polars.DataFrame:

    return read(path, kind, columns).table().frame
