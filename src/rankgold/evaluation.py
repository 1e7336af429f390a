"""The stages wired: judgements and runs in any form in; Scores, Hits, a plan or a frame out."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, Unpack, overload

from rankgold.data.columns import NO_RUN, Kind
from rankgold.data.fingerprints import DataLog
from rankgold.data.inputs import is_file, is_path, is_read_here, libraries_in, read, unused_name
from rankgold.data.parents import ParentRule
from rankgold.engines.protocol import Engine, EngineOptions, EvaluateKeywords, MatchKeywords, Task
from rankgold.engines.registry import engine_name, keeper_of, load_engine
from rankgold.errors import DataError, MeasureError, PolicyError, nearest
from rankgold.forked_process import check_polars
from rankgold.hits import Hits
from rankgold.policy import Policy, decided_policy
from rankgold.scoring.provenance import Provenance
from rankgold.scoring.scores import Scores
from rankgold.scoring.values import ValueWork, check_rel, measures_by_label, score_all, with_policy

if TYPE_CHECKING:
    import polars

    from rankgold.declaration.metric import Measure


_P = ParamSpec("_P")
_R = TypeVar("_R")
_KEYWORD, _MORE_KEYWORDS = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD


class _Default:
    """The default of a keyword, as `help` shows it: what it is stands in the documentation."""

    def __repr__(self) -> str:
        return "..."


def takes_keywords(known: Any) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Gives a function the keywords of a TypedDict: `help` shows them, and any other keyword is an error."""

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        signature = inspect.signature(function)
        parameters = {name: own for name, own in signature.parameters.items() if own.kind is not _MORE_KEYWORDS}
        for name, hint in known.__annotations__.items():
            shared = inspect.Parameter(name, _KEYWORD, default=_Default(), annotation=hint.__forward_arg__)
            parameters.setdefault(name, shared)

        @wraps(function)
        def checked(*arguments: _P.args, **keywords: _P.kwargs) -> _R:
            for name in keywords:
                if name not in parameters:
                    near = f".{nearest(name, parameters)}".rstrip(".")
                    raise TypeError(f"{function.__name__}() got an unexpected keyword argument {name!r}{near}")
            return function(*arguments, **keywords)

        vars(checked)["__signature__"] = signature.replace(parameters=list(parameters.values()))
        return checked

    return decorate


class Frame(Protocol):
    """A frame of any library: Polars, pandas, PyArrow, DuckDB, Spark."""

    @property
    def columns(self) -> Any: ...


_Path = str | os.PathLike[str]
_Run = _Path | Frame | Mapping[Any, Mapping[Any, float]] | Mapping[Any, list[str] | list[int]]
_RunsByName = Mapping[str, _Path | Frame | Mapping[Any, Mapping[Any, float]]]
_Listed = TypeVar("_Listed", bound=_Path | Frame)


@overload
def evaluate(
    qrels: Hits, run: Any = None, measures: Any = None, *, policy: Policy | str | None = None
) -> Scores[float]: ...
@overload
def evaluate(
    qrels: Mapping[str, Hits] | list[Hits], run: Any = None, measures: Any = None, *, policy: Policy | str | None = None
) -> Scores[dict[str, float]]: ...
@overload
def evaluate(qrels: Any, run: _Run, measures: Any = None, **keywords: Unpack[EvaluateKeywords]) -> Scores[float]: ...
@overload
def evaluate(
    qrels: Any, run: _RunsByName | list[_Listed], measures: Any = None, **keywords: Unpack[EvaluateKeywords]
) -> Scores[dict[str, float]]: ...
@overload
def evaluate(qrels: Any, run: Any = None, measures: Any = None, **keywords: Unpack[EvaluateKeywords]) -> Scores: ...
@takes_keywords(EvaluateKeywords)
def evaluate(qrels: Any, run: Any = None, measures: Any = None, **keywords: Unpack[EvaluateKeywords]) -> Scores:
    """Scores of a run, or of several by name, against judgements.

    `qrels` and `run` are paths, dicts of dicts, frames or sparse matrices; `columns` names columns that are not
    recognised, role -> name. Instead of these two, pass the result of `match`, of `from_labels` or of a similar
    function, or several of them by name; or one table that has grades and scores: `evaluate(table, measures=...)`.

    `parent` says to which document a chunk in the run belongs, and the best chunk then stands for its document: a
    separator ("#" for chunks such as "d1#3"), a dict from chunk to document, or a function.

    `depth` cuts each ranking off after so many documents before anything is counted. `rel` is the lowest grade that is
    relevant, for measures that do not have a `rel` of their own. `topics` selects queries: a list of ids, a text such
    as "q1,q2", or a file with an id on each line or in its first column. `exclude` takes documents out of the lists of
    their queries before ranks are counted and lists are cut off, such as what users already had: pairs of query and
    document, in any form of judgements or runs. Judgements stay as they are.

    `by` divides the queries into slices, such as those of one language: a table with a column of queries and attributes
    (a path, a frame, or a dict from query to value), the names of columns of the run or the judgements, or Slices.
    `scores.slices` then has every measure for each slice, with confidence intervals.

    `engine` says where rows are matched: "local" (the default), "duckdb", "spark", a DuckDB connection or a Spark
    session. Options of the engines: `memory_limit` is for DuckDB. On Spark and DuckDB, `per_query=False` brings back
    means and variances alone, of each slice if there are slices. On Spark, `trust_ranks=True` takes the ranks in the
    run as they are.

    `fingerprint=True` takes fingerprints of the data, so that `check` and `verify` can tell later whether saved scores
    are of the same data. Without it there are none.

    >>> qrels = {"q1": {"d1": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> evaluate(qrels, run, ["ap", "p@2"]).means
    {'ap': 0.8333333333333333, 'p@2': 0.5}
    """
    if matched := _matched_runs(qrels):
        return _evaluate_hits(matched, run, measures, keywords)
    log = DataLog() if keywords.get("fingerprint") else None
    task = _task(qrels, run, _wanted(measures, keywords), keywords, log)
    engine = _engine_for(task)
    if task.policy.dialect == "rankgold":
        scores = _scored(engine, task)
    else:
        from rankgold.scoring.tool_conventions import score_by_conventions

        scores = score_by_conventions(task, partial(_scored, engine))
    excludes = task.exclude is not None
    if log is None and task.parent is None and task.topics is None and not excludes:
        return scores
    return replace(scores, provenance=Provenance.of(scores.runs, log, task.parent, task.topics, excludes))


def _scored(engine: Engine, task: Task) -> Scores:
    """The scores of all runs, with the values of the queries or without."""
    if task.per_query:
        return engine.reduce(task, ValueWork(task.measures, task.policy))
    from rankgold.scoring.sum_work import SumWork

    return engine.reduce(task, SumWork(task.measures, task.policy))


def _evaluate_hits(matched: list[Hits], run: Any, measures: Any, keywords: EvaluateKeywords) -> Scores:
    """The scores of hits. The measures may stand in the place of the run: evaluate(hits, measures)."""
    if run is not None and measures is not None:
        raise MeasureError("Hits are matched already: the form is evaluate(hits, measures).")
    check_unmatched(keywords)
    hits = _under_one_policy([with_policy(hits, keywords.get("policy"), keywords.get("depth")) for hits in matched])
    given, rel = run if measures is None else measures, keywords.get("rel")
    rel = _one_rel(hits) if rel is None else rel
    scores = score_all(hits, measures_by_label(given, rel=rel, dialect=hits[0].policy.dialect))
    by = keywords.get("by")
    return scores if by is None else _sliced(scores, by, keywords.get("columns"))


def _sliced(scores: Scores, by: Any, columns: Mapping[str, str] | None) -> Scores:
    """The scores of hits with those of the slices of a table."""
    from rankgold.data.slices import Slices
    from rankgold.scoring.slice_parts import sliced_by_table

    slices = Slices.of(by)
    assert slices is not None
    if slices.table is None:
        raise DataError("Hits are matched already, and have no columns. Pass a table with the attributes of queries.")
    return sliced_by_table(scores, slices, columns=columns)


@takes_keywords(EvaluateKeywords)
def plan(qrels: Any, run: Any = None, measures: Any = None, **keywords: Unpack[EvaluateKeywords]) -> str:
    """What `evaluate` with the same arguments is going to run: the engine's own plan, and what it does in words.

    >>> print(plan({"q1": {"d1": 1}}, {"q1": {"d1": 0.9}}, ["ap"]))
    1. The judgements and the run are read in this process; a large file of a run in chunks.
    2. The rows of judged documents are found by their ids, and only they are ranked.
    3. ap is computed for every query, and then the mean.
    """
    task = _task(qrels, run, _wanted(measures, keywords), keywords)
    return _engine_for(task).plan(task)


@takes_keywords(MatchKeywords)
def match(qrels: Any, run: Any = None, *, rel: float | None = None, **keywords: Unpack[MatchKeywords]) -> Hits:
    """The Hits of one run: `evaluate(match(qrels, run), measures)` is `evaluate(qrels, run, measures)`.

    One table that has grades and scores needs no run. The keywords are those of `evaluate`. The hits keep `rel` for
    `evaluate` and `explain`.
    """
    found = list(hits_of_runs(qrels, run, **keywords))
    if len(found) > 1:
        raise DataError(
            f"there are {len(found)} runs ({', '.join(hits.name for hits in found)}). Match them one by one."
        )
    if rel is not None:
        check_rel(rel)
    return found[0] if rel is None else replace(found[0], rel=rel)


def hits_of_runs(
    qrels: Any, run: Any = None, *, log: DataLog | None = None, **keywords: Unpack[MatchKeywords]
) -> Iterator[Hits]:
    """The Hits of each run, one run after the other. What is read is noted in the log."""
    task = _task(qrels, run, {}, keywords, log)
    return _engine_for(task).match(task)


def read_qrels(path: str | os.PathLike[str], *, columns: Mapping[str, str] | None = None) -> polars.DataFrame:
    """The judgements of a file, checked, as a Polars frame: query, document, grade, and subtopic and weight if any."""
    return _frame(path, "qrels", columns)


def read_run(path: str | os.PathLike[str], *, columns: Mapping[str, str] | None = None) -> polars.DataFrame:
    """The rankings of a file, checked, as a Polars frame: query, document, score, and run where it holds several."""
    return _frame(path, "run", columns)


def _frame(path: str | os.PathLike[str], kind: Kind, columns: Mapping[str, str] | None) -> polars.DataFrame:
    return read(path, kind, columns).table().frame


def check_unmatched(keywords: Mapping[str, Any]) -> None:
    """Raises an error for a keyword about the data of hits, which are matched already."""
    for name in ("parent", "topics", "exclude"):
        if keywords.get(name) is not None:
            raise DataError(f"Hits are matched already. Pass {name} to match, with the judgements and the run.")


def _wanted(measures: Any, keywords: EvaluateKeywords) -> dict[str, Measure]:
    return measures_by_label(measures, rel=keywords.get("rel"), dialect=Policy.of(keywords.get("policy")).dialect)


def _task(
    qrels: Any,
    run: Any,
    measures: dict[str, Measure],
    keywords: EvaluateKeywords | MatchKeywords,
    log: DataLog | None = None,
) -> Task:
    """What an engine is asked to do. Without a run, the table of judgements has the scores too."""
    options: dict[str, Any] = {name: value for name, value in keywords.items() if name not in ("rel", "fingerprint")}
    parent, topics, by = (options.pop(name, None) for name in ("parent", "topics", "by"))
    policy = decided_policy(options.pop("policy", None), options.pop("depth", None), parent)
    if parent is not None:
        parent = ParentRule.of(parent)
    if topics is not None:
        from rankgold.data.topics import Topics

        topics = Topics.of(topics)
    if by is not None:
        from rankgold.data.slices import Slices

        by = Slices.of(by)
    if run is None:
        columns, is_elsewhere = options.get("columns"), _is_elsewhere(qrels, options.get("engine"))
        if by is not None and not is_elsewhere:
            from rankgold.data.attributes import as_table

            by = as_table(by, [qrels], columns)
        qrels, run = (qrels, qrels) if is_elsewhere else _judged_and_ranked(qrels, columns, options.get("exclude"))
    return Task(qrels, run, measures, policy, parent=parent, topics=topics, slices=by, log=log, **options)


def _judged_and_ranked(table: Any, columns: Mapping[str, str] | None, exclude: Any) -> tuple[Any, Any]:
    if table is None or isinstance(table, Mapping):
        raise DataError(NO_RUN)
    check_polars()
    from rankgold.data.labelled import judged_and_ranked

    judged, ranked = judged_and_ranked(table, columns)
    if exclude is not None and ranked.is_numbered:
        raise DataError("the table has no column of documents, so exclude cannot find them. Add one.")
    return judged, ranked


def _is_elsewhere(source: Any, engine: Any) -> bool:
    """Whether only an engine can read this: a frame on Spark, or a name that is not that of a file here."""
    is_named = (
        engine is not None and engine != "local" and is_path(source) and not (is_file(source) or is_read_here(source))
    )
    return is_named or keeper_of(libraries_in([source])) is not None


def _matched_runs(given: Any) -> list[Hits]:
    """The Hits that the user passed in place of judgements and run; none if these are not Hits."""
    if isinstance(given, Hits):
        return [given]
    values = list(given.values()) if isinstance(given, Mapping) else given
    if not isinstance(values, (list, tuple)) or not any(isinstance(value, Hits) for value in values):
        return []
    for value in values:
        if not isinstance(value, Hits):
            raise DataError(f"this {type(value).__name__} is among Hits. Match it first: rankgold.match(qrels, run).")
    own = [str(name) for name in given] if isinstance(given, Mapping) else [hits.name for hits in values]
    names: list[str] = []
    for name in own:
        names.append(unused_name(name, names))
    return [replace(hits, name=name) for hits, name in zip(values, names, strict=True)]


def _under_one_policy(runs: list[Hits]) -> list[Hits]:
    for hits in runs:
        if hits.policy != runs[0].policy:
            raise PolicyError(
                f"These hits were matched under different policies: {runs[0].name} with {runs[0].policy}, {hits.name}"
                f" with {hits.policy}. Match them under one."
            )
    return runs


def _one_rel(runs: list[Hits]) -> Any:
    """The lowest relevant grade with which all of these were matched."""
    for hits in runs:
        if hits.rel != runs[0].rel:
            raise DataError(
                f"these hits were matched with different grades that are relevant: {runs[0].name} with"
                f" rel={runs[0].rel}, {hits.name} with rel={hits.rel}. Pass rel to evaluate."
            )
    return runs[0].rel


def _engine_for(task: Task) -> Engine:
    """The engine that the task names, or that belongs to the connection, session or frames in it."""
    name = _engine_of_frames(task) if task.engine is None else engine_name(task.engine)
    engine = load_engine(name)
    for option in fields(Task):
        is_given = option.name in EngineOptions.__optional_keys__ and getattr(task, option.name) != option.default
        if is_given and option.name not in engine.options:
            raise DataError(f"{option.name} is not an option of the engine {name}.")
    return engine


def _engine_of_frames(task: Task) -> str:
    """The engine that keeps the frames in the data where they are; else `local`."""
    table = None if task.slices is None else task.slices.table
    return keeper_of(libraries_in(task.qrels, task.run, task.exclude, table)) or "local"
