"""Matches dicts by looking judged documents up in the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.hits import Hits
from rankgold.core.policy import Policy
from rankgold.core.segments import Floats, Ints, sorted_descending, starts_of
from rankgold.data.dicts import are_text, look_up, numbers, with_plain_ids, with_text_ids
from rankgold.data.matching.judgements import (
    IDS_AS_TEXT,
    DictLists,
    Judgements,
    Retrieval,
    check_overlap,
    condenses_first,
)
from rankgold.data.matching.ranks import AT_32_BITS, HitScores, Places, count_moved, in_tie_order, round_scores
from rankgold.data.rows import Nested

if TYPE_CHECKING:
    from rankgold.data.selection import Topics


_NOTHING: dict[Any, float] = {}
_DIGITS = 4300  # Python makes no integer of more


@dataclass(frozen=True, slots=True)
class DictJudgements:
    """Judgements in dicts, prepared for runs in dicts."""

    tables: Nested
    documents: list[Any]
    """All documents of the tables."""
    judgements: Judgements
    """Under the ids that the user gave."""
    other_spellings: dict[Any, list[Any]]
    """Query -> its documents under the ids of the other type that are the same as text: '7' for 7."""

    @classmethod
    def of(cls, tables: Nested, remarks: tuple[str, ...] = (), topics: Topics | None = None) -> DictJudgements:
        grade = numbers(tables, tables, "qrels")
        highest = None
        if topics is not None:
            highest = float(grade.max(initial=0.0))
            tables = dict(compress(tables.items(), topics.of_judged(tables)))
            grade = numbers(tables, tables, "qrels")
        query = np.repeat(np.arange(len(tables)), [len(documents) for documents in tables.values()])
        documents = [document for documents in tables.values() for document in documents]
        judgements = Judgements.of(list(tables), query, grade, documents, remarks, max_grade=highest, topics=topics)
        return cls(tables, documents, judgements, _other_spellings(tables))

    def match(self, run: Nested, policy: Policy, name: str = "run", remarks: tuple[str, ...] = ()) -> Hits:
        """The Hits of a run."""
        if any(not run.get(query, _NOTHING).keys().isdisjoint(ids) for query, ids in self.other_spellings.items()):
            run = with_plain_ids(run, policy.repeats, f"run {name!r}")
        pairs = zip(are_text(self.tables), are_text(run), strict=True)
        if all(judged is None or ranked is None or judged == ranked for judged, ranked in pairs):
            return self._match(run, policy, name, remarks)
        tables = with_text_ids(self.tables)
        as_text = replace(self, tables=tables, documents=[document for row in tables.values() for document in row])
        run = with_text_ids(with_plain_ids(run, policy.repeats, f"run {name!r}"))
        return as_text._match(run, policy, name, (*remarks, IDS_AS_TEXT))

    def _match(self, run: Nested, policy: Policy, name: str, remarks: tuple[str, ...]) -> Hits:
        qrels, judgements = self.tables, self.judgements
        unjudged = judgements.unjudged(run, qrels)
        common = {i: query for i, query in enumerate(qrels) if run.get(query)}
        check_overlap(sum(query in run for query in qrels), qrels, unjudged, policy, name)
        label = None if name == "run" else name
        numbers(run, unjudged, "run", label)
        if condenses_first(policy):
            numbers(run, list(common.values()), "run", label)
            run = {query: {d: s for d, s in run[query].items() if d in qrels[query]} for query in common.values()}

        lengths = np.array([len(run[query]) for query in common.values()], dtype=np.int64)
        starts = starts_of(lengths)
        group_of = np.zeros(len(qrels), dtype=np.int64)
        group_of[list(common)] = np.arange(len(common))
        returned = np.zeros(len(qrels), dtype=np.int64)
        returned[list(common)] = lengths

        scores = round_scores(numbers(run, list(common.values()), "run", label), policy)
        found = round_scores(look_up(run, qrels), policy)
        judgement = np.flatnonzero(~np.isnan(found))
        hits = HitScores(
            sorted_descending(scores, starts), starts, group_of[judgements.query[judgement]], found[judgement]
        )
        lists = ScoredLists([run[query] for query in common.values()], scores, starts)
        places = lists.places(hits, lambda hit: self.documents[judgement[hit]], policy)

        def at_32_bits(some: Ints) -> Places:
            rounded = hits.keep(some).at_32_bits()
            return lists.at_32_bits().places(rounded, lambda hit: self.documents[judgement[some[hit]]], policy)

        moved = count_moved(hits, places, policy, at_32_bits)
        retrieval = Retrieval(judgement, hits.score, places, returned, unjudged, remarks, moved, DictLists(run, policy))
        return judgements.hits(retrieval, policy, name)


def _other_spellings(tables: Nested) -> dict[Any, list[Any]]:
    spelled: dict[Any, list[Any]] = {}
    documents_are_text = are_text(tables)[1]
    for query, row in tables.items():
        # A sign and digits come before the colon: most text is ruled out without a call.
        ids = [int(id_) for id_ in row if id_ < ":" and _is_integer(id_)] if documents_are_text else list(map(str, row))
        if ids:
            spelled[query] = ids
    return spelled


def _is_integer(text: str) -> bool:
    """Whether the text may be that of an integer; also for 07, which is the text of none."""
    return (text.isdecimal() or (text[:1] == "-" and text[1:].isdecimal())) and len(text) < _DIGITS


@dataclass(frozen=True, slots=True)
class ScoredLists:
    """The documents that a run ranks for each query, and their scores, query by query."""

    lists: list[dict[Any, float]]
    scores: Floats
    starts: Ints

    def places(self, hits: HitScores, document: Callable[[int], Any], policy: Policy) -> Places:
        """The places of hits."""
        above, tied = hits.higher_and_equal()
        within = None
        if policy.ties != "average":
            documents = {hit: document(hit) for hit in np.flatnonzero(tied > 1).tolist()}
            within = self._tied_above(hits, documents, policy)
        return Places(above, tied, within)

    def at_32_bits(self) -> ScoredLists:
        """The same lists with rounded scores."""
        return replace(self, scores=round_scores(self.scores, AT_32_BITS))

    def _tied_above(self, hits: HitScores, documents: dict[int, Any], policy: Policy) -> Ints:
        """The number of documents with the same score that the policy puts above each hit of `documents`."""
        within = np.zeros(len(hits.group), dtype=np.int64)
        places: dict[tuple[int, float], dict[Any, int]] = {}
        for hit, document in documents.items():
            key = int(hits.group[hit]), float(hits.score[hit])
            if key not in places:
                part = self.scores[self.starts[key[0]] : self.starts[key[0] + 1]]
                ids = list(self.lists[key[0]])
                mates = [ids[place] for place in np.flatnonzero(part == key[1])]
                places[key] = {mate: place for place, mate in enumerate(in_tie_order(mates, policy.ties))}
            within[hit] = places[key][document]
        return within
