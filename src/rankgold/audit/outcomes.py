"""Computes the value of every convention from one reading.

The ranks under all rules of ties, in both directions and with or without unjudged documents follow from a few counts
for each judged document: how many documents have a higher score, how many the same, and which of these come first.

A list has the scores 9, 5, 5, 2, and a judged document the second 5: 1 document is above, and 2 are tied with the
document itself. Its rank is 2 or 3, as the rule of ties has it. From low to high scores, 4 - 1 - 2 = 1 is above.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from rankgold.audit.conventions import Candidate, Convention
from rankgold.core.derivation import Outcome
from rankgold.core.errors import DataError, RankgoldError
from rankgold.core.hits import Hits, Memo
from rankgold.core.policy import Policy
from rankgold.core.segments import Bools, Floats, Ints, sorted_descending
from rankgold.data.exclusion import Exclusion
from rankgold.data.ids import IdColumn, as_text, is_text, to_polars
from rankgold.data.inputs import given_runs, read
from rankgold.data.matching.judgements import Retrieval, check_overlap, condenses_first
from rankgold.data.matching.ranks import HitScores, Places, count_tied_above, round_scores
from rankgold.data.matching.table_judgements import FoundRows, TableJudgements, distinct_rows, with_ids_of_one_type
from rankgold.data.query_groups import QueryGroups
from rankgold.engines.request import Request, read_here
from rankgold.measures.metric import GEOMETRIC_MEAN, SUM, Measure
from rankgold.scoring.scorer import decide_all

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """Scores at the width of comparison, and the places of the judged documents."""

    scores: Floats
    above: Ints
    """How many documents have a higher score."""
    tied: Ints
    """How many documents have the same score, with the document itself."""

    @classmethod
    def of(cls, found: FoundRows, bits: int) -> _Counts:
        scores = round_scores(found.rows.numbers, Policy(score_bits=bits))  # type: ignore[arg-type]  # one of its choices
        ordered = sorted_descending(scores, found.rows.starts)
        position = found.at if ordered is scores else None
        hits = HitScores(ordered, found.rows.starts, found.group, scores[found.at], position)
        return cls(scores, *hits.higher_and_equal())


class SharedRankings:
    """The rankings of one run under any convention."""

    def __init__(self, request: Request) -> None:
        request, columns = read_here(request), request.columns
        given, source = _only(given_runs(request.run, columns))
        judged = read(request.qrels, "qrels", columns, "first")
        ranked = _only(read(source, "run", columns, "first").split_runs())
        self.name = given or ranked.name
        self._qrels = replace(request, parent=None).groups("the judgements", judged)
        self._run = request.groups(self.name, ranked)
        if request.exclude is not None:
            self._run = Exclusion.of(request.exclude, columns).remaining(self._run)
        self._memo = Memo()

    def hits(self, convention: Convention) -> Hits:
        """The Hits under a convention; the policy of the Hits is that of the convention."""
        known: Hits = self._memo.once(("hits", convention.ranking), partial(self._hits, convention))
        return known if known.policy == convention.policy else replace(known, policy=convention.policy)

    @property
    def queries(self) -> list[Any]:
        """The judged queries, in the order of all values."""
        return list(self._found("text", "first").judgements.queries)

    @property
    def has_repeats(self) -> bool:
        """True if a list has a document twice."""
        return len(self._found("text", "first").rows.numbers) < len(self._run.numbers)

    @property
    def has_numeric_ids(self) -> bool:
        """True if some ids are numbers, so that their comparison can matter."""
        columns = [column for side in (self._qrels, self._run) for column in (side.queries, side.documents)]
        return any(not is_text(ids) or to_polars(ids).str.contains(r"^\d+$").any() for ids in columns)

    def count_ties(self, bits: int) -> int:
        """How many judged documents are tied if scores are compared at this width."""
        return int(np.count_nonzero(self._counts("text", "first", bits).tied > 1))

    def is_in_order(self, convention: Convention) -> bool:
        """True if the file has the documents in rank order."""
        found = self._found("text", "first")
        in_file = found.at - found.rows.starts[found.group] + 1
        return bool((self._places(convention, found).first_rank == in_file).all())

    def _hits(self, convention: Convention) -> Hits:
        policy = convention.policy
        found = self._found(convention.ids, policy.duplicates)
        places = self._places(convention, found)
        retrieval = Retrieval(
            found.judgement, found.rows.numbers[found.at], places, found.returned, found.unjudged_queries
        )
        if condenses_first(policy):
            retrieval = retrieval.condensed(found.query)
        return found.judgements.hits(retrieval, policy, self.name)

    def _found(self, ids: str, duplicates: str) -> FoundRows:
        return self._memo.once(("found", ids, duplicates), partial(self._find, ids, duplicates))

    def _find(self, ids: str, duplicates: str) -> FoundRows:
        policy = Policy(duplicates=duplicates)  # type: ignore[arg-type]  # one of its choices
        qrels, run = (self._qrels, self._run) if ids == "text" else _with_numbers(self._qrels, self._run)
        judged, rows = with_ids_of_one_type(TableJudgements.of(qrels, policy), run)
        found = judged.find(*distinct_rows(rows, "ranks", policy))
        check_overlap(found.common, judged.judgements.queries, found.unjudged_queries, policy, self.name)
        return found

    def _places(self, convention: Convention, found: FoundRows) -> Places:
        policy, order = convention.policy, convention.order
        if order == "file":
            return Places.without_ties(found.at - found.rows.starts[found.group])
        counts = self._counts(convention.ids, policy.duplicates, policy.score_bits)
        above = counts.above
        if order == "reversed":
            above = np.diff(found.rows.starts)[found.group] - above - counts.tied
        if policy.ties == "average":
            return Places(above, counts.tied, None)
        return Places(above, counts.tied, self._tied_above(found, counts, policy.ties))

    def _counts(self, ids: str, duplicates: str, bits: int) -> _Counts:
        return self._memo.once(
            ("counts", ids, duplicates, bits), lambda: _Counts.of(self._found(ids, duplicates), bits)
        )

    def _tied_above(self, found: FoundRows, counts: _Counts, rule: str) -> Ints:
        """The number of tied documents that a rule puts above each hit, which is the same in both directions."""
        if rule == "ascending":
            reversed_: Ints = counts.tied - 1 - self._tied_above(found, counts, "descending")
            return reversed_
        above, tied = counts.above, counts.tied
        rows = replace(found.rows, numbers=counts.scores)
        count: Callable[[], Ints] = partial(count_tied_above, rows, found.group, found.at, above, tied, rule)
        return self._memo.once(("tied", counts, rule), count)


def _only(runs: Sequence[_Made]) -> _Made:
    if len(runs) != 1:
        raise DataError(f"there are {len(runs)} runs, and one is needed: its number is to be explained.")
    return runs[0]


def _with_numbers(qrels: QueryGroups, run: QueryGroups) -> tuple[QueryGroups, QueryGroups]:
    """Both sides with numeric ids zero-padded to the same length, so that they compare as numbers."""
    queries = _filled_up(qrels.queries, run.queries)
    documents = _filled_up(qrels.documents, run.documents)
    for column in queries:
        if len(column.unique()) < len(column):
            raise DataError("two queries have the same number.")
    return tuple(  # type: ignore[return-value]  # of two
        replace(side, queries=names, documents=ids)
        for side, names, ids in zip((qrels, run), queries, documents, strict=True)
    )


def _filled_up(*columns: IdColumn) -> list[Any]:
    """The ids as text, numeric ones zero-padded; an error if none is numeric."""
    texts = [as_text(column) for column in columns]
    width = max(int(text.str.len_chars().to_numpy().max(initial=0)) for text in texts)
    return [
        text.str.replace(r"^(\d+)$", "0" * width + "$1").str.replace(rf"^0+(\d{{{width}}})$", "$1") for text in texts
    ]


@dataclass(frozen=True, slots=True, eq=False)
class ConventionOutcome:
    """The result of a convention on the data."""

    candidate: Candidate
    values: Floats
    """Of all judged queries; NaN for those that are left out or undefined."""
    number: float

    @property
    def fingerprint(self) -> bytes:
        """A key that is equal for conventions with equal values and number."""
        exact = np.concatenate((self.values, [self.number]))
        return np.round(np.nan_to_num(exact, nan=-1.0), 11).tobytes()

    def differs(self, other: ConventionOutcome) -> Bools:
        """The queries that differ between the outcomes, or are left out of only one."""
        return ~np.isclose(self.values, other.values, rtol=0, atol=1e-12, equal_nan=True)


def outcomes_of(candidates: Iterable[Candidate], rankings: SharedRankings) -> list[ConventionOutcome]:
    """The outcomes of the conventions that are possible on the data.

    Conventions that share a ranking and the decisions of open cases are evaluated together.
    """
    shared: dict[tuple[object, ...], list[Candidate]] = {}
    for candidate in candidates:
        policy = candidate.convention.policy
        key = (candidate.convention.ranking, policy.no_relevant, policy.undefined)
        shared.setdefault(key, []).append(candidate)
    return [outcome for group in shared.values() for outcome in _of_one_ranking(group, rankings)]


def _of_one_ranking(group: list[Candidate], rankings: SharedRankings) -> list[ConventionOutcome]:
    measures = list(dict.fromkeys(candidate.convention.measure for candidate in group))
    try:
        hits = rankings.hits(group[0].convention)
        decided = _decided(hits, measures)
    except RankgoldError:
        return []
    outcomes = []
    kept: dict[str, Bools] = {}
    for candidate in group:
        convention = candidate.convention
        if convention.measure not in decided:
            continue
        if convention.policy.missing not in kept:
            kept[convention.policy.missing] = rankings.hits(convention).kept
        values = np.where(kept[convention.policy.missing], decided[convention.measure].values, np.nan)
        outcomes.append(ConventionOutcome(candidate, values, _number(values, convention, rankings)))
    return outcomes


def _decided(hits: Hits, measures: list[Measure]) -> dict[Measure, Outcome]:
    """The outcome of each measure that is possible."""
    try:
        return decide_all(hits, measures)
    except RankgoldError:
        decided: dict[Measure, Outcome] = {}
        for measure in measures:
            try:
                decided |= decide_all(hits, [measure])
            except RankgoldError:
                continue
        return decided


def _number(values: Floats, convention: Convention, rankings: SharedRankings) -> float:
    known = values[~np.isnan(values)]
    summary = convention.summary
    if summary == "pooled":
        return _pooled(convention, rankings, ~np.isnan(values))
    if not len(known):
        return math.nan
    if summary == "median":
        return float(np.median(known))
    if summary == "geometric mean":
        return GEOMETRIC_MEAN(known)
    if summary == "sum":
        return SUM(known)
    if summary == "above zero":
        known = known[known > 0]
        return float(known.mean()) if len(known) else math.nan
    if convention.unjudged_queries_count:
        extra = len(rankings.hits(convention).notes.without_judgements)
        return math.fsum(known) / (len(known) + extra)
    return convention.measure.metric.aggregate(known)


def _pooled(convention: Convention, rankings: SharedRankings, which: Bools) -> float:
    derived = convention.measure(rankings.hits(convention))
    total = float(derived.norms[which].sum())
    return float(derived.sums[which].sum()) / total if total else math.nan
