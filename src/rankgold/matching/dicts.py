"""Judgements and a run as dicts in, Hits out: judged documents are looked up in the run, and only scores are sorted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgold.data.dicts import id_kinds, look_up, numbers, with_text_ids
from rankgold.data.rows import Nested
from rankgold.hits import Hits
from rankgold.kernels.segments import Floats, Ints, starts_of
from rankgold.matching.judgements import IDS_AS_TEXT, Judgements, Retrieval, check_overlap
from rankgold.matching.ranks import Places, count_higher_and_equal, round_scores
from rankgold.policy import Policy


@dataclass(frozen=True, slots=True)
class DictJudgements:
    """Judgements in dicts, prepared for runs in dicts."""

    tables: Nested
    judgements: Judgements

    @classmethod
    def of(cls, tables: Nested) -> DictJudgements:
        grade = numbers(tables, tables, "qrels")
        query = np.repeat(np.arange(len(tables)), [len(documents) for documents in tables.values()])
        documents = [document for documents in tables.values() for document in documents]
        return cls(tables, Judgements.of(list(tables), query, grade, documents))

    def match(self, run: Nested, policy: Policy, name: str = "run") -> Hits:
        """The Hits of a run."""
        kinds = zip(id_kinds(self.tables), id_kinds(run), strict=True)
        if any(judged and ranked and judged != ranked for judged, ranked in kinds):
            as_text = DictJudgements.of(with_text_ids(self.tables))
            return as_text._match(with_text_ids(run), policy, name, (IDS_AS_TEXT,))
        return self._match(run, policy, name, ())

    def _match(self, run: Nested, policy: Policy, name: str, remarks: tuple[str, ...]) -> Hits:
        qrels, judgements = self.tables, self.judgements
        unjudged = tuple(query for query in run if query not in qrels)
        common = {i: query for i, query in enumerate(qrels) if run.get(query)}
        check_overlap(len(run) - len(unjudged), qrels, unjudged, policy)
        label = None if name == "run" else name
        numbers(run, unjudged, "run", label)
        if policy.unjudged == "condensed":
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
        score = found[judgement]
        group = group_of[judgements.query[judgement]]
        above, tied = count_higher_and_equal(scores, starts, group, score)
        within = None
        if policy.ties != "average":
            lists = [run[query] for query in common.values()]
            ids: Any = judgements.documents
            tied_documents = {hit: ids[judgement[hit]] for hit in np.flatnonzero(tied > 1).tolist()}
            within = _tied_above(lists, scores, starts, group, score, tied_documents, policy)
        places = Places(above, tied, within)
        return judgements.hits(Retrieval(judgement, score, places, returned, unjudged, remarks), policy, name)


def _tied_above(
    lists: list[dict[Any, float]],
    scores: Floats,
    starts: Ints,
    group: Ints,
    score: Floats,
    documents: dict[int, Any],
    policy: Policy,
) -> Ints:
    """The number of documents with the same score that the policy puts above each hit of `documents`."""
    within = np.zeros(len(group), dtype=np.int64)
    places: dict[tuple[int, float], dict[Any, int]] = {}
    for hit, document in documents.items():
        key = int(group[hit]), float(score[hit])
        if key not in places:
            part = scores[starts[key[0]] : starts[key[0] + 1]]
            ids = list(lists[key[0]])
            mates = [ids[place] for place in np.flatnonzero(part == key[1])]
            if policy.ties != "input":
                mates.sort(key=str, reverse=policy.ties == "descending")
            places[key] = {mate: place for place, mate in enumerate(mates)}
        within[hit] = places[key][document]
    return within
