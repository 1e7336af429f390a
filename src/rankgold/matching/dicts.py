"""Matching dicts: the judged documents of a query are looked up in its ranking, and only score values are sorted."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.data.dicts import Nested, id_kinds, looked_up, numbers, with_text_ids
from rankgold.hits import Hits
from rankgold.kernels.segments import Floats, Ints, starts_of
from rankgold.matching.judgements import Judged
from rankgold.matching.queries import IDS_AS_TEXT, at_width, check_queries
from rankgold.matching.ranks import Places, counts
from rankgold.policy import Policy


def judged_from_dict(qrels: Nested, remarks: tuple[str, ...] = ()) -> Judged:
    """The judgements in a dict, ready to be matched."""
    grade = numbers(qrels, qrels, "qrels")
    query = np.repeat(np.arange(len(qrels)), [len(row) for row in qrels.values()])
    return Judged.of(list(qrels), query, grade, [document for row in qrels.values() for document in row], remarks)


def match_dicts(qrels: Nested, judged: Judged, run: Nested, policy: Policy, name: str = "run") -> Hits:
    """The Hits of a run in a dict."""
    remarks: tuple[str, ...] = ()
    if any(ours and theirs and ours != theirs for ours, theirs in zip(id_kinds(qrels), id_kinds(run), strict=True)):
        qrels, run = with_text_ids(qrels), with_text_ids(run)
        judged = judged_from_dict(qrels, judged.remarks)
        remarks = (IDS_AS_TEXT,)
    unjudged = tuple(query for query in run if query not in qrels)
    common = {i: query for i, query in enumerate(qrels) if run.get(query)}
    check_queries(len(run) - len(unjudged), qrels, unjudged, policy)
    called = None if name == "run" else name
    numbers(run, unjudged, "run", called)
    if policy.unjudged == "condensed":
        numbers(run, list(common.values()), "run", called)
        run = {query: {d: s for d, s in run[query].items() if d in qrels[query]} for query in common.values()}

    lengths = np.array([len(run[query]) for query in common.values()], dtype=np.int64)
    starts = starts_of(lengths)
    group_of = np.zeros(len(qrels), dtype=np.int64)
    group_of[list(common)] = np.arange(len(common))
    returned = np.zeros(len(qrels), dtype=np.int64)
    returned[list(common)] = lengths

    scores = at_width(numbers(run, list(common.values()), "run", called), policy)
    found = at_width(looked_up(run, qrels), policy)
    rows = np.flatnonzero(~np.isnan(found))
    score = found[rows]
    group = group_of[judged.query[rows]]
    above, tied = counts(scores, starts, group, score)
    within = None
    if policy.ties != "average":
        lists = [run[query] for query in common.values()]
        ids: Any = judged.documents
        documents = {hit: ids[rows[hit]] for hit in np.flatnonzero(tied > 1).tolist()}
        within = _tied_above(lists, scores, starts, group, score, documents, policy)
    return judged.hits(rows, score, Places(above, tied, within), returned, policy, name, unjudged, remarks)


def _tied_above(
    lists: list[dict[Any, float]],
    scores: Floats,
    starts: Ints,
    group: Ints,
    score: Floats,
    documents: dict[int, Any],
    policy: Policy,
) -> Ints:
    """How many documents of the same score the policy puts above each hit; `documents` are the hits that have such."""
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
