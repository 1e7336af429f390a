"""Scores measures that a tool matches in different ways, and joins their scores.

ir_measures hands measures to several tools, which order tied documents differently. So under its policy one evaluation
is one matching for each order, and the values of a query come from several of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rankgold.core.policy import Policy
from rankgold.data.columns import Kind
from rankgold.data.inputs import is_pipe, read
from rankgold.engines.request import Request
from rankgold.measures.metric import Measure
from rankgold.scoring.run_scores import RunScores
from rankgold.scoring.scorer import policy_of
from rankgold.scoring.scores import Scores


def score_by_conventions(
    request: Request, measures: dict[str, Measure], score: Callable[[Request, dict[str, Measure]], Scores]
) -> Scores:
    """The scores of a request, with each measure matched as the tool of the policy matches it."""
    groups: dict[Policy, dict[str, Measure]] = {}
    for label, measure in measures.items():
        groups.setdefault(policy_of(measure, request.policy), {})[label] = measure
    if list(groups) == [request.policy]:
        return score(request, measures)
    if len(groups) > 1:
        request = _readable_again(request)
    found: list[Scores] = []
    for policy, of_policy in groups.items():
        is_wanted = request.fingerprint and not found
        found.append(score(replace(request, policy=policy, fingerprint=is_wanted), of_policy))
    return _joined(found, measures, request.policy)


def _joined(parts: Sequence[Scores], measures: dict[str, Measure], policy: Policy) -> Scores:
    """Scores of the same runs and queries with different measures as one, in the order of the measures."""
    first = parts[0]
    slices = [
        replace(of_slice[0], scores=_joined([part.scores for part in of_slice], measures, policy))
        for of_slice in zip(*(part.parts for part in parts), strict=True)
    ]
    return replace(
        first,
        run_list=[_joined_run(runs, measures) for runs in zip(*(part.run_list for part in parts), strict=True)],
        measures=measures,
        policy=policy,
        pairs={pair: _merged([part.pairs[pair] for part in parts], measures) for pair in first.pairs},
        parts=slices,
    )


def _joined_run(runs: Sequence[RunScores], measures: dict[str, Measure]) -> RunScores:
    first = runs[0]
    notes = replace(
        first.notes,
        undefined=_merged([run.notes.undefined for run in runs], measures),
        remarks=tuple(dict.fromkeys(remark for run in runs for remark in run.notes.remarks)),
        without_relevant=tuple(dict.fromkeys(query for run in runs for query in run.notes.without_relevant)),
    )
    return replace(
        first,
        values=_merged([run.values for run in runs], measures),
        means=_merged([run.means for run in runs], measures),
        notes=notes,
        totals=None if first.totals is None else _merged([run.totals or {} for run in runs], measures),
    )


def _merged(parts: Sequence[Any], labels: dict[str, Measure]) -> dict[str, Any]:
    """Dicts by label as one, in the order of the labels."""
    every = {label: value for part in parts for label, value in part.items()}
    return {label: every[label] for label in labels if label in every}


def _readable_again(request: Request) -> Request:
    """The request with one-time inputs read into memory: standard input, pipes and Arrow streams."""
    run = request.run
    if isinstance(run, Mapping) and any(map(_is_read_once, run.values())):
        run = {name: _held(source, "run", request) for name, source in run.items()}
    elif isinstance(run, (list, tuple)) and any(map(_is_read_once, run)):
        run = [_held(source, "run", request) for source in run]
    else:
        run = _held(run, "run", request)
    judged = _held(request.qrels, "qrels", request)
    return replace(request, data={**request.data, "qrels": judged, "run": run})


def _held(source: object, kind: Kind, request: Request) -> Any:
    if not _is_read_once(source):
        return source
    return read(source, kind, request.columns, repeats=request.policy.repeats).whole()


def _is_read_once(source: object) -> bool:
    return is_pipe(source) or hasattr(source, "read_next_batch")
