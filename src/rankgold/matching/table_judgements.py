"""Judgements and a run as tables in, Hits out: judged documents are found by hashes, and only they are ranked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.data.ids import IdColumn, copied_ids, is_text, to_polars
from rankgold.data.query_groups import QueryGroups
from rankgold.data.rows import Rows
from rankgold.hits import Hits
from rankgold.kernels.segments import Floats, Ints, groups_at, sorted_descending
from rankgold.matching.hash_lookup import Lookup, hashes_of, possible_repeats
from rankgold.matching.judgements import (
    IDS_AS_TEXT,
    Judgements,
    Retrieval,
    check_overlap,
    condenses_after_cut,
    with_exclusion_remark,
)
from rankgold.matching.ranks import (
    AT_32_BITS,
    Places,
    count_higher_and_equal,
    count_tied_above,
    round_scores,
    tied_at_32_bits,
)
from rankgold.matching.returned_lists import TableLists
from rankgold.policy import Policy

if TYPE_CHECKING:
    from rankgold.data.ids import Keys
    from rankgold.data.parents import ParentRule
    from rankgold.data.topics import Topics
    from rankgold.matching.exclusion import Exclusion

# The rows of a larger run are not kept after it is matched. They only name unjudged documents in plots.
_MOST_KEPT = 1_000_000

# More queries than this are numbered by a join: its table takes longer to build than a dict, and less time to use.
_MANY = 100_000


@dataclass(frozen=True, slots=True)
class TableJudgements:
    """Judgements in a table, prepared for runs in tables."""

    judgements: Judgements
    queries: IdColumn
    number: dict[Any, int]
    """The position of each query among the judged ones."""
    lookup: Lookup
    parent: ParentRule | None = None
    """To which document a chunk of a run belongs."""
    exclusion: Exclusion | None = None
    """The documents to take out of the lists of a run."""

    @classmethod
    def of(
        cls,
        judged: QueryGroups,
        policy: Policy,
        parent: ParentRule | None = None,
        topics: Topics | None = None,
        exclusion: Exclusion | None = None,
    ) -> TableJudgements:
        highest = None
        if topics is not None:
            highest = float(judged.numbers.max(initial=0.0))
            judged = judged.of_queries(topics.of_judged(judged.queries.to_list()))
        subtopics = None
        if judged.subtopics is not None:
            from rankgold.matching.subtopic_judgements import split_subtopics  # which needs Polars

            judged, subtopics = split_subtopics(judged, policy)
        rows, hashes = distinct_rows(judged, "judges", policy)
        query = np.repeat(np.arange(len(rows.queries)), np.diff(rows.starts))
        documents = copied_ids(rows.documents)
        queries = rows.queries.to_list()
        judgements = Judgements.of(
            queries,
            query,
            rows.numbers,
            documents,
            rows.remarks,
            max_grade=highest,
            topics=topics,
            subtopics=subtopics,
        )
        lookup = Lookup(rows.documents, hashes, rows.starts)
        return cls._with_ids(judgements, rows.queries, lookup, parent, exclusion)

    @classmethod
    def _with_ids(
        cls,
        judgements: Judgements,
        queries: IdColumn,
        lookup: Lookup,
        parent: ParentRule | None,
        exclusion: Exclusion | None,
    ) -> TableJudgements:
        number = dict(zip(queries.to_list(), range(len(queries)), strict=True))
        return cls(judgements, queries, number, lookup, parent, exclusion)

    def with_text_ids(self) -> TableJudgements:
        lookup = Lookup.of(to_polars(self.lookup.documents).cast(str), self.lookup.starts)
        queries = to_polars(self.queries).cast(str)
        return TableJudgements._with_ids(self.judgements, queries, lookup, self.parent, self.exclusion)

    def numbers(self, queries: list[Any]) -> Ints:
        """The position of each of these queries among the judged ones; -1 for an unjudged query."""
        if len(queries) > _MANY:
            import polars as pl

            judged = to_polars(self.queries)
            known = pl.DataFrame({"query": judged, "number": np.arange(len(judged))})
            asked = pl.DataFrame({"query": pl.Series(queries, dtype=judged.dtype)})
            return asked.join(known, on="query", how="left", maintain_order="left")["number"].fill_null(-1).to_numpy()
        return np.fromiter((self.number.get(query, -1) for query in queries), dtype=np.int64, count=len(queries))

    def match(self, chunks: Iterable[Rows], policy: Policy, name: str) -> Hits:
        """The Hits of a run, in one table or in several that hold whole queries."""
        hits, common = self.match_queries(chunks, policy, name)
        check_overlap(common, self.judgements.queries, hits.notes.without_judgements, policy, name)
        return hits if self.exclusion is None else with_exclusion_remark(hits)

    def match_queries(self, chunks: Iterable[Rows], policy: Policy, name: str) -> tuple[Hits, int]:
        """The Hits of some queries of a run, and the number of judged queries that the run ranks, which may be 0."""
        found = [_empty_retrieval(len(self.queries))]
        common = 0
        judgements = self
        for chunk in chunks:
            # Once the judgements' ids are text they stay text, so they are converted for the first chunk only.
            judgements, rows = with_ids_of_one_type(judgements, with_parents(chunk.groups(), self.parent))
            retrieval, judged = _retrieve(judgements, rows, policy)
            # Only a run in one chunk keeps its lists: those of all chunks would be the whole run.
            found[-1] = replace(found[-1], lists=None)
            found.append(retrieval)
            common += judged
        return self.judgements.hits(_join(found), policy, name), common


def with_parents(rows: QueryGroups, parent: ParentRule | None) -> QueryGroups:
    """The rows with documents in place of their chunks."""
    if parent is None:
        return rows
    return replace(rows, documents=parent.in_column(to_polars(rows.documents)).rechunk())


def distinct_rows(rows: QueryGroups, verb: str, policy: Policy) -> tuple[QueryGroups, Keys]:
    """The rows with each document once in a query, and the hashes of their documents."""
    hashes = hashes_of(rows.documents)
    suspects = possible_repeats(hashes, rows.starts)
    if not len(suspects):
        return rows, hashes
    from rankgold.matching.repeats import drop_repeats  # which needs Polars

    rows = drop_repeats(rows, suspects, verb, policy)
    return rows, hashes_of(rows.documents)


def _retrieve(judgements: TableJudgements, rows: QueryGroups, policy: Policy) -> tuple[Retrieval, int]:
    """The judged documents among rows with ids of the same type, and the number of judged queries among them."""
    queries = rows.queries.to_list()
    number = judgements.numbers(queries)
    ranked = np.diff(rows.starts)
    if judgements.exclusion is not None:
        rows = judgements.exclusion.remaining(rows)
    excluded = int((ranked - np.diff(rows.starts))[number >= 0].sum())
    rows, hashes = distinct_rows(rows, "ranks", policy)
    at, judgement = judgements.lookup.find(rows.documents, hashes, rows.starts, number)
    if policy.unjudged == "condensed" and not condenses_after_cut(policy):
        kept = np.zeros(len(rows.numbers), dtype=bool)
        kept[at] = True
        rows, at = rows.keep(kept), np.cumsum(kept)[at] - 1
    rows = replace(rows, numbers=round_scores(rows.numbers, policy))
    group = groups_at(rows.starts, at)
    ordered = sorted_descending(rows.numbers, rows.starts)
    places = _places(rows, ordered, group, at, policy)
    is_judged = number >= 0
    returned = np.zeros(len(judgements.queries), dtype=np.int64)
    returned[number[is_judged]] = np.diff(rows.starts)[is_judged]
    unjudged = judgements.judgements.unjudged((queries[i] for i in np.flatnonzero(~is_judged).tolist()), ())
    moved = _count_moved(rows, ordered, group, at, places, policy)
    lists = None
    if len(rows.numbers) <= _MOST_KEPT:
        lists = TableLists(rows.queries, rows.starts, rows.documents, rows.numbers, policy)
    retrieval = Retrieval(judgement, rows.numbers[at], places, returned, unjudged, rows.remarks, moved, lists, excluded)
    return retrieval, int(np.count_nonzero(is_judged))


def _places(rows: QueryGroups, ordered: Floats, group: Ints, at: Ints, policy: Policy) -> Places:
    """The places of hits, which are rows, among the scores of their groups in descending order."""
    scores = rows.numbers
    position = at if ordered is scores else None
    above, tied = count_higher_and_equal(ordered, rows.starts, group, scores[at], position)
    within = None
    if policy.ties != "average":
        within = count_tied_above(rows, scores, group, at, above, tied, policy.ties)
    return Places(above, tied, within)


def _count_moved(rows: QueryGroups, ordered: Floats, group: Ints, at: Ints, places: Places, policy: Policy) -> int:
    """The number of hits with another rank if scores are compared at 32 bits."""
    if policy.ties != "descending":
        return 0
    close = tied_at_32_bits(ordered, rows.starts, group, rows.numbers[at], places)
    if not len(close):
        return 0
    # Rounding keeps the order, so nothing has to be sorted again.
    scores = round_scores(rows.numbers, AT_32_BITS)
    ordered = scores if ordered is rows.numbers else round_scores(ordered, AT_32_BITS)
    rounded = _places(replace(rows, numbers=scores), ordered, group[close], at[close], policy)
    return int(np.count_nonzero(rounded.first_rank != places.first_rank[close]))


def _empty_retrieval(queries: int) -> Retrieval:
    nothing = np.zeros(0, dtype=np.int64)
    return Retrieval(nothing, np.zeros(0), Places(nothing, nothing, None), np.zeros(queries, dtype=np.int64))


def _join(parts: list[Retrieval]) -> Retrieval:
    """What several chunks of a run retrieved; no query is in two of them."""
    within = [part.places.within for part in parts if part.places.within is not None]
    places = Places(
        np.concatenate([part.places.above for part in parts]),
        np.concatenate([part.places.tied for part in parts]),
        np.concatenate(within) if within else None,
    )
    return Retrieval(
        np.concatenate([part.judgement for part in parts]),
        np.concatenate([part.score for part in parts if part.score is not None]),
        places,
        np.sum([part.returned for part in parts], axis=0),
        tuple(query for part in parts for query in part.unjudged_queries),
        tuple(dict.fromkeys(remark for part in parts for remark in part.remarks)),
        sum(part.moved_at_32_bits for part in parts),
        parts[-1].lists if len(parts) == 2 else None,  # of a run in one chunk; the first part is empty
        sum(part.excluded for part in parts),
    )


def with_ids_of_one_type(judgements: TableJudgements, run: QueryGroups) -> tuple[TableJudgements, QueryGroups]:
    """Both sides with ids of the same type: text if the two differ. A remark reports integers on one side only."""
    pairs = (judgements.queries, run.queries), (judgements.lookup.documents, run.documents)
    differ = any(is_text(judged) != is_text(ranked) for judged, ranked in pairs)
    if not differ and all(type(judged) is type(ranked) for judged, ranked in pairs):
        return judgements, run
    queries, documents = (to_polars(ranked).cast(str) for _, ranked in pairs)
    remarks = (*run.remarks, IDS_AS_TEXT) if differ else run.remarks
    return judgements.with_text_ids(), replace(run, queries=queries, documents=documents, remarks=remarks)
