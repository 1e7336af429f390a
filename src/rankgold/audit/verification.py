"""Recomputes saved scores and says what changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold import __version__
from rankgold.comparison.paired_values import without_rounding
from rankgold.core.accepted import Measures
from rankgold.core.document import Cell, Document, ResultTable, check_digits
from rankgold.core.errors import DataError, counted, listing
from rankgold.core.policy import Policy
from rankgold.core.result import Result, known_fields, record_frame
from rankgold.core.segments import Floats
from rankgold.data.fingerprints import Fingerprint
from rankgold.engines.request import Request
from rankgold.scoring.evaluation import evaluated
from rankgold.scoring.run_scores import HOW_TO_FINGERPRINT, OPTION_NAMES, RunScores, label_of
from rankgold.scoring.scorer import measures_by_label
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed since the scores were saved."""

    what: str
    """data, policy, measures, options, version or scores."""
    name: str
    """Which of them: judgements, the name of a run, the name of a measure, a field of the policy."""
    sentence: str


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """A saved and a current mean, and how many queries changed."""

    run: str
    measure: str
    saved: float
    now: float
    queries: int | None
    """None if the values of the queries were not saved."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Verification(Result):
    """What changed since scores were saved."""

    changes: tuple[Change, ...]
    score_changes: tuple[ScoreChange, ...]
    saved: Scores
    now: Scores
    compared: int
    """How many of the saved means were recomputed."""
    doubts: tuple[str, ...] = ()
    """What could not be verified."""

    @property
    def unchanged(self) -> bool:
        """True if nothing changed at all."""
        return not self.changes

    @property
    def same_scores(self) -> bool:
        """True if all saved scores are unchanged, even if something else changed."""
        return bool(self.compared) and not self.score_changes

    @property
    def changed(self) -> list[str]:
        """What changed: data, policy, measures, options, version, or only the scores."""
        return list(dict.fromkeys(change.what for change in self.changes))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None."""
        return {
            "unchanged": self.unchanged,
            "same_scores": self.same_scores,
            "changed": self.changed,
            "changes": [known_fields(change) for change in self.changes],
            "scores": [known_fields(change) for change in self.score_changes],
            "saved_version": self.saved.provenance.version,
            "version": __version__,
            "doubts": list(self.doubts),
        }

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame of the scores that differ: run, measure, saved, now, queries."""
        rows = map(known_fields, self.score_changes)
        return record_frame(rows, {"run": str, "measure": str, "saved": float, "now": float, "queries": int})

    def document(self, digits: int = 4) -> Document:
        """The changes in sentences, and a table of the scores that differ."""
        rows: list[list[Cell]] = [
            [c.run, c.measure, c.saved, c.now, c.now - c.saved, "" if c.queries is None else str(c.queries)]
            for c in self.score_changes
        ]
        header = ["run", "measure", "saved", "now", "difference", "queries that differ"]
        table = ResultTable(header, rows, "llrrrr", digits=check_digits(digits), keys=2)
        facts = [(change.what, change.sentence) for change in self.changes]
        facts += [("doubt", doubt) for doubt in self.doubts]
        return Document([table] if rows else [], title=self._title, facts=facts)

    @property
    def _title(self) -> str:
        scores = "all scores are the same" if self.same_scores else "the scores differ"
        if not self.compared:
            scores = "none of the saved scores was recomputed"
        if self.unchanged and self.doubts:
            return f"No change was found, as far as can be seen: {scores}."
        if self.unchanged:
            return f"Nothing changed: {scores}."
        return f"Changed: {listing(self.changed)}; {scores}."


def verified(before: Scores, request: Request, measures: Measures | None) -> Verification:
    """What changed since the scores were saved, computed again with the data of a request."""
    wanted = dict(before.measures)
    if measures is not None or request.rel is not None:
        wanted = measures_by_label(measures, rel=request.rel, dialect=request.policy.dialect)
    now = evaluated(replace(request, fingerprint=True), list(wanted.values()))
    pairs = _same_runs(before, now)
    doubts: list[str] = []
    changes = [
        *_version(before),
        *_policy(before.policy, request.policy),
        *_measures(before, now),
        *_options(before.provenance.options, now.provenance.options),
        *_data(before, now, pairs, doubts),
    ]
    scores = list(_scores(before, now, pairs))
    changed = tuple(score for score in scores if score.queries != 0)
    if changed and not changes:
        reason = "although data, policy, measures and version are the same: the file was edited, or tied rows moved"
        if doubts:
            reason = "and without fingerprints the reason is not known: the data have probably changed"
        changes.append(Change("scores", "scores", f"The scores differ, {reason}."))
    return Verification(tuple(changes), changed, before, now, len(scores), tuple(doubts))


def with_saved_options(given: dict[str, Any], before: Scores) -> dict[str, Any]:
    """The keywords, with the options of the saved scores that were not given again."""
    saved = before.provenance.options
    for name in OPTION_NAMES:
        if name in saved and given.get(name) is None:
            if name == "exclude" or saved[name] is None:
                raise DataError(f"the scores were saved with {name}. Pass it again: the file does not hold it.")
            given[name] = saved[name]
    return given


def _same_runs(before: Scores, now: Scores) -> dict[str, str]:
    """The saved name of a run -> its current name. A single run is the same one, whatever its name."""
    if len(before.runs) == len(now.runs) == 1:
        return {before.runs[0]: now.runs[0]}
    return {name: name for name in before.runs if name in now.runs}


def _version(before: Scores) -> Iterator[Change]:
    version = before.provenance.version
    if version != __version__:
        yield Change("version", "rankgold", f"rankgold was {version}, and is {__version__}.")


def _policy(before: Policy, now: Policy) -> Iterator[Change]:
    then = before.to_dict()
    for field, choice in now.to_dict().items():
        if choice != then[field]:
            yield Change("policy", field, f"The policy has {field}={choice}, and had {field}={then[field]}.")


def _measures(before: Scores, now: Scores) -> Iterator[Change]:
    then, today = set(before.measures.values()), set(now.measures.values())
    for measure in sorted(map(str, today - then)):
        yield Change("measures", measure, f"{measure} was not among the measures.")
    for measure in sorted(map(str, then - today)):
        yield Change("measures", measure, f"{measure} is no longer among the measures.")


def _options(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Change]:
    for name in OPTION_NAMES:
        if before.get(name) != now.get(name):
            yield Change("options", name, f"{name} is {now.get(name)!r}, and was {before.get(name)!r}.")


def _data(before: Scores, now: Scores, pairs: Mapping[str, str], doubts: list[str]) -> Iterator[Change]:
    then, today = before.provenance, now.provenance
    yield from _fingerprints("judgements", "The judgements", then.judgements, today.judgements, doubts)
    for name, new_name in pairs.items():
        yield from _fingerprints(name, f"The run {new_name!r}", then.run(name), today.run(new_name), doubts)
    for name in before.runs:
        if name not in pairs:
            yield Change("data", name, f"The run {name!r} was saved, and is not there now.")
    for name in now.runs:
        if name not in pairs.values():
            yield Change("data", name, f"The run {name!r} is there now, and was not saved.")


def _fingerprints(
    name: str, what: str, before: Fingerprint | None, now: Fingerprint | None, doubts: list[str]
) -> Iterator[Change]:
    if before is None or now is None:
        verb = "were" if name == "judgements" else "was"
        doubts.append(
            f"{what} {verb} saved without a fingerprint, so a change cannot be seen. Save scores with"
            f" {HOW_TO_FINGERPRINT}."
        )
    elif before != now:
        rows = f"{counted(before.rows, 'row')} then, {now.rows:,} now"
        verb = "have changed" if name == "judgements" else "has changed"
        yield Change(
            "data", name, f"{what} {verb}: {rows}." if before.rows != now.rows else f"{what} {verb}: as many rows."
        )


def _scores(before: Scores, now: Scores, pairs: Mapping[str, str]) -> Iterator[ScoreChange]:
    """All means that were both saved and recomputed. Equal ones have no differing query."""
    for name, new_name in pairs.items():
        then, today = before.run_scores(name), now.run_scores(new_name)
        for label, measure in before.measures.items():
            if measure in now.measures.values():
                new_label = label_of(measure, now.measures)
                saved, mean = then.means[label], today.means[new_label]
                count = _differing(then, label, today, new_label)
                if count is None and _differ(np.array([saved]), np.array([mean])) == 0:
                    count = 0
                yield ScoreChange(name, label, saved, mean, count)


def _differing(before: RunScores, label: str, now: RunScores, new_label: str) -> int | None:
    """How many queries changed, or have a value on one side only; None if their values were not saved."""
    if before.totals is not None or now.totals is not None:
        return None
    sides = before.by_query(label), now.by_query(new_label)
    common = [query for query in sides[0] if query in sides[1]]
    return _differ(*(np.array([side[query] for query in common]) for side in sides)) + len(
        sides[0].keys() ^ sides[1].keys()
    )


def _differ(a: Floats, b: Floats) -> int:
    """How many numbers differ by more than rounding."""
    return int(((without_rounding(a, b) != 0) & ~(np.isnan(a) & np.isnan(b))).sum())
