"""Wires reading, matching and scoring: evaluate, match, plan, read_qrels, read_run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rankgold.core.errors import DataError, MeasureError
from rankgold.core.hits import Hits
from rankgold.data.columns import NO_RUN, Kind
from rankgold.data.inputs import is_file, is_path, is_read_here, libraries_in, read
from rankgold.data.polars_guard import check_polars
from rankgold.engines.protocol import Local, keeper_of
from rankgold.engines.request import Request
from rankgold.scoring.run_scores import Provenance
from rankgold.scoring.scorer import ValueWork, check_rel, measures_by_label, score_all
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    import polars

    from rankgold.core.accepted import Measures
    from rankgold.measures.metric import Measure


def evaluated(request: Request, measures: Measures | None, *, per_query: bool = True) -> Scores:
    """The scores of all runs in a request; without `per_query`, sums of the values of queries alone."""
    if request.hits:
        return _evaluated_hits(request, measures)
    wanted, request = wanted_measures(request, measures), matchable(request)

    def score(request: Request, measures: dict[str, Measure]) -> Scores:
        return request.load_engine().reduce(request, work_for(request, measures, per_query))

    if request.policy.dialect == "rankgold":
        scores = score(request, wanted)
    else:
        from rankgold.scoring.tool_conventions import score_by_conventions

        scores = score_by_conventions(request, wanted, score)
    excludes = request.exclude is not None
    if not request.fingerprint and request.parent is None and request.topics is None and not excludes:
        return scores
    known = {run.name: run.notes.fingerprints for run in scores.run_list}
    return replace(scores, provenance=Provenance.of(known, request.parent, request.topics, excludes))


def work_for(request: Request, measures: dict[str, Measure], per_query: bool) -> ValueWork:
    """What to make of hits: scores with or without per-query values."""
    if per_query:
        return ValueWork(measures, request.policy)
    from rankgold.scoring.sums import SumWork

    return SumWork(measures, request.policy)


def _evaluated_hits(request: Request, measures: Measures | None) -> Scores:
    """The scores of hits. The measures may take the place of the run: evaluate(hits, measures)."""
    if request.run is not None and measures is not None:
        raise MeasureError("Hits are matched already: the form is evaluate(hits, measures).")
    given = request.run if measures is None else measures
    rel = _one_rel(request.hits) if request.rel is None else request.rel
    scores = score_all(request.hits, measures_by_label(given, rel=rel, dialect=request.policy.dialect))
    if request.slices is None:
        return scores
    from rankgold.scoring.slice_parts import sliced_by_table

    if request.slices.table is None:
        raise DataError("Hits are matched already, and have no columns. Pass a table with the attributes of queries.")
    return sliced_by_table(scores, request.slices, columns=request.columns)


def planned(request: Request, measures: Measures | None, *, per_query: bool = True) -> str:
    """The engine's plan for an evaluation, as text."""
    wanted, request = wanted_measures(request, measures), matchable(request)
    return request.load_engine().plan(request, work_for(request, wanted, per_query))


def hits_of(request: Request) -> Iterator[Hits]:
    """The Hits of each run in a request, one run after the other."""
    request = matchable(request)
    return request.load_engine().match(request)


def matched(request: Request) -> Hits:
    """The Hits of the only run, which keep `rel`."""
    found = list(hits_of(request))
    if len(found) > 1:
        raise DataError(
            f"there are {len(found)} runs ({', '.join(hits.name for hits in found)}). Match them one by one."
        )
    if request.rel is None:
        return found[0]
    check_rel(request.rel)
    return replace(found[0], rel=request.rel)


def frame_of_file(path: str | os.PathLike[str], kind: Kind, columns: Mapping[str, str] | None) -> polars.DataFrame:
    """The rows of a file, checked, as a frame."""
    return read(path, kind, columns).table().frame


def wanted_measures(request: Request, measures: Measures | None) -> dict[str, Measure]:
    """The measures by label, in the dialect of the policy."""
    return measures_by_label(measures, rel=request.rel, dialect=request.policy.dialect)


def matchable(request: Request) -> Request:
    """The request with judgements and run separated: without a run, the judgements table has the scores too."""
    if request.run is not None:
        return request
    table, slices = request.qrels, request.slices
    if _is_elsewhere(table, request):
        return replace(request, data={**request.data, "run": table})
    if slices is not None:
        from rankgold.data.attributes import as_table

        slices = as_table(slices, [table], request.columns)
    judged, ranked = _judged_and_ranked(table, request)
    return replace(request, data={**request.data, "qrels": judged, "run": ranked}, slices=slices)


def _judged_and_ranked(table: object, request: Request) -> tuple[Any, Any]:
    if table is None or isinstance(table, Mapping):
        raise DataError(NO_RUN)
    check_polars()
    from rankgold.data.frames import judged_and_ranked

    judged, ranked = judged_and_ranked(table, request.columns)
    if request.exclude is not None and ranked.is_numbered:
        raise DataError("the table has no column of documents, so exclude cannot find them. Add one.")
    return judged, ranked


def _is_elsewhere(source: object, request: Request) -> bool:
    """True if only an engine can read this: a frame on Spark, or a name that is not a local file."""
    is_named = (
        not isinstance(request.engine, Local) and is_path(source) and not (is_file(source) or is_read_here(source))
    )
    return is_named or keeper_of(libraries_in([source])) is not None


def _one_rel(runs: Sequence[Hits]) -> Any:
    """The `rel` that all of these were matched with."""
    for hits in runs:
        if hits.rel != runs[0].rel:
            raise DataError(
                f"these hits were matched with different grades that are relevant: {runs[0].name} with"
                f" rel={runs[0].rel}, {hits.name} with rel={hits.rel}. Pass rel to evaluate."
            )
    return runs[0].rel
